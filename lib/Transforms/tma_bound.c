#include "Transforms/tma_bound.h"

#include "Transforms/store_pieces.h"
#include "Transforms/tma_view.h"
#include "Transforms/transforms.h"

enum { MODES = 2 };

//===-- Matching ----------------------------------------------------------===//

static bool hasTwoModes(CuteDialect *dialect, MlirValue tensor) {
  CuteLayout layout = cuteDialectGetValueType(dialect, tensor)->layout;
  return cuteLayoutGetRank(layout) == MODES &&
         !isTuple(element(layout->shape, 0)) &&
         !isTuple(element(layout->shape, 1));
}

// Gives the stride that another one was made of, by all of its integers.
static MlirValue unpacked(CuteDialect *dialect, MlirValue stride) {
  MlirOperation op = cuteValueGetOpOf(dialect, stride, CUTE_OP_MAKE_STRIDE);
  intptr_t n = mlirOperationIsNull(op) ? 0 : mlirOperationGetNumOperands(op);
  MlirOperation scalars =
      n ? cuteValueGetOpOf(dialect, mlirOperationGetOperand(op, 0),
                           CUTE_OP_GET_SCALARS)
        : op;
  if (!n || mlirOperationIsNull(scalars) ||
      mlirOperationGetNumResults(scalars) != n)
    return stride;
  for (intptr_t i = 0; i < n; ++i)
    if (!mlirValueEqual(mlirOperationGetOperand(op, i),
                        mlirOperationGetResult(scalars, i)))
      return stride;
  MlirValue from = mlirOperationGetOperand(scalars, 0);
  return mlirTypeEqual(mlirValueGetType(from), mlirValueGetType(stride))
             ? from
             : stride;
}

// The value that an op gives a part of, where a value is that; else null.
static MlirValue partOf(CuteDialect *dialect, MlirValue value, CuteOpId id) {
  MlirOperation op = mlirValueIsNull(value)
                         ? (MlirOperation){NULL}
                         : cuteValueGetOpOf(dialect, value, id);
  return mlirOperationIsNull(op) ? (MlirValue){NULL}
                                 : mlirOperationGetOperand(op, 0);
}

MlirValue cuteTmaBoundGetParameter(CuteDialect *dialect, MlirValue tensor) {
  MlirOperation op = cuteValueGetOpOf(dialect, tensor, CUTE_OP_MAKE_TENSOR);
  if (mlirOperationIsNull(op) || !hasTwoModes(dialect, tensor))
    return tensor;
  MlirValue first = mlirOperationGetOperand(op, 0);
  MlirOperation layout = cuteValueGetOpOf(
      dialect, mlirOperationGetOperand(op, 1), CUTE_OP_MAKE_LAYOUT);
  if (mlirOperationIsNull(layout) || mlirOperationGetNumOperands(layout) != 2)
    return tensor;
  MlirValue stride = unpacked(dialect, mlirOperationGetOperand(layout, 1));
  MlirValue own = partOf(dialect, stride, CUTE_OP_GET_STRIDE);
  MlirValue parameter = partOf(dialect, first, CUTE_OP_GET_ITER);
  own = partOf(dialect, own, CUTE_OP_GET_LAYOUT);
  return !mlirValueIsNull(own) && !mlirValueIsNull(parameter) &&
                 mlirValueEqual(own, parameter)
             ? parameter
             : tensor;
}

// Tells whether an op writes the registers that another one copies from.
static bool writesSource(CuteDialect *dialect, MlirOperation outer,
                         MlirValue source) {
  MlirValue fragment = cuteViewGetRoot(dialect, source, CUTE_RMEM);
  CUTE_FOR_NESTED(op, outer) {
    MlirValue written = cuteViewGetWritten(dialect, op, CUTE_RMEM);
    if (!mlirValueIsNull(written) && mlirValueEqual(written, fragment))
      return true;
  }
  return false;
}

bool cuteTmaBoundMatch(CuteKernel *kernel, const CuteTmaTile *tile,
                       MlirOperation write, MlirOperation read) {
  CuteDialect *dialect = kernel->dialect;
  MlirValue origin = {NULL};
  CuteCopyParts parts;
  if (!mlirValueEqual(cuteTmaViewDropOrigin(dialect, tile->matrix, &origin),
                      tile->root) ||
      !cuteStoreIsOfSums(kernel, write))
    return cuteKernelFail(kernel, tile->copy,
                          "stores a tile that may end before the parameter "
                          "does, and is no copy of the sums of a tiled MMA");
  cuteEffectGetCopy(dialect, write, &parts);
  for (MlirOperation op = mlirOperationGetNextInBlock(write);
       !mlirOperationEqual(op, read); op = mlirOperationGetNextInBlock(op))
    if (writesSource(dialect, op, parts.source))
      return cuteKernelFail(kernel, op,
                            "writes what the tile in shared memory was made of "
                            "before it is stored");
  return true;
}

