// Finds bytes of memory that two threads of a block access without a barrier
// between them, of which one writes. What kernels load and store is known from
// the calls that LLVM's ThreadSanitizer pass adds; what copies by cp.async
// write may be written any time from the copy to its wait.
#ifndef SIMULATE_RACES_H
#define SIMULATE_RACES_H

#include "simulate.h"

enum { PAGE = 1 << 12, PAGES = 1 << 20, MANY = -1 };

// Who accessed a byte last, and in which epoch: 0 is none.
typedef struct Shadow {
  int writer, reader; // threads; MANY: several in the epoch
  int64_t written, read;
} Shadow;

static Shadow *shadows[PAGES];
static int races;

// Epochs end at barriers, and blocks have different ones.
static int64_t epochAt(int barriers) {
  return (int64_t)sim.blocks << 32 | (unsigned)(barriers + 1);
}

static Shadow *shadowOf(uintptr_t byte) {
  if (byte / PAGE >= PAGES)
    return NULL; // a stack
  Shadow **page = &shadows[byte / PAGE];
  if (!*page)
    *page = calloc(PAGE, sizeof **page);
  return *page + byte % PAGE;
}

static void noteRace(const char *what, uintptr_t byte, int other) {
  if (!races++)
    printf("race: thread %d %s byte %p, which thread %d accesses\n",
           sim.current, what, (void *)byte, other);
}

static void noteRead(const void *at, int bytes) {
  int64_t now = epochAt(sim.arrivedBlock[sim.current]);
  for (uintptr_t i = (uintptr_t)at; i < (uintptr_t)at + (unsigned)bytes; ++i) {
    Shadow *s = shadowOf(i);
    if (!s)
      return;
    if (s->written == now && s->writer != sim.current)
      noteRace("reads", i, s->writer);
    s->reader = s->read == now && s->reader != sim.current ? MANY : sim.current;
    s->read = now;
  }
}

// A write in one of the epochs from `since` on.
static void noteCopy(const void *at, int bytes, int since) {
  int64_t first = epochAt(since), now = epochAt(sim.arrivedBlock[sim.current]);
  for (uintptr_t i = (uintptr_t)at; i < (uintptr_t)at + (unsigned)bytes; ++i) {
    Shadow *s = shadowOf(i);
    if (!s)
      return;
    if (s->written >= first && s->writer != sim.current)
      noteRace("writes", i, s->writer);
    if (s->read >= first && s->reader != sim.current)
      noteRace("writes", i, s->reader);
    s->writer = sim.current;
    s->written = now;
  }
}

static void noteWrite(const void *at, int bytes) {
  noteCopy(at, bytes, sim.arrivedBlock[sim.current]);
}

//===-- What the IR calls -------------------------------------------------===//

void __tsan_init(void) {}
void __tsan_func_entry(void *from) { (void)from; }
void __tsan_func_exit(void) {}

#define SIM_ACCESSES(bytes)                                                    \
  void __tsan_read##bytes(void *at) { noteRead(at, bytes); }                   \
  void __tsan_write##bytes(void *at) { noteWrite(at, bytes); }                 \
  void __tsan_unaligned_read##bytes(void *at) { noteRead(at, bytes); }         \
  void __tsan_unaligned_write##bytes(void *at) { noteWrite(at, bytes); }

SIM_ACCESSES(1)
SIM_ACCESSES(2)
SIM_ACCESSES(4)
SIM_ACCESSES(8)
SIM_ACCESSES(16)

// Atomic accesses are no race among themselves, and nothing else is known of
// them.
int32_t __tsan_atomic32_fetch_add(int32_t *at, int32_t value, int order) {
  (void)order;
  *at += value;
  return *at - value;
}
void __tsan_atomic_thread_fence(int order) { (void)order; }

#endif
