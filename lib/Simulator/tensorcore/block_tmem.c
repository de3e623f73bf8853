#include "Simulator/tensorcore/block_tmem.h"
#include "Hardware/mma_family.h"
#include "Simulator/async/mbarrier_operations.h"
#include "Simulator/async/pending.h"
#include "Simulator/checks/shadow.h"
#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

enum { UNITS = CUTE_SIM_TENSOR_COLUMNS / CUTE_SIM_TENSOR_UNIT };

CuteSimTensorMemory *cuteSimTensorMemoryGet(CuteSimBlock *block) {
  CuteSimTensorMemory **memory = &block->tensorMemory;
  if (!*memory) {
    *memory = cuteAllocateZeros(1, sizeof **memory);
    memset((*memory)->words, 0xff, sizeof((*memory)->words));
  }
  return *memory;
}

CuteSimTensorThread *cuteSimTensorThreadGet(CuteSimThread *thread) {
  return &cuteSimTensorMemoryGet(thread->block)->threads[thread->index];
}

static void forget(CuteSimTensorProduct *product) {
  cuteSimClockDrop(product->known);
  product->known = NULL;
}

static void destroyPipe(CuteSimTensorPipe *pipe) {
  for (size_t i = pipe->numDone; i < pipe->numProducts; ++i)
    forget(&pipe->products[i]);
  free(pipe->products);
}

void cuteSimTensorMemoryDestroy(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    CuteSimTensorMemory **memory = &cluster->blocks[i].tensorMemory;
    for (int t = 0; *memory && t < CUTE_SIM_MAX_THREADS; ++t)
      cuteSimClockDrop((*memory)->threads[t].seen);
    if (*memory)
      destroyPipe(&(*memory)->pipe);
    free(*memory);
    *memory = NULL;
  }
}

CuteSimTensorPipe *cuteSimTensorPipeGet(CuteSimBlock *block) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(block);
  if (memory->ctas != CUTE_SIM_TENSOR_PAIR)
    return &memory->pipe;
  CuteSimBlock *blocks = block->cluster->blocks;
  return &cuteSimTensorMemoryGet(&blocks[block->rank & ~1])->pipe;
}

int cuteSimTensorBegin(CuteSimOp op, bool isOfPair) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(op.thread->block);
  int ctas = isOfPair ? CUTE_SIM_TENSOR_PAIR : 1;
  if (isOfPair && (op.thread->block->rank | 1) >= op.thread->cluster->numBlocks)
    cuteSimFail(op, "$ is of two blocks of a cluster, and this one has no "
                    "other; launch clusters of an even number of blocks");
  if (memory->ctas && memory->ctas != ctas)
    cuteSimFail(op, "$: a kernel uses tensor memory either by blocks or by "
                    "pairs of them, and this one has used the other");
  memory->ctas = ctas;
  return ctas;
}

CuteSimBlock *cuteSimTensorBlockGet(const CuteSimThread *thread, int n, int i) {
  CuteSimBlock *block = thread->block;
  return n == 1 ? block : &block->cluster->blocks[(block->rank & ~1) + i];
}

//===-- Addresses ---------------------------------------------------------===//

uint32_t *cuteSimTensorMemoryAt(CuteSimOp op, CuteSimBlock *block,
                                uint32_t lane, uint32_t column) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(block);
  if (lane < CUTE_SIM_TENSOR_LANES && column < CUTE_SIM_TENSOR_COLUMNS &&
      memory->allocated[column / CUTE_SIM_TENSOR_UNIT])
    return &memory->words[lane][column];
  cuteSimFind(op,
              "out of bounds: %s reaches lane %u, column %u of tensor memory, "
              "which is not allocated",
              cuteSimSiteGetName(op.site), lane, column);
  return NULL;
}

static bool hasWord(const CuteSimTensorArea *area, uint32_t lane,
                    uint32_t column) {
  return column - area->column < area->columns &&
         cuteSimTensorAreaHas(area, lane);
}

static bool overlap(const CuteSimTensorArea *a, const CuteSimTensorArea *b) {
  return ((a->lanes[0] & b->lanes[0]) | (a->lanes[1] & b->lanes[1])) &&
         a->column < b->column + b->columns &&
         b->column < a->column + a->columns;
}

CuteSimTensorArea cuteSimTensorAreaGet(const CuteSimTensorProduct *p,
                                       const CuteSimBlock *block, int i) {
  CuteSimTensorArea area = p->areas[i];
  for (int half = 0; half < 2 && !i; ++half)
    area.lanes[half] &= ~p->kept[p->numBlocks > 1 ? block->rank % 2 : 0][half];
  return area;
}

