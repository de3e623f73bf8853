#include "IR/folds.h"

#include <string.h>

const CuteFold cuteFolds[] = {
#define CUTE_FOLD(...) {__VA_ARGS__},
#include "folds.def"
    {.op = NULL}};

bool cuteFoldIsOfFloats(const CuteFold *fold) {
  return fold->op[strlen(fold->op) - 1] == 'f';
}
