// The ops of the dialect below an operation.
#pragma once

#include "IR/dialect.h"

// Every op of the dialect below (and including) root, outermost first within a
// block order; the array is malloc'ed.
typedef struct CuteOpList {
  MlirOperation *ops;
  const CuteOpDecl **decls;
  size_t count, capacity;
} CuteOpList;

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root);
void cuteOpListDestroy(CuteOpList *list);

// Tells whether there is such an op below (and including) root.
bool cuteOpListHas(CuteDialect *dialect, MlirOperation root, CuteOpId id);
