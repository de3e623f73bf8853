// State of translating a source text to MLIR's generic form.
#pragma once

#include "Text/direct_ops.h"
#include "Text/parse.h"
#include "Text/type_alias.h"
#include "Text/value_types.h"

typedef struct CuteReader {
  CuteDialect *dialect;
  CuteContext context;
  CuteSourceMap map;
  CuteDirectOps direct;
  CuteLexer lexer;
  const char *copied;  // the source before it has been written
  CuteNesting nesting; // of lexer.at
  size_t numOperators; // of the affine expression around lexer.at
  size_t depth;        // of the expressions around it (infix.c)
  CuteValueTypes values;
  CuteValueTypes aliases; // !name -> type
  // #name = value: names, and where the values begin.
  size_t numAttributes, attributeCapacity;
  CuteStringRef *attributeNames;
  const char **attributeValues;
  bool hasModule, hasMore; // outside of all brackets
  CuteTypeAliases names;   // of types in the output
  bool isClashing;         // the user's aliases with those
  // Results that the statement being read defines: names as written.
  size_t numDefined;
  CuteStringRef *defined;
  size_t *definedCounts;
  size_t definedCapacity;
  // The statement that is being read, if it has operands to write, and where
  // an expression begins after `%y =`.
  const char *statement, *expression;
  struct CuteControl *control; // the innermost open region (control.c)
  // Operands of another dialect's op that are expressions, in the order of the
  // text (foreign_operands.c).
  size_t numForeign, nextForeign;
  struct CuteForeignOperand *foreign;
  // Literals so far, and how many $ begin the names of their values.
  size_t numLiterals, literalMark;
  // reader_limits.c: what aliases expand to.
  bool hasAliases;
  CutePointerMap aliasWeights; // MlirIdentifier -> tokens
  size_t expanded;             // by uses so far
  const char *unitAt; // the first unit attribute that may be an op instead
  CuteStringRef passedSlice; // the first slice that another dialect's op has
  // The first error of the statement.
  const char *errorAt;
  CuteString error;
  bool hasFailed; // in a statement before: there will be no output
  bool isFatal;   // reading stops after the error
  size_t numErrors;
  CuteValueListener *listen; // may be null
  void *listenData;
} CuteReader;

// Notes an error at a place in the source; the first one of a statement stays.
// Returns false.
bool cuteReaderFail(CuteReader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Emits the error as a diagnostic.
void cuteReaderEmitError(CuteReader *reader);

// Emits the error, unless it only follows from an earlier one, and moves on
// from the token where reading stopped to the next statement; false where
// reading ends, with an error that may not have been emitted.
bool cuteReaderRecover(CuteReader *reader, const char *start);

bool cuteReaderIsFirstOnLine(const CuteReader *reader, const char *at);

// Tells listeners which values a name now has.
void cuteReaderTellOfValues(CuteReader *reader, CuteStringRef name,
                            size_t count);

// Counts what MLIR may not get too much of; false with an error where it would.
bool cuteReaderCheckToken(CuteReader *reader, CuteToken token,
                          CuteStringRef text);
bool cuteReaderCheckTokens(CuteReader *reader, CuteLexer lexer);

// Writes the source up to `to`, translated pieces excepted.
void cuteReaderFlush(CuteReader *reader, const char *to);

// Translates from reader->lexer.at to its end.
bool cuteReaderRewrite(CuteReader *reader);

// Translates the inside of a dictionary into the output; the lexer stays.
bool cuteReaderRewriteDictionary(CuteReader *reader, CuteStringRef inside);

// Appends a type to the output, in place of the source at `at`.
void cuteReaderWriteType(CuteReader *reader, CuteType type, const char *at);

// The type behind an alias; other types are themselves.
CuteType cuteReaderResolve(CuteReader *reader, CuteType type);

// Notes an alias, #name = value.
void cuteReaderAddAttribute(CuteReader *reader, CuteStringRef name,
                            const char *value);

// Reads a type, which may be an alias.
CuteType cuteReaderTakeType(CuteReader *reader);

// Reads the expressions among the operands of another dialect's op, whose name
// is next, and writes their ops before the statement; the lexer stays.
bool cuteReaderTakeForeign(CuteReader *reader, const char *statement);

// Writes the value of such an expression in its place, if it begins here.
bool cuteReaderReplaceForeign(CuteReader *reader, const char *at);

// Translates one op of the dialect in the pretty form. The lexer is after its
// name, which begins at `start`; numDefined results are waiting for types.
bool cuteReaderTakeOp(CuteReader *reader, const CuteOpDecl *decl,
                      const char *start);

// The same for the generic form, after the quoted name.
bool cuteReaderTakeGenericOp(CuteReader *reader, const CuteOpDecl *decl,
                             const char *start);

// Tells whether the name is get_slice, which is not an op.
bool cuteReaderIsGetSlice(CuteStringRef name);

// Reads `(%copy, %thread)` after the name, whose statement starts at its
// result, and leaves it out.
bool cuteReaderTakeGetSlice(CuteReader *reader, const char *start);

// "unknown operation", with the most similar name.
bool cuteReaderFailUnknownOp(CuteReader *reader, CuteStringRef name,
                             const char *at);

// Says that a value is not defined in the text so far, with the name that is
// nearest; or that its type is not known, with the advice.
bool cuteReaderFailUnknownValue(CuteReader *reader, CuteStringRef name,
                                const char *advice);

// Reads an attribute such as #cute.layout<"..."> at the beginning of the text,
// "#cute." included, appends it in its canonical spelling, and sets `length` to
// what was read. False with a message in the context.
bool cuteAttributeParsePrefix(CuteContext context, CuteStringRef text,
                              size_t *length, CuteString *canonical);

// Loops and branches in the text with inferred types (docs/expressions.md):
//   %sum = for %k in 0..%n step 2 carry(%s = %zero) { ... yield %s + %x }
//   %y = if %i <u %n { ... yield %x } else { ... yield %zero }
// The reader writes scf.for, scf.if and scf.yield.

// Tells whether `for %i` or `if` is next.
bool cuteControlIsNext(CuteLexer lexer);

// Takes a statement that begins with the word, if it is one: `previous` is the
// class of the token before it. Other words stay.
bool cuteControlTake(CuteReader *reader, CuteStringRef word, char previous);

// Notes that a brace has been closed.
bool cuteControlLeave(CuteReader *reader);
