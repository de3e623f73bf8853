// Predicates, and tiles with the predicates of what they have within a tensor.
#include "Algebra/trace.h"
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"

static CuteType predicateOf(CuteContext c, CuteIntTuple shape) {
  CuteLayout layout = cuteLayoutGet(c, shape, NULL);
  return layout ? cuteTypeGetTensor(c, CUTE_ELEMENT_I1, CUTE_RMEM, 16, layout)
                : NULL;
}

//===-- make_predicate ----------------------------------------------------===//

// A tuple, or the shape of a tensor.
static CuteIntTuple boundOf(const CuteOp *op, size_t i) {
  CuteType type = op->operands[i];
  return type->kind == CUTE_TYPE_TENSOR ? type->layout->shape : type->tuple;
}

static CuteIntTuple firstOf(CuteContext c, CuteType coords) {
  struct CuteTrace *trace = cuteTracePause(c);
  CuteIntTuple first = cuteLayoutEval(c, coords->layout, staticInt(c, 0));
  cuteTraceResume(c, trace);
  return first ? cuteArithmeticTupleAdd(c, coords->tuple, first) : NULL;
}

static bool failOpen(CuteContext c, CuteIntTuple shape) {
  return cuteFailTuple(c,
                       "the coordinates must have a static shape: choose one "
                       "tile along each mode; not ",
                       shape);
}

static bool inferMakePredicate(CuteOp *op) {
  CuteContext c = op->context;
  CuteType coords = op->operands[0];
  CuteIntTuple first = firstOf(c, coords);
  for (size_t i = 1; first && i < op->numOperands; ++i) {
    CuteIntTuple bound = boundOf(op, i);
    if (cuteIntTupleIsCongruent(first, bound) &&
        !(bound->flags & ~HAS_UNDERSCORE))
      continue;
    return cuteFailTuples(c, i == 1 ? "the bound " : "the lower bound ", bound,
                          " is not congruent to the coordinates, such as ",
                          first);
  }
  if (first && coords->layout->shape->numDynamic)
    return failOpen(c, coords->layout->shape);
  return first && cuteOpPushResult(op, predicateOf(c, coords->layout->shape));
}

static MlirValue both(CuteLowering *l, MlirValue a, MlirValue b) {
  return mlirValueIsNull(a) ? b : andi(&l->builder, a, b);
}

// The conjunction, over all leaves, of coordinate < bound, or coordinate >=
// bound for a lower one; `_` bounds nothing.
static MlirValue isWithin(CuteLowering *l, CuteIntTuple coord,
                          CuteIntTuple bound, bool isLower, MlirValue soFar) {
  if (isTuple(coord)) {
    for (size_t i = 0; i < coord->rank; ++i)
      soFar =
          isWithin(l, coord->elements[i], bound->elements[i], isLower, soFar);
    return soFar;
  }
  if (isUnderscore(bound))
    return soFar;
  const CuteBuilder *b = &l->builder;
  MlirValue less = cuteLoweringCompareLess(l, coord, bound);
  if (isLower)
    less = xoriWith(b, less, 1);
  return both(l, soFar, less);
}

static bool lowerMakePredicate(CuteLowering *l) {
  CuteContext c = l->context;
  if (!cuteOpInfer(l->op))
    return false;
  CuteType coords = l->op->operands[0], type = l->op->results[0];
  CuteLowered predicate = cuteLoweringAllocate(l, type);
  int64_t n = cuteIntTupleProduct(c, type->layout->shape)->value;
  for (int64_t i = 0; i < n; ++i) {
    CuteIntTuple coord = cuteArithmeticTupleAdd(
        c, coords->tuple, cuteLayoutEval(c, coords->layout, staticInt(c, i)));
    if (!coord)
      return false;
    MlirValue within = {NULL};
    for (size_t j = 1; j < l->op->numOperands; ++j)
      within = isWithin(l, coord, boundOf(l->op, j), j == 2, within);
    if (mlirValueIsNull(within)) // no leaf to compare
      within = cuteBuildInt(&l->builder, 1, 1);
    cuteLoweringStoreElement(l, &predicate, staticInt(c, i), within);
  }
  return cuteLoweringReturnLowered(l, predicate);
}

//===-- make_counts -------------------------------------------------------===//

enum { COUNTED_COPY = 0, COUNTED = 1, COUNT_BOUND = 2, COUNT_LOWER = 3 };

// Coordinates of the first element of each access, as slice gives them.
static CuteType firstCoords(CuteContext c, CuteType copy, CuteType coords) {
  CuteType operands[] = {
      coords, cuteTypeGetTuple(c, CUTE_TYPE_COORD,
                               cuteCopyGetFirstOfAccesses(c, copy, CUTE_SOURCE,
                                                          coords->layout))};
  CuteOp slice = {.context = c, .numOperands = 2, .operands = operands};
  return cuteOpInferSlice(&slice) ? slice.results[0] : NULL;
}

