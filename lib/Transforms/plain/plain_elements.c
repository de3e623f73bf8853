// Threads access elements of tiles in global memory as they have the sums of a
// product: fragments take the place of such tiles. Copies fill them before, or
// store them, through shared memory and in whole rows.
#include "Transforms/edit/block_index.h"
#include "Transforms/plain/plain_parts.h"
#include "Transforms/plain/plain_views.h"

#include "IR/loops.h"

//===-- Elements ----------------------------------------------------------===//

// Finds the loop of the kernel's block over all elements that an access is in.
static bool findLoop(CuteKernel *kernel, MlirOperation op, MlirValue coord,
                     const CutePlainPart *part, MlirOperation *loop) {
  CuteDialect *dialect = kernel->dialect;
  int64_t trips, lower;
  *loop = cuteMlirGetAncestor(kernel->block, op);
  if (!cuteMlirIs(*loop, "scf.for") || getNumResults(*loop) ||
      cuteOpListHas(dialect, *loop, CUTE_OP_GEMM) ||
      !cuteValueIsCounter(dialect, coord, *loop))
    return false;
  CuteIntTuple size = cuteLayoutGetSize(
      dialect->context, cuteKernelType(kernel, part->sums)->layout);
  return cuteLoopGetTrips(dialect, *loop, &trips) &&
         cuteLoopBoundGet(dialect, getOperand(*loop, 0), &lower) && !lower &&
         isStaticValue(size, trips);
}

// Tells whether a number is component j of the coordinates, in the part's
// tensor, of the element that a loop has.
static bool isCoordinate(CuteKernel *kernel, MlirValue value, int64_t j,
                         const CutePlainPart *part, MlirOperation loop) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation scalars = cuteValueGetOpOf(dialect, value, CUTE_OP_GET_SCALARS);
  MlirOperation at = cuteValueGetMaker(dialect, scalars, 0, CUTE_OP_GET_ITER);
  MlirOperation slice = cuteValueGetMaker(dialect, at, 0, CUTE_OP_SLICE);
  MlirOperation own = cuteValueGetMaker(dialect, slice, 0, CUTE_OP_PARTITION_C);
  MlirOperation tile = cuteValueGetMaker(dialect, own, 1, CUTE_OP_LOCAL_TILE);
  if (mlirOperationIsNull(tile) ||
      mlirOpResultGetResultNumber(value) != (intptr_t)j ||
      cuteMlirHasAttribute(tile, "proj") ||
      !cuteValueIsCounter(dialect, getOperand(slice, 1), loop))
    return false;
  CuteType coord = cuteDialectGetOperandType(dialect, scalars, 0);
  return coord->tuple->numDynamic == coord->tuple->numLeaves &&
         !mlirOperationIsNull(cuteValueGetMaker(
             dialect, tile, 0, CUTE_OP_MAKE_IDENTITY_TENSOR)) &&
         cuteValueIsSame(dialect, getOperand(own, 0),
                         getOperand(part->partition, 0)) &&
         cuteValueIsThread(dialect, getOperand(own, 2)) &&
         cuteValueIsSame(dialect, getOperand(tile, 1),
                         getOperand(part->tile, 1)) &&
         cuteValueIsSame(dialect, getOperand(tile, 2),
                         getOperand(part->tile, 2));
}

// A part and the loop over its elements.
typedef struct Bounded {
  CuteKernel *kernel;
  CutePlainPart *part;
  MlirOperation loop;
} Bounded;

static bool isInside(void *data, MlirValue component, MlirValue extent) {
  Bounded *b = data;
  int64_t leaf;
  MlirValue tensor = cuteValueGetExtentOf(b->kernel->dialect, extent, &leaf);
  MlirValue bound = b->part->bound;
  if (mlirValueIsNull(tensor) || leaf < 0 ||
      (!mlirValueIsNull(bound) && !mlirValueEqual(tensor, bound)))
    return false;
  b->part->bound = tensor;
  b->part->compared |= 1u << leaf;
  return isCoordinate(b->kernel, component, leaf, b->part, b->loop);
}

