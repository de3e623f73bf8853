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
  CuteConditionKind kind;
  CuteTerm term;
  CuteCondition a, b;
  const char *reason;
};

CuteCondition cuteConditionGetConstant(bool holds);
CuteCondition cuteConditionUnknown(CuteTerms *terms, const char *reason);

// term >= 0 and term == 0; constant where the range of the term decides.
CuteCondition cuteConditionAtLeast(CuteTerms *terms, CuteTerm term);
CuteCondition cuteConditionEqual(CuteTerms *terms, CuteTerm term);

// a < b, a <= b, a == b, and a == value.
CuteCondition cuteConditionIsLess(CuteTerms *terms, CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsAtMost(CuteTerms *terms, CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsSame(CuteTerms *terms, CuteTerm a, CuteTerm b);
CuteCondition cuteConditionIsNumber(CuteTerms *terms, CuteTerm a,
                                    int64_t value);

CuteCondition cuteConditionAnd(CuteTerms *terms, CuteCondition a,
                               CuteCondition b);
CuteCondition cuteConditionOr(CuteTerms *terms, CuteCondition a,
                              CuteCondition b);
CuteCondition cuteConditionNot(CuteTerms *terms, CuteCondition a);

// Tells whether one of the condition's conjuncts alone has term >= 0 follow, or
// the ranges do. False where that cannot be seen at once.
bool cuteConditionImplies(CuteTerms *terms, CuteCondition condition,
                          CuteTerm term);

// The conjuncts of a condition that are about some of the symbols that are
// marked by id.
CuteCondition cuteConditionSlice(CuteTerms *terms, CuteCondition condition,
                                 const bool *isMarked);

// Marks by id the symbols that a condition is about, or a term is computed of,
// in memory of the terms.
bool *cuteConditionGetMarks(CuteTerms *terms, CuteCondition condition);
bool *cuteConditionGetTermMarks(CuteTerms *terms, CuteTerm term);

// Tells whether a condition is about no symbols of the kinds, a bit for each,
// and nothing that is unknown.
bool cuteConditionIsFreeOf(CuteTerms *terms, CuteCondition condition,
                           unsigned kinds);

CuteCondition cuteConditionRename(CuteTerms *terms, CuteCondition condition,
                                  const CuteTerm *to, size_t count);
