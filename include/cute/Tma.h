//===- cute/Tma.h - Copies by the tensor memory accelerator ----*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A TMA atom is one cp.async.bulk.tensor: it moves a box of a global tensor,
// which a tensor map describes, to or from shared memory (PTX ISA 5.5,
// "Tensor", and 9.7.9.27, "Data Movement and Conversion Instructions:
// Asynchronous copy"). A tile takes one instruction or more. The tile's layout
// in shared memory determines the box: the longest run that follows coordinates
// of the global tensor one by one.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_TMA_H
#define CUTE_TMA_H

#include "cute/Atom.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CUTE_MAX_TMA_RANK = 5, ///< axes of a tensor map
  CUTE_TMA_ROWS = 4      ///< that gather4 and scatter4 move at once
};

/// A box and its layout in shared memory.
typedef struct CuteTmaAtom {
  const CuteCopyAtom *atom; ///< the row; null: the atom could not be made
  CuteElementType element;
  CuteSwizzle swizzle; ///< of byte addresses in shared memory; no bits: none
  CuteLayout box;      ///< value -> coordinate; a mode is an axis of the box
  CuteLayout values;   ///< (value, instruction) -> index in the tile
  int64_t ctas;        ///< thread blocks that load a part each and get all
} CuteTmaAtom;

/// The atom that moves tiles of a tensor of this shape, whose tiler is `tiler`,
/// to or from the layout `smem`, which is static and compact, and plain or
/// composed with a swizzle of 32, 64 or 128 bytes. With `ctas` above 1, each of
/// that many thread blocks loads a part for all. Fails (atom is null) with a
/// message that says what would be valid.
CUTE_API CuteTmaAtom cuteTmaAtomMake(CuteContext context,
                                     const CuteCopyAtom *atom,
                                     CuteElementType element,
                                     CuteIntTuple shape, CuteLayout smem,
                                     CuteTile tiler, int64_t ctas);

/// Describes how a convolution reads images, a tensor (N, [D, [H,]] W, C), with
/// its spatial modes in that order.
typedef struct CuteIm2col {
  size_t rank;         ///< spatial modes, 1 to 3
  int64_t filter[3];   ///< extents
  int64_t steps[3];    ///< from one filter position to the next
  int64_t lower[3];    ///< pixels of padding before the first
  int64_t upper[3];    ///< and after the last
  int64_t dilation[3]; ///< between neighbouring pixels of the filter
} CuteIm2col;

/// The atom that moves pixels to or from the layout `smem` of (pixel, channel):
/// all of its pixels, at most 256, in the order in which the filter goes over
/// images with `rank` spatial modes. Fails as cuteTmaAtomMake does.
CUTE_API CuteTmaAtom cuteTmaAtomMakeIm2col(CuteContext context,
                                           const CuteCopyAtom *atom,
                                           CuteElementType element, size_t rank,
                                           CuteLayout smem);

/// A convolution's im2col matrix, as coordinates: ((W',H',..,N), (C,(S,R,..)))
/// -> ((n,..,h,w,c),(..,r,s)), the first pixel under the filter and the
/// position within the filter. `shape` is the images' shape. Null with a
/// message if it has other modes.
CUTE_API CuteLayout cuteTmaIm2colGetMatrix(CuteContext context,
                                           const CuteIm2col *im2col,
                                           CuteIntTuple shape);

/// The coordinate of its element 0.
CUTE_API CuteIntTuple cuteTmaIm2colGetOrigin(CuteContext context,
                                             const CuteIm2col *im2col);

/// Tells whether the parts fit together, as cuteTmaAtomMake's do. False with a
/// message.
CUTE_API bool cuteTmaAtomCheck(CuteContext context, CuteTmaAtom tma);

/// The extents of the tensor map's box, innermost first: one thread block's
/// part, or a row of it if the atom moves rows. Returns their number.
CUTE_API size_t cuteTmaAtomGetBox(CuteTmaAtom tma,
                                  int64_t extents[CUTE_MAX_TMA_RANK]);

/// The steps along its coordinate between neighbours of an axis of the box,
/// which a tensor map calls its element stride: 1 to 8.
CUTE_API int64_t cuteTmaAtomGetStep(CuteTmaAtom tma, size_t axis);

/// For each axis of the tensor map, innermost first, its leaf in the global
/// tensor's profile: the box's axes, then the others in order. Returns their
/// number, 0 with a message if there are more than five.
CUTE_API size_t cuteTmaAtomGetAxes(CuteContext context, CuteTmaAtom tma,
                                   CuteIntTuple profile,
                                   size_t axes[CUTE_MAX_TMA_RANK]);

/// The first modes of a layout, a tile together, as ((value), (instruction));
/// the other modes stay. With `cta`, an index in [0, ctas), it begins with that
/// block's part.
CUTE_API CutePartition cuteTmaAtomPartition(CuteContext context,
                                            CuteTmaAtom tma, CuteLayout layout,
                                            CuteIntTuple cta);

#ifdef __cplusplus
}
#endif

#endif