//===-- Order of loads and stores -----------------------------------------===//

// Tells whether a lane of a thread's warp has fenced a move of the warp before
// something that another thread knows of.
static bool isFenced(const CuteSimThread *thread, const CuteSimThread *other,
                     const CuteSimTensorUse *use, CuteSimTensorMove move) {
  CUTE_SIM_FOR_LANES(lane, other->warp->lanes) {
    const CuteSimTensorMoves *moves =
        &cuteSimTensorThreadGet(&other->warp->threads[lane])->moves[move];
    for (uint32_t i = 0; i < CUTE_SIM_TENSOR_FENCES && i < moves->numFences;
         ++i)
      if (moves->fences[i].number >= use->number &&
          cuteSimShadowIsKnown(thread, moves->fences[i].when))
        return true;
  }
  return false;
}

// Finds a load or store of a word that what the thread does there now does not
// come after: nobody has waited for it, no barrier is between, or no fences
// where it needs them. False with a finding.
static bool isAfter(CuteSimOp op, const CuteSimTensorUse *use,
                    CuteSimTensorMove move, bool needsFences) {
  static const char *const names[] = {"load", "store"}, *kinds[] = {"ld", "st"};
  if (!use->when)
    return true;
  uint32_t number = cuteSimShadowThreadOf(use->when);
  CuteSimThread *other = &op.thread->cluster->threads[number];
  const CuteSimTensorThread *theirs = cuteSimTensorThreadGet(other);
  const CuteSimTensorMoves *moves = &theirs->moves[move];
  const CuteSimClock *seen = cuteSimTensorThreadGet(op.thread)->seen;
  bool isOther = other != op.thread;
  if (use->number > moves->waited)
    cuteSimFind(op,
                "too early: uses tensor memory that a %s of thread %d may "
                "still be using; write cute.tmem_wait<\"%s\"> after the %s",
                names[move], other->index, kinds[move], names[move]);
  else if (isOther && !cuteSimShadowIsKnown(op.thread, use->when))
    cuteSimFind(op,
                "race: uses tensor memory that no barrier orders after a %s of "
                "thread %d",
                names[move], other->index);
  else if (isOther && needsFences && !isFenced(op.thread, other, use, move))
    cuteSimFind(op,
                "order: thread %d has not fenced its %s of this tensor memory; "
                "write cute.tcgen05_fence<\"before\"> before the barrier",
                other->index, names[move]);
  else if (isOther && needsFences && !cuteSimShadowIsIn(seen, use->when))
    cuteSimFind(op,
                "order: no fence follows the barrier after a %s of thread %d; "
                "write cute.tcgen05_fence<\"after\"> before this",
                names[move], other->index);
  else
    return true;
  return false;
}

// Finds a product under way that uses words of a block: writes them, or uses
// them at all.
static const CuteSimTensorProduct *
findUserOf(CuteSimBlock *block, const CuteSimTensorArea *words, bool isWrite) {
  const CuteSimTensorPipe *pipe = cuteSimTensorPipeGet(block);
  for (size_t k = pipe->numDone; k < pipe->numProducts; ++k) {
    const CuteSimTensorProduct *p = &pipe->products[k];
    for (int i = 0; i < (isWrite ? p->numAreas > 0 : p->numAreas); ++i) {
      CuteSimTensorArea area = cuteSimTensorAreaGet(p, block, i);
      if (overlap(&area, words))
        return p;
    }
  }
  return NULL;
}

static const CuteSimTensorProduct *findUser(CuteSimBlock *block, uint32_t lane,
                                            uint32_t column,
                                            CuteSimTensorMove move) {
  CuteSimTensorArea word = {.column = column, .columns = 1};
  word.lanes[lane / 64 % 2] = UINT64_C(1) << lane % 64;
  return findUserOf(block, &word, move == CUTE_SIM_TENSOR_LOAD);
}

void cuteSimTensorCheckFree(CuteSimOp op, uint32_t column, uint32_t columns) {
  CuteSimTensorArea all = {{UINT64_MAX, UINT64_MAX}, column, columns};
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(op.thread->block);
  const CuteSimTensorProduct *user = findUserOf(op.thread->block, &all, false);
  if (user)
    cuteSimFindPair(
        op, user->op.site,
        "too early: frees tensor memory that the product of line %u may still "
        "use; commit it to an mbarrier and wait for that before",
        user->op.site->line);
  for (uint32_t i = 0; i < CUTE_SIM_TENSOR_LANES * columns; ++i)
    for (int move = 0; move < CUTE_SIM_TENSOR_MOVES; ++move)
      isAfter(op, &memory->uses[move][i / columns][column + i % columns],
              (CuteSimTensorMove)move, false);
}

