// Allocation of tensor memory, and the order of operations on it (PTX ISA,
// "TensorCore 5th Generation Instructions").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"

enum { UNITS = CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT };

// Tells that a warp's operation is of its block, or of a pair, and gives the
// block's memory.
static CuteSimTensorMemory *begin(const CuteSimGroup *group) {
  CuteSimOp op = cuteSimGroupGetOp(group, 0);
  cuteSimTensorBegin(op, op.site->words & CUTE_SIM_PAIR);
  return cuteSimTensorMemoryGet(op.thread->block);
}

//===-- Allocation --------------------------------------------------------===//

// The first of `n` units side by side that are free; -1: there are none.
static int findFree(const CuteSimTensorMemory *memory, int n) {
  for (int first = 0; first + n <= UNITS; first += n) {
    int i = 0;
    while (i < n && !memory->allocated[first + i])
      ++i;
    if (i == n)
      return first;
  }
  return -1;
}

static int unitsOf(CuteSimOp op, uint64_t columns) {
  if (columns >= CUTE_SIM_TENSOR_UNIT && columns <= CUTE_SIM_TENSOR_COLUMNS &&
      !(columns & (columns - 1)))
    return (int)columns / CUTE_SIM_TENSOR_UNIT;
  cuteSimFail(op, "$: columns are 32, 64, 128, 256 or 512, not %ju", columns);
}

void cuteSimTensorAllocate(CuteSimGroup *group) {
  CuteSimTensorMemory *memory = begin(group);
  CuteSimOp op = cuteSimGroupGetOp(group, 0);
  uint64_t slot = group->values[0][0];
  int n = unitsOf(op, group->values[0][1] & UINT32_MAX);
  int first = findFree(memory, n);
  if (memory->relinquishedAt)
    cuteSimFind(
        op, "allocates tensor memory after giving up the right to, on line %u",
        memory->relinquishedAt->line);
  if (first < 0)
    cuteSimFail(op,
                "deadlock: %d columns of tensor memory are not free, and "
                "nobody will free them for the warp that waits",
                n * CUTE_SIM_TENSOR_UNIT);
  for (int i = 0; i < n; ++i)
    memory->allocated[first + i] = i ? UINT8_MAX : (uint8_t)n;
  memory->allocatedAt = group->site;
  uint32_t address = (uint32_t)first * CUTE_SIM_TENSOR_UNIT;
  cuteSimAccessCheck(op, slot, sizeof address, sizeof address, CUTE_SIM_WRITE);
  memcpy((void *)(uintptr_t)slot, &address, sizeof address);
}

static void forget(CuteSimTensorMemory *memory, int lane, int column, int n) {
  memset(&memory->isWritten[lane][column], 0, (size_t)n * sizeof(bool));
  for (int move = 0; move < CUTE_SIM_TENSOR_MOVES; ++move)
    memset(&memory->uses[move][lane][column], 0,
           (size_t)n * sizeof(CuteSimTensorUse));
}

void cuteSimTensorFree(CuteSimGroup *group) {
  CuteSimTensorMemory *memory = begin(group);
  CuteSimOp op = cuteSimGroupGetOp(group, 0);
  uint32_t column = (uint32_t)group->values[0][0] & 0xffff;
  int n = unitsOf(op, group->values[0][1] & UINT32_MAX);
  int first = (int)column / CUTE_SIM_TENSOR_UNIT;
  if (column % CUTE_SIM_TENSOR_UNIT || first >= UNITS ||
      memory->allocated[first] != n) {
    cuteSimFind(op,
                "frees %d columns of tensor memory from column %u on, which "
                "are not an allocation",
                n * CUTE_SIM_TENSOR_UNIT, column);
    return;
  }
  cuteSimTensorCheckFree(op, column, (uint32_t)n * CUTE_SIM_TENSOR_UNIT);
  memset(&memory->allocated[first], 0, (size_t)n);
  for (int lane = 0; lane < CUTE_SIM_TENSOR_LANES; ++lane)
    forget(memory, lane, (int)column, n * CUTE_SIM_TENSOR_UNIT);
}

void cuteSimTensorRelinquish(CuteSimGroup *group) {
  begin(group)->relinquishedAt = group->site;
}

//===-- Order -------------------------------------------------------------===//

// Notes a fence, unless it fences nothing more than the last one. Fences
// between the same two barriers are one: who knows of the first knows of all.
static void addFence(CuteSimTensorMoves *moves, CuteSimTensorUse fence) {
  CuteSimTensorUse *last =
      &moves->fences[(moves->numFences - 1) % CUTE_SIM_TENSOR_FENCES];
  if (moves->numFences && last->number == fence.number)
    return;
  if (!moves->numFences || last->when != fence.when)
    last = &moves->fences[moves->numFences++ % CUTE_SIM_TENSOR_FENCES];
  *last = fence;
}

// Warps move data as a whole, and wait for all of it: one lane may fence for
// all that were waited for.
void cuteSimTensorFenceBefore(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimTensorMoves *moves = cuteSimTensorThreadGet(op.thread)->moves;
  for (int i = 0; i < CUTE_SIM_TENSOR_MOVES; ++i)
    addFence(&moves[i],
             (CuteSimTensorUse){.when = cuteSimShadowGetWord(op.thread),
                                .number = moves[i].waited});
}

void cuteSimTensorFenceAfter(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimTensorThread *t = cuteSimTensorThreadGet(op.thread);
  t->products = (uint32_t)cuteSimTensorPipeGet(op.thread->block)->numDone;
  cuteSimClockJoin(op.thread->cluster, &t->seen, op.thread->clock);
}

void cuteSimTensorWait(CuteSimGroup *group) {
  CUTE_SIM_FOR_LANES(lane, group->arrived) {
    CuteSimThread *thread = &group->warp->threads[lane];
    CuteSimTensorMoves *moves =
        &cuteSimTensorThreadGet(thread)->moves[group->site->variant];
    moves->waited = moves->started;
  }
  cuteSimWarpSync(group);
}

// The barrier, and the blocks at whose barriers it arrives, if not at its own.
void cuteSimTensorCommit(CuteSimOp op, uint64_t *values) {
  int n = cuteSimTensorBegin(op, op.site->words & CUTE_SIM_PAIR);
  bool isMulticast = op.site->numOperands > 1;
  cuteSimMbarrierCheckAt(op, values[0]);
  cuteSimShadowCheckInit(op, values[0]);
  CuteSimTensorProduct end = {.op = op,
                              .epoch = op.thread->epoch,
                              .numBlocks = n,
                              .barrier = values[0],
                              .blocks = isMulticast ? (uint16_t)values[1] : 0};
  int all = (1 << op.thread->cluster->numBlocks) - 1;
  if (isMulticast && (!end.blocks || end.blocks & ~all))
    cuteSimFail(op,
                "$: the mask 0x%x names no blocks, or some that a cluster of "
                "%d does not have",
                end.blocks, op.thread->cluster->numBlocks);
  cuteSimTensorPipeStart(&end);
}
