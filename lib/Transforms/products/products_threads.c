// Has other threads than the plain kernel's take part, and divide the sums in
// another way, for products by wgmma and tcgen05.
#include "Transforms/products/to_wgmma.h"
#include "Transforms/tma/tma_tile.h"

enum { WARPGROUP = 128 };

//===-- Threads -----------------------------------------------------------===//

// The layout of threads with `factor` times as many, which continue where the
// last ones ended; null where they are not that many or dynamic.
static CuteLayout growThreads(CuteContext c, CuteLayout layout, int64_t threads,
                              int64_t factor) {
  CuteIntTuple shape = layout->shape;
  if (cuteLayoutGetNumDynamic(layout) || cuteLayoutIsComposed(layout) ||
      !isTuple(shape) || cuteLayoutGetSize(c, layout)->value != threads)
    return NULL;
  size_t last = 0;
  for (size_t i = 0; i < shape->rank; ++i) {
    if (isTuple(shape->elements[i]))
      return NULL;
    if (layout->stride->elements[i]->value >
        layout->stride->elements[last]->value)
      last = i;
  }
  CuteIntTuple extent = staticInt(c, shape->elements[last]->value * factor);
  return cuteLayoutGet(c, cuteIntTupleReplace(c, shape, (int64_t)last, extent),
                       layout->stride);
}

// Has more threads take part in a tiled copy that the kernel makes by itself.
static bool growCopy(CuteKernel *kernel, CuteRetype *retype, MlirOperation op,
                     int64_t factor) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue old = getOperand(op, 1);
  CuteType type = cuteDialectGetValueType(dialect, old);
  CuteLayout layout =
      type && type->layout
          ? growThreads(dialect->context, type->layout, kernel->threads, factor)
          : NULL;
  if (!layout)
    return cuteKernelFail(kernel, op,
                          "is for other threads than the block's %jd, of "
                          "which there are %jd now; give its threads a plain "
                          "layout of all",
                          kernel->threads, kernel->threads * factor);
  CuteRebuild r = cuteRebuildBefore(dialect, op);
  cuteRebuildSet(&r, old, cuteEmitLayout(&r, layout));
  cuteRebuildOp(&r, op);
  if (!r.failed)
    cuteRetypeSet(retype, getResult(op, 0), getResult(r.latest, 0));
  return !r.failed || cuteKernelFailOp(kernel, op);
}

// Tells whether ops ask for no more than the extents of a part.
static bool isOnlyMeasured(CuteDialect *dialect, MlirValue part) {
  CUTE_FOR_USES(use, part) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!cuteDialectIsOp(dialect, user, CUTE_OP_SIZE) &&
        !cuteDialectIsOp(dialect, user, CUTE_OP_GET_SHAPE))
      return false;
  }
  return true;
}

// Checks that partitions by tiled copies still cover their tiles.
static bool checkCovers(CuteKernel *kernel) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!cuteDialectIsOp(dialect, op, CUTE_OP_PARTITION_S) &&
        !cuteDialectIsOp(dialect, op, CUTE_OP_PARTITION_D))
      continue;
    MlirValue by = getOperand(op, 0);
    MlirValue part = getResult(op, 0);
    if (!isOnlyMeasured(dialect, part) &&
        !mlirOperationIsNull(
            cuteValueGetOpOf(dialect, by, CUTE_OP_MAKE_TILED_COPY)))
      cuteTmaMatchPart(kernel, op, by, part);
  }
  return !kernel->problem;
}

// Checks that no other op divides anything among the block's threads.
static bool checkDividers(CuteKernel *kernel) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (!decl || decl->traits.divider < 0)
      continue;
    MlirOperation by = cuteMlirGetOwner(getOperand(op, decl->traits.divider));
    if (mlirOperationIsNull(by) ||
        (!cuteDialectIsOp(dialect, by, CUTE_OP_MAKE_TILED_COPY) &&
         !cuteDialectIsOp(dialect, by, CUTE_OP_MAKE_TILED_COPY_A) &&
         !cuteDialectIsOp(dialect, by, CUTE_OP_MAKE_TILED_COPY_C) &&
         !cuteDialectIsOp(dialect, by, CUTE_OP_MAKE_TILED_MMA)))
      return cuteKernelFail(kernel, op,
                            "divides work among %jd threads, which the block "
                            "would no longer have",
                            kernel->threads);
  }
  return true;
}

