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
  // One of these, or one for int tuples and one for layouts:
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
  CuteIntTuple (*tuplePath)(CuteContext, CuteIntTuple, size_t, const int32_t *);
  CuteLayout (*layoutPath)(CuteContext, CuteLayout, size_t, const int32_t *);
  CuteIntTuple (*tupleRange)(CuteContext, CuteIntTuple, int64_t, int64_t);
  CuteLayout (*layoutRange)(CuteContext, CuteLayout, int64_t, int64_t);
  CuteIntTuple (*tupleIndexed)(CuteContext, CuteIntTuple, int64_t,
                               CuteIntTuple);
  CuteLayout (*layoutIndexed)(CuteContext, CuteLayout, int64_t, CuteLayout);
  bool (*predicate)(CuteIntTuple);
  bool (*relation)(CuteIntTuple, CuteIntTuple);
  CuteValue (*any)(CuteContext, const CuteValue *);
} CuteOperation;

// Letters of operands: L layout, P tiler, T int tuple, H the same or a layout's
// shape, X int tuple or layout (all of one row are what the first is), I static
// integer, S swizzle, A MMA atom, C copy atom, E element type, M tiled MMA, K
// tiled copy, V any value. (operands.c)

// Modes by number: a path, or a choice.
enum { CUTE_MAX_MODE_NUMBERS = 1024 };
typedef struct CuteModeNumbers {
  size_t count;
  int32_t data[CUTE_MAX_MODE_NUMBERS];
} CuteModeNumbers;

// The static leaves of a tuple as mode numbers; false with a message where they
// are none.
bool cuteModeNumbers(CuteContext c, CuteIntTuple tuple, CuteModeNumbers *modes);

// Rows that look at values: of all coordinates, of one, of a swizzle, and the
// index of a coordinate in a shape or layout.
CuteValue cuteEvaluateAll(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateAt(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateSwizzle(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateCrd2Idx(CuteContext c, const CuteValue *operands);

// The rows of a file operations_*.c.
typedef struct CuteOperationGroup {
  const CuteOperation *rows;
  size_t count;
} CuteOperationGroup;

extern const CuteOperationGroup cuteLayoutOperations, cuteModeOperations,
    cuteTupleOperations, cuteAtomOperations;

// How well values suit the letters of a row that has as many: -1 not at all.
int cuteOperandsFit(const CuteOperation *row, const CuteValue *values);

// The values as the letters want them; false with a message.
bool cuteOperandsConvert(CuteContext c, const CuteOperation *row,
                         CuteValue *values);

// "(layout, tiler)" and so on.
void cuteAppendOperands(CuteString *text, const CuteOperation *row);

// Row i of all groups; null past the last.
const CuteOperation *cuteOperationGet(size_t i);

// The row of that name that suits the operands best, or at least has as many;
// null with a message.
const CuteOperation *cuteOperationFind(CuteContext c, CuteStringRef name,
                                       size_t n, const CuteValue *operands);

// Finds the operation, converts the operands and applies it.
CuteValue cuteOperationApply(CuteContext c, CuteStringRef name, size_t n,
                             const CuteValue *operands);

#endif
