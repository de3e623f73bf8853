// Reads modules.
#ifndef CUTE_TEXT_PARSE_H
#define CUTE_TEXT_PARSE_H

#include "IR/dialect.h"

// Milliseconds of processor time that the steps of reading took, added up.
typedef struct CuteParseTimes {
  double read;   // translation to the generic form
  double parse;  // MLIR's parser
  double locate; // locations as the user wrote them
  double verify;
} CuteParseTimes;

// Tells whether it begins as MLIR bytecode does.
bool cuteParseIsBytecode(MlirStringRef source);

// cuteModuleParse of a part of a file that begins at this line. The times may
// be null.
MlirModule cuteModuleParseFrom(MlirContext context, MlirStringRef source,
                               MlirStringRef name, unsigned firstLine,
                               CuteParseTimes *times);

// Appends a file (or standard input, "-") to the text; false with errno set.
bool cuteParseReadFile(const char *path, CuteString *text);

#endif
