// The parameters of kernels: what values of the dialect are passed as.
#include "Conversion/conversion.h"

#include <mlir-c/Dialect/LLVM.h>

typedef struct Parts {
  CuteParameterPart *parts;
  size_t count, capacity;
} Parts;

static void push(Parts *parts, CuteKernelPartKind kind, unsigned bits,
                 const char *role, long index) {
  if (parts->count++ >= parts->capacity)
    return;
  CuteParameterPart *part = &parts->parts[parts->count - 1];
  part->kind = kind;
  part->bits = bits;
  if (index < 0)
    snprintf(part->role, sizeof part->role, "%s", role);
  else
    snprintf(part->role, sizeof part->role, "%s[%ld]", role, index);
}

// Dynamic leaves, each with the number of the leaf among all of the tree.
static void pushLeaves(Parts *parts, CuteIntTuple tuple, const char *role,
                       long *leaf) {
  if (isTuple(tuple)) {
    for (size_t i = 0; i < tuple->rank; ++i)
      pushLeaves(parts, tuple->elements[i], role, leaf);
    return;
  }
  CuteIntTuple value = isBasis(tuple) ? basisValue(tuple) : tuple;
  if (isDynamic(value))
    push(parts, CUTE_PART_INTEGER, value->width, role, *leaf);
  ++*leaf;
}

static void pushLayout(Parts *parts, CuteLayout layout) {
  long leaf = 0;
  pushLeaves(parts, layout->shape, "shape", &leaf);
  leaf = 0;
  pushLeaves(parts, layout->stride, "stride", &leaf);
  leaf = 0;
  if (layout->offset)
    pushLeaves(parts, layout->offset, "offset", &leaf);
  if (layout->inner)
    pushLayout(parts, layout->inner);
}

static void pushTile(Parts *parts, CuteTile tile) {
  if (tile->kind == TILE_LAYOUT)
    pushLayout(parts, tile->layout);
  for (size_t i = 0; tile->kind == TILE_TUPLE && i < tile->rank; ++i)
    pushTile(parts, tile->elements[i]);
}

size_t cuteParameterParts(CuteType type, size_t capacity,
                          CuteParameterPart *storage) {
  Parts parts = {storage, 0, capacity};
  long leaf = 0;
  if (cuteTypeHasPointer(type))
    push(&parts, CUTE_PART_POINTER, 64, "pointer", -1);
  if (type->tuple)
    pushLeaves(&parts, type->tuple, "value", &leaf);
  if (type->kind == CUTE_TYPE_TENSOR || type->kind == CUTE_TYPE_COORD_TENSOR ||
      cuteTypeIsLayout(type))
    pushLayout(&parts, type->layout);
  if (type->kind == CUTE_TYPE_TILE)
    pushTile(&parts, type->tile);
  return parts.count;
}

// Opaque ones a launcher cannot know.
static CuteParameterPart foreignPart(MlirType type) {
  bool isInteger = mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type);
  CuteParameterPart part = {.kind = mlirTypeIsAFloat(type) ? CUTE_PART_FLOAT
                                    : isInteger            ? CUTE_PART_INTEGER
                                    : mlirTypeIsALLVMPointerType(type)
                                        ? CUTE_PART_POINTER
                                        : CUTE_PART_OPAQUE,
                            .bits = cuteMlirGetBits(type),
                            .role = "value"};
  if (!part.bits || part.kind == CUTE_PART_OPAQUE)
    part.bits = 64;
  return part;
}

bool cuteValueParts(CuteDialect *dialect, MlirType type, size_t capacity,
                    CuteParameterPart *parts, size_t *count) {
  CuteType known = cuteDialectGetType(dialect, type);
  if (!known)
    return false;
  *count = 1;
  if (known->kind == CUTE_TYPE_FOREIGN)
    parts[0] = foreignPart(type);
  else
    *count = cuteParameterParts(known, capacity, parts);
  return *count <= capacity ||
         cuteFail(dialect->context, "a value has more than %zu parts",
                  capacity);
}
