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
} CuteElementType;

enum { CUTE_NUM_ELEMENT_TYPES = CUTE_ELEMENT_F64 + 1 };

/// As MLIR spells it: f16, bf16, f8E4M3FN, i8, ...
CUTE_API const char *cuteElementTypeGetName(CuteElementType type);

/// Bits of an element in memory; tf32 takes 32, i1 a byte of 8.
CUTE_API unsigned cuteElementTypeGetBits(CuteElementType type);

CUTE_API bool cuteElementTypeIsFloat(CuteElementType type);

/// False for names of other types.
CUTE_API bool cuteElementTypeFind(CuteStringRef name, CuteElementType *type);

#ifdef __cplusplus
}
#endif

#endif
