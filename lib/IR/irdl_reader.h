// Reads dialect/cute.irdl.mlir in a third of the time of MLIR's parser.
#ifndef CUTE_IR_IRDL_READER_H
#define CUTE_IR_IRDL_READER_H

#include "IR/dialect.h"

enum { CUTE_MAX_IRDL_ATTRIBUTES = 16 };

// A string is what is between its quotes, as it is written.
typedef struct CuteIrdlAttribute {
  CuteStringRef name, value;
} CuteIrdlAttribute;

// The values that irdl.operands or irdl.results lists; none is marked elided.
typedef struct CuteIrdlValues {
  size_t n;
  CuteValueDecl values[CUTE_MAX_DECLARED];
  bool isMixed; // the one group that attribute `mixed` names
} CuteIrdlValues;

// An irdl.operation; all texts are in the text that is read.
typedef struct CuteIrdlOperation {
  CuteStringRef name;
  size_t numAttributes;
  CuteIrdlAttribute attributes[CUTE_MAX_IRDL_ATTRIBUTES];
  CuteIrdlValues operands, results;
} CuteIrdlOperation;

// The value of an attribute, empty if there is none of that name.
CuteStringRef cuteIrdlGetAttribute(const CuteIrdlOperation *op,
                                   const char *name);

typedef struct CuteIrdlReading {
  bool isDocumented; // the module has all attributes of the text, or just names
  bool splitsMixed;  // mixed groups are many, of any type each
  // The module is for mlirLoadIRDLDialects alone: it has no names of operands
  // and results, and none of the types and attributes before the first
  // operation, which are loaded by then.
  bool isLoaded;
  // Takes each irdl.operation; false ends the reading, after a diagnostic. Null
  // for none.
  bool (*take)(const CuteIrdlOperation *op, MlirLocation location,
               void *userData);
  void *userData;
} CuteIrdlReading;

// The module that MLIR would parse from this IRDL; the caller's. Fails with a
// diagnostic on what the file does not use of IRDL. The IRDL dialect is loaded.
MlirModule cuteIrdlRead(MlirContext context, CuteStringRef text,
                        CuteIrdlReading reading);

#endif
