// Instructions of inline PTX on memory: ld, st, atom, red.
#include "Simulator/checks/access.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"

#include <stdlib.h>
#include <string.h>

// Bytes of the last type of the name: ".b32".
static unsigned bytesOf(const CuteSimSite *site) {
  const char *dot = strrchr(site->name, '.');
  unsigned bits = dot && dot[1] ? (unsigned)strtoul(dot + 2, NULL, 10) : 0;
  return bits >= 8 ? bits / 8 : 4;
}

// A vector's registers follow each other: ".v4".
void cuteSimMemoryLoad(CuteSimOp op, uint64_t *values) {
  unsigned n = op.site->numResults, bytes = bytesOf(op.site);
  uint64_t at = values[n];
  CuteSimAccess access =
      op.site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_READ : CUTE_SIM_READ;
  bool isParameter = !strncmp(op.site->name, "ld.param", 8);
  if (!isParameter)
    cuteSimAccessCheck(op, at, n * bytes, n * bytes, access);
  if (!isParameter)
    cuteSimObserveAccess(op, at, n * bytes, CUTE_SIM_READ);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = 0;
    memcpy(&values[i], (const void *)(uintptr_t)(at + i * bytes), bytes);
  }
  if (cuteSimAccessIsOrdered(access))
    cuteSimAccessEndAtomic(at);
}

// A policy of the L2 cache is the last operand.
void cuteSimMemoryStore(CuteSimOp op, uint64_t *values) {
  unsigned n = op.site->numOperands - 1, bytes = bytesOf(op.site);
  if (n > 1 && strstr(op.site->name, ".L2::cache_hint"))
    --n;
  cuteSimAccessCheck(op, values[0], n * bytes, n * bytes,
                     op.site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_WRITE
                                                       : CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, values[0], n * bytes, CUTE_SIM_WRITE);
  for (unsigned i = 0; i < n; ++i)
    memcpy((void *)(uintptr_t)(values[0] + i * bytes), &values[i + 1], bytes);
}

// st.bulk: so many bytes of zeros.
void cuteSimMemoryZero(CuteSimOp op, uint64_t *values) {
  cuteSimAccessCheck(op, values[0], values[1], 16, CUTE_SIM_WRITE);
  cuteSimObserveAccess(op, values[0], values[1], CUTE_SIM_WRITE);
  memset((void *)(uintptr_t)values[0], 0, values[1]);
}

void cuteSimFenceProxy(CuteSimOp op, uint64_t *values) {
  (void)values;
  if (op.thread->cluster->checks)
    cuteSimClockFence(op.thread);
}

void cuteSimRegisterRead(CuteSimOp op, uint64_t *values) {
  unsigned number = op.site->bytes;
  values[0] = (uint32_t)(number < CUTE_SIM_THREAD_REGISTERS
                             ? op.thread->registers[number]
                             : op.thread->block->registers[number]);
}
