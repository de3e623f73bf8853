#include "Prove/walk.h"

#include "Lowering/tensor_maps.h"
#include "Support/growing_array.h"

#include <mlir-c/Dialect/LLVM.h>

//===-- Values ------------------------------------------------------------===//

CuteValue cuteWalkGet(CuteProver *prover, MlirValue value) {
  const CuteValue *known = cutePointerMapGet(&prover->values, value.ptr);
  return known ? *known
               : cuteWalkUnknown(prover, mlirValueGetType(value),
                                 "a value that is not followed");
}

void cuteWalkSet(CuteProver *prover, MlirValue value, CuteValue known) {
  CuteValue *copy = cuteArenaAllocate(&prover->terms->arena, sizeof *copy);
  *copy = known;
  cutePointerMapSet(&prover->values, value.ptr, copy);
}

CuteValue cuteWalkUnknown(CuteProver *prover, MlirType type,
                          const char *reason) {
  if (cuteWalkIsCondition(type))
    return (CuteValue){.kind = CUTE_VALUE_CONDITION,
                       .condition =
                           cuteConditionUnknown(prover->terms, reason)};
  if (mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type))
    return (CuteValue){.kind = CUTE_VALUE_INTEGER,
                       .term = cuteTermGetUnknown(prover->terms, reason)};
  return (CuteValue){.kind = CUTE_VALUE_OTHER};
}

CuteTerm cuteWalkGetTerm(CuteProver *prover, MlirValue value) {
  CuteValue known = cuteWalkGet(prover, value);
  if (known.kind == CUTE_VALUE_INTEGER)
    return known.term;
  if (known.kind == CUTE_VALUE_CONDITION)
    return cuteTermChoose(known.condition,
                          cuteTermGetConstant(prover->terms, 1),
                          cuteTermGetConstant(prover->terms, 0));
  return cuteTermGetUnknown(prover->terms, "a value that is not followed");
}

CuteTerm cuteWalkGetOperand(CuteProver *prover, MlirOperation op, intptr_t i) {
  return cuteWalkGetTerm(prover, mlirOperationGetOperand(op, i));
}

CuteCondition cuteWalkGetCondition(CuteProver *prover, MlirValue value) {
  CuteValue known = cuteWalkGet(prover, value);
  return known.kind == CUTE_VALUE_CONDITION
             ? known.condition
             : cuteConditionUnknown(prover->terms,
                                    "a condition that is not followed");
}

void cuteWalkSetTerm(CuteProver *prover, MlirValue value, CuteTerm term) {
  cuteWalkSet(prover, value,
              (CuteValue){.kind = CUTE_VALUE_INTEGER, .term = term});
}

void cuteWalkSetResult(CuteProver *prover, MlirOperation op, CuteTerm term) {
  cuteWalkSetTerm(prover, mlirOperationGetResult(op, 0), term);
}

void cuteWalkSetCondition(CuteProver *prover, MlirValue value,
                          CuteCondition condition) {
  cuteWalkSet(
      prover, value,
      (CuteValue){.kind = CUTE_VALUE_CONDITION, .condition = condition});
}

void cuteWalkSetUnknown(CuteProver *prover, MlirOperation op,
                        const char *reason) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    cuteWalkSet(prover, result,
                cuteWalkUnknown(prover, mlirValueGetType(result), reason));
  }
}

void cuteWalkAddBlindSpot(CuteProver *prover, CuteBlindSpot spot) {
  if (!prover->rehearsals)
    CUTE_PUSH(prover->blindSpots, prover->numBlindSpots, prover->blindCapacity,
              spot);
}

void cuteWalkDoubtShared(CuteProver *prover, MlirOperation op,
                         const char *reason) {
  cuteWalkAddBlindSpot(prover,
                       (CuteBlindSpot){op, reason, 1u << CUTE_PLACE_SHARED});
}

void cuteWalkGiveUp(CuteProver *prover, MlirOperation op, const char *reason) {
  cuteWalkAddBlindSpot(prover, (CuteBlindSpot){op, reason, CUTE_TOUCHES_ALL});
}

