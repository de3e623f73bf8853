// Finds what orders the accesses of a block, as a kernel was followed.
#pragma once

#include "Lanes/accesses.h"

typedef enum CuteOrderKind {
  CUTE_ORDER_BARRIER, // of all threads of the block
  CUTE_ORDER_NAMED,   // a barrier with a number, for so many threads
  CUTE_ORDER_OTHER,   // may order accesses of several threads
  CUTE_ORDER_WAIT,    // for groups of cp.async of the thread itself
  CUTE_ORDER_LOOP,    // an scf.for or scf.while, with what is in it
} CuteOrderKind;

typedef struct CuteOrderPoint {
  CuteOrderKind kind;
  MlirOperation op;
  int time, end;      // end: of a loop, the time of the last op in it
  const bool *active; // threads that get there
  bool isCertain;     // no condition around it is unknown
  const CuteLanes *barrier, *participants; // of a named one; null: unknown
} CuteOrderPoint;

typedef struct CuteOrder {
  CuteOrderPoint *points; // memory is the follow's
  size_t count;
} CuteOrder;

// Adds an op that was followed if it orders accesses, or may.
void cuteOrderAdd(CuteOrder *order, CuteFollow *follow, MlirOperation op,
                  int time);

// Gives the first point of that kind after a time and before another, or null.
const CuteOrderPoint *cuteOrderFind(const CuteOrder *order, CuteOrderKind kind,
                                    int after, int before);

// Tells whether something may order the accesses of several threads then.
bool cuteOrderIsBetween(const CuteOrder *order, int after, int before);
