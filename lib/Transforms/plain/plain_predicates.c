// Predicates that a program fills by hand, one comparison of coordinates with
// the shape after the other, become the predicates of cute.make_predicate.
#include "Transforms/plain/plain_views.h"

#include "IR/loops.h"
#include "Ops/ops.h"

enum { MOST_MODES = 8, MOST_LOOPS = 4 };

// A fragment of predicates, and what fills it.
typedef struct Filled {
  CuteKernel *kernel;
  MlirValue fragment;
  MlirOperation store;
  MlirOperation loops[MOST_LOOPS]; // around it, the inner ones first
  size_t count;
  MlirOperation part; // the coordinates that are compared
  MlirValue tensor;   // whose shape they are compared with
} Filled;

//===-- Coordinates -------------------------------------------------------===//

// Gives the dynamic leaf that comes after so many others.
static MlirValue leafOf(const Filled *f, MlirValue coord, size_t i) {
  MlirOperation op =
      cuteValueGetOpOf(f->kernel->dialect, coord, CUTE_OP_MAKE_COORD);
  return mlirOperationIsNull(op) || (intptr_t)i >= getNumOperands(op)
             ? (MlirValue){NULL}
             : getOperand(op, (intptr_t)i);
}

// Tells whether a loop around the store counts a mode of so many elements.
static bool isCounted(const Filled *f, MlirValue value, int64_t extent) {
  for (size_t i = 0; i < f->count; ++i) {
    int64_t trips, lower;
    if (mlirValueEqual(
            value, mlirBlockGetArgument(cuteMlirGetBody(f->loops[i], 0), 0)))
      return cuteLoopGetTrips(f->kernel->dialect, f->loops[i], &trips) &&
             trips == extent &&
             cuteLoopBoundGet(f->kernel->dialect, getOperand(f->loops[i], 0),
                              &lower) &&
             !lower;
  }
  return false;
}

// Tells whether coordinate j of the elements is the same along a mode of the
// part.
static bool isSameAlong(CuteIntTuple stride, int64_t j) {
  if (isTuple(stride)) {
    for (size_t i = 0; i < stride->rank; ++i)
      if (!isSameAlong(stride->elements[i], j))
        return false;
    return true;
  }
  return isStaticValue(stride, 0) ||
         (isBasis(stride) && basisPath(stride)->rank == 1 &&
          basisPath(stride)->elements[0]->value != j);
}

// Tells whether the predicate and the coordinate that it compares belong to the
// same access, in all modes, for component j.
static bool arePaired(const Filled *f, MlirValue own, MlirValue other,
                      int64_t j) {
  CuteContext c = f->kernel->dialect->context;
  CuteIntTuple a = cuteKernelType(f->kernel, own)->tuple,
               b = cuteKernelType(f->kernel, other)->tuple;
  CuteLayout fragment = cuteKernelType(f->kernel, f->fragment)->layout;
  CuteLayout part =
      cuteDialectGetResultType(f->kernel->dialect, f->part, 0)->layout;
  if (!isTuple(a) || !isTuple(b) || a->rank != b->rank ||
      a->rank != cuteLayoutGetRank(fragment) ||
      a->rank != cuteLayoutGetRank(part) || !isTuple(b->elements[0]) ||
      b->elements[0]->rank != 2 ||
      !isStaticValue(b->elements[0]->elements[0], 0))
    return false;
  size_t nextA = 0, nextB = 0;
  for (size_t i = 0; i < a->rank; ++i) {
    CuteIntTuple x = a->elements[i];
    CuteIntTuple y = i ? b->elements[i] : b->elements[0]->elements[1];
    CuteIntTuple mode = element(part->shape, i),
                 stride = element(part->stride, i);
    int64_t extent = cuteIntTupleProduct(c, element(fragment->shape, i))->value;
    if (!i && isTuple(mode) && mode->rank == 2) {
      mode = mode->elements[1];
      stride = stride->elements[1];
    }
    CuteIntTuple whole = cuteIntTupleProduct(c, mode);
    if (isTuple(x) || isTuple(y) || !isStatic(whole) ||
        isDynamic(x) != isDynamic(y))
      return false;
    if (isDynamic(x)) {
      MlirValue count = leafOf(f, own, nextA++);
      if (!mlirValueEqual(count, leafOf(f, other, nextB++)) ||
          extent != whole->value || !isCounted(f, count, extent))
        return false;
    } else if (!isStaticValue(x, 0) || !isStaticValue(y, 0) ||
               (whole->value != 1 &&
                (!isStaticValue(element(fragment->stride, i), 0) ||
                 !isSameAlong(stride, j))))
      return false;
  }
  return true;
}

