// cute-pair: two blocks of a cluster, with tiles one below the other, multiply
// in tensor memory together (docs/passes.md). Both need the same tile of B, and
// each loads half of it; the first one starts the products of both, which write
// to the tensor memory of both:
//
//   the cluster meets, once all barriers are made
//   loads:     both blocks, each its own tile of A and half of B's; the
//              first one's barrier counts the bytes of both
//   products:  the first block; commits arrive in both
//   sums:      both, as before; releases arrive in the first block
//   the cluster meets; both free tensor memory
#include "Transforms/edit/block_index.h"
#include "Transforms/pipeline/pipeline_build.h"
#include "Transforms/products/to_wgmma.h"
#include "Transforms/roles/roles.h"
#include "Transforms/sm90.h"
#include "Transforms/tma/clusters.h"
#include "Transforms/tma/tma_tile.h"

// A product, and what it has of shared memory.
typedef struct Product {
  MlirOperation gemm;
  const CuteMmaAtom *atom; // of the pair
  MlirValue a, b;          // stages of tiles
  MlirOperation alloc;     // of B
  CuteLayout half;         // of a stage that the block has
  MlirValue mma;           // of the pair, in the product's place
  MlirValue sums, adds;    // further operands
  MlirLocation location;
} Product;

typedef struct Pair {
  CuteKernel *kernel;
  CuteRoles roles;
  MlirOperation ready;
  Product *products;
  size_t count;
  CuteOps loads; // tma_partition ops of the tiles of B, of each product
  CuteOps old;   // that others take the place of
  CuteRebuild r;
  CuteRetype retype;
} Pair;

//===-- Matching ----------------------------------------------------------===//

// The tile that an operand's descriptors describe.
static MlirValue tileOf(const Pair *p, MlirValue operand, CuteOpId fragment,
                        CuteOpId partition) {
  CuteDialect *dialect = p->kernel->dialect;
  MlirOperation op = cuteValueGetOpOf(dialect, operand, fragment);
  if (!mlirOperationIsNull(op))
    op = cuteValueGetMaker(dialect, op, 1, partition);
  return cuteMlirGetOperand(op, 1);
}

// The layout of half the columns of a tile of B; null if there is none.
static CuteLayout halve(const Pair *p, const Product *x) {
  CuteContext c = p->kernel->dialect->context;
  CuteType tile = cuteKernelType(p->kernel, x->b);
  CuteIntTuple shape[] = {
      staticInt(c, x->atom->n / 2),
      cuteIntTupleProduct(c, element(tile->layout->shape, 1))};
  return cuteTmaFindLayout(c, cuteInternTuple(c, 2, shape), x->atom->majorB,
                           (unsigned)cuteElementTypeGetBits(tile->element));
}

// Tells whether a tile of B is all columns of a product, in one of the stages.
static bool isWhole(Pair *p, Product *x) {
  CuteContext c = p->kernel->dialect->context;
  CuteDialect *dialect = p->kernel->dialect;
  MlirOperation slice = cuteValueGetOpOf(dialect, x->b, CUTE_OP_SLICE);
  x->alloc = cuteValueGetOpOf(
      dialect, cuteViewGetRoot(dialect, x->b, CUTE_SMEM), CUTE_OP_ALLOC_SMEM);
  if (mlirOperationIsNull(slice) || mlirOperationIsNull(x->alloc) ||
      !mlirValueEqual(getOperand(slice, 0), getResult(x->alloc, 0)))
    return false;
  CuteLayout tile = cuteKernelType(p->kernel, x->b)->layout;
  return cuteLayoutGetRank(tile) == 2 &&
         cuteIntTupleProduct(c, element(tile->shape, 0))->value == x->atom->n;
}

