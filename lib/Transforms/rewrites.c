#include "Transforms/rewrites.h"

#include "Ops/vector.h"

typedef struct Rewrite {
  CuteRewriter *rewriter;
  const CuteAvailable *available;
  size_t visible;
  MlirOperation op, inner; // inner: what defines operand 0
  const CuteOp *instance;
  CuteBuilder builder;
  MlirOperation first; // the first op of a proposal
} Rewrite;

void cuteRewriterInit(CuteRewriter *rewriter, CuteDialect *dialect) {
  *rewriter = (CuteRewriter){0};
  cuteNumberingInit(&rewriter->numbering, dialect);
}

void cuteRewriterDestroy(CuteRewriter *rewriter) {
  cuteNumberingDestroy(&rewriter->numbering);
  cutePointerMapDestroy(&rewriter->visited);
}

void cuteRewriterMarkVisited(CuteRewriter *rewriter, MlirOperation op) {
  cutePointerMapSet(&rewriter->visited, op.ptr, op.ptr);
}

//===-- Proposals ---------------------------------------------------------===//

static MlirContext contextOf(const Rewrite *r) { return r->builder.context; }

static MlirOperation propose(Rewrite *r, CuteOpSpec spec, CuteOp *instance) {
  MlirOperation op =
      cuteNumberingBuild(&r->rewriter->numbering, &r->builder, spec, instance);
  if (mlirOperationIsNull(r->first))
    r->first = op;
  return op;
}

// Moves the uses of all results to the proposed op if it is equal.
static bool accept(Rewrite *r, MlirOperation proposed, const CuteOp *instance) {
  if (mlirOperationIsNull(proposed) ||
      instance->numResults != r->instance->numResults)
    return false;
  for (size_t i = 0; i < instance->numResults; ++i)
    if (instance->results[i] != r->instance->results[i])
      return false;
  for (size_t i = 0; i < instance->numResults; ++i)
    mlirValueReplaceAllUsesOfWith(
        mlirOperationGetResult(r->op, (intptr_t)i),
        mlirOperationGetResult(proposed, (intptr_t)i));
  return true;
}

// One op with the results' types in the place of this one.
static bool acceptOp(Rewrite *r, CuteOpSpec spec) {
  CuteArena *scratch = &r->instance->context->scratch;
  spec.numResults = r->instance->numResults;
  MlirType *types = cuteArenaAllocate(scratch, spec.numResults * sizeof *types);
  for (size_t i = 0; i < spec.numResults; ++i)
    types[i] = mlirValueGetType(mlirOperationGetResult(r->op, (intptr_t)i));
  spec.results = types;
  CuteOp instance;
  return accept(r, propose(r, spec, &instance), &instance);
}

//===-- Paths of modes ----------------------------------------------------===//

enum { MAX_PATH = 64 };

typedef struct Path {
  size_t count;
  int32_t modes[MAX_PATH];
} Path;

// Appends the mode attribute of an op; false if it is too long.
static bool appendModes(MlirOperation op, Path *path) {
  MlirAttribute mode = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("mode"));
  if (mlirAttributeIsNull(mode))
    return true;
  if (!mlirAttributeIsADenseI32Array(mode))
    return false;
  intptr_t n = mlirDenseArrayGetNumElements(mode);
  if (n > MAX_PATH - (intptr_t)path->count)
    return false;
  for (intptr_t i = 0; i < n; ++i)
    path->modes[path->count++] = mlirDenseI32ArrayGetElement(mode, i);
  return true;
}

static CuteNamedAttribute modeAttribute(const Rewrite *r, const Path *path) {
  return (CuteNamedAttribute){
      "mode",
      mlirDenseI32ArrayGet(contextOf(r), (intptr_t)path->count, path->modes)};
}

