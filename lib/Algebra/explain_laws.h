// The laws that an explanation ends in, each at one coordinate: one at which it
// fails, if there is one among the first, else one at which it says something.
// Each says nothing where the result is null or something dynamic.
#pragma once

#include "Algebra/laws.h"

typedef enum CutePairing { CUTE_BLOCKED, CUTE_RAKED } CutePairing;

// A law with the operands that it needs, and the coordinates at which it is
// shown: numbers, or tuples of one number a mode or a leaf.
typedef struct CuteLawCase {
  CuteLaw law;
  CuteLayout a, b, r;
  CuteTile tiler; // as B or T
  CuteTileForm form;
  CuteIntTuple coord, offset; // of a slice
  Mode block, repeated;
  CutePairing pairing;
  CuteIntTuple shape; // of the coordinates; null: of the law's domain
  enum { CUTE_AT_NUMBERS, CUTE_AT_MODES, CUTE_AT_LEAVES } coords;
  CuteTraceEvent holds; // instead of the law's, unless 0
  bool prefersFirst;    // of the coordinates that say something
} CuteLawCase;

// Shows an equation at a coordinate.
void cuteExplainEquation(CuteContext c, const CuteLawCase *law);

// The equation of an operation that has just ended, by the members of its case.
#define traceEquation(c, ...)                                                  \
  traceLaw((c), cuteExplainEquation((c), &(CuteLawCase){__VA_ARGS__}))

// R(c) = A(B(c)), by mode for a tuple.
void cuteExplainCompositionLaw(CuteContext c, CuteLayout a, CuteTile b,
                               CuteLayout r);
// R(i) = S(offset + B(i)).
void cuteExplainSwizzleLaw(CuteContext c, CuteLayout b, CuteLayout r);
// R(i) = A(j) for some j.
void cuteExplainWithinLaw(CuteContext c, CuteLayout a, CuteLayout r);
// A(i) + R(1) is not an index of A, or the law of the complement.
void cuteExplainComplementLaw(CuteContext c, CuteLayout a,
                              CuteIntTuple cotarget, CuteLayout r);
// R(A(i)) = i, or another coordinate where A is the same.
void cuteExplainLeftInverseLaw(CuteContext c, CuteLayout a, CuteLayout r);
// R(i,j) = A(i) + A*(B(j)), where A* is `rest`; of interleaved products the
// modes are pairs of a block's and a repetition's, A and A* o B padded to one
// rank, or the other way round.
void cuteExplainProductLaw(CuteContext c, CuteLayout a, CuteLayout rest,
                           CuteLayout b, CuteLayout r);
// R at the first copy is A, of a product by mode.
void cuteExplainFirstCopyLaw(CuteContext c, CuteLayout a, CuteTile tiler,
                             CuteTileForm form, CuteLayout r);
void cuteExplainPairedLaw(CuteContext c, CuteLayout a, CuteLayout b, Mode block,
                          Mode repeated, CutePairing pairing, CuteLayout r);
// n indices of the one are one of the other.
void cuteExplainUnitsLaw(CuteContext c, CuteLayout fine, CuteLayout coarse,
                         int64_t n, const char *fineName,
                         const char *coarseName);
// A(coord with c for _) = offset + R(c), of a layout called `name`.
void cuteExplainSliceLaw(CuteContext c, const char *name, CuteLayout a,
                         CuteIntTuple coord, CutePartition part);
// A(coord with 0 for _) = R(the integers of coord).
void cuteExplainDiceLaw(CuteContext c, CuteLayout a, CuteIntTuple coord,
                        CuteLayout r);
// R, which the operation of that name makes, takes the indices below its size.
void cuteExplainCompactLaw(CuteContext c, const char *name, CuteLayout r);
// crd2idx(coord) = index.
void cuteExplainPlaceLaw(CuteContext c, CuteIntTuple index, CuteIntTuple shape,
                         CuteIntTuple coord);
// A(coord) = A(index of coord).
void cuteExplainIndexLaw(CuteContext c, CuteLayout a, CuteIntTuple coord,
                         CuteIntTuple value);