static bool matchProduct(Pair *p, MlirOperation gemm) {
  CuteKernel *kernel = p->kernel;
  const CuteMmaAtom *atom =
      cuteKernelType(p->kernel, getOperand(gemm, 0))->atom;
  Product *x = &p->products[p->count++];
  *x = (Product){.gemm = gemm, .atom = cuteProductsGetPair(atom)};
  x->a = tileOf(p, getOperand(gemm, 2), CUTE_OP_MAKE_FRAGMENT_A,
                CUTE_OP_PARTITION_A);
  x->b = tileOf(p, getOperand(gemm, 3), CUTE_OP_MAKE_FRAGMENT_B,
                CUTE_OP_PARTITION_B);
  if (!x->atom)
    return cuteKernelFail(kernel, gemm,
                          "is %s, which a pair of blocks cannot multiply: it "
                          "takes 128 rows of each block, and of integers a "
                          "multiple of 32 columns",
                          atom->name);
  if (mlirValueIsNull(x->a) || mlirValueIsNull(x->b))
    return cuteKernelFail(kernel, gemm,
                          "takes tiles that are not in shared memory");
  if (getNumOperands(gemm) != 6)
    return cuteKernelFail(kernel, gemm,
                          "leaves out lanes of its sums, or always adds C");
  x->half = isWhole(p, x) ? halve(p, x) : NULL;
  return x->half ||
         cuteKernelFail(
             kernel, gemm,
             "takes a tile of B that two blocks cannot halve: it has at most "
             "256 columns, and rows of 16 bytes or more");
}

// The tile in global memory of a part that TMA loads, before its modes are
// grouped; null if it has other modes.
static MlirOperation groupOf(const Pair *p, MlirOperation partition) {
  return cuteValueGetMaker(p->kernel->dialect, partition, 2,
                           CUTE_OP_GROUP_MODES);
}

// Finds the loads of a tile of B, which is the same in both blocks.
static bool matchLoads(Pair *p, const Product *x) {
  CuteKernel *kernel = p->kernel;
  size_t before = p->loads.count;
  for (const Product *y = p->products; y < x; ++y)
    if (mlirOperationEqual(y->alloc, x->alloc))
      return cuteKernelFail(kernel, x->gemm,
                            "takes the same tile of B as another product");
  CUTE_FOR_NESTED(op, kernel->function) {
    if (!cuteDialectIsOp(kernel->dialect, op, CUTE_OP_TMA_PARTITION) ||
        !cuteViewIsOf(kernel->dialect, getOperand(op, 1), CUTE_SMEM,
                      getResult(x->alloc, 0)))
      continue;
    if (mlirOperationIsNull(groupOf(p, op)))
      return cuteKernelFail(kernel, op,
                            "loads a tile of B whose modes are in another "
                            "order than the parameter's");
    if (cuteBlockIndexIsOf(kernel->dialect, getOperand(op, 2), CUTE_IN_CLUSTER,
                           CUTE_ANY_DIMENSION))
      return cuteKernelFail(
          kernel, op, "loads a different tile of B in each block of a pair");
    cuteOpsPush(&p->loads, op);
  }
  return p->loads.count == before + 1 ||
         cuteKernelFail(kernel, x->gemm,
                        "takes a tile that is not loaded exactly once");
}

static bool match(Pair *p) {
  CuteKernel *kernel = p->kernel;
  if (cuteClusterGet(kernel).blocks != 2)
    return cuteKernelFail(kernel, kernel->function,
                          "needs clusters of two blocks");
  if (!cuteRolesFind(kernel, &p->roles) || mlirBlockIsNull(p->roles.products))
    return cuteKernelFail(kernel, kernel->function,
                          "has no warp that multiplies in tensor memory; "
                          "cute-tcgen05 makes one");
  p->ready = cuteRolesFindReady(kernel, p->roles.branch);
  if (mlirOperationIsNull(p->ready) ||
      !cuteClusterCheckFlow(kernel, p->roles.producer) ||
      !cuteClusterCheckFlow(kernel, p->roles.products))
    return false;
  CuteOps gemms = cuteKernelFindOps(kernel, CUTE_OP_GEMM);
  p->products = cuteTaskAllocate((gemms.count + 1) * sizeof *p->products);
  for (size_t i = 0; i < gemms.count; ++i)
    if (!matchProduct(p, gemms.data[i]) || !matchLoads(p, &p->products[i]))
      return false;
  return true;
}