// Sets who releases the pipelines' stages: warpgroups, warps if threads read
// stages, too, or the products in tensor memory.
static bool setConsumers(CuteProducts *products, CuteRetype *retype) {
  CuteKernel *kernel = products->kernel;
  int64_t warpgroups = products->isTensor ? 1 : products->warpgroups;
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_TMA)) {
    CuteRebuild r = cuteRebuildBefore(kernel->dialect, op);
    size_t n = (size_t)getNumOperands(op);
    MlirValue *loads = cuteTaskAllocate((n + 1) * sizeof *loads);
    for (size_t j = 0; j < n; ++j)
      loads[j] = getOperand(op, (intptr_t)j);
    bool byWarps = cuteProductsThreadsRead(kernel, getResult(op, 0));
    if (byWarps && products->isTensor)
      cuteKernelFail(kernel, op,
                     "loads tiles that threads read, too; only products by "
                     "tcgen05 say when a stage may be filled again");
    const char *agent = products->isTensor ? "tcgen05"
                        : byWarps          ? "warp"
                                           : "warpgroup";
    int64_t consumers = byWarps ? 4 * warpgroups : warpgroups;
    MlirOperation copy = cuteRebuildCreate(
        &r, CUTE_OP_MAKE_PIPELINE_TMA, n, loads,
        CUTE_NAMED({"stages", cuteMlirGetAttribute(op, "stages")},
                   {"consumers", cuteIntAttr(&r.builder, 32, consumers)},
                   {"agent", cuteStringAttr(&r.builder, agent)}));
    if (!r.failed)
      cuteRetypeSet(retype, getResult(op, 0), getResult(copy, 0));
    else
      cuteKernelFailOp(kernel, op);
  }
  return !kernel->problem;
}

static void removePlainPipelines(CuteKernel *kernel) {
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_TMA))
    if (!cuteMlirIsUsed(op))
      mlirOperationDestroy(op);
}

// Tells whether a copy only writes swizzled shared memory of a major, whose
// pieces of 16 bytes are whole.
static bool writesPieces(CuteKernel *kernel, MlirValue copy, CuteMajor major) {
  CUTE_FOR_USES(use, copy) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (cuteDialectIsOp(kernel->dialect, user, CUTE_OP_RETILE) ||
        cuteDialectIsOp(kernel->dialect, user, CUTE_OP_COPY))
      continue;
    CuteType tensor =
        cuteDialectIsOp(kernel->dialect, user, CUTE_OP_PARTITION_D)
            ? cuteDialectGetOperandType(kernel->dialect, user, 1)
            : NULL;
    if (!tensor || cuteTypeGetMemory(tensor) != CUTE_SMEM ||
        tensor->align < 1024 || !cuteLayoutHasSwizzle(tensor->layout) ||
        cuteProductsGetMajor(tensor) != major)
      return false;
  }
  return true;
}

static bool hasColumnsOf16(const CuteProducts *products) {
  for (size_t i = 0; i < products->count; ++i)
    if (products->data[i].atom->n % 16)
      return false;
  return true;
}

// The stmatrix that copies of sums to shared memory are, whose matrices are
// what wgmma leaves in the threads, transposed where columns are contiguous;
// null if they are none.
static const CuteCopyAtom *findStmatrix(CuteKernel *kernel, MlirOperation op) {
  const CuteCopyAtom *plain =
      cuteCopyAtomFind(cuteStringRef("UniversalCopy<uint32_t>"));
  CuteType copy = cuteDialectGetOperandType(kernel->dialect, op, 0);
  const CuteCopyAtom *atom = copy ? copy->atom : NULL;
  MlirValue made = getResult(op, 0);
  if (!atom || atom->kind != plain->kind || atom->bits > 32 ||
      cuteElementTypeGetBits(copy->element) != 16)
    return NULL;
  if (writesPieces(kernel, made, CUTE_MAJOR_K))
    return cuteCopyAtomFind(cuteStringRef("SM90_U32x4_STSM_N"));
  return atom->bits == 16 && writesPieces(kernel, made, CUTE_MAJOR_MN)
             ? cuteCopyAtomFind(cuteStringRef("SM90_U16x8_STSM_T"))
             : NULL;
}

static void useStmatrix(CuteProducts *products, CuteRetype *retype) {
  CuteKernel *kernel = products->kernel;
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_TILED_COPY_C)) {
    const CuteCopyAtom *four = findStmatrix(kernel, op);
    if (!four)
      continue;
    CuteRebuild r = cuteRebuildBefore(dialect, op);
    CuteType copy = cuteDialectGetOperandType(dialect, op, 0);
    CuteType type = cuteTypeGetCopyAtom(dialect->context, four, copy->element);
    MlirValue made =
        cuteEmit2(&r, CUTE_OP_MAKE_TILED_COPY_C, cuteEmitStatic(&r, type),
                  cuteRebuildGet(&retype->values, getOperand(op, 1)));
    if (!r.failed)
      cuteRetypeSet(retype, getResult(op, 0), made);
  }
}

