#include "Transforms/dominance.h"

#include "Support/arena.h"
#include "Support/pointer_map.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Blocks are known by their number in postorder, so that dominators have larger
// numbers; the first block has the largest.
typedef struct Graph {
  size_t count, total;
  MlirBlock *blocks;      // in postorder
  CutePointerMap numbers; // block -> number + 1, once it is in postorder
  size_t *dominators;     // immediate ones; `total` where not known yet
} Graph;

static size_t numberOf(const Graph *g, MlirBlock block) {
  return (size_t)(uintptr_t)cutePointerMapGet(&g->numbers, block.ptr) - 1;
}

static size_t countBlocks(MlirRegion region) {
  size_t n = 0;
  MlirBlock block = mlirRegionGetFirstBlock(region);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    ++n;
  return n;
}

//===-- Postorder ---------------------------------------------------------===//

typedef struct Visit {
  MlirBlock block;
  intptr_t next; // the successor to be visited next
} Visit;

static void finish(Graph *g, MlirBlock block) {
  g->blocks[g->count++] = block;
  cutePointerMapSet(&g->numbers, block.ptr, (void *)g->count);
}

static void orderBlocks(Graph *g, MlirBlock first) {
  CutePointerMap seen = {0};
  Visit *stack = cuteAllocate(g->total * sizeof *stack);
  size_t depth = 0;
  stack[depth++] = (Visit){first, 0};
  cutePointerMapSet(&seen, first.ptr, first.ptr);
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (top->next == mlirBlockGetNumSuccessors(top->block)) {
      finish(g, top->block);
      --depth;
      continue;
    }
    MlirBlock next = mlirBlockGetSuccessor(top->block, top->next++);
    if (cutePointerMapGet(&seen, next.ptr))
      continue;
    cutePointerMapSet(&seen, next.ptr, next.ptr);
    stack[depth++] = (Visit){next, 0};
  }
  free(stack);
  cutePointerMapDestroy(&seen);
}

//===-- Dominators --------------------------------------------------------===//

// The nearest block that dominates both, by what is known.
static size_t meet(const Graph *g, size_t a, size_t b) {
  while (a != b) {
    if (a < b)
      a = g->dominators[a];
    else
      b = g->dominators[b];
  }
  return a;
}

// Lowers the dominators of a block's successors; returns whether any changed.
static bool visitEdges(Graph *g, size_t from) {
  bool changed = false;
  MlirBlock block = g->blocks[from];
  for (intptr_t i = 0; i < mlirBlockGetNumSuccessors(block); ++i) {
    size_t to = numberOf(g, mlirBlockGetSuccessor(block, i));
    if (to == g->count - 1)
      continue; // nothing but itself dominates the first block
    size_t known = g->dominators[to];
    size_t next = known == g->total ? from : meet(g, known, from);
    changed |= next != known;
    g->dominators[to] = next;
  }
  return changed;
}

// Until each block's dominator dominates all its predecessors (Cooper, Harvey,
// Kennedy: A Simple, Fast Dominance Algorithm).
static void findDominators(Graph *g) {
  for (size_t i = 0; i < g->count; ++i)
    g->dominators[i] = g->total;
  g->dominators[g->count - 1] = g->count - 1;
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = g->count; i-- > 0;)
      changed |= visitEdges(g, i);
  }
}

//===-- The tree ----------------------------------------------------------===//

// Lists of children by number + 1, in reverse postorder.
typedef struct Tree {
  size_t *firstChild, *nextSibling;
} Tree;

static void walkTree(const Graph *g, const Tree *tree, CuteDominance *result) {
  size_t *stack = cuteAllocate(g->count * sizeof *stack), depth = 0;
  stack[depth++] = g->count; // number + 1 of the first block
  while (depth) {
    size_t at = stack[depth - 1];
    if (!at) {
      --depth;
      continue;
    }
    stack[depth - 1] = at == g->count ? 0 : tree->nextSibling[at - 1];
    result->blocks[result->count] = g->blocks[at - 1];
    result->depths[result->count++] = depth - 1;
    if (tree->firstChild[at - 1])
      stack[depth++] = tree->firstChild[at - 1];
  }
  free(stack);
}

