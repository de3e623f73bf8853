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

enum { ANY = CUTE_NUM_OPS };

// An op whose operand 0 another op defines, or ANY. The first row that applies
// counts.
typedef struct Row {
  int op, inner; // CuteOpId or ANY
  CuteRewriteRow *apply;
} Row;

static const Row rows[] = {
    {ANY, ANY, cuteRewriteFoldStaticResults},
    {ANY, ANY, cuteRewriteMakeOfScalars},
    {CUTE_OP_EQUAL, ANY, cuteRewriteDecideComparison},
    {CUTE_OP_ELEM_LESS, ANY, cuteRewriteDecideComparison},
    {CUTE_OP_SLICE_VECTOR, ANY, cuteRewriteDropChoice},
    {CUTE_OP_BROADCAST_VECTOR, ANY, cuteRewriteDropChoice},
    {CUTE_OP_GATHER_VECTOR, ANY, cuteRewriteDropChoice},
    {CUTE_OP_SLICE, ANY, cuteRewriteSelectOfSlice},
    {CUTE_OP_DICE, ANY, cuteRewriteSelectOfDice},
    {CUTE_OP_GET, CUTE_OP_GET, cuteRewriteJoinPaths},
    {CUTE_OP_SIZE, CUTE_OP_GET, cuteRewriteJoinPaths},
    {CUTE_OP_COSIZE, CUTE_OP_GET, cuteRewriteJoinPaths},
    {CUTE_OP_GET, CUTE_OP_SELECT, cuteRewriteLookThroughSelect},
    {CUTE_OP_SIZE, CUTE_OP_SELECT, cuteRewriteLookThroughSelect},
    {CUTE_OP_COSIZE, CUTE_OP_SELECT, cuteRewriteLookThroughSelect},
    {CUTE_OP_SELECT, CUTE_OP_SELECT, cuteRewriteJoinSelections},
    {CUTE_OP_GET, CUTE_OP_MAKE_LAYOUT, cuteRewritePartsOfMakeLayout},
    {CUTE_OP_SELECT, CUTE_OP_MAKE_LAYOUT, cuteRewritePartsOfMakeLayout},
    {CUTE_OP_FLATTEN, CUTE_OP_MAKE_LAYOUT, cuteRewritePartsOfMakeLayout},
    {CUTE_OP_GET, CUTE_OP_LOGICAL_DIVIDE, cuteRewriteTileOfDivide},
    {CUTE_OP_GET, CUTE_OP_ZIPPED_DIVIDE, cuteRewriteTileOfDivide},
    {CUTE_OP_GET, CUTE_OP_TILED_DIVIDE, cuteRewriteTileOfDivide},
    {CUTE_OP_GET_SHAPE, CUTE_OP_COMPOSITION, cuteRewriteSeeSecond},
    {CUTE_OP_SIZE, CUTE_OP_COMPOSITION, cuteRewriteSeeSecond},
    {CUTE_OP_COMPOSITION, CUTE_OP_COMPOSITION, cuteRewriteComposeStaticPart},
    {CUTE_OP_FLATTEN, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_COALESCE, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_COALESCE, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_COALESCE, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_RIGHT_INVERSE, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_RIGHT_INVERSE, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_RIGHT_INVERSE, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_LEFT_INVERSE, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_LEFT_INVERSE, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_LEFT_INVERSE, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_COMPLEMENT, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_COMPLEMENT, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_COMPLEMENT, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_MAKE_LAYOUT,
     cuteRewriteDropInner}, // its operand 0 is the shape
    {CUTE_OP_SIZE, CUTE_OP_GET_SHAPE, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_COMPOSED_GET_OUTER, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_TO_SHAPE, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_TO_INT_TUPLE, cuteRewriteDropInner},
    {CUTE_OP_COSIZE, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_COSIZE, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_COSIZE, CUTE_OP_COALESCE, cuteRewriteDropInner},
    {CUTE_OP_SIZE, CUTE_OP_TUPLE_PRODUCT_EACH, cuteRewriteDropInner},
    {CUTE_OP_TUPLE_PRODUCT, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_TUPLE_PRODUCT, CUTE_OP_TUPLE_PRODUCT_EACH, cuteRewriteDropInner},
    {CUTE_OP_GET_SHAPE, CUTE_OP_COMPOSED_GET_OUTER, cuteRewriteDropInner},
    {CUTE_OP_GET_LEAVES, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_FLATTEN, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_GROUP_MODES, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_TO_INT_TUPLE, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_TO_SHAPE, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_TO_STRIDE, cuteRewriteDropInner},
    {CUTE_OP_GET_SCALARS, CUTE_OP_TO_COORD, cuteRewriteDropInner},
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
  return (row->op == ANY || row->op == (int)r->instance->decl->id) &&
         (row->inner == ANY || (innerDecl && row->inner == (int)innerDecl->id));
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
    if (!cuteMlirIsUsed(op))
      return none;
    r.first = none;
    if (isRowOf(&rows[i], &r, innerDecl) && rows[i].apply(&r))
      return r.first;
  }
  return none;
}
