// The table of commands, and the commands that take one line of code.
#include "Calculator/tool/commands.h"

#include "Support/text.h"

CuteExit cuteCommandOperations(CUTE_UNUSED CuteSession session, int argc,
                               CUTE_UNUSED char **argv) {
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  const CuteCalcOperation *row;
  for (size_t i = 0; (row = cuteCalcGet(i)); ++i)
    cuteCalcPrint(row);
  return CUTE_EXIT_OK;
}

// Rows of one operation are neighbours: the later ones are left out.
static const char *operationName(size_t i) {
  const CuteCalcOperation *row = cuteCalcGet(i);
  const CuteCalcOperation *before = i ? cuteCalcGet(i - 1) : NULL;
  return before && !strcmp(before->name, row->name) ? "" : row->name;
}

const char *cuteCommandGetName(const char *command, size_t *i) {
  size_t n = 0;
  while (strcmp(command, "atoms") && cuteCalcGet(n))
    ++n;
  if (*i < n)
    return operationName(*i);
  *i -= n;
  if (*i < cuteMmaAtomGetNum())
    return cuteMmaAtomGet(*i)->name;
  *i -= cuteMmaAtomGetNum();
  if (*i < cuteCopyAtomGetNum())
    return cuteCopyAtomGet(*i)->name;
  *i -= cuteCopyAtomGetNum();
  return NULL;
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
