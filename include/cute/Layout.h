//===- cute/Layout.h - Layouts, swizzles, tilers ---------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layout shape:stride maps a coordinate of its shape to the sum of the
// coordinate's leaves times the stride's. A composed layout A o off o B maps c
// to A(off + B(c)), where A is a swizzle or a layout; its domain is B's.
//
// Terms: size is the number of coordinates, cosize one more than the largest
// index, a mode an element of the shape with its stride. Layouts and the
// operations follow C. Cecka, "CuTe Layout Representation and Algebra", and in
// normal form NVIDIA's open `cute` dialect.
//
// Unless it says otherwise, an operation on a composed layout works on B and
// keeps A and off; a result whose swizzle has 0 bits and whose offset is 0 is B
// alone.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_LAYOUT_H
#define CUTE_LAYOUT_H

#include "cute/IntTuple.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct CuteLayoutImpl *CuteLayout;
typedef const struct CuteTileImpl *CuteTile;

/// S<bits,base,shift>: v -> v ^ ((v & Y) >> shift), where Y is `bits` ones at
/// position base + max(shift, 0); a negative shift moves left. Written
/// Swizzle<B,M,S> in CuTe C++.
typedef struct CuteSwizzle {
  int32_t bits, base, shift;
} CuteSwizzle;

/// bits >= 0, base >= 0, |shift| >= bits, |shift| + bits + base <= 32.
CUTE_API bool cuteSwizzleIsValid(CuteSwizzle swizzle);
CUTE_API uint64_t cuteSwizzleGetValue(CuteSwizzle swizzle, uint64_t value);

//===----------------------------------------------------------------------===//
// Construction and parts
//===----------------------------------------------------------------------===//

/// shape:stride. A null stride means compact column-major strides, in
/// which an extent of 1 gets stride 0. Fails unless the two are congruent,
/// static extents are positive, and the strides are all integers or all scaled
/// bases (and zeros) whose paths form a tree.
CUTE_API CuteLayout cuteLayoutGet(CuteContext context, CuteIntTuple shape,
                                  CuteIntTuple stride);
CUTE_API CuteLayout cuteLayoutGetSwizzled(CuteContext context,
                                          CuteSwizzle swizzle,
                                          CuteIntTuple offset,
                                          CuteLayout outer);
/// The same, but `outer` alone if swizzle and offset change nothing.
CUTE_API CuteLayout cuteLayoutComposeSwizzle(CuteContext context,
                                             CuteSwizzle swizzle,
                                             CuteIntTuple offset,
                                             CuteLayout outer);
CUTE_API CuteLayout cuteLayoutGetComposed(CuteContext context, CuteLayout inner,
                                          CuteIntTuple offset,
                                          CuteLayout outer);

/// Give the shape and strides; a composed layout has B's.
CUTE_API CuteIntTuple cuteLayoutGetShape(CuteLayout layout);
CUTE_API CuteIntTuple cuteLayoutGetStride(CuteLayout layout);

/// Tells whether it is A o off o B, and whether A is a swizzle.
CUTE_API bool cuteLayoutIsComposed(CuteLayout layout);
CUTE_API bool cuteLayoutHasSwizzle(CuteLayout layout);
/// A, if it is a swizzle.
CUTE_API CuteSwizzle cuteLayoutGetSwizzle(CuteLayout layout);
/// A, if it is a layout; null otherwise.
CUTE_API CuteLayout cuteLayoutGetInner(CuteLayout layout);
/// off; null for a plain layout.
CUTE_API CuteIntTuple cuteLayoutGetOffset(CuteLayout layout);
/// B; the layout itself if it is plain.
CUTE_API CuteLayout cuteLayoutGetOuter(CuteContext context, CuteLayout layout);

/// Modes of the shape; dynamic leaves of shape, stride, offset and A together.
CUTE_API size_t cuteLayoutGetRank(CuteLayout layout);
CUTE_API size_t cuteLayoutGetNumDynamic(CuteLayout layout);

/// The number of coordinates: the product of the extents.
CUTE_API CuteIntTuple cuteLayoutGetSize(CuteContext context, CuteLayout layout);

/// 1 + the largest index if all strides were positive; for scaled bases the
/// product over the directions. The swizzle and offset of a composed layout do
/// not count; a composed layout whose A is a layout has no cosize.
CUTE_API CuteIntTuple cuteLayoutGetCosize(CuteContext context,
                                          CuteLayout layout);

