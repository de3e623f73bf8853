#include "Transforms/tma/tma_tile.h"

enum { MODES = 2 };

//===-- Matching ----------------------------------------------------------===//

static bool hasTwoModes(CuteDialect *dialect, MlirValue tensor) {
  CuteLayout layout = cuteDialectGetValueType(dialect, tensor)->layout;
  return cuteLayoutGetRank(layout) == MODES &&
         !isTuple(element(layout->shape, 0)) &&
         !isTuple(element(layout->shape, 1));
}

// The value that an op gives a part of, where a value is that; else null.
static MlirValue partOf(CuteDialect *dialect, MlirValue value, CuteOpId id) {
  MlirOperation op = mlirValueIsNull(value)
                         ? (MlirOperation){NULL}
                         : cuteValueGetOpOf(dialect, value, id);
  return cuteMlirGetOperand(op, 0);
}

MlirValue cuteTmaBoundGetParameter(CuteDialect *dialect, MlirValue tensor) {
  MlirOperation op = cuteValueGetOpOf(dialect, tensor, CUTE_OP_MAKE_TENSOR);
  if (mlirOperationIsNull(op) || !hasTwoModes(dialect, tensor))
    return tensor;
  MlirValue first = getOperand(op, 0);
  MlirOperation layout = cuteValueGetMaker(dialect, op, 1, CUTE_OP_MAKE_LAYOUT);
  if (mlirOperationIsNull(layout) || getNumOperands(layout) != 2)
    return tensor;
  MlirValue stride = getOperand(layout, 1);
  MlirValue own = partOf(dialect, stride, CUTE_OP_GET_STRIDE);
  MlirValue parameter = partOf(dialect, first, CUTE_OP_GET_ITER);
  own = partOf(dialect, own, CUTE_OP_GET_LAYOUT);
  return !mlirValueIsNull(own) && !mlirValueIsNull(parameter) &&
                 mlirValueEqual(own, parameter)
             ? parameter
             : tensor;
}

bool cuteTmaBoundMatch(CuteKernel *kernel, const CuteTmaTile *tile) {
  MlirValue origin = {NULL};
  return mlirValueEqual(
             cuteTmaViewDropOrigin(kernel->dialect, tile->matrix, &origin),
             tile->root) ||
         cuteKernelFail(
             kernel, tile->copy,
             "stores a tile of a view that may end before the parameter does");
}

//===-- Building ----------------------------------------------------------===//

// The two integers of a shape or coordinate, with 64 bits.
static void emitLeaves(CuteRebuild *r, MlirValue value,
                       MlirValue leaves[MODES]) {
  MlirOperation op =
      cuteRebuildCreate(r, CUTE_OP_GET_SCALARS, 1, &value, 0, NULL);
  for (intptr_t i = 0; !r->failed && i < MODES; ++i)
    leaves[i] = cuteBuildCast(&r->builder, "arith.extsi", getResult(op, i),
                              cuteIntType(&r->builder, 64));
}

MlirValue cuteTmaBoundEmit(CuteRebuild *r, const CuteTmaTile *tile) {
  MlirValue origin = {NULL};
  cuteTmaViewDropOrigin(r->dialect, tile->matrix, &origin);
  const CuteBuilder *b = &r->builder;
  CuteType type = cuteDialectGetValueType(r->dialect, getResult(tile->tile, 0));
  MlirValue bounds[MODES], own[MODES], at[MODES], from[MODES], whole = {NULL};
  emitLeaves(r, cuteEmit1(r, CUTE_OP_GET_SHAPE, tile->root), bounds);
  emitLeaves(r, cuteEmit1(r, CUTE_OP_GET_SHAPE, tile->parameter), own);
  emitLeaves(r, getOperand(tile->tile, 2), at);
  if (!mlirValueIsNull(origin))
    emitLeaves(r, origin, from);
  for (size_t i = 0; !r->failed && i < MODES; ++i) {
    int64_t extent = cuteIntTupleProduct(r->dialect->context,
                                         element(type->layout->shape, i))
                         ->value;
    MlirValue next = addiWith(b, at[i], 1);
    MlirValue end = muliWith(b, next, extent);
    if (!mlirValueIsNull(origin))
      end = addi(b, end, from[i]);
    MlirValue last = cuteBuildBinary(b, "arith.minsi", bounds[i], own[i]);
    MlirValue ok = ori(b, cuteBuildCompare(b, CUTE_CMPI_EQ, bounds[i], own[i]),
                       cuteBuildCompare(b, CUTE_CMPI_SLE, end, last));
    whole = i ? andi(b, whole, ok) : ok;
  }
  return whole;
}

