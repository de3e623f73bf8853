// cute-layout: the layout algebra in a shell.
#include "Calculator/tool.h"
#include "Calculator/batch.h"
#include "Calculator/commands.h"

#include <stdio.h>

static const char help[] =
    "OVERVIEW: calculates with CuTe layouts\n"
    "\n"
    "USAGE: cute-layout                   lines of expressions: a session on "
    "a\n"
    "                                     terminal, answers to a pipe\n"
    "       cute-layout eval EXPRESSION   print its value\n"
    "       cute-layout explain [--depth=N] EXPRESSION\n"
    "                                     the steps by which it comes about,\n"
    "                                     to N levels of operations in others\n"
    "       cute-layout eval --table EXPRESSION\n"
    "                                     every coordinate with its value\n"
    "       cute-layout show [OPTIONS] EXPRESSION\n"
    "                                     print or draw a layout, an atom, a\n"
    "                                     tiled MMA or a tiled copy\n"
    "       cute-layout --batch           JSON lines from standard input:\n"
    "                                     {\"id\", \"op\", \"args\"}, or\n"
    "                                     {\"id\", \"kind\", ...} of atoms\n"
    "         --strict                    with these: laws that fail are\n"
    "                                     errors, not warnings\n"
    "       cute-layout operations        list them\n"
    "       cute-layout --help, --version\n"
    "\n"
    "OPTIONS OF show:\n"
    "  --svg, --latex, --html          draw; without one of these, text\n"
    "  -o FILE                         write to a file\n"
    "  --element=f16, --bits=16        size of an element: colours are banks\n"
    "  --tv=(16,8)                     a (thread,value) layout into a tile\n"
    "\n"
    "EXPRESSIONS:\n"
    "  4  (2,(3,4))  ?{i64}  _         int tuples\n"
    "  (4,8):(8,1)  (4,2):(1@0,1@1)    layouts\n"
    "  S<2,3,3>                        swizzles, also Sw and Swizzle\n"
    "  (4:1,_,8)                       tilers: tuples with layouts or _\n"
    "  SM80_16x8x16_F32F16F16F32_TN    atoms; f16, f32, ... element types\n"
    "  A o B,  S<2,3,3> o 0 o A        compositions\n"
    "  A(1,2)  A(_,2)                  the value at a coordinate, a slice\n"
    "  coalesce(A)                     operations, by their CuTe names\n"
    "  let A = (4,8):(8,1); size(A)    variables\n";

CuteExit cuteCommandOperations(int argc, char **argv) {
  (void)argv;
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  const CuteOperation *row;
  for (size_t i = 0; (row = cuteOperationGet(i)); ++i)
    cuteOperationPrint(row);
  return CUTE_EXIT_OK;
}

CuteExit cuteCommandBatch(int argc, char **argv) {
  CuteLawPolicy policy = cuteTakeStrict(&argc, argv);
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  return cuteBatchRun(stdin, stdout, policy) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}

static const struct {
  const char *name;
  CuteCommand *run;
} commands[] = {
    {"eval", cuteCommandEval},
    {"explain", cuteCommandExplain},
    {"show", cuteCommandShow},
    {"--batch", cuteCommandBatch},
    {"operations", cuteCommandOperations},
};

int cuteLayoutMain(int argc, char **argv) {
  if (argc <= 1)
    return (int)cuteCommandInteractive(argc, argv);
  const char *name = argv[1];
  if (argc == 2 && (!strcmp(name, "--help") || !strcmp(name, "-h")))
    return fputs(help, stdout) < 0;
  if (argc == 2 && !strcmp(name, "--version"))
    return puts("cute-layout " CUTE_VERSION) < 0;
  CuteExit status = CUTE_EXIT_USAGE;
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i)
    if (!strcmp(commands[i].name, name))
      status = commands[i].run(argc - 1, argv + 1);
  if (status == CUTE_EXIT_USAGE)
    fputs(help, stderr);
  return (int)status;
}
