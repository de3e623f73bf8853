#include "Calculator/operations/operations.h"

static const CuteCalcGroup *const groups[] = {
    &cuteCalcModeRows, &cuteCalcLayoutRows, &cuteCalcTupleRows,
    &cuteCalcAtomRows, &cuteCalcOpRows};

const CuteCalcOperation *cuteCalcGet(size_t i) {
  for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g) {
    if (i < groups[g]->count)
      return &groups[g]->rows[i];
    i -= groups[g]->count;
  }
  return NULL;
}
