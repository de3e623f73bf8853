// A type of elements: a row of dialect/hardware/element.def.
#pragma once

#include "Support/string_builder.h"
#include "cute/Arch.h"
#include "cute/ElementType.h"

// The meaning of a float's codes above the largest finite one.
typedef enum CuteBeyond {
  CUTE_BEYOND_INFINITY, // with the last exponent infinity and NaN
  CUTE_BEYOND_NAN,      // the last code alone, NaN
  CUTE_BEYOND_NOTHING,
} CuteBeyond;

// The least architecture and PTX version, times 10, that have something; 0:
// any. And a feature that the architecture has.
typedef struct CuteElementNeed {
  int arch, ptx;
  CuteArchFeature feature;
} CuteElementNeed;

enum { CUTE_MAX_CPP_NAMES = 4 };

typedef struct CuteElementInfo {
  const char *name; // in MLIR
  unsigned bits;    // in memory; below 8 elements share a byte
  bool isFloat, isUnsigned;
  CuteElementType
      signless;          // of an unsigned one that has the same bits in memory
                         // as an integer without a sign; else the type itself
  bool isPlain;          // a float that LLVM calculates with
  bool inVectors;        // vectors of MLIR may hold it
  unsigned valueBits;    // of its type in MLIR; 0: as in memory
  const char *valueName; // that type's name; null: as the element's
  int exponentBits, mantissaBits; // of a float
  CuteBeyond beyond;
  const char *cpp[CUTE_MAX_CPP_NAMES]; // names in C++ without a namespace
  const char *ptx;                     // in the names of instructions
  bool inNvvmMma;           // nvvm.mma.sync takes it, by its name in PTX
  const char *npy;          // in .npy files; null: not there
  int cuda;                 // cudaDataType; not of all
  CuteElementNeed to, from; // of conversions
} CuteElementInfo;

// Never null.
const CuteElementInfo *cuteElementGetInfo(CuteElementType type);

// Appends "'f17' is not an element type; known: f16, ...".
void cuteElementAppendUnknown(CuteString *text, CuteStringRef name);

// The bits of its type in MLIR: floats of 6 bits have more in memory.
static inline unsigned cuteElementGetValueBits(CuteElementType type) {
  const CuteElementInfo *info = cuteElementGetInfo(type);
  return info->valueBits ? info->valueBits : info->bits;
}
