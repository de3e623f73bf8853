// Threads access elements of tiles in global memory as they have the sums of a
// product: fragments take the place of such tiles. Copies fill them before, or
// store them, through shared memory and in whole rows.
#include "Transforms/plain/plain_views.h"

#include "IR/loops.h"

enum { VECTOR_BITS = 128, VECTOR_BYTES = 16 };

// A thread's part of a tile of a parameter, by a product's MMA.
typedef struct Part {
  MlirOperation partition, tile;
  MlirValue sums;    // of the product, as many
  MlirValue bound;   // the tensor whose extents elements are compared with
  unsigned compared; // which of them, as bits
  int64_t rows, columns;
} Part;

// Shared memory that tiles of the same size take one after the other.
typedef struct Buffer {
  MlirValue memory; // null: none yet
  int64_t rows, columns;
  MlirAttribute element;
} Buffer;

//===-- Parts -------------------------------------------------------------===//

static bool isMultiple(CuteIntTuple leaf, int64_t of) {
  return !isTuple(leaf) && leaf->value % of == 0;
}

// Tells whether rows of the tensor begin and end at whole vectors.
static bool hasWholeRows(CuteType tensor, int64_t bits) {
  CuteLayout layout = tensor->layout;
  return !cuteLayoutIsComposed(layout) && cuteLayoutGetRank(layout) == 2 &&
         tensor->align >= VECTOR_BYTES &&
         isStaticValue(element(layout->stride, 1), 1) &&
         isMultiple(element(layout->stride, 0), VECTOR_BITS / bits) &&
         isMultiple(element(layout->shape, 1), VECTOR_BITS / bits);
}

// Finds the product by whose MMA a part is, and whose sums have its shape.
static bool findSums(CuteKernel *kernel, Part *part) {
  MlirValue mma = getOperand(part->partition, 0);
  CuteType own = cuteKernelType(kernel, getResult(part->partition, 0));
  CUTE_FOR_FOUND(gemm, cuteKernelFindOps(kernel, CUTE_OP_GEMM)) {
    CuteType sums = cuteKernelType(kernel, getOperand(gemm, 1));
    if (sums->layout->shape != own->layout->shape ||
        !cuteValueIsSame(kernel->dialect, getOperand(gemm, 0), mma))
      continue;
    part->sums =
        cuteViewGetRoot(kernel->dialect, getOperand(gemm, 1), CUTE_RMEM);
    return cuteKernelType(kernel, part->sums)->layout->shape ==
           own->layout->shape;
  }
  return false;
}

// Tells whether threads of the block copy whole vectors of the tile's rows.
static bool dividesTile(const CuteKernel *kernel, const Part *part,
                        int64_t bits) {
  int64_t across = part->columns * bits / VECTOR_BITS;
  return part->columns * bits % VECTOR_BITS == 0 &&
         kernel->threads % across == 0 &&
         part->rows % (kernel->threads / across) == 0;
}

static bool matchPart(CuteKernel *kernel, MlirValue value, Part *part) {
  CuteDialect *dialect = kernel->dialect;
  *part = (Part){.partition =
                     cuteValueGetOpOf(dialect, value, CUTE_OP_PARTITION_C)};
  if (mlirOperationIsNull(part->partition) ||
      !cuteValueIsThread(dialect, getOperand(part->partition, 2)))
    return false;
  part->tile =
      cuteValueGetMaker(dialect, part->partition, 1, CUTE_OP_LOCAL_TILE);
  if (mlirOperationIsNull(part->tile) ||
      cuteMlirHasAttribute(part->tile, "proj") ||
      !mlirValueIsABlockArgument(getOperand(part->tile, 0)))
    return false;
  CuteType tensor = cuteKernelType(kernel, getOperand(part->tile, 0)),
           tile = cuteKernelType(kernel, getResult(part->tile, 0));
  int64_t bits = (int64_t)cuteElementTypeGetBits(tensor->element);
  CuteIntTuple shape = tile->layout->shape;
  if (bits < 8 || bits > 32 || !hasWholeRows(tensor, bits) || !isTuple(shape) ||
      shape->rank != 2 || !isStatic(shape->elements[0]) ||
      !isStatic(shape->elements[1]))
    return false;
  part->rows = shape->elements[0]->value;
  part->columns = shape->elements[1]->value;
  return dividesTile(kernel, part, bits) && findSums(kernel, part);
}