static const char *nameOf(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

// The same kind of op on what the inner one takes, with other modes.
static bool acceptPath(Rewrite *r, const Path *path) {
  MlirValue operand = mlirOperationGetOperand(r->inner, 0);
  CuteNamedAttribute mode = modeAttribute(r, path);
  return acceptOp(r, (CuteOpSpec){.name = nameOf(r->op),
                                  .numOperands = 1,
                                  .operands = &operand,
                                  .numAttributes = 1,
                                  .attributes = &mode});
}

// Law: f<p>(get<q>(x)) = f<q p>(x), as a path is followed mode by mode.
static bool joinPaths(Rewrite *r) {
  Path path = {0};
  return appendModes(r->inner, &path) && appendModes(r->op, &path) &&
         acceptPath(r, &path);
}

static bool isIndexOf(const Path *path, int32_t i) {
  return i >= 0 && (size_t)i < path->count;
}

// Law: f<i p>(select<s>(x)) = f<s[i] p>(x), as mode i of the selection is mode
// s[i].
static bool lookThroughSelect(Rewrite *r) {
  Path selected = {0}, path = {0};
  if (!appendModes(r->inner, &selected) || !appendModes(r->op, &path) ||
      !path.count || !isIndexOf(&selected, path.modes[0]))
    return false;
  path.modes[0] = selected.modes[path.modes[0]];
  return acceptPath(r, &path);
}

// Law: select<p>(select<s>(x)) = select<s[p[0]], s[p[1]], ...>(x).
static bool joinSelections(Rewrite *r) {
  Path selected = {0}, path = {0};
  if (!appendModes(r->inner, &selected) || !appendModes(r->op, &path))
    return false;
  for (size_t i = 0; i < path.count; ++i) {
    if (!isIndexOf(&selected, path.modes[i]))
      return false;
    path.modes[i] = selected.modes[path.modes[i]];
  }
  return acceptPath(r, &path);
}

//===-- Ops that do not see another ---------------------------------------===//

// Law: f(g(x)) = f(x), where f depends on nothing that g changes. The bound
// types show whether that is so: coalescing two modes of which one is dynamic
// changes no integer, for example, and then size sees no difference.
static bool dropInner(Rewrite *r) {
  if (mlirOperationGetNumOperands(r->op) != 1)
    return false;
  CuteArena *scratch = &r->instance->context->scratch;
  size_t n = (size_t)mlirOperationGetNumAttributes(r->op);
  CuteNamedAttribute *attributes =
      cuteArenaAllocate(scratch, n * sizeof *attributes);
  for (size_t i = 0; i < n; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(r->op, (intptr_t)i);
    attributes[i] = (CuteNamedAttribute){mlirIdentifierStr(named.name).data,
                                         named.attribute};
  }
  MlirValue operand = mlirOperationGetOperand(r->inner, 0);
  return acceptOp(r, (CuteOpSpec){.name = nameOf(r->op),
                                  .numOperands = 1,
                                  .operands = &operand,
                                  .numAttributes = n,
                                  .attributes = attributes});
}

//===-- Layouts of parts --------------------------------------------------===//

static MlirOperation proposeGet(Rewrite *r, intptr_t operand,
                                const CuteNamedAttribute *mode) {
  MlirValue value = mlirOperationGetOperand(r->inner, operand);
  CuteOp instance;
  return propose(r,
                 (CuteOpSpec){.name = "cute.get",
                              .numOperands = 1,
                              .operands = &value,
                              .numAttributes = 1,
                              .attributes = mode},
                 &instance);
}

// Law: get<p>(make_layout(s, d)) = make_layout(get<p>(s), get<p>(d)), as modes
// of a layout are those of its shape and stride.
static bool getOfMakeLayout(Rewrite *r) {
  Path path = {0};
  if (!appendModes(r->op, &path))
    return false;
  CuteNamedAttribute mode = modeAttribute(r, &path);
  MlirOperation shape = proposeGet(r, 0, &mode);
  MlirOperation stride = proposeGet(r, 1, &mode);
  if (mlirOperationIsNull(shape) || mlirOperationIsNull(stride))
    return false;
  MlirValue operands[] = {mlirOperationGetResult(shape, 0),
                          mlirOperationGetResult(stride, 0)};
  return acceptOp(r, (CuteOpSpec){.name = "cute.make_layout",
                                  .numOperands = 2,
                                  .operands = operands});
}

static bool isStaticValueOf(const Rewrite *r, MlirValue value) {
  CuteType type = cuteDialectGetType(r->rewriter->numbering.dialect,
                                     mlirValueGetType(value));
  return type && cuteTypeIsStatic(type);
}

// Law: (a o b) o c = a o (b o c) as functions. With b and c static one
// composition is left; it is the same layout, and not only the same function,
// where both have the same leaves.
static bool composeStaticPart(Rewrite *r) {
  MlirValue b = mlirOperationGetOperand(r->inner, 1);
  MlirValue c = mlirOperationGetOperand(r->op, 1);
  if (!isStaticValueOf(r, b) || !isStaticValueOf(r, c))
    return false;
  CuteOp instance;
  MlirValue parts[] = {b, c};
  MlirOperation joined = propose(r,
                                 (CuteOpSpec){.name = "cute.composition",
                                              .numOperands = 2,
                                              .operands = parts},
                                 &instance);
  if (mlirOperationIsNull(joined))
    return false;
  MlirValue operands[] = {mlirOperationGetOperand(r->inner, 0),
                          mlirOperationGetResult(joined, 0)};
  return acceptOp(r, (CuteOpSpec){.name = "cute.composition",
                                  .numOperands = 2,
                                  .operands = operands});
}

//===-- Any op ------------------------------------------------------------===//

// An i32 or i64 at hand that is the leaf, or null.
static MlirValue findScalar(const Rewrite *r, CuteIntTuple leaf) {
  CuteContext c = r->instance->context;
  CuteIntTuple bare = cuteDynamicLeaf(c, leaf->width, 1, leaf->id);
  return cuteAvailableFindValue(r->available, r->visible,
                                cuteIntType(&r->builder, leaf->width),
                                cuteTypeGetTuple(c, CUTE_TYPE_INT_TUPLE, bare));
}

enum { MAX_MADE = CUTE_NUM_MIXED };

// The lengths of runs of equal types, as the op's loaded form wants them.
static CuteNamedAttribute segmentsOf(const Rewrite *r, size_t n,
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
      mlirDenseI32ArrayGet(contextOf(r), CUTE_NUM_MIXED, sizes)};
}

