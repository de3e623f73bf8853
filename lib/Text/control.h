// Loops and branches in the text with inferred types (docs/expressions.md):
//   %sum = for %k in 0..%n step 2 carry(%s = %zero) { ... yield %s + %x }
//   %y = if %i <u %n { ... yield %x } else { ... yield %zero }
// The reader writes scf.for, scf.if and scf.yield.
#pragma once

#include "Text/reader.h"

// Tells whether `for %i` or `if` is next.
bool cuteControlIsNext(CuteLexer lexer);

// Takes a statement that begins with the word, if it is one: `previous` is the
// class of the token before it. Other words stay.
bool cuteControlTake(CuteReader *reader, CuteStringRef word, char previous);

// Notes that a brace has been closed.
bool cuteControlLeave(CuteReader *reader);
