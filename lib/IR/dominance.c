#include "IR/dominance.h"

#include "Support/arena.h"
#include "Support/pointer_map.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Blocks are known by their number in postorder, so that dominators have larger
// numbers; the first block has the largest. Dominators are found in preorder.
typedef struct Graph {
  size_t count, total;
  MlirBlock *blocks;      // in postorder
  CutePointerMap numbers; // block -> number in preorder + 1
  size_t *places;         // preorder -> postorder
  size_t *parents;        // by preorder: where the search came from
  size_t *dominators;     // by postorder: immediate ones
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

//===-- Both orders -------------------------------------------------------===//

typedef struct Visit {
  MlirBlock block;
  size_t number;
  intptr_t next; // the successor to be visited next
} Visit;

static void orderBlocks(Graph *g, MlirBlock first) {
  Visit *stack = cuteAllocate(g->total * sizeof *stack);
  size_t depth = 0, seen = 0;
  g->parents[seen] = 0;
  stack[depth++] = (Visit){first, seen++, 0};
  cutePointerMapSet(&g->numbers, first.ptr, (void *)seen);
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (top->next == mlirBlockGetNumSuccessors(top->block)) {
      g->places[top->number] = g->count;
      g->blocks[g->count++] = top->block;
      --depth;
      continue;
    }
    MlirBlock next = mlirBlockGetSuccessor(top->block, top->next++);
    if (cutePointerMapGet(&g->numbers, next.ptr))
      continue;
    g->parents[seen] = top->number;
    stack[depth++] = (Visit){next, seen++, 0};
    cutePointerMapSet(&g->numbers, next.ptr, (void *)seen);
  }
  free(stack);
}

//===-- Dominators --------------------------------------------------------===//

// All by number in preorder. `ancestors` are parents, compressed as they are
// followed; `labels` the block with the least semidominator on the way.
typedef struct Search {
  size_t *semis, *labels, *ancestors, *dominators, *stack;
  size_t *starts,
      *sources; // where b's edges come from: [starts[b], starts[b+1])
} Search;

static size_t countSuccessors(const Graph *g) {
  size_t n = 0;
  for (size_t i = 0; i < g->count; ++i)
    n += (size_t)mlirBlockGetNumSuccessors(g->blocks[i]);
  return n;
}

// Sorts the edges by the block that they lead to: counts them, then fills from
// the end.
static void collectEdges(const Graph *g, Search *s) {
  s->starts = cuteAllocate((g->count + 1) * sizeof *s->starts);
  s->sources = cuteAllocate((countSuccessors(g) + 1) * sizeof *s->sources);
  memset(s->starts, 0, (g->count + 1) * sizeof *s->starts);
  for (int pass = 0; pass < 2; ++pass) {
    for (size_t i = 0; i < g->count; ++i) {
      size_t from = numberOf(g, g->blocks[i]);
      for (intptr_t k = 0; k < mlirBlockGetNumSuccessors(g->blocks[i]); ++k) {
        size_t to = numberOf(g, mlirBlockGetSuccessor(g->blocks[i], k));
        if (pass)
          s->sources[--s->starts[to]] = from;
        else
          ++s->starts[to];
      }
    }
    for (size_t i = 0; !pass && i < g->count; ++i)
      s->starts[i + 1] += s->starts[i];
  }
}

// The block with the least semidominator on the way from `at` up to blocks
// below `linked`.
static size_t evaluate(Search *s, size_t at, size_t linked) {
  if (s->ancestors[at] < linked)
    return s->labels[at];
  size_t depth = 0;
  for (; s->ancestors[at] >= linked; at = s->ancestors[at])
    s->stack[depth++] = at;
  while (depth) {
    size_t next = s->stack[--depth];
    s->ancestors[next] = s->ancestors[at];
    if (s->semis[s->labels[at]] < s->semis[s->labels[next]])
      s->labels[next] = s->labels[at];
    at = next;
  }
  return s->labels[at];
}

static void findSemidominators(const Graph *g, Search *s) {
  for (size_t i = 0; i < g->count; ++i) {
    s->semis[i] = s->labels[i] = i;
    s->ancestors[i] = s->dominators[i] = g->parents[i];
  }
  for (size_t i = g->count; i-- > 1;) {
    s->semis[i] = g->parents[i];
    for (size_t e = s->starts[i]; e < s->starts[i + 1]; ++e) {
      size_t semi = s->semis[evaluate(s, s->sources[e], i + 1)];
      s->semis[i] = semi < s->semis[i] ? semi : s->semis[i];
    }
  }
}

// Finds dominators in nearly linear time (Georgiadis: Linear-Time Algorithms
// for Dominators and Related Problems, Semi-NCA).
static void findDominators(Graph *g) {
  size_t *memory = cuteAllocate(5 * g->count * sizeof *memory);
  Search s = {.semis = memory,
              .labels = memory + g->count,
              .ancestors = memory + 2 * g->count,
              .dominators = memory + 3 * g->count,
              .stack = memory + 4 * g->count};
  collectEdges(g, &s);
  findSemidominators(g, &s);
  g->dominators[g->count - 1] = g->count - 1;
  for (size_t i = 1; i < g->count; ++i) {
    while (s.dominators[i] > s.semis[i])
      s.dominators[i] = s.dominators[s.dominators[i]];
    g->dominators[g->places[i]] = g->places[s.dominators[i]];
  }
  free(memory);
  free(s.starts);
  free(s.sources);
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
  size_t *parents, *ends; // of a block: its dominator, its subtree's end
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
  g.places = cuteAllocate(g.total * sizeof *g.places);
  g.parents = cuteAllocate(g.total * sizeof *g.parents);
  orderBlocks(&g, mlirRegionGetFirstBlock(region));
  findDominators(&g);
  result.blocks = cuteAllocate(g.count * sizeof *result.blocks);
  result.depths = cuteAllocate(g.count * sizeof *result.depths);
  buildTree(&g, &result);
  findLoops(&result);
  free(g.blocks);
  free(g.dominators);
  free(g.places);
  free(g.parents);
  cutePointerMapDestroy(&g.numbers);
  return result;
}

void cuteDominanceDestroy(CuteDominance *dominance) {
  free(dominance->blocks);
  free(dominance->depths);
  free(dominance->loops);
  *dominance = (CuteDominance){0};
}
