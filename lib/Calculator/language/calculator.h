// The expression language:
//
//   program    = statement { (";" | newline) statement }
//   statement  = "let" name "=" chain | chain
//   chain      = term { "o" term }         composition, or A o offset o B
//   term       = value { "(" arguments ")" }          a layout's value
//   value      = primary [ ":" primary ]              (4,8):(8,1)
//   primary    = name "(" arguments ")"    an operation, by its CuTe name
//              | name [ "<" types ">" ]    a variable, an atom, an element type
//              | tuple                     4, (2,(3,4)), ?{i64}, 1@0
//              | "S" "<" bits "," base "," shift ">"      also Sw, Swizzle
//              | "[" ... "]"               a tile's text: [4:1;_]
//   tuple      = leaf | "(" [ chain { "," chain } ] ")"
//
// Names may also be spelled as in CuTe C++ (cxx_spelling.c).
//
// A tuple with layouts or tilers in it is a tiler: (4:1,_,8). Parentheses
// always make tuples: (4) has rank 1, 4 has none.
#pragma once

#include "Calculator/operations/operations.h"
#include "cute/Calculator.h"

typedef struct CuteVariable {
  char *name;
  CuteValue value;
} CuteVariable;

struct CuteCalculator {
  CuteContext context; // of the values
  CuteVariable *variables;
  size_t numVariables;
};

// The value of the last statement. Failed values leave a message in the context
// and the place in the text, from 0, where the calculator was.
CuteValue cuteCalculatorEvaluate(CuteCalculator *calculator, CuteStringRef text,
                                 size_t *errorAt);

// False if no variable has that name.
bool cuteCalculatorFindVariable(const CuteCalculator *calculator,
                                CuteStringRef name, CuteValue *value);

// Appends "; did you mean 'coalesce'?" where a variable, unless the calculator
// is null, an operation or an atom has nearly this name.
void cuteCalcAppendSuggestion(CuteString *text,
                              const CuteCalculator *calculator,
                              CuteStringRef name);

// Sets a variable; the name is copied.
void cuteCalculatorSetVariable(CuteCalculator *calculator, CuteStringRef name,
                               CuteValue value);

// The i-th variable, in the order of their first setting; null past the last.
const char *cuteCalculatorGetVariable(const CuteCalculator *calculator,
                                      size_t i, CuteValue *value);
