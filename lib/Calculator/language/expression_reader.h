// Reading an expression: the grammar of calculator.h is in calculator.c, what
// CuTe C++ spells otherwise in cxx_spelling.c.
#pragma once

#include "Calculator/language/calculator.h"
#include "Support/arena.h"
#include "Support/text.h"

typedef struct CuteExpressionReader {
  CuteCalculator *calculator;
  CuteContext context;
  const char *begin, *at, *end, *errorAt;
  int depth;
  int numTypes; // around the place: X is `_` in a Step<_1,X>
} CuteExpressionReader;

// In the context's scratch memory.
typedef struct CuteValueList {
  CuteValue *data;
  size_t count;
} CuteValueList;

static inline void cuteValueListPush(CuteContext c, CuteValueList *values,
                                     CuteValue value) {
  CUTE_ARENA_PUSH(&c->scratch, values->data, values->count, value);
}

// Takes a text at the place itself, without blanks before it.
static inline bool cuteExpressionTakeText(CuteExpressionReader *p,
                                          const char *text) {
  size_t n = strlen(text);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, text, n) != 0)
    return false;
  p->at += n;
  return true;
}

// Takes a character after blanks.
bool cuteExpressionTake(CuteExpressionReader *p, char c);

// The name at the place, without `cute::`; empty if there is none.
CuteStringRef cuteExpressionPeekName(CuteExpressionReader *p);

// Fails with "expected WANTED, found ...".
CuteValue cuteExpressionFail(CuteExpressionReader *p, const char *wanted);

// Reads a value and the comma after it, or values up to the closing bracket;
// false with a message.
bool cuteExpressionReadItem(CuteExpressionReader *p, char close,
                            CuteValueList *values);
bool cuteExpressionReadList(CuteExpressionReader *p, char close,
                            CuteValueList *values);

// Makes a tuple of int tuples, and a tiler of other values.
CuteValue cuteExpressionGetTuple(CuteExpressionReader *p,
                                 const CuteValueList *values);

// shape:stride
CuteValue cuteExpressionGetLayout(CuteExpressionReader *p, CuteValue shape,
                                  CuteValue stride);

// Applies the operation that is named at this place.
CuteValue cuteExpressionApply(CuteExpressionReader *p, CuteStringRef name,
                              const CuteValueList *values);

//===-- CuTe C++ ----------------------------------------------------------===//

// Reads what follows a name that has been taken; false where the name is
// spelled like others.
bool cuteExpressionReadCxx(CuteExpressionReader *p, CuteStringRef name,
                           CuteValue *value);

// Takes what declares a variable, up to its name.
bool cuteExpressionTakeDeclaration(CuteExpressionReader *p);
