// Tells whether warpgroups divide sums among threads as the plain MMA does.
#include "Transforms/products/to_wgmma.h"

// Tells whether both give each thread the same elements of an operand in the
// same order, or, if `may` allows it, the elements of another warp's thread.
// Products take A from registers by mode, whose sizes are equal then.
static bool areSame(CuteContext c, CuteTiledMma a, CuteTiledMma b,
                    CuteMmaOperand operand, int64_t rows, int64_t columns,
                    int64_t threads, bool mayBeOthers) {
  int64_t distance = 0;
  CuteIntTuple shape[] = {staticInt(c, rows), staticInt(c, columns)};
  CuteLayout tile = cuteLayoutGet(c, cuteInternTuple(c, 2, shape), NULL);
  for (int64_t i = 0; i < threads; ++i) {
    CuteIntTuple thread = staticInt(c, i);
    CutePartition x = cuteTiledMmaPartition(c, a, operand, tile, thread);
    CutePartition y = cuteTiledMmaPartition(c, b, operand, tile, thread);
    if (!x.layout || !y.layout)
      return false;
    if (mayBeOthers && i % 32 == 0)
      distance = y.offset->value - x.offset->value;
    if (y.offset->value - x.offset->value != distance ||
        cuteLayoutCoalesce(c, x.layout, NULL) !=
            cuteLayoutCoalesce(c, y.layout, NULL) ||
        (operand == CUTE_OPERAND_A &&
         cuteIntTupleProductEach(c, x.layout->shape) !=
             cuteIntTupleProductEach(c, y.layout->shape)))
      return false;
  }
  return true;
}

CuteTiledMma cuteProductsGetMma(CuteContext c, const CuteProducts *products,
                                const CuteProduct *product) {
  if (products->isTensor)
    return cuteProductsGetReader(c, products, product);
  int64_t warpgroups = products->warpgroups;
  CuteIntTuple one = staticInt(c, 1), zero = staticInt(c, 0);
  CuteIntTuple shape[] = {one, one, one}, stride[] = {zero, zero, zero};
  shape[product->isAcross] = staticInt(c, warpgroups);
  stride[product->isAcross] = warpgroups > 1 ? one : zero;
  CuteTile all = cuteTileGetUnderscore(c), none[] = {all, all, all};
  return (CuteTiledMma){.atom = product->atom,
                        .atomLayout =
                            cuteLayoutGet(c, cuteInternTuple(c, 3, shape),
                                          cuteInternTuple(c, 3, stride)),
                        .permutation = cuteTileGetTuple(c, 3, none)};
}

// The same of the sums of a product, and of A where it is in registers.
static bool keeps(const CuteProducts *products, const CuteProduct *p,
                  bool mayBeOthers) {
  CuteKernel *kernel = products->kernel;
  CuteContext c = kernel->dialect->context;
  int64_t threads = kernel->threads;
  CuteTiledMma old = cuteTypeGetTiledMmaValue(
      cuteDialectGetOperandType(kernel->dialect, p->gemm, 0));
  CuteTiledMma new = cuteProductsGetMma(c, products, p);
  return cuteLayoutGetSize(c, cuteTiledMmaGetThrLayout(c, old))->value ==
             threads &&
         areSame(c, old, new, CUTE_OPERAND_C, p->rows, p->columns, threads,
                 mayBeOthers) &&
         (!mlirValueIsNull(p->tileA) ||
          areSame(c, old, new, CUTE_OPERAND_A, p->rows, p->depth, threads,
                  mayBeOthers));
}

bool cuteProductsKeepDivision(CuteProducts *products) {
  bool isSame = products->warpgroups * 128 == products->kernel->threads;
  bool all = isSame;
  for (size_t i = 0; i < products->count; ++i) {
    CuteProduct *p = &products->data[i];
    p->keepsDivision = isSame && keeps(products, p, false);
    all &= p->keepsDivision;
  }
  return all;
}

bool cuteProductsKeepLanes(const CuteProducts *products) {
  bool all = products->warpgroups * 128 == products->kernel->threads;
  for (size_t i = 0; all && i < products->count; ++i)
    all = keeps(products, &products->data[i], true);
  return all;
}
