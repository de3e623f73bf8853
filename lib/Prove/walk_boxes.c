// Boxes that TMA copies, and operands of wgmma in shared memory.
#include "Prove/walk.h"

#include <inttypes.h>

//===-- TMA ---------------------------------------------------------------===//

// The tensor map that an operand points to; null: it is not known.
static const CutePlace *mapOf(CuteProver *prover, MlirOperation op,
                              intptr_t i) {
  CuteValue known = cuteWalkGet(prover, mlirOperationGetOperand(op, i));
  return known.kind == CUTE_VALUE_POINTER && known.place->tma ? known.place
                                                              : NULL;
}

enum { TMA_ALIGN = 128 };

// Lists what TMA copies of a tensor in global memory; its coordinates are
// operands from 2 on. False for other copies than boxes.
static bool listBox(CuteProver *prover, MlirOperation op, const CutePlace *map,
                    bool isStore) {
  CutePlace *tensor = map ? cuteWalkFindArgument(prover, map->argument) : NULL;
  CuteBox *box = cuteArenaAllocate(&prover->terms->arena, sizeof *box);
  size_t axes[CUTE_MAX_TMA_RANK], rank;
  if (!tensor || !tensor->rank || tensor->rank > CUTE_MAX_MODES ||
      map->tma->atom->isIm2col || map->tma->atom->isOfRows)
    return false;
  for (size_t r = 0; r < tensor->rank; ++r) {
    box->at[r] = cuteTermGetConstant(prover->terms, 0);
    box->extents[r] = 1;
  }
  rank = cuteTmaAtomGetAxes(prover->dialect->context, *map->tma,
                            tensor->type->layout->shape, axes);
  for (size_t i = 0; i < rank; ++i) {
    box->at[axes[i]] = cuteWalkGetOperand(prover, op, 2 + (intptr_t)i);
    if (i < cuteLayoutGetRank(map->tma->box))
      box->extents[axes[i]] = element(map->tma->box->shape, i)->value;
  }
  cuteWalkList(prover,
               (CuteReach){.op = op,
                           .place = tensor,
                           .offset = cuteTermGetConstant(prover->terms, 0),
                           .box = box,
                           .isStore = isStore,
                           .flight = CUTE_FLIGHT_BULK});
  return rank;
}

// TMA writes a box to shared memory, and arrives at an mbarrier.
void cuteWalkLoadBox(CuteProver *prover, MlirOperation op) {
  MlirAttribute sizes = cuteMlirGetAttribute(op, "operandSegmentSizes");
  const CutePlace *map = mapOf(prover, op, 1);
  intptr_t at = 2 + mlirDenseI32ArrayGetElement(sizes, 2);
  CuteTerm barrier = cuteWalkGetShared(prover, mlirOperationGetOperand(op, at));
  bool isMulticast = mlirDenseI32ArrayGetElement(sizes, 5);
  if (!listBox(prover, op, map, false))
    cuteWalkAddBlindSpot(prover, (CuteBlindSpot){op, "a copy by TMA of no box",
                                                 1u << CUTE_PLACE_NONE});
  if (!map || !map->bytes || !barrier || isMulticast)
    cuteWalkNoteBlindSpot(prover, op, false);
  else
    cuteWalkReach(prover, mlirOperationGetOperand(op, 0),
                  (CuteReach){.op = op,
                              .bytes = map->bytes,
                              .align = TMA_ALIGN,
                              .isStore = true,
                              .flight = CUTE_FLIGHT_LOAD,
                              .barrier = barrier});
}

// TMA reads a box in shared memory, and writes it within bounds.
void cuteWalkStoreBox(CuteProver *prover, MlirOperation op) {
  const CutePlace *map = mapOf(prover, op, 0);
  bool isKnown = map && map->bytes;
  if (isKnown)
    cuteWalkReach(prover, mlirOperationGetOperand(op, 1),
                  (CuteReach){.op = op,
                              .bytes = map->bytes,
                              .align = TMA_ALIGN,
                              .flight = CUTE_FLIGHT_BULK});
  if (!listBox(prover, op, map, true) || !isKnown)
    cuteWalkNoteBlindSpot(prover, op, isKnown);
}

