// Reads dialect/cute.irdl.mlir in less than half the time of MLIR's parser.
#ifndef CUTE_IR_IRDL_READER_H
#define CUTE_IR_IRDL_READER_H

#include "IR/dialect.h"

// The module that MLIR would parse from this IRDL, without the descriptions and
// examples; the caller's. Fails with a diagnostic on what the file does not use
// of IRDL. The IRDL dialect is loaded.
MlirModule cuteIrdlRead(MlirContext context, CuteStringRef text);

#endif
