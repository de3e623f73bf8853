// The operations of the algebra by their CuTe names, on values.
#pragma once

#include "Calculator/language/value.h"

enum { CUTE_MAX_OPERANDS = 8 };

// Applies an operation to operands that are as its letters want them.
typedef CuteValue CuteCalcFunction(CuteContext c, const CuteValue *v);

// A row: what an operation takes, and the function that it is.
typedef struct CuteCalcOperation {
  const char *name;
  const char *operands; // one letter each, see below
  const char *summary;
  CuteCalcFunction *apply; // null: inference of an op
} CuteCalcOperation;

// Letters of operands: L layout, P tiler, T int tuple, H the same or a layout's
// shape, X int tuple or layout (all of one row are what the first is), Y either
// or a tiler, I static integer, S swizzle, A MMA atom, C copy atom, E element
// type, M tiled MMA, K tiled copy, V any value. (operands.c)

// Rows that look at values: of all coordinates, of one, of a swizzle, and the
// index of a coordinate in a shape or layout.
CuteValue cuteEvaluateAll(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateAt(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateSwizzle(CuteContext c, const CuteValue *operands);
CuteValue cuteEvaluateCrd2Idx(CuteContext c, const CuteValue *operands);

// The rows of a file operations_*.c.
typedef struct CuteCalcGroup {
  const CuteCalcOperation *rows;
  size_t count;
} CuteCalcGroup;

extern const CuteCalcGroup cuteCalcLayoutRows, cuteCalcModeRows,
    cuteCalcTupleRows, cuteCalcAtomRows, cuteCalcOpRows;

// Checks that a copy atom has an element type; false with a message.
bool cuteCalcCheckHasElement(CuteContext c, CuteValue atom);

// Rates how well values suit the letters of a row that has as many: -1 not at
// all.
int cuteCalcOperandsFit(const CuteCalcOperation *row, const CuteValue *values);

// The values as the letters want them; false with a message.
bool cuteCalcOperandsConvert(CuteContext c, const CuteCalcOperation *row,
                             CuteValue *values);

// "(layout, tiler)" and so on.
void cuteCalcAppendOperands(CuteString *text, const CuteCalcOperation *row);

// Row i of all groups; null past the last.
const CuteCalcOperation *cuteCalcGet(size_t i);

// Finds the operation, converts the operands and applies it.
CuteValue cuteCalcApply(CuteContext c, CuteStringRef name, size_t n,
                        const CuteValue *operands);

// Infers the result of the row's op.
CuteValue cuteCalcApplyOp(CuteContext c, const CuteCalcOperation *row,
                          const CuteValue *values);
