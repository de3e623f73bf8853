// Shared memory that tensor cores read for what runs in a block's pipe.
#pragma once

#include "Simulator/tensorcore/block_tmem.h"
#include "Simulator/tensorcore/wgmma_descriptor.h"

typedef struct CuteSimTensorSource {
  const CuteSimTensorProduct *product;
  const CuteSimBlock *block; // whose shared memory it is
} CuteSimTensorSource;

// Read a unit, as CuteSimReadUnit says, from a source. The first does so for a
// product that runs; the other checks one that its thread starts: operands are
// complete, and seen by the asynchronous proxy, when it starts, and stay as
// they are until it has run.
void cuteSimTensorUnitRead(void *source, uint32_t offset, void *bytes);
void cuteSimTensorUnitCheck(void *source, uint32_t offset, void *bytes);

// Gives 16 elements of 8, 6 or 4 bits, which lie side by side at the begin of a
// unit, a byte each.
void cuteSimUnpackUnit(uint8_t unit[CUTE_SIM_UNIT], unsigned bits);
