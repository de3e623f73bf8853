#include "Simulator/checks/tensor_names.h"
#include "Algebra/algebra.h"
#include "Simulator/machine/device_memory.h"
#include "Simulator/machine/launch_run.h"

//===-- Coordinates -------------------------------------------------------===//

enum { MAX_LEAVES = CUTE_SIM_MAX_LEAVES };

typedef struct Leaf {
  int64_t extent, stride, coordinate;
} Leaf;

// False where a leaf is dynamic, or its stride negative, or there are too many.
static bool collectLeaves(CuteIntTuple shape, CuteIntTuple stride, Leaf *leaves,
                          size_t *n) {
  if (shape->kind != CUTE_TUPLE) {
    if (shape->kind != CUTE_STATIC || stride->kind != CUTE_STATIC ||
        stride->value < 0 || *n == MAX_LEAVES)
      return false;
    leaves[(*n)++] = (Leaf){shape->value, stride->value, 0};
    return true;
  }
  for (uint32_t i = 0; i < shape->rank; ++i)
    if (!collectLeaves(shape->elements[i], stride->elements[i], leaves, n))
      return false;
  return true;
}

// Leaves with large strides come first, and of those with one the longest.
static Leaf *findNext(Leaf *leaves, size_t n, const bool *isDone) {
  Leaf *best = NULL;
  for (size_t i = 0; i < n; ++i)
    if (!isDone[i] && leaves[i].stride &&
        (!best || leaves[i].stride > best->stride ||
         (leaves[i].stride == best->stride && leaves[i].extent > best->extent)))
      best = &leaves[i];
  return best;
}

static void setCoordinates(Leaf *leaves, size_t n, int64_t index) {
  bool isDone[MAX_LEAVES] = {false};
  Leaf *leaf;
  while ((leaf = findNext(leaves, n, isDone))) {
    leaf->coordinate = index / leaf->stride;
    index %= leaf->stride;
    isDone[leaf - leaves] = true;
  }
}

static const Leaf *appendCoordinate(CuteString *text, CuteIntTuple shape,
                                    const Leaf *leaf) {
  if (shape->kind != CUTE_TUPLE) {
    cuteStringAppendFormat(text, "%jd", leaf->coordinate);
    return leaf + 1;
  }
  for (uint32_t i = 0; i < shape->rank; ++i) {
    cuteStringAppend(text, i ? "," : "(");
    leaf = appendCoordinate(text, shape->elements[i], leaf);
  }
  cuteStringAppend(text, ")");
  return leaf;
}

// Undoes the swizzle, which is its own inverse, and the offset after it.
static bool undoInner(CuteLayout layout, int64_t *index) {
  if (layout->innerKind == INNER_NONE)
    return true;
  if (layout->innerKind != INNER_SWIZZLE || layout->offset->kind != CUTE_STATIC)
    return false;
  *index = (int64_t)cuteSwizzleGetValue(layout->swizzle, (uint64_t)*index) -
           layout->offset->value;
  return *index >= 0;
}

// "element (3,5)"; false where the layout says no element.
static bool appendElement(CuteString *text, const CuteSimTensor *tensor,
                          uint64_t bytes) {
  Leaf leaves[MAX_LEAVES];
  size_t n = 0;
  int64_t index = (int64_t)(bytes * 8 / (tensor->bits ? tensor->bits : 8));
  CuteLayout layout = tensor->layout;
  if (!layout || !undoInner(layout, &index) ||
      !collectLeaves(layout->shape, layout->stride, leaves, &n))
    return false;
  setCoordinates(leaves, n, index);
  cuteStringAppend(text, "element ");
  appendCoordinate(text, layout->shape, leaves);
  return true;
}

//===-- Tensors -----------------------------------------------------------===//

// The one that begins last in [from, at].
static const CuteSimTensor *findTensor(const CuteSimThread *thread,
                                       bool isShared, uint64_t from,
                                       uint64_t at) {
  const CuteSimLaunch *launch = thread->cluster->run->launch;
  const CuteSimTensor *best = NULL;
  for (size_t i = 0; i < launch->numTensors; ++i) {
    const CuteSimTensor *tensor = &launch->tensors[i];
    if (tensor->isShared == isShared && !tensor->isView &&
        tensor->start >= from && tensor->start <= at &&
        (!best || tensor->start > best->start))
      best = tensor;
  }
  return best;
}

static CuteSimElementName nameOf(const CuteSimTensor *tensor, uint64_t at) {
  CuteSimElementName name = {""};
  CUTE_SCOPED(String) text = {0};
  if (!tensor)
    return name;
  if (!appendElement(&text, tensor, at - tensor->start))
    cuteStringAppendFormat(&text, "byte %ju", at - tensor->start);
  if (!tensor->isShared) {
    cuteStringAppendFormat(&text, " of argument %u", tensor->number);
    if (tensor->layout)
      cuteStringAppend(&text, ", of shape ");
    if (tensor->layout)
      cuteAppendTuple(&text, tensor->layout->shape);
  } else {
    cuteStringAppendFormat(&text, " of the %s of line %u",
                           tensor->layout ? "tensor" : "allocation",
                           tensor->number);
  }
  snprintf(name.text, sizeof name.text, " (%s)", cuteStringGet(&text));
  return name;
}

CuteSimElementName cuteSimNameGlobal(const CuteSimThread *thread,
                                     uint64_t address) {
  uint64_t start = 0;
  size_t bytes;
  cuteSimMemoryFind(address, &start, &bytes);
  return nameOf(findTensor(thread, false, start, address), address);
}

CuteSimElementName cuteSimNameShared(const CuteSimThread *thread,
                                     uint64_t offset) {
  return nameOf(findTensor(thread, true, 0, offset), offset);
}

CuteSimElementName cuteSimNameElement(const CuteSimTensor *tensor,
                                      uint64_t address) {
  return nameOf(tensor, address);
}

bool cuteSimTensorHasElement(const CuteSimTensor *tensor, uint64_t address) {
  Leaf leaves[MAX_LEAVES];
  size_t n = 0;
  if (!collectLeaves(tensor->layout->shape, tensor->layout->stride, leaves, &n))
    return true;
  setCoordinates(leaves, n,
                 (int64_t)((address - tensor->start) * 8 / tensor->bits));
  for (size_t i = 0; i < n; ++i)
    if (leaves[i].coordinate >= leaves[i].extent)
      return false;
  return true;
}

size_t cuteSimTensorGetLeaves(const CuteSimTensor *tensor, int64_t *extents,
                              int64_t *strides) {
  Leaf leaves[MAX_LEAVES];
  size_t n = 0;
  CuteLayout layout = tensor->layout;
  if (!layout || layout->innerKind != INNER_NONE ||
      !collectLeaves(layout->shape, layout->stride, leaves, &n))
    return 0;
  for (size_t i = 0; i < n; ++i) {
    size_t at = i;
    for (; at && strides[at - 1] > leaves[i].stride; --at) {
      strides[at] = strides[at - 1];
      extents[at] = extents[at - 1];
    }
    strides[at] = leaves[i].stride;
    extents[at] = leaves[i].extent;
  }
  return n;
}
