// Checks what depends on how an MMA divides its sums among threads: where that
// changes, an op that treats all elements in the same way may follow, but no op
// that picks elements by their place.
#include "Transforms/products/to_wgmma.h"

// The operands of an MMA whose division among threads a value follows, as bits.
// A value of none is the MMA itself, or made by it for any of them.
// From OF_A on they are in the order of CuteDivision.
typedef enum Division { OF_A = 1, OF_B = 2, OF_SUMS = 4, KNOWN = 8 } Division;

typedef struct Uses {
  CuteProducts *products;
  CutePointerMap derived; // values that follow from an MMA, and their Division
  CutePointerMap folds;   // of sums, in each thread
  bool hasAdopted;        // a fragment, whose uses follow as well
  MlirOperation elements; // the latest loop over elements of sums
} Uses;

static bool isDerived(Uses *uses, MlirValue value) {
  return cutePointerMapGet(&uses->derived, value.ptr);
}

static unsigned divisionOf(Uses *uses, MlirValue value) {
  return (unsigned)(uintptr_t)cutePointerMapGet(&uses->derived, value.ptr);
}

// Gives the division that an op's results follow: the operand that the op
// names, or what the op's operands follow, also of ops within it.
static unsigned findDivision(Uses *uses, MlirOperation op) {
  const CuteOpDecl *decl =
      cuteDialectGetDecl(uses->products->kernel->dialect, op);
  if (decl && decl->traits.follows >= CUTE_DIVISION_A)
    return KNOWN | 1u << (decl->traits.follows - CUTE_DIVISION_A);
  unsigned division = KNOWN;
  CUTE_FOR_NESTED(inner, op)
    CUTE_FOR_OPERANDS(value, inner)
      division |= divisionOf(uses, value);
  return division;
}

// Checks that an op takes elements of one operand of the MMA, and a product A
// as A is divided.
static bool checkDivision(Uses *uses, MlirOperation op) {
  CuteKernel *kernel = uses->products->kernel;
  if (cuteDialectIsOp(kernel->dialect, op, CUTE_OP_GEMM))
    return !(divisionOf(uses, getOperand(op, 2)) & OF_SUMS) ||
           cuteKernelFail(kernel, op,
                          "multiplies sums of another product as they are "
                          "divided among threads, which wgmma does otherwise");
  unsigned division = findDivision(uses, op) & ~(unsigned)KNOWN;
  return !(division & (division - 1)) ||
         cuteKernelFail(kernel, op,
                        "combines elements of two operands of a product, "
                        "which wgmma divides among threads in other orders");
}

// The first coordinate of accesses, as predicated tiles compare it.
static bool isFirstOfAccesses(Uses *uses, MlirOperation op) {
  CuteDialect *dialect = uses->products->kernel->dialect;
  if (!cuteDialectIsOp(dialect, op, CUTE_OP_SLICE))
    return false;
  CuteType tensor = cuteDialectGetOperandType(dialect, op, 0);
  return tensor && tensor->kind == CUTE_TYPE_COORD_TENSOR;
}

static bool isElementwise(MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  return cuteMlirStartsWith(name, "arith.") ||
         cuteMlirStartsWith(name, "math.");
}

// Tells whether an operand may be combined with elements that an MMA has
// divided: the same MMA has divided it, too, or it is the same for all
// elements.
static bool mayStandBeside(Uses *uses, MlirValue value) {
  CuteDialect *dialect = uses->products->kernel->dialect;
  if (isDerived(uses, value))
    return true;
  MlirType type = mlirValueGetType(value);
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirTypeIsAVector(type)) {
    MlirAttribute all = mlirOperationIsNull(op)
                            ? (MlirAttribute){NULL}
                            : cuteMlirGetAttribute(op, "value");
    return !mlirOperationIsNull(op) &&
           (cuteMlirIs(op, "vector.broadcast")
                ? !mlirTypeIsAVector(cuteMlirGetOperandType(op, 0))
                : cuteMlirIs(op, "arith.constant") &&
                      mlirDenseElementsAttrIsSplat(all));
  }
  CuteType own = cuteDialectGetType(dialect, type);
  return !own || own->kind != CUTE_TYPE_TENSOR;
}

