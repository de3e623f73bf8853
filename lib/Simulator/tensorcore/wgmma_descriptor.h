// Matrix descriptors of wgmma (PTX ISA, "Matrix descriptor format").
#pragma once

#include "Simulator/tensorcore/matrix_product.h"

enum { CUTE_SIM_UNIT = 16 }; // bytes that stay together under any swizzle

typedef struct CuteSimDescriptor {
  uint32_t start, leading, stride; // bytes
  bool isLeadingAddress; // `leading` is where rows of the pattern go on
  unsigned swizzleBits;  // 0 to 3: none, 32, 64 and 128 bytes
  bool isWide;           // 128 bytes in pieces of 32, 4 rows
  unsigned base;         // offset of the pattern's first row
} CuteSimDescriptor;

CuteSimDescriptor cuteSimDescriptorDecode(uint64_t bits);

// The same of tcgen05 (PTX ISA, "Shared memory descriptor"), for a product of
// K = 96 or another reader. Null, or what is wrong with it.
const char *cuteSimDescriptorDecodeTensor(uint64_t bits, bool isOf96,
                                          CuteSimDescriptor *d);

// Reads 16 bytes of shared memory, at an offset below 256 KiB in the block's.
typedef void CuteSimReadUnit(void *data, uint32_t offset, void *bytes);

// The offset in shared memory of unit `unit` of row `row`: K-major, a row is an
// index of M or N, and units follow along K; MN-major, a row is an index of K,
// and units follow along M or N (PTX ISA, "Strides" and "Canonical layouts").
uint32_t cuteSimDescriptorGetOffset(const CuteSimDescriptor *descriptor,
                                    CuteMajor major, uint32_t row,
                                    uint32_t unit);

// An operand in shared memory, `mn` x `k`. Element (i, j) of it goes to
// tile[i * step + j * next].
typedef struct CuteSimDescribed {
  CuteSimDescriptor descriptor;
  CuteMajor major;
  const CuteSimElement *element;
  uint32_t perUnit; // elements of 16 bytes; 0: as many as fill them
  uint32_t mn, k;
  int step, next;
} CuteSimDescribed;

// Reads all 16-byte units of an operand and decodes them; a null tile is not
// filled.
void cuteSimDescribedFetch(const CuteSimDescribed *operand,
                           CuteSimReadUnit *read, void *data, double *tile);