// Tells whether a loop does an op for all elements that lie within the extents
// of one tensor, which end rows with whole vectors.
static bool isForAll(CuteKernel *kernel, MlirOperation op, CutePlainPart *part,
                     MlirOperation loop) {
  Bounded bounded = {kernel, part, loop};
  MlirBlock block = mlirOperationGetBlock(op);
  while (!mlirBlockEqual(block, cuteMlirGetBody(loop, 0))) {
    MlirOperation parent = mlirBlockGetParentOperation(block);
    if (!cuteMlirIs(parent, "scf.if") ||
        !mlirBlockEqual(block, cuteMlirGetBody(parent, 0)) ||
        !cutePlainMatchLess(kernel->dialect, getOperand(parent, 0), isInside,
                            &bounded))
      return false;
    block = mlirOperationGetBlock(parent);
  }
  CuteType tensor = cuteKernelType(kernel, getOperand(part->tile, 0));
  if (mlirValueIsNull(part->bound))
    return true;
  CuteIntTuple shape = cuteKernelType(kernel, part->bound)->layout->shape;
  bool isOwn = mlirValueEqual(part->bound, getOperand(part->tile, 0));
  return (isOwn || part->compared == 3) && isTuple(shape) && shape->rank == 2 &&
         !isTuple(shape->elements[0]) &&
         cutePlainIsMultiple(shape->elements[1],
                             CUTE_VECTOR_BITS / (int64_t)cuteElementTypeGetBits(
                                                    tensor->element));
}

//===-- Accesses ----------------------------------------------------------===//

// An access to a part, to one element in a round of a loop, or to all.
typedef struct Access {
  MlirOperation op, loop; // loop: null if it is to all
  MlirOperation next;     // where what is stored leaves
  MlirValue copied;       // a fragment that the op copies to the part, or null
  intptr_t operand;       // the part
  bool isStore;
  CutePlainPart part;
} Access;

static bool isInBlock(const CuteKernel *kernel, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), kernel->block);
}

// Tells whether an op copies a whole fragment to a part.
static bool matchCopy(CuteKernel *kernel, MlirOperation op, Access *access) {
  CuteDialect *dialect = kernel->dialect;
  CuteCopyParts parts;
  if (!cuteEffectGetCopy(dialect, op, &parts) ||
      !mlirValueIsNull(parts.predicate) || !isInBlock(kernel, op) ||
      !cutePlainPartMatch(kernel, parts.destination, &access->part))
    return false;
  CuteOpId id = cuteDialectGetOpId(dialect, cuteMlirGetOwner(parts.source));
  CuteType source = cuteKernelType(kernel, parts.source),
           sums = cuteKernelType(kernel, access->part.sums);
  access->isStore = true;
  access->copied = parts.source;
  return (id == CUTE_OP_MAKE_FRAGMENT_LIKE || id == CUTE_OP_MAKE_FRAGMENT ||
          id == CUTE_OP_MAKE_FRAGMENT_C) &&
         source->layout->shape == sums->layout->shape;
}

static bool matchAccess(CuteKernel *kernel, MlirOperation op, Access *access) {
  CuteOpId id = cuteDialectGetOpId(kernel->dialect, op);
  bool isOne = id == CUTE_OP_LOAD || id == CUTE_OP_STORE;
  *access = (Access){
      .op = op, .isStore = id == CUTE_OP_STORE || id == CUTE_OP_STORE_VECTOR};
  if (!isOne && id != CUTE_OP_LOAD_VECTOR && id != CUTE_OP_STORE_VECTOR)
    return matchCopy(kernel, op, access);
  access->operand = access->isStore;
  if (!cutePlainPartMatch(kernel, getOperand(op, access->operand),
                          &access->part))
    return false;
  if (!isOne)
    return isInBlock(kernel, op);
  return findLoop(kernel, op, getOperand(op, access->operand + 1),
                  &access->part, &access->loop) &&
         (!access->isStore ||
          isForAll(kernel, op, &access->part, access->loop));
}

// The accesses of a kernel, in its order.
typedef struct Accesses {
  CuteKernel *kernel;
  Access *data;
  size_t count;
} Accesses;

static MlirValue tensorOfAccess(const Access *access) {
  return getOperand(access->part.tile, 0);
}

static const Access *findAccess(const Accesses *all, MlirOperation op) {
  for (size_t i = 0; i < all->count; ++i)
    if (mlirOperationEqual(all->data[i].op, op))
      return &all->data[i];
  return NULL;
}

// Tells whether an op only reads what it accesses of a tensor.
static bool onlyReads(CuteDialect *dialect, MlirOperation op,
                      MlirValue tensor) {
  CuteCopyParts parts;
  return cuteDialectIsOp(dialect, op, CUTE_OP_LOAD) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_LOAD_VECTOR) ||
         (cuteEffectGetCopy(dialect, op, &parts) &&
          !cuteViewIsOf(dialect, parts.destination, CUTE_GMEM, tensor));
}

// Tells whether these are all accesses to a tensor, or all but reads.
static bool areAll(const Accesses *all, MlirValue tensor, bool butReads) {
  CuteDialect *dialect = all->kernel->dialect;
  CUTE_FOR_NESTED(op, all->kernel->function) {
    if (cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE || findAccess(all, op) ||
        (butReads && onlyReads(dialect, op, tensor)))
      continue;
    CUTE_FOR_OPERANDS(operand, op)
      if (cuteViewIsOf(dialect, operand, CUTE_GMEM, tensor))
        return false;
  }
  return true;
}