static bool checkOp(Uses *uses, MlirOperation op) {
  CuteKernel *kernel = uses->products->kernel;
  const CuteOpDecl *decl = cuteDialectGetDecl(kernel->dialect, op);
  bool mixes = !decl || decl->traits.effect == CUTE_EFFECT_ACCESS;
  if (!checkDivision(uses, op))
    return false;
  bool isDead = decl && decl->numResults && !cuteMlirIsUsed(op) &&
                decl->traits.effect == CUTE_EFFECT_NONE;
  if (!isDead && (decl ? !decl->traits.follows && !isFirstOfAccesses(uses, op)
                       : !isElementwise(op)))
    return cuteKernelFail(kernel, op,
                          "depends on which thread has which of the sums; ops "
                          "that treat all elements alike, and partitions by "
                          "the tiled MMA, may follow when they are divided "
                          "otherwise");
  for (intptr_t i = 0; mixes && i < getNumOperands(op); ++i) {
    MlirValue operand = getOperand(op, i);
    if (mayStandBeside(uses, operand))
      continue;
    uses->hasAdopted = cuteProductsAdopt(uses->products, operand);
    return uses->hasAdopted
               ? false
               : cuteKernelFail(kernel, op,
                                "takes operand #%jd beside sums, which is "
                                "divided among threads in another way than "
                                "the tiled MMA does; make such fragments by "
                                "make_fragment_like of the sums",
                                i);
  }
  return true;
}

static void addResults(Uses *uses, MlirOperation op) {
  uintptr_t division = findDivision(uses, op);
  CUTE_FOR_RESULTS(result, op)
    cutePointerMapSet(&uses->derived, result.ptr, (void *)division);
}

static bool isFollower(Uses *uses, MlirOperation op) {
  CUTE_FOR_OPERANDS(operand, op)
    if (isDerived(uses, operand))
      return true;
  return false;
}

bool cuteProductsIsTestOfFirst(MlirOperation op) {
  int64_t other;
  if (!cuteMlirIs(op, "arith.cmpi") ||
      cuteMlirGetInteger(op, "predicate") != CUTE_CMPI_EQ ||
      !cuteMlirIsConstant(getOperand(op, 1), &other) || other)
    return false;
  CUTE_FOR_USES(use, getResult(op, 0))
    if (!cuteMlirIs(mlirOpOperandGetOwner(use), "scf.if"))
      return false;
  return true;
}

// Tells whether an op tells threads apart, counts them or has them exchange
// values, or does something once for each.
static bool knowsThreads(CuteDialect *dialect, MlirOperation op) {
  static const char *const groups[] = {"Atomic", "Collective", "Cluster"};
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    return CUTE_IS_ANY(op, "gpu.lane_id", "gpu.subgroup_id",
                       "gpu.num_subgroups", "gpu.block_dim", "gpu.global_id",
                       "gpu.all_reduce", "func.call") ||
           cuteEffectGet(dialect, op) == CUTE_EFFECT_LANES ||
           CUTE_BEGINS_WITH_ANY(cuteMlirGetName(op), "nvvm.", "llvm.");
  for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
    if (cuteTextEquals(decl->group, groups[i]))
      return true;
  return decl->traits.exchanges || decl->traits.effect == CUTE_EFFECT_LANES ||
         decl->id == CUTE_OP_LANE_IDX || decl->id == CUTE_OP_WARP_IDX ||
         decl->id == CUTE_OP_BLOCK_DIM;
}

// Tells whether an op may take the number of the thread as operand i: a
// partition, and a test for the first thread that a branch takes.
static bool mayTakeThread(CuteDialect *dialect, MlirOperation op, intptr_t i) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (decl)
    return decl->traits.divider >= 0 && decl->traits.thread == i;
  return cuteMlirStartsWith(cuteMlirGetName(op), "arith.index_cast") ||
         cuteProductsIsTestOfFirst(op);
}

