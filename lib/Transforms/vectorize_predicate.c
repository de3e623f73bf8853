// Predicates of accesses that several accesses have become.
#include "Transforms/vectorize.h"

typedef struct Predicate {
  CuteContext context;
  CuteLayout layout; // of the fragment
  // Operands of the make_predicate that it comes from; null where there is
  // none.
  CuteLayout coords;
  CuteIntTuple origin, bounds[2];
  size_t numBounds;
  MlirOperation op;
} Predicate;

static Predicate describe(CuteDialect *dialect, MlirValue value) {
  CuteType type = cuteDialectGetValueType(dialect, value);
  Predicate p = {.context = dialect->context, .layout = type->layout};
  if (mlirValueIsABlockArgument(value) ||
      !cuteDialectIsOp(dialect, mlirOpResultGetOwner(value),
                       CUTE_OP_MAKE_PREDICATE))
    return p;
  MlirOperation op = mlirOpResultGetOwner(value);
  CuteType coords = cuteDialectGetOperandType(dialect, op, 0);
  p.op = op;
  p.coords = coords->layout;
  p.origin = coords->tuple;
  p.numBounds = (size_t)mlirOperationGetNumOperands(op) - 1;
  for (size_t i = 0; i < p.numBounds; ++i) {
    CuteType bound = cuteDialectGetOperandType(dialect, op, (intptr_t)i + 1);
    p.bounds[i] =
        bound->kind == CUTE_TYPE_TENSOR ? bound->layout->shape : bound->tuple;
  }
  return p;
}

