// Stores by TMA: a tile that threads read from shared memory to store it, or to
// add it to memory, is stored from there by one thread (docs/passes.md). Its
// buffer may be written again once the last store has read it, also with
// another tile. Rounds of a loop may add tiles: additions need no order, or
// that of a counter, which each thread waits for and then adds to.
#include "Transforms/tma/store_pieces.h"
#include "Transforms/tma/tma_tile.h"

typedef struct Store {
  CuteKernel *kernel;
  MlirBlock block;     // with all of it: the kernel's, or that of a loop in it
  CuteTmaTile tile;    // tile.copy: registers -> global memory
  MlirOperation read;  // shared memory -> the same registers
  CuteOps writes;      // of the shared memory
  MlirOperation next;  // writes another tile there after the read; or null
  MlirValue pipeline;  // of the stores of tiles that were there before; or null
  MlirOperation wait;  // loop of each thread until it is its turn; or null
  MlirOperation count; // of threads that have added; or null
} Store;

//===-- Matching ----------------------------------------------------------===//

// Finds the copy from shared memory to the fragment that another one stores,
// both with all of it and nothing between; null if there is none.
static MlirOperation findRead(CuteKernel *kernel, MlirOperation copy,
                              MlirValue fragment) {
  MlirOperation read = {NULL};
  size_t n = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(fragment);
       !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use), ++n) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    CuteCopyParts parts;
    if (mlirOperationEqual(user, copy) ||
        !cuteDialectIsOp(kernel->dialect, user, CUTE_OP_COPY))
      continue;
    cuteEffectGetCopy(kernel->dialect, user, &parts);
    if (mlirValueEqual(parts.destination, fragment) &&
        mlirValueIsNull(parts.predicate) &&
        cuteViewIsIn(kernel->dialect, parts.source, CUTE_SMEM))
      read = user;
  }
  return n == 2 ? read : (MlirOperation){NULL};
}

static bool isInLoop(const Store *s) {
  return !mlirBlockEqual(s->block, s->kernel->block);
}

// The pipeline of stores by TMA that an op prepares; null for others.
static MlirValue getPipeline(const Store *s, MlirOperation op) {
  CuteDialect *dialect = s->kernel->dialect;
  bool isStore = cuteDialectIsOp(dialect, op, CUTE_OP_TMA_PARTITION);
  while (isStore && !mlirOperationIsNull(op) &&
         !cuteDialectIsOp(dialect, op, CUTE_OP_PRODUCER_COMMIT))
    op = mlirOperationGetNextInBlock(op);
  return isStore ? cuteMlirGetOperand(op, 0) : (MlirValue){NULL};
}

// Takes an access to the shared memory before or after the read: a write of the
// tile or of the next one, or the read of another one. False where rounds may
// access it in another order, or threads read what was there before.
static bool takeAccess(Store *s, MlirOperation op, bool writes, bool isAfter) {
  bool isHere = mlirBlockEqual(mlirOperationGetBlock(op), s->block);
  if (writes && !isAfter) {
    cuteOpsPush(&s->writes, op);
    return isHere;
  }
  if (isAfter && writes && mlirOperationIsNull(s->next))
    s->next = op;
  if (!isAfter) {
    s->writes.count = 0;
    s->pipeline = getPipeline(s, op);
  }
  return !isInLoop(s) &&
         (isAfter ? !writes || isHere : !mlirValueIsNull(s->pipeline));
}

// Finds the accesses to the shared memory that is read.
static bool findWrites(Store *s, MlirValue memory) {
  CuteKernel *kernel = s->kernel;
  bool ok = true, isAfter = false;
  CUTE_FOR_NESTED(op, kernel->function) {
    const CuteOpDecl *decl = cuteDialectGetDecl(kernel->dialect, op);
    bool isRead = mlirOperationEqual(op, s->read);
    isAfter |= isRead;
    if (isRead || !decl ||
        (decl->traits.effect != CUTE_EFFECT_ACCESS &&
         decl->id != CUTE_OP_TMA_PARTITION))
      continue;
    for (intptr_t i = 0; i < getNumOperands(op); ++i)
      if (cuteViewIsOf(kernel->dialect, getOperand(op, i), CUTE_SMEM, memory))
        ok &= takeAccess(s, op, i == decl->traits.written, isAfter);
  }
  return ok && s->writes.count;
}

