// One op between reading and writing: private to the reader.
#ifndef CUTE_IR_READER_PARTS_H
#define CUTE_IR_READER_PARTS_H

#include "IR/reader.h"

// The parts of an op as they were read.
typedef struct CuteReaderParts {
  const CuteOpDecl *decl;
  const char *start;
  CuteStringRef *operands;
  size_t numOperands;
  CuteAttribute attributes[CUTE_MAX_DECLARED];
  size_t numAttributes;
  CuteStringRef dictionaries[2]; // their insides
  bool hasTypes, hasResults;
  CuteType *types, *results;
  size_t numTypes, numResults;
} CuteReaderParts;

// Writes the op in the generic form in the place of what was read.
bool cuteReaderWriteOp(CuteReader *reader, const CuteReaderParts *parts);

#endif
