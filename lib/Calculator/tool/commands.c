// The table of commands, and the commands that take one line of code.
#include "Calculator/tool/commands.h"

#include "Support/text.h"

CuteExit cuteCommandOperations(CuteSession session, int argc, char **argv) {
  (void)session;
  (void)argv;
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  const CuteCalcOperation *row;
  for (size_t i = 0; (row = cuteCalcGet(i)); ++i)
    cuteCalcPrint(row);
  return CUTE_EXIT_OK;
}

static const struct {
  const char *name;
  CuteCommand *run;
} commands[] = {
    {"eval", cuteCommandEval},   {"explain", cuteCommandExplain},
    {"show", cuteCommandShow},   {"operations", cuteCommandOperations},
    {"atoms", cuteCommandAtoms},
};

enum { NUM_COMMANDS = sizeof commands / sizeof *commands };

static CuteCommand *find(CuteStringRef name) {
  for (size_t i = 0; i < NUM_COMMANDS; ++i)
    if (cuteTextEquals(name, commands[i].name))
      return commands[i].run;
  return NULL;
}

CuteExit cuteCommandRun(CuteSession session, int argc, char **argv) {
  CuteCommand *run = find(cuteStringRef(argv[0]));
  return run ? run(session, argc, argv) : CUTE_EXIT_USAGE;
}

bool cuteCommandIsKnown(CuteStringRef name) { return find(name); }

void cuteCommandOffer(CuteSuggestion *suggestion) {
  for (size_t i = 0; i < NUM_COMMANDS; ++i)
    cuteSuggestionOffer(suggestion, cuteStringRef(commands[i].name));
}
