// Modes of tensors in another order, for accesses of several elements.
#include "Transforms/vectorize.h"

bool cuteLeavesCollect(CuteContext c, CuteLayout layout, CuteLeaves *leaves) {
  Modes all = {0};
  modesPushLeaves(c, &all, layoutMode(layout));
  leaves->count = 0;
  for (size_t i = 0; i < all.count; ++i) {
    if (!isStatic(all.data[i].shape) || leaves->count == CUTE_MAX_VECTOR_MODES)
      return false;
    if (all.data[i].shape->value == 1)
      continue;
    leaves->index[leaves->count] = (int32_t)i;
    leaves->extents[leaves->count] = all.data[i].shape->value;
    leaves->strides[leaves->count++] = all.data[i].stride;
  }
  return true;
}

bool cuteLeavesHaveSameExtents(const CuteLeaves *a, const CuteLeaves *b) {
  return a->count == b->count &&
         !memcmp(a->extents, b->extents, a->count * sizeof *a->extents);
}

static MlirValue build(CuteRebuild *r, const char *name, MlirValue operand,
                       size_t n, const CuteNamedAttribute *attributes) {
  MlirOperation op = cuteRebuildCreate(r, name, 1, &operand, n, attributes);
  return mlirOperationIsNull(op) ? operand : mlirOperationGetResult(op, 0);
}

MlirValue cuteVectorView(CuteRebuild *r, const CuteVectorModes *modes,
                         const CuteLeaves *leaves, MlirValue tensor,
                         int64_t values) {
  CuteContext c = r->dialect->context;
  int32_t selected[CUTE_MAX_VECTOR_MODES];
  for (size_t i = 0; i < modes->count; ++i)
    selected[i] = leaves->index[modes->order[i]];
  CuteNamedAttribute mode = {
      "mode", mlirDenseI32ArrayGet(r->builder->context, (intptr_t)modes->count,
                                   selected)};
  CuteNamedAttribute range[] = {
      {"begin", cuteIntAttr(r->builder, 32, 0)},
      {"end", cuteIntAttr(r->builder, 32, (int64_t)modes->numTogether)}};
  tensor = build(r, "flatten", tensor, 0, NULL);
  tensor = build(r, "select", tensor, 1, &mode);
  tensor = build(r, "group_modes", tensor, 2, range);
  if (r->failed)
    return tensor;
  CuteTile part =
      cuteTileGetLayout(c, cuteLayoutGet(c, staticInt(c, values), NULL));
  CuteType type = cuteTypeGetTile(c, cuteTileGetTuple(c, 1, &part));
  MlirValue operands[] = {tensor,
                          cuteBuildStatic(r->builder, r->dialect, type)};
  return cuteRebuildCreateValue(r, "logical_divide", 2, operands);
}