CuteBuilder cuteTmaBoundEnterRest(CuteRebuild *r, MlirValue isWhole) {
  MlirValue isPart = xoriWith(&r->builder, isWhole, 1);
  return cuteEmitEnterIf(r, isPart);
}

//===-- Pieces ------------------------------------------------------------===//

// The coordinate of a piece among the tiles of its size.
static MlirValue emitCoord(CuteRebuild *r, const CuteTmaPiece *piece,
                           MlirValue ofTile) {
  CuteContext c = r->dialect->context;
  const CuteBuilder *b = &r->builder;
  MlirOperation leaves =
      cuteRebuildCreate(r, CUTE_OP_GET_SCALARS, 1, &ofTile, 0, NULL);
  MlirValue values[MODES];
  CuteIntTuple types[MODES];
  for (intptr_t i = 0; !r->failed && i < MODES; ++i) {
    MlirValue leaf = getResult(leaves, i);
    unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(leaf));
    MlirValue first = muliWith(b, leaf, piece->counts[i]);
    values[i] = addiWith(b, first, piece->at[i]);
    types[i] = cuteDynamicLeaf(c, width, 1, 0);
  }
  if (r->failed)
    return ofTile;
  CuteType type =
      cuteTypeGetTuple(c, CUTE_TYPE_COORD, cuteInternTuple(c, MODES, types));
  MlirOperation coord =
      cuteBuildDeclared(b, r->dialect, CUTE_OP_MAKE_COORD, MODES, values, type);
  return getResult(coord, 0);
}

static CuteLayout pairLayout(CuteContext c, int64_t m, int64_t n, int64_t dm,
                             int64_t dn) {
  CuteIntTuple shape[] = {staticInt(c, m), staticInt(c, n)};
  CuteIntTuple stride[] = {staticInt(c, dm), staticInt(c, dn)};
  return cuteLayoutGet(c, cuteInternTuple(c, MODES, shape),
                       cuteInternTuple(c, MODES, stride));
}

// The copy of a piece by the accesses of another copy.
static MlirValue emitCopy(CuteRebuild *r, const CuteTmaPiece *piece,
                          MlirValue like) {
  CuteContext c = r->dialect->context;
  CuteType type = cuteDialectGetValueType(r->dialect, like);
  const CuteCopyAtom *atom = type->atom;
  int64_t unit = atom->bits / (int64_t)cuteElementTypeGetBits(type->element);
  int64_t across = element(piece->shape, 1)->value / unit;
  CuteLayout threads =
      pairLayout(c, piece->threads / across, across, across, 1);
  MlirValue operands[] = {
      cuteEmitStatic(r, cuteTypeGetCopyAtom(c, atom, type->element)),
      cuteEmitLayout(r, threads),
      cuteEmitLayout(r, pairLayout(c, 1, unit, 0, 1))};
  return cuteRebuildCreateValue(r, CUTE_OP_MAKE_TILED_COPY, 3, operands);
}

void cuteTmaBoundEmitPiece(CuteRebuild *r, MlirOperation rest,
                           const CuteTmaPiece *piece) {
  CuteDialect *dialect = r->dialect;
  MlirOperation read = mlirBlockGetFirstOperation(cuteMlirGetBody(rest, 0));
  CuteCopyParts parts;
  cuteEffectGetCopy(dialect, mlirOperationGetNextInBlock(read), &parts);
  MlirOperation part = cuteMlirGetOwner(parts.destination);
  MlirOperation tile = cuteMlirGetOwner(getOperand(part, 1));
  MlirValue origin = {NULL};
  MlirValue tensor =
      cuteTmaViewDropOrigin(dialect, getOperand(tile, 0), &origin);
  MlirValue copy = emitCopy(r, piece, parts.copy);
  MlirValue from =
      cuteEmit3(r, CUTE_OP_PARTITION_S, copy, piece->buffer, piece->thread);
  MlirValue registers = cuteEmit1(r, CUTE_OP_MAKE_FRAGMENT_LIKE, from);
  MlirValue place[] = {copy,
                       tensor,
                       cuteEmitShape(r, piece->shape),
                       emitCoord(r, piece, getOperand(tile, 2)),
                       piece->thread,
                       origin};
  MlirOperation to =
      cuteRebuildCreate(r, CUTE_OP_PREDICATED_TILE_D,
                        mlirValueIsNull(origin) ? 5 : 6, place, 0, NULL);
  if (r->failed)
    return;
  cuteEmitDo(r, CUTE_OP_COPY, CUTE_VALUES(copy, from, registers));
  cuteEmitDo(r, CUTE_OP_COPY,
             CUTE_VALUES(copy, registers, getResult(to, 0), getResult(to, 1)));
  r->failed |= !cuteExpandTile(dialect, to);
}