/// The largest value + 1 in every direction: congruent to the values, so an
/// integer for integer strides. Its product is the cosize.
CUTE_API CuteIntTuple cuteLayoutGetCoshape(CuteContext context,
                                           CuteLayout layout);

/// The same rearrangements as of int tuples (IntTuple.h), of shape and stride
/// alike: the part at a path, the named modes, one level, modes [begin, end) as
/// one, and modes added up to a rank; an added element is a plain layout.
CUTE_API CuteLayout cuteLayoutGetAt(CuteContext context, CuteLayout layout,
                                    size_t n, const int32_t *path);
CUTE_API CuteLayout cuteLayoutSelect(CuteContext context, CuteLayout layout,
                                     size_t n, const int32_t *modes);
CUTE_API CuteLayout cuteLayoutFlatten(CuteContext context, CuteLayout layout);
CUTE_API CuteLayout cuteLayoutGroup(CuteContext context, CuteLayout layout,
                                    int64_t begin, int64_t end);
CUTE_API CuteLayout cuteLayoutAppendToRank(CuteContext context,
                                           CuteLayout layout, int64_t rank,
                                           CuteLayout element);
CUTE_API CuteLayout cuteLayoutPrependToRank(CuteContext context,
                                            CuteLayout layout, int64_t rank,
                                            CuteLayout element);

/// Modes [begin, end).
CUTE_API CuteLayout cuteLayoutTake(CuteContext context, CuteLayout layout,
                                   int64_t begin, int64_t end);
/// Adds a mode at the end or at the front, or replaces mode `index`.
CUTE_API CuteLayout cuteLayoutAppend(CuteContext context, CuteLayout layout,
                                     CuteLayout element);
CUTE_API CuteLayout cuteLayoutPrepend(CuteContext context, CuteLayout layout,
                                      CuteLayout element);
CUTE_API CuteLayout cuteLayoutReplace(CuteContext context, CuteLayout layout,
                                      int64_t index, CuteLayout element);
/// The layout whose modes are these plain layouts.
CUTE_API CuteLayout cuteLayoutConcatenate(CuteContext context, size_t n,
                                          const CuteLayout *layouts);
/// ((a0,b0), (a1,b1), ...) of two layouts of one rank.
CUTE_API CuteLayout cuteLayoutZip(CuteContext context, CuteLayout a,
                                  CuteLayout b);
/// Arranges the modes of a flat layout as the profile's leaves.
CUTE_API CuteLayout cuteLayoutUnflatten(CuteContext context, CuteLayout layout,
                                        CuteIntTuple profile);

/// Compact strides with the last mode first; an extent of 1 gets stride 0.
CUTE_API CuteLayout cuteLayoutGetRight(CuteContext context, CuteIntTuple shape);

/// The leaf at path (i, j, ...) gets stride `1@...@j@i`; a scalar shape
/// stride 1.
CUTE_API CuteLayout cuteLayoutGetIdentity(CuteContext context,
                                          CuteIntTuple shape);

/// Compact strides in the order of the static sort keys, which are weakly
/// congruent to the shape; equal keys share a start.
CUTE_API CuteLayout cuteLayoutGetOrdered(CuteContext context,
                                         CuteIntTuple shape,
                                         CuteIntTuple order);

/// Compact strides in the order of the layout's own strides; zeros stay.
CUTE_API CuteLayout cuteLayoutGetLike(CuteContext context, CuteLayout layout);

/// The layout of a register fragment for the values of a layout: mode 0 compact
/// and first, the others in the order of their strides (dynamic ones last, left
/// to right). Scaled bases: compact column-major. The shape must be static.
CUTE_API CuteLayout cuteLayoutGetFragmentLike(CuteContext context,
                                              CuteLayout layout);

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The index (for scaled bases the coordinate) at a coordinate: at every level
/// a leaf, which is split colexicographically, or a tuple of the layout's rank.
/// `_` counts as 0.
CUTE_API CuteIntTuple cuteLayoutEval(CuteContext context, CuteLayout layout,
                                     CuteIntTuple coord);

/// The part of the layout under `_` of the coordinate. The dropped part's
/// contribution is lost for a plain layout and goes into a composed layout's
/// offset.
CUTE_API CuteLayout cuteLayoutSlice(CuteContext context, CuteLayout layout,
                                    CuteIntTuple coord);
