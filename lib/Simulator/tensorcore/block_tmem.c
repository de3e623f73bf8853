#include "Simulator/tensorcore/block_tmem.h"
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"
#include "Support/growing_array.h"
#include "cute/Atom.h"

#include <stdlib.h>
#include <string.h>

CuteSimTensorMemory *cuteSimTensorMemoryGet(CuteSimThread *thread) {
  CuteSimTensorMemory **memory = &thread->block->tensorMemory;
  if (!*memory) {
    *memory = cuteAllocate(sizeof **memory);
    memset(*memory, 0, sizeof **memory);
    memset((*memory)->words, 0xff, sizeof((*memory)->words));
  }
  return *memory;
}

void cuteSimTensorMemoryDestroy(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    CuteSimTensorMemory **memory = &cluster->blocks[i].tensorMemory;
    if (*memory)
      free((*memory)->products);
    free(*memory);
    *memory = NULL;
  }
}

//===-- Addresses ---------------------------------------------------------===//

uint32_t *cuteSimTensorMemoryAt(CuteSimThread *thread, const CuteSimSite *site,
                                uint32_t lane, uint32_t column) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  if (lane < CUTE_SIM_TENSOR_LANES && column < CUTE_SIM_TENSOR_COLUMNS &&
      memory->allocated[column / CUTE_SIM_TENSOR_UNIT])
    return &memory->words[lane][column];
  cuteSimFind(thread, site,
              "out of bounds: %s gets to lane %u, column %u of tensor memory, "
              "which is not allocated",
              cuteSimSiteGetName(site), lane, column);
  return NULL;
}

uint32_t cuteSimTensorProductGetLane(const CuteSimTensorProduct *product,
                                     int m) {
  uint32_t row = (uint32_t)m;
  bool isHalf = product->atom->m == CUTE_SIM_TENSOR_LANES / 2;
  return (product->d >> 16) + (isHalf ? row % 16 + row / 16 * 32 : row);
}

//===-- Checks ------------------------------------------------------------===//

static bool writesTo(const CuteSimTensorProduct *product, uint32_t lane,
                     uint32_t column) {
  uint32_t first = product->d & 0xffff;
  if (!product->multiply || column < first ||
      column >= first + (uint32_t)product->atom->n)
    return false;
  for (int m = 0; m < product->atom->m; ++m)
    if (cuteSimTensorProductGetLane(product, m) == lane)
      return true;
  return false;
}

void cuteSimTensorMemoryCheck(CuteSimThread *thread, const CuteSimSite *site,
                              uint32_t lane, uint32_t column, bool isWrite) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  if (!thread->block->cluster->run->options->checks)
    return;
  for (size_t i = memory->numDone; i < memory->numProducts; ++i)
    if (writesTo(&memory->products[i], lane, column)) {
      cuteSimFindPair(thread, site, memory->products[i].site,
                      "too early: %s lane %u, column %u of tensor memory, "
                      "which the product of line %u may still write; commit it "
                      "to an mbarrier and wait for that before",
                      isWrite ? "writes" : "reads", lane, column,
                      memory->products[i].site->line);
      return;
    }
  if (memory->writer[lane][column] > thread->tensorProducts)
    cuteSimFind(thread, site,
                "order: nothing makes the access to lane %u, column %u of "
                "tensor memory come after the product that was waited for; "
                "write cute.tcgen05_fence<\"after\"> between",
                lane, column);
  else if (!isWrite && !memory->isWritten[lane][column])
    cuteSimFindNote(thread, site,
                    "uninitialised: reads lane %u, column %u of tensor memory, "
                    "which nothing was written to",
                    lane, column);
}

void cuteSimTensorMemoryEnd(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    const CuteSimTensorMemory *memory = cluster->blocks[i].tensorMemory;
    for (int unit = 0;
         memory && unit < CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT;
         ++unit)
      if (memory->allocated[unit]) {
        cuteSimFind(cluster->blocks[i].threads, memory->allocatedAt,
                    "tensor memory that is allocated here is not freed when "
                    "the kernel ends; write cute.tmem_dealloc");
        break;
      }
    if (memory && memory->numDone < memory->numProducts)
      cuteSimFind(cluster->blocks[i].threads,
                  memory->products[memory->numDone].site,
                  "the product may still be under way when the kernel ends: "
                  "no cute.tcgen05_commit follows it");
  }
}

//===-- Products ----------------------------------------------------------===//

// Does the products up to the end of the block's next group, in order, as late
// as that may be.
static void arrive(CuteSimCluster *cluster, void *data) {
  CuteSimTensorMemory *memory = *(CuteSimTensorMemory **)data;
  (void)cluster;
  while (memory->numDone < memory->numProducts) {
    const CuteSimTensorProduct *p = &memory->products[memory->numDone++];
    if (p->multiply) {
      p->multiply(p);
      continue;
    }
    cuteSimShadowPublish(p->thread, p->barrier, p->epoch);
    cuteSimMbarrierArriveAt(p->thread, p->site, p->barrier);
    return;
  }
}

void cuteSimTensorMemoryStart(CuteSimThread *thread,
                              const CuteSimTensorProduct *product) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(thread);
  CUTE_PUSH(memory->products, memory->numProducts, memory->capacity, *product);
  if (!product->multiply)
    cuteSimPendingStart(thread->block->cluster, arrive, &memory, sizeof memory);
}
