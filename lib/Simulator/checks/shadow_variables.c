// Clocks of mbarriers and of variables that are changed atomically.
#include "Simulator/checks/shadow.h"
#include "Simulator/checks/vector_clock.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

// Clocks that were released at an address: since the last phase, and before.
typedef struct Variable {
  CuteSimClock *open, *closed;
} Variable;

void cuteSimShadowForgetVariables(CuteSimCluster *cluster) {
  size_t at = 0;
  for (Variable *variable;
       (variable = cutePointerMapNext(cluster->variables, &at));) {
    cuteSimClockDrop(variable->open);
    cuteSimClockDrop(variable->closed);
    free(variable);
  }
  cutePointerMapDestroy(cluster->variables);
  *cluster->variables = (CutePointerMap){0};
}

static Variable *variableOf(CuteSimCluster *cluster, uint64_t address) {
  const void *key = (const void *)(uintptr_t)address;
  Variable *variable = cutePointerMapGet(cluster->variables, key);
  if (variable)
    return variable;
  variable = cuteAllocateZeros(1, sizeof *variable);
  cutePointerMapSet(cluster->variables, key, variable);
  return variable;
}

void cuteSimShadowRelease(CuteSimThread *thread, uint64_t address) {
  CuteSimCluster *cluster = thread->cluster;
  if (cluster->variables)
    cuteSimClockRelease(thread, &variableOf(cluster, address)->open);
}

void cuteSimShadowPublish(CuteSimThread *thread, uint64_t address,
                          uint32_t epoch) {
  CuteSimCluster *cluster = thread->cluster;
  if (cluster->variables)
    cuteSimClockAdd(thread, &variableOf(cluster, address)->open, epoch);
}

void cuteSimShadowPublishKnown(CuteSimCluster *cluster, uint64_t address,
                               CuteSimClock *known) {
  if (cluster->variables)
    cuteSimClockJoin(cluster, &variableOf(cluster, address)->open, known);
}

void cuteSimShadowTell(CuteSimCluster *cluster, uint64_t address,
                       uint32_t copies, uint32_t phase) {
  if (cluster->variables)
    cuteSimClockTell(cluster, &variableOf(cluster, address)->open, copies,
                     phase);
}

void cuteSimShadowComplete(CuteSimCluster *cluster, uint64_t address) {
  if (!cluster->variables)
    return;
  Variable *variable = variableOf(cluster, address);
  cuteSimClockJoin(cluster, &variable->closed, variable->open);
  cuteSimClockDrop(variable->open);
  variable->open = NULL;
}

void cuteSimShadowAcquire(CuteSimThread *thread, uint64_t address) {
  CuteSimCluster *cluster = thread->cluster;
  if (cluster->variables)
    cuteSimClockAcquire(thread, variableOf(cluster, address)->closed);
}

void cuteSimShadowSee(CuteSimThread *thread, uint64_t address) {
  CuteSimCluster *cluster = thread->cluster;
  if (cluster->variables)
    cuteSimClockJoin(cluster, &thread->seen,
                     variableOf(cluster, address)->closed);
}

double cuteSimShadowGetTime(CuteSimCluster *cluster, uint64_t address) {
  const CuteSimClock *closed =
      cluster->variables ? variableOf(cluster, address)->closed : NULL;
  return closed ? closed->time : 0;
}
