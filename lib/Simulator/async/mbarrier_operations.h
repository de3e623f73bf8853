// Mbarriers as copies see them that complete on one.
#pragma once

#include "Simulator/machine/machine.h"

// Fails if a copy that a thread starts has no barrier at the address.
void cuteSimMbarrierCheckAt(CuteSimOp op, uint64_t address);

// Bytes of a copy have arrived that a thread started at the site. Notes what is
// wrong and ends the run; it is not called by the thread.
void cuteSimMbarrierCompleteAt(CuteSimOp op, uint64_t address, uint64_t bytes);

// Products that a thread started are complete: the same for one arrival.
void cuteSimMbarrierArriveAt(CuteSimOp op, uint64_t address);

// Appends the phase and the counts of the barrier that a thread tries to wait
// for; nothing of a thread that does something else.
void cuteSimMbarrierAppendState(CuteString *text, const CuteSimThread *thread);
