// Modes of tensors in another order, for accesses of several elements.
#include "Transforms/vectorize.h"

//===-- Leaves ------------------------------------------------------------===//

bool cuteLeavesCollect(CuteContext c, CuteLayout layout, CuteLeaves *leaves) {
  Modes all = {0};
  modesPushLeaves(c, &all, layoutMode(layout));
  leaves->count = 0;
  for (size_t i = 0; i < all.count; ++i) {
    if (isStaticValue(all.data[i].shape, 1))
      continue;
    if (leaves->count == CUTE_MAX_VECTOR_MODES)
      return false;
    bool isKnown = isStatic(all.data[i].shape);
    size_t at = leaves->count++;
    leaves->index[at] = (int32_t)i;
    leaves->extents[at] = isKnown ? all.data[i].shape->value : 0;
    leaves->divisors[at] = cuteLeafDivisor(all.data[i].shape);
    leaves->strides[at] = all.data[i].stride;
  }
  return true;
}

bool cuteLeavesHaveSameExtents(const CuteLeaves *a, const CuteLeaves *b) {
  return a->count == b->count &&
         !memcmp(a->extents, b->extents, a->count * sizeof *a->extents);
}

bool cuteLeavesAreStatic(const CuteLeaves *leaves) {
  for (size_t i = 0; i < leaves->count; ++i)
    if (!leaves->extents[i])
      return false;
  return true;
}

bool cuteLeavesContinue(const CuteLeaves *leaves, size_t i, size_t next) {
  return isStatic(leaves->strides[i]) &&
         isStaticValue(leaves->strides[next],
                       leaves->strides[i]->value * leaves->extents[i]);
}

//===-- Leaves that both have ---------------------------------------------===//

static void coalesce(CuteLeaves *leaves) {
  size_t count = 0;
  for (size_t i = 0; i < leaves->count; ++i) {
    if (count && cuteLeavesContinue(leaves, count - 1, i)) {
      leaves->extents[count - 1] *= leaves->extents[i];
      continue;
    }
    leaves->extents[count] = leaves->extents[i];
    leaves->strides[count++] = leaves->strides[i];
  }
  leaves->count = count;
}

// Makes two leaves of leaf i, the first with that extent.
static void split(CuteContext c, CuteLeaves *leaves, size_t i, int64_t extent) {
  for (size_t j = leaves->count++; j > i; --j) {
    leaves->extents[j] = leaves->extents[j - 1];
    leaves->strides[j] = leaves->strides[j - 1];
  }
  leaves->extents[i] = extent;
  leaves->extents[i + 1] /= extent;
  if (isStatic(leaves->strides[i]))
    leaves->strides[i + 1] = staticInt(c, leaves->strides[i]->value * extent);
}

bool cuteLeavesRefine(CuteContext c, CuteLeaves *a, const CuteLeaves *b) {
  for (size_t i = 0; i < a->count && i < b->count; ++i) {
    int64_t x = a->extents[i], y = b->extents[i];
    if (x > y && x % y == 0 && a->count < CUTE_MAX_VECTOR_MODES)
      split(c, a, i, y);
  }
  return cuteLeavesHaveSameExtents(a, b);
}

// Divides both into the same extents; false if that is not possible.
static bool refineBoth(CuteContext c, CuteLeaves *a, CuteLeaves *b) {
  for (size_t i = 0; i < a->count && i < b->count; ++i) {
    CuteLeaves *larger = a->extents[i] > b->extents[i] ? a : b;
    int64_t x = larger->extents[i], y = (larger == a ? b : a)->extents[i];
    if (x == y)
      continue;
    if (x % y || larger->count == CUTE_MAX_VECTOR_MODES)
      return false;
    split(c, larger, i, y);
  }
  return cuteLeavesHaveSameExtents(a, b);
}

bool cuteVectorModesMatch(CuteContext c, CuteVectorModes *modes) {
  CuteLeaves *a = &modes->leaves[0], *b = &modes->leaves[1];
  modes->isRefined = !cuteLeavesHaveSameExtents(a, b);
  if (!modes->isRefined)
    return true;
  if (!cuteLeavesAreStatic(a) || !cuteLeavesAreStatic(b))
    return false;
  CuteLeaves all[] = {*a, *b};
  if (refineBoth(c, a, b))
    return true;
  *a = all[0];
  *b = all[1];
  coalesce(a);
  coalesce(b);
  return refineBoth(c, a, b);
}

// Tells whether mode i + 1 of those side by side begins where mode i ends.
static bool isMerged(const CuteVectorModes *modes, const bool isMemory[2],
                     size_t i) {
  for (int side = 0; side < 2; ++side)
    if (!isMemory[side] &&
        !cuteLeavesContinue(&modes->leaves[side], modes->order[i],
                            modes->order[i + 1]))
      return false;
  return true;
}