//===-- Loads -------------------------------------------------------------===//

static bool failed(Pair *p, MlirOperation op) {
  return p->r.failed && !cuteKernelFailOp(p->kernel, op);
}

// Gives the atom of half the columns of B the layout and the box of these.
static bool halveAtom(Pair *p, MlirOperation atom, const Product *x) {
  CuteContext c = p->kernel->dialect->context;
  CuteType tiler = cuteKernelType(p->kernel, getOperand(atom, 2));
  CuteIntTuple box = tiler->kind == CUTE_TYPE_SHAPE ? tiler->tuple : NULL;
  if (!box || !isTuple(box) || !isStaticValue(box->elements[0], x->atom->n))
    return cuteKernelFail(
        p->kernel, atom, "has a tile of B whose modes are not the parameter's");
  CuteIntTuple modes[CUTE_MAX_TMA_RANK];
  for (size_t i = 0; i < box->rank; ++i)
    modes[i] = i ? box->elements[i] : staticInt(c, x->atom->n / 2);
  p->r.builder = cuteBuilderBefore(atom);
  mlirOperationSetOperand(atom, 1, cuteEmitLayout(&p->r, x->half));
  mlirOperationSetOperand(
      atom, 2, cuteEmitShape(&p->r, cuteInternTuple(c, box->rank, modes)));
  return !failed(p, atom);
}

// Has a load take the half of a tile that is the block's.
static bool halveLoad(Pair *p, MlirOperation load, const Product *x) {
  CuteContext c = p->kernel->dialect->context;
  MlirValue tile = getOperand(groupOf(p, load), 0);
  CuteRebuild *r = &p->r;
  r->builder = cuteBuilderBefore(load);
  CuteIntTuple half[] = {staticInt(c, x->atom->n / 2),
                         cuteIntTupleProduct(c, element(x->half->shape, 1))};
  CuteIntTuple place[] = {cuteIntTupleGetDynamic(c, 32, 1), staticInt(c, 0)};
  MlirValue rank = cuteEmit0(r, CUTE_OP_BLOCK_RANK_IN_CLUSTER);
  MlirOperation coord = cuteBuildDeclared(
      &r->builder, r->dialect, CUTE_OP_MAKE_COORD, 1, &rank,
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, cuteInternTuple(c, 2, place)));
  MlirValue own = cuteEmit3(r, CUTE_OP_LOCAL_TILE, tile,
                            cuteEmitShape(r, cuteInternTuple(c, 2, half)),
                            getResult(coord, 0));
  if (!r->failed)
    mlirOperationSetOperand(load, 2, cuteEmitGroupTile(r, own));
  return !failed(p, load);
}

// Gives the allocation of B room for half of it in each stage.
static bool halveAlloc(Pair *p, const Product *x) {
  CuteContext c = p->kernel->dialect->context;
  CuteType old = cuteKernelType(p->kernel, getResult(x->alloc, 0));
  CuteLayout all = cutePipelineLayout(
      c, cuteTypeGetTensor(c, old->element, CUTE_SMEM, old->align, x->half),
      cuteIntTupleProduct(c, element(old->layout->shape, 2))->value);
  return all && cuteRetypeAlloc(&p->retype, x->alloc, all, old->align);
}

static bool halveTile(Pair *p, const Product *x, MlirOperation load) {
  MlirOperation atom = cuteMlirGetOwner(getOperand(load, 0));
  return halveAtom(p, atom, x) && halveLoad(p, load, x) && halveAlloc(p, x);
}

//===-- Pipelines ---------------------------------------------------------===//

