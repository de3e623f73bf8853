// Rows about layouts: of their parts, of compositions and divisions.
#include "Transforms/rewrite.h"

// The op with its attributes on an operand of the inner one; null if it cannot
// be inferred.
static MlirValue proposeOn(CuteRewrite *r, intptr_t operand) {
  MlirValue value = mlirOperationGetOperand(r->inner, operand);
  CuteNamedAttribute *attributes;
  size_t n = cuteRewriteGetAttributes(r, &attributes);
  CuteOp instance;
  MlirOperation op =
      cuteRewritePropose(r,
                         (CuteOpSpec){.name = cuteMlirGetName(r->op).data,
                                      .numOperands = 1,
                                      .operands = &value,
                                      .numAttributes = n,
                                      .attributes = attributes},
                         &instance);
  return mlirOperationIsNull(op) ? (MlirValue){NULL}
                                 : mlirOperationGetResult(op, 0);
}

// Law: f(make_layout(s, d)) = make_layout(f(s), f(d)), for an f that rearranges
// modes: those of a layout are those of its shape and stride.
bool cuteRewritePartsOfMakeLayout(CuteRewrite *r) {
  if (mlirOperationGetNumOperands(r->inner) != 2 ||
      mlirOperationGetNumOperands(r->op) != 1)
    return false;
  MlirValue operands[] = {proposeOn(r, 0), proposeOn(r, 1)};
  return !mlirValueIsNull(operands[0]) && !mlirValueIsNull(operands[1]) &&
         cuteRewriteAcceptOp(
             r, (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_MAKE_LAYOUT),
                             .numOperands = 2,
                             .operands = operands});
}

static bool isStaticValueOf(const CuteRewrite *r, MlirValue value) {
  CuteType type = cuteDialectGetType(r->rewriter->numbering.dialect,
                                     mlirValueGetType(value));
  return type && cuteTypeIsStatic(type);
}

// Law: (a o b) o c = a o (b o c) as functions. With b and c static one
// composition is left; it is the same layout, and not only the same function,
// where both have the same leaves.
bool cuteRewriteComposeStaticPart(CuteRewrite *r) {
  MlirValue b = mlirOperationGetOperand(r->inner, 1);
  MlirValue c = mlirOperationGetOperand(r->op, 1);
  if (!isStaticValueOf(r, b) || !isStaticValueOf(r, c))
    return false;
  MlirValue parts[] = {b, c};
  MlirValue joined = cuteRewriteProposeValue(r, CUTE_OP_COMPOSITION, 2, parts);
  if (mlirValueIsNull(joined))
    return false;
  MlirValue operands[] = {mlirOperationGetOperand(r->inner, 0), joined};
  return cuteRewriteAcceptOp(
      r, (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_COMPOSITION),
                      .numOperands = 2,
                      .operands = operands});
}

// The mode attribute of a get without its first mode, which must be 0.
static bool restOfMode(const CuteRewrite *r, MlirAttribute *rest) {
  enum { MAX_PATH = 64 };
  int32_t modes[MAX_PATH];
  MlirAttribute mode = cuteMlirGetAttribute(r->op, "mode");
  intptr_t n =
      mlirAttributeIsNull(mode) ? 0 : mlirDenseArrayGetNumElements(mode);
  if (!n || n > MAX_PATH || mlirDenseI32ArrayGetElement(mode, 0))
    return false;
  for (intptr_t i = 1; i < n; ++i)
    modes[i - 1] = mlirDenseI32ArrayGetElement(mode, i);
  *rest = n > 1 ? mlirDenseI32ArrayGet(r->builder.context, n - 1, modes)
                : (MlirAttribute){NULL};
  return true;
}

// Law: get<0 p>(divide(l, t)) = get<p>(l o t): the first mode of a quotient is
// the tile.
bool cuteRewriteTileOfDivide(CuteRewrite *r) {
  MlirAttribute rest;
  MlirValue operands[] = {mlirOperationGetOperand(r->inner, 0),
                          mlirOperationGetOperand(r->inner, 1)};
  if (!restOfMode(r, &rest))
    return false;
  if (mlirAttributeIsNull(rest))
    return cuteRewriteAcceptOp(
        r, (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_COMPOSITION),
                        .numOperands = 2,
                        .operands = operands});
  MlirValue tile = cuteRewriteProposeValue(r, CUTE_OP_COMPOSITION, 2, operands);
  CuteNamedAttribute mode = {"mode", rest};
  return !mlirValueIsNull(tile) &&
         cuteRewriteAcceptOp(r,
                             (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_GET),
                                          .numOperands = 1,
                                          .operands = &tile,
                                          .numAttributes = 1,
                                          .attributes = &mode});
}