static void checkMove(CuteSimOp op, uint32_t lane, uint32_t column,
                      CuteSimTensorMove move) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(op.thread->block);
  bool isStore = move == CUTE_SIM_TENSOR_STORE;
  const CuteSimTensorUse *store =
      &memory->uses[CUTE_SIM_TENSOR_STORE][lane][column];
  const CuteSimTensorProduct *user =
      findUser(op.thread->block, lane, column, move);
  if (user)
    cuteSimFindPair(op, user->op.site,
                    "too early: %s lane %u, column %u of tensor memory, which "
                    "the product of line %u may still %s; commit it to an "
                    "mbarrier and wait for that before",
                    isStore ? "writes" : "reads", lane, column,
                    user->op.site->line,
                    hasWord(&user->areas[0], lane, column) ? "write" : "read");
  else if (memory->writer[lane][column] >
           cuteSimTensorThreadGet(op.thread)->products)
    cuteSimFind(op,
                "order: nothing makes the access to lane %u, column %u of "
                "tensor memory come after the product that was waited for; "
                "write cute.tcgen05_fence<\"after\"> between",
                lane, column);
  else if (!isStore && !memory->isWritten[lane][column])
    cuteSimFindKind(op, CUTE_SIM_NOTE,
                    "uninitialised: reads lane %u, column %u of tensor memory, "
                    "which was never written",
                    lane, column);
  else if (isAfter(op, store, CUTE_SIM_TENSOR_STORE, true) && isStore)
    isAfter(op, &memory->uses[CUTE_SIM_TENSOR_LOAD][lane][column],
            CUTE_SIM_TENSOR_LOAD, true);
}

void cuteSimTensorMemoryCheck(CuteSimOp op, uint32_t lane, uint32_t column,
                              CuteSimTensorMove move) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(op.thread->block);
  if (!op.thread->cluster->checks)
    return;
  checkMove(op, lane, column, move);
  memory->uses[move][lane][column] = (CuteSimTensorUse){
      .when = cuteSimShadowGetWord(op.thread),
      .number = cuteSimTensorThreadGet(op.thread)->moves[move].started};
}

void cuteSimTensorMemoryEnd(CuteSimCluster *cluster) {
  for (int i = 0; i < cluster->numBlocks; ++i) {
    const CuteSimTensorMemory *memory = cluster->blocks[i].tensorMemory;
    for (int unit = 0; memory && unit < UNITS; ++unit)
      if (memory->allocated[unit]) {
        cuteSimFind(
            (CuteSimOp){cluster->blocks[i].threads, memory->allocatedAt},
            "tensor memory that is allocated here is not freed when the kernel "
            "ends; write cute.tmem_dealloc");
        break;
      }
    if (memory && memory->pipe.numDone < memory->pipe.numProducts)
      cuteSimFind(
          (CuteSimOp){cluster->blocks[i].threads,
                      memory->pipe.products[memory->pipe.numDone].op.site},
          "the product may still be under way when the kernel ends: no "
          "cute.tcgen05_commit follows it");
  }
}

//===-- Products ----------------------------------------------------------===//

// Checks that a word has a value, or gets one from a product before.
static bool checkValue(const CuteSimTensorProduct *p, CuteSimBlock *block,
                       bool isSum, uint32_t lane, uint32_t column) {
  if (cuteSimTensorMemoryGet(block)->isWritten[lane][column] ||
      findUser(block, lane, column, CUTE_SIM_TENSOR_LOAD))
    return true;
  if (isSum)
    cuteSimFind(p->op, "uninitialised: adds to sums in tensor memory that were "
                       "never written; let the first product not add to them");
  else
    cuteSimFind(p->op,
                "uninitialised: takes lane %u, column %u of tensor memory, "
                "which was never written",
                lane, column);
  return false;
}

static bool checkWord(const CuteSimTensorProduct *p, CuteSimBlock *block,
                      bool isRead, uint32_t lane, uint32_t column) {
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(block);
  if (!cuteSimTensorMemoryAt(p->op, block, lane, column))
    return false;
  if (!p->op.thread->cluster->checks)
    return true;
  for (int move = isRead; move < CUTE_SIM_TENSOR_MOVES; ++move) {
    CuteSimTensorUse *use = &memory->uses[move][lane][column];
    if (!isAfter(p->op, use, (CuteSimTensorMove)move, true))
      return false;
    if (!isRead)
      *use = (CuteSimTensorUse){0};
  }
  return !(isRead || p->addsC) || checkValue(p, block, !isRead, lane, column);
}

