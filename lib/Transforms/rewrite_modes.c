// Rows about modes, parts and chains of layout ops.
#include "Transforms/rewrite.h"

//===-- Paths of modes ----------------------------------------------------===//

enum { MAX_PATH = 64 };

typedef struct Path {
  size_t count;
  int32_t modes[MAX_PATH];
} Path;

// Appends the mode attribute of an op; false if it is too long.
static bool appendModes(MlirOperation op, Path *path) {
  MlirAttribute mode = cuteMlirGetAttribute(op, "mode");
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

static CuteNamedAttribute modeAttribute(const CuteRewrite *r,
                                        const Path *path) {
  return (CuteNamedAttribute){
      "mode", mlirDenseI32ArrayGet(r->builder.context, (intptr_t)path->count,
                                   path->modes)};
}

// The same kind of op on what the inner one takes, with other modes.
static bool acceptPath(CuteRewrite *r, const Path *path) {
  MlirValue operand = mlirOperationGetOperand(r->inner, 0);
  CuteNamedAttribute mode = modeAttribute(r, path);
  return cuteRewriteAcceptOp(r,
                             (CuteOpSpec){.name = cuteMlirGetName(r->op).data,
                                          .numOperands = 1,
                                          .operands = &operand,
                                          .numAttributes = 1,
                                          .attributes = &mode});
}

// Law: f<p>(get<q>(x)) = f<q p>(x), as a path is followed mode by mode.
bool cuteRewriteJoinPaths(CuteRewrite *r) {
  Path path = {0};
  return appendModes(r->inner, &path) && appendModes(r->op, &path) &&
         acceptPath(r, &path);
}

static bool isIndexOf(const Path *path, int32_t i) {
  return i >= 0 && (size_t)i < path->count;
}

// Law: f<i p>(select<s>(x)) = f<s[i] p>(x), as mode i of the selection is mode
// s[i].
bool cuteRewriteLookThroughSelect(CuteRewrite *r) {
  Path selected = {0}, path = {0};
  if (!appendModes(r->inner, &selected) || !appendModes(r->op, &path) ||
      !path.count || !isIndexOf(&selected, path.modes[0]))
    return false;
  path.modes[0] = selected.modes[path.modes[0]];
  return acceptPath(r, &path);
}

// Law: select<p>(select<s>(x)) = select<s[p[0]], s[p[1]], ...>(x).
bool cuteRewriteJoinSelections(CuteRewrite *r) {
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

// The op itself, with its attributes, on one other operand.
static bool acceptOn(CuteRewrite *r, MlirValue operand) {
  CuteNamedAttribute *attributes;
  size_t n = cuteRewriteGetAttributes(r, &attributes);
  return cuteRewriteAcceptOp(r,
                             (CuteOpSpec){.name = cuteMlirGetName(r->op).data,
                                          .numOperands = 1,
                                          .operands = &operand,
                                          .numAttributes = n,
                                          .attributes = attributes});
}

// Law: f(g(x)) = f(x), where f depends on nothing that g changes. The bound
// types show whether that is so: coalescing two modes of which one is dynamic
// changes no integer, for example, and then size sees no difference.
bool cuteRewriteDropInner(CuteRewrite *r) {
  return mlirOperationGetNumOperands(r->op) == 1 &&
         acceptOn(r, mlirOperationGetOperand(r->inner, 0));
}

// Law: f(g(x, y)) = f(y), where f depends on nothing that g takes from x: the
// shape of a composition is that of its right side, if that is not cut up.
bool cuteRewriteSeeSecond(CuteRewrite *r) {
  return mlirOperationGetNumOperands(r->op) == 1 &&
         mlirOperationGetNumOperands(r->inner) > 1 &&
         acceptOn(r, mlirOperationGetOperand(r->inner, 1));
}

//===-- Slices ------------------------------------------------------------===//

// The top-level modes of a coordinate that are `_`, or those that are not;
// false where a `_` is deeper, or there are too many.
static bool modesOfSlice(CuteIntTuple coord, bool underscores, Path *path) {
  if (!isTuple(coord) || coord->rank > MAX_PATH)
    return false;
  for (uint32_t i = 0; i < coord->rank; ++i) {
    CuteIntTuple mode = coord->elements[i];
    if (!isUnderscore(mode) && (mode->flags & HAS_UNDERSCORE))
      return false;
    if (isUnderscore(mode) == underscores)
      path->modes[path->count++] = (int32_t)i;
  }
  return path->count;
}

static bool isTupleOrLayout(CuteType type) {
  return cuteTypeIsTuple(type) || type->kind == CUTE_TYPE_LAYOUT;
}

// Not of a tensor: a slice of it begins elsewhere in memory, which its type
// does not say.
static bool acceptSelection(CuteRewrite *r, bool underscores) {
  Path path = {0};
  if (!isTupleOrLayout(r->instance->operands[0]) ||
      !modesOfSlice(r->instance->operands[1]->tuple, underscores, &path))
    return false;
  MlirValue operand = mlirOperationGetOperand(r->op, 0);
  CuteNamedAttribute mode = modeAttribute(r, &path);
  return cuteRewriteAcceptOp(
      r, (CuteOpSpec){.name = cuteOpIdGetName(CUTE_OP_SELECT),
                      .numOperands = 1,
                      .operands = &operand,
                      .numAttributes = 1,
                      .attributes = &mode});
}

// Law: slice(x, c) = select<p>(x), where the modes p of c are `_` and no other
// has one.
bool cuteRewriteSelectOfSlice(CuteRewrite *r) {
  return acceptSelection(r, true);
}

// Law: dice(x, c) = select<q>(x), where all modes of c but q are `_` and those
// have none.
bool cuteRewriteSelectOfDice(CuteRewrite *r) {
  return acceptSelection(r, false);
}
