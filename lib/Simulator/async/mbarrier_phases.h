// Phases of mbarriers by their numbers: a wait names one by its parity alone,
// and takes an older one for it where nothing keeps the thread from coming
// early (PTX ISA, "mbarrier.test_wait").
#pragma once

#include "Simulator/machine/machine.h"

// Without checks nothing is kept, and the functions below do nothing.
void cuteSimPhasesCreate(CuteSimCluster *cluster);
void cuteSimPhasesReset(CuteSimCluster *cluster);
void cuteSimPhasesDestroy(CuteSimCluster *cluster);

// Finds a barrier that is made where one is that threads have arrived at.
void cuteSimPhasesCheckInit(CuteSimOp op, uint64_t address);

// The word (shadow.h) of copies that arrive in the phase of a barrier: who
// waits for another knows nothing of them. With too many barriers it is that of
// the thread in the epoch.
uint32_t cuteSimPhasesGetCopies(const CuteSimThread *thread, uint64_t address,
                                uint32_t epoch);

// A barrier is made at an address, or its phase completes.
void cuteSimPhasesBegin(CuteSimCluster *cluster, uint64_t address);
void cuteSimPhasesComplete(CuteSimCluster *cluster, uint64_t address);

// A thread arrives at one.
void cuteSimPhasesArrived(CuteSimOp op, uint64_t address);

// Finds barriers that a cluster leaves within a phase: some of those who were
// to arrive have not, or bytes have not come.
void cuteSimPhasesEnd(CuteSimCluster *cluster);

// A thread's wait ends with the latest complete phase, before it knows of
// anything that it waited for. A wait by parity must come after the phase
// before that one: else it could have ended two phases earlier.
void cuteSimPhasesWaited(CuteSimOp op, uint64_t address, bool isParity);

// Appends how many phases are complete, and the latest that a thread has seen.
void cuteSimPhasesAppend(CuteString *text, const CuteSimThread *thread,
                         uint64_t address);
