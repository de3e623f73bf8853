// One op between reading and writing: private to the reader.
#ifndef CUTE_TEXT_READER_PARTS_H
#define CUTE_TEXT_READER_PARTS_H

#include "Text/reader.h"

// The parts of an op as they were read.
typedef struct CuteReaderParts {
  const CuteOpDecl *decl;
  const char *start;
  CuteStringRef *operands;
  size_t numOperands;
  CuteAttribute attributes[CUTE_MAX_DECLARED];
  size_t numAttributes;          // in angle brackets
  size_t numKnown;               // those, and those found in dictionaries
  CuteStringRef dictionaries[2]; // their insides
  bool hasTypes, hasResults;
  CuteType *types, *results;
  size_t numTypes, numResults;
} CuteReaderParts;

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

// Writes the op in the generic form in the place of what was read.
bool cuteReaderWriteOp(CuteReader *reader, const CuteReaderParts *parts);

#endif
