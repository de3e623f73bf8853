// Tensor memory of a block (PTX ISA, "Tensor Memory"): 128 lanes of 512 columns
// of 32 bits, who has allocated them, and the products under way.
#ifndef CUTE_SIMULATOR_BLOCK_TMEM_H
#define CUTE_SIMULATOR_BLOCK_TMEM_H

#include "Simulator/machine/machine.h"

enum {
  CUTE_SIM_TENSOR_LANES = 128,
  CUTE_SIM_TENSOR_COLUMNS = 512,
  CUTE_SIM_TENSOR_UNIT = 32, // columns that are allocated together
};

// A product that has been started: null `multiply` ends a group, which arrives
// at the barrier.
typedef struct CuteSimTensorProduct CuteSimTensorProduct;
struct CuteSimTensorProduct {
  CuteSimThread *thread;
  const CuteSimSite *site;
  uint32_t epoch;
  void (*multiply)(const CuteSimTensorProduct *product);
  uint64_t barrier;
  const struct CuteMmaAtom *atom;
  uint32_t d; // address in tensor memory
  uint64_t descriptorA, descriptorB;
  bool addsC;
};

typedef struct CuteSimTensorMemory {
  uint32_t words[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  bool isWritten[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  // The product that wrote a word last, counted from 1; 0: none did.
  uint32_t writer[CUTE_SIM_TENSOR_LANES][CUTE_SIM_TENSOR_COLUMNS];
  // By units: 0 where they are free, else the units of an allocation at its
  // first, and UINT8_MAX at its others.
  uint8_t allocated[CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT];
  const CuteSimSite *allocatedAt, *relinquishedAt;
  CuteSimTensorProduct *products; // in the order in which they were started
  size_t numProducts, capacity;
  size_t numDone;
} CuteSimTensorMemory;

// The memory of a thread's block, which is made when it is first asked for.
CuteSimTensorMemory *cuteSimTensorMemoryGet(CuteSimThread *thread);

void cuteSimTensorMemoryDestroy(CuteSimCluster *cluster);

// Finds memory that a block has not freed, and products that nobody waits for.
void cuteSimTensorMemoryEnd(CuteSimCluster *cluster);

// A word at a lane and a column; null, with a finding, where nothing is
// allocated.
uint32_t *cuteSimTensorMemoryAt(CuteSimThread *thread, const CuteSimSite *site,
                                uint32_t lane, uint32_t column);

// Checks an access of a thread to a word: that no product under way writes it,
// that it follows the last one by a fence, and, of a read, that it has a value.
void cuteSimTensorMemoryCheck(CuteSimThread *thread, const CuteSimSite *site,
                              uint32_t lane, uint32_t column, bool isWrite);

// Starts a product, or ends a group of them, of the thread's block.
void cuteSimTensorMemoryStart(CuteSimThread *thread,
                              const CuteSimTensorProduct *product);

// Tells where a product's D lies, by the layout of its atom: the lane and the
// column of row m and column n, beside its address.
uint32_t cuteSimTensorProductGetLane(const CuteSimTensorProduct *product,
                                     int m);

#endif