static bool hasBarrier(Store *s, MlirOperation from, MlirOperation to) {
  return mlirOperationIsNull(to) ||
         !mlirOperationIsNull(cuteKernelFindBarrier(s->kernel, from, to));
}

// Tells whether rows end with whole pieces of 16 bytes, as TMA stores them.
static bool hasWholePieces(Store *s) {
  CuteType type = cuteKernelType(s->kernel, s->tile.parameter);
  int64_t unit = 128 / cuteElementTypeGetBits(type->element);
  for (size_t i = 0; i < cuteLayoutGetRank(type->layout); ++i) {
    CuteIntTuple stride = element(type->layout->stride, i);
    CuteIntTuple extent = element(type->layout->shape, i);
    if (!isTuple(stride) && isStatic(stride) && stride->value == 1)
      return !isTuple(extent) &&
             extent->value % unit == 0; // of a dynamic one, its divisor
  }
  return false;
}

// Tells whether threads add the tile to memory, rather than store it.
static bool addsTile(const Store *s) {
  CuteCopyParts parts;
  cuteEffectGetCopy(s->kernel->dialect, s->tile.copy, &parts);
  const CuteCopyAtom *atom = cuteKernelType(s->kernel, parts.copy)->atom;
  return atom->kind->adds;
}

// Tells whether an op may access the parameter, or give its address to other
// dialects, except a copy that stores a tile that is not made as this one is.
static bool mayAccess(const Store *s, MlirOperation op) {
  CuteDialect *dialect = s->kernel->dialect;
  bool isView = cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE &&
                !cuteDialectIsOp(dialect, op, CUTE_OP_TO_LLVM_PTR);
  if (!addsTile(s) && cuteViewIsCounted(dialect, op))
    return true; // who sees it may read
  for (intptr_t i = 0; !isView && i < getNumOperands(op); ++i) {
    MlirOperation part = cuteValueGetMaker(dialect, op, i, CUTE_OP_PARTITION_D);
    bool isOther = cuteDialectIsOp(dialect, op, CUTE_OP_COPY) &&
                   i == cuteEffectGetWritten(dialect, op) &&
                   !mlirOperationIsNull(part) &&
                   !cuteValueIsSame(dialect, getOperand(part, 1),
                                    getResult(s->tile.tile, 0));
    if (!isOther &&
        cuteViewIsOf(dialect, getOperand(op, i), CUTE_GMEM, s->tile.parameter))
      return true;
  }
  return false;
}

// The first op after the copy, or in the next round, that may access the tile
// before TMA has stored it, or that makes its address before; null if there is
// none.
static MlirOperation findLaterAccess(const Store *s) {
  bool isAfter = isInLoop(s);
  CUTE_FOR_NESTED(op, s->kernel->function) {
    isAfter |= mlirOperationEqual(op, s->tile.copy);
    if ((isAfter ||
         cuteDialectIsOp(s->kernel->dialect, op, CUTE_OP_TO_LLVM_PTR)) &&
        !mlirOperationEqual(op, s->tile.copy) && mayAccess(s, op))
      return op;
  }
  return (MlirOperation){NULL};
}

// Tells whether the tile may end before the parameter does.
static bool hasBounds(const Store *s) {
  return !mlirValueEqual(s->tile.root, s->tile.parameter);
}

// Tells whether the copy is in the kernel's block, or in that of a loop in it
// whose rounds may store in any order.
static bool isInBlock(const Store *s) {
  MlirOperation loop = mlirBlockGetParentOperation(s->block);
  return !isInLoop(s) ||
         (addsTile(s) && cuteMlirIs(loop, "scf.for") &&
          mlirBlockEqual(mlirOperationGetBlock(loop), s->kernel->block));
}

