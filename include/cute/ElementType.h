//===- cute/ElementType.h - Types of tensor elements -----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ELEMENTTYPE_H
#define CUTE_ELEMENTTYPE_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// dialect/hardware/element.def has a row for each.
typedef enum CuteElementType {
  CUTE_ELEMENT_I1,
  CUTE_ELEMENT_I4,
  CUTE_ELEMENT_I8,
  CUTE_ELEMENT_I16,
  CUTE_ELEMENT_I32,
  CUTE_ELEMENT_I64,
  CUTE_ELEMENT_F8E4M3,
  CUTE_ELEMENT_F8E5M2,
  CUTE_ELEMENT_F16,
  CUTE_ELEMENT_BF16,
  CUTE_ELEMENT_TF32,
  CUTE_ELEMENT_F32,
  CUTE_ELEMENT_F64,
  CUTE_ELEMENT_F6E2M3,
  CUTE_ELEMENT_F6E3M2,
  CUTE_ELEMENT_F4E2M1,
  CUTE_ELEMENT_I2,
  CUTE_ELEMENT_UI1,
  CUTE_ELEMENT_UI2,
  CUTE_ELEMENT_UI4,
  CUTE_ELEMENT_UI8,
  CUTE_ELEMENT_UI16,
  CUTE_ELEMENT_UI32,
  CUTE_ELEMENT_UI64,
  CUTE_ELEMENT_UI128,
  CUTE_ELEMENT_F8E8M0, ///< 2 to the power of -127 to 127: a scale factor
  // Operands of atoms, which tensors of the dialect do not hold.
  CUTE_ELEMENT_C32,  ///< complex<f32>
  CUTE_ELEMENT_C64,  ///< complex<f64>
  CUTE_ELEMENT_GC64, ///< three sums of f64 that make one complex product
} CuteElementType;

enum {
  CUTE_NUM_TENSOR_ELEMENT_TYPES = CUTE_ELEMENT_C32,
  CUTE_NUM_ELEMENT_TYPES = CUTE_ELEMENT_GC64 + 1
};

/// As MLIR spells it: f16, bf16, f8E4M3FN, i8, ui8, complex<f64>, ...
CUTE_API const char *cuteElementTypeGetName(CuteElementType type);

/// Bits of an element in memory; tf32 takes 32, i1 and floats of 6 bits a byte
/// of 8, ui1 one bit.
CUTE_API unsigned cuteElementTypeGetBits(CuteElementType type);

/// Tells whether values are floating-point numbers.
CUTE_API bool cuteElementTypeIsFloat(CuteElementType type);

/// The fields of a float: exponent and mantissa, after a sign if they do not
/// take all bits. The exponent's bias is 2^(exponentBits - 1) - 1.
typedef struct CuteFloatFormat {
  unsigned bits; ///< of a number, which may take more in memory
  int exponentBits, mantissaBits;
  bool hasInfinity; ///< the last exponent is for infinity and NaN
  bool hasNan;      ///< without infinity: only the last code
} CuteFloatFormat;

/// The format of a float; false for other types.
CUTE_API bool cuteElementTypeGetFormat(CuteElementType type,
                                       CuteFloatFormat *format);

/// The signless integer with the bits of an unsigned one: i8 for ui8. Returns
/// other types unchanged, and also ui1 and ui128, which have no signless type
/// with the same memory layout.
CUTE_API CuteElementType cuteElementTypeGetSignless(CuteElementType type);

/// Tells whether tensors of the dialect may hold such elements.
CUTE_API bool cuteElementTypeIsTensorElement(CuteElementType type);

/// A type of tensor elements by its MLIR name; false for other names.
CUTE_API bool cuteElementTypeFind(CuteStringRef name, CuteElementType *type);

/// Any type, also by its name in CuTe C++ with or without a namespace: half_t,
/// uint8_t, cutlass::float_e4m3_t, double, ...
CUTE_API bool cuteElementTypeFindAny(CuteStringRef name, CuteElementType *type);

#ifdef __cplusplus
}
#endif

#endif
