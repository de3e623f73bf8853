// Checks of what threads read and write.
#pragma once

#include "Simulator/machine/machine.h"

// Checks what a thread reads or writes by a load or store of compiled code.
void cuteSimAccess(const CuteSimSite *site, uint64_t address);

// The same of `bytes` bytes, which may be many or none.
void cuteSimAccessRange(const CuteSimSite *site, uint64_t address,
                        uint64_t bytes);

// Follows an access that is atomic, once it is done.
void cuteSimAccessEndAtomic(uint64_t address);

// Checks an access to a variable in local memory, or one of the module, of
// `size` bytes at `base`.
void cuteSimAccessLocal(const CuteSimSite *site, uint64_t address,
                        uint64_t base, uint64_t size);

// The same of other operations.
void cuteSimAccessCheck(CuteSimOp op, uint64_t address, size_t bytes,
                        size_t align, CuteSimAccess access);

// The same of a variable of as many bytes, such as an mbarrier, which is in no
// tensor that the line is about.
void cuteSimAccessCheckVariable(CuteSimOp op, uint64_t address, size_t bytes,
                                CuteSimAccess access);

// Checks a copy to shared memory when it starts, or one from there, which may
// read until its end: what the asynchronous proxy reads must be fenced, too.
void cuteSimAccessStart(CuteSimOp op, uint64_t address, size_t bytes,
                        size_t align, CuteSimAccess access);
