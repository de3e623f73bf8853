// Ops that rearrange and cut modes.
#include "Ops/ops.h"

CUTE_INFER_BY_KIND(inferFlatten, cuteIntTupleFlatten(c, TUPLE(0)),
                   cuteTileFlatten(c, TILE(0)),
                   cuteLayoutFlatten(c, LAYOUT(0)));

static size_t rankOf(CuteType type) {
  return type->kind == CUTE_TYPE_TILE ? type->tile->rank
         : cuteTypeIsTuple(type)      ? type->tuple->rank
                                      : type->layout->shape->rank;
}

static int64_t endOf(const CuteOp *op) {
  const CuteAttribute *end = cuteOpGetAttribute(op, "end");
  return end ? end->value : (int64_t)rankOf(op->operands[0]);
}

CUTE_INFER_BY_KIND(inferGroup,
                   cuteIntTupleGroup(c, TUPLE(0), NUMBER("begin"), endOf(op)),
                   cuteTileGroup(c, TILE(0), NUMBER("begin"), endOf(op)),
                   cuteLayoutGroup(c, LAYOUT(0), NUMBER("begin"), endOf(op)));

//===-- slice and dice ----------------------------------------------------===//

bool cuteOpInferSlice(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple coord = operandTuple(op, 1);
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(
        op, cuteIntTupleSlice(op->context, type->tuple, coord));
  if (cuteTypeIsLayout(type))
    return cuteOpReturnLayout(
        op, cuteLayoutSlice(op->context, type->layout, coord));
  return cuteOpReturnPartition(
      op, type, cuteLayoutSliceAndOffset(op->context, type->layout, coord));
}

CUTE_INFER_BY_KIND(inferDice, cuteIntTupleDice(c, TUPLE(0), TUPLE(1)), NULL,
                   cuteLayoutDice(c, LAYOUT(0), TUPLE(1)));

static bool inferSliceAndOffset(CuteOp *op) {
  CutePartition part = cuteLayoutSliceAndOffset(
      op->context, operandLayout(op, 0), operandTuple(op, 1));
  return cuteOpReturnLayout(op, part.layout) &&
         cuteOpReturnTuple(op, CUTE_TYPE_INT_TUPLE, part.offset);
}

//===-- Leaves ------------------------------------------------------------===//

static bool inferFront(CuteOp *op) {
  CuteType type = op->operands[0];
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(op, cuteIntTupleFront(op->context, type->tuple));
  size_t depth = 0;
  for (CuteIntTuple at = type->layout->shape; isTuple(at) && at->rank;
       at = at->elements[0])
    ++depth;
  int32_t *zeros = cuteScratch(op->context, (depth + 1) * sizeof *zeros);
  memset(zeros, 0, (depth + 1) * sizeof *zeros);
  return cuteOpReturnView(
      op, cuteLayoutGetAt(op->context, type->layout, depth, zeros));
}

CUTE_INFER(inferFind, cuteOpReturnTuple, CUTE_TYPE_INT_TUPLE,
           cuteIntTupleFind(c, TUPLE(0), TUPLE(1), NULL, NULL));

// A tuple, or an integer as a leaf.
static CuteIntTuple tupleOrLeaf(const CuteOp *op, size_t i) {
  return operandKind(op, i) == CUTE_TYPE_FOREIGN ? cuteOpGetIndex(op, i)
                                                 : operandTuple(op, i);
}

static bool inferRepeatLike(CuteOp *op) {
  CuteTypeKind kind = operandKind(op, 0);
  CuteIntTuple x = tupleOrLeaf(op, 0);
  return x && cuteOpReturnTuple(
                  op, kind == CUTE_TYPE_FOREIGN ? CUTE_TYPE_INT_TUPLE : kind,
                  cuteIntTupleRepeatLike(op->context, x,
                                         cuteTypeGetShape(op->operands[1])));
}

//===-- append and prepend, to a rank or by one mode ----------------------===//

static bool checkElement(CuteOp *op) {
  CuteTypeKind kind = operandKind(op, 0), wanted = kind;
  if (kind == CUTE_TYPE_COMPOSED_LAYOUT || kind == CUTE_TYPE_TENSOR ||
      kind == CUTE_TYPE_COORD_TENSOR)
    wanted = CUTE_TYPE_LAYOUT;
  if (operandKind(op, 1) == wanted)
    return true;
  bool isInteger = operandKind(op, 1) == CUTE_TYPE_FOREIGN;
  return cuteFail(op->context, "the element must be a %s, not %s%s",
                  cuteTypeKindGetName(wanted), isInteger ? "an integer" : "a ",
                  isInteger ? "" : cuteTypeKindGetName(operandKind(op, 1)));
}

typedef CuteIntTuple TupleToRank(CuteContext c, CuteIntTuple tuple,
                                 int64_t rank, CuteIntTuple element);
typedef CuteLayout LayoutToRank(CuteContext c, CuteLayout layout, int64_t rank,
                                CuteLayout element);

typedef CuteTile TileToRank(CuteContext c, CuteTile tile, int64_t rank,
                            CuteTile element);

