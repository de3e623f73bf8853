// Clocks of the device: %clock and %globaltimer (PTX ISA, "Special Registers").
#include "Simulator/ptx/operation_table.h"

#include <time.h>

// The host's nanoseconds serve as cycles, too. They advance, so that loops that
// wait for a time end.
void cuteSimClockRead(CuteSimOp op, uint64_t *values) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t time =
      (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
  values[0] = strstr(op.site->name, "hi") ? time >> 32 : time;
}