static int64_t floorDivide(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

// Tells whether origin + x and origin + y are both below the bound or both not.
// Law: if d divides origin and bound, origin + x < bound depends on x/d only.
static bool agree(CuteIntTuple x, CuteIntTuple y, CuteIntTuple origin,
                  CuteIntTuple bound) {
  if (x == y || isUnderscore(bound))
    return true;
  if (isTuple(x) || isTuple(y)) {
    if (!isTuple(x) || !isTuple(y) || !isTuple(origin) || !isTuple(bound) ||
        x->rank != y->rank || origin->rank != x->rank || bound->rank != x->rank)
      return false;
    for (size_t i = 0; i < x->rank; ++i)
      if (!agree(element(x, i), element(y, i), element(origin, i),
                 element(bound, i)))
        return false;
    return true;
  }
  if (!isStatic(x) || !isStatic(y) || isTuple(origin) || isTuple(bound))
    return false;
  int64_t d = gcd(cuteLeafDivisor(origin), cuteLeafDivisor(bound));
  return d && floorDivide(x->value, d) == floorDivide(y->value, d);
}

// Tells whether accesses a and b have the same predicate, always.
static bool isSame(const Predicate *p, int64_t a, int64_t b) {
  CuteContext c = p->context;
  if (a == b)
    return true;
  if (!p->coords) {
    CuteIntTuple at = cuteLayoutEval(c, p->layout, staticInt(c, a));
    return at && at == cuteLayoutEval(c, p->layout, staticInt(c, b));
  }
  CuteIntTuple x = cuteLayoutEval(c, p->coords, staticInt(c, a));
  CuteIntTuple y = cuteLayoutEval(c, p->coords, staticInt(c, b));
  bool ok = x && y;
  for (size_t i = 0; ok && i < p->numBounds; ++i)
    ok = agree(x, y, p->origin, p->bounds[i]);
  return ok;
}

// The number in the old order of an element in the new one.
static int64_t oldIndex(const CuteVectorModes *modes, int64_t index) {
  int64_t coord[CUTE_MAX_VECTOR_MODES], old = 0;
  for (size_t i = 0; i < modes->count; ++i) {
    int64_t extent = modes->leaves[0].extents[modes->order[i]];
    coord[modes->order[i]] = index % extent;
    index /= extent;
  }
  for (size_t i = modes->count; i-- > 0;)
    old = old * modes->leaves[0].extents[i] + coord[i];
  return old;
}

// Fills for each new access the old one whose predicate it takes.
static bool findSources(const Predicate *p, const CuteVectorModes *modes,
                        int64_t before, int64_t values, int64_t count,
                        int64_t *sources) {
  for (int64_t i = 0; i < count; ++i) {
    sources[i] = oldIndex(modes, i * values) / before;
    for (int64_t v = 1; v < values; ++v)
      if (!isSame(p, sources[i], oldIndex(modes, i * values + v) / before))
        return false;
  }
  return true;
}

// A fragment of `count` predicates: elements `sources` of the old one.
static MlirValue gather(CuteRebuild *r, MlirValue predicate, int64_t count,
                        const int64_t *sources) {
  CuteContext c = r->dialect->context;
  MlirOperation load =
      cuteRebuildCreate(r, CUTE_OP_LOAD_VECTOR, 1, &predicate, 0, NULL);
  if (r->failed)
    return predicate;
  MlirValue vector = mlirOperationGetResult(load, 0);
  MlirValue chosen = cuteBuildVectorShuffle(r->builder, vector, count, sources);
  MlirValue layout = cuteBuildStatic(
      r->builder, r->dialect,
      cuteTypeGetLayout(c, cuteLayoutGet(c, staticInt(c, count), NULL)));
  CuteNamedAttribute element = {"element",
                                mlirTypeAttrGet(cuteIntType(r->builder, 1))};
  MlirOperation fragment =
      cuteRebuildCreate(r, CUTE_OP_MAKE_FRAGMENT, 1, &layout, 1, &element);
  if (r->failed)
    return predicate;
  MlirValue operands[] = {chosen, mlirOperationGetResult(fragment, 0)};
  cuteRebuildCreate(r, CUTE_OP_STORE_VECTOR, 2, operands, 0, NULL);
  return operands[1];
}

// The predicates of the first coordinates of the accesses, where there is one
// for each element so far.
static MlirValue makeOfFirst(CuteRebuild *r, const Predicate *p,
                             const CuteVectorModes *modes,
                             const CuteLeaves *leaves, int64_t values) {
  CuteContext c = p->context;
  CuteIntTuple all = cuteIntTupleGetUnderscore(c);
  CuteIntTuple first[] = {staticInt(c, 0), all};
  CuteIntTuple coord[CUTE_MAX_VECTOR_MODES] = {cuteInternTuple(c, 2, first)};
  size_t rank = 1 + modes->count - modes->numTogether;
  for (size_t i = 1; i < rank; ++i)
    coord[i] = all;
  MlirValue view = cuteVectorView(r, modes, leaves,
                                  mlirOperationGetOperand(p->op, 0), values);
  MlirValue operands[3] = {
      cuteRebuildSlice(r, view, cuteInternTuple(c, rank, coord))};
  for (size_t i = 1; i <= p->numBounds; ++i)
    operands[i] = mlirOperationGetOperand(p->op, (intptr_t)i);
  return cuteRebuildCreateValue(r, CUTE_OP_MAKE_PREDICATE, 1 + p->numBounds,
                                operands);
}

// Tells whether the coordinates can be seen as the elements are, so many at a
// time.
static bool haveModes(const Predicate *p, const CuteVectorModes *modes,
                      int64_t values, CuteLeaves *leaves) {
  static const bool inRegisters[] = {false, false};
  if (!p->coords || !cuteLeavesCollect(p->context, p->coords, leaves) ||
      !(modes->isRefined
            ? cuteLeavesRefine(p->context, leaves, &modes->leaves[0])
            : cuteLeavesHaveSameExtents(leaves, &modes->leaves[0])))
    return false;
  CuteVectorModes own = *modes;
  own.leaves[0] = own.leaves[1] = *leaves;
  return cuteVectorModesDivide(&own, inRegisters, values);
}

MlirValue cuteVectorizePredicate(CuteRebuild *r, MlirValue predicate,
                                 const CuteVectorModes *modes, int64_t before,
                                 int64_t values) {
  int64_t size = 1;
  for (size_t i = 0; i < modes->count; ++i)
    size *= modes->leaves[0].extents[i];
  int64_t count = size / values;
  CUTE_FREED int64_t *sources = cuteAllocate((size_t)count * sizeof *sources);
  Predicate p = describe(r->dialect, predicate);
  CuteLeaves leaves;
  MlirValue result = {NULL};
  CuteType type = cuteDialectGetValueType(r->dialect, predicate);
  if (type->element == CUTE_ELEMENT_I1 &&
      findSources(&p, modes, before, values, count, sources))
    result = haveModes(&p, modes, values, &leaves)
                 ? makeOfFirst(r, &p, modes, &leaves, values)
                 : gather(r, predicate, count, sources);
  return result;
}
