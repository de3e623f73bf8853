#include "IR/dominance.h"

#include "IR/mlir.h"
#include "Support/arena.h"
#include "Support/pointer_map.h"

// Blocks are known by their number in reverse postorder, so that dominators
// have smaller ones; the first block has 0.
typedef struct Graph {
  size_t count;
  MlirBlock *blocks;
  CutePointerMap numbers; // block -> number + 1
  size_t *dominators;     // immediate ones
  size_t *depths;         // in the tree of dominators
  size_t *headers;        // of the innermost loop; 0: none
} Graph;

static size_t numberOf(const Graph *g, MlirBlock block) {
  return (size_t)(uintptr_t)cutePointerMapGet(&g->numbers, block.ptr) - 1;
}

//===-- Order -------------------------------------------------------------===//

typedef struct Visit {
  MlirBlock block;
  intptr_t next; // the successor to be visited next
} Visit;

// Lists blocks in postorder from the end of the array, then moves them to its
// start.
static void orderBlocks(Graph *g, MlirBlock first, size_t total) {
  CUTE_FREED Visit *stack = cuteAllocate(total * sizeof *stack);
  size_t depth = 0, at = total;
  stack[depth++] = (Visit){first, 0};
  cutePointerMapSet(&g->numbers, first.ptr, g);
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (top->next == mlirBlockGetNumSuccessors(top->block)) {
      g->blocks[--at] = top->block;
      --depth;
      continue;
    }
    MlirBlock next = mlirBlockGetSuccessor(top->block, top->next++);
    if (cutePointerMapGet(&g->numbers, next.ptr))
      continue;
    stack[depth++] = (Visit){next, 0};
    cutePointerMapSet(&g->numbers, next.ptr, g);
  }
  g->count = total - at;
  for (size_t i = 0; i < g->count; ++i) {
    g->blocks[i] = g->blocks[at + i];
    cutePointerMapSet(&g->numbers, g->blocks[i].ptr, (void *)(i + 1));
  }
}

//===-- Dominators --------------------------------------------------------===//

// The nearest block that dominates both.
static size_t meet(const Graph *g, size_t a, size_t b) {
  while (a != b)
    if (a > b)
      a = g->dominators[a];
    else
      b = g->dominators[b];
  return a;
}

// Lets each edge raise the dominator of the block that it leads to, until none
// does (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). A block
// that nothing leads to yet has itself.
static void findDominators(Graph *g) {
  bool hasChanged = true;
  for (size_t i = 0; i < g->count; ++i)
    g->dominators[i] = i;
  while (hasChanged) {
    hasChanged = false;
    for (size_t i = 0; i < g->count; ++i)
      for (intptr_t k = 0; k < mlirBlockGetNumSuccessors(g->blocks[i]); ++k) {
        size_t to = numberOf(g, mlirBlockGetSuccessor(g->blocks[i], k));
        size_t *dominator = &g->dominators[to];
        size_t found = *dominator == to && to ? i : meet(g, *dominator, i);
        hasChanged |= found != *dominator;
        *dominator = found;
      }
  }
  for (size_t i = 0; i < g->count; ++i)
    g->depths[i] = i ? g->depths[g->dominators[i]] + 1 : 0;
}

//===-- Loops -------------------------------------------------------------===//

// The blocks from one that branches back to a header, up to the header, are in
// its loop, and may be in loops inside it.
static void markLoop(Graph *g, size_t header, size_t latch) {
  size_t at = latch;
  while (g->headers[at] != header) {
    if (g->depths[g->headers[at]] > g->depths[header])
      at = g->headers[at];
    else
      g->headers[at] = header;
    if (at == header)
      return;
    at = g->dominators[at];
  }
}

static void markLoops(Graph *g) {
  for (size_t i = 0; i < g->count; ++i)
    g->headers[i] = 0;
  for (size_t i = 0; i < g->count; ++i)
    for (intptr_t k = 0; k < mlirBlockGetNumSuccessors(g->blocks[i]); ++k) {
      size_t header = numberOf(g, mlirBlockGetSuccessor(g->blocks[i], k));
      if (header && header <= i && meet(g, header, i) == header)
        markLoop(g, header, i);
    }
}

//===-- The tree ----------------------------------------------------------===//

static void append(const Graph *g, CuteDominance *result, size_t at) {
  result->blocks[result->count] = g->blocks[at];
  result->depths[result->count] = g->depths[at];
  result->loops[result->count++] = g->depths[g->headers[at]];
}

// Lists the tree in preorder, children by their numbers. 0 ends their lists, as
// the first block is nobody's child.
static void walkTree(const Graph *g, CuteDominance *result) {
  CUTE_FREED size_t *children = cuteAllocate(2 * g->count * sizeof *children);
  size_t *siblings = children + g->count, at = 0;
  for (size_t i = 0; i < 2 * g->count; ++i)
    children[i] = 0;
  for (size_t i = g->count; i-- > 1;) {
    siblings[i] = children[g->dominators[i]];
    children[g->dominators[i]] = i;
  }
  append(g, result, at);
  while (result->count < g->count) {
    size_t child = children[at];
    for (; !child; at = g->dominators[at])
      child = siblings[at];
    at = child;
    append(g, result, at);
  }
}

CuteDominance cuteDominanceCompute(MlirRegion region) {
  CuteDominance result = {0};
  size_t total = 0;
  CUTE_FOR_BLOCKS(block, region)
    ++total;
  if (!total)
    return result;
  CUTE_FREED size_t *memory = cuteAllocate(3 * total * sizeof *memory);
  Graph g = {.blocks = cuteAllocate(total * sizeof *g.blocks),
             .dominators = memory,
             .depths = memory + total,
             .headers = memory + 2 * total};
  orderBlocks(&g, mlirRegionGetFirstBlock(region), total);
  findDominators(&g);
  markLoops(&g);
  result.blocks = cuteAllocate(g.count * sizeof *result.blocks);
  result.depths = cuteAllocate(g.count * sizeof *result.depths);
  result.loops = cuteAllocate(g.count * sizeof *result.loops);
  walkTree(&g, &result);
  free(g.blocks);
  cutePointerMapDestroy(&g.numbers);
  return result;
}

void cuteDominanceDestroy(CuteDominance *dominance) {
  free(dominance->blocks);
  free(dominance->depths);
  free(dominance->loops);
  *dominance = (CuteDominance){0};
}
