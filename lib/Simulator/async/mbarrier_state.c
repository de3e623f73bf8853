#include "Simulator/async/mbarrier_state.h"

#include <stddef.h>

// Fields from the lowest bit: expected, pending, bytes + BIAS, phase, mark.
// Each thread of a block may add an arrival after copies.
enum { COUNT_BITS = 20, BYTES_BITS = 21, BIAS = 1 << (BYTES_BITS - 1) };
enum { MOST_ADDED = 1024 };
enum { MARK = 5 };

static uint64_t field(uint64_t bits, int at, int width) {
  return bits >> at & ((UINT64_C(1) << width) - 1);
}

CuteSimMbarrier cuteSimMbarrierDecode(uint64_t bits) {
  CuteSimMbarrier b = {
      .expected = (uint32_t)field(bits, 0, COUNT_BITS),
      .pending = (uint32_t)field(bits, COUNT_BITS, COUNT_BITS),
      .bytes = (int32_t)field(bits, 2 * COUNT_BITS, BYTES_BITS) - BIAS,
      .phase = (unsigned)field(bits, 2 * COUNT_BITS + BYTES_BITS, 1)};
  bool hasMark = (b.expected + b.pending + (uint32_t)b.bytes + MARK) % 4 ==
                 field(bits, 2 * COUNT_BITS + BYTES_BITS + 1, 2);
  b.isValid = hasMark && b.pending <= b.expected + MOST_ADDED &&
              bits != UINT64_MAX && (b.expected || b.pending);
  return b;
}

uint64_t cuteSimMbarrierEncode(CuteSimMbarrier b) {
  uint64_t mark = (b.expected + b.pending + (uint32_t)b.bytes + MARK) % 4;
  if (!b.isValid)
    return 0;
  return (uint64_t)b.expected | (uint64_t)b.pending << COUNT_BITS |
         (uint64_t)(uint32_t)(b.bytes + BIAS) << 2 * COUNT_BITS |
         (uint64_t)b.phase << (2 * COUNT_BITS + BYTES_BITS) |
         mark << (2 * COUNT_BITS + BYTES_BITS + 1);
}

const char *cuteSimMbarrierInit(CuteSimMbarrier *barrier, uint64_t count) {
  if (count < 1 || count > CUTE_SIM_MAX_ARRIVALS)
    return "a barrier waits for 1 to 1048575 arrivals";
  *barrier = (CuteSimMbarrier){
      .isValid = true, .expected = (uint32_t)count, .pending = (uint32_t)count};
  return NULL;
}

static const char noBarrier[] =
    "there is no barrier at the address: mbarrier.init makes one, and threads "
    "see it after a barrier";

static void completePhase(CuteSimMbarrier *barrier) {
  if (barrier->pending || barrier->bytes)
    return;
  barrier->phase ^= 1;
  barrier->pending = barrier->expected;
}

// More bytes than it waited for before, or fewer.
static const char *addBytes(CuteSimMbarrier *barrier, uint64_t bytes,
                            bool comes, const char *wrong) {
  if (!barrier->isValid)
    return noBarrier;
  int64_t sum = barrier->bytes + (comes ? -(int64_t)bytes : (int64_t)bytes);
  if (bytes >= BIAS || sum <= -BIAS || sum >= BIAS)
    return wrong;
  barrier->bytes = (int32_t)sum;
  completePhase(barrier);
  return NULL;
}

const char *cuteSimMbarrierExpect(CuteSimMbarrier *barrier, uint64_t bytes) {
  return addBytes(barrier, bytes, false,
                  "a phase waits for at most 1048575 bytes");
}

const char *cuteSimMbarrierComplete(CuteSimMbarrier *barrier, uint64_t bytes) {
  return addBytes(barrier, bytes, true,
                  "1048575 bytes more than a phase expects have arrived");
}

const char *cuteSimMbarrierArrival(CuteSimMbarrier *barrier, uint64_t count,
                                   bool drops) {
  if (!barrier->isValid)
    return noBarrier;
  if (count < 1 || count > barrier->pending)
    return "more threads arrive at the barrier than its phase waits for";
  barrier->pending -= (uint32_t)count;
  if (drops)
    barrier->expected -= (uint32_t)count;
  completePhase(barrier);
  return NULL;
}