bool cuteProductsIsAtomic(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (decl)
    return cuteTextEquals(decl->group, "Atomic");
  if (!cuteMlirIs(op, "llvm.inline_asm"))
    return CUTE_IS_ANY(op, "llvm.ptrtoint", "llvm.atomicrmw");
  MlirAttribute text = cuteMlirGetAttribute(op, "asm_string");
  return CUTE_BEGINS_WITH_ANY(mlirStringAttrGetValue(text), "atom.", "red.");
}

// Checks an op that may tell threads apart; with elements of sums, it may do
// something once for each of these.
static bool checkThread(CuteKernel *kernel, MlirOperation op,
                        bool isOfElements) {
  if (!(isOfElements && cuteProductsIsAtomic(kernel->dialect, op)) &&
      knowsThreads(kernel->dialect, op))
    return cuteKernelFail(
        kernel, op,
        "tells threads apart, counts them, or has them exchange values, but "
        "wgmma gives each thread other elements");
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (cuteValueIsThread(kernel->dialect, getOperand(op, i)) &&
        !mayTakeThread(kernel->dialect, op, i))
      return cuteKernelFail(kernel, op,
                            "computes with the number of the thread, which has "
                            "other elements then; let "
                            "partition_c of the tiled MMA do it");
  return true;
}

bool cuteProductsIsOfFirst(CuteDialect *dialect, MlirOperation op,
                           bool ofWarp) {
  while (!cuteMlirIs(op = mlirOperationGetParentOperation(op), "gpu.func")) {
    MlirOperation test = cuteMlirIs(op, "scf.if")
                             ? cuteMlirGetOwner(getOperand(op, 0))
                             : (MlirOperation){NULL};
    if (cuteMlirIs(test, "arith.cmpi") &&
        (ofWarp ? !mlirOperationIsNull(
                      cuteValueGetMaker(dialect, test, 0, CUTE_OP_LANE_IDX))
                : cuteValueIsThread(dialect, getOperand(test, 0))))
      return true;
  }
  return false;
}

// Checks that what takes sums is not left to some threads, as the first one.
static bool checkFirst(CuteKernel *kernel, MlirOperation op) {
  return (!cuteProductsIsOfFirst(kernel->dialect, op, false) &&
          !cuteProductsIsOfFirst(kernel->dialect, op, true)) ||
         cuteKernelFail(kernel, op,
                        "takes sums in one thread, which would hold others");
}

// Tells whether an op is, or is in, a loop over elements, which has been
// checked.
static bool isOfElements(Uses *uses, MlirOperation op) {
  CuteKernel *kernel = uses->products->kernel;
  if (cuteMlirIsInside(op, uses->elements))
    return true;
  if (cuteProductsAreElements(uses->products, &uses->derived, op, &uses->folds,
                              &uses->hasAdopted))
    uses->elements = op;
  return mlirOperationEqual(op, uses->elements) && !kernel->problem;
}

// Tells whether threads have the sums that they had of some products, and are
// as many.
static bool keepsSome(const CuteProducts *products) {
  for (size_t i = 0; i < products->count; ++i)
    if (products->data[i].keepsDivision)
      return true;
  return false;
}

// Checks an op, which follows the division of sums if what it takes does.
static bool checkFollower(Uses *uses, MlirOperation op) {
  CuteKernel *kernel = uses->products->kernel;
  bool isElements = isOfElements(uses, op);
  bool follows = isElements || isFollower(uses, op);
  if (uses->hasAdopted || kernel->problem)
    return false;
  if (cuteProductsTakeFold(kernel, &uses->folds, op, follows))
    return !kernel->problem;
  if ((follows || !keepsSome(uses->products)) &&
      !checkThread(kernel, op, isElements))
    return false;
  if (isElements)
    return checkDivision(uses, op) &&
           (!mlirOperationEqual(op, uses->elements) || checkFirst(kernel, op));
  if (!follows)
    return true;
  addResults(uses, op);
  return checkOp(uses, op) && checkFirst(kernel, op);
}