CUTE_API CuteLayout cuteLayoutDice(CuteContext context, CuteLayout layout,
                                   CuteIntTuple coord);

/// A part of a layout: its layout, and where it begins.
typedef struct CutePartition {
  CuteLayout layout;   ///< null with a message on failure
  CuteIntTuple offset; ///< of the part's first element in the whole
} CutePartition;

/// The part under `_` and the value at the coordinate with 0 for `_`. A
/// composed layout takes the value into its own offset, and the part begins at
/// 0. Dynamic offsets carry the divisor that follows from the strides.
CUTE_API CutePartition cuteLayoutSliceAndOffset(CuteContext context,
                                                CuteLayout layout,
                                                CuteIntTuple coord);

/// The layout moved to begin at a coordinate: the whole layout, and the value
/// there, which a composed layout adds to its own offset (the part begins at
/// 0).
CUTE_API CutePartition cuteLayoutDomainOffset(CuteContext context,
                                              CuteLayout layout,
                                              CuteIntTuple coord);

/// A bit for each index that mode `mode` of the layout takes, with the other
/// modes fixed at `coord`: the multicast mask of the thread blocks of a
/// cluster. False with a message unless all indices are static and in [0, 16).
CUTE_API bool cuteLayoutGetImageMask(CuteContext context, CuteLayout layout,
                                     CuteIntTuple coord, int64_t mode,
                                     uint16_t *mask);

//===----------------------------------------------------------------------===//
// Tilers: trees of layouts and `_`, to be applied mode by mode
//===----------------------------------------------------------------------===//

/// The leaf that leaves a mode alone, a leaf that is a layout, and a tuple of n
/// tilers; null elements make it null.
CUTE_API CuteTile cuteTileGetUnderscore(CuteContext context);
CUTE_API CuteTile cuteTileGetLayout(CuteContext context, CuteLayout layout);
CUTE_API CuteTile cuteTileGetTuple(CuteContext context, size_t n,
                                   const CuteTile *elements);

/// Each leaf s of the shape becomes the tiler s:1 of its mode.
CUTE_API CuteTile cuteTileGetShape(CuteContext context, CuteIntTuple shape);

/// Tells whether it is the leaf `_`.
CUTE_API bool cuteTileIsUnderscore(CuteTile tile);
/// The layout of a leaf; null for `_` and tuples.
CUTE_API CuteLayout cuteTileGetLeaf(CuteTile tile);
CUTE_API size_t cuteTileGetRank(CuteTile tile);
CUTE_API CuteTile cuteTileGetElement(CuteTile tile, size_t i);
CUTE_API size_t cuteTileGetNumLeaves(CuteTile tile);
CUTE_API size_t cuteTileGetNumDynamic(CuteTile tile);
CUTE_API CuteTile cuteTileGetAt(CuteContext context, CuteTile tile, size_t n,
                                const int32_t *path);
CUTE_API CuteTile cuteTileSelect(CuteContext context, CuteTile tile, size_t n,
                                 const int32_t *modes);
CUTE_API CuteTile cuteTileFlatten(CuteContext context, CuteTile tile);

/// Modes [begin, end) as one; fails if they do not exist.
CUTE_API CuteTile cuteTileGroup(CuteContext context, CuteTile tile,
                                int64_t begin, int64_t end);

/// Adds the element at one end until there are `rank` modes; a tile with at
/// least that many is unchanged.
CUTE_API CuteTile cuteTileAppendToRank(CuteContext context, CuteTile tile,
                                       int64_t rank, CuteTile element);
CUTE_API CuteTile cuteTilePrependToRank(CuteContext context, CuteTile tile,
                                        int64_t rank, CuteTile element);
/// The tree of the leaves' shapes; fails if there is a `_`.
CUTE_API CuteIntTuple cuteTileGetShapes(CuteContext context, CuteTile tile);
/// ceil_div with each leaf of the tiler as an integer.
CUTE_API CuteIntTuple cuteTileCeilDiv(CuteContext context, CuteIntTuple shape,
                                      CuteTile tile);

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

/// The same function with as few modes as possible; with a profile, per leaf of
/// the profile. Null profile: the whole layout.
CUTE_API CuteLayout cuteLayoutCoalesce(CuteContext context, CuteLayout layout,
                                       CuteIntTuple profile);

/// Replaces extents with stride 0 by 1: no index occurs twice because of them.
/// With a profile, in the modes below its leaves.
CUTE_API CuteLayout cuteLayoutFilterZeros(CuteContext context,
                                          CuteLayout layout,
                                          CuteIntTuple profile);