static void buildTree(const Graph *g, CuteDominance *result) {
  size_t bytes = g->count * sizeof(size_t);
  Tree tree = {cuteAllocate(bytes), cuteAllocate(bytes)};
  for (size_t i = 0; i < g->count; ++i)
    tree.firstChild[i] = tree.nextSibling[i] = 0;
  for (size_t i = 0; i + 1 < g->count; ++i) {
    size_t *first = &tree.firstChild[g->dominators[i]];
    tree.nextSibling[i] = *first;
    *first = i + 1;
  }
  walkTree(g, &tree, result);
  free(tree.firstChild);
  free(tree.nextSibling);
}

//===-- Loops -------------------------------------------------------------===//

// Places in the result's order.
typedef struct Order {
  const CuteDominance *tree;
  CutePointerMap places;  // block -> place + 1
  size_t *parents, *ends; // of a block: its dominator, and behind its subtree
} Order;

static void findParents(Order *order) {
  const CuteDominance *tree = order->tree;
  size_t *path = cuteAllocate(tree->count * sizeof *path);
  for (size_t i = 0; i < tree->count; ++i) {
    size_t depth = tree->depths[i];
    cutePointerMapSet(&order->places, tree->blocks[i].ptr, (void *)(i + 1));
    order->parents[i] = depth ? path[depth - 1] : i;
    order->ends[i] = i + 1;
    path[depth] = i;
  }
  for (size_t i = tree->count; i-- > 1;) {
    size_t *end = &order->ends[order->parents[i]];
    *end = order->ends[i] > *end ? order->ends[i] : *end;
  }
  free(path);
}

// The blocks from one that branches back to a header, up to the header, are in
// its loop, and may be in loops inside it. `headers` are places, 0 for none.
static void markLoop(const Order *order, size_t header, size_t latch,
                     size_t *headers) {
  const size_t *depths = order->tree->depths;
  size_t at = latch;
  while (headers[at] != header) {
    if (depths[headers[at]] > depths[header])
      at = headers[at];
    else
      headers[at] = header;
    if (at == header)
      return;
    at = order->parents[at];
  }
}

static void markLoops(const Order *order, size_t *headers) {
  const CuteDominance *tree = order->tree;
  for (size_t i = 0; i < tree->count; ++i)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(tree->blocks[i]); ++s) {
      MlirBlock next = mlirBlockGetSuccessor(tree->blocks[i], s);
      size_t header =
          (size_t)(uintptr_t)cutePointerMapGet(&order->places, next.ptr) - 1;
      if (header && header <= i && i < order->ends[header])
        markLoop(order, header, i, headers);
    }
}

static void findLoops(CuteDominance *tree) {
  size_t bytes = tree->count * sizeof(size_t);
  Order order = {.tree = tree,
                 .parents = cuteAllocate(bytes),
                 .ends = cuteAllocate(bytes)};
  findParents(&order);
  tree->loops = cuteAllocate(bytes);
  memset(tree->loops, 0, bytes);
  markLoops(&order, tree->loops);
  for (size_t i = 0; i < tree->count; ++i)
    tree->loops[i] = tree->depths[tree->loops[i]];
  free(order.parents);
  free(order.ends);
  cutePointerMapDestroy(&order.places);
}

CuteDominance cuteDominanceCompute(MlirRegion region) {
  CuteDominance result = {0};
  Graph g = {.total = countBlocks(region)};
  if (!g.total)
    return result;
  g.blocks = cuteAllocate(g.total * sizeof *g.blocks);
  g.dominators = cuteAllocate(g.total * sizeof *g.dominators);
  orderBlocks(&g, mlirRegionGetFirstBlock(region));
  findDominators(&g);
  result.blocks = cuteAllocate(g.count * sizeof *result.blocks);
  result.depths = cuteAllocate(g.count * sizeof *result.depths);
  buildTree(&g, &result);
  findLoops(&result);
  free(g.blocks);
  free(g.dominators);
  cutePointerMapDestroy(&g.numbers);
  return result;
}

void cuteDominanceDestroy(CuteDominance *dominance) {
  free(dominance->blocks);
  free(dominance->depths);
  free(dominance->loops);
  *dominance = (CuteDominance){0};
}
