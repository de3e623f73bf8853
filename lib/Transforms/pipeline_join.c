// Joins the k-blocks of a loop that copies fragments and multiplies them block
// by block:
//
//   for k in 0 ... blocks-1:               copy(sA, rA)
//     copy(sA[_,_,k], rA[_,_,k])     ->    gemm(mma, rC, rA, rB, rC)
//     gemm(mma, rC, rA[_,_,k], rB[_,_,k], rC)
//
// A gemm adds the k-blocks in their order, so that the sums are the same.
#include "IR/loops.h"
#include "Transforms/pipeline.h"

typedef struct Blocks {
  CutePipelineLoop *p;
  MlirOperation loop;
  int64_t count;
} Blocks;

static MlirBlock bodyOf(MlirOperation loop) { return cuteMlirGetBody(loop, 0); }

static bool isOutside(const Blocks *b, MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? !mlirBlockEqual(mlirBlockArgumentGetOwner(value),
                               bodyOf(b->loop))
             : !mlirBlockEqual(
                   mlirOperationGetBlock(mlirOpResultGetOwner(value)),
                   bodyOf(b->loop));
}

//===-- Slices ------------------------------------------------------------===//

// Tells whether a value is the loop's counter, as a number of any width.
static bool isCounter(const Blocks *b, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return mlirValueEqual(value, mlirBlockGetArgument(bodyOf(b->loop), 0));
  MlirOperation op = mlirOpResultGetOwner(value);
  return cuteMlirIs(op, "arith.index_cast") &&
         isCounter(b, mlirOperationGetOperand(op, 0));
}

// Tells whether a coordinate is (_,_,counter).
static bool isBlockCoord(const Blocks *b, MlirValue coord) {
  CuteType type = cuteDialectGetValueType(b->p->dialect, coord);
  if (mlirValueIsABlockArgument(coord) || type->tuple->rank != 3)
    return false;
  MlirOperation op = mlirOpResultGetOwner(coord);
  for (size_t i = 0; i < 2; ++i)
    if (element(type->tuple, i)->kind != CUTE_UNDERSCORE)
      return false;
  return cuteDialectIsOp(b->p->dialect, op, CUTE_OP_MAKE_COORD) &&
         mlirOperationGetNumOperands(op) == 1 &&
         isCounter(b, mlirOperationGetOperand(op, 0));
}

// The outside tensor whose block `counter` the value is, or null.
static MlirValue wholeOf(const Blocks *b, MlirValue value) {
  const MlirValue none = {NULL};
  if (mlirValueIsABlockArgument(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!cuteDialectIsOp(b->p->dialect, op, CUTE_OP_SLICE))
    return none;
  MlirValue whole = mlirOperationGetOperand(op, 0);
  return isOutside(b, whole) &&
                 isBlockCoord(b, mlirOperationGetOperand(op, 1)) &&
                 cutePipelineBlocksOf(b->p, whole) == b->count
             ? whole
             : none;
}

//===-- The body ----------------------------------------------------------===//

static MlirValue rootOf(const Blocks *b, MlirValue fragment) {
  return cuteViewGetRoot(b->p->dialect, fragment, CUTE_RMEM);
}

// A fragment that an op of this kernel makes, so that others are elsewhere.
static bool isMade(const Blocks *b, MlirValue fragment) {
  return cuteViewIsIn(b->p->dialect, fragment, CUTE_RMEM) &&
         !mlirValueIsABlockArgument(rootOf(b, fragment));
}

static bool isCopy(const Blocks *b, MlirOperation op) {
  CuteCopyParts parts;
  if (!cuteDialectIsOp(b->p->dialect, op, CUTE_OP_COPY) ||
      !cuteEffectGetCopy(b->p->dialect, op, &parts) ||
      !mlirValueIsNull(parts.predicate) || !isOutside(b, parts.copy))
    return false;
  MlirValue to = wholeOf(b, parts.destination);
  return !mlirValueIsNull(wholeOf(b, parts.source)) && !mlirValueIsNull(to) &&
         cuteViewIsIn(b->p->dialect, parts.source, CUTE_SMEM) && isMade(b, to);
}

static bool isGemm(const Blocks *b, MlirOperation op) {
  if (!cuteDialectIsOp(b->p->dialect, op, CUTE_OP_GEMM) ||
      !mlirValueEqual(mlirOperationGetOperand(op, 1),
                      mlirOperationGetOperand(op, 4)))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    bool ok = i == 0 ? isOutside(b, operand)
              : cutePipelineIsInput(i)
                  ? !mlirValueIsNull(wholeOf(b, operand)) && isMade(b, operand)
                  : isOutside(b, operand) && isMade(b, operand);
    if (!ok)
      return false;
  }
  return true;
}