// Takes a wait for a counter before the copy, or an addition to it after that,
// which all threads make alike.
static bool takeTurn(Store *s, MlirOperation op) {
  CuteDialect *dialect = s->kernel->dialect;
  MlirOperation outer = mlirBlockGetParentOperation(mlirOperationGetBlock(op));
  bool waits = cuteMlirIs(outer, "scf.while");
  MlirOperation at = waits ? outer : op, *taken = waits ? &s->wait : &s->count;
  bool isFirst = mlirOperationIsNull(*taken);
  CUTE_SCOPED(PointerMap) seen = {0};
  *taken = at;
  return isFirst && cuteMlirIsUsed(op) == waits &&
         mlirBlockEqual(mlirOperationGetBlock(at), s->block) &&
         mlirOperationIsBeforeInBlock(at, s->tile.copy) == waits &&
         cuteValueIsUniform(dialect, getOperand(op, 0), &seen) &&
         cuteValueIsUniform(dialect, getOperand(op, 2), &seen);
}

// Finds what orders the additions of blocks, which no other write may be among.
static bool findTurns(Store *s) {
  CuteDialect *dialect = s->kernel->dialect;
  bool isAlone = !hasBounds(s);
  CUTE_FOR_NESTED(op, s->kernel->function) {
    bool counts = addsTile(s) && cuteViewIsCounted(dialect, op);
    isAlone &= counts || mlirOperationEqual(op, s->tile.copy) ||
               mlirValueIsNull(cuteViewGetWritten(dialect, op, CUTE_GMEM));
    if (counts && (!isAlone || !takeTurn(s, op)))
      return cuteKernelFail(s->kernel, op,
                            "orders other accesses than additions of a whole "
                            "tile, or counts for some threads alone");
  }
  return true;
}

// Tells whether two tiled copies give threads the same elements.
static bool isDividedAlike(CuteKernel *kernel, MlirValue a, MlirValue b) {
  CuteType x = cuteKernelType(kernel, a), y = cuteKernelType(kernel, b);
  return x->layout == y->layout && x->tile == y->tile;
}

// Matches a copy of a fragment to global memory. False if it is none that TMA
// can make, perhaps with the kernel's problem.
static bool match(Store *s, MlirOperation copy) {
  CuteKernel *kernel = s->kernel;
  CuteCopyParts parts, own;
  cuteEffectGetCopy(kernel->dialect, copy, &parts);
  if (mlirValueIsNull(parts.copy) ||
      !cuteViewIsIn(kernel->dialect, parts.destination, CUTE_GMEM) ||
      !cuteViewIsIn(kernel->dialect, parts.source, CUTE_RMEM))
    return false;
  s->tile.copy = copy;
  s->block = mlirOperationGetBlock(copy);
  if (!isInBlock(s))
    return false;
  s->read = findRead(kernel, copy, parts.source);
  if (mlirOperationIsNull(s->read) ||
      !cuteTmaMatchGlobal(kernel, copy, parts.copy, parts.destination,
                          parts.predicate, &s->tile))
    return false;
  cuteEffectGetCopy(kernel->dialect, s->read, &own);
  s->tile.alloc = cuteTmaMatchPart(kernel, s->read, own.copy, own.source);
  if (kernel->problem || !isDividedAlike(kernel, own.copy, parts.copy) ||
      !cuteDialectIsOp(kernel->dialect, s->tile.alloc, CUTE_OP_ALLOC_SMEM))
    return false;
  MlirValue memory = getResult(s->tile.alloc, 0);
  if (!findWrites(s, memory) ||
      !hasBarrier(s, s->writes.data[s->writes.count - 1], s->read) ||
      !hasBarrier(s, s->read, s->next))
    return cuteKernelFail(kernel, s->read,
                          "reads shared memory that is not written before it "
                          "with a gpu.barrier in between");
  MlirOperation later = findLaterAccess(s);
  if (!mlirOperationIsNull(later))
    return cuteKernelFail(kernel, later,
                          "may access the tile before TMA has stored it");
  if (!findTurns(s) || (hasBounds(s) && !cuteTmaBoundMatch(kernel, &s->tile)))
    return false;
  return hasWholePieces(s) ||
         cuteKernelFail(
             kernel, copy,
             "stores rows that may end within 16 bytes: the contiguous extent "
             "of the parameter needs a divisor of 16 bytes");
}

