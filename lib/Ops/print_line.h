// Text with values in it, which is printed at run time.
#pragma once

#include "Lowering/lowering.h"

// A format of printf and what it takes; values are in scratch memory. Freed
// when it is printed.
typedef struct CutePrintLine {
  CuteString format;
  MlirValue *values;
  size_t count;
} CutePrintLine;

// Appends text verbatim.
void cutePrintLineAppend(CutePrintLine *line, CuteStringRef text);

// Appends a number, by a conversion without its % such as "08x" or ".3f"; an
// empty one: %d or %u for integers, %g for floats.
void cutePrintLineAppendNumber(CuteLowering *lowering, CutePrintLine *line,
                               CuteElementType element, CuteStringRef spec,
                               MlirValue value);

void cutePrintLineAppendTuple(CuteLowering *lowering, CutePrintLine *line,
                              CuteIntTuple tuple);

// Appends a value of any type that can be printed: numbers, vectors, and values
// of the dialect, as the text of their types with the run-time values of
// dynamic leaves.
void cutePrintLineAppendValue(CuteLowering *lowering, CutePrintLine *line,
                              CuteStringRef spec, MlirValue value);

// Tells whether values of the type can be printed; false with a message.
bool cutePrintLineCheckType(CuteContext c, CuteType type);

// Prints the line, by several calls of printf where it has more values than one
// takes.
bool cutePrintLineFlush(CuteLowering *lowering, CutePrintLine *line);

// The element type of a number, or of a vector's elements, and how many these
// are; 0 for other types.
size_t cutePrintLineGetElements(CuteType type, CuteElementType *element);
