// Positions of locations in files.
#pragma once

#include "IR/mlir.h"
#include "Support/text.h"

typedef struct CutePosition {
  CuteStringRef file; // its data is null where none is known
  unsigned line, column;
} CutePosition;

// The position of a location: of its first part where it has several.
CutePosition cutePositionGet(MlirLocation location);
CutePosition cutePositionOf(MlirOperation op);
