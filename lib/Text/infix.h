// Expressions of numbers and vectors, `%x * %scale + 1.0`: the reader writes an
// op of arith or math for each operator (docs/expressions.md).
#pragma once

#include "Text/reader.h"

// Tells whether the definition whose '=' has been read is an expression;
// `previous` is the class of the token before its first name.
bool cuteInfixIsDefinition(const CuteReader *reader, char previous);

// Reads `expression` or `expression : type`, and writes the ops that define the
// name before it.
bool cuteInfixTakeDefinition(CuteReader *reader);

// Tells whether an operator is next, as in `%x + 1` after the value.
bool cuteInfixContinues(CuteLexer lexer);

// Tells whether what is next can only be an expression: a number with a point,
// or a function.
bool cuteInfixIsNext(CuteLexer lexer);

// Reads an expression, writes its ops before reader->statement, and gives the
// name of its value. A number alone has the type `expected`, which may be null.
bool cuteInfixTake(CuteReader *reader, CuteType expected, CuteStringRef *name);
