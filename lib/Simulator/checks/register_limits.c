// Registers that warps give to each other (PTX ISA, "setmaxnreg").
#include "Simulator/checks/findings.h"
#include "Simulator/ptx/operation_table.h"

enum { LEAST = 24, MOST = 256, UNIT = 8, ALL = 1 << 16 };

// Registers that the warps of a block hold which have said how many.
static int64_t countRegisters(const CuteSimBlock *block) {
  int64_t count = 0;
  for (int i = 0; i * CUTE_SIM_WARP < block->numThreads; ++i)
    count += (int64_t)block->maxRegisters[i] * CUTE_SIM_WARP;
  return count;
}

static void setForWarp(CuteSimGroup *group) {
  CuteSimOp op = cuteSimGroupGetOp(group, 0);
  CuteSimBlock *block = op.thread->block;
  uint64_t count = group->values[0][0];
  if (count < LEAST || count > MOST || count % UNIT)
    cuteSimFind(op,
                "$: %llu registers; a multiple of 8 from 24 to 256 is "
                "possible",
                (unsigned long long)count);
  block->maxRegisters[op.thread->registers[CUTE_SIM_WARPID]] = (int)count;
  if (countRegisters(block) > ALL)
    cuteSimFind(op,
                "$: the warps of the block hold %lld registers then, and a "
                "multiprocessor has %d: the warp waits for ever; let the "
                "others keep less",
                (long long)countRegisters(block), ALL);
}

void cuteSimSetMaxRegisters(CuteSimOp op, uint64_t *values) {
  if (op.thread->cluster->checks)
    cuteSimTogetherAll(op, values, setForWarp);
}