//===-- Elements ----------------------------------------------------------===//

// Tells whether a value is the counter of a loop, or a coordinate of it alone.
static bool isCounter(CuteDialect *dialect, MlirValue value,
                      MlirOperation loop) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (mlirOperationIsNull(op))
    return mlirValueEqual(value,
                          mlirBlockGetArgument(cuteMlirGetBody(loop, 0), 0));
  bool follows = cuteDialectIsOp(dialect, op, CUTE_OP_MAKE_COORD) ||
                 cuteMlirStartsWith(cuteMlirGetName(op), "arith.index_cast");
  return follows && getNumOperands(op) == 1 &&
         isCounter(dialect, getOperand(op, 0), loop);
}

// Finds the loop of the kernel's block over all elements that an access is in.
static bool findLoop(CuteKernel *kernel, MlirOperation op, MlirValue coord,
                     const Part *part, MlirOperation *loop) {
  CuteDialect *dialect = kernel->dialect;
  int64_t trips, lower;
  *loop = cuteMlirGetAncestor(kernel->block, op);
  if (!cuteMlirIs(*loop, "scf.for") || getNumResults(*loop) ||
      cuteOpListHas(dialect, *loop, CUTE_OP_GEMM) ||
      !isCounter(dialect, coord, *loop))
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
                         const Part *part, MlirOperation loop) {
  CuteDialect *dialect = kernel->dialect;
  MlirOperation scalars = cuteValueGetOpOf(dialect, value, CUTE_OP_GET_SCALARS);
  MlirOperation at = cuteValueGetMaker(dialect, scalars, 0, CUTE_OP_GET_ITER);
  MlirOperation slice = cuteValueGetMaker(dialect, at, 0, CUTE_OP_SLICE);
  MlirOperation own = cuteValueGetMaker(dialect, slice, 0, CUTE_OP_PARTITION_C);
  MlirOperation tile = cuteValueGetMaker(dialect, own, 1, CUTE_OP_LOCAL_TILE);
  if (mlirOperationIsNull(tile) ||
      mlirOpResultGetResultNumber(value) != (intptr_t)j ||
      cuteMlirHasAttribute(tile, "proj") ||
      !isCounter(dialect, getOperand(slice, 1), loop))
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
  Part *part;
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
static bool isForAll(CuteKernel *kernel, MlirOperation op, Part *part,
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
         isMultiple(shape->elements[1],
                    VECTOR_BITS /
                        (int64_t)cuteElementTypeGetBits(tensor->element));
}

//===-- Copies ------------------------------------------------------------===//

static MlirValue emitFragment(CuteRebuild *r, const Part *part,
                              MlirAttribute element) {
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_MAKE_FRAGMENT_LIKE, 1, &part->sums,
                        CUTE_NAMED({"element", element}));
  return r->failed ? part->sums : getResult(op, 0);
}

static CuteType tensorOf(CuteRebuild *r, const Part *part) {
  return cuteDialectGetOperandType(r->dialect, part->tile, 0);
}

static MlirValue emitAtom(CuteRebuild *r, const Part *part, int64_t bits) {
  char name[32];
  CuteType tensor = tensorOf(r, part);
  snprintf(name, sizeof name, "UniversalCopy<uint%jd_t>", (intmax_t)bits);
  return cuteEmitStatic(
      r, cuteTypeGetCopyAtom(r->dialect->context,
                             cuteCopyAtomFind(cuteStringRef(name)),
                             tensor->element));
}