void cuteProductsRemoveCopies(CuteProducts *products) {
  for (size_t i = 0; i < products->count; ++i) {
    MlirOperation copies[] = {products->data[i].copyA, products->data[i].copyB};
    for (size_t side = 0; side < 2; ++side) {
      bool isGone = mlirOperationIsNull(copies[side]);
      for (size_t j = 0; j < i; ++j)
        isGone |= mlirOperationEqual(products->data[j].copyA, copies[side]) ||
                  mlirOperationEqual(products->data[j].copyB, copies[side]);
      if (!isGone)
        mlirOperationDestroy(copies[side]);
    }
  }
  cuteKernelRemoveDead(products->kernel);
}

//===-- All of it ---------------------------------------------------------===//

bool cuteProductsEmitMma(CuteProducts *products, CuteProduct *p, CuteRebuild *r,
                         CuteRetype *retype) {
  CuteContext c = r->dialect->context;
  MlirValue old = getResult(p->mma, 0);
  if (cutePointerMapGet(&retype->values.values, old.ptr))
    return true;
  r->builder = cuteBuilderBefore(p->mma);
  CuteTiledMma division = cuteProductsGetMma(c, products, p);
  MlirValue operands[] = {
      cuteEmitStatic(r, cuteTypeGetMmaAtom(c, division.atom)),
      cuteEmitLayout(r, division.atomLayout),
      cuteEmitStatic(r, cuteTypeGetTile(c, division.permutation))};
  MlirValue mma = cuteRebuildCreateValue(r, CUTE_OP_MAKE_TILED_MMA,
                                         products->isTensor ? 3 : 2, operands);
  if (r->failed)
    return cuteKernelFailOp(products->kernel, p->mma);
  cuteRetypeSet(retype, old, mma);
  return true;
}

MlirValue cuteProductsEmitTile(CuteRebuild *r, MlirValue mma, MlirValue tile,
                               MlirValue leader, bool isA) {
  MlirValue part = cuteEmit3(r, isA ? CUTE_OP_PARTITION_A : CUTE_OP_PARTITION_B,
                             mma, tile, leader);
  return cuteEmit2(r, isA ? CUTE_OP_MAKE_FRAGMENT_A : CUTE_OP_MAKE_FRAGMENT_B,
                   mma, part);
}

bool cuteProductsRedivide(CuteProducts *products, CuteRetype *retype) {
  CuteKernel *kernel = products->kernel;
  int64_t threads = products->warpgroups * WARPGROUP;
  bool ok = threads == kernel->threads || checkDividers(kernel);
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_TILED_COPY))
    if (ok && threads != kernel->threads)
      ok = growCopy(kernel, retype, op, threads / kernel->threads);
  if (ok && hasColumnsOf16(products))
    useStmatrix(products, retype);
  if (ok)
    cuteKernelSetThreads(kernel, threads);
  if (!ok || !setConsumers(products, retype) ||
      !cuteKernelRetype(kernel, retype))
    return false;
  cuteProductsCountElements(kernel);
  removePlainPipelines(kernel);
  cuteKernelRemoveDead(kernel);
  return checkCovers(kernel);
}

//===-- Conditions --------------------------------------------------------===//

static bool isReadByProducts(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  for (size_t i = 0; i < products->count; ++i) {
    MlirValue tiles[] = {products->data[i].tileA, products->data[i].tileB};
    for (size_t side = 0; side < 2; ++side) {
      if (mlirValueIsNull(tiles[side]))
        continue;
      CuteType type =
          cuteDialectGetType(kernel->dialect, mlirValueGetType(tiles[side]));
      if (!cuteLayoutHasSwizzle(type->layout) && type->align < 128)
        return cuteKernelFail(kernel, products->data[i].gemm,
                              "multiplies tiles that do not lie as tensor "
                              "cores read them; cute-tma loads them so");
    }
  }
  return true;
}

bool cuteProductsCheck(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  MlirOperation gemm = products->data[0].gemm;
  int64_t threads = products->warpgroups * WARPGROUP;
  for (size_t i = 0; i < products->count; ++i)
    cuteProductsAdopt(products, getOperand(products->data[i].gemm, 1));
  return cuteKernelCheckThreads(kernel) &&
         (cuteOpListHas(kernel->dialect, kernel->function,
                        CUTE_OP_MAKE_PIPELINE_TMA) ||
          cuteKernelFail(kernel, gemm,
                         "takes tiles that TMA did not load; cute-tma has it "
                         "do so")) &&
         isReadByProducts(products) && cuteProductsCheckExchange(products) &&
         (products->keepsDivision ||
          (products->keepsLanes ? cuteProductsCheckRows(products)
                                : cuteProductsCheckUses(products))) &&
         (threads % kernel->threads == 0 ||
          cuteKernelFail(kernel, gemm,
                         "is computed by %jd threads, and cannot be by %jd",
                         kernel->threads, threads));
}