//===-- Building ----------------------------------------------------------===//

// Enters a branch of the first thread.
static void enterFirst(CuteRebuild *r) {
  cuteEmitEnterIf(r, cuteEmitThreadTest(r, CUTE_CMPI_EQ, 0));
}

// Does with the pipeline's first stage what the op does.
static void emitWithState(CuteRebuild *r, CuteOpId id, MlirValue pipeline) {
  MlirValue state = cuteEmitState(r, "producer", pipeline);
  cuteEmitDo(r, id, CUTE_VALUES(pipeline, state));
}

// Has threads read and store a tile only where TMA does not.
static void moveRest(Store *s, CuteRebuild *r, MlirValue isWhole) {
  cuteTmaBoundEnterRest(r, isWhole);
  mlirOperationMoveBefore(s->read, r->builder.before);
  mlirOperationMoveBefore(s->tile.copy, r->builder.before);
}

// Has the thread count for all once its additions are complete.
static void emitCount(Store *s, CuteRebuild *r) {
  MlirValue all = cuteEmitWith(r, "arith.muli", getOperand(s->count, 0),
                               s->kernel->threads);
  cuteRebuildCreate(r, CUTE_OP_CP_ASYNC_BULK_WAIT, 0, NULL,
                    CUTE_NAMED({"n", cuteIntAttr(&r->builder, 32, 0)}));
  mlirOperationMoveBefore(s->count, r->builder.before);
  mlirOperationSetOperand(s->count, 0, all);
}

static void emitStore(Store *s, CuteRebuild *r, MlirValue atom,
                      MlirValue coords, MlirValue pipeline) {
  bool counts = !mlirOperationIsNull(s->count);
  CuteBuilder before = cuteBuilderBefore(counts ? s->count : s->tile.copy);
  r->builder = before;
  MlirValue isWhole = {NULL};
  if (hasBounds(s))
    isWhole = cuteTmaBoundEmit(r, &s->tile);
  enterFirst(r);
  if (!mlirOperationIsNull(s->wait)) {
    mlirOperationMoveBefore(s->wait, r->builder.before);
    cuteEmitNamed(r, CUTE_OP_FENCE_PROXY, "kind", "async.global", 0, NULL);
  }
  MlirValue tile = cuteTmaEmitCoords(r, &s->tile, coords);
  if (r->failed)
    return;
  MlirValue memory = cuteTmaEmitFlat(r, &s->tile, getResult(s->tile.alloc, 0));
  cuteEmitTmaStore(r, isWhole, atom, memory,
                   cuteTmaEmitFlat(r, &s->tile, tile));
  emitWithState(r, CUTE_OP_PRODUCER_COMMIT, pipeline);
  if (counts)
    emitCount(s, r);
  r->builder = before;
  if (hasBounds(s))
    moveRest(s, r, isWhole);
}

