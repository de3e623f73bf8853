// Representation of dialect types, and binding of their dynamic leaves.
#pragma once

#include "Algebra/algebra.h"
#include "cute/Type.h"

struct CuteTypeImpl {
  uint64_t hash;
  uint8_t kind; // CuteTypeKind
  CuteElementType element : 8;
  uint8_t space; // CuteSpace; pipeline state: CutePipelineRole
  union {
    int64_t align;
    int64_t ctas; // TMA atom: thread blocks that share a load
  };
  CuteSwizzle swizzle; // also a pointer's; without bits: none
  CuteIntTuple tuple;
  CuteLayout layout; // tiled MMA: atom layout; tiled copy: TV layout; TMA
                     // atom: box
  CuteTile tile;     // tiled MMA: permutation; tiled copy: tiler; TMA atom:
                     // values
  const void *atom;  // CuteMmaAtom or CuteCopyAtom row
  CuteStringRef foreign;
  CutePipeline pipeline; // with its mask in `tuple`, its barriers in `layout`
};

const char *cuteTypeGetSpaceName(CuteSpace space);

// The LLVM address space: 0 for registers, which are on the stack.
unsigned cuteTypeGetAddressSpace(CuteSpace space);

// The type of elements of that name; false with a message, which has all.
bool cuteTypeFindElement(CuteContext c, CuteStringRef name,
                         CuteElementType *element);

// The row of the atom with that name; false with a message, which has the
// nearest name.
bool cuteTypeFindMma(CuteContext c, CuteStringRef name, const void **atom);
bool cuteTypeFindCopy(CuteContext c, CuteStringRef name, const void **atom);

void cuteAppendType(CuteString *text, CuteType type, CuteTypeForm form);

// The pretty form in the context's scratch memory, for messages.
const char *cuteTypeText(CuteContext c, CuteType type);

static inline bool cuteTypeIsKind(CuteType type, CuteTypeKind kind) {
  return type && type->kind == kind;
}
static inline bool cuteTypeIsTuple(CuteType type) {
  return type && type->kind <= CUTE_TYPE_COORD;
}
static inline bool cuteTypeIsLayout(CuteType type) {
  return type && (type->kind == CUTE_TYPE_LAYOUT ||
                  type->kind == CUTE_TYPE_COMPOSED_LAYOUT);
}

// The shape of a layout or tensor; a tuple itself.
static inline CuteIntTuple cuteTypeGetShape(CuteType type) {
  return type->layout ? type->layout->shape : type->tuple;
}

// Bits of the types i32 and i64, 0 for other types.
unsigned cuteTypeGetIntegerWidth(CuteType type);

// The same, and 32 for index, where an op takes coordinates.
unsigned cuteTypeGetCoordinateWidth(CuteType type);

// ptr, tensor, a pipeline with barriers: values have a pointer beside
// their integers.
static inline bool cuteTypeHasPointer(CuteType type) {
  return type->kind == CUTE_TYPE_PTR || type->kind == CUTE_TYPE_TENSOR ||
         (type->kind == CUTE_TYPE_PIPELINE && type->layout);
}

// Gives the space that a pointer or tensor points to.
static inline CuteSpace cuteTypeGetMemory(CuteType type) {
  return (CuteSpace)type->space;
}

// The bytes after which a swizzle of addresses repeats itself.
static inline int64_t cuteSwizzleGetPeriod(CuteSwizzle swizzle) {
  int32_t distance = swizzle.shift < 0 ? -swizzle.shift : swizzle.shift;
  return INT64_C(1) << (swizzle.base + swizzle.bits + distance);
}

// The same type with another layout; a plain one turns composed_layout into
// layout. For tensors the alignment stays.
CuteType cuteTypeWithLayout(CuteContext c, CuteType type, CuteLayout layout);

// An atom of bulk copies, whose value may have a barrier or a hint, or a tensor
// map: two of one type may differ.
bool cuteTypeIsBulkAtom(CuteType type);

// A pointer or tensor in another space.
CuteType cuteTypeInSpace(CuteContext c, CuteType type, CuteSpace space);

// The type with each dynamic leaf replaced by the next of `leaves`, in the
// order in which values hold them: shape, stride, offset, then A.
CuteType cuteTypeBind(CuteContext c, CuteType type, const CuteIntTuple *leaves);

// The dynamic leaves in that order.
void cuteTypeGetDynamicLeaves(CuteType type, CuteIntTuple *leaves);

// The type with anonymous dynamic leaves: what IR declares for a bound type.
CuteType cuteTypeUnbind(CuteContext c, CuteType type);
