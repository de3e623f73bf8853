#include "Hardware/occupancy.h"

enum { PARTS = 4, REGISTER_UNIT = 256, SHARED_UNIT = 128, WARP_SIZE = 32 };

static int roundUp(int value, int unit) {
  return (value + unit - 1) / unit * unit;
}

static void limitTo(CuteOccupancy *occupancy, int blocks, const char *limit) {
  if (blocks < occupancy->blocks)
    *occupancy = (CuteOccupancy){blocks, 0, limit};
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute
// Capability": registers are allocated by 256 for a warp, in each of four parts
// of a multiprocessor.
CuteOccupancy cuteArchGetOccupancy(const CuteArch *arch, int threads,
                                   int registers, int sharedBytes) {
  int warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
  int perWarp = roundUp((registers ? registers : 1) * WARP_SIZE, REGISTER_UNIT);
  int shared = roundUp(sharedBytes + arch->reservedKib * 1024, SHARED_UNIT);
  CuteOccupancy occupancy = {arch->blocks, 0, "blocks"};
  limitTo(&occupancy, arch->warps / warps, "warps");
  limitTo(&occupancy, arch->registers / PARTS / perWarp * PARTS / warps,
          "registers");
  if (shared)
    limitTo(&occupancy, arch->totalSharedKib * 1024 / shared, "shared memory");
  occupancy.warps = occupancy.blocks * warps;
  return occupancy;
}
