// Mbarriers as copies see them that complete on one.
#ifndef CUTE_SIMULATOR_MBARRIER_OPERATIONS_H
#define CUTE_SIMULATOR_MBARRIER_OPERATIONS_H

#include "Simulator/machine.h"

// Bytes that a thread's copy waited for have arrived. Fails where there is no
// barrier, at the site that started the copy.
void cuteSimMbarrierCompleteAt(CuteSimThread *thread, const CuteSimSite *site,
                               uint64_t address, uint64_t bytes);

#endif