// The op of the kernel's block that an access is, or is in.
static MlirOperation outerOf(const Access *access) {
  return mlirOperationIsNull(access->loop) ? access->op : access->loop;
}

// Tells whether an access may come before, or after, the op that it is in: it
// is a store of a tensor that nothing else accesses, or a load of one that
// nothing else writes, with no store before it that another thread will do.
static bool mayMove(const Accesses *all, const Access *access) {
  if (!areAll(all, tensorOfAccess(access), !access->isStore))
    return false;
  if (access->isStore)
    return true;
  for (const Access *other = all->data; other != access; ++other)
    if (other->isStore &&
        (!mlirOperationEqual(outerOf(other), outerOf(access)) ||
         mlirValueEqual(tensorOfAccess(other), tensorOfAccess(access))))
      return false;
  return true;
}

// Finds the accesses; none where one may not move.
static Accesses findAccesses(CuteKernel *kernel) {
  Accesses all = {.kernel = kernel};
  CuteOps ops = {0};
  CUTE_FOR_NESTED(op, kernel->function)
    cuteOpsPush(&ops, op);
  all.data = cuteTaskAllocate((ops.count + 1) * sizeof *all.data);
  CUTE_FOR_LIST(op, ops)
    all.count += matchAccess(kernel, op, &all.data[all.count]);
  bool ok = true;
  for (size_t i = 0; i < all.count; ++i) {
    ok &= mayMove(&all, &all.data[i]);
    all.data[i].next = mlirOperationGetNextInBlock(outerOf(&all.data[i]));
  }
  if (!ok)
    all.count = 0;
  return all;
}

//===-- Fragments ---------------------------------------------------------===//

// Has an access use a fragment, which copies fill before, or store after it.
static bool move(CuteKernel *kernel, const Access *access,
                 CutePlainBuffer *buffer) {
  CuteRebuild r = cuteRebuildBefore(kernel->dialect, outerOf(access));
  r.builder.location = mlirOperationGetLocation(access->op);
  bool isCopy = !mlirValueIsNull(access->copied);
  MlirAttribute element = mlirTypeAttrGet(cuteElementMlirType(
      &r.builder, cuteKernelType(kernel, tensorOfAccess(access))->element));
  MlirValue fragment = isCopy ? access->copied
                       : access->isStore
                           ? cutePlainPartFragment(&r, &access->part, element)
                           : cutePlainPartLoad(&r, &access->part, element);
  r.builder = cuteBuilderBefore(access->next);
  r.builder.location = mlirOperationGetLocation(access->op);
  if (access->isStore && !r.failed)
    cutePlainPartStore(&r, kernel, &access->part, element, fragment, buffer);
  if (r.failed)
    return cuteKernelFailOp(kernel, access->op);
  cuteKernelNote(kernel, mlirOperationGetLocation(access->op),
                 access->isStore
                     ? "the tile is stored in whole rows, through shared memory"
                     : "the tile is loaded before, to registers");
  if (isCopy)
    mlirOperationDestroy(access->op);
  else
    mlirOperationSetOperand(access->op, access->operand, fragment);
  return true;
}

//===-- Bounds ------------------------------------------------------------===//

// A branch of a loop that leaves out what lies beyond a tensor, and which
// coordinates are compared with which extents.
typedef struct Guard {
  const Accesses *all;
  const Access *access;
  MlirOperation branch;
  MlirValue components[2], extents[2];
} Guard;

// The component of the element's coordinates that a value is; -1 for others.
static int64_t findComponent(const Guard *g, MlirValue value) {
  for (int64_t j = 0; j < 2; ++j)
    if (!mlirValueIsNull(g->components[j]) &&
        (mlirValueEqual(value, g->components[j]) ||
         isCoordinate(g->all->kernel, value, j, &g->access->part,
                      g->access->loop)))
      return j;
  return -1;
}

static bool takeComponent(void *data, MlirValue component, MlirValue extent) {
  Guard *g = data;
  int64_t leaf;
  cuteValueGetExtentOf(g->all->kernel->dialect, extent, &leaf);
  g->components[leaf] = component;
  g->extents[leaf] = extent;
  return mlirTypeEqual(mlirValueGetType(component), mlirValueGetType(extent));
}

// Tells whether a value depends on where the tile is in the grid.
static bool dependsOnTile(const Guard *g, MlirValue value) {
  CuteDialect *dialect = g->all->kernel->dialect;
  MlirValue at = getOperand(g->access->part.tile, 2);
  for (int d = 0; d < CUTE_MAX_GRID; ++d)
    if (cuteBlockIndexIsOf(dialect, at, CUTE_IN_GRID, d) &&
        cuteBlockIndexIsOf(dialect, value, CUTE_IN_GRID, d))
      return true;
  return false;
}

