// Vector clocks: what of other threads' doings comes before a thread's (the
// happens-before order of the PTX memory model, "Causality Order"). A thread
// counts its epochs; one ends when others may see what it did in it.
#pragma once

#include "Simulator/machine/machine.h"

enum { CUTE_SIM_CLOCK_BARRIERS = 64 };

// The last epoch of each thread of the cluster that is known, after them the
// groups of products of each warpgroup that have been waited for, the phases of
// so many mbarriers that have completed, which copies arrive in, and the epochs
// of each part. Clocks are shared and counted; one that several have does not
// change. Each state of each clock of a cluster has a number of its own.
struct CuteSimClock {
  int uses;
  uint64_t number, contains; // and a number that it knows all of
  double time;               // of the clock of a trace
  uint32_t epochs[];
};

// The clock of a barrier or synchronization variable; null: nothing is known.
typedef struct CuteSimClock CuteSimClock;

void cuteSimClockDrop(CuteSimClock *clock); // null is possible

// The thread's epoch ends, and who acquires the clock knows of it.
void cuteSimClockRelease(CuteSimThread *thread, CuteSimClock **into);

// Who acquires the clock knows of an epoch of the thread alone.
void cuteSimClockAdd(const CuteSimThread *thread, CuteSimClock **into,
                     uint32_t epoch);

// The thread knows what the clock knows.
void cuteSimClockAcquire(CuteSimThread *thread, CuteSimClock *from);

// The thread's time is not before that of a clock; of a trace.
void cuteSimClockMeet(CuteSimThread *thread, const CuteSimClock *clock);

// The thread's proxy fence follows all that it knows of and has done.
void cuteSimClockFence(CuteSimThread *thread);

// Epochs in parts of their own: epochs whose writes a proxy fence has
// followed, whose initializations of mbarriers are known, alone, and whose
// loads have completed. Barriers and fences wait for loads in flight; an
// arrival at an mbarrier does not: ptxas moves it ahead of what uses them.
typedef enum CuteSimClockPart {
  CUTE_SIM_FENCED,
  CUTE_SIM_INITS,
  CUTE_SIM_LOADS,
} CuteSimClockPart;

// The thread's epoch ends for a part, as who acquires the clock knows.
void cuteSimClockPass(CuteSimThread *thread, CuteSimClock **clock,
                      CuteSimClockPart part);

// Tells whether the thread knows that of an epoch of any thread.
bool cuteSimClockHas(const CuteSimThread *thread, CuteSimClockPart part,
                     uint32_t other, uint32_t epoch);

// The clock entry of the products of the thread's warpgroup, after the threads'
// entries; its epochs number their groups from 1.
uint32_t cuteSimClockGetProducts(const CuteSimThread *thread);

// Tells whether a number is one of products, or of the copies that arrive at an
// mbarrier, which the last one gives.
bool cuteSimClockIsOfProducts(const CuteSimThread *thread, uint32_t number);
bool cuteSimClockIsOfCopies(const CuteSimThread *thread, uint32_t number);
uint32_t cuteSimClockGetCopies(const CuteSimCluster *cluster, uint32_t barrier);

// Who acquires the clock knows of the copies of an mbarrier up to a phase.
void cuteSimClockTell(CuteSimCluster *cluster, CuteSimClock **into,
                      uint32_t copies, uint32_t phase);

// The thread has waited for groups of its warpgroup's products.
void cuteSimClockWaitProducts(CuteSimThread *thread, uint32_t groups);

// Adds the initializations of mbarriers that the thread's fences follow.
void cuteSimClockAddInits(const CuteSimThread *thread, CuteSimClock **into);

// Adds what another clock knows.
void cuteSimClockJoin(CuteSimCluster *cluster, CuteSimClock **into,
                      CuteSimClock *from);

// Tells whether the end of an epoch of another thread of the cluster, by its
// number, comes before what the thread does now; or the end of products.
static inline bool cuteSimClockKnows(const CuteSimThread *thread,
                                     uint32_t other, uint32_t epoch) {
  return other == thread->number ||
         (thread->clock && thread->clock->epochs[other] >= epoch);
}