static bool checkAll(Uses *uses) {
  CuteProducts *products = uses->products;
  for (size_t i = 0; i < products->count; ++i)
    if (!products->data[i].keepsDivision)
      addResults(uses, products->data[i].mma);
  bool ok = true;
  CUTE_FOR_NESTED(op, products->kernel->function)
    ok = ok && checkFollower(uses, op);
  return ok;
}

// Says what else a product with an A that threads compute may do.
static void advise(CuteProducts *products) {
  for (size_t i = 0; i < products->count; ++i)
    if (mlirValueIsNull(products->data[i].tileA) &&
        !products->data[i].keepsDivision) {
      products->kernel->problem = cuteArenaFormat(
          cuteTaskGetArena(),
          "%s; where threads compute A, give each warp 16 rows, one warp below "
          "the other, as wgmma has them",
          products->kernel->problem);
      return;
    }
}

bool cuteProductsCheckUses(CuteProducts *products) {
  Uses uses;
  bool ok;
  do {
    uses = (Uses){
        .products = products, .derived = cuteTaskMap(), .folds = cuteTaskMap()};
    ok = checkAll(&uses);
  } while (uses.hasAdopted);
  if (!ok)
    advise(products);
  return ok;
}

//===-- Rows --------------------------------------------------------------===//

// Tells whether something that an op takes was divided among threads by
// anything but the MMA of a product.
static bool takesOtherPart(const CuteProducts *products, MlirOperation op) {
  CuteDialect *dialect = products->kernel->dialect;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    return false;
  if (decl->traits.divider >= 0) {
    MlirOperation by = cuteMlirGetOwner(getOperand(op, decl->traits.divider));
    for (size_t i = 0; i < products->count; ++i)
      if (mlirOperationEqual(by, products->data[i].mma))
        return false;
    const CuteOpDecl *maker = cuteDialectGetDecl(dialect, by);
    if (!maker || maker->traits.follows < CUTE_DIVISION_A)
      return true;
  }
  CUTE_FOR_OPERANDS(operand, op)
    if (takesOtherPart(products, cuteMlirGetOwner(operand)))
      return true;
  return false;
}

// Tells whether an op tells more than lanes of a warp apart.
static bool knowsWarps(CuteDialect *dialect, MlirOperation op) {
  if (!cuteDialectGetDecl(dialect, op))
    return CUTE_IS_ANY(op, "gpu.subgroup_id", "gpu.global_id", "func.call") ||
           CUTE_BEGINS_WITH_ANY(cuteMlirGetName(op), "nvvm.", "llvm.");
  return cuteDialectIsOp(dialect, op, CUTE_OP_WARP_IDX);
}

// Tells whether an op takes elements, or makes numbers of the types of others.
static bool takesElements(CuteDialect *dialect, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  CuteCopyParts parts;
  return decl && !cuteEffectGetCopy(dialect, op, &parts) &&
         (decl->traits.effect == CUTE_EFFECT_ACCESS ||
          (getNumResults(op) && !cuteDialectGetResultType(dialect, op, 0)));
}

bool cuteProductsCheckRows(CuteProducts *products) {
  CuteKernel *kernel = products->kernel;
  CuteDialect *dialect = kernel->dialect;
  CUTE_FOR_NESTED(op, kernel->function) {
    bool isOther = knowsWarps(dialect, op) ||
                   (takesElements(dialect, op) && takesOtherPart(products, op));
    for (intptr_t i = 0; i < getNumOperands(op); ++i)
      isOther |= cuteValueIsThread(dialect, getOperand(op, i)) &&
                 !mayTakeThread(dialect, op, i);
    if (isOther)
      return cuteKernelFail(kernel, op,
                            "may tell which rows a thread has, where warps "
                            "take others from tensor memory; let partition_c "
                            "of the tiled MMA do it");
  }
  return true;
}
