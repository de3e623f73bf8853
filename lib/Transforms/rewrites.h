// Rewrites of single ops of the dialect, as rows of a table.
//
// A row proposes ops in the place of one; they count only if they have its
// result types and its bound types (numbering.h), so that a row whose law does
// not hold for the operands at hand does nothing.
#ifndef CUTE_TRANSFORMS_REWRITES_H
#define CUTE_TRANSFORMS_REWRITES_H

#include "IR/builder.h"
#include "Transforms/available.h"
#include "Transforms/numbering.h"
#include "Transforms/transforms.h"

typedef struct CuteRewriter {
  CuteNumbering numbering;
  CutePointerMap visited; // ops whose operands are canonical
} CuteRewriter;

void cuteRewriterInit(CuteRewriter *rewriter, CuteDialect *dialect);
void cuteRewriterDestroy(CuteRewriter *rewriter);

// Rows look through these ops.
void cuteRewriterMarkVisited(CuteRewriter *rewriter, MlirOperation op);

// Moves the uses of the op's results to new ops in front of it where a row
// applies; values are looked for from frame `visible` on. Returns the first new
// op, which is to be visited next, or null if nothing changed.
MlirOperation cuteRewrite(CuteRewriter *rewriter,
                          const CuteAvailable *available, size_t visible,
                          MlirOperation op, const CuteOp *instance);

#endif
