// Expressions of numbers and vectors, `%x * %scale + 1.0`: the reader writes an
// op of arith or math for each operator (docs/expressions.md).
#pragma once

#include "Text/reader.h"

struct CuteReaderParts;

// Tells whether the definition whose '=' has been read is an expression;
// `previous` is the class of the token before its first name.
bool cuteInfixIsDefinition(const CuteReader *reader, char previous);

// Reads `expression` or `expression : type`, and writes the ops that define the
// name before it. The first term is an op that has been read, if it is not
// null.
bool cuteInfixTakeDefinition(CuteReader *reader, struct CuteReaderParts *first);

// Tells whether an operator is next, as in `%x + 1` after the value.
bool cuteInfixContinues(CuteLexer lexer);

// Tells whether what is next can only be an expression: a number with a point,
// a function, or an op of the dialect.
bool cuteInfixIsNext(CuteLexer lexer);

// Reads an expression, writes its ops before reader->statement, and gives the
// name of its value. A number alone has the type `expected`, which may be null.
bool cuteInfixTake(CuteReader *reader, CuteType expected, CuteStringRef *name);

// The same where the type may be after the expression, `0.0 : f32`.
bool cuteInfixTakeTyped(CuteReader *reader, CuteType expected,
                        CuteStringRef *name);
