#include "Ops/lower_ops.h"

enum { MAP_ALIGN = 64, MAP_BYTES = 128, PIECE_BYTES = 16 };

//===-- Inference ---------------------------------------------------------===//

static bool failType(CuteOp *op, size_t i, const char *wanted) {
  return cuteFail(op->context, "%s, not %s", wanted,
                  cuteTypeText(op->context, op->operands[i]));
}

static bool checkMap(CuteOp *op, size_t i, bool mayBeShared) {
  CuteType type = op->operands[i];
  bool isPlace =
      type->space == CUTE_GMEM || (mayBeShared && type->space == CUTE_SMEM);
  return (isPlace && type->align % MAP_ALIGN == 0) ||
         failType(op, i,
                  mayBeShared
                      ? "a tensor map lies in gmem or smem, aligned to 64 bytes"
                      : "copies use a tensor map in gmem, aligned to 64 bytes");
}

static bool checkAtom(CuteOp *op) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(op->operands[0]);
  return !tma.atom->isIm2col ||
         failType(op, 0, "maps of tiles are changed in memory");
}

bool cuteInferWithTensorMap(CuteOp *op) {
  return checkMap(op, 1, false) && cuteOpPushResult(op, op->operands[0]);
}

bool cuteInferCopyTensorMap(CuteOp *op) { return checkMap(op, 1, true); }

bool cuteInferUpdateTensorMap(CuteOp *op) {
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(op->operands[0]);
  CuteType tensor = op->operands[1];
  size_t axes[CUTE_MAX_TMA_RANK];
  if (!checkAtom(op) || !checkMap(op, 2, true))
    return false;
  if (tensor->space != CUTE_GMEM || cuteLayoutIsComposed(tensor->layout) ||
      tensor->align % 16 || tensor->element != tma.element)
    return failType(op, 1,
                    "the tensor is in gmem, aligned to 16 bytes, with the "
                    "atom's elements and a plain layout");
  return cuteTmaAtomGetAxes(op->context, tma, tensor->layout->shape, axes);
}

//===-- Lowering ----------------------------------------------------------===//

bool cuteLowerWithTensorMap(CuteLowering *lowering) {
  MlirValue map = cuteLoweringGetPointer(lowering, 1);
  return cuteLoweringReturnLowered(
      lowering,
      (CuteLowered){.type = lowering->op->operands[0],
                    .pointer = cuteBuildUnary(
                        &lowering->builder, "llvm.addrspacecast", map,
                        cuteParsedType(&lowering->builder, "!llvm.ptr"))});
}

static MlirValue placeAt(const CuteBuilder *b, MlirValue base, int32_t bytes) {
  MlirType type = mlirValueGetType(base);
  return CUTE_BUILD_VALUE(
      b, "llvm.getelementptr", CUTE_OPERANDS(base), CUTE_RESULTS(type),
      CUTE_ATTRIBUTES(
          {"elem_type", cuteParsedAttr(b, "i8")},
          {"rawConstantIndices", mlirDenseI32ArrayGet(b->context, 1, &bytes)}));
}

static void copyPiece(const CuteBuilder *b, MlirValue from, MlirValue to,
                      int32_t bytes) {
  CuteNamedAttribute align = {"alignment", cuteIntAttr(b, 64, PIECE_BYTES)};
  MlirType type = cuteParsedType(b, "vector<4xi32>");
  MlirValue place = placeAt(b, from, bytes);
  MlirValue piece =
      CUTE_BUILD_VALUE(b, "llvm.load", CUTE_OPERANDS(place), CUTE_RESULTS(type),
                       .numAttributes = 1, .attributes = &align);
  CUTE_BUILD(b, "llvm.store", CUTE_OPERANDS(piece, placeAt(b, to, bytes)),
             .numAttributes = 1, .attributes = &align);
}

bool cuteLowerCopyTensorMap(CuteLowering *lowering) {
  MlirValue from = cuteTmaGetMap(lowering);
  if (mlirValueIsNull(from))
    return false;
  MlirValue to = cuteLoweringGetPointer(lowering, 1);
  for (int32_t at = 0; at < MAP_BYTES; at += PIECE_BYTES)
    copyPiece(&lowering->builder, from, to, at);
  return true;
}

// Replaces a field, or its part of a mode (PTX ISA, "tensormap.replace").
static void replace(CuteLowering *l, MlirValue map, bool isShared,
                    const char *field, int mode, MlirValue value,
                    unsigned bits) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "tensormap.replace.tile.%s.%s.b1024.b%u [$0], ",
                         field, isShared ? "shared::cta" : "global", bits);
  if (mode >= 0)
    cuteStringAppendFormat(&text, "%d, ", mode);
  cuteStringAppendFormat(&text, "$1;");
  MlirValue operands[] = {map, value};
  char constraints[] = "l,l,~{memory}";
  constraints[0] = isShared ? 'r' : 'l';
  constraints[2] = bits == 32 ? 'r' : 'l';
  cuteBuildAsm(&l->builder, cuteStringGet(&text), constraints, 2, operands,
               (MlirType){NULL});
}

static MlirValue bytesOf(CuteLowering *l, CuteTmaAtom tma,
                         CuteIntTuple stride) {
  const CuteBuilder *b = &l->builder;
  int64_t packed = tma.atom->packedBits;
  int64_t each = packed ? packed : cuteElementTypeGetBits(tma.element) / 8;
  MlirValue size = muliWith(b, cuteLoweringGetInteger(l, stride, 64), each);
  return packed ? shruiWith(b, size, 3) : size;
}

bool cuteLowerUpdateTensorMap(CuteLowering *lowering) {
  CuteContext c = lowering->context;
  CuteTmaAtom tma = cuteTypeGetTmaAtomValue(lowering->op->operands[0]);
  CuteLowered tensor = *cuteLoweringGetLowered(lowering, 1);
  bool isShared = lowering->op->operands[2]->space == CUTE_SMEM;
  MlirValue map = cuteLoweringGetPointer(lowering, 2);
  size_t axes[CUTE_MAX_TMA_RANK];
  CuteLayout layout = lowering->op->operands[1]->layout;
  size_t rank = cuteTmaAtomGetAxes(c, tma, layout->shape, axes);
  Modes leaves = {0};
  modesPushLeaves(c, &leaves, layoutMode(layout));
  MlirValue address = cuteLoweringGetAddress(lowering, tensor, staticInt(c, 0));
  replace(lowering, map, isShared, "global_address", -1,
          cuteBuildUnary(&lowering->builder, "llvm.ptrtoint", address,
                         cuteIntType(&lowering->builder, 64)),
          64);
  for (size_t i = 0; i < rank; ++i) {
    Mode leaf = leaves.data[axes[i]];
    replace(lowering, map, isShared, "global_dim", (int)i,
            cuteLoweringGetInteger(lowering, leaf.shape, 32), 32);
    if (i)
      replace(lowering, map, isShared, "global_stride", (int)i - 1,
              bytesOf(lowering, tma, leaf.stride), 64);
  }
  return true;
}
