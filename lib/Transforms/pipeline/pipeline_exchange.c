// Memory through which the threads of a loop's round exchange values: it is
// written and read in the round, with barriers between, which stay. All other
// barriers of the loop are for the tiles that it fetches, whose stages take
// their place.
#include "Transforms/pipeline/pipeline.h"

// Notes on an allocation since the last barrier: whether threads have written
// it, or read it, and whether a barrier that is left out came after a write.
typedef struct Memory {
  bool isWritten, isRead, isAfter;
} Memory;

typedef struct Exchange {
  CutePipelineLoop *p;
  CuteOps allocs; // that the round writes
  Memory *memory; // of each
} Exchange;

// The memory that a value is a view of; null for what the round does not write.
static Memory *findMemory(const Exchange *e, MlirValue value) {
  CuteDialect *dialect = e->p->dialect;
  if (!cuteViewIsIn(dialect, value, CUTE_SMEM))
    return NULL;
  MlirOperation op =
      cuteMlirGetOwner(cuteViewGetRoot(dialect, value, CUTE_SMEM));
  for (size_t i = 0; i < e->allocs.count; ++i)
    if (mlirOperationEqual(e->allocs.data[i], op))
      return &e->memory[i];
  return NULL;
}

// Adds what an op writes in shared memory.
static bool addWritten(Exchange *e, MlirOperation op) {
  CuteDialect *dialect = e->p->dialect;
  intptr_t i = cuteEffectGetWritten(dialect, op);
  if (i < 0 || !cuteViewIsIn(dialect, getOperand(op, i), CUTE_SMEM))
    return true;
  MlirOperation alloc =
      cuteMlirGetOwner(cuteViewGetRoot(dialect, getOperand(op, i), CUTE_SMEM));
  if (mlirOperationIsNull(alloc) ||
      !cuteDialectIsOp(dialect, alloc, CUTE_OP_ALLOC_SMEM))
    return cutePipelineObstruct(
        e->p, op, "writes shared memory that is not a cute.alloc_smem");
  if (cuteOpsContain(&e->p->allocs, alloc) && !e->p->near)
    return cutePipelineObstruct(e->p, op,
                                "writes shared memory that the loop "
                                "fetches to, but not by cp.async from "
                                "global memory");
  if (!cuteOpsContain(&e->allocs, alloc))
    cuteOpsPush(&e->allocs, alloc);
  return true;
}

static bool findAllocs(Exchange *e) {
  for (size_t i = 0; i < e->p->computes.count; ++i)
    CUTE_FOR_NESTED(op, e->p->computes.data[i])
      if (!addWritten(e, op))
        return false;
  return true;
}

// Checks that only the loop's rounds have an access to an allocation.
static bool checkUses(Exchange *e, MlirValue value) {
  CuteDialect *dialect = e->p->dialect;
  bool ok = true;
  CUTE_FOR_USES(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    CuteEffect effect = cuteEffectGet(dialect, user);
    bool isView = effect == CUTE_EFFECT_NONE &&
                  cuteDialectGetDecl(dialect, user) &&
                  !cuteDialectIsOp(dialect, user, CUTE_OP_PTR_TO_INT);
    bool isInside = effect == CUTE_EFFECT_REGISTERS || // looks at the type only
                    !mlirOperationIsNull(cuteMlirGetAncestor(e->p->body, user));
    for (intptr_t i = 0; ok && isView && i < getNumResults(user); ++i)
      ok = !cuteViewIsIn(dialect, getResult(user, i), CUTE_SMEM) ||
           checkUses(e, getResult(user, i));
    if (ok && !isView && !isInside)
      ok = cutePipelineObstruct(e->p, user,
                                "uses shared memory that each round of "
                                "the loop writes, outside of it");
  }
  return ok;
}

// Follows what a compute does with the memory.
static bool visit(Exchange *e, MlirOperation outer, bool speaks) {
  CuteDialect *dialect = e->p->dialect;
  CUTE_FOR_NESTED(op, outer) {
    intptr_t written = cuteEffectGetWritten(dialect, op);
    for (intptr_t i = 0; i < getNumOperands(op); ++i) {
      bool isRead = cuteEffectReads(dialect, op, i);
      Memory *m =
          isRead || i == written ? findMemory(e, getOperand(op, i)) : NULL;
      if (!m)
        continue;
      if (isRead ? m->isWritten : m->isRead || m->isAfter)
        return speaks &&
               cutePipelineObstruct(
                   e->p, op,
                   "%s shared memory that other threads %s in the round, or in "
                   "the one before, without a gpu.barrier between",
                   isRead ? "reads" : "writes", isRead ? "write" : "read");
      m->isRead |= isRead;
      m->isWritten |= i == written;
    }
  }
  return true;
}

static bool isBarrier(const Exchange *e, MlirOperation op) {
  return cuteEffectGet(e->p->dialect, op) == CUTE_EFFECT_BARRIER;
}

// Tells whether barriers separate all accesses of two rounds that need one, if
// one of the computes is left out.
static bool isOrdered(Exchange *e, size_t left, bool speaks) {
  bool ok = true;
  size_t n = e->p->computes.count;
  memset(e->memory, 0, e->allocs.count * sizeof *e->memory);
  for (size_t i = 0; ok && i < 2 * n; ++i) {
    MlirOperation op = e->p->computes.data[i % n];
    if (!isBarrier(e, op))
      ok = visit(e, op, speaks);
    else if (i % n != left)
      memset(e->memory, 0, e->allocs.count * sizeof *e->memory);
    else
      for (size_t j = 0; j < e->allocs.count; ++j)
        e->memory[j].isAfter |= e->memory[j].isWritten;
  }
  return ok;
}

// Leaves the barriers that such accesses need among the computes, and no other.
static bool sortBarriers(Exchange *e) {
  CuteOps *computes = &e->p->computes;
  if (!isOrdered(e, computes->count, true))
    return false;
  for (size_t i = computes->count; i-- > 0;)
    if (isBarrier(e, computes->data[i]) && isOrdered(e, i, false)) {
      memmove(&computes->data[i], &computes->data[i + 1],
              (computes->count - i - 1) * sizeof *computes->data);
      --computes->count;
    }
  return true;
}

bool cutePipelineMatchExchange(CutePipelineLoop *p) {
  Exchange e = {.p = p};
  bool ok = findAllocs(&e);
  for (size_t i = 0; ok && i < e.allocs.count; ++i)
    ok = checkUses(&e, getResult(e.allocs.data[i], 0));
  e.memory = cuteTaskAllocateZeros(e.allocs.count + 1, sizeof *e.memory);
  ok = ok && sortBarriers(&e);
  return ok;
}