/// coalesce(filter_zeros); with a profile, per leaf of the profile.
CUTE_API CuteLayout cuteLayoutFilter(CuteContext context, CuteLayout layout,
                                     CuteIntTuple profile);

/// Gives the layout of the coordinates to which the stride-0 modes of a plain
/// layout give index 0, flat; 1:0 if there is none.
CUTE_API CuteLayout cuteLayoutNullspace(CuteContext context, CuteLayout layout);

/// R(c) = a(b(c)); a tuple tiler works mode by mode and drops the modes of `a`
/// past its rank.
CUTE_API CuteLayout cuteLayoutComposition(CuteContext context, CuteLayout a,
                                          CuteTile b);

/// The ordered layout of the indices below `cotarget` that `a` skips; with a
/// null cotarget, the smallest one, which ends in 1:cosize.
CUTE_API CuteLayout cuteLayoutComplement(CuteContext context, CuteLayout a,
                                         CuteIntTuple cotarget);

/// R with a(R(i)) = i, as far as possible.
CUTE_API CuteLayout cuteLayoutRightInverse(CuteContext context, CuteLayout a);

/// R with R(a(i)) = i.
CUTE_API CuteLayout cuteLayoutLeftInverse(CuteContext context, CuteLayout a);

/// The longest layout R with a(R(i)) = b(R(i)) = i, from the leading mode of
/// a o right_inverse(b); 1:0 if they have nothing in common.
CUTE_API CuteLayout cuteLayoutMaxCommonLayout(CuteContext context, CuteLayout a,
                                              CuteLayout b);

/// Its size: the number of elements that can be copied between `a` and `b` at
/// once. With a swizzle, at most the elements below its base.
CUTE_API CuteIntTuple cuteLayoutMaxCommonVector(CuteContext context,
                                                CuteLayout a, CuteLayout b);

/// The widest vector: that many indices from 0 on are taken without a gap, and
/// all others in runs that begin at multiples of it. Fails for scaled bases.
CUTE_API CuteIntTuple cuteLayoutMaxAlignment(CuteContext context,
                                             CuteLayout layout);

/// A layout of at most `size` elements, spread over the modes of the static
/// shape from the first on, as far as their extents have factors in common.
CUTE_API CuteLayout cuteDomainDistribute(CuteContext context,
                                         CuteIntTuple shape, CuteIntTuple size);

/// (tile, rest): a o (t, complement of t in the shape of coalesce(a)). A tuple
/// tiler works mode by mode and keeps the modes of `a` past its rank.
CUTE_API CuteLayout cuteLayoutLogicalDivide(CuteContext context, CuteLayout a,
                                            CuteTile tiler);
/// ((tiles...), (rests...)).
CUTE_API CuteLayout cuteLayoutZippedDivide(CuteContext context, CuteLayout a,
                                           CuteTile tiler);
/// ((tiles...), rests...).
CUTE_API CuteLayout cuteLayoutTiledDivide(CuteContext context, CuteLayout a,
                                          CuteTile tiler);
/// (tiles..., rests...).
CUTE_API CuteLayout cuteLayoutFlatDivide(CuteContext context, CuteLayout a,
                                         CuteTile tiler);

/// (a, complement(a) o b).
CUTE_API CuteLayout cuteLayoutLogicalProduct(CuteContext context, CuteLayout a,
                                             CuteLayout b);
CUTE_API CuteLayout cuteLayoutZippedProduct(CuteContext context, CuteLayout a,
                                            CuteLayout b);
CUTE_API CuteLayout cuteLayoutTiledProduct(CuteContext context, CuteLayout a,
                                           CuteLayout b);
CUTE_API CuteLayout cuteLayoutFlatProduct(CuteContext context, CuteLayout a,
                                          CuteLayout b);
/// The arrangement of tiles and rests, or of blocks and repetitions.
typedef enum CuteTileForm {
  CUTE_FORM_LOGICAL, ///< ((tile, rest), ...)
  CUTE_FORM_ZIPPED,  ///< ((tiles...), (rests...))
  CUTE_FORM_TILED,   ///< ((tiles...), rests...)
  CUTE_FORM_FLAT,    ///< (tiles..., rests...)
} CuteTileForm;

