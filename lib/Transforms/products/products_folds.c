// Folds: what a thread makes of its elements of sums by one operation, such as
// their maximum. Where elements are divided otherwise, each thread has another
// fold, but all of them together are the same: atomic operations of that kind
// may take folds, of each thread, or of each warp in one of its lanes.
#include "Hardware/element.h"
#include "IR/folds.h"
#include "Transforms/products/to_wgmma.h"

enum { WARP = 32 };

// Values of the map that has folds: the kind, and whether it is a warp's fold
// as the lowest bit.
static bool isOfWarp(const void *fold) { return (uintptr_t)fold & 1; }

static void note(CutePointerMap *map, MlirValue value, const CuteFold *kind,
                 bool ofWarp) {
  cutePointerMapSet(map, value.ptr, (void *)((uintptr_t)kind | ofWarp));
}

//===-- What a loop folds -------------------------------------------------===//

typedef struct Chain {
  MlirOperation loop;
  intptr_t i;            // of the value that the loop carries
  const CuteFold *kind;  // null at first
  CutePointerMap values; // the value of the round before, and folds with it
} Chain;

static bool isIn(const Chain *c, MlirValue value) {
  return cutePointerMapGet(&c->values, value.ptr);
}

static void add(Chain *c, MlirValue value) {
  cutePointerMapSet(&c->values, value.ptr, c);
}

// Takes an op that folds what another operand is into a value.
static bool addFold(Chain *c, MlirOperation op) {
  const CuteFold *kind = c->kind ? c->kind : cuteFolds;
  while (!kind->llvm || !cuteMlirIs(op, kind->op))
    if (c->kind || !(++kind)->op)
      return false;
  c->kind = kind;
  add(c, getResult(op, 0));
  return isIn(c, getOperand(op, 0)) != isIn(c, getOperand(op, 1));
}

// Takes the end of a round, or of a branch: both branches yield folds, or none.
static bool addYield(Chain *c, MlirOperation yield) {
  MlirOperation op = mlirOperationGetParentOperation(yield);
  bool isLoop = mlirOperationEqual(op, c->loop), ok = true;
  bool isIf = cuteMlirIs(op, "scf.if");
  MlirOperation first = mlirBlockGetTerminator(cuteMlirGetBody(op, 0));
  for (intptr_t j = 0; j < getNumOperands(yield); ++j) {
    bool isFold = isIn(c, getOperand(yield, j));
    bool others = isLoop ? j == c->i : isIn(c, getOperand(first, j));
    ok &= isFold == others && (isLoop || isIf || !isFold);
    if (isFold && !isLoop)
      add(c, getResult(op, j));
  }
  return ok;
}

static bool addOp(Chain *c, MlirOperation op) {
  if (cuteMlirIs(op, "scf.yield"))
    return addYield(c, op);
  bool takes = false;
  CUTE_FOR_OPERANDS(operand, op)
    takes |= isIn(c, operand);
  if (!takes)
    return true;
  if (!cuteMlirIs(op, "arith.select"))
    return addFold(c, op);
  add(c, getResult(op, 0));
  return isIn(c, getOperand(op, 1)) && isIn(c, getOperand(op, 2));
}

// Tells whether a value may be folded once for each thread, whatever their
// number.
static bool mayBegin(const CuteFold *kind, MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (!cuteMlirIs(op, "arith.constant"))
    return false;
  MlirAttribute number = cuteMlirGetAttribute(op, "value");
  return kind->mayRepeat || cuteMlirIsFalse(value) ||
         (mlirAttributeIsAFloat(number) &&
          mlirFloatAttrGetValueDouble(number) == 0);
}

bool cuteProductsNoteFolds(MlirOperation loop, CutePointerMap *map) {
  enum { BOUNDS = 3 };
  bool ok = true;
  for (intptr_t i = 0; ok && i < getNumResults(loop); ++i) {
    Chain c = {.loop = loop, .i = i, .values = cuteTaskMap()};
    add(&c, mlirBlockGetArgument(cuteMlirGetBody(loop, 0), i + 1));
    CUTE_FOR_NESTED(op, loop)
      ok = ok && (mlirOperationEqual(op, loop) || addOp(&c, op));
    ok = ok && c.kind && mayBegin(c.kind, getOperand(loop, BOUNDS + i));
    if (ok)
      note(map, getResult(loop, i), c.kind, false);
  }
  return ok;
}

//===-- What takes folds --------------------------------------------------===//

