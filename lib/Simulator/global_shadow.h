// Who read and wrote each word of global memory last, in a launch: finds
// accesses of different threads that nothing orders.
#ifndef CUTE_SIMULATOR_GLOBAL_SHADOW_H
#define CUTE_SIMULATOR_GLOBAL_SHADOW_H

#include "Simulator/machine.h"

typedef struct CuteSimGlobalShadow CuteSimGlobalShadow;

CuteSimGlobalShadow *cuteSimGlobalShadowCreate(int64_t numClusters);
void cuteSimGlobalShadowDestroy(CuteSimGlobalShadow *shadow); // or of null

// Checks an access to global memory against those before it. Within a cluster
// barriers order them, and atomic operations on global memory, whatever their
// addresses. Between clusters nothing does but atomic operations: where both
// have done one since the first access, that is taken to order the two (PTX
// ISA, "Memory Consistency Model"). Of accesses to one word only the last write
// is known, and the last reads of two clusters.
void cuteSimGlobalShadowAccess(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t address, size_t bytes,
                               CuteSimAccess access);

#endif