// Has an op be made anew with results of other types, that its users follow.
static bool follow(Pair *p, MlirOperation op, MlirOperation copy) {
  if (failed(p, op))
    return false;
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    cuteRetypeSet(&p->retype, getResult(op, i), getResult(copy, i));
  return true;
}

// Has what a pipeline loads be for the pair, which its mask says.
static bool pairLoads(Pair *p, MlirOperation pipeline) {
  enum { BOTH = 3 };
  size_t n = (size_t)getNumOperands(pipeline);
  MlirValue *operands = cuteTaskAllocate((n + 1) * sizeof *operands);
  for (size_t i = 0; i < n; ++i) {
    MlirOperation atom = cuteMlirGetOwner(getOperand(pipeline, (intptr_t)i));
    MlirValue own[] = {getOperand(atom, 0), getOperand(atom, 1),
                       getOperand(atom, 2)};
    p->r.builder = cuteBuilderBefore(atom);
    MlirOperation copy = cuteEmitNamed(&p->r, CUTE_OP_MAKE_TMA_ATOM, "atom",
                                       "SM100_TMA_2SM_LOAD", 3, own);
    if (!follow(p, atom, copy))
      return false;
    cuteOpsPush(&p->old, atom);
    operands[i] = getResult(copy, 0);
  }
  p->r.builder = cuteBuilderBefore(pipeline);
  operands[n] = cuteEmitInt(&p->r, BOTH);
  return follow(p, pipeline, cuteRebuildLike(&p->r, pipeline, n + 1, operands));
}

static bool pairPipelines(Pair *p) {
  CuteKernel *kernel = p->kernel;
  bool ok = true;
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_TMA))
    ok = ok && pairLoads(p, op);
  CUTE_FOR_FOUND(op, cuteKernelFindOps(kernel, CUTE_OP_MAKE_PIPELINE_ASYNC)) {
    if (!ok)
      return false;
    cuteOpsPush(&p->old, op);
    cuteMlirSetAttribute(op, "ctas", cuteIntAttr(&p->r.builder, 32, 2));
    ok = follow(p, op, cuteRebuildLike(&p->r, op, 0, NULL));
  }
  return ok;
}

//===-- Products ----------------------------------------------------------===//

// Replaces a product's MMA by the pair's; the product itself is rebuilt once
// its tile of B has changed.
static bool removeProduct(Pair *p, Product *x) {
  MlirOperation fragment = cuteMlirGetOwner(getOperand(x->gemm, 3));
  MlirOperation part = cuteMlirGetOwner(getOperand(fragment, 1));
  CuteRebuild *r = &p->r;
  r->builder = cuteBuilderBefore(x->gemm);
  CuteType atom = cuteTypeGetMmaAtom(r->dialect->context, x->atom);
  x->mma = cuteEmit1(r, CUTE_OP_MAKE_TILED_MMA, cuteEmitStatic(r, atom));
  x->location = r->builder.location;
  x->sums = getOperand(x->gemm, 1);
  x->adds = getOperand(x->gemm, 5);
  mlirOperationDestroy(x->gemm);
  if (!cuteMlirIsUsed(fragment))
    mlirOperationDestroy(fragment);
  if (!cuteMlirIsUsed(part))
    mlirOperationDestroy(part);
  return !failed(p, p->roles.branch);
}

static MlirValue emitOperand(Pair *p, MlirValue mma, MlirValue tile,
                             int64_t rows, int64_t k, CuteOpId id) {
  CuteContext c = p->kernel->dialect->context;
  CuteIntTuple shape[] = {staticInt(c, rows), staticInt(c, k)};
  MlirValue tiles =
      cuteEmit2(&p->r, CUTE_OP_TILED_DIVIDE, tile,
                cuteEmitShape(&p->r, cuteInternTuple(c, 2, shape)));
  return cuteEmit2(&p->r, id, mma, tiles);
}