static void emitFence(Store *s, CuteRebuild *r) {
  MlirOperation last = s->writes.data[s->writes.count - 1];
  r->builder = cuteBuilderBefore(mlirOperationGetNextInBlock(last));
  cuteEmitNamed(r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
}

// Has threads write the buffer once the last store has read it: after a barrier
// of the round, or between both tiles, if there is one.
static void emitAcquire(Store *s, CuteRebuild *r, MlirValue pipeline,
                        MlirOperation write) {
  MlirOperation barrier = {NULL};
  if (isInLoop(s) || mlirOperationEqual(write, s->next))
    barrier = cuteKernelFindBarrier(
        s->kernel, mlirBlockGetFirstOperation(s->block), write);
  if (mlirOperationIsNull(barrier)) {
    CuteBuilder before = cuteBuilderBefore(write);
    barrier = CUTE_BUILD(&before, "gpu.barrier");
  }
  r->builder = cuteBuilderBefore(barrier);
  enterFirst(r);
  emitWithState(r, CUTE_OP_PRODUCER_ACQUIRE, pipeline);
}

static bool build(Store *s) {
  CuteKernel *kernel = s->kernel;
  CuteRebuild r = cuteRebuildBefore(kernel->dialect,
                                    mlirOperationGetNextInBlock(s->tile.alloc));
  MlirValue memory = getResult(s->tile.alloc, 0);
  MlirOperation atom = cuteTmaEmitAtom(
      kernel, &r, addsTile(s) ? "SM90_TMA_REDUCE_ADD" : "SM90_TMA_STORE",
      &s->tile, cuteKernelType(kernel, memory)->layout);
  if (r.failed)
    return false;
  bool isFirst = mlirValueIsNull(s->pipeline);
  if (isFirst) {
    s->pipeline = cuteEmitStorePipeline(&r, 1);
    emitAcquire(s, &r, s->pipeline, s->writes.data[0]);
  }
  if (!mlirOperationIsNull(s->next))
    emitAcquire(s, &r, s->pipeline, s->next);
  emitFence(s, &r);
  emitStore(s, &r, getResult(atom, 0), getResult(atom, 1), s->pipeline);
  if (isFirst) {
    r.builder = cuteBuilderBefore(mlirBlockGetTerminator(kernel->block));
    enterFirst(&r);
    emitWithState(&r, CUTE_OP_PRODUCER_TAIL, s->pipeline);
  }
  if (r.failed)
    return cuteKernelFailOp(kernel, s->tile.copy);
  if (!hasBounds(s)) {
    mlirOperationDestroy(s->tile.copy);
    mlirOperationDestroy(s->read);
  }
  cuteKernelRemoveDead(kernel);
  return true;
}

// Matches the next copy that stores a tile.
static bool findStore(Store *s) {
  CuteKernel *kernel = s->kernel;
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!cuteDialectIsOp(kernel->dialect, op, CUTE_OP_COPY))
      continue;
    *s = (Store){.kernel = kernel, .tile.takesBounds = true};
    if (kernel->problem || match(s, op))
      return !kernel->problem;
  }
  return false;
}

bool cuteTmaThreadsStore(CuteKernel *kernel) {
  Store s = {.kernel = kernel};
  bool stores = false;
  if (!findStore(&s))
    CUTE_FOR_NESTED(op, kernel->function) {
      intptr_t written = cuteEffectGetWritten(kernel->dialect, op);
      stores |=
          written >= 0 &&
          cuteViewIsIn(kernel->dialect, getOperand(op, written), CUTE_GMEM);
    }
  cuteKernelNoteProblem(kernel, NULL); // said when stores are rewritten
  return stores;
}

int64_t cuteTmaCountSavedBytes(CuteKernel *kernel, bool alternates) {
  Store s = {.kernel = kernel};
  int64_t saved = 0;
  if (findStore(&s) && s.writes.count == 1) {
    CuteContext c = kernel->dialect->context;
    CuteType tile = cuteKernelType(kernel, getResult(s.tile.alloc, 0));
    if (cuteStoreMaySplit(kernel, s.writes.data[0], tile, alternates))
      saved = cuteLayoutGetSize(c, tile->layout)->value *
                  cuteElementTypeGetBits(tile->element) / 8 -
              cuteStorePiecesOf(c, tile, alternates).bytes;
  }
  cuteKernelNoteProblem(kernel, NULL); // said when the store is rewritten
  return saved;
}

bool cuteTmaStores(CuteKernel *kernel) {
  Store s = {.kernel = kernel};
  bool ok = true;
  while (ok && findStore(&s)) {
    MlirLocation location = mlirOperationGetLocation(s.tile.copy);
    const char *bounds =
        hasBounds(&s) ? ", and threads what ends within it" : "";
    const char *does = addsTile(&s) ? "adds" : "stores";
    ok = cuteTmaRelayout(kernel, 1, &s.tile) && findStore(&s) && build(&s);
    if (ok)
      cuteKernelNote(kernel, location, "TMA %s the tile%s", does, bounds);
  }
  if (ok)
    cuteKernelNoteProblem(kernel, "threads still store");
  return ok;
}
