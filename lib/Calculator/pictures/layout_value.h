// Values that are functions of coordinates: layouts, parts of them, swizzles.
#pragma once

#include "Calculator/language/value.h"

// offset + layout(c)
typedef struct CuteLayoutValue {
  CuteLayout layout;
  CuteIntTuple offset; // null: none
} CuteLayoutValue;

// False with a message, begun by `where`, unless the value is a layout, or
// converts to one, and is static. A swizzle S<B,M,S> is one of the integers
// below 2^(B+M+|S|), in 2^B rows.
bool cuteLayoutValueGet(CuteContext c, CuteValue value, const char *where,
                        CuteLayoutValue *result);

// The value at a colexicographic index of the domain, which must be in it.
CuteIntTuple cuteLayoutValueAt(CuteContext c, CuteLayoutValue layout,
                               int64_t index);
