// Checks of products of warpgroups.
#pragma once

#include "Simulator/machine/machine.h"
#include "Simulator/tensorcore/wgmma.h"

//===-- Descriptors -------------------------------------------------------===//

// Notes operands whose descriptor puts two elements at one place, begins
// in the middle of what a swizzle permutes, or has another swizzle than the
// copy that brought them: what shows in the result.
void cuteSimWgmmaCheck(CuteSimOp op, const CuteSimWgmma *wgmma,
                       const CuteSimWgmmaCall *call);

//===-- Sums --------------------------------------------------------------===//

// Called by compiled code: a thread has started a product, and uses what may be
// its sums. Before a wait for the product's group they are not there (PTX ISA,
// "wgmma.wait_group").
void cuteSimWgmmaStart(const CuteSimSite *product);
void cuteSimWgmmaUse(const CuteSimSite *use, const CuteSimSite *product);