// Adds modes at one end.
typedef struct Extension {
  TupleToRank *tuple;
  LayoutToRank *layout;
  TileToRank *tile;
} Extension;

static const Extension atEnd = {cuteIntTupleAppendToRank,
                                cuteLayoutAppendToRank, cuteTileAppendToRank};
static const Extension atFront = {
    cuteIntTuplePrependToRank, cuteLayoutPrependToRank, cuteTilePrependToRank};

static bool extend(CuteOp *op, int64_t rank, const Extension *by) {
  CuteType type = op->operands[0];
  if (type->kind == CUTE_TYPE_TILE)
    return cuteOpReturnTile(
        op, by->tile(op->context, type->tile, rank, cuteOpGetTiler(op, 1)));
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(
        op, by->tuple(op->context, type->tuple, rank, tupleOrLeaf(op, 1)));
  return cuteOpReturnView(
      op, by->layout(op->context, type->layout, rank, operandLayout(op, 1)));
}

static bool inferAppendToRank(CuteOp *op) {
  return checkElement(op) &&
         extend(op, cuteOpGetAttribute(op, "rank")->value, &atEnd);
}

static bool inferPrependToRank(CuteOp *op) {
  return checkElement(op) &&
         extend(op, cuteOpGetAttribute(op, "rank")->value, &atFront);
}

// Tells whether x can be extended by the element: kinds of integers mix, and a
// tiler takes layouts.
static bool suits(CuteType x, CuteType element) {
  if (cuteTypeIsTuple(x))
    return cuteTypeIsTuple(element) || element->kind == CUTE_TYPE_FOREIGN;
  return element->kind == CUTE_TYPE_LAYOUT ||
         (x->kind == CUTE_TYPE_TILE && element->kind == CUTE_TYPE_TILE);
}

// Adds one mode where no rank is named; no rank is below the operand's.
static bool inferExtension(CuteOp *op, const Extension *by) {
  if (!suits(op->operands[0], op->operands[1]))
    return checkElement(op);
  const CuteAttribute *named = cuteOpGetAttribute(op, "rank");
  int64_t rank = (int64_t)rankOf(op->operands[0]);
  if (!named || named->value >= rank)
    return extend(op, named ? named->value : rank + 1, by);
  return cuteFail(op->context, "rank %jd is less than the operand's rank %jd",
                  named->value, rank);
}

static bool inferAppend(CuteOp *op) { return inferExtension(op, &atEnd); }
static bool inferPrepend(CuteOp *op) { return inferExtension(op, &atFront); }

//===-- replace, unflatten, zip ------------------------------------------===//

static bool inferReplace(CuteOp *op) {
  CuteContext c = op->context;
  CuteType type = op->operands[0];
  int64_t index = cuteOpGetAttribute(op, "index")->value;
  if (!suits(type, op->operands[1]))
    return checkElement(op);
  if (cuteTypeIsTuple(type))
    return cuteOpReturnAlike(
        op, cuteIntTupleReplace(c, type->tuple, index, tupleOrLeaf(op, 1)));
  return cuteOpReturnView(
      op, cuteLayoutReplace(c, type->layout, index, operandLayout(op, 1)));
}

CUTE_INFER_BY_KIND(
    inferUnflatten,
    cuteIntTupleUnflatten(c, TUPLE(0), cuteTypeGetShape(op->operands[1])), NULL,
    cuteLayoutUnflatten(c, LAYOUT(0), cuteTypeGetShape(op->operands[1])));

static bool inferZip(CuteOp *op) {
  CuteContext c = op->context;
  CuteType a = op->operands[0], b = op->operands[1];
  if (!suits(a, b) || b->kind == CUTE_TYPE_FOREIGN)
    return checkElement(op);
  if (cuteTypeIsTuple(a))
    return cuteOpReturnAlike(op, cuteIntTupleZip(c, a->tuple, b->tuple));
  return cuteOpReturnLayout(op, cuteLayoutZip(c, a->layout, b->layout));
}

const CuteOpHooks cuteModesOps[] = {
    CUTE_HOOKS("flatten", inferFlatten),
    CUTE_HOOKS("group_modes", inferGroup),
    CUTE_HOOKS("group", inferGroup),
    CUTE_HOOKS("slice", cuteOpInferSlice),
    CUTE_HOOKS("dice", inferDice),
    CUTE_HOOKS("append_to_rank", inferAppendToRank),
    CUTE_HOOKS("prepend_to_rank", inferPrependToRank),
    CUTE_HOOKS("append", inferAppend),
    CUTE_HOOKS("prepend", inferPrepend),
    CUTE_HOOKS("front", inferFront),
    CUTE_HOOKS("find", inferFind),
    CUTE_HOOKS("repeat_like", inferRepeatLike),
    CUTE_HOOKS("slice_and_offset", inferSliceAndOffset),
    CUTE_HOOKS("replace", inferReplace),
    CUTE_HOOKS("unflatten", inferUnflatten),
    CUTE_HOOKS("zip", inferZip),
    {.name = NULL},
};
