#include "Transforms/products/to_wgmma.h"

enum {
  // Multiply-adds of 16-bit elements that a multiprocessor of Hopper makes in a
  // cycle: 989.4 TFLOP/s dense, 132 of them, 1.83 GHz (H100 white paper).
  RATE = 2048,
};

static int64_t extentOf(CuteContext c, CuteType tile, size_t mode) {
  return cuteIntTupleProduct(c, element(tile->layout->shape, mode))->value;
}

// Counts the cycles of a product of two tiles.
static int64_t cyclesOf(CuteProducts *products, const CuteProduct *p) {
  CuteDialect *dialect = products->kernel->dialect;
  CuteContext c = dialect->context;
  CuteType a = cuteDialectGetValueType(dialect, p->tileA);
  CuteType b = cuteDialectGetValueType(dialect, p->tileB);
  return extentOf(c, a, 0) * extentOf(c, a, 1) * extentOf(c, b, 0) *
         cuteElementTypeGetBits(b->element) / 16 / RATE;
}

void cuteCostNote(CuteProducts *products, MlirLocation location) {
  CuteKernel *kernel = products->kernel;
  CuteOps pipelines = cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_TMA);
  int64_t cycles = 0;
  bool isOne = pipelines.count == 1;
  for (size_t i = 0; isOne && i < products->count; ++i) {
    const CuteProduct *p = &products->data[i];
    isOne = !mlirValueIsNull(p->tileA) &&
            mlirBlockEqual(mlirOperationGetBlock(p->gemm),
                           mlirOperationGetBlock(products->data[0].gemm));
    cycles += isOne ? cyclesOf(products, p) : 0;
  }
  if (isOne && cycles) {
    CutePipeline p = cuteTypeGetPipelineValue(
        cuteKernelType(kernel, getResult(pipelines.data[0], 0)));
    cuteKernelNote(
        kernel, location,
        "a round takes the tensor cores %jd cycles and loads %jd bytes, %jd "
        "a cycle; with %jd stages a load may take %jd cycles",
        cycles, p.bytes, p.bytes / cycles, p.stages, cycles * (p.stages - 1));
  }
}
