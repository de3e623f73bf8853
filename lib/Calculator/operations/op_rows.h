// Operations that are ops of the dialect.
#ifndef CUTE_CALCULATOR_OP_ROWS_H
#define CUTE_CALCULATOR_OP_ROWS_H

#include "Calculator/operations/operations.h"

// Infers the result of the row's op.
CuteValue cuteCalcApplyOp(CuteContext c, const CuteCalcOperation *row,
                          const CuteValue *values);

#endif