//===-- Comparisons -------------------------------------------------------===//

// Matches a comparison of a component of a coordinate with its extent.
static bool matchLess(void *data, MlirValue component, MlirValue extent) {
  Filled *f = data;
  CuteDialect *dialect = f->kernel->dialect;
  MlirOperation scalars =
      cuteValueGetOpOf(dialect, component, CUTE_OP_GET_SCALARS);
  MlirOperation at = cuteValueGetMaker(dialect, scalars, 0, CUTE_OP_GET_ITER);
  MlirOperation slice = cuteValueGetMaker(dialect, at, 0, CUTE_OP_SLICE);
  int64_t leaf, j = mlirOperationIsNull(scalars)
                        ? 0
                        : mlirOpResultGetResultNumber(component);
  MlirValue tensor = cuteValueGetExtentOf(dialect, extent, &leaf);
  if (mlirOperationIsNull(slice) || mlirValueIsNull(tensor) || leaf != j ||
      (!mlirValueIsNull(f->tensor) && !mlirValueEqual(f->tensor, tensor)))
    return false;
  MlirOperation part = cuteMlirGetOwner(getOperand(slice, 0));
  if (!cuteDialectIsOp(dialect, part, CUTE_OP_PARTITION_S) &&
      !cuteDialectIsOp(dialect, part, CUTE_OP_PARTITION_D))
    return false;
  f->tensor = tensor;
  f->part = part;
  return arePaired(f, getOperand(f->store, 2), getOperand(slice, 1), j);
}

// The op that makes operand i of numbers, which are its operands; or null.
static MlirOperation findTuple(CuteDialect *dialect, MlirOperation op,
                               intptr_t i) {
  MlirOperation maker = cuteMlirGetOwner(getOperand(op, i));
  CuteOpId id = cuteDialectGetOpId(dialect, maker);
  return id == CUTE_OP_MAKE_COORD || id == CUTE_OP_MAKE_SHAPE ||
                 id == CUTE_OP_MAKE_INT_TUPLE
             ? maker
             : (MlirOperation){NULL};
}

static bool matchCoordinate(CuteDialect *dialect, MlirOperation less,
                            CutePlainLess *match, void *data) {
  MlirOperation a = findTuple(dialect, less, 0),
                b = findTuple(dialect, less, 1);
  CuteIntTuple x = cuteDialectGetOperandType(dialect, less, 0)->tuple,
               y = cuteDialectGetOperandType(dialect, less, 1)->tuple;
  bool ok = !mlirOperationIsNull(a) && !mlirOperationIsNull(b) &&
            x->numLeaves == y->numLeaves && x->numDynamic == x->numLeaves &&
            y->numDynamic == y->numLeaves;
  for (intptr_t i = 0; ok && i < getNumOperands(a); ++i)
    ok = match(data, getOperand(a, i), getOperand(b, i));
  return ok;
}

bool cutePlainMatchLess(CuteDialect *dialect, MlirValue condition,
                        CutePlainLess *match, void *data) {
  MlirOperation op = cuteMlirGetOwner(condition);
  if (mlirOperationIsNull(op))
    return false;
  if (cuteDialectIsOp(dialect, op, CUTE_OP_ELEM_LESS))
    return matchCoordinate(dialect, op, match, data);
  if (getNumOperands(op) < 2)
    return false;
  MlirValue a = getOperand(op, 0);
  MlirValue b = getOperand(op, 1);
  if (cuteMlirIs(op, "arith.andi") ||
      (cuteMlirIs(op, "arith.select") &&
       mlirValueEqual(a, getOperand(op, 2)))) // Python's `and`
    return cutePlainMatchLess(dialect, a, match, data) &&
           cutePlainMatchLess(dialect, b, match, data);
  int64_t predicate = cuteMlirIs(op, "arith.cmpi")
                          ? cuteMlirGetInteger(op, "predicate")
                          : CUTE_CMPI_EQ;
  return (predicate == CUTE_CMPI_SLT || predicate == CUTE_CMPI_ULT) &&
         match(data, a, b);
}

//===-- Fragments ---------------------------------------------------------===//

