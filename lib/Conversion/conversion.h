// Passes from the cute dialect to others.
#ifndef CUTE_CONVERSION_CONVERSION_H
#define CUTE_CONVERSION_CONVERSION_H

#include "Transforms/transforms.h"

CutePassFunction cuteRunToNvvm;

// Shared memory of a kernel, as its allocations lie.
typedef struct CuteSharedPlan {
  int64_t bytes; // in all
  int64_t align;
  bool isDynamic; // more than a kernel can have statically
} CuteSharedPlan;

// Largest amount of shared memory that a kernel can declare statically.
enum { CUTE_STATIC_SHARED_BYTES = 48 * 1024 };

// Adds up the allocations of a function, in order; with a map, notes where each
// begins (MlirOperation -> byte offset + 1). False with a diagnostic.
bool cuteSharedPlanMake(CuteDialect *dialect, MlirOperation function,
                        CutePointerMap *offsets, CuteSharedPlan *plan);

// What a parameter of a kernel becomes: one pointer for a tensor or pointer,
// then an integer for each dynamic leaf, shapes before strides.
typedef struct CuteParameterPart {
  bool isPointer;
  unsigned bits; // of an integer
  char role[24]; // "pointer", "shape[0]", "stride[1]", "value"
} CuteParameterPart;

// The parts of a parameter of this type; at most `capacity` are written, the
// number is returned.
size_t cuteParameterParts(CuteType type, size_t capacity,
                          CuteParameterPart *parts);

#endif
