// Rows for any op: what its results are made of, if that is at hand.
#include "Ops/vector.h"
#include "Transforms/rewrite.h"

#include "Ops/ops.h"

//===-- Tuples of integers ------------------------------------------------===//

// An i32 or i64 at hand that is the leaf, or null.
static MlirValue findScalar(const CuteRewrite *r, CuteIntTuple leaf) {
  CuteContext c = r->instance->context;
  CuteIntTuple bare = cuteDynamicLeaf(c, leaf->width, 1, leaf->id);
  return cuteAvailableFindValue(r->available, r->visible,
                                cuteIntType(&r->builder, leaf->width),
                                cuteTypeGetTuple(c, CUTE_TYPE_INT_TUPLE, bare));
}

enum { MAX_MADE = CUTE_NUM_MIXED };

// The lengths of runs of equal types, as the op's loaded form wants them.
static CuteNamedAttribute segmentsOf(const CuteRewrite *r, size_t n,
                                     const MlirValue *operands) {
  int32_t sizes[CUTE_NUM_MIXED] = {0};
  size_t run = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i && !mlirTypeEqual(mlirValueGetType(operands[i]),
                            mlirValueGetType(operands[i - 1])))
      ++run;
    ++sizes[run];
  }
  return (CuteNamedAttribute){
      "operandSegmentSizes",
      mlirDenseI32ArrayGet(r->builder.context, CUTE_NUM_MIXED, sizes)};
}

static bool isMake(const CuteOpDecl *decl) {
  return decl->mixedOperands; // make_shape and its siblings
}

static bool findScalars(const CuteRewrite *r, CuteType type, size_t n,
                        MlirValue *scalars) {
  CuteIntTuple leaves[MAX_MADE];
  cuteTypeGetDynamicLeaves(type, leaves);
  for (size_t i = 0; i < n; ++i) {
    scalars[i] = findScalar(r, leaves[i]);
    if (mlirValueIsNull(scalars[i]))
      return false;
  }
  return true;
}

// A new tuple or tile of integers that are at hand; null if one is not.
static MlirValue makeTuple(CuteRewrite *r, CuteType bound) {
  const MlirValue none = {NULL};
  CuteOpId maker = cuteOpIdGetMaker((CuteTypeKind)bound->kind);
  size_t n = maker == CUTE_NUM_OPS ? 0 : cuteTypeGetNumDynamic(bound);
  MlirValue scalars[MAX_MADE];
  if (!n || n > MAX_MADE || !findScalars(r, bound, n, scalars))
    return none;
  MlirType type = cuteDialectGetMlirType(r->rewriter->numbering.dialect, bound);
  CuteNamedAttribute segments = segmentsOf(r, n, scalars);
  CuteOp instance;
  MlirOperation made =
      cuteRewritePropose(r,
                         (CuteOpSpec){.name = cuteOpIdGetName(maker),
                                      .numOperands = n,
                                      .operands = scalars,
                                      .numResults = 1,
                                      .results = &type,
                                      .numAttributes = 1,
                                      .attributes = &segments},
                         &instance);
  return mlirOperationIsNull(made) || instance.results[0] != bound
             ? none
             : mlirOperationGetResult(made, 0);
}

//===-- Layouts -----------------------------------------------------------===//

static MlirValue makeStatic(CuteRewrite *r, CuteType type) {
  MlirValue value =
      cuteBuildStatic(&r->builder, r->rewriter->numbering.dialect, type);
  if (mlirOperationIsNull(r->first))
    r->first = mlirOpResultGetOwner(value);
  return value;
}

// A value that is at hand, or can be made of what is.
static MlirValue findTuple(CuteRewrite *r, CuteTypeKind kind,
                           CuteIntTuple tuple) {
  CuteType bound = cuteTypeGetTuple(r->instance->context, kind, tuple);
  if (!bound)
    return (MlirValue){NULL};
  MlirValue value = cuteAvailableFindValue(
      r->available, r->visible,
      cuteDialectGetMlirType(r->rewriter->numbering.dialect, bound), bound);
  if (!mlirValueIsNull(value))
    return value;
  return cuteTypeIsStatic(bound) ? makeStatic(r, bound) : makeTuple(r, bound);
}