// Computes how far the last element of an access is from its first, leaf by
// leaf.
static CuteIntTuple stepOf(CuteContext c, CuteType coords, int64_t values) {
  CuteIntTuple zero = cuteIntTupleRepeatLike(c, staticInt(c, 0), coords->tuple);
  struct CuteTrace *trace = cuteTracePause(c);
  CuteIntTuple last =
      cuteLayoutEval(c, coords->layout, staticInt(c, values - 1));
  cuteTraceResume(c, trace);
  return zero && last ? cuteArithmeticTupleAdd(c, zero, last) : NULL;
}

// Counts the leaves along which elements lie side by side, and others along
// which they lie anyhow.
static void countSteps(CuteIntTuple step, int64_t values, int *runs,
                       int *others) {
  if (isTuple(step)) {
    for (size_t i = 0; i < step->rank; ++i)
      countSteps(element(step, i), values, runs, others);
    return;
  }
  *runs += isStaticValue(step, values - 1);
  *others += !isStaticValue(step, values - 1) && !isStaticValue(step, 0);
}

// Tells whether the elements of an access lie side by side along one leaf.
static bool isRun(CuteIntTuple step, int64_t values) {
  int runs = 0, others = 0;
  countSteps(step, values, &runs, &others);
  return values > 1 && runs == 1 && !others;
}

static bool inferMakeCounts(CuteOp *op) {
  CuteContext c = op->context;
  CuteType copy = op->operands[COUNTED_COPY], coords = op->operands[COUNTED];
  int64_t values = cuteCopyAtomValues(c, copy, CUTE_SOURCE);
  if (coords->layout->shape->numDynamic)
    return failOpen(c, coords->layout->shape);
  CuteIntTuple step = stepOf(c, coords, values),
               bound = boundOf(op, COUNT_BOUND);
  if (!step)
    return false;
  if (!cuteIntTupleIsCongruent(step, bound) || bound->flags)
    return cuteFailTuples(c, "the bound ", bound,
                          " is not congruent to the coordinates, such as ",
                          step);
  if (op->numOperands > COUNT_LOWER &&
      !cuteIntTupleIsCongruent(step, boundOf(op, COUNT_LOWER)))
    return cuteFailTuples(c, "the lower bound ", boundOf(op, COUNT_LOWER),
                          " is not congruent to the coordinates, such as ",
                          step);
  if (!isRun(step, values))
    return cuteFailTuple(c,
                         "an access must cover several contiguous elements; "
                         "from its first to its last the coordinate grows by ",
                         step);
  CuteType first = firstCoords(c, copy, coords);
  CuteLayout layout =
      first ? cuteLayoutGet(c, first->layout->shape, NULL) : NULL;
  return layout &&
         cuteOpPushResult(
             op, cuteTypeGetTensor(c, CUTE_ELEMENT_I8, CUTE_RMEM, 16, layout));
}

typedef struct Count {
  CuteLowering *lowering;
  int64_t values;
  MlirValue within; // whether the first element is
  MlirValue left;   // i32: how many are, then
} Count;

static void countLeaves(Count *count, CuteIntTuple coord, CuteIntTuple step,
                        CuteIntTuple bound) {
  if (isTuple(coord)) {
    for (size_t i = 0; i < coord->rank; ++i)
      countLeaves(count, element(coord, i), element(step, i),
                  element(bound, i));
    return;
  }
  const CuteBuilder *b = &count->lowering->builder;
  count->within = both(count->lowering, count->within,
                       cuteLoweringCompareLess(count->lowering, coord, bound));
  if (isStaticValue(step, 0))
    return;
  MlirValue left = subi(b, cuteLoweringGetInteger(count->lowering, bound, 64),
                        cuteLoweringGetInteger(count->lowering, coord, 64));
  MlirValue most = cuteBuildWith(b, "arith.minsi", left, count->values);
  count->left = trunci(b, most, cuteIntType(b, 8));
}

