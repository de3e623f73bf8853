#include "Transforms/products/to_wgmma.h"

enum { ROWS = 64, MOST_COLUMNS = 256, WARPGROUP = 128 };

//===-- Operands ----------------------------------------------------------===//

// The partition whose part of thread_idx, in shared memory, a copy brings to
// all of a fragment; null if it brings something else.
static MlirOperation findSource(CuteKernel *kernel, MlirOperation copy,
                                MlirValue fragment, MlirValue operand) {
  CuteDialect *dialect = kernel->dialect;
  CuteCopyParts parts;
  MlirOperation source = {NULL};
  if (cuteEffectGetCopy(dialect, copy, &parts) &&
      mlirValueIsNull(parts.predicate) &&
      cuteViewIsIn(dialect, parts.source, CUTE_SMEM))
    source = cuteMlirGetOwner(parts.source);
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, source);
  bool is = mlirValueEqual(operand, fragment) && decl &&
            decl->traits.divider != CUTE_NO_OPERAND &&
            cuteValueIsThread(dialect, getOperand(source, 2));
  return is ? source : (MlirOperation){NULL};
}

// Checks that nothing but products reads a fragment, which wgmma does not fill.
static bool checkReaders(CuteKernel *kernel, MlirValue fragment) {
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function)
    for (intptr_t i = 0;
         !cuteDialectIsOp(dialect, op, CUTE_OP_GEMM) && i < getNumOperands(op);
         ++i)
      if (cuteEffectReads(dialect, op, i) &&
          cuteViewIsOf(dialect, getOperand(op, i), CUTE_RMEM, fragment))
        cuteKernelFail(kernel, op,
                       "reads a fragment of a product, which is taken from "
                       "shared memory; copy the tile to another fragment");
  return !kernel->problem;
}

static bool isCopy(CuteKernel *kernel, MlirOperation op) {
  CuteCopyParts parts;
  return cuteEffectGetCopy(kernel->dialect, op, &parts);
}

// Matches operand i of a product to a tile in shared memory.
static bool matchOperand(CuteKernel *kernel, CuteProduct *p, intptr_t i,
                         MlirOperation *copy, MlirValue *tile) {
  MlirValue operand = getOperand(p->gemm, i);
  MlirValue fragment = cuteViewGetRoot(kernel->dialect, operand, CUTE_RMEM);
  *copy = cuteKernelFindWriter(kernel, fragment, CUTE_RMEM);
  if (mlirOperationIsNull(*copy))
    return cuteKernelFail(kernel, p->gemm,
                          "has an operand in registers that several ops "
                          "write, or none; a product of a warpgroup takes what "
                          "one copy brings from shared memory");
  MlirOperation source = findSource(kernel, *copy, fragment, operand);
  if (mlirOperationIsNull(source) && i == 3 && !isCopy(kernel, *copy))
    return cuteKernelFail(kernel, *copy,
                          "computes B of a product in registers, but a "
                          "warpgroup takes it from shared memory; store what "
                          "is computed to a tile there, or multiply the other "
                          "way round, as A may be in registers");
  if (mlirOperationIsNull(source))
    return cuteKernelFail(kernel, *copy,
                          "does not copy thread_idx's partition of a tile in "
                          "shared memory to the product's fragment");
  *tile = getOperand(source, 1);
  return checkReaders(kernel, fragment) &&
         cuteProductsCheckStays(kernel, p->gemm, *copy, *tile);
}

// Tells whether threads compute A of a product.
static bool isComputed(CuteKernel *kernel, MlirOperation gemm) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue a = cuteViewGetRoot(dialect, getOperand(gemm, 2), CUTE_RMEM);
  CUTE_FOR_NESTED(op, kernel->function)
    if ((cuteDialectIsOp(dialect, op, CUTE_OP_STORE_VECTOR) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_STORE) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_CONVERT)) &&
        mlirValueEqual(cuteViewGetWritten(dialect, op, CUTE_RMEM), a))
      return true;
  return false;
}

//===-- Instructions ------------------------------------------------------===//

CuteMajor cuteProductsGetMajor(CuteType tile) {
  CuteIntTuple stride = element(tile->layout->stride, 1);
  while (isTuple(stride) && stride->rank)
    stride = stride->elements[0];
  return isStatic(stride) && stride->value == 1 ? CUTE_MAJOR_K : CUTE_MAJOR_MN;
}

