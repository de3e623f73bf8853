// cute-layout: the layout algebra in a shell.
#include "Calculator/tool.h"
#include "Calculator/batch.h"
#include "Calculator/commands.h"

#include <stdio.h>

static const char help[] =
    "OVERVIEW: calculates with CuTe layouts\n"
    "\n"
    "USAGE: cute-layout eval EXPRESSION   print its value\n"
    "       cute-layout --batch           JSON lines from standard input:\n"
    "                                     {\"id\", \"op\", \"args\"}, or\n"
    "                                     {\"id\", \"kind\", ...} of atoms\n"
    "       cute-layout operations        list them\n"
    "       cute-layout --help, --version\n"
    "\n"
    "EXPRESSIONS:\n"
    "  4  (2,(3,4))  ?{i64}  _         int tuples\n"
    "  (4,8):(8,1)  (4,2):(1@0,1@1)    layouts\n"
    "  S<2,3,3>                        swizzles, also Sw and Swizzle\n"
    "  (4:1,_,8)                       tilers: tuples with layouts or _\n"
    "  SM80_16x8x16_F32F16F16F32_TN    atoms; f16, half_t, ... element types\n"
    "  Layout_K_SW128_Atom<half_t>     tiles in shared memory for wgmma\n"
    "  A o B,  S<2,3,3> o 0 o A        compositions\n"
    "  A(1,2)  A(_,2)                  the value at a coordinate, a slice\n"
    "  coalesce(A)                     operations, by their CuTe names\n"
    "  let A = (4,8):(8,1); size(A)    variables\n";

static void printOperations(const CuteOperation *rows, size_t n) {
  for (size_t i = 0; i < n; ++i)
    printf("%-22s %-5s %s\n", rows[i].name, rows[i].operands, rows[i].summary);
}

CuteExit cuteCommandOperations(int argc, char **argv) {
  (void)argv;
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  size_t n;
  const CuteOperation *rows = cuteOperations(&n);
  puts("operands: L layout, P tiler, T int tuple, I integer, S swizzle, A MMA\n"
       "atom, C copy atom, E element type, M tiled MMA, K tiled copy, V any");
  printOperations(rows, n);
  rows = cuteAtomOperations(&n);
  printOperations(rows, n);
  return CUTE_EXIT_OK;
}

CuteExit cuteCommandBatch(int argc, char **argv) {
  (void)argv;
  if (argc != 1)
    return CUTE_EXIT_USAGE;
  return cuteBatchRun(stdin, stdout) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}

static const struct {
  const char *name;
  CuteCommand *run;
} commands[] = {
    {"eval", cuteCommandEval},
    {"--batch", cuteCommandBatch},
    {"operations", cuteCommandOperations},
};

int cuteLayoutMain(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
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
