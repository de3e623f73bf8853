// Ops that rearrange and cut modes.
#include "Ops/ops.h"

static bool inferFlatten(CuteOp *op) {
  CuteType type = op->operands[0];
  if (type->kind == CUTE_TYPE_TILE)
    return cuteOpReturnTile(op, cuteTileFlatten(op->context, type->tile));
  if (cuteTypeIsTuple(type))
    return cuteOpReturnTuple(op, (CuteTypeKind)type->kind,
                             cuteIntTupleFlatten(op->context, type->tuple));
  return cuteOpReturnView(op, cuteLayoutFlatten(op->context, type->layout));
}

static bool inferGroupModes(CuteOp *op) {
  return cuteOpReturnView(
      op, cuteLayoutGroup(op->context, operandLayout(op, 0),
                          cuteOpGetAttribute(op, "begin")->value,
                          cuteOpGetAttribute(op, "end")->value));
}

//===-- slice and dice ----------------------------------------------------===//

bool cuteOpInferSlice(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple coord = operandTuple(op, 1);
  if (cuteTypeIsTuple(type))
    return cuteOpReturnTuple(
        op, (CuteTypeKind)type->kind,
        cuteIntTupleSlice(op->context, type->tuple, coord));
  if (cuteTypeIsLayout(type))
    return cuteOpReturnLayout(
        op, cuteLayoutSlice(op->context, type->layout, coord));
  return cuteOpReturnPartition(
      op, type, cuteLayoutSliceAndOffset(op->context, type->layout, coord));
}

static bool inferDice(CuteOp *op) {
  CuteType type = op->operands[0];
  CuteIntTuple coord = operandTuple(op, 1);
  if (cuteTypeIsTuple(type))
    return cuteOpReturnTuple(op, (CuteTypeKind)type->kind,
                             cuteIntTupleDice(op->context, type->tuple, coord));
  return cuteOpReturnLayout(op,
                            cuteLayoutDice(op->context, type->layout, coord));
}

//===-- append_to_rank and prepend_to_rank --------------------------------===//

static bool checkElement(CuteOp *op) {
  CuteTypeKind kind = operandKind(op, 0), wanted = kind;
  if (kind == CUTE_TYPE_COMPOSED_LAYOUT || kind == CUTE_TYPE_TENSOR ||
      kind == CUTE_TYPE_COORD_TENSOR)
    wanted = CUTE_TYPE_LAYOUT;
  if (operandKind(op, 1) == wanted)
    return true;
  cuteFail(op->context, "the element must be a %s, not a %s",
           cuteTypeKindGetName(wanted),
           cuteTypeKindGetName(operandKind(op, 1)));
  return false;
}

typedef CuteIntTuple TupleToRank(CuteContext c, CuteIntTuple tuple,
                                 int64_t rank, CuteIntTuple element);
typedef CuteLayout LayoutToRank(CuteContext c, CuteLayout layout, int64_t rank,
                                CuteLayout element);

static bool inferToRank(CuteOp *op, TupleToRank *tuple, LayoutToRank *layout) {
  int64_t rank = cuteOpGetAttribute(op, "rank")->value;
  CuteType type = op->operands[0];
  if (!checkElement(op))
    return false;
  if (cuteTypeIsTuple(type))
    return cuteOpReturnTuple(
        op, (CuteTypeKind)type->kind,
        tuple(op->context, type->tuple, rank, operandTuple(op, 1)));
  return cuteOpReturnView(
      op, layout(op->context, type->layout, rank, operandLayout(op, 1)));
}

static bool inferAppendToRank(CuteOp *op) {
  return inferToRank(op, cuteIntTupleAppendToRank, cuteLayoutAppendToRank);
}

static bool inferPrependToRank(CuteOp *op) {
  return inferToRank(op, cuteIntTuplePrependToRank, cuteLayoutPrependToRank);
}

const CuteOpHooks cuteModesOps[] = {
    {.name = "flatten", .infer = inferFlatten},
    {.name = "group_modes", .infer = inferGroupModes},
    {.name = "slice", .infer = cuteOpInferSlice},
    {.name = "dice", .infer = inferDice},
    {.name = "append_to_rank", .infer = inferAppendToRank},
    {.name = "prepend_to_rank", .infer = inferPrependToRank},
    {.name = NULL},
};
