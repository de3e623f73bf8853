//===- cute/Type.h - Types of the cute dialect, without MLIR ---*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types of the dialect as interned values of a CuteContext: ops infer them,
// and the text layer reads and prints them. A static type holds the whole
// value. Types of other dialects are carried along as text ("foreign").
//
// Text. People write the pretty form:
//   !cute.layout<"(4,8):(8,1)">     int_tuple shape stride coord tile swizzle
//                                   composed_layout likewise
//   !cute.ptr<f16, gmem, align<16>>
//   !cute.ptr<f16, smem, align<1024>, S<3,4,3>>
//   !cute.tensor<f16, smem, align<128>, "S<3,3,3> o 0 o (8,64):(64,1)">
//   !cute.coord_tensor<"(0,0)", "(128,64):(1@0,1@1)">
//   !cute.mma_atom<"SM80_16x8x16_F32F16F16F32_TN">
//   !cute.copy_atom<"SM75_U32x4_LDSM_N", f16>
//   !cute.tiled_mma<"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1):(1,2,0)",
//   "[32:1;32:1;16:1]"> !cute.tiled_copy<"UniversalCopy<uint128_t>", f16,
//   "((8,16),8):((128,1),16)", "[16:1;64:1]">
//   !cute.tma_atom<"SM90_TMA_LOAD", f16, "S<3,4,3>",
//   "(64,128):(1@1,1@0)", "((64,128),1):((128,1),128)">
//   !cute.pipeline<"tma", stages<4>, producers<1>, consumers<2>, "warpgroup",
//   bytes<49152>, "3">
//   !cute.pipeline_state<"consumer", stages<4>>
// The generic form, in which MLIR's IRDL types print, spells the space as a
// string and the alignment as an integer: !cute.tensor<f16, "gmem", 16 : i64,
// "4:1">, and a pointer has the text of its swizzle: !cute.ptr<f16, "gmem", 16
// : i64, "">. A TMA atom that thread blocks share has ctas<2>, in the generic
// form 2 : i64, which is 1 for other atoms; a pipeline's numbers are also
// integers there.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_TYPE_H
#define CUTE_TYPE_H

#include "cute/Pipeline.h"
#include "cute/Tma.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct CuteTypeImpl *CuteType;

typedef enum CuteTypeKind {
  CUTE_TYPE_INT_TUPLE,
  CUTE_TYPE_SHAPE,
  CUTE_TYPE_STRIDE,
  CUTE_TYPE_COORD,
  CUTE_TYPE_TILE,
  CUTE_TYPE_LAYOUT,
  CUTE_TYPE_COMPOSED_LAYOUT,
  CUTE_TYPE_SWIZZLE,
  CUTE_TYPE_PTR,
  CUTE_TYPE_TENSOR,
  CUTE_TYPE_COORD_TENSOR,
  CUTE_TYPE_MMA_ATOM,
  CUTE_TYPE_COPY_ATOM,
  CUTE_TYPE_TILED_MMA,
  CUTE_TYPE_TILED_COPY,
  CUTE_TYPE_TMA_ATOM,
  CUTE_TYPE_PIPELINE,
  CUTE_TYPE_PIPELINE_STATE,
  CUTE_TYPE_FOREIGN,
} CuteTypeKind;

enum { CUTE_NUM_TYPE_KINDS = CUTE_TYPE_FOREIGN };

typedef enum CuteSpace {
  CUTE_GMEM,
  CUTE_SMEM,
  CUTE_RMEM,
  CUTE_DESC,  ///< shared memory, through wgmma's descriptors
  CUTE_DSMEM, ///< shared memory of the blocks of a cluster
  CUTE_TMEM,  ///< tensor memory: 128 lanes of 512 columns of 32 bits; a column
              ///< is 32 / bits elements away, a lane 65536 times that
} CuteSpace;

enum { CUTE_NUM_SPACES = CUTE_TMEM + 1 };

//===----------------------------------------------------------------------===//
// Construction. A null part gives a null type.
//===----------------------------------------------------------------------===//

/// `kind` is one of int_tuple, shape, stride and coord.
CUTE_API CuteType cuteTypeGetTuple(CuteContext context, CuteTypeKind kind,
                                   CuteIntTuple tuple);
/// layout or composed_layout, whichever the layout is.
CUTE_API CuteType cuteTypeGetLayout(CuteContext context, CuteLayout layout);
CUTE_API CuteType cuteTypeGetTile(CuteContext context, CuteTile tile);
CUTE_API CuteType cuteTypeGetSwizzle(CuteContext context, CuteSwizzle swizzle);

/// `align` is a power of two in bytes, at least the element's size.
CUTE_API CuteType cuteTypeGetPointer(CuteContext context,
                                     CuteElementType element, CuteSpace space,
                                     int64_t align);
/// A pointer whose accesses at byte address a go to swizzle(a); without bits, a
/// plain one. The swizzle keeps elements whole.
CUTE_API CuteType cuteTypeGetSwizzledPointer(CuteContext context,
                                             CuteElementType element,
                                             CuteSpace space, int64_t align,
                                             CuteSwizzle swizzle);
