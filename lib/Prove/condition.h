// Conditions on terms: what has to hold for a thread to get to an access.
#pragma once

#include "Prove/terms.h"

typedef enum CuteConditionKind {
  CUTE_CONDITION_NEVER,
  CUTE_CONDITION_ALWAYS,
  CUTE_CONDITION_AT_LEAST, // term >= 0
  CUTE_CONDITION_EQUAL,    // term == 0
  CUTE_CONDITION_BOTH,
  CUTE_CONDITION_EITHER,
  CUTE_CONDITION_UNKNOWN, // may hold or not, for the reason
} CuteConditionKind;

struct CuteConditionImpl {
  CuteTerms *terms; // whose it is; null: a constant
  CuteConditionKind kind;
  CuteTerm term;
  CuteCondition a, b;
  CuteCondition opposite; // of an unknown one
  const char *reason;
  size_t size; // the conditions that it is made of
};

CuteCondition cuteConditionGetConstant(bool holds);
CuteCondition cuteConditionUnknown(CuteTerms *terms, const char *reason);

// term >= 0 and term == 0; constant where the range of the term decides.
CuteCondition cuteConditionAtLeast(CuteTerm term);
CuteCondition cuteConditionEqual(CuteTerm term);

// a < b, a <= b, a == b, and a == value.
CuteCondition cuteConditionIsLess(CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsAtMost(CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsSame(CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsNumber(CuteTerm a, int64_t value);

// 0 <= at < end.
CuteCondition cuteConditionIsIndex(CuteTerm at, CuteTerm end);

// Says that a number that is not negative is not 0: of one that is 0 where a
// condition does not hold, that condition.
CuteCondition cuteConditionIsPositive(CuteTerm a);

// Tells whether at once can be seen that a condition has another one follow.
bool cuteConditionImplies(CuteCondition condition, CuteCondition c);

CuteCondition cuteConditionAnd(CuteCondition a, CuteCondition b);
CuteCondition cuteConditionOr(CuteCondition a, CuteCondition b);
CuteCondition cuteConditionNot(CuteCondition a);

// One condition or the other, or the one that follows from the other.
CuteCondition cuteConditionEither(CuteCondition a, CuteCondition b);

// Leaves out of a condition what follows where another one holds.
CuteCondition cuteConditionGiven(CuteCondition path, CuteCondition c);

// The symbols that a condition is computed of, by id, and why the first of them
// is not known; null: all are. The memory is that of the terms.
typedef struct CuteMarks {
  bool *is;
  const char *reason;
} CuteMarks;

CuteMarks cuteConditionGetMarks(CuteTerms *terms, CuteCondition condition);
CuteMarks cuteConditionGetTermMarks(CuteTerm term);

// Tell whether all in a condition or term is known and no symbol of the kinds,
// a bit for each.
bool cuteConditionIsFreeOf(CuteCondition condition, unsigned kinds);
bool cuteConditionTermIsFreeOf(CuteTerm term, unsigned kinds);

CuteCondition cuteConditionRename(CuteCondition condition, CuteRenaming to);

// Gives what follows of b * q + r >= 0, if b > 0: q >= 0, or r >= b. Holds
// always where a term is not such a sum.
CuteCondition cuteConditionFactor(CuteTerm term);

//===-- Values of terms where their symbols have some ---------------------===//

typedef struct CuteValues {
  size_t count;     // symbols
  int64_t *values;  // of each by id
  unsigned *stamps; // the value is of this stamp
  unsigned stamp;   // none has a value after the next one begins
} CuteValues;

static inline bool cuteValuesHas(const CuteValues *values, size_t id) {
  return id < values->count && values->stamps[id] == values->stamp;
}

// No symbol has a value. The memory is that of the terms; symbols that are made
// later have none.
CuteValues cuteValuesCreate(CuteTerms *terms);

void cuteValuesSet(CuteValues *values, const CuteSymbol *symbol, int64_t value);

// Evaluates; false where a symbol has no value, or a condition is unknown.
bool cuteValuesGetMonomial(CuteValues *values, const CuteMonomial *m,
                           int64_t *value);
bool cuteValuesGetTerm(CuteValues *values, CuteTerm term, int64_t *value);
bool cuteValuesGetCondition(CuteValues *values, CuteCondition condition,
                            bool *holds);

// Tells whether a condition may hold: conjuncts without a value do.
bool cuteValuesMayHold(CuteValues *values, CuteCondition condition);
