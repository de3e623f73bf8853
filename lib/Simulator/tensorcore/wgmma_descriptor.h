// Matrix descriptors of wgmma (PTX ISA, "Matrix descriptor format").
#ifndef CUTE_SIMULATOR_WGMMA_DESCRIPTOR_H
#define CUTE_SIMULATOR_WGMMA_DESCRIPTOR_H

#include "cute/Atom.h"

enum { CUTE_SIM_UNIT = 16 }; // bytes that stay together under any swizzle

typedef struct CuteSimDescriptor {
  uint32_t start, leading, stride; // bytes
  unsigned swizzleBits;            // 0 to 3: none, 32, 64 and 128 bytes
  unsigned base;                   // offset of the pattern's first row
} CuteSimDescriptor;

CuteSimDescriptor cuteSimDescriptorDecode(uint64_t bits);

// The offset in shared memory of unit `unit` of row `row`: K-major, a row is an
// index of M or N, and units follow along K; MN-major, a row is an index of K,
// and units follow along M or N (PTX ISA, "Strides" and "Canonical layouts").
uint32_t cuteSimDescriptorGetOffset(const CuteSimDescriptor *descriptor,
                                    CuteMajor major, uint32_t row,
                                    uint32_t unit);

#endif
