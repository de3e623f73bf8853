#include "Transforms/plain/plain_parts.h"

enum { VECTOR_BYTES = CUTE_VECTOR_BITS / 8 };

//===-- Parts -------------------------------------------------------------===//

// Tells whether rows of the tensor begin and end at whole vectors.
static bool hasWholeRows(CuteType tensor, int64_t bits) {
  CuteLayout layout = tensor->layout;
  return !cuteLayoutIsComposed(layout) && cuteLayoutGetRank(layout) == 2 &&
         tensor->align >= VECTOR_BYTES &&
         isStaticValue(element(layout->stride, 1), 1) &&
         cutePlainIsMultiple(element(layout->stride, 0),
                             CUTE_VECTOR_BITS / bits) &&
         cutePlainIsMultiple(element(layout->shape, 1),
                             CUTE_VECTOR_BITS / bits);
}

// Finds the product by whose MMA a part is, and whose sums have its shape.
static bool findSums(CuteKernel *kernel, CutePlainPart *part) {
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
static bool dividesTile(const CuteKernel *kernel, const CutePlainPart *part,
                        int64_t bits) {
  int64_t across = part->columns * bits / CUTE_VECTOR_BITS;
  return part->columns * bits % CUTE_VECTOR_BITS == 0 &&
         kernel->threads % across == 0 &&
         part->rows % (kernel->threads / across) == 0;
}

bool cutePlainPartMatch(CuteKernel *kernel, MlirValue value,
                        CutePlainPart *part) {
  CuteDialect *dialect = kernel->dialect;
  *part = (CutePlainPart){
      .partition = cuteValueGetOpOf(dialect, value, CUTE_OP_PARTITION_C)};
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

//===-- Copies ------------------------------------------------------------===//

MlirValue cutePlainPartFragment(CuteRebuild *r, const CutePlainPart *part,
                                MlirAttribute element) {
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_MAKE_FRAGMENT_LIKE, 1, &part->sums,
                        CUTE_NAMED({"element", element}));
  return r->failed ? part->sums : getResult(op, 0);
}

static CuteType tensorOf(CuteRebuild *r, const CutePlainPart *part) {
  return cuteDialectGetOperandType(r->dialect, part->tile, 0);
}

static MlirValue emitAtom(CuteRebuild *r, const CutePlainPart *part,
                          int64_t bits) {
  char name[32];
  CuteType tensor = tensorOf(r, part);
  snprintf(name, sizeof name, "UniversalCopy<uint%jd_t>", (intmax_t)bits);
  return cuteEmitStatic(
      r, cuteTypeGetCopyAtom(r->dialect->context,
                             cuteCopyAtomFind(cuteStringRef(name)),
                             tensor->element));
}

// The tiled copy of pairs of sums.
static MlirValue emitPairs(CuteRebuild *r, const CutePlainPart *part) {
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
                          const CutePlainPart *part) {
  CuteContext c = r->dialect->context;
  int64_t bits = (int64_t)cuteElementTypeGetBits(tensorOf(r, part)->element);
  int64_t unit = CUTE_VECTOR_BITS / bits, across = part->columns / unit;
  return cuteEmit3(r, CUTE_OP_MAKE_TILED_COPY,
                   emitAtom(r, part, CUTE_VECTOR_BITS),
                   cuteEmitLayout(r, rowsLayout(c, kernel->threads / across,
                                                across, across)),
                   cuteEmitLayout(r, rowsLayout(c, 1, unit, 0)));
}

// The tensor with the extents that elements are compared with.
static MlirValue emitTensor(CuteRebuild *r, const CutePlainPart *part) {
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
static void emitTile(CuteRebuild *r, const CutePlainPart *part, CuteOpId id,
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

void cutePlainPartStore(CuteRebuild *r, const CuteKernel *kernel,
                        const CutePlainPart *part, MlirAttribute element,
                        MlirValue fragment, CutePlainBuffer *buffer) {
  MlirValue thread = getOperand(part->partition, 2);
  bool isNew = mlirValueIsNull(buffer->memory) || buffer->rows != part->rows ||
               buffer->columns != part->columns ||
               !mlirAttributeEqual(buffer->element, element);
  if (isNew)
    *buffer = (CutePlainBuffer){
        cuteEmitAlloc(r,
                      rowsLayout(r->dialect->context, part->rows, part->columns,
                                 part->columns),
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

MlirValue cutePlainPartLoad(CuteRebuild *r, const CutePlainPart *part,
                            MlirAttribute element) {
  MlirValue fragment = cutePlainPartFragment(r, part, element);
  MlirValue pairs = emitPairs(r, part);
  cuteEmitDo(r, CUTE_OP_CLEAR, 1, &fragment);
  emitTile(r, part, CUTE_OP_PREDICATED_TILE_S, pairs,
           cuteEmit2(r, CUTE_OP_RETILE, pairs, fragment));
  return fragment;
}