static bool lowerMakeCounts(CuteLowering *l) {
  CuteContext c = l->context;
  if (!cuteOpInfer(l->op))
    return false;
  const CuteBuilder *b = &l->builder;
  CuteType copy = l->op->operands[COUNTED_COPY], type = l->op->results[0];
  CuteType first = firstCoords(c, copy, l->op->operands[COUNTED]);
  int64_t values = cuteCopyAtomValues(c, copy, CUTE_SOURCE);
  CuteIntTuple step = stepOf(c, l->op->operands[COUNTED], values);
  if (!first || !step)
    return false;
  CuteLowered counts = cuteLoweringAllocate(l, type);
  int64_t n = cuteIntTupleProduct(c, type->layout->shape)->value;
  for (int64_t i = 0; i < n; ++i) {
    CuteIntTuple coord = cuteArithmeticTupleAdd(
        c, first->tuple, cuteLayoutEval(c, first->layout, staticInt(c, i)));
    if (!coord)
      return false;
    Count count = {.lowering = l, .values = values};
    if (l->op->numOperands > COUNT_LOWER)
      count.within =
          isWithin(l, coord, boundOf(l->op, COUNT_LOWER), true, count.within);
    countLeaves(&count, coord, step, boundOf(l->op, COUNT_BOUND));
    cuteLoweringStoreElement(
        l, &counts, staticInt(c, i),
        cuteBuildSelect(b, count.within, count.left, cuteBuildInt(b, 8, 0)));
  }
  return cuteLoweringReturnLowered(l, counts);
}

//===-- combine_predicates ------------------------------------------------===//

// The ops of arith for the declared kinds.
static const char *const combinations[] = {"arith.andi", "arith.ori",
                                           "arith.xori"};

static bool inferCombinePredicates(CuteOp *op) {
  CuteContext c = op->context;
  CuteIntTuple shape = op->operands[0]->layout->shape;
  for (size_t i = 0; i < op->numOperands; ++i) {
    CuteType type = op->operands[i];
    if (type->element != CUTE_ELEMENT_I1 || type->space != CUTE_RMEM)
      return cuteFail(
          c, "operand #%zu is not a predicate, a tensor of i1 in rmem", i);
    if (type->layout->shape != shape)
      return cuteFailTuples(c, "the predicates have the shapes ", shape,
                            " and ", type->layout->shape);
  }
  return cuteOpPushResult(op, predicateOf(c, shape));
}

static bool lowerCombinePredicates(CuteLowering *l) {
  CuteContext c = l->context;
  const CuteBuilder *b = &l->builder;
  if (!cuteOpInfer(l->op))
    return false;
  CuteType type = l->op->results[0];
  const char *name = combinations[cuteOpGetWord(l->op, "kind")];
  const CuteLowered *operands[] = {cuteLoweringGetLowered(l, 0),
                                   cuteLoweringGetLowered(l, 1)};
  CuteLowered result = cuteLoweringAllocate(l, type);
  int64_t n = cuteIntTupleProduct(c, type->layout->shape)->value;
  for (int64_t i = 0; i < n; ++i) {
    MlirValue x = cuteLoweringLoadElement(l, operands[0], staticInt(c, i));
    MlirValue y = cuteLoweringLoadElement(l, operands[1], staticInt(c, i));
    MlirValue value = cuteBuildBinary(b, name, x, y);
    cuteLoweringStoreElement(l, &result, staticInt(c, i), value);
  }
  return cuteLoweringReturnLowered(l, result);
}

//===-- predicated_tile_s, predicated_tile_d ------------------------------===//

// The one result of another op with the attributes of this one, or null.
static CuteType inferAs(CuteOp *op, CuteInferFunction *infer, size_t n,
                        const CuteType *operands) {
  CuteOp other = {.context = op->context,
                  .decl = op->decl,
                  .numOperands = n,
                  .operands = operands,
                  .numAttributes = op->numAttributes,
                  .attributes = op->attributes};
  return infer(&other) ? other.results[0] : NULL;
}

enum { COPY = 0, TENSOR = 1, TILER = 2, COORD = 3, THREAD = 4, ORIGIN = 5 };

// The part that the thread has of the tile of a tensor, or null.
static CuteType partOf(CuteOp *op, CuteCopySide side, CuteType tensor) {
  if (op->numOperands > ORIGIN) {
    CuteType moved[] = {op->operands[ORIGIN], tensor};
    tensor = inferAs(op, cuteOpInferDomainOffset, 2, moved);
  }
  if (!tensor)
    return NULL;
  CuteType tiled[] = {tensor, op->operands[TILER], op->operands[COORD]};
  CuteType tile = inferAs(op, cuteOpInferLocalTile, 3, tiled);
  if (!tile)
    return NULL;
  CuteType part[] = {op->operands[COPY], tile, op->operands[THREAD]};
  return inferAs(
      op, side == CUTE_SOURCE ? cuteOpInferPartitionS : cuteOpInferPartitionD,
      3, part);
}

