// Accesses of a kernel to a tensor, and the blocks and rounds that touch an
// element.
#pragma once

#include "Prove/writes.h"

// Reads or writes of a tensor by one kernel.
typedef struct CuteTouches {
  CuteClaims *claims; // of the kernel
  CuteWrite *list;
  size_t count, capacity;
  CuteWriteGroup *groups; // tiles at one place under one condition
  size_t numGroups;
  const char *reason; // null: all are tiles
  MlirOperation op;
} CuteTouches;

CuteTouches cuteTouchesList(CuteClaims *claims, size_t argument, bool isStore);
void cuteTouchesDestroy(CuteTouches *touches);

// The element of a tensor at x.
typedef struct CuteTouched {
  CuteTerm x[CUTE_MAX_MODES + 1];
  CuteCondition where;   // what is known of it
  CuteCondition missed;  // that it is not known to be touched
  CuteCondition accused; // and most likely is not
  const char *reason;    // tiles whose blocks and rounds were not found; null
} CuteTouched;

// Tells whether an element is touched wherever that is known of it.
bool cuteTouchesFind(CuteClaims *claims, const CuteTouches *touches,
                     CuteTouched *element);
