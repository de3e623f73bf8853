// Who read and wrote each word of global memory last, in a launch: finds
// accesses of different threads that nothing orders.
#pragma once

#include "Simulator/machine/machine.h"

typedef struct CuteSimGlobalShadow CuteSimGlobalShadow;

CuteSimGlobalShadow *cuteSimGlobalShadowCreate(int64_t numClusters);
void cuteSimGlobalShadowDestroy(CuteSimGlobalShadow *shadow); // or of null

// Checks an access to global memory against those before it. Within a cluster
// barriers order them, and atomic operations on global memory, whatever their
// addresses. Between clusters nothing does but atomic operations: where one has
// released since the first access, and the other acquired, that is taken to
// order the two; a relaxed operation does so after, or before, a fence of any
// thread (PTX ISA, "Memory Consistency Model"). Of accesses to one word only
// the last write is known, and two reads.
void cuteSimGlobalShadowAccess(CuteSimOp op, uint64_t address, size_t bytes,
                               CuteSimAccess access);

// A thread has waited for a bulk copy to global memory: from now on those see
// it who know of that.
void cuteSimGlobalShadowArrive(CuteSimOp op, uint64_t address, size_t bytes);

// A thread's fence, which is not for its block alone.
void cuteSimGlobalShadowFence(const CuteSimCluster *cluster);

// Tells that an atomic operation that was checked has been done: it may have
// seen what other clusters released after the check.
void cuteSimGlobalShadowEndAtomic(CuteSimCluster *cluster);

// Keeps of a launch that has ended what it wrote, and what it read.
void cuteSimGlobalShadowSettle(CuteSimGlobalShadow *shadow, bool keepsReads);

//===-- What was touched --------------------------------------------------===//

typedef enum CuteSimTouched {
  CUTE_SIM_UNTOUCHED = 0,
  CUTE_SIM_IS_READ = 1,
  CUTE_SIM_IS_WRITTEN = 2, // or perhaps, by an atomic operation
} CuteSimTouched;

enum { CUTE_SIM_SHADOW_PAGE = 4096 }; // bytes

// A page of memory that begins at a multiple of its size; null: nothing of it
// was touched. For after the run.
typedef struct CuteSimShadowPage CuteSimShadowPage;
const CuteSimShadowPage *
cuteSimGlobalShadowFindPage(const CuteSimGlobalShadow *shadow,
                            uint64_t address);

// Tells what was done to the byte at an address of the page.
CuteSimTouched cuteSimGlobalShadowGetTouched(const CuteSimShadowPage *page,
                                             uint64_t address);
