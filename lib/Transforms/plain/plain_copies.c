// Copies of tiles by threads become those by cp.async, which passes follow:
// directly to shared memory, or through registers of their own.
#include "Transforms/plain/plain_views.h"

// A copy between parts of tensors, of whatever form.
typedef struct Move {
  MlirOperation op;
  MlirValue source, destination, predicate; // the last may be null
  MlirOperation clear; // zeros for what the predicate leaves out, or null
} Move;

static bool matchMove(CuteDialect *dialect, MlirOperation op, Move *move) {
  CuteCopyParts parts;
  *move = (Move){.op = op};
  if (cuteDialectIsOp(dialect, op, CUTE_OP_STORE_VECTOR)) {
    MlirOperation load = cuteValueGetMaker(dialect, op, 0, CUTE_OP_LOAD_VECTOR);
    if (mlirOperationIsNull(load))
      return false;
    move->source = getOperand(load, 0);
    move->destination = getOperand(op, 1);
    return true;
  }
  if (!cuteEffectGetCopy(dialect, op, &parts) ||
      cutePipelineIsFetch(dialect, op))
    return false;
  move->source = parts.source;
  move->destination = parts.destination;
  move->predicate = parts.predicate;
  return true;
}

static bool isWhole(const Move *move) {
  return mlirValueIsNull(move->predicate);
}

static bool isBefore(MlirOperation one, MlirOperation other) {
  return mlirBlockEqual(mlirOperationGetBlock(one),
                        mlirOperationGetBlock(other)) &&
         mlirOperationIsBeforeInBlock(one, other);
}

// Tells whether an op loads a vector that nothing but another op takes.
static bool isVectorOf(MlirOperation load, MlirOperation by) {
  MlirValue taken = getOperand(by, 0);
  return mlirOperationEqual(load, cuteMlirGetOwner(taken)) &&
         mlirOpOperandIsNull(
             mlirOpOperandGetNextUse(mlirValueGetFirstUse(taken)));
}

// Finds the copy that fills a fragment which another one, `to`, alone reads,
// after a cute.clear if it has a predicate; false if there is none.
static bool findFiller(CuteDialect *dialect, const Move *to, Move *from) {
  MlirOperation maker = cuteMlirGetOwner(to->source);
  CuteOpId id = cuteDialectGetOpId(dialect, maker);
  MlirOperation clear = {NULL};
  size_t writers = 0, others = 0;
  if (id != CUTE_OP_MAKE_FRAGMENT_LIKE && id != CUTE_OP_MAKE_FRAGMENT)
    return false;
  CUTE_FOR_USES(use, to->source) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    Move move;
    if (mlirOperationEqual(user, to->op) || isVectorOf(user, to->op))
      continue;
    if (matchMove(dialect, user, &move) &&
        mlirValueEqual(move.destination, to->source)) {
      *from = move;
      ++writers;
    } else if (mlirOperationIsNull(clear) &&
               cuteDialectIsOp(dialect, user, CUTE_OP_CLEAR)) {
      clear = user;
    } else {
      ++others;
    }
  }
  if (writers != 1 || others || !isBefore(from->op, to->op))
    return false;
  from->clear = clear;
  return mlirOperationIsNull(clear) ? isWhole(from) : isBefore(clear, from->op);
}

// The tiled copy of an op's threads and values by cp.async, with accesses as
// wide if they have predicates; false if there is none.
static bool makeAsync(CuteRebuild *r, MlirOperation make, bool isWhole,
                      MlirValue *copy) {
  static const char *const atoms[] = {
      "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint128_t>",
      "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>",
      "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>"};
  CuteType atom = cuteDialectGetOperandType(r->dialect, make, 0);
  for (size_t i = 0; i < sizeof atoms / sizeof *atoms; ++i) {
    const CuteCopyAtom *async = cuteCopyAtomFind(cuteStringRef(atoms[i]));
    const CuteCopyAtom *own = atom->atom;
    CuteLayout values = cuteDialectGetOperandType(r->dialect, make, 2)->layout;
    int64_t bits = cuteLayoutGetSize(r->dialect->context, values)->value *
                   (int64_t)cuteElementTypeGetBits(atom->element);
    if (!async || (own->bits >= 32 || !isWhole ? own->bits != async->bits
                                               : bits % async->bits != 0))
      continue;
    *copy =
        cuteEmit3(r, CUTE_OP_MAKE_TILED_COPY,
                  cuteEmitStatic(r, cuteTypeGetCopyAtom(r->dialect->context,
                                                        async, atom->element)),
                  getOperand(make, 1), getOperand(make, 2));
    return !r->failed;
  }
  return false;
}

