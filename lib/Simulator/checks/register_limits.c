// Registers that warps give to each other (PTX ISA, "setmaxnreg").
#include "Simulator/checks/findings.h"
#include "Simulator/checks/run_checks.h"
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
                "$: %ju registers; a multiple of 8 from 24 to 256 is possible",
                count);
  int *held = &block->maxRegisters[op.thread->registers[CUTE_SIM_WARPID]];
  bool gives = strstr(cuteSimSiteGetName(op.site), ".dec");
  if (*held && gives == (count > (uint64_t)*held) && count != (uint64_t)*held)
    cuteSimFind(op,
                "$: the warp holds %d registers a thread; .dec is to fewer and "
                ".inc to more",
                *held);
  *held = (int)count;
  block->maxRegistersAt = op.site;
  if (countRegisters(block) > ALL)
    cuteSimFind(op,
                "$: the warps of the block hold %jd registers then, and a "
                "multiprocessor has %d: the warp waits for ever; let the "
                "others keep less",
                countRegisters(block), ALL);
}

void cuteSimRegistersEnd(CuteSimThread *thread) {
  const CuteSimBlock *block = thread->block;
  CuteSimOp op = {thread, block->maxRegistersAt};
  for (int w = 0; op.site && w * CUTE_SIM_WARP < block->numThreads; ++w)
    if (block->maxRegisters[w] != block->maxRegisters[w / 4 * 4])
      cuteSimFind(op,
                  "$: warps of one warpgroup hold %d and %d registers a "
                  "thread; let all four come to it",
                  block->maxRegisters[w / 4 * 4], block->maxRegisters[w]);
}

void cuteSimSetMaxRegisters(CuteSimOp op, uint64_t *values) {
  if (op.thread->cluster->checks)
    cuteSimTogetherAll(op, values, setForWarp);
}
