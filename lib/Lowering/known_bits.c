// Finds out the bits of integers that other dialects compute.
#include "Hardware/arch.h"
#include "Lowering/lowering.h"

uint64_t cuteBitsBelow(int64_t limit) {
  uint64_t mask = 1;
  while (limit > 1 && mask < (uint64_t)limit)
    mask *= 2;
  return mask - 1;
}

// The block size along a dimension of the kernel, 1024 if it does not say.
static int64_t blockSize(const CuteLowering *l, int dimension) {
  int64_t n[3];
  return cuteMlirGetSizes(l->function, "known_block_size", n)
             ? n[dimension]
             : CUTE_BLOCK_THREADS;
}

uint64_t cuteLoweringGetKnownBits(const CuteLowering *lowering,
                                  MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return CUTE_BITS_UNKNOWN;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (CUTE_IS_ANY(op, "arith.index_cast", "arith.index_castui", "arith.trunci"))
    return cuteLoweringGetKnownBits(lowering, getOperand(op, 0));
  static const char *const registers[] = {"nvvm.read.ptx.sreg.tid.x",
                                          "nvvm.read.ptx.sreg.tid.y",
                                          "nvvm.read.ptx.sreg.tid.z"};
  for (int d = 0; d < 3; ++d)
    if (cuteMlirIs(op, registers[d]))
      return cuteBitsBelow(blockSize(lowering, d));
  return cuteMlirIs(op, "gpu.thread_id")
             ? cuteBitsBelow(blockSize(lowering, cuteMlirGetDimension(op)))
             : CUTE_BITS_UNKNOWN;
}