// The tiled copy of pairs of sums.
static MlirValue emitPairs(CuteRebuild *r, const Part *part) {
  int64_t bits = (int64_t)cuteElementTypeGetBits(tensorOf(r, part)->element);
  return cuteEmit2(r, CUTE_OP_MAKE_TILED_COPY_C, emitAtom(r, part, 2 * bits),
                   getOperand(part->partition, 0));
}

static CuteLayout rowsLayout(CuteContext c, int64_t rows, int64_t columns,
                             int64_t pitch) {
  CuteIntTuple shape[] = {staticInt(c, rows), staticInt(c, columns)};
  CuteIntTuple stride[] = {staticInt(c, pitch), staticInt(c, 1)};
  return cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                       cuteInternTuple(c, 2, stride));
}

// The tiled copy of whole rows by the block's threads.
static MlirValue emitRows(CuteRebuild *r, const CuteKernel *kernel,
                          const Part *part) {
  CuteContext c = r->dialect->context;
  int64_t bits = (int64_t)cuteElementTypeGetBits(tensorOf(r, part)->element);
  int64_t unit = VECTOR_BITS / bits, across = part->columns / unit;
  return cuteEmit3(r, CUTE_OP_MAKE_TILED_COPY, emitAtom(r, part, VECTOR_BITS),
                   cuteEmitLayout(r, rowsLayout(c, kernel->threads / across,
                                                across, across)),
                   cuteEmitLayout(r, rowsLayout(c, 1, unit, 0)));
}

// The tensor with the extents that elements are compared with.
static MlirValue emitTensor(CuteRebuild *r, const Part *part) {
  MlirValue tensor = getOperand(part->tile, 0);
  if (mlirValueIsNull(part->bound) || mlirValueEqual(part->bound, tensor))
    return tensor;
  MlirValue stride = cuteEmit1(r, CUTE_OP_GET_STRIDE,
                               cuteEmit1(r, CUTE_OP_GET_LAYOUT, tensor));
  return cuteEmit2(
      r, CUTE_OP_MAKE_TENSOR, cuteEmit1(r, CUTE_OP_GET_ITER, tensor),
      cuteEmit2(r, CUTE_OP_MAKE_LAYOUT,
                cuteEmit1(r, CUTE_OP_GET_SHAPE, part->bound), stride));
}

// Copies between a fragment and the part of the tile that a copy gives the
// thread, where it lies in the tensor.
static void emitTile(CuteRebuild *r, const Part *part, CuteOpId id,
                     MlirValue copy, MlirValue fragment) {
  CuteContext c = r->dialect->context;
  MlirValue place[] = {
      copy, emitTensor(r, part),
      cuteEmitShape(r, rowsLayout(c, part->rows, part->columns, 0)->shape),
      getOperand(part->tile, 2), getOperand(part->partition, 2)};
  MlirOperation tile = cuteRebuildCreate(r, id, 5, place, 0, NULL);
  if (r->failed)
    return;
  bool isLoad = id == CUTE_OP_PREDICATED_TILE_S;
  MlirValue own = getResult(tile, 0);
  cuteEmitDo(r, CUTE_OP_COPY,
             CUTE_VALUES(copy, isLoad ? own : fragment, isLoad ? fragment : own,
                         getResult(tile, 1)));
  r->failed |= !cuteExpandTile(r->dialect, tile);
}