CuteValue cuteWalkChoose(CuteCondition condition, CuteValue a, CuteValue b) {
  CuteValue chosen = {.kind = a.kind};
  if (a.kind != b.kind || a.kind == CUTE_VALUE_OTHER || a.place != b.place)
    return (CuteValue){.kind = CUTE_VALUE_OTHER};
  chosen.place = a.place;
  if (a.kind == CUTE_VALUE_CONDITION)
    chosen.condition = cuteConditionOr(
        cuteConditionAnd(condition, a.condition),
        cuteConditionAnd(cuteConditionNot(condition), b.condition));
  else
    chosen.term = cuteTermChoose(condition, a.term, b.term);
  return chosen;
}

CuteTerm cuteWalkGetLane(CuteProver *prover) {
  CuteTerms *terms = prover->terms;
  CuteTerm number = cuteTermGetConstant(terms, 0);
  for (int i = 2; i >= 0; --i)
    number = cuteTermAdd(cuteTermScale(number, prover->blockSize[i]),
                         cuteTermGetSymbol(prover->thread[i]));
  return cuteTermModulo(number, 32);
}

//===-- The launch --------------------------------------------------------===//

CutePlace *cuteWalkAddPlace(CuteProver *prover, CutePlaceKind kind) {
  CutePlace *place = cuteArenaAllocate(&prover->terms->arena, sizeof *place);
  *place = (CutePlace){.kind = kind};
  CUTE_PUSH(prover->places, prover->numPlaces, prover->placeCapacity, place);
  return place;
}

CutePlace *cuteWalkFindArgument(const CuteProver *prover, size_t argument) {
  for (size_t i = 0; i < prover->numPlaces; ++i)
    if (prover->places[i]->kind == CUTE_PLACE_GLOBAL &&
        prover->places[i]->argument == argument)
      return prover->places[i];
  return NULL;
}

const CuteSymbol *cuteWalkFindSize(const CuteTerms *terms, const char *name) {
  for (size_t i = 0; i < terms->count; ++i)
    if (terms->symbols[i]->kind == CUTE_SYMBOL_SIZE &&
        !strcmp(terms->symbols[i]->name, name))
      return terms->symbols[i];
  return NULL;
}

// Gives the terms of a tuple's leaves, flat: of a dynamic one the next of
// `dynamic`.
static CuteTerm *termsOf(CuteProver *prover, CuteIntTuple tuple,
                         const CuteTerm **dynamic) {
  CuteArena *arena = &prover->terms->arena;
  size_t n = tuple->numLeaves;
  CuteIntTuple *leaves = cuteArenaAllocate(arena, n * sizeof *leaves);
  CuteTerm *terms = cuteArenaAllocate(arena, n * sizeof *terms);
  cuteIntTupleGetLeaves(tuple, leaves);
  for (size_t i = 0; i < n; ++i)
    terms[i] = isDynamic(leaves[i])
                   ? *(*dynamic)++
                   : cuteTermGetConstant(prover->terms, leaves[i]->value);
  return terms;
}

// Sets the extents of a plain tensor of a parameter.
static void setExtents(CuteProver *prover, CutePlace *place,
                       const CuteTerm *dynamic) {
  CuteLayout layout = place->type->layout;
  if (cuteLayoutIsComposed(layout))
    return;
  place->shape = termsOf(prover, layout->shape, &dynamic);
  place->stride = termsOf(prover, layout->stride, &dynamic);
  if (layout->shape->numLeaves == layout->stride->numLeaves)
    place->rank = layout->shape->numLeaves;
}

enum { MAX_PARTS = 64 };

static int64_t alignOf(CuteProver *prover, size_t part, CuteType type) {
  MlirAttribute all = cuteMlirGetAttribute(prover->kernel, "arg_attrs");
  int64_t align = type ? type->align : 1;
  if (mlirAttributeIsNull(all) ||
      (intptr_t)part >= mlirArrayAttrGetNumElements(all))
    return align;
  MlirAttribute given = mlirDictionaryAttrGetElementByName(
      mlirArrayAttrGetElement(all, (intptr_t)part),
      cuteMlirString("llvm.align"));
  return mlirAttributeIsNull(given) ? align : mlirIntegerAttrGetValueInt(given);
}

