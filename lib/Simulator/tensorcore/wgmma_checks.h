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

// The last of these, also for tcgen05.
void cuteSimWgmmaCheckSwizzle(CuteSimOp op, const CuteSimDescriptor *d,
                              bool isB);

//===-- Registers ---------------------------------------------------------===//

// An access to registers of a product by a thread that has not yet waited for
// the product's group (PTX ISA, "wgmma.wait_group"). ptxas does not repair the
// last: in a loop it gives registers of A to the A of the next round.
typedef enum CuteSimEarly {
  CUTE_SIM_READS_SUMS,
  CUTE_SIM_WRITES_SUMS,
  CUTE_SIM_WRITES_A,
} CuteSimEarly;

// Finds that: the values are a CuteSimEarly and the product.
CuteSimFunction cuteSimWgmmaEarly;

// Called by compiled code: a thread has started a product, and uses what may be
// its sums.
void cuteSimWgmmaStart(const CuteSimSite *product);
void cuteSimWgmmaUse(const CuteSimSite *use, const CuteSimSite *product);
