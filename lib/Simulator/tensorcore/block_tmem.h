// Tensor memory of a block (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns
// of 32 bits, who has allocated and used them, and what is under way there.
#pragma once

#include "Simulator/machine/machine.h"

enum {
  CUTE_SIM_TENSOR_LANES = 128,
  CUTE_SIM_TENSOR_COLUMNS = 512,
  CUTE_SIM_TENSOR_UNIT = 32, // columns that are allocated together
};

// Words of tensor memory: a bit for each lane, and columns side by side.
typedef struct CuteSimTensorArea {
  uint64_t lanes[2];
  uint32_t column, columns;
} CuteSimTensorArea;

enum { CUTE_SIM_TENSOR_AREAS = 8, CUTE_SIM_TENSOR_PAIR = 2 };

// A product or a copy that has been started: null `execute` ends a group, which
// arrives at the barrier.
typedef struct CuteSimTensorProduct CuteSimTensorProduct;
struct CuteSimTensorProduct {
  CuteSimOp op;
  uint32_t epoch;
  void (*execute)(const CuteSimTensorProduct *product);
  int numBlocks; // 2: both of a pair do it
  uint64_t barrier;
  uint16_t blocks; // of the cluster, at whose barriers it arrives; 0: its own
  struct CuteSimClock *known; // by the thread at the end of a group; or null
  const struct CuteMmaAtom *atom;
  // Addresses in tensor memory, of A if it is there, of factors with the number
  // of the first in its word.
  uint32_t d, a, factors[2], firsts[2];
  uint32_t metadata; // of a sparse A
  uint64_t descriptorA, descriptorB;
  bool addsC;
  int numAreas; // of each block; the first is written, the others are read
  CuteSimTensorArea areas[CUTE_SIM_TENSOR_AREAS];
  uint64_t kept[CUTE_SIM_TENSOR_PAIR]
               [2]; // lanes of blocks that are not written
};

// Holds what was started for a block, or for a pair with its first, which runs
// in order.
typedef struct CuteSimTensorPipe {
  CuteSimTensorProduct *products; // in the order in which they were started
  size_t numProducts, capacity, numDone;
} CuteSimTensorPipe;

// The ways in which a warp uses tensor memory.
typedef enum CuteSimTensorMove {
  CUTE_SIM_TENSOR_LOAD,
  CUTE_SIM_TENSOR_STORE,
  CUTE_SIM_TENSOR_MOVES
} CuteSimTensorMove;

// The last load or store of a word: the thread and its epoch, as in
// Simulator/checks/shadow.h, and the number of the move among the thread's.
typedef struct CuteSimTensorUse {
  uint32_t when; // 0: none
  uint32_t number;
} CuteSimTensorUse;

enum { CUTE_SIM_TENSOR_FENCES = 16, CUTE_SIM_TENSOR_SITES = 16 };

// A thread's loads or stores, in their order: how many it has started and
// waited for, and at its last fences, how many it had waited for and when.
typedef struct CuteSimTensorMoves {
  uint32_t started, waited, numFences;
  CuteSimTensorUse fences[CUTE_SIM_TENSOR_FENCES];
  const CuteSimSite *sites[CUTE_SIM_TENSOR_SITES]; // of loads, by number
} CuteSimTensorMoves;

typedef struct CuteSimTensorThread {
  CuteSimTensorMoves moves[CUTE_SIM_TENSOR_MOVES];
  uint32_t products;         // of its pipe, that its last fence followed
  struct CuteSimClock *seen; // what it knew at its last fence
} CuteSimTensorThread;

typedef struct CuteSimTensorMemory {
  uint32_t words[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  bool isWritten[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  // The product that wrote a word last, counted from 1; 0: none did.
  uint32_t writer[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  CuteSimTensorUse uses[CUTE_SIM_TENSOR_MOVES][CUTE_SIM_TENSOR_LANES]
                       [CUTE_SIM_TENSOR_COLUMNS];
  // By units: 0 where they are free, else the units of an allocation at its
  // first, and UINT8_MAX at its others.
  uint8_t allocated[CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT];
  const CuteSimSite *allocatedAt, *relinquishedAt;
  int ctas; // blocks that use tensor memory together, 1 or 2; 0: not known yet
  CuteSimTensorPipe pipe;
  CuteSimTensorThread threads[CUTE_SIM_MAX_THREADS]; // of the block
} CuteSimTensorMemory;

// The memory of a block, which is made when it is first asked for.
CuteSimTensorMemory *cuteSimTensorMemoryGet(CuteSimBlock *block);

// The thread's own part of it.
CuteSimTensorThread *cuteSimTensorThreadGet(CuteSimThread *thread);

void cuteSimTensorMemoryDestroy(CuteSimCluster *cluster);

// Finds memory that a block has not freed, and products that nobody waits for.
void cuteSimTensorMemoryEnd(CuteSimCluster *cluster);

// Notes that an operation is of one block or of a pair, and gives how many they
// are. Fails where the thread's block has no other; a kernel uses one of both.
int cuteSimTensorBegin(CuteSimOp op, bool isOfPair);

// Block i of the n blocks that take part in a thread's operation.
CuteSimBlock *cuteSimTensorBlockGet(const CuteSimThread *thread, int n, int i);

// A word of a block at a lane and a column; null, with a finding, where nothing
// is allocated.
uint32_t *cuteSimTensorMemoryAt(CuteSimOp op, CuteSimBlock *block,
                                uint32_t lane, uint32_t column);

// Checks and notes a load or store of a word by a thread: that nothing under
// way uses it, that it follows what did by fences, and, of a load, that it has
// a value.
void cuteSimTensorMemoryCheck(CuteSimOp op, uint32_t lane, uint32_t column,
                              CuteSimTensorMove move);

// A thread is about to load tensor memory, and uses registers that a load
// brings: it must have waited for it.
void cuteSimTensorStart(const CuteSimSite *load);
void cuteSimTensorUse(const CuteSimSite *use, const CuteSimSite *load);

//===-- Products ----------------------------------------------------------===//

static inline bool cuteSimTensorAreaHas(const CuteSimTensorArea *area,
                                        uint32_t lane) {
  return area->lanes[lane / 64 % 2] >> lane % 64 & 1;
}

// Area i of a product in a block: of the first, the lanes that it writes.
CuteSimTensorArea cuteSimTensorAreaGet(const CuteSimTensorProduct *product,
                                       const CuteSimBlock *block, int i);

// Checks the areas of a product that its thread starts: that they are allocated
// and that loads and stores of them came before. Those that it reads have
// values, and the one that it writes where `addsC`.
void cuteSimTensorProductCheck(const CuteSimTensorProduct *product);

// The pipe of a block, which a pair shares.
CuteSimTensorPipe *cuteSimTensorPipeGet(CuteSimBlock *block);

// Checks that nothing uses columns of the thread's block that it frees.
void cuteSimTensorCheckFree(CuteSimOp op, uint32_t column, uint32_t columns);

// Starts a product, or ends a group of them, in the pipe of its thread.
void cuteSimTensorPipeStart(const CuteSimTensorProduct *product);

// Takes a call apart, as LLVM's intrinsic or PTX has it, and tells whether it
// is of a pair of blocks. Fails for an unknown one.
bool cuteSimTensorCallTake(CuteSimOp op, const uint64_t *values,
                           CuteSimTensorProduct *product);
