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
  uint32_t bytes;
  uint64_t barrier;        // that the bytes complete on; 0: a group of bulk
  uint32_t blocks;         // a mask of the cluster's; 0: the one of `to`
  const CutePtxType *type; // of a reduction; null: a copy
  CuteSimReduction reduction;
  int64_t group;
  uint32_t epoch; // of the thread when it started
  double arrival; // by the clock of a trace
} CuteSimTransfer;

// Stores of a thread that it has not waited for.
typedef struct CuteSimStores {
  size_t count, capacity;
  CuteSimTransfer *data;
  int64_t groups; // that were committed
} CuteSimStores;

CuteSimStores *cuteSimGetStores(const CuteSimThread *thread);

// Checks the operands and starts the transfer: it arrives on its barrier at any
// time, or before the thread has waited for its group.
void cuteSimTransferStart(const CuteSimTransfer *transfer);

// Lets stores of groups before `end` arrive.
void cuteSimStoresFinish(CuteSimThread *thread, int64_t end);

// A thread ends: its stores arrive, and it should have waited for them.
void cuteSimStoresLeave(CuteSimThread *thread);

// The swizzle with which the site has copied boxes, in the driver's numbers (0:
// none, 1 to 3: 32, 64 and 128 bytes); -1 where it has not.
int cuteSimBulkGetSwizzle(const CuteSimSite *site);
