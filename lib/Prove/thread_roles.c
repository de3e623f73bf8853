#include "Prove/thread_roles.h"

#include <stdlib.h>
#include <string.h>

enum {
  NOT_OF_THREAD =
      1u << CUTE_SYMBOL_SIZE | 1u << CUTE_SYMBOL_BLOCK | 1u << CUTE_SYMBOL_ROUND
};

bool cuteThreadRolesPart(CuteTerms *terms, CuteCondition c) {
  unsigned opaque = 1u << CUTE_SYMBOL_OPAQUE;
  if (c->kind == CUTE_CONDITION_BOTH || c->kind == CUTE_CONDITION_EITHER)
    return cuteThreadRolesPart(terms, c->a) && cuteThreadRolesPart(terms, c->b);
  return cuteConditionIsFreeOf(terms, c, opaque | 1u << CUTE_SYMBOL_THREAD) ||
         cuteConditionIsFreeOf(terms, c, opaque | NOT_OF_THREAD);
}

// A hash of which comparisons in a condition hold in the thread whose values
// are set; others are the same in all threads.
static uint64_t signatureOf(CuteValues *values, CuteCondition c) {
  bool holds = false;
  uint64_t hash = 7;
  if (c->kind == CUTE_CONDITION_BOTH || c->kind == CUTE_CONDITION_EITHER)
    hash = signatureOf(values, c->a) * 31 + signatureOf(values, c->b);
  else if (cuteValuesGetCondition(values, c, &holds))
    hash = holds ? 11 : 13;
  return hash * UINT64_C(0x9E3779B97F4A7C15) >> 7;
}

bool cuteThreadRolesFind(CuteThreadRoles *roles, const CuteProver *prover,
                         CuteValues *values) {
  const int64_t *size = prover->blockSize;
  int64_t threads = size[0] * size[1] * size[2];
  size_t n = prover->numSegments;
  uint64_t signatures[CUTE_MAX_ROLES];
  *roles = (CuteThreadRoles){
      .ofThread = cuteAllocate((size_t)threads * sizeof *roles->ofThread)};
  for (int64_t t = 0; t < threads; ++t) {
    uint64_t signature = 0;
    size_t r = 0;
    cuteValuesClear(values);
    cuteValuesSetThread(values, prover->thread, size, t);
    for (size_t s = 0; s < n; ++s)
      signature =
          signature * 1000003 + signatureOf(values, prover->segments[s].path);
    while (r < roles->count && signatures[r] != signature)
      ++r;
    if (r == CUTE_MAX_ROLES)
      return false;
    if (r == roles->count) {
      signatures[r] = signature;
      roles->firstThread[r] = t;
      ++roles->count;
    }
    roles->ofThread[t] = (int)r;
    ++roles->sizes[r];
  }
  return true;
}
