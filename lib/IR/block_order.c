#include "IR/mlir.h"

#include "Support/arena.h"
#include "Support/pointer_map.h"

typedef struct Visit {
  MlirBlock block;
  intptr_t next; // the successor to be visited next
} Visit;

// Lists what the first block reaches in postorder, from the end of the array,
// and gives the place of the last one.
static size_t listReached(MlirBlock first, MlirBlock *order, size_t total,
                          CutePointerMap *seen) {
  CUTE_FREED Visit *stack = cuteAllocate(total * sizeof *stack);
  size_t depth = 0, at = total;
  stack[depth++] = (Visit){first, 0};
  cutePointerMapSet(seen, first.ptr, first.ptr);
  while (depth) {
    Visit *top = &stack[depth - 1];
    if (top->next == mlirBlockGetNumSuccessors(top->block)) {
      order[--at] = top->block;
      --depth;
      continue;
    }
    MlirBlock next = mlirBlockGetSuccessor(top->block, top->next++);
    if (cutePointerMapGet(seen, next.ptr))
      continue;
    stack[depth++] = (Visit){next, 0};
    cutePointerMapSet(seen, next.ptr, next.ptr);
  }
  return at;
}

MlirBlock *cuteBlockOrderGet(MlirRegion region, size_t *count) {
  size_t total = 0;
  CUTE_FOR_BLOCKS(block, region)
    ++total;
  MlirBlock *order = cuteAllocate((total + 1) * sizeof *order);
  CUTE_SCOPED(PointerMap) seen = {0};
  size_t at = total;
  if (total)
    at = listReached(mlirRegionGetFirstBlock(region), order, total, &seen);
  *count = total - at;
  memmove(order, order + at, *count * sizeof *order);
  CUTE_FOR_BLOCKS(block, region)
    if (!cutePointerMapGet(&seen, block.ptr))
      order[(*count)++] = block;
  return order;
}