// Has cp.async copy from one part in global memory to one in shared memory.
static bool replace(CuteKernel *kernel, const Move *from, const Move *to) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation source =
      cuteValueGetOpOf(dialect, from->source, CUTE_OP_PARTITION_S);
  MlirOperation target =
      cuteValueGetOpOf(dialect, to->destination, CUTE_OP_PARTITION_D);
  if (mlirOperationIsNull(source) || mlirOperationIsNull(target) ||
      !cuteValueIsSame(dialect, getOperand(source, 0), getOperand(target, 0)))
    return false;
  MlirOperation make =
      cuteValueGetMaker(dialect, target, 0, CUTE_OP_MAKE_TILED_COPY);
  CuteRebuild r = cuteRebuildBefore(dialect, to->op);
  MlirValue copy;
  if (mlirOperationIsNull(make) || !makeAsync(&r, make, isWhole(from), &copy))
    return false;
  cuteRebuildSet(&r, getOperand(source, 0), copy);
  cuteRebuildOp(&r, source);
  if (r.failed)
    return false;
  MlirValue parts[] = {copy, getResult(r.latest, 0),
                       cuteEmit3(&r, CUTE_OP_PARTITION_D, copy,
                                 getOperand(target, 1), getOperand(target, 2)),
                       from->predicate};
  if (r.failed)
    return false;
  cuteEmitDo(&r, CUTE_OP_COPY, isWhole(from) ? 3 : 4, parts);
  if (r.failed)
    return false;
  MlirOperation old = to->op;
  if (!mlirOperationEqual(from->op, old))
    mlirOperationDestroy(from->op);
  if (!mlirOperationIsNull(from->clear))
    mlirOperationDestroy(from->clear);
  mlirOperationDestroy(old);
  return true;
}

// Waits for the copies of a block before the next barrier.
static bool emitWait(CuteKernel *kernel, MlirOperation barrier) {
  CuteRebuild r = cuteRebuildBefore(kernel->dialect, barrier);
  cuteEmitDo(&r, CUTE_OP_CP_ASYNC_COMMIT, 0, NULL);
  cuteRebuildCreate(&r, CUTE_OP_CP_ASYNC_WAIT, 0, NULL,
                    CUTE_NAMED({"n", cuteIntAttr(&r.builder, 32, 0)}));
  return !r.failed || cuteKernelFailOp(kernel, barrier);
}

static MlirOperation findBarrier(MlirOperation op) {
  do
    op = mlirOperationGetNextInBlock(op);
  while (!mlirOperationIsNull(op) && !cuteMlirIs(op, "gpu.barrier"));
  return op;
}

// Tells whether an op copies to shared memory from global memory, directly or
// through registers.
static bool matchFetch(CuteDialect *dialect, MlirOperation op, Move *from,
                       Move *to) {
  if (!matchMove(dialect, op, to) || !isWhole(to) ||
      !cuteViewIsIn(dialect, to->destination, CUTE_SMEM))
    return false;
  *from = *to;
  return (cuteViewIsIn(dialect, to->source, CUTE_GMEM) ||
          findFiller(dialect, to, from)) &&
         cuteViewIsIn(dialect, from->source, CUTE_GMEM);
}

// Has vectors that are only moved to registers be a copy.
static void joinVectors(CuteKernel *kernel) {
  CUTE_FOR_FOUND(one, cuteKernelFindOps(kernel, CUTE_OP_STORE_VECTOR)) {
    Move move;
    if (!matchMove(kernel->dialect, one, &move) ||
        !cuteViewIsIn(kernel->dialect, move.source, CUTE_SMEM) ||
        !cuteViewIsIn(kernel->dialect, move.destination, CUTE_RMEM))
      continue;
    CuteRebuild r = cuteRebuildBefore(kernel->dialect, move.op);
    cuteEmitDo(&r, CUTE_OP_AUTOVEC_COPY,
               CUTE_VALUES(move.source, move.destination));
    if (!r.failed)
      mlirOperationDestroy(move.op);
  }
}

bool cutePlainCopies(CuteKernel *kernel) {
  CuteOps ops = {0};
  MlirOperation last = {NULL};
  joinVectors(kernel);
  CUTE_FOR_NESTED(op, kernel->function)
    if (cuteMlirIs(mlirOperationGetParentOperation(op), "scf.for"))
      cuteOpsPush(&ops, op);
  CUTE_FOR_LIST(one, ops) {
    Move from, to;
    if (!matchFetch(kernel->dialect, one, &from, &to))
      continue;
    MlirOperation barrier = findBarrier(to.op);
    if (mlirOperationIsNull(barrier) || !replace(kernel, &from, &to))
      continue;
    if (!mlirOperationEqual(barrier, last) && !emitWait(kernel, barrier))
      return false;
    last = barrier;
  }
  if (!mlirOperationIsNull(last))
    cuteKernelRemoveDead(kernel);
  return true;
}
