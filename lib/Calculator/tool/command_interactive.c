// cute-layout without a command: lines from a person or a pipe, one value each.
#include "Calculator/tool/commands.h"
#include "Calculator/tool/line_editor.h"
#include "Support/arena.h"

extern const char cuteSessionHelp[]; // session_help.txt

//===-- Names to complete -------------------------------------------------===//

static const char *const words[] = {"atoms", "eval", "explain",
                                    "help",  "let",  "operations",
                                    "quit",  "show", "variables"};

static const char *nameToComplete(void *calculator, size_t i) {
  size_t n = sizeof words / sizeof *words;
  if (i < n)
    return words[i];
  i -= n;
  const char *name = cuteCommandGetName("eval", &i);
  CuteValue value;
  return name ? name : cuteCalculatorGetVariable(calculator, i, &value);
}

//===-- Lines -------------------------------------------------------------===//

static void printVariables(CuteCalculator *calculator) {
  const char *name;
  CuteValue value;
  for (size_t i = 0; (name = cuteCalculatorGetVariable(calculator, i, &value));
       ++i) {
    printf("%s = ", name);
    cuteValuePrint(value);
  }
}

static void printOperation(const char *name) {
  const CuteCalcOperation *row;
  bool found = false;
  for (size_t i = 0; (row = cuteCalcGet(i)); ++i) {
    if (strcmp(row->name, name))
      continue;
    cuteCalcPrint(row);
    found = true;
  }
  if (!found)
    printf("there is no operation '%s'\n", name);
}

// The rest of the line after a word and blanks; null if it begins otherwise.
static const char *afterWord(const char *line, const char *word) {
  size_t n = strlen(word);
  if (strncmp(line, word, n) || (line[n] && line[n] != ' '))
    return NULL;
  return line + n + strspn(line + n, " ");
}

enum { MAX_WORDS = 16 };

// A command as in a shell without quotes: options and their values, up to the
// expression.
static bool runCommand(CuteSession session, const char *line) {
  char *copy = cuteAllocate(strlen(line) + 1), *at = strcpy(copy, line);
  char *argv[MAX_WORDS];
  int argc = 0;
  bool isOption = true;
  while (*at && argc < MAX_WORDS) {
    argv[argc++] = at;
    isOption = argc == 1 || *at == '-' ||
               cuteCommandTakesNext(argv[0], argv[argc - 2]);
    if (!isOption)
      break;
    at += strcspn(at, " ");
    if (*at)
      *at++ = '\0';
    at += strspn(at, " ");
  }
  CuteExit status = cuteCommandRun(session, argc, argv);
  if (status == CUTE_EXIT_USAGE)
    fputs(cuteSessionHelp, stderr);
  free(copy);
  return status == CUTE_EXIT_OK;
}

// Answers one line; false if the expression failed.
static bool answer(CuteSession session, const char *line) {
  const char *rest;
  if ((rest = afterWord(line, "help"))) {
    if (*rest)
      printOperation(rest);
    else
      fputs(cuteSessionHelp, stdout);
    return true;
  }
  if ((rest = afterWord(line, "variables")) && !*rest) {
    printVariables(session.calculator);
    return true;
  }
  if (cuteCommandIsKnown((CuteStringRef){line, strcspn(line, " ")}))
    return runCommand(session, line);
  CuteValue value = cuteSessionEvaluate(session, line);
  if (cuteValueFailed(value))
    return false;
  cuteCalculatorSetVariable(session.calculator, cuteStringRef("ans"), value);
  cuteValuePrint(value);
  return true;
}

// Tells whether a line ends the session: also as in other programs.
static bool isEnd(const char *line) {
  static const char *const ends[] = {"quit", "exit", "q", ":q"};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i)
    if (!strcmp(line, ends[i]))
      return true;
  return false;
}

CuteExit cuteCommandInteractive(CuteSession session, int argc,
                                CUTE_UNUSED char **argv) {
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  bool interactive = cuteLineEditorIsInteractive();
  if (interactive)
    puts("cute-layout " CUTE_VERSION ": type an expression, 'help' or 'quit'");
  cuteLineEditorOpen(nameToComplete, session.calculator);
  char *line;
  bool ok = true, more = true;
  while (more && (line = cuteLineEditorRead("> "))) {
    const char *text = line + strspn(line, " \t");
    more = !isEnd(text);
    if (more && *text && *text != '#')
      ok &= answer(session, text);
    free(line);
    fflush(stdout);
  }
  cuteLineEditorClose();
  return ok || interactive ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