/// The layout has integer strides and is plain or composed with a swizzle. In
/// rmem it is static and plain.
CUTE_API CuteType cuteTypeGetTensor(CuteContext context,
                                    CuteElementType element, CuteSpace space,
                                    int64_t align, CuteLayout layout);
/// The tensor whose element at c is the coordinate origin + layout(c).
CUTE_API CuteType cuteTypeGetCoordTensor(CuteContext context,
                                         CuteIntTuple origin,
                                         CuteLayout layout);
CUTE_API CuteType cuteTypeGetMmaAtom(CuteContext context,
                                     const CuteMmaAtom *atom);
CUTE_API CuteType cuteTypeGetCopyAtom(CuteContext context,
                                      const CuteCopyAtom *atom,
                                      CuteElementType element);
CUTE_API CuteType cuteTypeGetTiledMma(CuteContext context, CuteTiledMma mma);
CUTE_API CuteType cuteTypeGetTiledCopy(CuteContext context, CuteTiledCopy copy);
CUTE_API CuteType cuteTypeGetTmaAtom(CuteContext context, CuteTmaAtom tma);
/// Its numbers must fit together, and its barriers count to 2^20 - 1.
CUTE_API CuteType cuteTypeGetPipeline(CuteContext context,
                                      CutePipeline pipeline);
CUTE_API CuteType cuteTypeGetPipelineState(CuteContext context,
                                           CutePipelineRole role,
                                           int64_t stages);
CUTE_API CuteType cuteTypeGetForeign(CuteContext context, CuteStringRef text);

//===----------------------------------------------------------------------===//
// Parts. Each is meaningful for the kinds named, null or 0 for others.
//===----------------------------------------------------------------------===//

CUTE_API CuteTypeKind cuteTypeGetKind(CuteType type);
/// int_tuple, shape, stride, coord: the tree; coord_tensor: the origin.
CUTE_API CuteIntTuple cuteTypeGetIntTuple(CuteType type);
/// layout, composed_layout, tensor, coord_tensor.
CUTE_API CuteLayout cuteTypeGetLayoutValue(CuteType type);
CUTE_API CuteTile cuteTypeGetTileValue(CuteType type);
/// swizzle, ptr.
CUTE_API CuteSwizzle cuteTypeGetSwizzleValue(CuteType type);
/// ptr, tensor, copy_atom, tiled_copy.
CUTE_API CuteElementType cuteTypeGetElement(CuteType type);
CUTE_API CuteSpace cuteTypeGetSpace(CuteType type);
/// ptr, tensor.
CUTE_API int64_t cuteTypeGetAlign(CuteType type);
CUTE_API const CuteMmaAtom *cuteTypeGetMmaAtomValue(CuteType type);
CUTE_API CuteTiledMma cuteTypeGetTiledMmaValue(CuteType type);
/// copy_atom (without layouts) and tiled_copy.
CUTE_API CuteTiledCopy cuteTypeGetTiledCopyValue(CuteType type);
/// tma_atom.
CUTE_API CuteTmaAtom cuteTypeGetTmaAtomValue(CuteType type);
/// pipeline, and of a pipeline_state the number of stages.
CUTE_API CutePipeline cuteTypeGetPipelineValue(CuteType type);
/// pipeline_state.
CUTE_API CutePipelineRole cuteTypeGetPipelineRole(CuteType type);
/// foreign: the text.
CUTE_API CuteStringRef cuteTypeGetForeignText(CuteType type);

/// Number of dynamic leaves: the integers that a value of the type holds in
/// addition to its pointer.
CUTE_API size_t cuteTypeGetNumDynamic(CuteType type);

/// The type determines the value.
CUTE_API bool cuteTypeIsStatic(CuteType type);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

typedef enum CuteTypeForm { CUTE_FORM_PRETTY, CUTE_FORM_GENERIC } CuteTypeForm;

/// "layout", "tensor", ... and back; "foreign" for types of other dialects.
CUTE_API const char *cuteTypeKindGetName(CuteTypeKind kind);
CUTE_API bool cuteTypeKindFind(CuteStringRef name, CuteTypeKind *kind);

/// Reads the type at the beginning of the text, in either form, and sets
/// `length` to the length that it read. Null with a message if there is none.
/// Text that does not begin with !cute. is a foreign type up to the next
/// delimiter.
CUTE_API CuteType cuteTypeParsePrefix(CuteContext context, CuteStringRef text,
                                      size_t *length);

/// Reads the parameters of a type of this kind, from the < on.
CUTE_API CuteType cuteTypeParseParameters(CuteContext context,
                                          CuteTypeKind kind, CuteStringRef text,
                                          size_t *length);
CUTE_API CuteType cuteTypeParse(CuteContext context, CuteStringRef text);
CUTE_API void cuteTypePrint(CuteType type, CuteTypeForm form,
                            CuteStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif
