// cute-layout: the layout algebra in a shell.
#include "Calculator/tool/commands.h"
#include "Support/say_error.h"
#include "Support/standard_files.h"

extern const char cuteToolDetails[]; // tool_details.txt

// Taken out of the arguments before a command reads them.
static const CuteOption options[] = {
    {"--strict", .help = "report results that break a law of the algebra as "
                         "errors, not warnings"}};

static const CuteOption commands[] = {
    {"eval", .kind = CUTE_OPTION_TEXT, .value = "[--table] EXPRESSION",
     .help = "print the value; 'eval' may be left out"},
    {"explain", .kind = CUTE_OPTION_TEXT, .value = "[--depth=N] EXPRESSION",
     .help = "print the steps that compute the value"},
    {"show", .kind = CUTE_OPTION_TEXT, .value = "[OPTIONS] EXPRESSION",
     .help = "print or draw a layout, an atom, a tiled MMA or a tiled copy"},
    {"operations", .kind = CUTE_OPTION_TEXT,
     .help = "list the operations with their operands"},
    {"atoms", .kind = CUTE_OPTION_TEXT, .value = "[PART]",
     .help = "list atoms and instructions, or those with PART in their names"},
    {"(none), -", .kind = CUTE_OPTION_TEXT,
     .help = "start a session, with line editing, history and completion on a "
             "terminal; from a pipe, evaluate each line"},
};

static CuteStatus takeNoInput(CUTE_UNUSED void *data, const char *argument) {
  return cuteStatusCreate("unexpected argument '%s'; see --help", argument);
}

static const char *getArgument(const char *command, size_t i) {
  return strcmp(command, "operations") ? cuteCommandGetName(command, &i) : NULL;
}

#define ROWS(array) .rows = array, .numRows = sizeof(array) / sizeof *(array)

static const CuteTool tool = {
    .name = "cute-layout",
    .version = CUTE_VERSION CUTE_REVISION,
    .overview = "calculates with CuTe layouts",
    .usage = "[OPTIONS] COMMAND",
    .notes = cuteToolDetails,
    .column = 32,
    .sections = {{"COMMANDS", ROWS(commands)},
                 {"OPTIONS", ROWS(options)},
                 {"OPTIONS OF eval", .command = "eval", ROWS(cuteEvalOptions)},
                 {"OPTIONS OF explain", .command = "explain",
                  ROWS(cuteExplainOptions)},
                 {"OPTIONS OF show", .command = "show", ROWS(cuteShowOptions)},
                 {"DIAGNOSTICS", ROWS(cuteDiagnosticOptions)}},
    .takeInput = takeNoInput,
    .getArgument = getArgument,
};

static CuteStatus takeExpression(void *data, const char *argument) {
  const char **expression = data;
  if (*expression)
    return cuteStatusCreate("more than one expression: '%s' and '%s'",
                            *expression, argument);
  *expression = argument;
  return NULL;
}

bool cuteCommandTakeOptions(void *data, int argc, char **argv) {
  return cuteCommandSucceeds(
      cuteOptionsTakeCommand(&tool, data, takeExpression, argc, argv));
}

bool cuteCommandTakesNext(const char *command, const char *argument) {
  return cuteOptionsTakeNext(&tool, command, argument);
}

// Tells whether the argument makes laws that fail errors, not warnings.
static bool isStrict(const char *argument) {
  return !strcmp(argument, "--strict") || !strcmp(argument, "--werror");
}

// Takes "--strict", "--werror" and "--diagnostics=FORMAT" out of the arguments;
// false with a message for an unknown format.
static bool takeCommon(int *argc, char **argv, CuteLawPolicy *policy) {
  static const char format[] = "--diagnostics=";
  int kept = 1;
  bool ok = true;
  *policy = CUTE_LAWS_WARN;
  for (int i = 1; i < *argc; ++i)
    if (isStrict(argv[i]))
      *policy = CUTE_LAWS_STRICT;
    else if (!strncmp(argv[i], format, sizeof format - 1))
      ok &= cuteCommandSucceeds(
          cuteDiagnosticOptions[0].take(NULL, argv[i] + sizeof format - 1));
    else
      argv[kept++] = argv[i];
  *argc = kept;
  return ok;
}

// Reports a command line that the command does not understand.
static int failUsage(const char *command) {
  CUTE_SCOPED(String) text = {0};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (!strcmp(command, commands[i].names))
      cuteOptionWriteRow(&commands[i], tool.column, &text);
  if (text.length)
    cuteSayError("wrong arguments for '%s'; see --help\n%.*s", command,
                 (int)text.length - 1, text.data);
  if (cuteCommandIsKnown(cuteStringRef(command)))
    return 1;
  CuteSuggestion suggestion = cuteSuggestionBegin(cuteStringRef(command));
  cuteCommandOffer(&suggestion);
  if (suggestion.best.length)
    cuteSayError("unknown command '%s'; did you mean '%.*s'? See --help",
                 command, CUTE_TEXT(suggestion.best));
  else
    cuteSayError("unknown command '%s'; see --help", command);
  return 1;
}

// An expression alone is evaluated: it has more in it than a word.
static bool isExpression(int argc, char **argv) {
  return argc == 2 && *argv[1] != '-' &&
         !cuteCommandIsKnown(cuteStringRef(argv[1])) &&
         argv[1][strspn(argv[1], "abcdefghijklmnopqrstuvwxyz-")];
}

static CuteExit runArguments(CuteSession session, int argc, char **argv) {
  char eval[] = "eval";
  char *words[] = {eval, argv[argc - 1]};
  bool isSession = argc == 1 || (argc == 2 && !strcmp(argv[1], "-"));
  return isSession ? cuteCommandInteractive(session, 1, argv)
         : isExpression(argc, argv)
             ? cuteCommandRun(session, 2, words)
             : cuteCommandRun(session, argc - 1, argv + 1);
}

static int runCommand(int argc, char **argv) {
  CuteLawPolicy policy;
  if (!takeCommon(&argc, argv, &policy))
    return 1;
  CuteSession session = cuteSessionCreate(policy);
  CuteExit status = runArguments(session, argc, argv);
  cuteSessionDestroy(session);
  return status == CUTE_EXIT_USAGE ? failUsage(argv[1]) : (int)status;
}

// Answers --help and the like, which may follow a command.
static int answer(int argc, char **argv) {
  int code;
  bool ok =
      cuteCommandSucceeds(cuteOptionsTake(&tool, NULL, argc, argv, &code));
  return ok ? code : 1;
}

int cuteLayoutMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  char help[] = "--help", *asked[] = {argv[0], help};
  const char *last = argc > 1 ? argv[argc - 1] : "";
  bool asks = !strcmp(last, "--help") || !strcmp(last, "-h") ||
              (argc == 2 && !strcmp(last, "help"));
  int code;
  if (argc > 1 && !strcmp(argv[1], "--completions=words"))
    code = answer(argc, argv);
  else if (asks)
    code = answer(2, asked);
  else if (argc == 2 && *last == '-' && last[1] && !isStrict(last))
    code = answer(argc, argv);
  else
    code = runCommand(argc, argv);
  return cuteStandardFilesFinish(code);
}