// Binds a pointer to what it points to; of a tensor also the extents are known.
static CutePlace *bindPointer(CuteProver *prover, size_t argument,
                              CuteType type, MlirValue value, size_t part) {
  CutePlace *place = cuteWalkAddPlace(prover, CUTE_PLACE_GLOBAL);
  place->type = type;
  place->argument = argument;
  place->align = alignOf(prover, part, type);
  cuteWalkSet(prover, value,
              (CuteValue){.kind = CUTE_VALUE_POINTER,
                          .term = cuteTermGetConstant(prover->terms, 0),
                          .place = place});
  return place;
}

// The symbol of a size, of two kernels the same one: what divides it in one
// does.
static const CuteSymbol *sizeOf(CuteProver *prover, const char *name,
                                int64_t least, int64_t divisor) {
  const CuteSymbol *known = cuteWalkFindSize(prover->terms, name);
  CuteSymbol *symbol =
      known ? prover->terms->symbols[known->id]
            : cuteSymbolCreate(prover->terms, CUTE_SYMBOL_SIZE, name,
                               (CuteInterval){least, CUTE_UNBOUNDED});
  if (!known || divisor % symbol->divisor == 0)
    symbol->divisor = divisor;
  return symbol;
}

// Binds the parts of a parameter, the lowered ones from `first` on; how many
// there are is returned.
static size_t bindParameter(CuteProver *prover, size_t argument, CuteType type,
                            MlirBlock entry, size_t first) {
  CuteParameterPart parts[MAX_PARTS];
  CuteTerm terms[MAX_PARTS];
  CuteIntTuple leaves[MAX_PARTS];
  size_t n = cuteParameterParts(type, MAX_PARTS, parts), numTerms = 0;
  if (n > MAX_PARTS)
    return n;
  cuteTypeGetDynamicLeaves(type, leaves);
  CutePlace *place = NULL;
  for (size_t i = 0; i < n; ++i) {
    MlirValue value = mlirBlockGetArgument(entry, (intptr_t)(first + i));
    if (parts[i].kind == CUTE_PART_POINTER) {
      place = bindPointer(prover, argument, type, value, first + i);
      continue;
    }
    bool isExtent = strncmp(parts[i].role, "value", 5) != 0;
    const CuteSymbol *symbol =
        sizeOf(prover,
               cuteArenaFormat(&prover->terms->arena, "arg%zu.%s", argument,
                               parts[i].role),
               isExtent ? 1 : -CUTE_UNBOUNDED,
               leaves[numTerms]->value > 0 ? leaves[numTerms]->value : 1);
    terms[numTerms] = cuteTermGetSymbol(symbol);
    cuteWalkSetTerm(prover, value, terms[numTerms++]);
  }
  if (place && type->kind == CUTE_TYPE_TENSOR)
    setExtents(prover, place, terms);
  return n;
}

static void bindForeign(CuteProver *prover, size_t argument, MlirValue value,
                        size_t part) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsALLVMPointerType(type)) {
    bindPointer(prover, argument, NULL, value, part);
  } else if (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) > 1) {
    const CuteSymbol *symbol = sizeOf(
        prover, cuteArenaFormat(&prover->terms->arena, "arg%zu", argument),
        -CUTE_UNBOUNDED, 1);
    cuteWalkSetTerm(prover, value, cuteTermGetSymbol(symbol));
  }
}

static void bindParameters(CuteProver *prover) {
  MlirBlock typed = cuteMlirGetBody(prover->typed, 0);
  MlirBlock entry = cuteMlirGetBody(prover->kernel, 0);
  size_t part = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(typed); ++i) {
    MlirValue argument = mlirBlockGetArgument(typed, i);
    CuteType type =
        cuteDialectGetType(prover->dialect, mlirValueGetType(argument));
    if (type && type->kind != CUTE_TYPE_FOREIGN) {
      part += bindParameter(prover, (size_t)i, type, entry, part);
      continue;
    }
    bindForeign(prover, (size_t)i, mlirBlockGetArgument(entry, (intptr_t)part),
                part);
    ++part;
  }
}

