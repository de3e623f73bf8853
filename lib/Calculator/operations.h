// The operations of the algebra by their CuTe names, on values.
#ifndef CUTE_CALCULATOR_OPERATIONS_H
#define CUTE_CALCULATOR_OPERATIONS_H

#include "Calculator/value.h"

enum { CUTE_MAX_OPERANDS = 4 };

// A row: what an operation takes, and the function that it is.
typedef struct CuteOperation {
  const char *name;
  const char *operands; // one letter each, see below
  const char *summary;
  // One of these:
  CuteLayout (*layout1)(CuteContext, CuteLayout);
  CuteLayout (*layout2)(CuteContext, CuteLayout, CuteLayout);
  CuteLayout (*layoutTile)(CuteContext, CuteLayout, CuteTile);
  CuteLayout (*layoutTuple)(CuteContext, CuteLayout, CuteIntTuple);
  CuteLayout (*layoutInt)(CuteContext, CuteLayout, int64_t);
  CuteLayout (*ofTuple)(CuteContext, CuteIntTuple);
  CuteLayout (*ofTuple2)(CuteContext, CuteIntTuple, CuteIntTuple);
  CuteIntTuple (*tupleOfLayout)(CuteContext, CuteLayout);
  CuteIntTuple (*tupleOfLayout2)(CuteContext, CuteLayout, CuteLayout);
  CuteIntTuple (*tuple1)(CuteContext, CuteIntTuple);
  CuteIntTuple (*tuple2)(CuteContext, CuteIntTuple, CuteIntTuple);
  CuteIntTuple (*tuple3)(CuteContext, CuteIntTuple, CuteIntTuple, CuteIntTuple);
  bool (*relation)(CuteIntTuple, CuteIntTuple);
  CuteValue (*any)(CuteContext, const CuteValue *);
} CuteOperation;

// Letters of operands: L layout, P tiler, T int tuple, I static integer,
// S swizzle, A MMA atom, C copy atom, E element type, M tiled MMA, K tiled
// copy, V any value.

// Rows that look at values: of all coordinates, of one, of a swizzle, and the
// index of a coordinate in a shape or layout.
CuteValue cuteEvaluateAll(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateAt(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateSwizzle(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateCrd2Idx(CuteContext c, const CuteValue *operands);

// All rows, and how many: of the algebra, and of atoms.
const CuteOperation *cuteOperations(size_t *count);
const CuteOperation *cuteAtomOperations(size_t *count);

// The row of that name that suits the operands; null with a message.
const CuteOperation *cuteOperationFind(CuteContext c, CuteStringRef name,
                                       size_t n, const CuteValue *operands);

// Finds the operation, converts the operands and applies it.
CuteValue cuteOperationApply(CuteContext c, CuteStringRef name, size_t n,
                             const CuteValue *operands);

#endif
