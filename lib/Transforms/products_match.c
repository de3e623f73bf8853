#include "Transforms/to_wgmma.h"

#include "cute/Atom.h"

#include <stdlib.h>

enum { ROWS = 64, MOST_COLUMNS = 256, WARPGROUP = 128 };

void cuteProductsDestroy(CuteProducts *products) { free(products->data); }

static CuteType typeOf(CuteKernel *kernel, MlirValue value) {
  return cuteDialectGetType(kernel->dialect, mlirValueGetType(value));
}

//===-- Operands ----------------------------------------------------------===//

// The only op that writes to a fragment, in front of the product in its block;
// null with a problem.
static MlirOperation findWriter(CuteKernel *kernel, MlirOperation gemm,
                                MlirValue fragment) {
  CuteDialect *dialect = kernel->dialect;
  CuteOpList list = cuteOpListCollect(dialect, kernel->function);
  MlirOperation writer = {NULL};
  size_t n = 0;
  for (size_t i = 0; i < list.count; ++i) {
    intptr_t written = list.decls[i]->traits.written;
    if (written < 0 ||
        !cuteViewIsIn(dialect, mlirOperationGetOperand(list.ops[i], written),
                      CUTE_RMEM))
      continue;
    MlirValue root = cuteViewGetRoot(
        dialect, mlirOperationGetOperand(list.ops[i], written), CUTE_RMEM);
    if (!mlirValueEqual(root, fragment))
      continue;
    writer = list.ops[i];
    ++n;
  }
  cuteOpListDestroy(&list);
  if (n == 1 && mlirBlockEqual(mlirOperationGetBlock(writer),
                               mlirOperationGetBlock(gemm)))
    return writer;
  cuteKernelFail(kernel, gemm,
                 "has an operand in registers that %s; a product of a "
                 "warpgroup takes what one copy brings from shared memory",
                 n ? "several ops write, or one in another block"
                   : "no op writes");
  return (MlirOperation){NULL};
}

// Matches operand i of a product to a tile in shared memory.
static bool matchOperand(CuteKernel *kernel, CuteProduct *p, intptr_t i,
                         MlirOperation *copy, MlirValue *tile) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue operand = mlirOperationGetOperand(p->gemm, i);
  MlirValue fragment = cuteViewGetRoot(dialect, operand, CUTE_RMEM);
  *copy = findWriter(kernel, p->gemm, fragment);
  if (mlirOperationIsNull(*copy))
    return false;
  CuteCopyParts parts;
  MlirOperation source = {NULL};
  if (cuteEffectGetCopy(dialect, *copy, &parts) &&
      mlirValueIsNull(parts.predicate) &&
      cuteViewIsIn(dialect, parts.source, CUTE_SMEM))
    source = cuteValueGetOp(parts.source);
  const CuteOpDecl *decl =
      mlirOperationIsNull(source) ? NULL : cuteDialectGetDecl(dialect, source);
  if (!mlirValueEqual(operand, fragment) || !decl ||
      decl->traits.divider == CUTE_NO_OPERAND ||
      !cuteValueIsThread(dialect, mlirOperationGetOperand(source, 2)))
    return cuteKernelFail(kernel, *copy,
                          "does not bring the part that thread_idx has of a "
                          "tile in shared memory to the fragment that the "
                          "product takes");
  *tile = mlirOperationGetOperand(source, 1);
  return true;
}

//===-- Instructions ------------------------------------------------------===//

CuteMajor cuteProductsGetMajor(CuteType tile) {
  CuteIntTuple stride = element(tile->layout->stride, 1);
  while (isTuple(stride) && stride->rank)
    stride = stride->elements[0];
  return isStatic(stride) && stride->value == 1 ? CUTE_MAJOR_K : CUTE_MAJOR_MN;
}

// The instruction for so many columns that multiplies the same types.
static const CuteMmaAtom *findAtom(const CuteMmaAtom *like, int64_t columns,
                                   CuteMajor a, CuteMajor b) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!strcmp(atom->kind->name, "WARPGROUP") && atom->n == columns &&
        atom->m == ROWS && atom->a == like->a && atom->b == like->b &&
        atom->c == like->c && atom->d == like->d && !atom->e.layout &&
        atom->sourceA == CUTE_MMA_SMEM && atom->majorA == a &&
        atom->majorB == b && atom->saturates == like->saturates &&
        atom->bitOp == like->bitOp)
      return atom;
  }
  return NULL;
}

static int64_t extentOf(CuteKernel *kernel, CuteType tile, size_t mode) {
  return cuteIntTupleProduct(kernel->dialect->context,
                             element(tile->layout->shape, mode))
      ->value;
}

