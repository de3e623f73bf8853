// The ops of the dialect below an operation.
#pragma once

#include "IR/dialect.h"

// Every op of the dialect below (and including) root, outermost first within a
// block order, in memory of the task.
typedef struct CuteOpList {
  MlirOperation *ops;
  const CuteOpDecl **decls;
  size_t count;
} CuteOpList;

CuteOpList cuteOpListCollect(CuteDialect *dialect, MlirOperation root);

// Operations in the order in which they are found, in memory of the task.
typedef struct CuteOps {
  MlirOperation *data;
  size_t count;
} CuteOps;

void cuteOpsPush(CuteOps *ops, MlirOperation op);
bool cuteOpsContain(const CuteOps *ops, MlirOperation op);

// Finds the operations of a name, as "gpu.func", in (and including) root.
CuteOps cuteOpsFind(MlirOperation root, const char *name);

// Tells whether there is such an op below (and including) root; or one with a
// value as operand i.
bool cuteOpListHas(CuteDialect *dialect, MlirOperation root, CuteOpId id);
bool cuteOpListHasOn(CuteDialect *dialect, MlirOperation root, CuteOpId id,
                     intptr_t i, MlirValue value);