// Tells whether the body is copies, then gemms, and what they need.
static bool hasBlocks(const Blocks *b) {
  size_t copies = 0, gemms = 0;
  MlirOperation end = mlirBlockGetTerminator(bodyOf(b->loop));
  for (MlirOperation op = mlirBlockGetFirstOperation(bodyOf(b->loop));
       !mlirOperationEqual(op, end); op = mlirOperationGetNextInBlock(op)) {
    if (isCopy(b, op) && !gemms)
      ++copies;
    else if (isGemm(b, op))
      ++gemms;
    else if (cuteEffectGet(b->p->dialect, op) != CUTE_EFFECT_NONE)
      return false;
  }
  return copies && gemms;
}

//===-- What depends on what ----------------------------------------------===//

// Tells whether a gemm may come after all copies: it reads of a fragment that a
// copy fills what was copied in its round, and does not write it.
static bool isAfterCopies(const Blocks *b, MlirOperation gemm,
                          MlirValue filled) {
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(gemm); ++i) {
    MlirValue operand = mlirOperationGetOperand(gemm, i);
    if (!mlirValueEqual(rootOf(b, operand), rootOf(b, filled)))
      continue;
    if (!cutePipelineIsInput(i) ||
        !cutePipelineHaveSameBlocks(b->p, wholeOf(b, operand), filled,
                                    b->count))
      return false;
  }
  return true;
}

// Tells whether a gemm neither reads nor writes the sums of another one, nor
// reads its own as A or B.
static bool isApart(const Blocks *b, MlirOperation gemm, MlirOperation other) {
  MlirValue sums = rootOf(b, mlirOperationGetOperand(other, 1));
  bool isSame = mlirOperationEqual(gemm, other);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(gemm); ++i)
    if ((!isSame || cutePipelineIsInput(i)) &&
        mlirValueEqual(sums, rootOf(b, mlirOperationGetOperand(gemm, i))))
      return false;
  return true;
}

static bool mayReorder(const Blocks *b, MlirOperation gemm) {
  CUTE_FOR_OPS(op, bodyOf(b->loop)) {
    CuteCopyParts parts;
    if (cuteDialectIsOp(b->p->dialect, op, CUTE_OP_GEMM) &&
        !isApart(b, gemm, op))
      return false;
    if (cuteDialectIsOp(b->p->dialect, op, CUTE_OP_COPY) &&
        cuteEffectGetCopy(b->p->dialect, op, &parts) &&
        !isAfterCopies(b, gemm, wholeOf(b, parts.destination)))
      return false;
  }
  return true;
}

static bool mayJoin(Blocks *b) {
  int64_t lower, step;
  if (!cuteMlirIs(b->loop, "scf.for") ||
      mlirOperationGetNumOperands(b->loop) != 3 ||
      !cuteLoopGetTrips(b->p->dialect, b->loop, &b->count) ||
      !cuteLoopBoundGet(b->p->dialect, mlirOperationGetOperand(b->loop, 0),
                        &lower) ||
      !cuteLoopBoundGet(b->p->dialect, mlirOperationGetOperand(b->loop, 2),
                        &step) ||
      lower != 0 || step != 1 || b->count < 1 || !hasBlocks(b))
    return false;
  CUTE_FOR_OPS(op, bodyOf(b->loop))
    if (cuteDialectIsOp(b->p->dialect, op, CUTE_OP_GEMM) && !mayReorder(b, op))
      return false;
  return true;
}

//===-- Joining -----------------------------------------------------------===//

// The op in front of the loop, on all blocks.
static void joinOp(const Blocks *b, MlirOperation op) {
  MlirOperation whole = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = wholeOf(b, mlirOperationGetOperand(op, i));
    if (!mlirValueIsNull(operand))
      mlirOperationSetOperand(whole, i, operand);
  }
  mlirBlockInsertOwnedOperationBefore(b->p->body, b->loop, whole);
}

static void join(const Blocks *b) {
  CUTE_FOR_OPS(op, bodyOf(b->loop))
    if (cuteEffectGet(b->p->dialect, op) == CUTE_EFFECT_ACCESS)
      joinOp(b, op);
  mlirOperationDestroy(b->loop);
}

bool cutePipelineJoinBlocks(CutePipelineLoop *p) {
  bool joined = false;
  for (size_t i = 0; i < p->computes.count; ++i) {
    Blocks b = {.p = p, .loop = p->computes.data[i]};
    if (!mayJoin(&b))
      continue;
    join(&b);
    joined = true;
  }
  return joined;
}
