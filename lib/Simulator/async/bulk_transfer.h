// Copies and reductions of runs of bytes and of boxes of tensors, which arrive
// later than they are started (PTX ISA, "cp.async.bulk" and
// "cp.async.bulk.tensor").
#pragma once

#include "Simulator/async/tensor_box.h"
#include "Simulator/machine/machine.h"
#include "Simulator/ptx/reduction.h"

typedef enum CuteSimDirection {
  CUTE_SIM_TO_SHARED, // of one block or several, from global memory
  CUTE_SIM_TO_GLOBAL, // from shared memory
  CUTE_SIM_TO_BLOCK,  // from shared memory to that of another block
} CuteSimDirection;

typedef struct CuteSimTransfer {
  CuteSimOp op;
  CuteSimDirection direction;
  uint64_t to, from;    // addresses; with a map, the shared one counts
  CuteSimTensorMap map; // as it was then; without a sign: `bytes` bytes
  int32_t coords[CUTE_SIM_MAP_RANK];
  uint16_t offsets[CUTE_SIM_MAP_RANK];
  bool hasOffsets;
  uint32_t bytes, read; // the rest is filled with zeros
  uint64_t barrier;     // that the bytes complete on; 0: a group of bulk
  uint32_t blocks;      // a mask of the cluster's; 0: the one of `to`
  bool isOfPair;        // blocks may count at a barrier of their pair's other
  const CutePtxType *type; // of a reduction; null: a copy
  CuteSimReduction reduction;
  int64_t group;
  uint32_t epoch; // of the thread when it started; of cp.async when it is to
                  // arrive at an mbarrier first, 0: it is not
  uint32_t word;  // of copies of its mbarrier's phase; 0: the thread's own
  bool isRead;    // of a store: shared memory has been read
  double arrival; // by the clock of a trace
} CuteSimTransfer;

// A thread's transfers, by group, that it has not waited for: cp.async and bulk
// stores.
typedef enum CuteSimQueueKind {
  CUTE_SIM_COPIES,
  CUTE_SIM_STORES,
  CUTE_SIM_QUEUES
} CuteSimQueueKind;

typedef struct CuteSimQueue {
  size_t count, capacity;
  CuteSimTransfer *data;
  int64_t groups; // that were committed
} CuteSimQueue;

CuteSimQueue *cuteSimQueueGet(const CuteSimThread *thread,
                              CuteSimQueueKind kind);

// Adds a transfer to the group that is open.
void cuteSimQueueAdd(CuteSimQueueKind kind, CuteSimTransfer transfer);

// Lets the copies of groups before `end` arrive.
void cuteSimCopiesWait(CuteSimThread *thread, int64_t end);

// Ends an epoch of the thread and gives it: its copies that have no mbarrier
// yet arrive as if they had been written in it. The second function lets copies
// up to an epoch arrive.
uint32_t cuteSimCopiesTrack(CuteSimThread *thread);
void cuteSimCopiesArrive(CuteSimThread *thread, uint32_t epoch);

// Lets the stores of groups before `end` read shared memory and, unless only
// that is waited for, be seen in global memory.
void cuteSimStoresWait(CuteSimThread *thread, int64_t end, bool onlyRead);

// Checks the operands and starts the transfer: it arrives on its barrier at any
// time, or before the thread has waited for its group.
void cuteSimTransferStart(const CuteSimTransfer *transfer);

// A thread ends: its stores arrive, and it should have waited for them.
void cuteSimStoresLeave(CuteSimThread *thread);

// The swizzle with which the site has copied boxes, in the driver's numbers (0:
// none, 1 to 3: 32, 64 and 128 bytes); -1 where it has not.
int cuteSimBulkGetSwizzle(const CuteSimSite *site);
