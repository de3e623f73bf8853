// Addresses of shared memory: windows of the host's below 4 GiB, so that 32
// bits hold them, as PTX has it. Each begins at a multiple of its size, so that
// the low bits of an address are the offset, as descriptors have it.
#pragma once

#include "Simulator/machine/machine.h"

CuteStatus cuteSimWindowsMap(int64_t count, char **windows);
void cuteSimWindowsUnmap(char *windows, int64_t count);
