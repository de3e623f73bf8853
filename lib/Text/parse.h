// Reads modules.
#pragma once

#include "IR/dialect.h"
#include "cute/Assembly.h"

// Milliseconds of processor time that the steps of reading took, added up.
typedef struct CuteParseTimes {
  double read;   // translation to the generic form
  double parse;  // MLIR's parser
  double locate; // locations as the user wrote them
  double verify;
} CuteParseTimes;

// Tells whether it begins as MLIR bytecode does.
bool cuteParseIsBytecode(MlirStringRef source);

// Is told of each value that the text defines, as far as its type is known: the
// place of its name in the source, from 1, and which of the values of that name
// it is. Names may come again, with a better type.
typedef void CuteValueListener(void *userData, unsigned line, unsigned column,
                               size_t index, CuteType type);

typedef struct CuteParseOptions {
  unsigned firstLine; // of the file that the text is part of; from 1
  size_t numParameters;
  const CuteParameter *parameters;
  bool notesLaws; // for cuteOperationCheckLaws, which is called next
  // Called when the source will not be looked at for some time; may be null.
  void (*rest)(void *userData);
  void *restData;
  CuteValueListener *listen; // may be null
  void *listenData;
} CuteParseOptions;

// cuteModuleParse with these options. The times may be null.
MlirModule cuteModuleParseFrom(MlirContext context, MlirStringRef source,
                               MlirStringRef name, CuteParseOptions options,
                               CuteParseTimes *times);
