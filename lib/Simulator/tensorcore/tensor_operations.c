// Allocation of tensor memory, and the order of operations on it (PTX ISA,
// "TensorCore 5th Generation Instructions").
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/checks/access.h"
#include "Simulator/checks/findings.h"
#include "Simulator/checks/vector_clock.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"

enum { UNITS = CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT };

static CuteSimTensorMemory *memoryOf(const CuteSimWarp *warp) {
  return cuteSimTensorMemoryGet(warp->threads->block);
}

static void begin(CuteSimOp op) {
  cuteSimTensorBegin(op, strstr(op.site->name, ".cg2"));
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
  cuteSimFail(op, "%s: columns are 32, 64, 128, 256 or 512, not %llu",
              cuteSimSiteGetName(op.site), (unsigned long long)columns);
}

static void allocate(CuteSimWarp *warp, CuteSimGroup *group) {
  CuteSimTensorMemory *memory = memoryOf(warp);
  CuteSimThread *thread = warp->threads;
  uint64_t slot = group->values[0][0];
  int n = unitsOf((CuteSimOp){thread, group->site},
                  group->values[0][1] & UINT32_MAX);
  int first = findFree(memory, n);
  if (memory->relinquishedAt)
    cuteSimFind((CuteSimOp){thread, group->site},
                "allocates tensor memory after the right to do so was given up "
                "on line %u",
                memory->relinquishedAt->line);
  if (first < 0)
    cuteSimFail((CuteSimOp){thread, group->site},
                "deadlock: %d columns of tensor memory are not free, and "
                "nobody will free them for the warp that waits",
                n * CUTE_SIM_TENSOR_UNIT);
  for (int i = 0; i < n; ++i)
    memory->allocated[first + i] = i ? UINT8_MAX : (uint8_t)n;
  memory->allocatedAt = group->site;
  uint32_t address = (uint32_t)first * CUTE_SIM_TENSOR_UNIT;
  cuteSimAccessCheck((CuteSimOp){thread, group->site}, slot, sizeof address,
                     sizeof address, CUTE_SIM_WRITE);
  memcpy((void *)(uintptr_t)slot, &address, sizeof address);
}

void cuteSimTensorAllocate(CuteSimOp op, uint64_t *values) {
  begin(op);
  cuteSimTogetherAll(op, values, allocate);
}

static void forget(CuteSimTensorMemory *memory, int lane, int column, int n) {
  memset(&memory->isWritten[lane][column], 0, (size_t)n * sizeof(bool));
  for (int move = 0; move < CUTE_SIM_TENSOR_MOVES; ++move)
    memset(&memory->uses[move][lane][column], 0,
           (size_t)n * sizeof(CuteSimTensorUse));
}

static void release(CuteSimWarp *warp, CuteSimGroup *group) {
  CuteSimTensorMemory *memory = memoryOf(warp);
  CuteSimThread *thread = warp->threads;
  uint32_t column = (uint32_t)group->values[0][0] & 0xffff;
  int n = unitsOf((CuteSimOp){thread, group->site},
                  group->values[0][1] & UINT32_MAX);
  int first = (int)column / CUTE_SIM_TENSOR_UNIT;
  if (column % CUTE_SIM_TENSOR_UNIT || first >= UNITS ||
      memory->allocated[first] != n) {
    cuteSimFind((CuteSimOp){thread, group->site},
                "frees %d columns of tensor memory from column %u on, which "
                "were not allocated so",
                n * CUTE_SIM_TENSOR_UNIT, column);
    return;
  }
  const CuteSimTensorProduct *user =
      cuteSimTensorFindUser(thread->block, column, n * CUTE_SIM_TENSOR_UNIT);
  if (user)
    cuteSimFindPair((CuteSimOp){thread, group->site}, user->op.site,
                    "too early: frees tensor memory that the product of line "
                    "%u may still use; commit it to an mbarrier and wait for "
                    "that before",
                    user->op.site->line);
  memset(&memory->allocated[first], 0, (size_t)n);
  for (int lane = 0; lane < CUTE_SIM_TENSOR_LANES; ++lane)
    forget(memory, lane, (int)column, n * CUTE_SIM_TENSOR_UNIT);
}

void cuteSimTensorFree(CuteSimOp op, uint64_t *values) {
  begin(op);
  cuteSimTogetherAll(op, values, release);
}

static void relinquish(CuteSimWarp *warp, CuteSimGroup *group) {
  memoryOf(warp)->relinquishedAt = group->site;
}

void cuteSimTensorRelinquish(CuteSimOp op, uint64_t *values) {
  begin(op);
  cuteSimTogetherAll(op, values, relinquish);
}

//===-- Order -------------------------------------------------------------===//

void cuteSimTensorFenceBefore(CuteSimOp op, uint64_t *values) {
  CuteSimTensorMoves *moves = cuteSimTensorThreadGet(op.thread)->moves;
  (void)values;
  for (int i = 0; i < CUTE_SIM_TENSOR_MOVES; ++i)
    moves[i].fenced = moves[i].waited;
}

void cuteSimTensorFenceAfter(CuteSimOp op, uint64_t *values) {
  CuteSimTensorThread *t = cuteSimTensorThreadGet(op.thread);
  (void)values;
  t->products = (uint32_t)cuteSimTensorPipeGet(op.thread->block)->numDone;
  cuteSimClockJoin(op.thread->cluster, &t->seen, op.thread->clock);
}

void cuteSimTensorWait(CuteSimOp op, uint64_t *values) {
  const char *name = cuteSimSiteGetName(op.site);
  CuteSimTensorMove move = strstr(name, "wait.ld") || strstr(name, "wait::ld")
                               ? CUTE_SIM_TENSOR_LOAD
                               : CUTE_SIM_TENSOR_STORE;
  CuteSimTensorMoves *moves = &cuteSimTensorThreadGet(op.thread)->moves[move];
  (void)values;
  moves->waited = moves->started;
}

// The barrier, and of .mc the blocks at whose barriers it arrives.
void cuteSimTensorCommit(CuteSimOp op, uint64_t *values) {
  int n = cuteSimTensorBegin(op, strstr(op.site->name, ".cg2"));
  bool isMulticast = strstr(op.site->name, ".mc.");
  cuteSimMbarrierCheckAt(op, values[0]);
  CuteSimTensorProduct end = {.op = op,
                              .epoch = op.thread->epoch,
                              .numBlocks = n,
                              .barrier = values[0],
                              .blocks = isMulticast ? (uint16_t)values[1] : 0};
  int all = (1 << op.thread->cluster->numBlocks) - 1;
  if (isMulticast && (!end.blocks || end.blocks & ~all))
    cuteSimFail(op,
                "%s: the mask 0x%x is of no blocks, or of some that a cluster "
                "of %d does not have",
                cuteSimSiteGetName(op.site), end.blocks,
                op.thread->cluster->numBlocks);
  cuteSimTensorPipeStart(&end);
}
