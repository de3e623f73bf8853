// Operands that threads write to shared memory in the round of their product:
// they get a layout that tensor cores read, and a fence in front of the barrier
// after which the product reads them.
#include "Transforms/products/to_wgmma.h"
#include "Transforms/tma/tma_tile.h"

static MlirOperation allocOf(CuteKernel *kernel, MlirValue tile) {
  MlirOperation op =
      cuteMlirGetOwner(cuteViewGetRoot(kernel->dialect, tile, CUTE_SMEM));
  return cuteDialectIsOp(kernel->dialect, op, CUTE_OP_ALLOC_SMEM)
             ? op
             : (MlirOperation){NULL};
}

// An operand that threads write: its tile, and the copy that brings it.
typedef struct Operand {
  CuteProduct *product; // null for an operand that threads do not write
  MlirOperation copy;
  MlirOperation alloc;
} Operand;

// Operand i of all products, A and B of each.
static Operand operandOf(CuteProducts *products, size_t i) {
  CuteProduct *p = &products->data[i / 2];
  MlirValue tile = i % 2 ? p->tileB : p->tileA;
  Operand operand = {NULL, i % 2 ? p->copyB : p->copyA, {NULL}};
  if (mlirValueIsNull(tile) ||
      cuteProductsIsLoaded(products->kernel, tile, p->gemm))
    return operand;
  operand.alloc = allocOf(products->kernel, tile);
  operand.product = mlirOperationIsNull(operand.alloc) ? NULL : p;
  return operand;
}

MlirOperation cuteProductsGetWritten(CuteProducts *products, size_t i,
                                     bool isB) {
  return operandOf(products, 2 * i + isB).alloc;
}

bool cuteProductsWaitsForThreads(CuteProducts *products, size_t i) {
  return mlirValueIsNull(products->data[i].tileA) ||
         operandOf(products, 2 * i).product ||
         operandOf(products, 2 * i + 1).product;
}

//===-- Layouts -----------------------------------------------------------===//

// Lists the allocations of such operands that have no swizzle yet.
static CuteOps findPlain(CuteProducts *products) {
  CuteDialect *dialect = products->kernel->dialect;
  CuteOps allocs = {0};
  for (size_t i = 0; i < 2 * products->count; ++i) {
    Operand o = operandOf(products, i);
    if (o.product && !cuteOpsContain(&allocs, o.alloc) &&
        !cuteLayoutHasSwizzle(
            cuteDialectGetResultType(dialect, o.alloc, 0)->layout))
      cuteOpsPush(&allocs, o.alloc);
  }
  return allocs;
}

// `changes` if there are any, for which products are to be matched again.
static bool relayout(CuteProducts *products, bool *changes) {
  enum { ALIGN = 1024 }; // bytes, after which every swizzle repeats itself
  CuteKernel *kernel = products->kernel;
  CuteOps allocs = findPlain(products);
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  CUTE_FOR_LIST(alloc, allocs) {
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
      return cuteKernelFail(
          kernel, alloc,
          "is not a tile of two modes with rows of at least 16 bytes for "
          "wgmma: the contiguous extent must be a "
          "multiple of 16 bytes, the other one of 8");
    if (!cuteRetypeAlloc(&retype, alloc, layout, ALIGN))
      return false;
  }
  *changes = allocs.count;
  if (!allocs.count)
    return true;
  if (!cuteKernelRetype(kernel, &retype))
    return false;
  CUTE_FOR_LIST(op, allocs)
    mlirOperationDestroy(op);
  return true;
}

bool cuteProductsMatchTiles(CuteProducts *products, int64_t warpgroups) {
  CuteProducts given = *products;
  bool changes = false;
  if (!cuteProductsMatch(products, warpgroups) || !relayout(products, &changes))
    return false;
  if (!changes)
    return true;
  *products = given;
  return cuteProductsMatch(products, warpgroups);
}

//===-- Order -------------------------------------------------------------===//

bool cuteProductsHasExchange(CuteKernel *kernel, MlirOperation loop) {
  CUTE_FOR_NESTED(op, loop)
    if (cuteEffectGet(kernel->dialect, op) == CUTE_EFFECT_BARRIER)
      return true;
  return false;
}

static MlirOperation findBarrierBefore(CuteKernel *kernel, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  return cuteKernelFindBarrier(kernel, mlirBlockGetFirstOperation(block), op);
}

bool cuteProductsCheckExchange(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  for (size_t i = 0; i < 2 * products->count; ++i) {
    Operand o = operandOf(products, i);
    if (!o.product)
      continue;
    if (mlirOperationIsNull(findBarrierBefore(kernel, o.copy)))
      return cuteKernelFail(
          kernel, o.copy,
          "copies to registers what threads wrote in the previous round; write "
          "it in the same round, before a gpu.barrier");
    if (!mlirOperationIsNull(
            cuteKernelFindBarrier(kernel, o.copy, o.product->gemm)))
      return cuteKernelFail(kernel, o.copy,
                            "copies what threads wrote to registers, but a "
                            "gpu.barrier between it and the product lets them "
                            "overwrite the tile before wgmma has read it");
  }
  return true;
}

void cuteProductsEmitFences(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  CuteOps fenced = {0};
  for (size_t i = 0; i < 2 * products->count; ++i) {
    Operand o = operandOf(products, i);
    MlirOperation barrier =
        o.product ? findBarrierBefore(kernel, o.copy) : (MlirOperation){NULL};
    if (mlirOperationIsNull(barrier) || cuteOpsContain(&fenced, barrier))
      continue;
    cuteOpsPush(&fenced, barrier);
    r.builder = cuteBuilderBefore(barrier);
    cuteEmitNamed(&r, CUTE_OP_FENCE_PROXY, "kind", "async.shared", 0, NULL);
  }
}