// Stores a fragment of the sums' shape to the tile, through shared memory.
static void emitStore(CuteRebuild *r, const CuteKernel *kernel,
                      const Part *part, MlirAttribute element,
                      MlirValue fragment, Buffer *buffer) {
  MlirValue thread = getOperand(part->partition, 2);
  bool isNew = mlirValueIsNull(buffer->memory) || buffer->rows != part->rows ||
               buffer->columns != part->columns ||
               !mlirAttributeEqual(buffer->element, element);
  if (isNew)
    *buffer = (Buffer){cuteEmitAlloc(r,
                                     rowsLayout(r->dialect->context, part->rows,
                                                part->columns, part->columns),
                                     element, VECTOR_BYTES * 8),
                       part->rows, part->columns, element};
  else
    CUTE_BUILD(&r->builder, "gpu.barrier");
  MlirValue pairs = emitPairs(r, part), rows = emitRows(r, kernel, part);
  cuteEmitDo(r, CUTE_OP_COPY,
             CUTE_VALUES(pairs, cuteEmit2(r, CUTE_OP_RETILE, pairs, fragment),
                         cuteEmit3(r, CUTE_OP_PARTITION_D, pairs,
                                   buffer->memory, thread)));
  CUTE_BUILD(&r->builder, "gpu.barrier");
  MlirValue from =
      cuteEmit3(r, CUTE_OP_PARTITION_S, rows, buffer->memory, thread);
  MlirValue between = cuteEmit1(r, CUTE_OP_MAKE_FRAGMENT_LIKE, from);
  cuteEmitDo(r, CUTE_OP_COPY, CUTE_VALUES(rows, from, between));
  emitTile(r, part, CUTE_OP_PREDICATED_TILE_D, rows, between);
}

// Loads the tile to a fragment of the sums' shape, with zeros beyond the
// tensor.
static MlirValue emitLoad(CuteRebuild *r, const Part *part,
                          MlirAttribute element) {
  MlirValue fragment = emitFragment(r, part, element);
  MlirValue pairs = emitPairs(r, part);
  cuteEmitDo(r, CUTE_OP_CLEAR, 1, &fragment);
  emitTile(r, part, CUTE_OP_PREDICATED_TILE_S, pairs,
           cuteEmit2(r, CUTE_OP_RETILE, pairs, fragment));
  return fragment;
}

//===-- Accesses ----------------------------------------------------------===//

// An access to a part, to one element in a round of a loop, or to all.
typedef struct Access {
  MlirOperation op, loop; // loop: null if it is to all
  MlirOperation next;     // where what is stored leaves
  MlirValue copied;       // a fragment that the op copies to the part, or null
  intptr_t operand;       // the part
  bool isStore;
  Part part;
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
      !matchPart(kernel, parts.destination, &access->part))
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
  if (!matchPart(kernel, getOperand(op, access->operand), &access->part))
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

// Tells whether these are all accesses to a tensor.
static bool areAll(const Accesses *all, MlirValue tensor) {
  CuteDialect *dialect = all->kernel->dialect;
  CUTE_FOR_NESTED(op, all->kernel->function) {
    if (cuteEffectGet(dialect, op) == CUTE_EFFECT_NONE || findAccess(all, op))
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
// is a store of a tensor that nothing else accesses, or a load with no store
// before it that another thread will do.
static bool mayMove(const Accesses *all, const Access *access) {
  if (access->isStore)
    return areAll(all, tensorOfAccess(access));
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
static bool move(CuteKernel *kernel, const Access *access, Buffer *buffer) {
  CuteRebuild r = cuteRebuildBefore(kernel->dialect, outerOf(access));
  r.builder.location = mlirOperationGetLocation(access->op);
  bool isCopy = !mlirValueIsNull(access->copied);
  MlirAttribute element = mlirTypeAttrGet(cuteElementMlirType(
      &r.builder, cuteKernelType(kernel, tensorOfAccess(access))->element));
  MlirValue fragment = isCopy ? access->copied
                       : access->isStore
                           ? emitFragment(&r, &access->part, element)
                           : emitLoad(&r, &access->part, element);
  r.builder = cuteBuilderBefore(access->next);
  r.builder.location = mlirOperationGetLocation(access->op);
  if (access->isStore && !r.failed)
    emitStore(&r, kernel, &access->part, element, fragment, buffer);
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

bool cutePlainElementsAre(CuteKernel *kernel) {
  return findAccesses(kernel).count;
}

bool cutePlainElements(CuteKernel *kernel) {
  Accesses all = findAccesses(kernel);
  Buffer buffer = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < all.count; ++i)
    ok = move(kernel, &all.data[i], &buffer);
  if (ok)
    cuteKernelRemoveDead(kernel);
  return ok;
}