const CuteMmaAtom *cuteProductsFindAtom(const CuteMmaAtom *like,
                                        int64_t columns, CuteMmaSource source,
                                        CuteMajor a, CuteMajor b) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!strcmp(atom->kind->name, "WARPGROUP") && atom->n == columns &&
        atom->m == ROWS && atom->a == like->a && atom->b == like->b &&
        atom->c == like->c && atom->d == like->d && !atom->e.layout &&
        atom->sourceA == source && atom->majorA == a && atom->majorB == b &&
        atom->saturates == like->saturates && atom->bitOp == like->bitOp)
      return atom;
  }
  return NULL;
}

static int64_t extentOf(CuteKernel *kernel, CuteType tile, size_t mode) {
  return cuteIntTupleProduct(kernel->dialect->context,
                             element(tile->layout->shape, mode))
      ->value;
}

static bool hasTwoModes(CuteType tile) {
  return cuteLayoutGetRank(tile->layout) == 2 &&
         !tile->layout->shape->numDynamic;
}

// Gives the extents of the product's tiles: if A is in registers, the rows come
// from the fragment of sums.
static bool measure(CuteKernel *kernel, CuteProduct *p) {
  CuteContext c = kernel->dialect->context;
  CuteType b = cuteKernelType(kernel, p->tileB);
  bool isStatic = hasTwoModes(b);
  if (!mlirValueIsNull(p->tileA)) {
    isStatic &= hasTwoModes(cuteKernelType(kernel, p->tileA));
    if (isStatic)
      p->rows = extentOf(kernel, cuteKernelType(kernel, p->tileA), 0);
  } else {
    CuteType sums = cuteKernelType(kernel, getOperand(p->gemm, 1));
    CuteTiledMma mma = cuteTypeGetTiledMmaValue(
        cuteKernelType(kernel, getOperand(p->gemm, 0)));
    isStatic &= cuteLayoutGetRank(sums->layout) == 3;
    if (isStatic)
      p->rows =
          cuteTiledMmaGetTileSize(c, mma, 0)->value * extentOf(kernel, sums, 1);
  }
  if (!isStatic)
    return cuteKernelFail(kernel, p->gemm,
                          "multiplies tiles that do not have two static modes");
  p->columns = extentOf(kernel, b, 0);
  p->depth = extentOf(kernel, b, 1);
  return true;
}

// The widest instruction that divides so many columns; null if there is none.
static const CuteMmaAtom *findWidest(CuteKernel *kernel, const CuteProduct *p,
                                     int64_t columns) {
  const CuteMmaAtom *like =
      cuteKernelType(kernel, getOperand(p->gemm, 0))->atom;
  bool isTile = !mlirValueIsNull(p->tileA);
  CuteMmaSource source = isTile ? CUTE_MMA_SMEM : CUTE_MMA_REGISTERS;
  CuteMajor a = isTile ? cuteProductsGetMajor(cuteKernelType(kernel, p->tileA))
                       : CUTE_MAJOR_K;
  CuteMajor b = cuteProductsGetMajor(cuteKernelType(kernel, p->tileB));
  const CuteMmaAtom *atom = NULL;
  int64_t n = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
  for (; n > 0 && !atom; n -= 8)
    if (columns % n == 0)
      atom = cuteProductsFindAtom(like, n, source, a, b);
  return atom;
}

static bool chooseAtom(CuteProducts *products, CuteProduct *p) {
  CuteKernel *kernel = products->kernel;
  const CuteMmaAtom *like =
      cuteKernelType(kernel, getOperand(p->gemm, 0))->atom;
  if (!measure(kernel, p))
    return false;
  if (products->isTensor)
    return cuteProductsChooseTensor(products, p);
  if (p->rows % ROWS || p->columns % 8)
    return cuteKernelFail(
        kernel, p->gemm,
        "multiplies tiles of %jd rows and %jd columns; a warpgroup has 64 "
        "rows and a multiple of 8 columns: choose such tiles",
        p->rows, p->columns);
  p->atom = findWidest(kernel, p, p->columns);
  if (p->atom && p->depth % p->atom->k == 0)
    return true;
  return cuteKernelFail(
      kernel, p->gemm,
      "is %s, which wgmma cannot do on these tiles: elements of 8 bits and "
      "tf32 must be contiguous along K in both, and K of the tile must be a "
      "multiple of 32 bytes",
      like->name);
}