// Tells whether a number of the loop follows from compared coordinates, and
// from what is the same for all tiles.
static bool isBounded(const Guard *g, MlirValue value) {
  CuteDialect *dialect = g->all->kernel->dialect;
  MlirOperation op = cuteMlirGetScope(value);
  if (!mlirOperationEqual(op, g->access->loop) &&
      !cuteMlirIsInside(op, g->access->loop))
    return !dependsOnTile(g, value);
  if (findComponent(g, value) >= 0)
    return true;
  if (mlirValueIsABlockArgument(value) || !cuteMlirIsInside(op, g->branch) ||
      cuteEffectGet(dialect, op) != CUTE_EFFECT_NONE)
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (!isBounded(g, operand))
      return false;
  return true;
}

// Tells whether an op reads what other elements within the tensor read, too, if
// coordinates beyond it become the last ones.
static bool readsOthers(const Guard *g, MlirOperation op) {
  CuteKernel *kernel = g->all->kernel;
  if (!cuteDialectIsOp(kernel->dialect, op, CUTE_OP_LOAD) ||
      mlirValueIsNull(g->components[0]) || mlirValueIsNull(g->components[1]) ||
      !cuteKernelOnlyComputes(kernel, op))
    return false;
  return isBounded(g, getOperand(op, 0)) && isBounded(g, getOperand(op, 1));
}

// Tells whether an op may also be done for elements beyond a tensor: it
// computes, or its access is to a fragment now.
static bool mayBeBeyond(const Guard *g, MlirOperation op) {
  CuteDialect *dialect = g->all->kernel->dialect;
  return cuteMlirIs(op, "scf.yield") || findAccess(g->all, op) ||
         cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE ||
         (cuteDialectIsOp(dialect, op, CUTE_OP_LOAD) &&
          cuteViewIsIn(dialect, getOperand(op, 0), CUTE_RMEM)) ||
         readsOthers(g, op);
}

// Has what the branch holds take the last coordinate for one beyond the tensor,
// which has a tensor map, and thus elements.
static void boundCoordinates(const Guard *g) {
  CuteBuilder b = cuteBuilderBefore(g->branch);
  MlirValue bounded[2] = {{NULL}, {NULL}};
  CUTE_FOR_NESTED(op, g->branch)
    for (intptr_t i = 0; i < getNumOperands(op); ++i) {
      int64_t j = mlirOperationEqual(op, g->branch)
                      ? -1
                      : findComponent(g, getOperand(op, i));
      if (j < 0)
        continue;
      MlirValue own = g->components[j];
      if (mlirValueIsNull(bounded[j]))
        bounded[j] = cuteBuildBinary(
            &b, "arith.minui", own,
            cuteBuildBinary(&b, "arith.subi", g->extents[j],
                            cuteBuildNumber(&b, mlirValueGetType(own), 1)));
      mlirOperationSetOperand(op, i, bounded[j]);
    }
}

// Has a loop do for all elements what a branch did for elements within a
// tensor, where stores of tiles leave out the others: without branches fewer
// registers hold what becomes of the sums, and loads do not wait for each
// other.
static bool dropBound(const Accesses *all, const Access *access) {
  MlirOperation branch = mlirOperationGetParentOperation(access->op);
  Guard g = {.all = all, .access = access, .branch = branch};
  if (mlirOperationIsNull(access->loop) || !cuteMlirIs(branch, "scf.if") ||
      getNumResults(branch))
    return false;
  if (!mlirValueEqual(access->part.bound, tensorOfAccess(access)) ||
      !cutePlainMatchLess(all->kernel->dialect, getOperand(branch, 0),
                          takeComponent, &g))
    g.components[0] = (MlirValue){NULL};
  CUTE_FOR_NESTED(op, branch)
    if (!mlirOperationEqual(op, branch) && !mayBeBeyond(&g, op))
      return false;
  boundCoordinates(&g);
  MlirBlock block = cuteMlirGetBody(branch, 0);
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block);
       !mlirOperationEqual(op, end);) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, branch);
    op = next;
  }
  mlirOperationDestroy(branch);
  return true;
}

//===-- The kernel --------------------------------------------------------===//

bool cutePlainElementsAre(CuteKernel *kernel) {
  return findAccesses(kernel).count;
}

bool cutePlainElements(CuteKernel *kernel) {
  Accesses all = findAccesses(kernel);
  CutePlainBuffer buffer = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < all.count; ++i)
    ok = move(kernel, &all.data[i], &buffer);
  for (size_t i = 0; ok && i < all.count; ++i)
    while (mlirValueIsNull(all.data[i].copied) && dropBound(&all, &all.data[i]))
      continue;
  if (ok)
    cuteKernelRemoveDead(kernel);
  return ok;
}
