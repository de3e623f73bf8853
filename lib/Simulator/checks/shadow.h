// Facts about each byte of memory: who wrote and read it last, and whether it
// has a value.
#pragma once

#include "Simulator/checks/vector_clock.h"

void cuteSimShadowCreate(CuteSimCluster *cluster);
void cuteSimShadowDestroy(CuteSimCluster *cluster);

// Forgets all of shared memory, before the cluster's next blocks.
void cuteSimShadowReset(CuteSimCluster *cluster);

// Looks at what the last write did, when all threads have ended.
void cuteSimShadowEnd(CuteSimCluster *cluster);

// Finds copies that have not arrived in the memory of a block that ends.
void cuteSimShadowBlockEnds(const CuteSimBlock *block);

// Checks an access to shared memory against those before it: values that
// nobody wrote, and accesses of other threads that no barrier orders.
void cuteSimShadowAccess(CuteSimOp op, uint64_t address, size_t bytes,
                         CuteSimAccess access);

// Checks an operation on an mbarrier, which must know of its initialization.
// Whoever makes another one there must know of the last.
void cuteSimShadowTest(CuteSimOp op, uint64_t address);

// A copy from shared memory has started: until it has read them, as if the
// thread had in an epoch, nobody may write the bytes.
void cuteSimShadowStartRead(CuteSimOp op, uint64_t address, size_t bytes);
void cuteSimShadowEndRead(CuteSimOp op, uint64_t address, size_t bytes,
                          uint32_t epoch);

// Checks a read by the asynchronous proxy, of a bulk copy or a product of a
// warpgroup: what threads stored before is seen where a proxy fence lies
// between (PTX ISA, "Proxies"). What has not been ordered otherwise is not said
// again, and what cp.async brought is not looked at.
void cuteSimShadowCheckFence(CuteSimOp op, uint64_t address, size_t bytes);

// Checks that the asynchronous proxy sees an mbarrier at which a copy arrives.
void cuteSimShadowCheckInit(CuteSimOp op, uint64_t address);

// A copy to shared memory has started, for the thread: until it arrives nobody
// may touch the bytes.
void cuteSimShadowStart(CuteSimOp op, uint64_t address, size_t bytes);

// It has arrived as if it had been written then, by the word.
void cuteSimShadowArrive(CuteSimOp op, uint64_t address, size_t bytes,
                         uint32_t word);

// A thread's number in its cluster and its epoch in one word, and of a word the
// thread, and whether what was done then comes before what a thread does now.
uint32_t cuteSimShadowGetWord(const CuteSimThread *thread);
uint32_t cuteSimShadowMakeWord(uint32_t thread, uint32_t epoch);
uint32_t cuteSimShadowThreadOf(uint32_t word);
bool cuteSimShadowIsKnown(const CuteSimThread *thread, uint32_t word);

// Tells whether a thread knows that of a part of the clock.
bool cuteSimShadowHas(const CuteSimThread *thread, CuteSimClockPart part,
                      uint32_t word);

// Tells whether a clock knows what was done then; null knows nothing.
bool cuteSimShadowIsIn(const CuteSimClock *clock, uint32_t word);

// The place of the last write to a byte, or null, and its thread, or null.
const CuteSimSite *cuteSimShadowGetWriter(CuteSimOp op, uint64_t address,
                                          const CuteSimThread **thread);

// Tells whether a thread may be reading bytes still: nothing orders that before
// the operation.
bool cuteSimShadowIsRead(CuteSimOp op, uint64_t address, size_t bytes);

//===-- Variables for synchronization -------------------------------------===//

void cuteSimShadowForgetVariables(CuteSimCluster *cluster);

// A thread arrives at an mbarrier, or changes a variable atomically.
void cuteSimShadowRelease(CuteSimThread *thread, uint64_t address);

// A copy completes bytes on an mbarrier: who waits for it knows of an epoch of
// the thread that started it.
void cuteSimShadowPublish(CuteSimThread *thread, uint64_t address,
                          uint32_t epoch);

// The same of what the thread knew when it started; the clock may be null.
void cuteSimShadowPublishKnown(CuteSimCluster *cluster, uint64_t address,
                               CuteSimClock *known);

// Who waits for an mbarrier knows of the copies of a phase.
void cuteSimShadowTell(CuteSimCluster *cluster, uint64_t address,
                       uint32_t copies, uint32_t phase);

// The phase of an mbarrier is complete: who waits for it knows what was
// released before, which the clock of the last phase has; null: nothing.
void cuteSimShadowComplete(CuteSimCluster *cluster, uint64_t address);
CuteSimClock *cuteSimShadowGetClock(CuteSimCluster *cluster, uint64_t address);

// A thread waits for it. Of a relaxed wait a fence after it acquires.
void cuteSimShadowAcquire(CuteSimThread *thread, uint64_t address,
                          bool isRelaxed);