static bool hasKind(MlirOperation op, const char *kind) {
  return mlirStringRefEqual(
      mlirStringAttrGetValue(cuteMlirGetAttribute(op, "kind")),
      cuteMlirString(kind));
}

// Tells whether an op does to memory what the kind does, and no more: it leaves
// out what was there.
static bool isAtomic(CuteDialect *dialect, MlirOperation op,
                     const CuteFold *kind) {
  if (cuteMlirIsUsed(op))
    return false;
  if (cuteDialectIsOp(dialect, op, CUTE_OP_ATOMIC_RMW))
    return kind->atomic && hasKind(op, kind->atomic) &&
           !cuteElementGetInfo(
                cuteDialectGetOperandType(dialect, op, 1)->element)
                ->isUnsigned;
  if (cuteMlirIs(op, "llvm.atomicrmw"))
    return cuteMlirGetInteger(op, "bin_op") == kind->llvm;
  return kind->ptx && cuteMlirIs(op, "llvm.inline_asm") &&
         cuteProductsIsAtomic(dialect, op) &&
         cuteTextHas(fromMlirString(mlirStringAttrGetValue(
                         cuteMlirGetAttribute(op, "asm_string"))),
                     fromMlirString(cuteMlirString(kind->ptx)));
}

// Tells whether a number of the lane does no more than choose the first one.
static bool isFirstLane(MlirValue lane) {
  CUTE_FOR_USES(use, lane)
    if (!cuteProductsIsTestOfFirst(mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

static const void *findFold(const CutePointerMap *map, MlirOperation op) {
  const void *fold = NULL;
  for (intptr_t i = 0; !fold && i < getNumOperands(op); ++i)
    fold = cutePointerMapGet(map, getOperand(op, i).ptr);
  return fold;
}

// Tells whether an op makes a warp's fold of its threads'. NaN may count in one
// and not in the other: in the plain text this depends on the threads as well.
static bool isOfLanes(CuteDialect *dialect, MlirOperation op,
                      const CuteFold *kind) {
  bool isSame = cuteDialectIsOp(dialect, op, CUTE_OP_WARP_REDUCE) &&
                (!cuteMlirHasAttribute(op, "width") ||
                 cuteMlirGetInteger(op, "width") == WARP);
  const CuteFold *other = cuteFolds;
  while (isSame && !(other->llvm == kind->llvm && hasKind(op, other->kind)))
    isSame = (++other)->op;
  return isSame;
}

// Takes an op that folds all elements of a vector.
static bool noteVector(CuteDialect *dialect, CutePointerMap *map,
                       MlirOperation op) {
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_REDUCE_VECTOR) ||
      mlirTypeIsAVector(cuteMlirGetResultType(op, 0)))
    return false;
  bool isFloat = mlirTypeIsAFloat(cuteMlirGetResultType(op, 0));
  for (const CuteFold *kind = cuteFolds; kind->op; ++kind)
    if (kind->llvm && cuteFoldIsOfFloats(kind) == isFloat &&
        hasKind(op, kind->kind) && mayBegin(kind, getOperand(op, 1))) {
      note(map, getResult(op, 0), kind, false);
      return true;
    }
  return false;
}

bool cuteProductsTakeFold(CuteKernel *kernel, CutePointerMap *map,
                          MlirOperation op, bool isOfSums) {
  CuteDialect *dialect = kernel->dialect;
  const void *fold = findFold(map, op);
  if (!fold)
    return (isOfSums && noteVector(dialect, map, op)) ||
           cuteMlirIs(op, "llvm.ptrtoint") ||
           (cuteDialectIsOp(dialect, op, CUTE_OP_LANE_IDX) &&
            isFirstLane(getResult(op, 0)));
  const CuteFold *kind = (const void *)((uintptr_t)fold & ~(uintptr_t)1);
  bool isOnce = cuteProductsIsOfFirst(dialect, op, true);
  if (!isOfWarp(fold) && isOfLanes(dialect, op, kind))
    note(map, getResult(op, 0), kind, true);
  else if (isOfSums || !isAtomic(dialect, op, kind) ||
           cuteProductsIsOfFirst(dialect, op, false) ||
           (isOfWarp(fold) ? !isOnce && !kind->mayRepeat : isOnce))
    cuteKernelFail(kernel, op,
                   "takes a thread's fold of its elements by %s, and "
                   "wgmma gives the thread others; an atomic operation of that "
                   "kind may take it, or warp_reduce of all 32 lanes, and then "
                   "an atomic operation in lane 0",
                   kind->op);
  return true;
}
