//===- cute/IntTuple.h - Hierarchical tuples of integers -------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes, strides, coordinates and plain int tuples share one representation: a
// tree whose leaves are
//   static integers     7, -3          64 bits
//   dynamic integers    ?, ?{i64}      known at run time; 32 bits unless said
//                       ?{div=8}       and known to be a multiple of 8
//   underscores         _              "all of this mode" in a coordinate
//   scaled bases        4@1@0          4 in element 1 of element 0
//   errors              x              only ever read from text
// A leaf and the tuple of just that leaf are different values.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_INTTUPLE_H
#define CUTE_INTTUPLE_H

#include "cute/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef const struct CuteIntTupleImpl *CuteIntTuple;

typedef enum CuteIntTupleKind {
  CUTE_STATIC,
  CUTE_DYNAMIC,
  CUTE_UNDERSCORE,
  CUTE_BASIS,
  CUTE_ERROR,
  CUTE_TUPLE,
} CuteIntTupleKind;

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

/// The static leaf of that value.
CUTE_API CuteIntTuple cuteIntTupleGetStatic(CuteContext context, int64_t value);

/// A dynamic leaf of 1, 8, 16, 32 or 64 bits that is a multiple of `divisor`
/// (1 if nothing is known, at most 2^31).
CUTE_API CuteIntTuple cuteIntTupleGetDynamic(CuteContext context,
                                             unsigned width, int64_t divisor);
CUTE_API CuteIntTuple cuteIntTupleGetUnderscore(CuteContext context);

/// value @ path[n-1] @ ... @ path[0]: the path goes from the outermost mode
/// inwards. `value` is a static or dynamic leaf.
CUTE_API CuteIntTuple cuteIntTupleGetBasis(CuteContext context,
                                           CuteIntTuple value, size_t n,
                                           const int64_t *path);
CUTE_API CuteIntTuple cuteIntTupleGetTuple(CuteContext context, size_t n,
                                           const CuteIntTuple *elements);

//===----------------------------------------------------------------------===//
// Structure
//===----------------------------------------------------------------------===//

/// Tuple or which kind of leaf.
CUTE_API CuteIntTupleKind cuteIntTupleGetKind(CuteIntTuple tuple);

/// The value of a static leaf.
CUTE_API int64_t cuteIntTupleGetValue(CuteIntTuple leaf);

/// Bits of a dynamic leaf.
CUTE_API unsigned cuteIntTupleGetWidth(CuteIntTuple leaf);

/// Number of elements of a tuple, 1 for a leaf.
CUTE_API size_t cuteIntTupleGetRank(CuteIntTuple tuple);

/// 0 for a leaf, 1 + the deepest element for a tuple.
CUTE_API size_t cuteIntTupleGetDepth(CuteIntTuple tuple);

/// Element i of a tuple; a leaf is its own element 0.
CUTE_API CuteIntTuple cuteIntTupleGetElement(CuteIntTuple tuple, size_t i);

/// All leaves below, and the dynamic ones; a leaf counts itself.
CUTE_API size_t cuteIntTupleGetNumLeaves(CuteIntTuple tuple);
CUTE_API size_t cuteIntTupleGetNumDynamic(CuteIntTuple tuple);

/// Writes the leaves, left to right, to leaves[0, cuteIntTupleGetNumLeaves).
CUTE_API void cuteIntTupleGetLeaves(CuteIntTuple tuple, CuteIntTuple *leaves);

/// No dynamic leaf anywhere.
CUTE_API bool cuteIntTupleIsStatic(CuteIntTuple tuple);

/// Same tree, whatever the leaves.
CUTE_API bool cuteIntTupleIsCongruent(CuteIntTuple a, CuteIntTuple b);

/// Like congruent, but a leaf of `a` may be opposite any part of `b`.
CUTE_API bool cuteIntTupleIsWeaklyCongruent(CuteIntTuple a, CuteIntTuple b);

/// Every leaf of `a` is less than its partner in `b`. False for tuples that are
/// not congruent and for leaves that are not static.
CUTE_API bool cuteIntTupleElemLess(CuteIntTuple a, CuteIntTuple b);

/// `b` has the size of `a` in every leaf of `a`: coordinates of `a` are
/// coordinates of `b`. False for dynamic leaves.
CUTE_API bool cuteIntTupleIsCompatible(CuteIntTuple a, CuteIntTuple b);

/// Every leaf of `b` divides the opposite part of `a` exactly: the part's size
/// is the leaf times the size of its ceil_div by the leaf. Modes of `a` past
/// the rank of `b` do not matter. False for dynamic leaves.
CUTE_API bool cuteIntTupleEvenlyDivides(CuteIntTuple a, CuteIntTuple b);