static bool isMake(const CuteOpDecl *decl) {
  return decl->mixedOperands; // make_shape and its siblings
}

static const char *makeName(CuteType type) {
  static const char *const names[] = {[CUTE_TYPE_INT_TUPLE] =
                                          "cute.make_int_tuple",
                                      [CUTE_TYPE_SHAPE] = "cute.make_shape",
                                      [CUTE_TYPE_STRIDE] = "cute.make_stride",
                                      [CUTE_TYPE_COORD] = "cute.make_coord",
                                      [CUTE_TYPE_TILE] = "cute.make_tile"};
  return type->kind < sizeof names / sizeof *names ? names[type->kind] : NULL;
}

static bool findScalars(const Rewrite *r, CuteType type, size_t n,
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

static bool makeResult(Rewrite *r, size_t i) {
  CuteType bound = r->instance->results[i];
  MlirValue result = mlirOperationGetResult(r->op, (intptr_t)i);
  MlirType type = mlirValueGetType(result);
  const char *name = makeName(bound);
  size_t n = name ? cuteTypeGetNumDynamic(bound) : 0;
  MlirValue scalars[MAX_MADE];
  if (!n || n > MAX_MADE || r->instance->written[i]->kind != bound->kind ||
      mlirOpOperandIsNull(mlirValueGetFirstUse(result)) ||
      !findScalars(r, bound, n, scalars))
    return false;
  CuteNamedAttribute segments = segmentsOf(r, n, scalars);
  CuteOp instance;
  MlirOperation made = propose(r,
                               (CuteOpSpec){.name = name,
                                            .numOperands = n,
                                            .operands = scalars,
                                            .numResults = 1,
                                            .results = &type,
                                            .numAttributes = 1,
                                            .attributes = &segments},
                               &instance);
  if (mlirOperationIsNull(made) || instance.results[0] != bound)
    return false;
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
  return true;
}

// Law: a tuple or tile is its type and its dynamic leaves: where all of them
// are at hand as integers it is made of those.
static bool makeOfScalars(Rewrite *r) {
  if (isMake(r->instance->decl))
    return false;
  bool any = false;
  for (size_t i = 0; i < r->instance->numResults; ++i)
    any |= makeResult(r, i);
  return any;
}

// Law: a value equals itself.
static bool equalToItself(Rewrite *r) {
  if (r->instance->operands[0] != r->instance->operands[1])
    return false;
  MlirValue truth = cuteBuildInt(&r->builder, 1, 1);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->op, 0), truth);
  r->first = mlirOpResultGetOwner(truth);
  return true;
}

// Law: a value with a static type is what the type spells, and so is an integer
// that get_scalars takes from a static leaf.
static MlirValue staticResult(Rewrite *r, size_t i) {
  CuteType bound = r->instance->results[i];
  if (!cuteTypeIsStatic(bound))
    return (MlirValue){NULL};
  if (r->instance->written[i]->kind != CUTE_TYPE_FOREIGN)
    return cuteBuildStatic(&r->builder, r->rewriter->numbering.dialect, bound);
  unsigned width = cuteTypeGetIntegerWidth(r->instance->written[i]);
  return cuteBuildInt(&r->builder, width, bound->tuple->value);
}

