// Runs a kernel that was compiled for this machine from LLVM IR, block after
// block. The threads of a block are coroutines, which change at barriers and
// exchanges between lanes: contexts start them, and jumps, which make no system
// calls, change between them.
#ifndef SIMULATE_H
#define SIMULATE_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { MAX_THREADS = 1024, WARP = 32, STACK = 1 << 16 };

typedef struct Thread {
  ucontext_t context; // where it starts
  jmp_buf place;      // where it goes on
  char *stack;
  int started, done;
} Thread;

static struct {
  jmp_buf scheduler;
  Thread threads[MAX_THREADS];
  int numThreads, current, block[3], grid[2];
  uint32_t slots[MAX_THREADS][2];
  int arrivedBlock[MAX_THREADS], arrivedWarp[MAX_THREADS];
  int blocks; // that were run
  void (*body)(void);
} sim;

#ifdef SIM_RACES
#include "simulate_races.h"
#else
// Of memory by what the compiler does not see.
static void noteRead(const void *at, int bytes) { (void)at, (void)bytes; }
static void noteCopy(const void *at, int bytes, int since) {
  (void)at, (void)bytes, (void)since;
}
#endif

static void yieldThread(void) {
  if (!_setjmp(sim.threads[sim.current].place))
    _longjmp(sim.scheduler, 1);
}

// Runs a thread until it yields.
static void resume(Thread *thread) {
  if (_setjmp(sim.scheduler))
    return;
  if (thread->started)
    _longjmp(thread->place, 1);
  thread->started = 1;
  setcontext(&thread->context);
}

// Waits until threads [first, first + n) have arrived as often as this one.
static void await(const int *arrived, int first, int n) {
  for (int i = first; i < first + n; ++i)
    while (arrived[i] < arrived[sim.current] && !sim.threads[i].done)
      yieldThread();
}

//===-- What the IR calls -------------------------------------------------===//

int32_t sim_tid_x(void) { return sim.current; }
int32_t sim_ntid_x(void) { return sim.numThreads; }
int32_t sim_one(void) { return 1; }
int32_t sim_ctaid_x(void) { return sim.block[0]; }
int32_t sim_ctaid_y(void) { return sim.block[1]; }
int32_t sim_ctaid_z(void) { return sim.block[2]; }
int32_t sim_nctaid_x(void) { return sim.grid[0]; }
int32_t sim_nctaid_y(void) { return sim.grid[1]; }

void sim_red_add_f32(float *sum, float value) { *sum += value; }

void sim_barrier(int32_t id) {
  (void)id;
  ++sim.arrivedBlock[sim.current];
  await(sim.arrivedBlock, 0, sim.numThreads);
}

// Hands the values of a warp's lanes to each other; the slot that they are in.
// The lanes of the mask take part; the others are counted as if they did. Slots
// alternate, so that a lane can be one exchange ahead of another.
static int share(uint32_t members, uint32_t value) {
  int self = sim.current, lane = self % WARP, warp = self - lane;
  int slot = ++sim.arrivedWarp[self] & 1;
  sim.slots[self][slot] = value;
  if (!(members & ((1u << lane) - 1)))
    for (int i = 0; i < WARP; ++i)
      sim.arrivedWarp[warp + i] += ~members >> i & 1;
  await(sim.arrivedWarp, warp, WARP);
  return slot;
}

// The value of lane self ^ lanes in the low bits, and above it whether there is
// one: where clamp excludes the lane, the own value.
uint64_t sim_bfly(int32_t mask, uint32_t value, int32_t lanes, int32_t clamp) {
  int slot = share((uint32_t)mask, value);
  int self = sim.current, lane = self % WARP;
  int segment = clamp >> 8 & 31;
  int last = (lane & segment) | (clamp & 31 & ~segment);
  uint64_t isValid = (lane ^ lanes) <= last;
  return isValid << 32 | sim.slots[isValid ? self ^ lanes : self][slot];
}

// vote.sync.any: whether the value of a lane of the mask is not zero.
int32_t sim_any(int32_t mask, int32_t value) {
  int slot = share((uint32_t)mask, (uint32_t)value);
  int warp = sim.current - sim.current % WARP;
  uint32_t any = 0;
  for (int i = 0; i < WARP; ++i)
    if ((uint32_t)mask >> i & 1)
      any |= sim.slots[warp + i][slot];
  return any != 0;
}

//===-- Launching ---------------------------------------------------------===//

static void runThread(void) {
  sim.body();
  sim.threads[sim.current].done = 1;
  yieldThread();
}

static void runBlock(void) {
  ++sim.blocks;
  for (int i = 0; i < sim.numThreads; ++i) {
    Thread *thread = &sim.threads[i];
    if (!thread->stack)
      thread->stack = malloc(STACK);
    getcontext(&thread->context);
    thread->context.uc_stack.ss_sp = thread->stack;
    thread->context.uc_stack.ss_size = STACK;
    thread->started = thread->done = 0;
    sim.arrivedBlock[i] = sim.arrivedWarp[i] = 0;
    makecontext(&thread->context, runThread, 0);
  }
  for (int left = sim.numThreads; left;) {
    left = 0;
    for (int i = 0; i < sim.numThreads; ++i) {
      sim.current = i;
      if (!sim.threads[i].done)
        resume(&sim.threads[i]);
      left += !sim.threads[i].done;
    }
  }
}

static void launch(int gridX, int gridY, int numThreads, void (*body)(void)) {
  sim.numThreads = numThreads;
  sim.body = body;
  sim.grid[0] = gridX;
  sim.grid[1] = gridY;
  for (sim.block[1] = 0; sim.block[1] < gridY; ++sim.block[1])
    for (sim.block[0] = 0; sim.block[0] < gridX; ++sim.block[0])
      runBlock();
}

//===-- Values ------------------------------------------------------------===//

// From -1 to 1.
static double nextValue(void) {
  static uint64_t state = 88172645463325252;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 4503599627370496.0 - 1;
}

static int failures;

// The larger of two errors; one that is NaN stays.
static double worst(double error, double other) {
  return error != error || other <= error ? error : other;
}

// Prints where values differ by more than the tolerance of the largest.
static void compare(const char *name, int m, int n, double error, double most,
                    double tolerance) {
  if (error <= tolerance * most)
    return;
  printf("%s %dx%d: error %g of %g\n", name, m, n, error, most);
  ++failures;
}

#endif
