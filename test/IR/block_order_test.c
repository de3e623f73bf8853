// Orders of random graphs of blocks: each block comes after its dominators, the
// blocks without which it cannot be reached.
#include "IR/mlir.h"

#include "check.h"

enum { MAX_BLOCKS = 12, MAX_EDGES = 2 };

typedef struct Graph {
  int count;
  int next[MAX_BLOCKS][MAX_EDGES]; // -1: no edge
} Graph;

static void mark(const Graph *g, int at, int without, bool *seen) {
  if (at < 0 || at == without || seen[at])
    return;
  seen[at] = true;
  for (int k = 0; k < MAX_EDGES; ++k)
    mark(g, g->next[at][k], without, seen);
}

static bool dominates(const Graph *g, int a, int b) {
  bool seen[MAX_BLOCKS] = {false};
  mark(g, 0, a, seen);
  return a == b || !seen[b];
}

static Graph makeGraph(unsigned *seed, int count) {
  Graph g = {.count = count};
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < MAX_EDGES; ++k) {
      *seed = *seed * 1103515245 + 12345;
      int to = (int)(*seed >> 16) % (count + 1);
      g.next[i][k] = to && to < count ? to : -1;
    }
  return g;
}

// An operation whose one region has the blocks, each ended by its branch.
static MlirOperation build(MlirContext context, const Graph *g,
                           MlirBlock *blocks) {
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirRegion region = mlirRegionCreate();
  for (int i = 0; i < g->count; ++i) {
    blocks[i] = mlirBlockCreate(0, NULL, NULL);
    mlirRegionAppendOwnedBlock(region, blocks[i]);
  }
  for (int i = 0; i < g->count; ++i) {
    MlirOperationState state =
        mlirOperationStateGet(cuteMlirString("test.branch"), location);
    for (int k = 0; k < MAX_EDGES; ++k)
      if (g->next[i][k] >= 0)
        mlirOperationStateAddSuccessors(&state, 1, &blocks[g->next[i][k]]);
    mlirBlockAppendOwnedOperation(blocks[i], mlirOperationCreate(&state));
  }
  MlirOperationState state =
      mlirOperationStateGet(cuteMlirString("test.region"), location);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  return mlirOperationCreate(&state);
}

static int numberOf(const Graph *g, const MlirBlock *blocks, MlirBlock block) {
  int i = 0;
  while (i < g->count && !mlirBlockEqual(blocks[i], block))
    ++i;
  return i;
}

static void checkGraph(const Graph *g, const MlirBlock *blocks,
                       MlirRegion region) {
  size_t count;
  MlirBlock *order = cuteBlockOrderGet(region, &count);
  bool reached[MAX_BLOCKS] = {false}, listed[MAX_BLOCKS] = {false};
  bool isReached = true;
  mark(g, 0, -1, reached);
  assert_int_equal(count, g->count);
  for (size_t i = 0; i < count; ++i) {
    int at = numberOf(g, blocks, order[i]);
    listed[at] = true;
    assert_true(isReached || !reached[at]);
    isReached = reached[at];
    for (int j = 0; isReached && j < g->count; ++j)
      assert_true(listed[j] || !reached[j] || !dominates(g, j, at));
  }
  for (int i = 0; i < g->count; ++i)
    assert_true(listed[i]);
  free(order);
}

static void agreesWithDefinition(void **state) {
  (void)state;
  MlirContext context = mlirContextCreateWithThreading(false);
  mlirContextSetAllowUnregisteredDialects(context, true);
  unsigned seed = 1;
  for (int i = 0; i < 400; ++i) {
    MlirBlock blocks[MAX_BLOCKS];
    Graph g = makeGraph(&seed, 1 + i % MAX_BLOCKS);
    MlirOperation op = build(context, &g, blocks);
    checkGraph(&g, blocks, mlirOperationGetRegion(op, 0));
    mlirOperationDestroy(op);
  }
  mlirContextDestroy(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agreesWithDefinition)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
