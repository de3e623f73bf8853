// Operands that threads write to shared memory in the round of their product:
// they get a layout that tensor cores read, and a fence in front of the barrier
// after which the product reads them.
#include "Transforms/tma_tile.h"
#include "Transforms/to_wgmma.h"

static MlirOperation allocOf(CuteKernel *kernel, MlirValue tile) {
  MlirOperation op =
      cuteMlirGetOwner(cuteViewGetRoot(kernel->dialect, tile, CUTE_SMEM));
  return cuteDialectIsOp(kernel->dialect, op, CUTE_OP_ALLOC_SMEM)
             ? op
             : (MlirOperation){NULL};
}

// Tells whether threads write the tile of an operand.
static bool isExchanged(CuteKernel *kernel, MlirValue tile) {
  return !mlirValueIsNull(tile) &&
         !mlirOperationIsNull(allocOf(kernel, tile)) &&
         !cuteProductsIsLoaded(kernel, tile);
}

//===-- Layouts -----------------------------------------------------------===//

// Lists the allocations of such operands that have no swizzle yet.
static CuteOps findPlain(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  CuteOps allocs = {0};
  for (size_t i = 0; i < products->count; ++i) {
    MlirValue tiles[] = {products->data[i].tileA, products->data[i].tileB};
    for (size_t side = 0; side < 2; ++side) {
      if (!isExchanged(kernel, tiles[side]))
        continue;
      MlirOperation alloc = allocOf(kernel, tiles[side]);
      CuteType type = cuteDialectGetResultType(kernel->dialect, alloc, 0);
      if (!cuteLayoutHasSwizzle(type->layout) &&
          !cuteOpsContain(&allocs, alloc))
        cuteOpsPush(&allocs, alloc);
    }
  }
  return allocs;
}

bool cuteProductsRelayout(CuteProducts *products, bool *changes) {
  enum { ALIGN = 1024 }; // bytes, after which every swizzle repeats itself
  CuteKernel *kernel = products->kernel;
  CUTE_SCOPED(Ops) allocs = findPlain(products);
  CUTE_SCOPED(Retype) retype = cuteRetypeBegin(kernel->dialect);
  for (size_t i = 0; i < allocs.count; ++i) {
    MlirOperation alloc = allocs.data[i];
    CuteType type = cuteDialectGetResultType(kernel->dialect, alloc, 0);
    CuteContext c = kernel->dialect->context;
    CuteLayout layout = NULL;
    if (cuteLayoutGetRank(type->layout) == 2 &&
        !type->layout->shape->numDynamic)
      layout =
          cuteTmaFindLayout(c, cuteIntTupleProductEach(c, type->layout->shape),
                            cuteProductsGetMajor(type),
                            (unsigned)cuteElementTypeGetBits(type->element));
    if (!layout)
      return cuteKernelFail(kernel, alloc,
                            "is no tile of two modes with rows of 16 bytes or "
                            "more for wgmma: the contiguous extent must be a "
                            "multiple of 16 bytes, the other one of 8");
    if (!cuteRetypeAlloc(&retype, alloc, layout, ALIGN))
      return false;
  }
  *changes = allocs.count;
  if (!allocs.count)
    return true;
  if (!cuteKernelRetype(kernel, &retype))
    return false;
  for (size_t i = 0; i < allocs.count; ++i)
    mlirOperationDestroy(allocs.data[i]);
  return true;
}

//===-- Order -------------------------------------------------------------===//

bool cuteProductsHasExchange(CuteKernel *kernel, MlirOperation loop) {
  CUTE_FOR_NESTED(op, loop)
    if (cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_BARRIER)
      return true;
  return false;
}

static MlirOperation findBarrierBefore(CuteKernel *kernel, MlirOperation op) {
  MlirOperation last = {NULL};
  for (MlirOperation at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
       !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    if (cuteEffectGet(kernel->dialect, at) == CUTE_EFFECT_BARRIER)
      last = at;
  return last;
}

// Tells whether an op of the same block before another is a barrier.
static bool hasBarrierBetween(CuteKernel *kernel, MlirOperation from,
                              MlirOperation to) {
  for (MlirOperation op = from; !mlirOperationEqual(op, to);
       op = mlirOperationGetNextInBlock(op))
    if (cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_BARRIER)
      return true;
  return false;
}

bool cuteProductsCheckExchange(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  for (size_t i = 0; i < products->count; ++i) {
    CuteProduct *p = &products->data[i];
    MlirOperation copies[] = {p->copyA, p->copyB};
    MlirValue tiles[] = {p->tileA, p->tileB};
    for (size_t side = 0; side < 2; ++side) {
      if (!isExchanged(kernel, tiles[side]))
        continue;
      if (products->isTensor)
        return cuteKernelFail(kernel, p->gemm,
                              "takes a tile that threads write in its round, "
                              "for which another thread would start it");
      if (hasBarrierBetween(kernel, copies[side], p->gemm))
        return cuteKernelFail(kernel, copies[side],
                              "brings what threads wrote to registers before "
                              "a barrier that the product stands behind, "
                              "where it may be overwritten");
    }
  }
  return true;
}

void cuteProductsEmitFences(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  for (size_t i = 0; i < products->count; ++i) {
    CuteProduct *p = &products->data[i];
    MlirOperation copies[] = {p->copyA, p->copyB};
    MlirValue tiles[] = {p->tileA, p->tileB};
    for (size_t side = 0; side < 2; ++side) {
      if (!isExchanged(kernel, tiles[side]))
        continue;
      MlirOperation barrier = findBarrierBefore(kernel, copies[side]);
      if (mlirOperationIsNull(barrier))
        continue;
      r.builder = cuteBuilderBefore(barrier);
      cuteEmitNamed(&r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
    }
  }
}
