// Atomic operations and reductions of PTX in any memory (PTX ISA, "atom",
// "red"); scopes and orders are those of the host, which are stronger.
#include "Simulator/checks/access.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/reduction.h"
#include "Support/text.h"

#include <string.h>

typedef struct Atomic {
  CuteSimReduction reduction;
  const CutePtxType *type;
} Atomic;

// The operation is a word of "atom.global.add.f32", the type the last one.
static Atomic atomicOf(CuteSimOp op) {
  Atomic atomic = {0};
  bool isKnown = false;
  for (const char *at = strchr(op.site->name, '.'); at;) {
    CuteStringRef word = {at + 1, strcspn(at + 1, ".")};
    isKnown |= cuteSimReductionFind(word, &atomic.reduction);
    const CutePtxType *type = cutePtxFindType(word);
    atomic.type = type ? type : atomic.type;
    at = strchr(at + 1, '.');
  }
  if (!isKnown || !atomic.type)
    cuteSimFailUnknown(op);
  return atomic;
}

// The values after the address are operands, of a vector one for each element;
// cas has two.
void cuteSimAtomic(CuteSimOp op, uint64_t *values) {
  Atomic atomic = atomicOf(op);
  const uint64_t *operands = values + op.site->numResults;
  bool isSwap = atomic.reduction == CUTE_SIM_REDUCE_COMPARE;
  unsigned n = isSwap ? 1 : op.site->numOperands - 1;
  unsigned each = atomic.type->bits * atomic.type->count / 8;
  uint64_t old[8];
  if (n < 1 || n > 8 || (op.site->numResults && op.site->numResults != n) ||
      op.site->numOperands != n + 1 + isSwap)
    cuteSimFail(op, "$ with %u operands", op.site->numOperands);
  CuteSimAccess access = atomic.reduction == CUTE_SIM_REDUCE_EXCHANGE
                             ? CUTE_SIM_ORDERED_WRITE
                             : CUTE_SIM_ATOMIC;
  cuteSimAccessCheck(op, operands[0], each * n, each * n, access);
  cuteSimObserveAccess(op, operands[0], each * n, CUTE_SIM_ATOMIC);
  for (unsigned i = 0; i < n; ++i)
    old[i] = cuteSimReduceAt(atomic.reduction, atomic.type,
                             (char *)(uintptr_t)operands[0] + (size_t)i * each,
                             operands[1 + i], isSwap ? operands[2] : 0);
  cuteSimAccessEndAtomic(operands[0]);
  memcpy(values, old, op.site->numResults * sizeof *values);
}
