// cute-wgmma: products of tiles in shared memory become products of warpgroups
// (docs/passes.md). The fragments of A and B go, as wgmma reads shared memory
// itself; the sums are divided among threads as wgmma has them, and with them
// all that is partitioned by the tiled MMA.

#include "Transforms/products/to_wgmma.h"
#include "Transforms/sm90.h"
#include "Transforms/tma/store_pieces.h"

enum { WARPGROUP = 128 };

//===-- Products ----------------------------------------------------------===//

// The first thread of the warpgroup, which the compiler sees to be the same in
// all its threads.
static MlirValue emitLeader(CuteKernel *kernel, int64_t warpgroups) {
  MlirLocation location = mlirOperationGetLocation(kernel->function);
  CuteBuilder b = cuteBuilderAtStart(kernel->block, location);
  if (warpgroups == 1)
    return cuteBuildInt(&b, 32, 0);
  CuteRebuild r = {.dialect = kernel->dialect, .builder = b};
  MlirValue thread = cuteEmit0(&r, CUTE_OP_THREAD_IDX);
  return cuteEmitUniform(&b,
                         cuteEmitWith(&r, "arith.andi", thread, -WARPGROUP));
}

static bool rewriteProduct(CuteProducts *products, CuteProduct *p,
                           CuteRebuild *r, CuteRetype *retype,
                           MlirValue leader) {
  if (!cuteProductsEmitMma(products, p, r, retype))
    return false;
  MlirValue mma = cuteRebuildGet(&retype->values, getResult(p->mma, 0));
  r->builder = cuteBuilderBefore(p->gemm);
  MlirValue a = getOperand(p->gemm, 2);
  if (!mlirValueIsNull(p->tileA))
    a = cuteProductsEmitTile(r, mma, p->tileA, leader, true);
  MlirValue b = cuteProductsEmitTile(r, mma, p->tileB, leader, false);
  if (r->failed)
    return cuteKernelFailOp(products->kernel, p->gemm);
  mlirOperationSetOperand(p->gemm, 2, a);
  mlirOperationSetOperand(p->gemm, 3, b);
  return true;
}

static bool rewrite(CuteProducts *products, bool alternates) {
  CuteKernel *kernel = products->kernel;
  CuteRebuild r = {.dialect = kernel->dialect};
  CuteRetype retype = cuteRetypeBegin(kernel->dialect);
  MlirValue leader = emitLeader(kernel, products->warpgroups);
  for (size_t i = 0; i < products->count; ++i)
    if (!rewriteProduct(products, &products->data[i], &r, &retype, leader))
      return false;
  cuteProductsEmitFences(products);
  cuteProductsRemoveCopies(products);
  if (!cuteProductsRedivide(products, &retype))
    return false;
  cuteProductsDropClears(kernel);
  return cuteProductsEmitWaits(kernel) && cuteProductsOverlap(kernel) &&
         cuteStoreSplit(kernel, alternates);
}

//===-- The pass ----------------------------------------------------------===//

// Tells whether no product before product i has its instruction.
static bool isFirstOfAtom(const CuteProducts *products, size_t i) {
  for (size_t j = 0; j < i; ++j)
    if (products->data[j].atom == products->data[i].atom)
      return false;
  return true;
}

bool cuteWgmmaEdit(CuteKernel *kernel, void *data) {
  CuteSchedule schedule;
  CuteProducts products = {.kernel = kernel};
  bool ok = cuteScheduleRead(kernel, data, &schedule) &&
            cuteProductsMatchTiles(&products, schedule.warpgroups) &&
            cuteProductsCheck(&products);
  MlirLocation location =
      ok ? mlirOperationGetLocation(products.data[0].gemm) : kernel->location;
  if (ok)
    cuteCostNote(&products, location);
  ok = ok && rewrite(&products, schedule.alternates);
  if (ok && !products.keepsDivision)
    cuteScheduleSet(kernel, "warpgroups", products.warpgroups);
  for (size_t i = 0; ok && i < products.count; ++i)
    if (isFirstOfAtom(&products, i))
      cuteKernelNote(kernel, location,
                     "wgmma multiplies, by %jd warpgroup%s: %s",
                     products.warpgroups, products.warpgroups == 1 ? "" : "s",
                     products.data[i].atom->name);
  return ok;
}