static bool checkArea(const CuteSimTensorProduct *p, CuteSimBlock *block,
                      int i) {
  CuteSimTensorArea area = cuteSimTensorAreaGet(p, block, i);
  for (uint32_t lane = 0; lane < CUTE_SIM_TENSOR_LANES; ++lane)
    for (uint32_t k = 0; cuteSimTensorAreaHas(&area, lane) && k < area.columns;
         ++k)
      if (!checkWord(p, block, i > 0, lane, area.column + k))
        return false;
  return true;
}

static bool isAlike(const CuteMmaAtom *a, const CuteMmaAtom *b) {
  return a->m == b->m && a->n == b->n && a->family->ctas == b->family->ctas &&
         !strcmp(a->family->kind, b->family->kind);
}

// PTX ISA, "tcgen05 Memory Consistency Model": products of one shape and kind
// into the same sums follow each other, others do not.
static void checkSums(const CuteSimTensorProduct *p) {
  const CuteSimTensorPipe *pipe = cuteSimTensorPipeGet(p->op.thread->block);
  for (size_t i = pipe->numDone; p->atom && i < pipe->numProducts; ++i) {
    const CuteSimTensorProduct *before = &pipe->products[i];
    if (!before->atom || isAlike(p->atom, before->atom) ||
        !overlap(&p->areas[0], &before->areas[0]))
      continue;
    cuteSimFindPair(p->op, before->op.site,
                    "order: the product of line %u, of another shape or kind, "
                    "may still write these sums; commit it to an mbarrier and "
                    "wait for that before",
                    before->op.site->line);
    return;
  }
}

void cuteSimTensorProductCheck(const CuteSimTensorProduct *p) {
  checkSums(p);
  for (int i = 1; i < p->numAreas; ++i)
    if (overlap(&p->areas[0], &p->areas[i]))
      cuteSimFind(p->op,
                  "the sums, from column %u of tensor memory on, overlap what "
                  "the product reads from column %u on",
                  p->areas[0].column, p->areas[i].column);
  for (int b = 0; b < p->numBlocks; ++b)
    for (int i = 0; i < p->numAreas; ++i)
      if (!checkArea(p, cuteSimTensorBlockGet(p->op.thread, p->numBlocks, b),
                     i))
        return;
}

// Arrives at the barriers of a group, in one or several blocks. Who waits knows
// of copies that the products waited for.
static void arriveAt(const CuteSimTensorProduct *p) {
  const CuteSimCluster *cluster = p->op.thread->cluster;
  for (int i = 0; i < cluster->numBlocks; ++i) {
    if (p->blocks && !(p->blocks >> i & 1))
      continue;
    uint64_t barrier =
        p->blocks ? cuteSimClusterGetPlace(cluster, i, p->barrier) : p->barrier;
    cuteSimShadowPublishKnown(p->op.thread->cluster, barrier, p->known);
    cuteSimShadowPublish(p->op.thread, barrier, p->epoch);
    cuteSimMbarrierArriveAt(p->op, barrier);
    if (!p->blocks)
      return;
  }
}

// Both blocks of a pair are there until its products are complete.
static void checkBlocks(const CuteSimTensorProduct *p) {
  for (int i = 0; i < p->numBlocks; ++i) {
    const CuteSimBlock *block =
        cuteSimTensorBlockGet(p->op.thread, p->numBlocks, i);
    if (block->numDone == block->numThreads && block != p->op.thread->block)
      cuteSimFind(p->op, "the other block of the pair has ended before the "
                         "product was complete; let it wait for a barrier that "
                         "the product is committed to");
  }
}

// Does the products up to the end of the block's next group, in order, as late
// as that may be.
static void arrive(CUTE_UNUSED CuteSimCluster *cluster, void *data) {
  CuteSimTensorPipe *pipe = *(CuteSimTensorPipe **)data;
  while (pipe->numDone < pipe->numProducts) {
    CuteSimTensorProduct *p = &pipe->products[pipe->numDone++];
    if (p->execute) {
      checkBlocks(p);
      p->execute(p);
      continue;
    }
    arriveAt(p);
    forget(p);
    return;
  }
}

void cuteSimTensorPipeStart(const CuteSimTensorProduct *product) {
  CuteSimTensorPipe *pipe = cuteSimTensorPipeGet(product->op.thread->block);
  CUTE_PUSH(pipe->products, pipe->numProducts, pipe->capacity, *product);
  if (product->execute)
    return;
  CuteSimTensorProduct *end = &pipe->products[pipe->numProducts - 1];
  cuteSimClockJoin(end->op.thread->cluster, &end->known, end->op.thread->clock);
  cuteSimPendingStart(end->op.thread->cluster, arrive, &pipe, sizeof pipe);
}
