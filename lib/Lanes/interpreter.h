// A kernel followed for all threads of a block: what they access, once for each
// sample of what is not known before it runs.
#pragma once

#include "Hardware/memory_model.h"
#include "Lanes/follow.h"

// Accesses of a block's threads to gmem and smem, op by op.
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

// Orders the accesses of a block, as a kernel was followed.
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

typedef struct CuteInterpreter {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation function;
  bool isBlockKnown; // else a warp is followed
  int numSamples;
  CuteFollow follow[CUTE_NUM_SAMPLES];
  CuteAccessList accesses[CUTE_NUM_SAMPLES];
  CuteOrder order; // of the first sample
} CuteInterpreter;

// Follows a gpu.func. The interpreter must stay where it is until it is
// destroyed.
void cuteInterpreterRun(CuteInterpreter *interpreter, CuteDialect *dialect,
                        MlirOperation function);
void cuteInterpreterDestroy(CuteInterpreter *interpreter);