// Binds the tensor maps of TMA, which come after all other parameters. The
// bytes of what several blocks load are not known.
static void bindMaps(CuteProver *prover) {
  CuteTensorMapList maps = {0};
  MlirBlock entry = cuteMlirGetBody(prover->kernel, 0);
  if (cuteTensorMapListCollect(prover->dialect, prover->typed, &maps))
    for (size_t i = 0; i < maps.count; ++i) {
      const CuteTensorMapParameter *map = &maps.data[i];
      intptr_t first = mlirBlockGetNumArguments(entry) - (intptr_t)maps.count;
      CutePlace *place =
          bindPointer(prover, (size_t)map->argument, NULL,
                      mlirBlockGetArgument(entry, first + (intptr_t)i), 0);
      place->kind = CUTE_PLACE_MAP;
      CuteTmaAtom *tma = cuteArenaAllocate(&prover->terms->arena, sizeof *tma);
      *tma = map->tma;
      place->tma = tma;
      if (map->tma.ctas == 1 && !map->tma.atom->isIm2col &&
          !map->tma.atom->isOfRows)
        place->bytes =
            cuteLayoutGetSize(prover->dialect->context, map->tma.box)->value *
            cuteElementTypeGetBits(map->tma.element) / 8;
    }
  cuteTensorMapListDestroy(&maps);
}

bool cuteWalkBegin(CuteProver *prover) {
  CuteArena *arena = &prover->terms->arena;
  MlirAttribute sizes =
      cuteMlirGetAttribute(prover->kernel, "known_block_size");
  if (mlirAttributeIsNull(sizes) || mlirDenseArrayGetNumElements(sizes) != 3)
    return false;
  MlirAttribute cluster =
      cuteMlirGetAttribute(prover->typed, "known_cluster_size");
  bindParameters(prover);
  bindMaps(prover);
  for (int i = 0; i < 3; ++i) {
    prover->blockSize[i] = mlirDenseI32ArrayGetElement(sizes, i);
    prover->cluster[i] = mlirAttributeIsNull(cluster)
                             ? 1
                             : mlirDenseI32ArrayGetElement(cluster, i);
    prover->block[i] =
        cuteSymbolCreate(prover->terms, CUTE_SYMBOL_BLOCK,
                         cuteArenaFormat(arena, "block %c", 'x' + i),
                         (CuteInterval){0, CUTE_UNBOUNDED});
    prover->thread[i] =
        cuteSymbolCreate(prover->terms, CUTE_SYMBOL_THREAD,
                         cuteArenaFormat(arena, "thread %c", 'x' + i),
                         (CuteInterval){0, prover->blockSize[i] - 1});
  }
  prover->path = prover->launch = prover->types =
      cuteConditionGetConstant(true);
  prover->assumed = cuteConditionGetConstant(false);
  cuteGridRead(prover);
  return cuteWalkPlanShared(prover);
}

//===-- Ops ---------------------------------------------------------------===//

static void walkOp(CuteProver *prover, MlirOperation op) {
  if (cuteWalkControl(prover, op))
    return;
  if (!cuteWalkOrder(prover, op) && !cuteWalkInteger(prover, op) &&
      !cuteWalkMemory(prover, op))
    cuteWalkSetUnknown(prover, op, "an integer that is computed of data");
  cuteWalkFlow(prover, op);
}

void cuteWalkBlock(CuteProver *prover, MlirBlock block) {
  CUTE_FOR_OPS(op, block)
    walkOp(prover, op);
}

void cuteWalkKernel(CuteProver *prover) {
  MlirBlock entry = cuteMlirGetBody(prover->kernel, 0);
  if (!mlirBlockIsNull(mlirBlockGetNextInRegion(entry)))
    cuteWalkGiveUp(prover, prover->kernel, "the kernel branches by cf");
  cuteWalkBeginSegment(prover, (CuteStep){.from = 0});
  cuteWalkBlock(prover, entry);
}
