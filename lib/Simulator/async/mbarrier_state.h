// The bits of a mbarrier object (PTX ISA, "mbarrier"): its 64 bits in shared
// memory, in a form of this device's own.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { CUTE_SIM_MAX_ARRIVALS = (1 << 20) - 1 };

typedef struct CuteSimMbarrier {
  bool isValid;
  unsigned phase;    // 0 or 1: that of the current one
  uint32_t expected; // arrivals of each phase
  uint32_t pending;  // that this one still waits for
  int32_t bytes; // that it still waits for; below 0: more came than expected
} CuteSimMbarrier;

// Bits that no barrier has are decoded as one that is not valid.
CuteSimMbarrier cuteSimMbarrierDecode(uint64_t bits);
uint64_t cuteSimMbarrierEncode(CuteSimMbarrier barrier);

// The functions below return null or what is wrong, as the text of a message.

const char *cuteSimMbarrierInit(CuteSimMbarrier *barrier, uint64_t count);

// Adds to the bytes that the current phase waits for.
const char *cuteSimMbarrierExpect(CuteSimMbarrier *barrier, uint64_t bytes);

// Bytes have arrived: the phase may complete.
const char *cuteSimMbarrierComplete(CuteSimMbarrier *barrier, uint64_t bytes);

// `count` arrivals; with `drops` later phases wait for as many less.
const char *cuteSimMbarrierArrival(CuteSimMbarrier *barrier, uint64_t count,
                                   bool drops);

// Tells whether the phase with this parity has completed: it is not the current
// one.
static inline bool cuteSimMbarrierIsComplete(CuteSimMbarrier barrier,
                                             unsigned parity) {
  return barrier.phase != (parity & 1);
}