static bool chooseAtom(CuteKernel *kernel, CuteProduct *p) {
  CuteType a = typeOf(kernel, p->tileA), b = typeOf(kernel, p->tileB);
  const CuteMmaAtom *like =
      typeOf(kernel, mlirOperationGetOperand(p->gemm, 0))->atom;
  if (cuteLayoutGetRank(a->layout) != 2 || cuteLayoutGetRank(b->layout) != 2 ||
      a->layout->shape->numDynamic || b->layout->shape->numDynamic)
    return cuteKernelFail(kernel, p->gemm,
                          "multiplies tiles that have no two static modes");
  int64_t rows = extentOf(kernel, a, 0), columns = extentOf(kernel, b, 0);
  if (rows % ROWS || columns % 8)
    return cuteKernelFail(
        kernel, p->gemm,
        "multiplies tiles of %lld rows and %lld columns; a warpgroup has 64 "
        "rows and a multiple of 8 columns: choose such tiles",
        (long long)rows, (long long)columns);
  for (int64_t n = columns < MOST_COLUMNS ? columns : MOST_COLUMNS;
       n > 0 && !p->atom; n -= 8)
    if (columns % n == 0)
      p->atom =
          findAtom(like, n, cuteProductsGetMajor(a), cuteProductsGetMajor(b));
  if (p->atom && extentOf(kernel, a, 1) % p->atom->k == 0)
    return true;
  return cuteKernelFail(
      kernel, p->gemm,
      "is %s, for which there is no wgmma on these tiles: with elements of 8 "
      "bits, and tf32, both must be contiguous along K, and K of the tile a "
      "multiple of 32 bytes",
      like->name);
}

// Counts the warpgroups that share the rows of all products.
static bool chooseWarpgroups(CuteProducts *products, int64_t wanted) {
  CuteKernel *kernel = products->kernel;
  int64_t most = 2;
  for (size_t i = 0; i < products->count; ++i) {
    int64_t rows = extentOf(kernel, typeOf(kernel, products->data[i].tileA), 0);
    while (most > 1 && rows % (most * ROWS))
      --most;
  }
  if (wanted > most)
    return cuteKernelFail(kernel, products->data[0].gemm,
                          "has rows for %lld warpgroups, not %lld",
                          (long long)most, (long long)wanted);
  products->warpgroups = wanted ? wanted : most;
  return true;
}

static bool matchProduct(CuteKernel *kernel, MlirOperation gemm,
                         CuteProduct *p) {
  *p = (CuteProduct){.gemm = gemm};
  p->mma = cuteValueGetOpOf(kernel->dialect, mlirOperationGetOperand(gemm, 0),
                            CUTE_OP_MAKE_TILED_MMA);
  if (mlirOperationIsNull(p->mma))
    return cuteKernelFail(kernel, gemm,
                          "takes an MMA that is no cute.make_tiled_mma");
  if (mlirOperationGetNumOperands(gemm) != 5 ||
      !mlirValueEqual(mlirOperationGetOperand(gemm, 1),
                      mlirOperationGetOperand(gemm, 4)))
    return cuteKernelFail(kernel, gemm, "adds to other sums than its result");
  return matchOperand(kernel, p, 2, &p->copyA, &p->tileA) &&
         matchOperand(kernel, p, 3, &p->copyB, &p->tileB) &&
         chooseAtom(kernel, p);
}

bool cuteProductsMatch(CuteProducts *products, int64_t warpgroups) {
  CuteKernel *kernel = products->kernel;
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  products->data = cuteAllocate((gemms.count + 1) * sizeof *products->data);
  bool ok = true;
  for (size_t i = 0; ok && i < gemms.count; ++i) {
    CuteType mma = typeOf(kernel, mlirOperationGetOperand(gemms.data[i], 0));
    const CuteMmaAtom *atom = mma->atom;
    if (!strcmp(atom->kind->name, "WARP"))
      ok = matchProduct(kernel, gemms.data[i],
                        &products->data[products->count++]);
  }
  for (size_t i = 1; ok && i < products->count; ++i)
    for (size_t j = 0; ok && j < i; ++j)
      if (mlirOperationEqual(products->data[i].mma, products->data[j].mma) &&
          products->data[i].atom != products->data[j].atom)
        ok = cuteKernelFail(kernel, products->data[i].gemm,
                            "shares a tiled MMA with a product of tiles of "
                            "another size; give each its own");
  free(gemms.data);
  return ok && products->count && chooseWarpgroups(products, warpgroups);
}
