// Clocks of mbarriers and of variables that are changed atomically.
#include "Simulator/checks/shadow.h"
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

// Null without checks.
static Variable *variableOf(CuteSimCluster *cluster, uint64_t address) {
  const void *key = (const void *)(uintptr_t)address;
  if (!cluster->variables)
    return NULL;
  Variable *variable = cutePointerMapGet(cluster->variables, key);
  if (variable)
    return variable;
  variable = cuteAllocateZeros(1, sizeof *variable);
  cutePointerMapSet(cluster->variables, key, variable);
  return variable;
}

void cuteSimShadowRelease(CuteSimThread *thread, uint64_t address) {
  Variable *variable = variableOf(thread->cluster, address);
  if (variable)
    cuteSimClockRelease(thread, &variable->open);
}

void cuteSimShadowPublish(CuteSimThread *thread, uint64_t address,
                          uint32_t epoch) {
  Variable *variable = variableOf(thread->cluster, address);
  if (variable)
    cuteSimClockAdd(thread, &variable->open, epoch);
}

void cuteSimShadowPublishKnown(CuteSimCluster *cluster, uint64_t address,
                               CuteSimClock *known) {
  Variable *variable = variableOf(cluster, address);
  if (variable)
    cuteSimClockJoin(cluster, &variable->open, known);
}

void cuteSimShadowTell(CuteSimCluster *cluster, uint64_t address,
                       uint32_t copies, uint32_t phase) {
  Variable *variable = variableOf(cluster, address);
  if (variable)
    cuteSimClockTell(cluster, &variable->open, copies, phase);
}

void cuteSimShadowComplete(CuteSimCluster *cluster, uint64_t address) {
  Variable *variable = variableOf(cluster, address);
  if (!variable)
    return;
  cuteSimClockJoin(cluster, &variable->closed, variable->open);
  cuteSimClockDrop(variable->open);
  variable->open = NULL;
}

CuteSimClock *cuteSimShadowGetClock(CuteSimCluster *cluster, uint64_t address) {
  const Variable *variable = variableOf(cluster, address);
  return variable ? variable->closed : NULL;
}

void cuteSimShadowAcquire(CuteSimThread *thread, uint64_t address,
                          bool isRelaxed) {
  CuteSimClock *closed = cuteSimShadowGetClock(thread->cluster, address);
  if (isRelaxed)
    cuteSimClockJoin(thread->cluster, &thread->seen, closed);
  else
    cuteSimClockAcquire(thread, closed);
}
