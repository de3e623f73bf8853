// Checks of what threads read and write.
#ifndef CUTE_SIMULATOR_ACCESS_H
#define CUTE_SIMULATOR_ACCESS_H

#include "Simulator/cp_async.h"
#include "Simulator/machine.h"

// Checks what a thread reads or writes by a load or store of compiled code.
void cuteSimAccess(const CuteSimSite *site, uint64_t address);

// The same of other operations.
void cuteSimAccessCheck(CuteSimThread *thread, const CuteSimSite *site,
                        uint64_t address, size_t bytes, size_t align,
                        CuteSimAccess access);

// Checks where a copy reads and writes when it starts and when it arrives.
void cuteSimAccessStart(CuteSimThread *thread, const CuteSimCopy *copy);
void cuteSimAccessArrive(CuteSimThread *thread, const CuteSimCopy *copy);

#endif