//===-- Products of a warpgroup -------------------------------------------===//

// PTX ISA, "Matrix descriptor": what a product reads of an operand with that
// many rows, in patterns of 8 times 128 swizzled bytes: side by side along K,
// or two along K for each 64 rows of 16 bits. False for other layouts.
static bool reachRows(CuteProver *prover, MlirOperation op, CuteFlight flight,
                      CuteTerm descriptor, int64_t rows, bool isAlongK) {
  enum { ATOM = 1024, UNIT = 16, ONES = 0x3fff };
  int64_t constant = descriptor->count && !descriptor->monomials[0].degree
                         ? descriptor->monomials[0].coefficient
                         : 0;
  int64_t leading = (constant >> 16 & ONES) * UNIT;
  int64_t stride = (constant >> 32 & ONES) * UNIT;
  CutePlace *place = cuteWalkFindShared(prover, (constant & ONES) * UNIT);
  if (constant >> 62 != 1 || !place || stride != ATOM)
    return false;
  CuteTerm address = cuteTermScale(cuteTermModulo(descriptor, ONES + 1), UNIT);
  CuteTerm start = cuteTermScale(cuteTermFloor(address, ATOM), ATOM);
  for (int64_t i = 0; i < (isAlongK ? 1 : rows / 64); ++i)
    cuteWalkList(prover, (CuteReach){.op = op,
                                     .place = place,
                                     .offset = cuteTermAddConstant(
                                         start, i * leading - place->start),
                                     .bytes = (isAlongK ? rows / 8 : 2) * ATOM,
                                     .align = ATOM,
                                     .flight = flight});
  return true;
}

static bool isDescriptor(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64;
}

#define NO_OPERAND "an operand of a product that is not followed"

// PTX ISA, "Instruction descriptor": M / 16 and N / 8 are bits 24 to 28 and 17
// to 22; bits 15 and 16 say that A or B is not along K. A may be in tensor
// memory.
void cuteWalkTensorProduct(CuteProver *prover, MlirOperation op) {
  enum { F16 = 0 };
  int64_t is = 0, kind = 0, blocks = 0;
  bool isKnown =
      cuteTermIsConstant(cuteWalkGetOperand(prover, op, 3), &is) &&
      cuteTermIsConstant(cuteWalkGetOperand(prover, op, 5), &kind) &&
      cuteTermIsConstant(cuteWalkGetOperand(prover, op, 6), &blocks) &&
      blocks == 1;
  const int64_t rows[2] = {(is >> 24 & 31) * 16, (is >> 17 & 63) * 8};
  for (int i = 0; isKnown && i < 2; ++i) {
    bool isAlongK = !(is >> (15 + i) & 1);
    if (isDescriptor(mlirOperationGetOperand(op, i + 1)))
      isKnown =
          (isAlongK || kind == F16) &&
          reachRows(prover, op, CUTE_FLIGHT_TENSOR,
                    cuteWalkGetOperand(prover, op, i + 1), rows[i], isAlongK);
  }
  if (!isKnown)
    cuteWalkDoubtShared(prover, op, NO_OPERAND);
}

// "wgmma.mma_async.sync.aligned.m64n128k16...": the operands in shared memory
// are the integers of 64 bits; the last is B.
void cuteWalkProduct(CuteProver *prover, MlirOperation op, const char *text) {
  CuteTerm descriptors[2];
  int64_t rows[2] = {64, 0}, count = 0;
  bool isKnown = sscanf(text, "m64n%" SCNd64, &rows[1]) == 1 &&
                 (strstr(text, ", 0, 0;") || !strstr(text, "16 {"));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (isDescriptor(mlirOperationGetOperand(op, i)))
      descriptors[count++ % 2] = cuteWalkGetOperand(prover, op, i);
  for (int64_t i = 0; isKnown && i < count; ++i)
    isKnown = reachRows(prover, op, CUTE_FLIGHT_WGMMA, descriptors[i],
                        rows[2 - count + i], true);
  if (!isKnown || count < 1 || count > 2)
    cuteWalkDoubtShared(prover, op, NO_OPERAND);
}