/// The product with a tiler, mode by mode: (a, complement(a, size(a) *
/// cosize(b)) o b) for each; modes of `a` past the tiler's rank stay. This is
/// CuTe C++'s; the open dialect multiplies by layouts only.
CUTE_API CuteLayout cuteLayoutProductByMode(CuteContext context, CuteLayout a,
                                            CuteTile tiler, CuteTileForm form);

/// ((a0, b0), (a1, b1), ...) and ((b0, a0), (b1, a1), ...).
CUTE_API CuteLayout cuteLayoutBlockedProduct(CuteContext context, CuteLayout a,
                                             CuteLayout b);
CUTE_API CuteLayout cuteLayoutRakedProduct(CuteContext context, CuteLayout a,
                                           CuteLayout b);

/// The block repeated over a shape; the repetitions follow `order`, a
/// permutation of the modes (null: first mode first).
CUTE_API CuteLayout cuteLayoutTileToShape(CuteContext context, CuteLayout block,
                                          CuteIntTuple shape,
                                          CuteIntTuple order);

/// The layout in units of newBits instead of oldBits.
CUTE_API CuteLayout cuteLayoutRecast(CuteContext context, CuteLayout layout,
                                     int64_t newBits, int64_t oldBits);

/// n units become one: each stride must divide n or be a multiple of it; an
/// extent that is not a multiple is rounded up.
CUTE_API CuteLayout cuteLayoutUpcast(CuteContext context, CuteLayout layout,
                                     int64_t n);

/// One unit becomes n; some stride must be 1.
CUTE_API CuteLayout cuteLayoutDowncast(CuteContext context, CuteLayout layout,
                                       int64_t n);

/// The swizzle in units of n, or of one n-th; n is a power of two. Bits that
/// would fall below a unit are dropped.
CUTE_API bool cuteSwizzleUpcast(CuteContext context, CuteSwizzle swizzle,
                                int64_t n, CuteSwizzle *result);
CUTE_API bool cuteSwizzleDowncast(CuteContext context, CuteSwizzle swizzle,
                                  int64_t n, CuteSwizzle *result);

/// The composition of two swizzles; they must have the same shift, and their
/// bits must be adjacent (or equal, which gives none).
CUTE_API bool cuteSwizzleCompose(CuteContext context, CuteSwizzle a,
                                 CuteSwizzle b, CuteSwizzle *result);

//===----------------------------------------------------------------------===//
// Tiles and parts of tensors
//===----------------------------------------------------------------------===//

/// The tile at a coordinate of the tiles: the modes of the tile, then the modes
/// of the rest under `_` or beyond the coordinate. With a projection (null:
/// none), the modes of tiler and coordinate under its `_` are left out.
CUTE_API CutePartition cuteLayoutLocalTile(CuteContext context,
                                           CuteLayout layout, CuteTile tiler,
                                           CuteIntTuple coord,
                                           CuteIntTuple projection);

/// Gives the part of thread `index` of a thread layout whose shape tiles the
/// layout: the modes of the rest.
CUTE_API CutePartition cuteLayoutLocalPartition(CuteContext context,
                                                CuteLayout layout,
                                                CuteLayout threads,
                                                CuteIntTuple index,
                                                CuteIntTuple projection);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Reads the text form, blanks allowed; null (false) with a message that names
/// the column. cuteLayoutParse accepts a plain layout, cuteComposedLayoutParse
/// one with ` o `.
CUTE_API CuteLayout cuteLayoutParse(CuteContext context, CuteStringRef text);
CUTE_API CuteLayout cuteComposedLayoutParse(CuteContext context,
                                            CuteStringRef text);
CUTE_API CuteTile cuteTileParse(CuteContext context, CuteStringRef text);
/// The same without checking strides: for values that are only passed along.
CUTE_API CuteTile cuteTileParseUnchecked(CuteContext context,
                                         CuteStringRef text);
CUTE_API bool cuteSwizzleParse(CuteContext context, CuteStringRef text,
                               CuteSwizzle *swizzle);

/// Canonical text, which reads back as the same value.
CUTE_API void cuteLayoutPrint(CuteLayout layout, CuteStringCallback callback,
                              void *userData);
CUTE_API void cuteTilePrint(CuteTile tile, CuteStringCallback callback,
                            void *userData);
CUTE_API void cuteSwizzlePrint(CuteSwizzle swizzle, CuteStringCallback callback,
                               void *userData);

#ifdef __cplusplus
}
#endif

#endif
