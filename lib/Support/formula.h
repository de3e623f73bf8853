// Formulas over named values: launch grids such as
// ceil_div(arg2.shape[0], 128), and references such as A[m,k] * B[n,k].
#pragma once

#include "Support/status.h"

typedef enum CuteFormulaKind {
  CUTE_FORMULA_NUMBER,
  CUTE_FORMULA_NAME,   // name
  CUTE_FORMULA_ACCESS, // name[children]
  CUTE_FORMULA_CALL,   // name(children)
  CUTE_FORMULA_REDUCE, // name[children but the last](the last child)
  CUTE_FORMULA_ADD,
  CUTE_FORMULA_SUBTRACT,
  CUTE_FORMULA_MULTIPLY,
  CUTE_FORMULA_DIVIDE,
  CUTE_FORMULA_REMAINDER,
  CUTE_FORMULA_NEGATE,
} CuteFormulaKind;

enum { CUTE_MAX_CHILDREN = 8, CUTE_MAX_FORMULA_NODES = 4096 };

typedef struct CuteFormula {
  CuteFormulaKind kind;
  double number;
  char name[32]; // letters, digits, '_' and '.'
  size_t numChildren;
  struct CuteFormula *children[CUTE_MAX_CHILDREN];
} CuteFormula;

// Parses a whole text of at most CUTE_MAX_FORMULA_NODES nodes; null where it
// fails. A formula with `=` is the list of its two sides, a CALL of "=".
CuteStatus cuteFormulaParse(const char *text, CuteFormula **formula);
void cuteFormulaDestroy(CuteFormula *formula);

// The value of a NUMBER that is an integer of at most 53 bits; false of others.
bool cuteFormulaGetInteger(const CuteFormula *number, int64_t *value);

// The value of names and accesses in integer formulas.
typedef CuteStatus CuteFormulaLookup(const CuteFormula *access, void *data,
                                     int64_t *value);

// Evaluates with + - * / (rounding towards zero), ceil_div, min and max. Fails
// where an operation is not defined or overflows.
CuteStatus cuteFormulaEvaluate(const CuteFormula *formula,
                               CuteFormulaLookup *lookup, void *data,
                               int64_t *value);

// Checks what an integer formula consists of without evaluating it: its numbers
// and functions, and each name and access by the lookup, whose values are not
// used.
CuteStatus cuteFormulaCheck(const CuteFormula *formula,
                            CuteFormulaLookup *lookup, void *data);