/// The order decided by the first (lex) or the last (colex) difference; a
/// tuple's prefix (suffix) is less than the tuple. False if leaves are not
/// static integers.
CUTE_API bool cuteIntTupleLexLess(CuteIntTuple a, CuteIntTuple b);
CUTE_API bool cuteIntTupleColexLess(CuteIntTuple a, CuteIntTuple b);

//===----------------------------------------------------------------------===//
// Operations. Each gives null with a message where it is not defined.
//===----------------------------------------------------------------------===//

/// The part reached by following `path` from the outside in; each index must be
/// in [0, rank). If the whole is a leaf, it has one mode, 0, which is itself.
CUTE_API CuteIntTuple cuteIntTupleGetAt(CuteContext context, CuteIntTuple tuple,
                                        size_t n, const int32_t *path);

/// The tuple of the named top-level elements, repeats allowed.
CUTE_API CuteIntTuple cuteIntTupleSelect(CuteContext context,
                                         CuteIntTuple tuple, size_t n,
                                         const int32_t *modes);

/// One level, leaves in order; a leaf stays a leaf.
CUTE_API CuteIntTuple cuteIntTupleFlatten(CuteContext context,
                                          CuteIntTuple tuple);

/// Elements [begin, end) become one element.
CUTE_API CuteIntTuple cuteIntTupleGroup(CuteContext context, CuteIntTuple tuple,
                                        int64_t begin, int64_t end);

/// `element` repeated at the end (or the front) until the rank is `rank`.
CUTE_API CuteIntTuple cuteIntTupleAppendToRank(CuteContext context,
                                               CuteIntTuple tuple, int64_t rank,
                                               CuteIntTuple element);
CUTE_API CuteIntTuple cuteIntTuplePrependToRank(CuteContext context,
                                                CuteIntTuple tuple,
                                                int64_t rank,
                                                CuteIntTuple element);

/// Elements [begin, end).
CUTE_API CuteIntTuple cuteIntTupleTake(CuteContext context, CuteIntTuple tuple,
                                       int64_t begin, int64_t end);
/// Adds an element at the end or at the front, or replaces element `index`.
CUTE_API CuteIntTuple cuteIntTupleAppend(CuteContext context,
                                         CuteIntTuple tuple,
                                         CuteIntTuple element);
CUTE_API CuteIntTuple cuteIntTuplePrepend(CuteContext context,
                                          CuteIntTuple tuple,
                                          CuteIntTuple element);
CUTE_API CuteIntTuple cuteIntTupleReplace(CuteContext context,
                                          CuteIntTuple tuple, int64_t index,
                                          CuteIntTuple element);
/// Arranges the elements of a flat tuple as the profile's leaves.
CUTE_API CuteIntTuple cuteIntTupleUnflatten(CuteContext context,
                                            CuteIntTuple tuple,
                                            CuteIntTuple profile);

/// ((a0,b0), (a1,b1), ...) of two tuples of one rank.
CUTE_API CuteIntTuple cuteIntTupleZip(CuteContext context, CuteIntTuple a,
                                      CuteIntTuple b);

/// The first leaf; fails for a tuple without leaves.
CUTE_API CuteIntTuple cuteIntTupleFront(CuteContext context,
                                        CuteIntTuple tuple);
/// The path to the first leaf equal to the static integer `x`, as a tuple of
/// mode numbers (0 for a leaf itself); () if there is none. With a congruent
/// `exclude`, leaves opposite its integer `excluded` do not count.
CUTE_API CuteIntTuple cuteIntTupleFind(CuteContext context, CuteIntTuple x,
                                       CuteIntTuple tuple,
                                       CuteIntTuple excluded,
                                       CuteIntTuple exclude);
/// A tuple congruent to `target` whose leaves are all `x`.
CUTE_API CuteIntTuple cuteIntTupleRepeatLike(CuteContext context,
                                             CuteIntTuple x,
                                             CuteIntTuple target);
/// The leaf, known to be divisible by `divisor` (in [1, 2^31]). Fails for a
/// static leaf that it does not divide.
CUTE_API CuteIntTuple cuteIntTupleAssume(CuteContext context, CuteIntTuple leaf,
                                         int64_t divisor);

/// Product of all leaves; () gives 1.
CUTE_API CuteIntTuple cuteIntTupleProduct(CuteContext context,
                                          CuteIntTuple tuple);

/// The tuple of the products of the top-level elements.
CUTE_API CuteIntTuple cuteIntTupleProductEach(CuteContext context,
                                              CuteIntTuple tuple);