static int64_t divisorOf(const CuteVectorModes *modes, size_t leaf) {
  int64_t a = modes->leaves[0].divisors[leaf];
  int64_t b = modes->leaves[1].divisors[leaf];
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

bool cuteVectorModesDivide(const CuteVectorModes *modes, const bool isMemory[2],
                           int64_t values) {
  const CuteLeaves *leaves = &modes->leaves[0];
  for (size_t i = 0; i < modes->numTogether; ++i) {
    size_t leaf = modes->order[i];
    int64_t extent =
        leaves->extents[leaf] ? leaves->extents[leaf] : divisorOf(modes, leaf);
    while (i + 1 < modes->numTogether && isMerged(modes, isMemory, i))
      extent *= leaves->extents[modes->order[++i]]
                    ? leaves->extents[modes->order[i]]
                    : divisorOf(modes, modes->order[i]);
    if (extent % values == 0)
      return true;
    if (values % extent)
      return false;
    values /= extent;
  }
  return values == 1;
}

//===-- Views -------------------------------------------------------------===//

static MlirValue build(CuteRebuild *r, CuteOpId id, MlirValue operand, size_t n,
                       const CuteNamedAttribute *attributes) {
  MlirOperation op = cuteRebuildCreate(r, id, 1, &operand, n, attributes);
  return mlirOperationIsNull(op) ? operand : mlirOperationGetResult(op, 0);
}

// The tensor's own leaves in the order of the modes.
static MlirValue selectLeaves(CuteRebuild *r, const CuteVectorModes *modes,
                              const CuteLeaves *leaves, MlirValue tensor) {
  int32_t selected[CUTE_MAX_VECTOR_MODES];
  for (size_t i = 0; i < modes->count; ++i)
    selected[i] = leaves->index[modes->order[i]];
  CuteNamedAttribute mode = {
      "mode", mlirDenseI32ArrayGet(r->builder->context, (intptr_t)modes->count,
                                   selected)};
  tensor = build(r, CUTE_OP_FLATTEN, tensor, 0, NULL);
  return build(r, CUTE_OP_SELECT, tensor, 1, &mode);
}

// The tensor as a function of the refined leaves in the order of the modes.
static MlirValue composeLeaves(CuteRebuild *r, const CuteVectorModes *modes,
                               MlirValue tensor) {
  CuteContext c = r->dialect->context;
  int64_t steps[CUTE_MAX_VECTOR_MODES], step = 1;
  for (size_t i = 0; i < modes->count; ++i) {
    steps[i] = step;
    step *= modes->leaves[0].extents[i];
  }
  CuteIntTuple shape[CUTE_MAX_VECTOR_MODES], stride[CUTE_MAX_VECTOR_MODES];
  for (size_t i = 0; i < modes->count; ++i) {
    shape[i] = staticInt(c, modes->leaves[0].extents[modes->order[i]]);
    stride[i] = staticInt(c, steps[modes->order[i]]);
  }
  CuteLayout layout = cuteLayoutGet(c, cuteInternTuple(c, modes->count, shape),
                                    cuteInternTuple(c, modes->count, stride));
  if (r->failed)
    return tensor;
  MlirValue operands[] = {
      tensor,
      cuteBuildStatic(r->builder, r->dialect, cuteTypeGetLayout(c, layout))};
  return cuteRebuildCreateValue(r, CUTE_OP_COMPOSITION, 2, operands);
}

// Divides mode 0: so many values, and as many of them as there are. Other modes
// stay. As mode 0 may have a dynamic extent, and only modes after the first of
// a copy may, it is two modes then.
static MlirValue divide(CuteRebuild *r, const CuteVectorModes *modes,
                        MlirValue tensor, int64_t values) {
  CuteContext c = r->dialect->context;
  size_t rank = 1 + modes->count - modes->numTogether;
  CuteTile parts[CUTE_MAX_VECTOR_MODES];
  int64_t all = 1;
  for (size_t i = 0; i < modes->numTogether; ++i)
    all *= modes->leaves[0].extents[modes->order[i]];
  CuteIntTuple shape[] = {staticInt(c, values), staticInt(c, all / values)};
  parts[0] = cuteTileGetLayout(
      c, all ? cuteLayoutGet(c, cuteInternTuple(c, 2, shape), NULL)
             : cuteLayoutGet(c, shape[0], NULL));
  for (size_t i = 1; i < rank; ++i)
    parts[i] = cuteTileGetUnderscore(c);
  CuteType type =
      cuteTypeGetTile(c, cuteTileGetTuple(c, all ? rank : 1, parts));
  if (r->failed)
    return tensor;
  MlirValue operands[] = {tensor,
                          cuteBuildStatic(r->builder, r->dialect, type)};
  if (all)
    return cuteRebuildCreateValue(r, CUTE_OP_COMPOSITION, 2, operands);
  tensor = cuteRebuildCreateValue(r, CUTE_OP_LOGICAL_DIVIDE, 2, operands);
  return build(r, CUTE_OP_FLATTEN, tensor, 0, NULL);
}

MlirValue cuteVectorView(CuteRebuild *r, const CuteVectorModes *modes,
                         const CuteLeaves *leaves, MlirValue tensor,
                         int64_t values) {
  CuteNamedAttribute range[] = {
      {"begin", cuteIntAttr(r->builder, 32, 0)},
      {"end", cuteIntAttr(r->builder, 32, (int64_t)modes->numTogether)}};
  tensor = modes->isRefined ? composeLeaves(r, modes, tensor)
                            : selectLeaves(r, modes, leaves, tensor);
  tensor = build(r, CUTE_OP_GROUP_MODES, tensor, 2, range);
  return divide(r, modes, tensor, values);
}
