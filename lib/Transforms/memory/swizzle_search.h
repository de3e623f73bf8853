// Finds the swizzle that an allocation in shared memory should have.
#pragma once

#include "Lanes/interpreter.h"

typedef struct CuteSwizzleChoice {
  bool found; // a swizzle that costs less than what there is now
  CuteSwizzle swizzle;
  int64_t now, left; // conflicts: wavefronts more than the least
  size_t accesses;   // that were counted
} CuteSwizzleChoice;

// The swizzle over the layout of the memory that the access goes to which costs
// least, added up over all accesses to it with elements of that type. The
// fewest bits win among equals.
CuteSwizzleChoice cuteSwizzleChoose(const CuteInterpreter *kernel,
                                    const CuteAccess *access);

// Says which swizzle over the layout of the memory that the access goes to
// costs least, added up over all accesses to it, and how to draw it; or that
// none costs less.
void cuteSwizzleAdvise(const CuteInterpreter *kernel, const CuteAccess *access,
                       CuteString *note);
