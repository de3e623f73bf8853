#include "IR/op.h"

bool cuteOpTraitsReads(const CuteOpTraits *traits, intptr_t i) {
  return traits->reads >> i & 1;
}

int cuteOpTraitsGetTensor(const CuteOpTraits *traits) {
  if (traits->written >= 0)
    return traits->written;
  for (int i = 0; i < CUTE_MAX_DECLARED; ++i)
    if (i != traits->predicate && cuteOpTraitsReads(traits, i))
      return i;
  return CUTE_NO_OPERAND;
}
