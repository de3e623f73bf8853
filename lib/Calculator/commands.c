// The table of commands, and those that are a line.
#include "Calculator/commands.h"
#include "Calculator/batch.h"

#include <stdio.h>

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

CuteExit cuteCommandBatch(CuteSession session, int argc, char **argv) {
  (void)argv;
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  return cuteBatchRun(stdin, stdout, session.policy) ? CUTE_EXIT_OK
                                                     : CUTE_EXIT_FAILED;
}

static const struct {
  const char *name;
  CuteCommand *run;
  bool isForSessions;
} commands[] = {
    {"eval", cuteCommandEval, true},
    {"explain", cuteCommandExplain, true},
    {"show", cuteCommandShow, true},
    {"operations", cuteCommandOperations, true},
    {"atoms", cuteCommandAtoms, true},
    {"--batch", cuteCommandBatch, false},
};

CuteExit cuteCommandRun(CuteSession session, int argc, char **argv) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (!strcmp(commands[i].name, argv[0]))
      return commands[i].run(session, argc, argv);
  return CUTE_EXIT_USAGE;
}

bool cuteCommandIsKnown(const char *name) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (!strcmp(commands[i].name, name))
      return true;
  return false;
}

void cuteCommandOffer(CuteSuggestion *suggestion) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (commands[i].isForSessions)
      cuteSuggestionOffer(suggestion, cuteStringRef(commands[i].name));
}

bool cuteCommandIsForSessions(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (commands[i].isForSessions && strlen(commands[i].name) == length &&
        !memcmp(commands[i].name, name, length))
      return true;
  return false;
}