CuteIntTuple cuteCopyGetFirstOfAccesses(CuteContext c, CuteType copy,
                                        CuteCopySide side, CuteLayout part) {
  CuteIntTuple all = cuteIntTupleGetUnderscore(c), zero = staticInt(c, 0);
  CuteIntTuple shape = part->shape;
  size_t rank = isTuple(shape) ? shape->rank : 1;
  CuteIntTuple *coord = cuteScratch(c, rank * sizeof *coord);
  int64_t values = cuteCopyAtomValues(c, copy, side);
  CuteIntTuple mode = isTuple(shape) ? shape->elements[0] : shape;
  CuteIntTuple accesses[] = {zero, all};
  bool isWhole = isStaticValue(cuteIntTupleProduct(c, mode), values) ||
                 !isTuple(mode) || mode->rank != 2;
  coord[0] = isWhole ? zero : cuteInternTuple(c, 2, accesses);
  for (size_t i = 1; i < rank; ++i)
    coord[i] = all;
  return isTuple(shape) ? cuteInternTuple(c, rank, coord) : coord[0];
}

// Tells whether the leaf along which the elements of an access lie is not known
// to begin and end at multiples of them.
static bool mayEndWithin(CuteIntTuple coord, CuteIntTuple step,
                         CuteIntTuple bound, int64_t values) {
  if (!isTuple(step))
    return !isStaticValue(step, 0) &&
           (cuteLeafDivisor(coord) % values || cuteLeafDivisor(bound) % values);
  for (size_t i = 0; i < step->rank; ++i)
    if (mayEndWithin(element(coord, i), element(step, i), element(bound, i),
                     values))
      return true;
  return false;
}

bool cuteCopyTakesCounts(CuteContext c, CuteType copy, CuteCopySide side,
                         CuteType coords, CuteType tensor) {
  const CuteCopyAtom *atom = copy->atom;
  int64_t values = cuteCopyAtomValues(c, copy, side);
  if (side != CUTE_SOURCE || !atom->zeroFill || values < 2 ||
      coords->layout->shape->numDynamic)
    return false;
  CuteIntTuple step = stepOf(c, coords, values);
  CuteIntTuple bound = tensor->layout->shape;
  return step && cuteIntTupleIsCongruent(step, bound) && isRun(step, values) &&
         mayEndWithin(coords->tuple, step, bound, values);
}

// Zero for each leaf of an origin that may be less, `_` for the others.
static CuteIntTuple lowerOf(CuteContext c, CuteIntTuple origin, bool *any) {
  if (!isTuple(origin)) {
    bool mayBeLess = !isStatic(origin) || origin->value < 0;
    *any |= mayBeLess;
    return mayBeLess ? staticInt(c, 0) : cuteIntTupleGetUnderscore(c);
  }
  return CUTE_TUPLE_OF(c, i, origin->rank,
                       lowerOf(c, origin->elements[i], any));
}

CuteType cuteCopyGetLowerBound(CuteContext c, CuteType origin) {
  bool any = false;
  CuteIntTuple lower = lowerOf(c, origin->tuple, &any);
  return any ? cuteTypeGetTuple(c, CUTE_TYPE_COORD, lower) : NULL;
}

static bool inferPredicatedTile(CuteOp *op) {
  CuteCopySide side = (CuteCopySide)op->decl->hooks->variant;
  CuteContext c = op->context;
  CuteType tensor = op->operands[TENSOR];
  CuteType part = partOf(op, side, tensor);
  CuteType identity =
      part ? inferAs(op, cuteOpInferMakeIdentityTensor, 1, &tensor) : NULL;
  CuteType coords = identity ? partOf(op, side, identity) : NULL;
  if (!coords)
    return false;
  if (cuteCopyTakesCounts(c, op->operands[COPY], side, coords, tensor)) {
    CuteType counted[] = {op->operands[COPY], coords, tensor};
    CuteType counts = inferAs(op, inferMakeCounts, 3, counted);
    return counts && cuteOpPushResult(op, part) && cuteOpPushResult(op, counts);
  }
  CuteType slice[] = {coords, cuteTypeGetTuple(c, CUTE_TYPE_COORD,
                                               cuteCopyGetFirstOfAccesses(
                                                   c, op->operands[COPY], side,
                                                   coords->layout))};
  CuteType compared[] = {inferAs(op, cuteOpInferSlice, 2, slice), tensor};
  CuteType predicate =
      compared[0] ? inferAs(op, inferMakePredicate, 2, compared) : NULL;
  return predicate && cuteOpPushResult(op, part) &&
         cuteOpPushResult(op, predicate);
}

const CuteOpHooks cutePredicateOps[] = {
    CUTE_HOOKS("make_predicate", inferMakePredicate, lowerMakePredicate),
    CUTE_HOOKS("make_counts", inferMakeCounts, lowerMakeCounts),
    CUTE_HOOKS("combine_predicates", inferCombinePredicates,
               lowerCombinePredicates),
    CUTE_HOOKS("predicated_tile_s", inferPredicatedTile, cuteLowerUnexpanded,
               .variant = CUTE_SOURCE),
    CUTE_HOOKS("predicated_tile_d", inferPredicatedTile, cuteLowerUnexpanded,
               .variant = CUTE_DESTINATION),
    {.name = NULL},
};
