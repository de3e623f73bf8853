// Values of terms where their symbols have some.
#pragma once

#include "Prove/condition.h"

typedef struct CuteValues {
  size_t count;     // symbols
  int64_t *values;  // of each by id
  unsigned *stamps; // the value is of this stamp
  unsigned stamp;
} CuteValues;

// No symbol has a value. The memory is that of the terms; symbols that are made
// later have none.
CuteValues cuteValuesCreate(CuteTerms *terms);

void cuteValuesClear(CuteValues *values);
void cuteValuesSet(CuteValues *values, const CuteSymbol *symbol, int64_t value);

// Evaluates; false where a symbol has no value, or a condition is unknown.
bool cuteValuesGetTerm(CuteValues *values, CuteTerm term, int64_t *value);
bool cuteValuesGetCondition(CuteValues *values, CuteCondition condition,
                            bool *holds);

// Tells whether a condition may hold: conjuncts without a value do.
bool cuteValuesMayHold(CuteValues *values, CuteCondition condition);
