// An observer of what a run does, for reports: the lanes of a warp go from one
// basic block to the next together where they can, as on the device, so that an
// access of theirs is one request.
#pragma once

#include "Simulator/machine/machine.h"
#include "Simulator/observe/statistics.h"

// The work of a basic block on one line of the source.
typedef struct CuteSimWork {
  uint32_t place;        // its number among the program's
  uint32_t instructions; // of LLVM IR that do more than name values
  uint32_t steps;        // of the clock
  uint64_t operations;   // on floats, of a lane
} CuteSimWork;

// A basic block of a program.
struct CuteSimStep {
  uint32_t order; // in the program
  uint32_t numWork;
  const CuteSimWork *work;
};

// Null where nothing is observed.
void cuteSimObserverCreate(CuteSimCluster *cluster);

// Adds what the observer has counted to the launch's statistics; the caller has
// the lock of the run.
void cuteSimObserverDestroy(CuteSimCluster *cluster);

// The blocks of a cluster have ended: no request waits for more lanes.
void cuteSimObserverFlush(CuteSimCluster *cluster);

// Called by compiled code: a thread comes to a basic block. It continues once
// the lanes of its warp that can come there have come.
void cuteSimObserveStep(const CuteSimStep *step);

// A thread waits, or ends: lanes of its warp at a basic block may continue
// without it. Does nothing if nothing is observed.
void cuteSimObserveRest(CuteSimThread *thread);

// A thread reads or writes memory by a load or store, or starts to.
void cuteSimObserveAccess(CuteSimOp op, uint64_t address, size_t bytes,
                          CuteSimAccess access);

// A thread starts a copy that the hardware makes without requests.
void cuteSimObserveCopied(CuteSimOp op, CuteSimTraffic traffic, size_t bytes);

//===-- Timelines ---------------------------------------------------------===//

// A thread starts a copy of bytes: gives the time at which it arrives, 0
// without a clock.
double cuteSimObserveCopyStart(CuteSimOp op, uint64_t bytes);

// A thread resumes after a wait.
static inline void cuteSimObserveArrival(CuteSimThread *thread, double time) {
  if (thread->time < time)
    thread->time = time;
}

// A thread of a warpgroup starts a product: its `arrival` is the time of its
// end. `operations` are its multiplications and additions.
void cuteSimObserveProduct(CuteSimOp op, double operations);

// The phase of an mbarrier is complete.
void cuteSimObservePhase(const CuteSimThread *thread, uint64_t address,
                         double time);
