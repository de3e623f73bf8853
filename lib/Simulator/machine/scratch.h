// Memory of a thread for what one instruction computes and a fiber's stack is
// too small for. Thread-local arrays would be cleared when any thread starts,
// of any program with libcute.
#pragma once

#include <stddef.h>

typedef enum CuteSimScratchUse {
  CUTE_SIM_SCRATCH_TILES, // of a product
  CUTE_SIM_SCRATCH_WORDS, // registers of a warpgroup
  CUTE_SIM_SCRATCH_EXPONENTS,
  CUTE_SIM_NUM_SCRATCH,
} CuteSimScratchUse;

// The thread's memory of that use, at least that large, with anything in it. It
// moves when it grows, and goes with the thread.
void *cuteSimScratchGet(CuteSimScratchUse use, size_t bytes);
