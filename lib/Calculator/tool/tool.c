// cute-layout: the layout algebra in a shell.
#include "Calculator/tool/commands.h"
#include "Support/say_error.h"
#include "Support/standard_files.h"

#include <stdio.h>

static const char usage[] =
    "USAGE: cute-layout [--strict] COMMAND\n"
    "\n"
    "COMMANDS:\n"
    "  eval EXPRESSION               print its value; eval may be left out\n"
    "  eval --table EXPRESSION       every coordinate with its value\n"
    "  explain [--depth=N] EXPRESSION\n"
    "                                the steps by which the value comes about, "
    "to N\n"
    "                                levels of operations within others\n"
    "  show [OPTIONS] EXPRESSION     print or draw a layout, an atom, a tiled "
    "MMA or\n"
    "                                a tiled copy\n"
    "  operations                    list the operations with their operands\n"
    "  atoms [PART]                  atoms and instructions, or those with "
    "PART in\n"
    "                                a name\n"
    "  (none), -                     a session on a terminal, with line "
    "editing,\n"
    "                                history and completion; from a pipe, a "
    "value\n"
    "                                for each line\n"
    "  --help, --version\n"
    "\n"
    "OPTIONS:\n"
    "  --strict                      a result that breaks a law of the algebra "
    "is an\n"
    "                                error, not a warning\n";

static const char details[] =
    "\n"
    "EXPRESSIONS:\n"
    "  4  (2,(3,4))  ?{i64}  _       int tuples\n"
    "  (4,8):(8,1)  (4,2):(1@0,1@1)  layouts\n"
    "  S<2,3,3>                      swizzles, also Sw and Swizzle\n"
    "  (4:1,_,8)  [4:1;_;8:1]        tilers: tuples with layouts or _, or a "
    "tile's text\n"
    "  SM80_16x8x16_F32F16F16F32_TN  atoms; f16, f32, ... element types\n"
    "  A o B,  S<2,3,3> o 0 o A      compositions\n"
    "  A(1,2)  A(_,2)                the value at a coordinate, a slice\n"
    "  coalesce(A)                   operations, by their CuTe names\n"
    "  let A = (4,8):(8,1); size(A)  variables\n"
    "\n"
    "EXAMPLES:\n"
    "  cute-layout eval 'composition((4,8):(8,1), (2,2):(1,4))'\n"
    "  cute-layout eval 'let T = zipped_divide((64,32):(32,1), (16,8)); "
    "T(_,3)'\n"
    "  cute-layout explain 'complement((2,2):(1,6), 24)'\n"
    "  cute-layout show --svg -o mma.svg SM80_16x8x16_F32F16F16F32_TN\n"
    "  cute-layout show --html --element=f16 -o smem.html \\\n"
    "      'S<3,3,3> o 0 o (8,64):(64,1)'\n";

// Takes "--strict" out of the arguments.
static CuteLawPolicy takePolicy(int *argc, char **argv) {
  int kept = 1;
  for (int i = 1; i < *argc; ++i)
    if (strcmp(argv[i], "--strict"))
      argv[kept++] = argv[i];
  bool isStrict = kept < *argc;
  *argc = kept;
  return isStrict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN;
}

// Prints what the usage has on a command: its line, and those indented below
// it.
static void printUsageOf(const char *command) {
  size_t n = strlen(command);
  for (const char *line = usage; *line; line += strcspn(line, "\n") + 1) {
    bool isOfIt = !strncmp(line, "  ", 2) && !strncmp(line + 2, command, n) &&
                  line[2 + n] == ' ';
    while (isOfIt) {
      size_t length = strcspn(line, "\n") + 1;
      fwrite(line, 1, length, stderr);
      isOfIt = !strncmp(line + length, "   ", 3);
      line += isOfIt ? length : 0;
    }
  }
}

// Says what is wrong with a line of which the command makes nothing.
static int failUsage(const char *command) {
  if (cuteCommandIsKnown(cuteStringRef(command))) {
    cuteSayError("wrong arguments for '%s'; see --help", command);
    printUsageOf(command);
    return 1;
  }
  CuteStringRef word = cuteSuggestionNameOf(command);
  CuteSuggestion suggestion = cuteSuggestionBegin(word);
  cuteCommandOffer(&suggestion);
  if (*command == '-')
    cuteSuggestionFailOption(&suggestion, command, usage);
  else if (suggestion.best.length)
    cuteSayError("unknown command '%s'; did you mean '%.*s'? See --help",
                 command, (int)suggestion.best.length, suggestion.best.data);
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
  CuteSession session = cuteSessionCreate(takePolicy(&argc, argv));
  CuteExit status = runArguments(session, argc, argv);
  cuteSessionDestroy(session);
  return status == CUTE_EXIT_USAGE ? failUsage(argv[1]) : (int)status;
}

int cuteLayoutMain(int argc, char **argv) {
  cuteStandardFilesOpen();
  const char *name = argc == 2 ? argv[1] : "";
  int code = 0;
  if (!strcmp(name, "--help") || !strcmp(name, "-h") || !strcmp(name, "help"))
    printf("OVERVIEW: calculates with CuTe layouts\n\n%s\n%s%s", usage,
           cuteShowHelp, details);
  else if (!strcmp(name, "--version"))
    puts("cute-layout " CUTE_VERSION CUTE_REVISION);
  else
    code = runCommand(argc, argv);
  return cuteStandardFilesFinish(code);
}