static bool emitProduct(Pair *p, const Product *x) {
  CuteRebuild *r = &p->r;
  const CuteMmaAtom *atom = x->atom;
  MlirValue mma = x->mma, b = cuteRebuildGet(&p->retype.values, x->b);
  r->builder =
      cuteBuilderBefore(mlirOperationGetNextInBlock(cuteMlirGetOwner(mma)));
  r->builder.location = x->location;
  MlirValue operands[] = {
      mma,
      x->sums,
      emitOperand(p, mma, x->a, atom->m / 2, atom->k, CUTE_OP_MAKE_FRAGMENT_A),
      emitOperand(p, mma, b, atom->n / 2, atom->k, CUTE_OP_MAKE_FRAGMENT_B),
      x->sums,
      x->adds};
  cuteEmitDo(r, CUTE_OP_GEMM, 6, operands);
  return !failed(p, p->roles.branch);
}

// Has the first block alone multiply.
static void chooseFirst(Pair *p) {
  MlirOperation warp = mlirOperationGetParentOperation(
      mlirBlockGetParentOperation(p->roles.products));
  p->r.builder = cuteBuilderBefore(warp);
  const CuteBuilder *b = &p->r.builder;
  MlirValue rank = cuteEmit0(&p->r, CUTE_OP_BLOCK_RANK_IN_CLUSTER);
  MlirValue isFirst = cuteBuildTest(b, CUTE_CMPI_EQ, rank, 0);
  mlirOperationSetOperand(warp, 0, andi(b, getOperand(warp, 0), isFirst));
}

//===-- Tensor memory -----------------------------------------------------===//

// Has both blocks allocate for the pair, and free it once they have met.
static void pairMemory(Pair *p) {
  static const CuteOpId ids[] = {CUTE_OP_TMEM_ALLOC, CUTE_OP_TMEM_RELINQUISH,
                                 CUTE_OP_TMEM_DEALLOC};
  MlirOperation end = mlirBlockGetTerminator(p->kernel->block);
  cuteClusterEmitMeetings(p->kernel, &p->r, p->ready, false);
  for (size_t i = 0; i < sizeof ids / sizeof *ids; ++i) {
    CUTE_FOR_FOUND(op, cuteKernelFindOps(p->kernel, ids[i])) {
      cuteMlirSetAttribute(op, "ctas", cuteIntAttr(&p->r.builder, 32, 2));
      if (ids[i] == CUTE_OP_TMEM_DEALLOC)
        mlirOperationMoveBefore(mlirOperationGetParentOperation(op), end);
    }
  }
}

//===-- All of it ---------------------------------------------------------===//

static bool build(Pair *p) {
  bool ok = true;
  for (size_t i = 0; ok && i < p->count; ++i) {
    ok = removeProduct(p, &p->products[i]) &&
         halveTile(p, &p->products[i], p->loads.data[i]);
  }
  if (!ok || !pairPipelines(p) || !cuteKernelRetype(p->kernel, &p->retype))
    return false;
  for (size_t i = p->old.count; i-- > 0;)
    mlirOperationDestroy(p->old.data[i]);
  for (size_t i = 0; ok && i < p->count; ++i) {
    mlirOperationDestroy(p->products[i].alloc);
    ok = emitProduct(p, &p->products[i]);
  }
  chooseFirst(p);
  pairMemory(p);
  cuteKernelRemoveDead(p->kernel);
  return ok && !failed(p, p->roles.branch);
}

bool cutePairEdit(CuteKernel *kernel, CUTE_UNUSED void *data) {
  Pair p = {.kernel = kernel,
            .r = {.dialect = kernel->dialect},
            .retype = cuteRetypeBegin(kernel->dialect)};
  bool ok = match(&p) && build(&p);
  if (ok)
    cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                   "pairs of blocks multiply together, and each loads half of "
                   "a tile of B for both: %s",
                   p.products[0].atom->name);
  return ok;
}
