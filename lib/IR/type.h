// Representation of dialect types, and binding of their dynamic leaves.
#ifndef CUTE_IR_TYPE_H
#define CUTE_IR_TYPE_H

#include "Algebra/algebra.h"
#include "cute/Type.h"

struct CuteTypeImpl {
  uint64_t hash;
  uint8_t kind;    // CuteTypeKind
  uint8_t element; // CuteElementType
  uint8_t space;   // CuteSpace
  int64_t align;
  CuteSwizzle swizzle;
  CuteIntTuple tuple;
  CuteLayout layout; // tiled MMA: atom layout; tiled copy: TV layout
  CuteTile tile;     // tiled MMA: permutation; tiled copy: tiler
  const void *atom;  // CuteMmaAtom or CuteCopyAtom row
  CuteStringRef foreign;
};

void cuteAppendType(CuteString *text, CuteType type, CuteTypeForm form);

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

// Bits of the types i32 and i64, 0 for other types.
unsigned cuteTypeGetIntegerWidth(CuteType type);

// The same type with another layout; a plain one turns composed_layout into
// layout. For tensors the alignment stays.
CuteType cuteTypeWithLayout(CuteContext c, CuteType type, CuteLayout layout);

// The type with each dynamic leaf replaced by the next of `leaves`, in the
// order in which values hold them: shape, stride, offset, then A.
CuteType cuteTypeBind(CuteContext c, CuteType type, const CuteIntTuple *leaves);

// The dynamic leaves in that order.
void cuteTypeGetDynamicLeaves(CuteType type, CuteIntTuple *leaves);

// The type with anonymous dynamic leaves: what IR declares for a bound type.
CuteType cuteTypeUnbind(CuteContext c, CuteType type);

#endif
