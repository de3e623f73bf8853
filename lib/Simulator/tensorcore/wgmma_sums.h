// Sums of products of warpgroups that are still computed.
#ifndef CUTE_SIMULATOR_WGMMA_SUMS_H
#define CUTE_SIMULATOR_WGMMA_SUMS_H

#include "Simulator/machine/machine.h"

// Called by compiled code: a thread has started a product, and uses what may be
// its sums. Before a wait for the product's group they are not there (PTX ISA,
// "wgmma.wait_group").
void cuteSimWgmmaStart(const CuteSimSite *product);
void cuteSimWgmmaUse(const CuteSimSite *use, const CuteSimSite *product);

#endif