/// The products of the parts of the tuple opposite the leaves of the weakly
/// congruent profile.
CUTE_API CuteIntTuple cuteIntTupleProductLike(CuteContext context,
                                              CuteIntTuple tuple,
                                              CuteIntTuple profile);

/// Elementwise a + b. Elements past the shorter rank are copied; a static 0 at
/// top level means a tuple of zeros.
CUTE_API CuteIntTuple cuteIntTupleAdd(CuteContext context, CuteIntTuple a,
                                      CuteIntTuple b);

/// Elementwise a - b. Elements past the shorter rank are copied as they are, on
/// either side; only `b` may be the static 0 for all zeros.
CUTE_API CuteIntTuple cuteIntTupleSubtract(CuteContext context, CuteIntTuple a,
                                           CuteIntTuple b);

/// a / b, where in each pair one must divide the other; at least 1 in
/// magnitude. A leaf b is used up from left to right over the elements of a.
CUTE_API CuteIntTuple cuteIntTupleShapeDiv(CuteContext context, CuteIntTuple a,
                                           CuteIntTuple b);

/// ceil(a / b), with the same distribution of a leaf b and with missing
/// elements of b taken as 1.
CUTE_API CuteIntTuple cuteIntTupleCeilDiv(CuteContext context, CuteIntTuple a,
                                          CuteIntTuple b);

/// a rounded up to a multiple of b, leaf by leaf; missing elements of b count
/// as 1, which cannot be opposite a tuple.
CUTE_API CuteIntTuple cuteIntTupleRoundUp(CuteContext context, CuteIntTuple a,
                                          CuteIntTuple b);

/// a * b leaf by leaf; if b is a tuple opposite a leaf of a, its product
/// counts.
CUTE_API CuteIntTuple cuteIntTupleElemScale(CuteContext context, CuteIntTuple a,
                                            CuteIntTuple b);

/// The sum of the products of the leaves of two congruent tuples.
CUTE_API CuteIntTuple cuteIntTupleInnerProduct(CuteContext context,
                                               CuteIntTuple a, CuteIntTuple b);

//===----------------------------------------------------------------------===//
// Coordinates
//===----------------------------------------------------------------------===//

/// The coordinate of the colexicographic index in the shape, congruent to it.
/// The last mode of every tuple takes the remaining quotient, unreduced.
CUTE_API CuteIntTuple cuteIdx2Crd(CuteContext context, CuteIntTuple index,
                                  CuteIntTuple shape);

/// (index / stride) % extent at every leaf of a layout's shape and stride; 0 if
/// the extent is 1.
CUTE_API CuteIntTuple cuteIdx2CrdStrided(CuteContext context,
                                         CuteIntTuple index, CuteIntTuple shape,
                                         CuteIntTuple stride);

/// The coordinate in the shape `to` that has the index of `coord` in `from`.
CUTE_API CuteIntTuple cuteCrd2Crd(CuteContext context, CuteIntTuple coord,
                                  CuteIntTuple from, CuteIntTuple to);

/// The colexicographic index of the coordinate in the shape.
CUTE_API CuteIntTuple cuteCrd2Idx(CuteContext context, CuteIntTuple coord,
                                  CuteIntTuple shape);

/// The next coordinate in colexicographic order. The last leaf never wraps.
CUTE_API CuteIntTuple cuteIncrementCoord(CuteContext context,
                                         CuteIntTuple coord,
                                         CuteIntTuple shape);

/// Collects the parts under `_` of the coordinate into a tuple; a top-level `_`
/// gives the whole, a top-level integer ().
CUTE_API CuteIntTuple cuteIntTupleSlice(CuteContext context, CuteIntTuple tuple,
                                        CuteIntTuple coord);

/// The complement of slice: the parts under integers.
CUTE_API CuteIntTuple cuteIntTupleDice(CuteContext context, CuteIntTuple tuple,
                                       CuteIntTuple coord);

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The leaves that the text may contain.
typedef enum CuteIntTupleSyntax {
  CUTE_SYNTAX_INT_TUPLE,
  CUTE_SYNTAX_SHAPE,
  CUTE_SYNTAX_COORD,
  CUTE_SYNTAX_STRIDE,
  CUTE_SYNTAX_UNCHECKED_STRIDE, ///< whose leaves need not fit each other
} CuteIntTupleSyntax;

/// Reads the text form, blanks allowed; null with a message that names the
/// column. Printing gives the canonical text, which reads back as the same
/// value.
CUTE_API CuteIntTuple cuteIntTupleParse(CuteContext context, CuteStringRef text,
                                        CuteIntTupleSyntax syntax);
CUTE_API void cuteIntTuplePrint(CuteIntTuple tuple, CuteStringCallback callback,
                                void *userData);

#ifdef __cplusplus
}
#endif

#endif