//===-- Building ----------------------------------------------------------===//

// The two integers of a shape or coordinate, with 64 bits.
static void emitLeaves(CuteRebuild *r, MlirValue value,
                       MlirValue leaves[MODES]) {
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_GET_SCALARS, 1, &value, 0, NULL);
  for (intptr_t i = 0; !r->failed && i < MODES; ++i)
    leaves[i] =
        cuteBuildCast(&r->builder, "arith.extsi", mlirOperationGetResult(op, i),
                      cuteIntType(&r->builder, 64));
}

// Emits whether TMA, which knows the parameter's extents, stores the elements
// that lie within the tensor: in each mode these are the same, or the tile ends
// before both.
static MlirValue emitIsWhole(CuteRebuild *r, const CuteTmaTile *tile,
                             MlirValue origin) {
  const CuteBuilder *b = &r->builder;
  CuteType type = cuteDialectGetValueType(
      r->dialect, mlirOperationGetResult(tile->tile, 0));
  MlirValue bounds[MODES], own[MODES], at[MODES], from[MODES], whole = {NULL};
  emitLeaves(r, cuteEmit1(r, CUTE_OP_GET_SHAPE, tile->root), bounds);
  emitLeaves(r, cuteEmit1(r, CUTE_OP_GET_SHAPE, tile->parameter), own);
  emitLeaves(r, mlirOperationGetOperand(tile->tile, 2), at);
  if (!mlirValueIsNull(origin))
    emitLeaves(r, origin, from);
  for (size_t i = 0; !r->failed && i < MODES; ++i) {
    int64_t extent = cuteIntTupleProduct(r->dialect->context,
                                         element(type->layout->shape, i))
                         ->value;
    MlirValue next =
        cuteBuildBinary(b, "arith.addi", at[i], cuteBuildInt(b, 64, 1));
    MlirValue end =
        cuteBuildBinary(b, "arith.muli", next, cuteBuildInt(b, 64, extent));
    if (!mlirValueIsNull(origin))
      end = cuteBuildBinary(b, "arith.addi", end, from[i]);
    MlirValue last = cuteBuildBinary(b, "arith.minsi", bounds[i], own[i]);
    MlirValue ok = cuteBuildBinary(
        b, "arith.ori",
        cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_EQ, bounds[i], own[i]),
        cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_SLE, end, last));
    whole = i ? cuteBuildBinary(b, "arith.andi", whole, ok) : ok;
  }
  return whole;
}

// Has threads store what they wrote to shared memory, as far as it lies within
// the tensor.
static void emitDirect(CuteRebuild *r, const CuteTmaTile *tile,
                       MlirOperation write, MlirValue origin) {
  CuteCopyParts parts;
  cuteEffectGetCopy(r->dialect, write, &parts);
  MlirOperation by = cuteMlirGetOwner(parts.copy);
  MlirOperation retile = cuteMlirGetOwner(parts.source);
  MlirOperation shared = cuteMlirGetOwner(parts.destination);
  MlirValue copy =
      cuteEmit2(r, CUTE_OP_MAKE_TILED_COPY_C, mlirOperationGetOperand(by, 0),
                mlirOperationGetOperand(by, 1));
  MlirValue place[] = {copy,
                       tile->root,
                       mlirOperationGetOperand(tile->tile, 1),
                       mlirOperationGetOperand(tile->tile, 2),
                       mlirOperationGetOperand(shared, 2),
                       origin};
  MlirOperation part =
      cuteRebuildCreate(r, CUTE_OP_PREDICATED_TILE_D,
                        mlirValueIsNull(origin) ? 5 : 6, place, 0, NULL);
  if (r->failed)
    return;
  MlirValue store[] = {
      copy,
      cuteEmit2(r, CUTE_OP_RETILE, copy, mlirOperationGetOperand(retile, 1)),
      mlirOperationGetResult(part, 0), mlirOperationGetResult(part, 1)};
  cuteEmitDo(r, CUTE_OP_COPY, 4, store);
  r->failed |= !cuteExpandTile(r->dialect, part);
}

MlirValue cuteTmaBoundEmit(CuteRebuild *r, const CuteTmaTile *tile,
                           MlirOperation write) {
  MlirValue origin = {NULL};
  cuteTmaViewDropOrigin(r->dialect, tile->matrix, &origin);
  MlirValue whole = emitIsWhole(r, tile, origin);
  if (r->failed)
    return whole;
  MlirValue isPart = cuteBuildBinary(&r->builder, "arith.xori", whole,
                                     cuteBuildInt(&r->builder, 1, 1));
  CuteBuilder outer = cuteEmitEnterIf(r, isPart);
  emitDirect(r, tile, write, origin);
  r->builder = outer;
  return whole;
}
