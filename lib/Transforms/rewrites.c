// The table of rewrites.
#include "Transforms/rewrite.h"

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

//===-- The table ---------------------------------------------------------===//

// An op whose operand 0 another op defines; null for any op, and any operand.
// The first row that applies counts.
typedef struct Row {
  const char *op, *inner;
  CuteRewriteRow *apply;
} Row;

static const Row rows[] = {
    {NULL, NULL, cuteRewriteFoldStaticResults},
    {NULL, NULL, cuteRewriteMakeOfScalars},
    {"equal", NULL, cuteRewriteDecideComparison},
    {"elem_less", NULL, cuteRewriteDecideComparison},
    {"slice_vector", NULL, cuteRewriteDropChoice},
    {"broadcast_vector", NULL, cuteRewriteDropChoice},
    {"gather_vector", NULL, cuteRewriteDropChoice},
    {"slice", NULL, cuteRewriteSelectOfSlice},
    {"dice", NULL, cuteRewriteSelectOfDice},
    {"get", "get", cuteRewriteJoinPaths},
    {"size", "get", cuteRewriteJoinPaths},
    {"cosize", "get", cuteRewriteJoinPaths},
    {"get", "select", cuteRewriteLookThroughSelect},
    {"size", "select", cuteRewriteLookThroughSelect},
    {"cosize", "select", cuteRewriteLookThroughSelect},
    {"select", "select", cuteRewriteJoinSelections},
    {"get", "make_layout", cuteRewritePartsOfMakeLayout},
    {"select", "make_layout", cuteRewritePartsOfMakeLayout},
    {"flatten", "make_layout", cuteRewritePartsOfMakeLayout},
    {"get", "logical_divide", cuteRewriteTileOfDivide},
    {"get", "zipped_divide", cuteRewriteTileOfDivide},
    {"get", "tiled_divide", cuteRewriteTileOfDivide},
    {"get_shape", "composition", cuteRewriteSeeSecond},
    {"size", "composition", cuteRewriteSeeSecond},
    {"composition", "composition", cuteRewriteComposeStaticPart},
    {"flatten", "group_modes", cuteRewriteDropInner},
    {"coalesce", "flatten", cuteRewriteDropInner},
    {"coalesce", "group_modes", cuteRewriteDropInner},
    {"coalesce", "coalesce", cuteRewriteDropInner},
    {"right_inverse", "flatten", cuteRewriteDropInner},
    {"right_inverse", "group_modes", cuteRewriteDropInner},
    {"right_inverse", "coalesce", cuteRewriteDropInner},
    {"left_inverse", "flatten", cuteRewriteDropInner},
    {"left_inverse", "group_modes", cuteRewriteDropInner},
    {"left_inverse", "coalesce", cuteRewriteDropInner},
    {"complement", "flatten", cuteRewriteDropInner},
    {"complement", "group_modes", cuteRewriteDropInner},
    {"complement", "coalesce", cuteRewriteDropInner},
    {"size", "flatten", cuteRewriteDropInner},
    {"size", "group_modes", cuteRewriteDropInner},
    {"size", "coalesce", cuteRewriteDropInner},
    {"size", "make_layout", cuteRewriteDropInner}, // its operand 0 is the shape
    {"size", "get_shape", cuteRewriteDropInner},
    {"size", "composed_get_outer", cuteRewriteDropInner},
    {"size", "to_shape", cuteRewriteDropInner},
    {"size", "to_int_tuple", cuteRewriteDropInner},
    {"cosize", "flatten", cuteRewriteDropInner},
    {"cosize", "group_modes", cuteRewriteDropInner},
    {"cosize", "coalesce", cuteRewriteDropInner},
    {"size", "tuple_product_each", cuteRewriteDropInner},
    {"tuple_product", "flatten", cuteRewriteDropInner},
    {"tuple_product", "tuple_product_each", cuteRewriteDropInner},
    {"get_shape", "composed_get_outer", cuteRewriteDropInner},
    {"get_leaves", "flatten", cuteRewriteDropInner},
    {"get_scalars", "flatten", cuteRewriteDropInner},
    {"get_scalars", "group_modes", cuteRewriteDropInner},
    {"get_scalars", "to_int_tuple", cuteRewriteDropInner},
    {"get_scalars", "to_shape", cuteRewriteDropInner},
    {"get_scalars", "to_stride", cuteRewriteDropInner},
    {"get_scalars", "to_coord", cuteRewriteDropInner},
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

static bool isRowOf(const Row *row, const CuteRewrite *r,
                    const CuteOpDecl *innerDecl) {
  return (!row->op || cuteTextEquals(r->instance->decl->name, row->op)) &&
         (!row->inner ||
          (innerDecl && cuteTextEquals(innerDecl->name, row->inner)));
}

MlirOperation cuteRewrite(CuteRewriter *rewriter,
                          const CuteAvailable *available, size_t visible,
                          MlirOperation op, const CuteOp *instance) {
  const MlirOperation none = {NULL};
  CuteRewrite r = {.rewriter = rewriter,
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
