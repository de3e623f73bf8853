// Gives products of tiles of different sizes a tiled MMA each, where a program
// divides all of them by one.
#include "Transforms/products/to_wgmma.h"

//===-- Ownership ---------------------------------------------------------===//

// Adds the ops of the dialect that a value is made by.
static void addMakers(CuteDialect *dialect, CutePointerMap *makers,
                      MlirValue value) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (!cuteDialectGetDecl(dialect, op) || cutePointerMapGet(makers, op.ptr))
    return;
  cutePointerMapSet(makers, op.ptr, op.ptr);
  CUTE_FOR_OPERANDS(operand, op)
    addMakers(dialect, makers, operand);
}

static void addMakersOfOperands(CuteDialect *dialect, CutePointerMap *makers,
                                MlirOperation op) {
  for (intptr_t i = 0; !mlirOperationIsNull(op) && i < getNumOperands(op); ++i)
    addMakers(dialect, makers, getOperand(op, i));
}

static bool hasExtents(CuteKernel *kernel, const CuteProduct *p,
                       MlirValue tile) {
  CuteContext c = kernel->dialect->context;
  CuteType type = cuteKernelType(kernel, tile);
  CuteIntTuple shape = type && type->layout ? type->layout->shape : NULL;
  return shape && isTuple(shape) && shape->rank == 2 && !shape->numDynamic &&
         cuteIntTupleProduct(c, element(shape, 0))->value == p->rows &&
         cuteIntTupleProduct(c, element(shape, 1))->value == p->columns;
}

// Tells whether an op divides a tile of the size of a product's sums, as does a
// copy of sums by a use of it.
static bool dividesTile(CuteKernel *kernel, const CuteProduct *p,
                        MlirOperation op) {
  CuteDialect *dialect = kernel->dialect;
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_TILED_COPY_C))
    return getNumOperands(op) > 1 && hasExtents(kernel, p, getOperand(op, 1));
  CUTE_FOR_USES(use, getResult(op, 0)) {
    MlirOperation by = mlirOpOperandGetOwner(use);
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, by);
    if (decl && decl->traits.divider >= 0 &&
        hasExtents(kernel, p, getOperand(by, 1)))
      return true;
  }
  return false;
}

// Tells whether an op that takes a tiled MMA does so for a product: it makes
// the product's operands, or divides a tile like its sums.
static bool isFor(CuteKernel *kernel, const CuteProduct *p, MlirOperation op) {
  CuteDialect *dialect = kernel->dialect;
  if (mlirOperationEqual(op, p->gemm))
    return true;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  CUTE_SCOPED(PointerMap) makers = {0};
  bool isOfSums = decl && decl->traits.follows == CUTE_DIVISION_C;
  if (isOfSums)
    addMakers(dialect, &makers, getOperand(p->gemm, 1));
  for (intptr_t i = 2; !isOfSums && i < 4; ++i)
    addMakers(dialect, &makers, getOperand(p->gemm, i));
  if (!isOfSums) {
    addMakersOfOperands(dialect, &makers, p->copyA);
    addMakersOfOperands(dialect, &makers, p->copyB);
  }
  return cutePointerMapGet(&makers, op.ptr) ||
         (isOfSums && dividesTile(kernel, p, op));
}

//===-- Separation --------------------------------------------------------===//

// Tells whether two products need different tiled MMAs.
static bool haveOthers(const CuteProduct *a, const CuteProduct *b) {
  return a->atom != b->atom || a->isAcross != b->isAcross;
}

// Gives a product, and what is for it alone, a copy of its MMA.
static void separate(CuteProducts *products, CuteProduct *p) {
  CuteKernel *kernel = products->kernel;
  MlirOperation old = p->mma, copy = mlirOperationClone(old);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(old), old, copy);
  CuteOps users = {0};
  CUTE_FOR_USES(use, getResult(old, 0))
    cuteOpsPush(&users, mlirOpOperandGetOwner(use));
  CUTE_FOR_LIST(user, users) {
    bool isShared = !isFor(kernel, p, user);
    for (size_t j = 0; !isShared && j < products->count; ++j)
      isShared = &products->data[j] != p &&
                 mlirOperationEqual(products->data[j].mma, old) &&
                 haveOthers(&products->data[j], p) &&
                 isFor(kernel, &products->data[j], user);
    for (intptr_t j = 0; !isShared && j < getNumOperands(user); ++j)
      if (mlirValueEqual(getOperand(user, j), getResult(old, 0)))
        mlirOperationSetOperand(user, j, getResult(copy, 0));
  }
  p->mma = copy;
}

void cuteProductsSeparate(CuteProducts *products) {
  for (size_t i = 1; i < products->count; ++i)
    for (size_t j = 0; j < i; ++j) {
      CuteProduct *p = &products->data[i], *before = &products->data[j];
      if (mlirOperationEqual(p->mma, before->mma) && haveOthers(p, before))
        separate(products, p);
    }
}
