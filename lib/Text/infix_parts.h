// Terms of expressions between reading and writing: private to infix*.c.
#pragma once

#include "Text/infix.h"

// A part of an expression: a value, a number whose type its neighbour decides,
// or an op that has not been written.
typedef struct CuteInfixTerm {
  const char *at;
  const char *text; // a name, a number, or an op without its result
  CuteType type;    // null for numbers
  bool isOp;
  CuteIntTuple shape; // of a vector; null if it is not known
} CuteInfixTerm;

// Precedences of operators.
enum {
  OR = 1,
  AND,
  NOT,
  COMPARISON,
  BITS_OR,
  XOR,
  BITS_AND,
  SHIFT,
  SUM,
  PRODUCT,
  UNARY
};

// An operator, or a function of two operands. The op depends on the type, and
// on the sign of integers where two differ.
typedef struct CuteInfixOperator {
  const char *text;
  int precedence; // 0 for functions
  const char *onFloats, *onSigned, *onUnsigned;
} CuteInfixOperator;

// A word before `(`: min or max, a conversion, a reduction of rows, or an op.
typedef struct CuteInfixFunction {
  const CuteInfixOperator *op;
  char sign;
  bool isConversion;
  int rows;                  // of cuteInfixFindRows
  CuteStringRef name, flags; // of the type or the op; of fast math, <...>
} CuteInfixFunction;

// Takes an operator or the name of a function, with the letter s or u after it
// if it has that; null if none is next.
const CuteInfixOperator *cuteInfixTakeOperator(CuteLexer *lexer, char *sign);

// All operators; of several for one op the first is printed.
const CuteInfixOperator *cuteInfixGetOperators(size_t *count);

// Tells whether the op of arith, without its dialect, converts numbers, and how
// it reads integers: 's', 'u', or '\0' if either will do.
bool cuteInfixIsConversion(CuteStringRef name, char *sign);

// The number of operands of an op of arith or math that has one result and one
// type; 0 for others.
size_t cuteInfixCountOperands(CuteStringRef name);

// The operator of that text.
const CuteInfixOperator *cuteInfixFind(const char *text);

// Makes a text in the scratch arena, or that of a type.
const char *cuteInfixPrint(CuteReader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *cuteInfixTextOf(CuteReader *reader, CuteType type);

// Writes the op that the term is, with the name as its result.
void cuteInfixWrite(CuteReader *reader, const CuteInfixTerm *term,
                    const char *name);

// Writes the term if it is an op, and gives it a name. Only the op that a
// statement names is located where the expression begins.
void cuteInfixName(CuteReader *reader, CuteInfixTerm *term);

// Makes the term one of the type: gives it to a number, and broadcasts an
// element to a vector.
bool cuteInfixConvert(CuteReader *reader, CuteInfixTerm *term, CuteType type);

// Gives the terms names and one type: the type of the terms that are not
// numbers, a vector if one is; of numbers alone the last type, if not null.
bool cuteInfixUnify(CuteReader *reader, const char *what, size_t n,
                    CuteInfixTerm *terms, CuteType ofNumbers);

// Makes *left the op of both terms, at that place.
bool cuteInfixCombine(CuteReader *reader, const CuteInfixOperator *op,
                      char sign, const char *at, CuteInfixTerm *left,
                      const CuteInfixTerm *right);

bool cuteInfixNegate(CuteReader *reader, const char *at, CuteInfixTerm *term);

// A function that reduces rows.
typedef struct CuteInfixRows {
  const char *name, *kind;
  const char *begin; // f32 before the first value
} CuteInfixRows;

// Finds the function that two ops are, of a vector of the shape; null if none.
const CuteInfixRows *cuteInfixMatchRows(CuteContext c, CuteType mma,
                                        CuteIntTuple shape, CuteStringRef mine,
                                        CuteStringRef lanes);

// The function of that name which reduces rows; 0 if there is none.
int cuteInfixFindRows(CuteStringRef name);

// Makes *args the value of that function: a vector with one for each row that a
// thread has, or its number if that is one.
bool cuteInfixReduceRows(CuteReader *reader, int function, const char *at,
                         size_t n, CuteInfixTerm *args);

// Makes *args the value of the function.
bool cuteInfixCall(CuteReader *reader, const CuteInfixFunction *function,
                   const char *at, size_t n, CuteInfixTerm *args);

// Reads an expression, writes its ops, and gives it a name unless it is a
// number.
bool cuteInfixTakeTerm(CuteReader *reader, CuteInfixTerm *term);

// Takes the word if it is next.
bool cuteInfixTakeWord(CuteLexer *lexer, const char *word);

// Notes the type of the value of that name, and the shape, which may be null.
void cuteInfixSetType(CuteReader *reader, CuteStringRef name, CuteType type,
                      CuteIntTuple shape);

// Does so where the text defines it.
void cuteInfixDefine(CuteReader *reader, CuteStringRef name, CuteType type,
                     CuteIntTuple shape);
