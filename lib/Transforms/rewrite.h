// Shared by the rows of rewrites.c: one op that rows want to replace, and the
// ops that they propose for it.
#ifndef CUTE_TRANSFORMS_REWRITE_H
#define CUTE_TRANSFORMS_REWRITE_H

#include "Transforms/rewrites.h"

typedef struct CuteRewrite {
  CuteRewriter *rewriter;
  const CuteAvailable *available;
  size_t visible;
  MlirOperation op, inner; // inner: what defines operand 0
  const CuteOp *instance;
  CuteBuilder builder;
  MlirOperation first; // the first op of a proposal
} CuteRewrite;

// Creates an op in front of the one at hand; null where it cannot be inferred.
MlirOperation cuteRewritePropose(CuteRewrite *r, CuteOpSpec spec,
                                 CuteOp *instance);

// The same with one operand or two; its one result, or null.
MlirValue cuteRewriteProposeValue(CuteRewrite *r, CuteOpId id,
                                  size_t numOperands,
                                  const MlirValue *operands);

// Moves the uses of all results to the proposed op if it is equal.
bool cuteRewriteAccept(CuteRewrite *r, MlirOperation proposed,
                       const CuteOp *instance);

// Proposes one op with the types of the results, and accepts it if it is equal.
bool cuteRewriteAcceptOp(CuteRewrite *r, CuteOpSpec spec);

// The attributes of the op at hand, in scratch memory; returns their number.
size_t cuteRewriteGetAttributes(const CuteRewrite *r,
                                CuteNamedAttribute **attributes);

// A row's function: moves the uses of the op's results, and returns whether it
// did. Each states its law.
typedef bool CuteRewriteRow(CuteRewrite *r);

// rewrite_modes.c
CuteRewriteRow cuteRewriteJoinPaths, cuteRewriteLookThroughSelect,
    cuteRewriteJoinSelections, cuteRewriteDropInner, cuteRewriteSeeSecond,
    cuteRewriteSelectOfSlice, cuteRewriteSelectOfDice;

// rewrite_layouts.c
CuteRewriteRow cuteRewritePartsOfMakeLayout, cuteRewriteComposeStaticPart,
    cuteRewriteTileOfDivide;

// rewrite_values.c
CuteRewriteRow cuteRewriteMakeOfScalars, cuteRewriteDecideComparison,
    cuteRewriteFoldStaticResults, cuteRewriteDropChoice;

#endif
