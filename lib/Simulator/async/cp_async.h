// Copies of a thread to shared memory that arrive when their group is waited
// for (PTX ISA, "cp.async").
#pragma once

#include "Simulator/machine/machine.h"

typedef struct CuteSimCopy {
  const CuteSimSite *site;
  char *to;
  const char *from;
  uint32_t bytes, read; // the rest is filled with zeros
  int64_t group;
  double arrival; // by the clock of a trace
} CuteSimCopy;

typedef struct CuteSimCopies {
  size_t count, capacity;
  CuteSimCopy *data;
  int64_t groups; // that were committed
} CuteSimCopies;

CuteSimCopies *cuteSimGetCopies(const CuteSimThread *thread);

// Lets all copies of a thread arrive, whether or not they were committed.
void cuteSimCopiesFinish(CuteSimThread *thread);
