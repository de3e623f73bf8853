// conformance-batch [--strict]: answers JSON lines from standard input.
#include "Conformance/batch.h"

#include <string.h>

int main(int argc, char **argv) {
  bool isStrict = argc == 2 && !strcmp(argv[1], "--strict");
  if (argc != 1 + isStrict)
    return 2;
  CuteLawPolicy policy = isStrict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN;
  return !cuteBatchRun(stdin, stdout, policy);
}
