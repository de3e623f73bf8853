// Follows a kernel's values from its parameters on, for all threads of a block
// at once, and shows each op of the dialect with what its operands are then.
//
// Functions of the module are followed at each call, with its operands. Loops
// are followed once, with the first value of their counter. What a loop changes
// from round to round has its first value in it and after it, marked as made
// up; after it, nothing is known of what comes from memory. Where a condition
// is computed from thread indices and constants alone, only threads for which
// it holds continue; with other conditions all do, as they do in the middle of
// a problem. So do all in the blocks that branches lead to.
#pragma once

#include "IR/dialect.h"
#include "Lanes/threads.h"

// The op that gave a thread its part of a tensor.
typedef struct CuteThreadPart {
  MlirOperation op;
  int64_t threads;        // that it divides among
  const CuteLanes *index; // which of them each thread says it is
} CuteThreadPart;

// A tile that may reach past the end of a tensor.
typedef struct CuteResidue {
  MlirOperation op; // that cut it
  size_t mode;
  int64_t tile, extent; // elements in that mode; extent 0: dynamic
  bool isInTile;        // cuts a tile of a larger tensor
} CuteResidue;

typedef struct CuteFollowed {
  CuteType type;          // dynamic leaves are numbers of cuteThreadsGetLanes
  const CuteLanes *start; // with a pointer: the address in bits, where the
                          // allocation begins at 0; null: unknown
  const CuteLanes *rootStart; // the same of the root
  MlirValue root;   // the parameter, allocation or make_tensor whose part it is
  MlirValue memory; // the parameter or allocation, also that of a make_tensor
  const CuteThreadPart *part; // null: of no thread alone
  const CuteResidue *residue; // null: it lies within the tensor
} CuteFollowed;

// A call that is being followed.
typedef struct CuteFollowedCall {
  MlirOperation callee;
  const struct CuteFollowedCall *outer; // null: the kernel calls
  int depth;                            // from 1
  int number;                           // among all calls, from 1
} CuteFollowedCall;

typedef struct CuteFollow {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation function;
  CuteThreads threads;
  CutePointerMap values;        // MlirValue -> CuteFollowed, of the dialect
  CutePointerMap integers;      // MlirValue -> CuteLanes, of all others
  const bool *active;           // threads that get here
  int guards;                   // conditions around that are not known
  int forks;                    // these, and loops, if threads may differ
  const CuteFollowedCall *call; // null: in the kernel
  int numCalls;                 // that were followed
  bool hasOpenStrides; // a tensor does not say which of its strides is 1
  int time;            // ops that were reached so far, from 1
  // Each op of the dialect whose operands are known, bound.
  void (*visit)(struct CuteFollow *follow, CuteOp *op, MlirOperation source);
  // Each op, after its regions were followed, with its own time. May be null.
  void (*leave)(struct CuteFollow *follow, MlirOperation op, int time);
  void *userData;
} CuteFollow;

// Tells whether the kernel's block_size is known; 32 threads otherwise.
bool cuteFollowGetBlock(MlirOperation function, int64_t block[3]);

void cuteFollowRun(CuteFollow *follow);

// Gives what is known of a value of the dialect, or null.
const CuteFollowed *cuteFollowGet(const CuteFollow *follow, MlirValue value);

// Gives the numbers of an integer, or null where it is not known.
const CuteLanes *cuteFollowGetInteger(const CuteFollow *follow,
                                      MlirValue value);

void cuteFollowSet(CuteFollow *follow, MlirValue value, CuteFollowed followed);
void cuteFollowSetInteger(CuteFollow *follow, MlirValue value,
                          const CuteLanes *lanes);

// Gives a value the numbers of another; none if those are unknown.
void cuteFollowSetLike(CuteFollow *follow, MlirValue value, MlirValue other);

void cuteFollowRegion(CuteFollow *follow, MlirRegion region);

// Follows the regions of an op, or the function that it calls, by what the op
// does with them; false where that is not known.
bool cuteFollowControlFlow(CuteFollow *follow, MlirOperation op);

// Computes the integers that an op of another dialect gives.
void cuteFollowIntegers(CuteFollow *follow, MlirOperation op);

// The tensor that a partition divides, and among which threads; null for other
// ops and where the thread is not known.
const CuteThreadPart *cutePartGet(CuteFollow *follow, const CuteOp *op,
                                  MlirOperation source);

// The first mode in which the op, which cuts a tile out of a tensor in gmem,
// may reach past its end; null if there is none.
const CuteResidue *cutePartGetResidue(CuteFollow *follow, const CuteOp *op,
                                      MlirOperation source);
