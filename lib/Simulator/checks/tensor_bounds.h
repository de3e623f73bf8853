// Checks that accesses stay in the tensors that their line of the source names.
#ifndef CUTE_SIMULATOR_TENSOR_BOUNDS_H
#define CUTE_SIMULATOR_TENSOR_BOUNDS_H

#include "Simulator/machine/machine.h"

// Checks an access at an address in global memory, or an offset in a block's
// shared memory, that lies in some allocation. One that begins beyond all
// tensors of the site, or ends there, is a mistake; so is a write between the
// elements of the only one. A read there is noted: what it gives is nobody's.
void cuteSimTensorBoundsCheck(const CuteSimThread *thread,
                              const CuteSimSite *site, bool isShared,
                              uint64_t at, size_t bytes, CuteSimAccess access);

#endif