// Has warpgroups share a product's rows, or else the columns where A is in
// shared memory. False if there are not enough.
static bool shareProduct(CuteKernel *kernel, CuteProduct *p,
                         int64_t warpgroups) {
  p->isAcross = p->rows % (warpgroups * ROWS);
  if (p->isAcross &&
      (mlirValueIsNull(p->tileA) || p->columns % (warpgroups * 8)))
    return false;
  p->atom = findWidest(kernel, p, p->columns / (p->isAcross ? warpgroups : 1));
  return p->atom;
}

// The same of all products: the rows of one at least, or, where threads are
// divided so, the columns of all.
static bool share(CuteProducts *products, int64_t warpgroups, bool isDivided) {
  bool sharesRows = isDivided;
  products->warpgroups = warpgroups;
  for (size_t i = 0; i < products->count; ++i) {
    if (!shareProduct(products->kernel, &products->data[i], warpgroups))
      return false;
    sharesRows |= !products->data[i].isAcross;
  }
  return sharesRows;
}

// Tells whether threads keep their part of A, and the sums beside it, where
// they compute A of a product.
static bool keepsComputed(const CuteProducts *products) {
  for (size_t i = 0; i < products->count; ++i)
    if (mlirValueIsNull(products->data[i].tileA) &&
        !products->data[i].keepsDivision)
      return false;
  return true;
}

// Counts the warpgroups that share all products: where nobody says, as many as
// the block has if its threads keep their elements, or up to two.
static bool chooseWarpgroups(CuteProducts *products, int64_t wanted) {
  CuteKernel *kernel = products->kernel;
  if (products->isTensor)
    return cuteProductsChooseReaders(products, wanted);
  int64_t most = wanted > 2 ? wanted : 2, own = kernel->threads / WARPGROUP;
  bool computes = false;
  for (size_t i = 0; i < products->count; ++i)
    computes |= mlirValueIsNull(products->data[i].tileA);
  while (most > 1 && !share(products, most, false))
    --most;
  if (wanted > most)
    return cuteKernelFail(kernel, products->data[0].gemm,
                          "has rows for %jd warpgroups, not %jd", most, wanted);
  int64_t first = wanted ? wanted : own;
  products->keepsDivision = own > 0 && share(products, first, true) &&
                            cuteProductsKeepDivision(products);
  if (products->keepsDivision ||
      (computes && products->warpgroups == own && keepsComputed(products)))
    return true;
  return share(products, wanted ? wanted : most, false);
}

static bool matchProduct(CuteProducts *products, MlirOperation gemm,
                         CuteProduct *p) {
  CuteKernel *kernel = products->kernel;
  *p = (CuteProduct){.gemm = gemm};
  p->mma = cuteValueGetMaker(kernel->dialect, gemm, 0, CUTE_OP_MAKE_TILED_MMA);
  if (mlirOperationIsNull(p->mma))
    return cuteKernelFail(kernel, gemm,
                          "takes an MMA that is not a cute.make_tiled_mma");
  if (getNumOperands(gemm) != 5 ||
      !mlirValueEqual(getOperand(gemm, 1), getOperand(gemm, 4)))
    return cuteKernelFail(kernel, gemm, "adds to sums other than its result");
  return (isComputed(kernel, gemm) ||
          matchOperand(kernel, p, 2, &p->copyA, &p->tileA)) &&
         matchOperand(kernel, p, 3, &p->copyB, &p->tileB) &&
         chooseAtom(products, p);
}

bool cuteProductsMatch(CuteProducts *products, int64_t warpgroups) {
  CuteKernel *kernel = products->kernel;
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  products->data = cuteTaskAllocate((gemms.count + 1) * sizeof *products->data);
  bool ok = true;
  for (size_t i = 0; ok && i < gemms.count; ++i) {
    CuteType mma = cuteKernelType(kernel, getOperand(gemms.data[i], 0));
    const CuteMmaAtom *atom = mma->atom;
    if (!strcmp(atom->kind->name, "WARP"))
      ok = matchProduct(products, gemms.data[i],
                        &products->data[products->count++]);
  }
  ok = ok && products->count && chooseWarpgroups(products, warpgroups);
  if (ok)
    cuteProductsSeparate(products);
  return ok;
}