static bool foldStaticResults(Rewrite *r) {
  if (cuteTextIs(r->instance->decl->name, "static"))
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
static bool dropChoice(Rewrite *r) {
  CuteOp instance = *r->instance;
  if (!cuteVectorOpIsIdentity(&instance))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(r->op, 0),
                                mlirOperationGetOperand(r->op, 0));
  return true;
}

//===-- The table ---------------------------------------------------------===//

// An op whose operand 0 another op defines; null for any op, and any operand.
// The first row that applies counts.
typedef struct Row {
  const char *op, *inner;
  bool (*apply)(Rewrite *r);
} Row;

static const Row rows[] = {
    {NULL, NULL, foldStaticResults},
    {NULL, NULL, makeOfScalars},
    {"equal", NULL, equalToItself},
    {"slice_vector", NULL, dropChoice},
    {"broadcast_vector", NULL, dropChoice},
    {"gather_vector", NULL, dropChoice},
    {"get", "get", joinPaths},
    {"size", "get", joinPaths},
    {"cosize", "get", joinPaths},
    {"get", "select", lookThroughSelect},
    {"size", "select", lookThroughSelect},
    {"cosize", "select", lookThroughSelect},
    {"select", "select", joinSelections},
    {"get", "make_layout", getOfMakeLayout},
    {"composition", "composition", composeStaticPart},
    {"flatten", "group_modes", dropInner},
    {"coalesce", "flatten", dropInner},
    {"coalesce", "group_modes", dropInner},
    {"coalesce", "coalesce", dropInner},
    {"right_inverse", "flatten", dropInner},
    {"right_inverse", "group_modes", dropInner},
    {"right_inverse", "coalesce", dropInner},
    {"left_inverse", "flatten", dropInner},
    {"left_inverse", "group_modes", dropInner},
    {"left_inverse", "coalesce", dropInner},
    {"complement", "flatten", dropInner},
    {"complement", "group_modes", dropInner},
    {"complement", "coalesce", dropInner},
    {"size", "flatten", dropInner},
    {"size", "group_modes", dropInner},
    {"size", "coalesce", dropInner},
    {"size", "make_layout", dropInner}, // its operand 0 is the shape
    {"size", "get_shape", dropInner},
    {"size", "composed_get_outer", dropInner},
    {"size", "to_shape", dropInner},
    {"size", "to_int_tuple", dropInner},
    {"cosize", "flatten", dropInner},
    {"cosize", "group_modes", dropInner},
    {"cosize", "coalesce", dropInner},
    {"tuple_product", "flatten", dropInner},
    {"get_shape", "composed_get_outer", dropInner},
    {"get_leaves", "flatten", dropInner},
    {"get_scalars", "flatten", dropInner},
    {"get_scalars", "group_modes", dropInner},
    {"get_scalars", "to_int_tuple", dropInner},
    {"get_scalars", "to_shape", dropInner},
    {"get_scalars", "to_stride", dropInner},
    {"get_scalars", "to_coord", dropInner},
};

// The visited op of the dialect that defines operand 0, or null.
static MlirOperation innerOp(const CuteRewriter *rewriter, MlirOperation op) {
  const MlirOperation none = {NULL};
  if (!mlirOperationGetNumOperands(op))
    return none;
  MlirValue operand = mlirOperationGetOperand(op, 0);
  if (!mlirValueIsAOpResult(operand))
    return none;
  MlirOperation inner = mlirOpResultGetOwner(operand);
  return cutePointerMapGet(&rewriter->visited, inner.ptr) ? inner : none;
}

static bool isRowOf(const Row *row, const Rewrite *r,
                    const CuteOpDecl *innerDecl) {
  return (!row->op || cuteTextIs(r->instance->decl->name, row->op)) &&
         (!row->inner ||
          (innerDecl && cuteTextIs(innerDecl->name, row->inner)));
}

MlirOperation cuteRewrite(CuteRewriter *rewriter,
                          const CuteAvailable *available, size_t visible,
                          MlirOperation op, const CuteOp *instance) {
  const MlirOperation none = {NULL};
  Rewrite r = {.rewriter = rewriter,
               .available = available,
               .visible = visible,
               .op = op,
               .inner = innerOp(rewriter, op),
               .instance = instance,
               .builder = cuteBuilderBefore(op)};
  const CuteOpDecl *innerDecl =
      mlirOperationIsNull(r.inner)
          ? NULL
          : cuteDialectGetDecl(rewriter->numbering.dialect, r.inner);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (cuteOperationIsUnused(op))
      return none;
    r.first = none;
    if (isRowOf(&rows[i], &r, innerDecl) && rows[i].apply(&r))
      return r.first;
  }
  return none;
}
