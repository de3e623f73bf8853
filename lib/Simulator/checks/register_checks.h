// Checks of what compiled code does with registers.
#ifndef CUTE_SIMULATOR_REGISTER_CHECKS_H
#define CUTE_SIMULATOR_REGISTER_CHECKS_H

#include "Simulator/machine/machine.h"

// Called before what uses a register; notes one that is undefined.
void cuteSimRegisterUse(const CuteSimSite *site, int32_t isUndefined);

// Called before a read of a thread's own memory: marks that are 0 are those of
// bytes that nothing was written to.
void cuteSimRegisterLoad(const CuteSimSite *site, const unsigned char *marks,
                         uint64_t bytes);

// Called before a division of integers: one by zero ends the run, as nobody
// knows what the device makes of it, or is noted where the quotient is not
// needed for sure: a choice may leave it out.
void cuteSimRegisterDivide(const CuteSimSite *site, uint64_t divisor,
                           uint32_t isNeeded);

#endif
