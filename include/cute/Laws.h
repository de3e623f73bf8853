//===- cute/Laws.h - Whether results keep their promise --------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each operation of the algebra promises a law, such as R(c) = A(B(c)). For
// some operands no layout can keep it, but the rule that CuTe and the open
// dialect follow gives a layout anyway. This library does the same, to keep
// results interchangeable; these functions report it.
//
// A policy in the context makes the operations check their results: under
// CUTE_LAWS_WARN a violated law leaves a warning, under CUTE_LAWS_STRICT the
// operation fails with the same text. The checks cover composition, complement,
// left_inverse, the divides and products, tile_to_shape, slices of swizzled
// layouts, make_ordered_layout, make_layout_like, max_common_layout and its
// vector, and everything built from these. (The other operations keep their
// laws by construction.)
//
// The checks have limits:
// - Layouts are functions of all indices: past its size a layout stays in its
//   last mode, and division truncates toward zero, as in cuteLayoutEval. If B
//   leaves A's domain or a tile reaches past the end, a warning appears only if
//   the result differs from A in that sense.
// - If both sides of a law are sums over the modes of its domain, as they
// usually are, these are compared, and the domain may have any size. Other laws
// are tried at CUTE_LAW_COORDS coordinates at most: in larger domains at
//   the corners of all pairs of modes and at a fixed sample.
// - A layout with dynamic leaves (for injectivity: the dynamic leaves; not for
//   slices, which are tried at the values of coordinate and offset) is not
//   checked, nor is one whose indices overflow 64 bits or whose scaled bases
//   have more than 32 directions. Each mode of a tiler is checked separately.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_LAWS_H
#define CUTE_LAWS_H

#include "cute/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { CUTE_LAW_COORDS = 1 << 16, CUTE_MAX_WARNINGS = 64 };

//===----------------------------------------------------------------------===//
// Checks of all operations in a context
//===----------------------------------------------------------------------===//

typedef enum CuteLawPolicy {
  CUTE_LAWS_IGNORE, ///< no checks: the policy of a new context
  CUTE_LAWS_WARN,
  CUTE_LAWS_STRICT,
} CuteLawPolicy;

/// Sets the policy and returns the previous one.
CUTE_API CuteLawPolicy cuteContextSetLawPolicy(CuteContext context,
                                               CuteLawPolicy policy);

/// Warnings since the context was created or they were cleared, each text once
/// and at most CUTE_MAX_WARNINGS of them. A text lives until they are cleared.
CUTE_API size_t cuteContextGetNumWarnings(CuteContext context);
CUTE_API const char *cuteContextGetWarning(CuteContext context, size_t i);
CUTE_API void cuteContextClearWarnings(CuteContext context);

//===----------------------------------------------------------------------===//
// The laws. Each function is true if the law holds as far as it was tested, and
// false, with the operands, a coordinate and both sides as the context's
// message, if it fails. A composed layout counts as its B. Null layouts make
// them false.
//===----------------------------------------------------------------------===//

/// r(c) = a(b(c)) at every c below the size of b.
CUTE_API bool cuteLawOfComposition(CuteContext context, CuteLayout a,
                                   CuteLayout b, CuteLayout r);

/// r(i,j) = a(t(i) + c(j)), where c is the rest of the tiler t in a's shape.
CUTE_API bool cuteLawOfDivide(CuteContext context, CuteLayout a, CuteLayout t,
                              CuteLayout c, CuteLayout r);

/// Each of a's elements, counted along its modes, is in one of the tiles t at
/// the places c, as often as t repeats an element (stride 0); no tile begins
/// past the tiler's period that contains the last element.
CUTE_API bool cuteLawOfTiles(CuteContext context, CuteLayout a, CuteLayout t,
                             CuteLayout c);

/// r(j) = c(b(j)): the repetitions r of a block with complement c start where b
/// says.
CUTE_API bool cuteLawOfProduct(CuteContext context, CuteLayout c, CuteLayout b,
                               CuteLayout r);

/// With m the size of the cotarget (null: the cosize of a), where a counts
/// without its stride-0 modes: (a,r) takes no index twice unless a does,
///   size(r) >= floor(m / size(a)),   cosize((a,r)) >= m.
/// Gaps between a's strides need not be filled.
CUTE_API bool cuteLawOfComplement(CuteContext context, CuteLayout a,
                                  CuteIntTuple cotarget, CuteLayout r);

/// a(r(a(i))) = a(i) at every i below the size of a.
CUTE_API bool cuteLawOfLeftInverse(CuteContext context, CuteLayout a,
                                   CuteLayout r);

/// a(r(i)) = i at every coordinate of r. max_common_layout also promises this
/// for each of its operands.
CUTE_API bool cuteLawOfRightInverse(CuteContext context, CuteLayout a,
                                    CuteLayout r);

/// r takes no index twice, unless the block does.
CUTE_API bool cuteLawOfTileToShape(CuteContext context, CuteLayout block,
                                   CuteLayout r);

/// r(c) - r(0) = a(c) - a(0), where a(c) is the swizzled layout a at the
/// coordinate with c for `_`. Dynamic leaves of the coordinate are within a's
/// shape. True for other layouts, whose slices are correct by construction.
CUTE_API bool cuteLawOfSlice(CuteContext context, CuteLayout a,
                             CuteIntTuple coord, CuteLayout r);

/// Without its stride-0 modes r takes each index below its size once. `name` is
/// the operation that the message begins with.
CUTE_API bool cuteLawOfCompact(CuteContext context, const char *name,
                               CuteLayout r);

#ifdef __cplusplus
}
#endif

#endif
