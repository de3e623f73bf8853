// One op between reading and writing: private to the reader.
#pragma once

#include "Text/reader.h"

// The parts of an op as they were read.
typedef struct CuteReaderParts {
  const CuteOpDecl *decl;
  const char *start;
  CuteStringRef *operands;
  size_t numOperands;
  CuteStringRef thread; // of the first slice among the operands; or empty
  struct CuteReaderLiteral *literals; // the operands that are not values
  size_t numLiterals;
  CuteAttribute attributes[CUTE_MAX_DECLARED];
  CuteAttribute *leftOut;        // the shape of a vector, to be filled in
  size_t numAttributes;          // in angle brackets
  size_t numKnown;               // those, and those found in dictionaries
  CuteStringRef dictionaries[2]; // their insides
  bool hasTypes, hasResults;
  CuteType *types, *results;
  size_t numTypes, numResults;
} CuteReaderParts;

// A literal operand: the op that makes it, and the name of its result.
typedef struct CuteReaderLiteral {
  CuteReaderParts parts;
  CuteStringRef name;
} CuteReaderLiteral;

// Reads a literal for the declared operand: int tuples, shapes, coordinates and
// strides as (128,%n), layouts as 4:1 or S<3,3,3> o 0 o 64:1, tiles as [4:1;_],
// other values without dynamic parts as their types.
bool cuteReaderTakeLiteral(CuteReader *reader, const CuteValueDecl *decl,
                           CuteReaderLiteral *literal);

// Reads the coordinate of `%x[_,%i]`, from the bracket on, as one for the
// declared operand.
bool cuteReaderTakeIndex(CuteReader *reader, const CuteValueDecl *decl,
                         CuteReaderLiteral *literal);

// A name that no value of the source has, with '\0' after it.
CuteStringRef cuteReaderNewName(CuteReader *reader);

// Tells whether the user wrote the name.
bool cuteReaderIsInSource(const CuteReader *reader, CuteStringRef name);

// Gives the result of the literal's op a name, by which its type is known.
void cuteReaderNameLiteral(CuteReader *reader, CuteReaderLiteral *literal);

// Reads the op after its name. One within a statement has no attributes in
// braces, and no types unless its result is a choice.
bool cuteReaderTakeParts(CuteReader *reader, CuteReaderParts *parts,
                         bool isNested);

// Infers the types that the text leaves out, and checks the others.
bool cuteReaderComplete(CuteReader *reader, CuteReaderParts *parts);

// Tells whether an op of the dialect is next.
bool cuteReaderIsOp(CuteLexer lexer);

// Takes the name that is next, without the dots of %a..%b and cute.size..%n.
void cuteReaderTakeName(CuteLexer *lexer, CuteStringRef *name);

// Reads `cute.size(%x)` as an operand or a term, writes the op before the
// statement, and gives the name of its value.
bool cuteReaderTakeNested(CuteReader *reader, CuteStringRef *name);

// Does so with what has been read.
bool cuteReaderFinishNested(CuteReader *reader, CuteReaderParts *parts,
                            CuteStringRef *name);

CuteReaderLiteral *cuteReaderAddLiteral(CuteReader *reader,
                                        CuteReaderParts *parts);

// Reads the index in brackets after the value, `[_,%i]` or `[%i]`: the value
// becomes its slice there, or, where a number may be and there is no `_`,
// its element.
bool cuteReaderTakeSlice(CuteReader *reader, CuteReaderParts *parts,
                         bool isNumber, CuteStringRef *name);

// Tells whether `[...] =` follows the value, which begins a statement;
// `previous` is the class of the token before it.
bool cuteReaderIsStore(const CuteReader *reader, CuteStringRef name,
                       char previous);

// Reads `[%i,0] = %x` after the tensor, which begins a statement: a store.
bool cuteReaderTakeStore(CuteReader *reader, CuteStringRef tensor);

// The type of the elements of the tensor or vector, or of the number, of that
// name; null for others.
CuteType cuteReaderGetElement(CuteReader *reader, CuteStringRef name);

// Makes the scalar int_tuple an integer, as get_scalars does.
bool cuteReaderTakeScalar(CuteReader *reader, const char *at,
                          CuteStringRef *name);

// Makes the integer a tuple for the declared operand.
bool cuteReaderTakeLeaf(CuteReader *reader, const CuteValueDecl *decl,
                        CuteStringRef name, CuteReaderLiteral *literal);

// Tells whether text has a comma outside of brackets.
bool cuteReaderHasSeveral(const char *text);

//===-- Shapes of vectors (vector_shapes.c) -------------------------------===//

bool cuteTypeIsVector(CuteType type);

// Notes the shape of the op's result, a vector, of that name.
void cuteReaderNoteShape(CuteReader *reader, const CuteReaderParts *parts,
                         CuteStringRef name);

// Tells whether attribute i may be left out, as the operand's shape.
bool cuteReaderMayLeaveOut(const CuteOpDecl *decl, size_t i);

// Fills in the attribute that was left out.
bool cuteReaderFillShape(CuteReader *reader, CuteReaderParts *parts);

// Reads the static coordinate of `%v[_,0]`, from the bracket on, for a
// slice_vector.
bool cuteReaderTakeElements(CuteReader *reader, CuteStringRef name,
                            CuteReaderLiteral *slice);

// Takes the character, or fails: "expected 'c' WHERE".
bool cuteReaderExpect(CuteReader *reader, char c, const char *where);

// Reads the attributes in angle brackets, if they are next.
bool cuteReaderTakeAngle(CuteReader *reader, CuteReaderParts *parts);

// Skips { ... } and sets its inside, if it is next.
bool cuteReaderTakeDictionary(CuteReader *reader, CuteStringRef *inside);

// Reads the inherent attributes in the dictionaries, for inference.
bool cuteReaderTakeNamed(CuteReader *reader, CuteReaderParts *parts);

// Tells whether a dictionary has an attribute of that name.
bool cuteReaderHasNamed(const CuteReaderParts *parts, const char *name);

// The tiled copy or MMA whose thread slice the operand is, noting the
// thread; other operands as they are.
CuteStringRef cuteReaderGetWhole(CuteReader *reader, CuteReaderParts *parts,
                                 CuteStringRef operand);

// Tells whether the thread of a slice is the operand that comes next.
bool cuteReaderWantsThread(const CuteReaderParts *parts);

// Writes the op in the generic form in place of what was read, and before
// its statement the ops that make its literals.
bool cuteReaderWriteOp(CuteReader *reader, const CuteReaderParts *parts);

// Writes the op before the statement that is being read.
bool cuteReaderWriteBefore(CuteReader *reader, const CuteReaderLiteral *op);
