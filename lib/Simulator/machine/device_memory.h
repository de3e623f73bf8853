// Memory of the device that is simulated: what was allocated of it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An address that the host and kernels share; 0 if memory is exhausted. While
// kernels run nothing may be allocated.
uint64_t cuteSimMemoryAllocate(size_t bytes);
// False where nothing begins at the address.
bool cuteSimMemoryRelease(uint64_t address);

// Lets kernels access memory of the host as well, or read it only, until it is
// registered again or allocated. What overlaps or adjoins memory that was
// registered before becomes one with it.
void cuteSimMemoryRegister(uint64_t address, size_t bytes, bool isReadOnly);

// Tells whether some of the bytes may be read only.
bool cuteSimMemoryIsReadOnly(uint64_t address, size_t bytes);

// Tells whether the bytes are of one allocation.
bool cuteSimMemoryHas(uint64_t address, size_t bytes);

// The allocation that begins last at or before an address; false if none does.
bool cuteSimMemoryFind(uint64_t address, uint64_t *start, size_t *bytes);
