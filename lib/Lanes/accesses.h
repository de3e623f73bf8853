// Accesses of a block's threads to gmem and smem, op by op.
#pragma once

#include "Hardware/memory_model.h"
#include "Lanes/follow.h"

typedef struct CuteAccess {
  MlirOperation op;
  int call;         // number of the call that it is in; 0: the kernel
  int time;         // of the op, as it was followed
  const char *what; // "source", "destination", "tensor"
  MlirValue value, root, memory; // as of CuteFollowed
  CuteType type;                 // with its leaves bound
  CuteSpace space;
  bool isStore, isMatrix; // isMatrix: ldmatrix or stmatrix
  int values;             // elements that a thread accesses at once
  int bytes;              // the same in bytes
  int participants;       // threads of a warp that give an address
  bool isPredicated;      // not for all elements
  bool isConditional;     // within a condition that is not known
  bool isReduction;       // adds to what is there
  bool isAsync;           // complete when it is waited for
  bool isSampled;         // the addresses follow from made up numbers
  const CuteThreadPart *part;
  const CuteResidue *residue;
  size_t numRequests;    // of each warp
  const int64_t **byte;  // of each request, of each thread: the address
  const int64_t **plain; // the index in elements before a swizzle
  const bool *active;
} CuteAccess;

typedef struct CuteAccessList {
  CuteAccess *accesses;
  size_t count;
} CuteAccessList;

enum { CUTE_MAX_REQUESTS = 256 };

// Adds what the op accesses, as far as it is known: at most CUTE_MAX_REQUESTS
// requests, and of dynamic extents the first of each. Memory is the follow's.
void cuteAccessListAdd(CuteAccessList *list, CuteFollow *follow, CuteOp *op,
                       MlirOperation source);

// Counts what the access costs with these addresses, in bytes, by request and
// thread.
CuteCost cuteAccessGetCost(const CuteAccess *access, int64_t threads,
                           const int64_t *const *addresses);
