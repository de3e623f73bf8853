// Vector clocks: what of other threads' doings comes before a thread's (the
// happens-before order of the PTX memory model, "Causality Order"). A thread
// counts its epochs; one ends when others may see what it did in it.
#pragma once

#include "Simulator/machine/machine.h"

enum { CUTE_SIM_CLOCK_BARRIERS = 64 };

// The last epoch of each thread of the cluster that is known, after them the
// groups of products of each warpgroup that have been waited for, the phases of
// so many mbarriers that have completed, which copies arrive in, the epochs
// whose writes a proxy fence has followed, those whose initializations of
// mbarriers alone are known, and those whose loads have completed. Clocks are
// shared and counted; one that several have does not change.
struct CuteSimClock {
  int uses;
  double time; // of the clock of a trace
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

// Tells whether a proxy fence lies between an epoch of any thread and what the
// thread does now.
bool cuteSimClockHasFenced(const CuteSimThread *thread, uint32_t other,
                           uint32_t epoch);

// Completes the thread's loads until now, as who acquires the clock knows.
// Barriers and fences wait for loads in flight; an arrival at an mbarrier does
// not: ptxas moves it ahead of what uses them.
void cuteSimClockComplete(CuteSimThread *thread, CuteSimClock **clock);

// Tells whether the loads of an epoch of any thread had completed when it
// released what the thread knows.
bool cuteSimClockHasCompleted(const CuteSimThread *thread, uint32_t other,
                              uint32_t epoch);

// The clock entry of the products of the thread's warpgroup, after the threads'
// entries; its epochs number their groups from 1.
uint32_t cuteSimClockGetProducts(const CuteSimThread *thread);

// Tells whether a number is one of products, or of the copies that arrive at an
// mbarrier, which the last one gives.
bool cuteSimClockIsOfProducts(const CuteSimThread *thread, uint32_t number);
bool cuteSimClockIsOfCopies(const CuteSimThread *thread, uint32_t number);
uint32_t cuteSimClockGetCopies(const CuteSimCluster *cluster, uint32_t barrier);

// Who acquires the clock knows of the copies of an mbarrier up to a phase.
void cuteSimClockTell(const CuteSimCluster *cluster, CuteSimClock **into,
                      uint32_t copies, uint32_t phase);

// The thread has waited for groups of its warpgroup's products.
void cuteSimClockWaitProducts(CuteSimThread *thread, uint32_t groups);

// The thread's fence follows its initializations of mbarriers: who acquires a
// clock to which they are added knows of these alone.
void cuteSimClockFenceInits(CuteSimThread *thread);
void cuteSimClockAddInits(const CuteSimThread *thread, CuteSimClock **into);

// Tells whether an mbarrier that a thread initialized in an epoch is known.
bool cuteSimClockKnowsInit(const CuteSimThread *thread, uint32_t other,
                           uint32_t epoch);

// Adds what another clock knows.
void cuteSimClockJoin(const CuteSimCluster *cluster, CuteSimClock **into,
                      CuteSimClock *from);

// Tells whether the end of an epoch of another thread of the cluster, by its
// number, comes before what the thread does now; or the end of products.
static inline bool cuteSimClockKnows(const CuteSimThread *thread,
                                     uint32_t other, uint32_t epoch) {
  return other == thread->number ||
         (thread->clock && thread->clock->epochs[other] >= epoch);
}