// Ops that rearrange modes cost nothing, so theirs stay.
static bool computesLayout(const CuteOpDecl *decl) {
  return (cuteTextEquals(decl->group, "LayoutAlgebra") ||
          cuteTextEquals(decl->group, "Tiling") ||
          cuteTextEquals(decl->group, "Construction")) &&
         decl->id != CUTE_OP_MAKE_LAYOUT;
}

static MlirValue makeLayout(CuteRewrite *r, CuteType bound) {
  const MlirValue none = {NULL};
  if (!computesLayout(r->instance->decl) || bound->kind != CUTE_TYPE_LAYOUT)
    return none;
  MlirValue parts[2];
  parts[0] = findTuple(r, CUTE_TYPE_SHAPE, bound->layout->shape);
  if (mlirValueIsNull(parts[0]))
    return none;
  parts[1] = findTuple(r, CUTE_TYPE_STRIDE, bound->layout->stride);
  if (mlirValueIsNull(parts[1]))
    return none;
  CuteOp instance;
  MlirOperation made = cuteRewritePropose(
      r,
      (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_MAKE_LAYOUT),
                   .numOperands = 2,
                   .operands = parts},
      &instance);
  return mlirOperationIsNull(made) || instance.results[0] != bound
             ? none
             : mlirOperationGetResult(made, 0);
}

//===-- Rows --------------------------------------------------------------===//

static bool makeResult(CuteRewrite *r, size_t i) {
  CuteType bound = r->instance->results[i];
  MlirValue result = mlirOperationGetResult(r->op, (intptr_t)i);
  if (r->instance->written[i]->kind != bound->kind ||
      mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
    return false;
  MlirValue made = bound->kind == CUTE_TYPE_LAYOUT ? makeLayout(r, bound)
                                                   : makeTuple(r, bound);
  if (mlirValueIsNull(made) ||
      !mlirTypeEqual(mlirValueGetType(made), mlirValueGetType(result)))
    return false;
  mlirValueReplaceAllUsesOfWith(result, made);
  return true;
}

// Law: a tuple or tile is its type and its dynamic leaves: where all of them
// are at hand as integers it is made of those. A layout is its shape and its
// stride.
bool cuteRewriteMakeOfScalars(CuteRewrite *r) {
  if (isMake(r->instance->decl))
    return false;
  bool any = false;
  for (size_t i = 0; i < r->instance->numResults; ++i)
    any |= makeResult(r, i);
  return any;
}

// Law: comparisons are of integers, so those of equal integers, and of static
// ones, are known.
bool cuteRewriteDecideComparison(CuteRewrite *r) {
  int truth = cuteOpDecideComparison(r->instance);
  if (truth < 0)
    return false;
  MlirValue value = cuteBuildInt(&r->builder, 1, truth);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->op, 0), value);
  r->first = mlirOpResultGetOwner(value);
  return true;
}

// Law: a value with a static type is what the type spells, and so is an integer
// that get_scalars takes from a static leaf.
static MlirValue staticResult(CuteRewrite *r, size_t i) {
  CuteType bound = r->instance->results[i];
  if (!cuteTypeIsStatic(bound))
    return (MlirValue){NULL};
  if (r->instance->written[i]->kind != CUTE_TYPE_FOREIGN)
    return cuteBuildStatic(&r->builder, r->rewriter->numbering.dialect, bound);
  unsigned width = cuteTypeGetIntegerWidth(r->instance->written[i]);
  return cuteBuildInt(&r->builder, width, bound->tuple->value);
}

bool cuteRewriteFoldStaticResults(CuteRewrite *r) {
  if (r->instance->decl->id == CUTE_OP_STATIC)
    return false;
  for (size_t i = 0; i < r->instance->numResults; ++i) {
    MlirValue result = mlirOperationGetResult(r->op, (intptr_t)i);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(result)))
      continue;
    MlirValue value = staticResult(r, i);
    if (mlirValueIsNull(value))
      continue;
    mlirValueReplaceAllUsesOfWith(result, value);
    if (mlirOperationIsNull(r->first))
      r->first = mlirOpResultGetOwner(value);
  }
  return !mlirOperationIsNull(r->first);
}

// Law: choosing all elements of a vector in their order gives the vector.
bool cuteRewriteDropChoice(CuteRewrite *r) {
  CuteOp instance = *r->instance;
  if (!cuteVectorOpIsIdentity(&instance))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->op, 0),
                                mlirOperationGetOperand(r->op, 0));
  return true;
}