// Finds the loops between the store and the block of a copy, or one around it.
static bool findLoops(Filled *f, MlirOperation copy) {
  MlirOperation op = f->store;
  while (mlirOperationIsNull(
      cuteMlirGetAncestor(mlirOperationGetBlock(op), copy))) {
    op = mlirOperationGetParentOperation(op);
    if (!cuteMlirIs(op, "scf.for") || f->count == MOST_LOOPS)
      return false;
    f->loops[f->count++] = op;
  }
  return mlirOperationIsBeforeInBlock(
      op, cuteMlirGetAncestor(mlirOperationGetBlock(op), copy));
}

static bool match(Filled *f, MlirOperation copy, MlirValue predicate) {
  CuteDialect *dialect = f->kernel->dialect;
  f->fragment = predicate;
  f->store = cuteKernelFindWriter(f->kernel, predicate, CUTE_RMEM);
  return !mlirOperationIsNull(
             cuteValueGetOpOf(dialect, predicate, CUTE_OP_MAKE_FRAGMENT)) &&
         cuteDialectIsOp(dialect, f->store, CUTE_OP_STORE) &&
         mlirValueEqual(getOperand(f->store, 1), predicate) &&
         findLoops(f, copy) &&
         cutePlainMatchLess(dialect, getOperand(f->store, 0), matchLess, f);
}

// Makes the predicate of all of the part in front of the copy.
static bool replace(Filled *f, MlirOperation copy, MlirValue predicate) {
  CuteDialect *dialect = f->kernel->dialect;
  CuteContext c = dialect->context;
  CUTE_SCOPED(PointerMap) moves = {0};
  MlirOperation outer = f->count ? f->loops[f->count - 1] : f->store;
  CUTE_FOR_NESTED(op, outer)
    if (cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE)
      cutePointerMapSet(&moves, op.ptr, op.ptr);
  CuteRebuild r = cuteRebuildBefore(dialect, copy);
  r.moves = &moves;
  MlirValue part = cuteRebuildGet(&r, getResult(f->part, 0));
  if (r.failed)
    return false;
  CuteType by = cuteDialectGetOperandType(dialect, f->part, 0);
  bool isSource = cuteDialectIsOp(dialect, f->part, CUTE_OP_PARTITION_S);
  CuteType first =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD,
                       cuteCopyGetFirstOfAccesses(
                           c, by, isSource ? CUTE_SOURCE : CUTE_DESTINATION,
                           cuteKernelType(f->kernel, part)->layout));
  MlirValue made = cuteEmit2(
      &r, CUTE_OP_MAKE_PREDICATE,
      cuteEmit2(&r, CUTE_OP_SLICE, part, cuteEmitStatic(&r, first)), f->tensor);
  for (intptr_t i = 0; !r.failed && i < getNumOperands(copy); ++i)
    if (mlirValueEqual(getOperand(copy, i), predicate))
      mlirOperationSetOperand(copy, i, made);
  return !r.failed;
}

// Tells whether a loop only computes what nobody uses.
static bool isIdle(CuteDialect *dialect, MlirOperation loop) {
  CUTE_FOR_NESTED(op, loop)
    if (!cuteMlirIs(op, "scf.for") && !cuteMlirIs(op, "scf.yield") &&
        cuteEffectGet(dialect, op) != CUTE_EFFECT_NONE)
      return false;
  return !cuteMlirIsUsed(loop);
}

// Removes what fills a fragment that nothing reads any more.
static void removeFill(const Filled *f) {
  CUTE_FOR_USES(use, f->fragment)
    if (!mlirOperationEqual(mlirOpOperandGetOwner(use), f->store) &&
        cuteEffectGet(f->kernel->dialect, mlirOpOperandGetOwner(use)) ==
            CUTE_EFFECT_ACCESS)
      return;
  mlirOperationDestroy(f->store);
  for (size_t i = 0; i < f->count; ++i)
    if (isIdle(f->kernel->dialect, f->loops[i]))
      mlirOperationDestroy(f->loops[i]);
    else
      return;
}

void cutePlainPredicates(CuteKernel *kernel) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_COPY)) {
    CuteCopyParts parts;
    Filled f = {.kernel = kernel};
    if (cuteEffectGetCopy(kernel->dialect, op, &parts) &&
        !mlirValueIsNull(parts.predicate) && match(&f, op, parts.predicate) &&
        replace(&f, op, parts.predicate))
      removeFill(&f);
  }
}
