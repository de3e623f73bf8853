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
void cuteSimMemoryLoad(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  unsigned n = site->numResults, bytes = bytesOf(site);
  uint64_t at = values[n];
  CuteSimAccess access =
      site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_READ : CUTE_SIM_READ;
  bool isParameter = !strncmp(site->name, "ld.param", 8);
  if (!isParameter)
    cuteSimAccessCheck(thread, site, at, n * bytes, n * bytes, access);
  if (!isParameter)
    cuteSimObserveAccess(thread, site, at, n * bytes, CUTE_SIM_READ);
  for (unsigned i = 0; i < n; ++i) {
    values[i] = 0;
    memcpy(&values[i], (const void *)(uintptr_t)(at + i * bytes), bytes);
  }
  if (cuteSimAccessIsOrdered(access))
    cuteSimAccessEndAtomic(at);
}

void cuteSimMemoryStore(CuteSimThread *thread, const CuteSimSite *site,
                        uint64_t *values) {
  unsigned n = site->numOperands - 1, bytes = bytesOf(site);
  cuteSimAccessCheck(thread, site, values[0], n * bytes, n * bytes,
                     site->words & CUTE_SIM_ORDERED ? CUTE_SIM_ORDERED_WRITE
                                                    : CUTE_SIM_WRITE);
  cuteSimObserveAccess(thread, site, values[0], n * bytes, CUTE_SIM_WRITE);
  for (unsigned i = 0; i < n; ++i)
    memcpy((void *)(uintptr_t)(values[0] + i * bytes), &values[i + 1], bytes);
}

void cuteSimFenceProxy(CuteSimThread *thread, const CuteSimSite *site,
                       uint64_t *values) {
  (void)site, (void)values;
  if (thread->block->cluster->run->options->checks)
    cuteSimClockFence(thread);
}

void cuteSimRegisterRead(CuteSimThread *thread, const CuteSimSite *site,
                         uint64_t *values) {
  unsigned number = site->bytes;
  values[0] = (uint32_t)(number < CUTE_SIM_THREAD_REGISTERS
                             ? thread->registers[number]
                             : thread->block->registers[number]);
}
