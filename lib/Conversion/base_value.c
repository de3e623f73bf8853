// Values of the dialect between functions: pointers and integers in structs.
#include "Conversion/conversion.h"

#include <assert.h>

// The place of a value in its struct; the leaves are dynamic ones.
typedef struct Field {
  CuteIntTuple leaf; // null: a pointer, or a struct of `fields`
  bool isPointer;
  CuteSpace space; // that it points to
  size_t numFields;
  struct Field *fields;
} Field;

static Field structOf(CuteContext c, size_t n) {
  Field *fields = cuteScratch(c, n * sizeof *fields);
  return (Field){.numFields = n, .fields = fields};
}

static Field pairOf(CuteContext c, Field first, Field second) {
  Field field = structOf(c, 2);
  field.fields[0] = first;
  field.fields[1] = second;
  return field;
}

static Field tupleField(CuteContext c, CuteIntTuple tuple) {
  size_t n = tuple->numDynamic;
  CuteIntTuple *leaves = cuteScratch(c, n * sizeof *leaves);
  CuteIntTuple *next = leaves;
  cuteIntTupleCollectDynamic(tuple, &next);
  if (n == 1)
    return (Field){.leaf = leaves[0]};
  Field field = structOf(c, n);
  for (size_t i = 0; i < n; ++i)
    field.fields[i] = (Field){.leaf = leaves[i]};
  return field;
}

static Field layoutField(CuteContext c, CuteLayout layout) {
  Field plain =
      pairOf(c, tupleField(c, layout->shape), tupleField(c, layout->stride));
  if (!cuteLayoutIsComposed(layout))
    return plain;
  Field composed = structOf(c, 3);
  composed.fields[0] = plain;
  composed.fields[1] = tupleField(c, layout->offset);
  composed.fields[2] =
      layout->inner ? layoutField(c, layout->inner) : structOf(c, 0);
  return composed;
}

static size_t tileFields(CuteContext c, CuteTile tile, Field *fields) {
  size_t count = 0;
  if (tile->kind == TILE_LAYOUT)
    fields[count++] = layoutField(c, tile->layout);
  for (size_t i = 0; tile->kind == TILE_TUPLE && i < tile->rank; ++i)
    count += tileFields(c, tile->elements[i], fields + count);
  return count;
}

static Field tileField(CuteContext c, CuteTile tile) {
  Field field = structOf(c, tile->numLeaves);
  field.numFields = tileFields(c, tile, field.fields);
  return field.numFields == 1 ? field.fields[0] : field;
}

static Field fieldOf(CuteContext c, CuteType type) {
  Field pointer = {.isPointer = true, .space = cuteTypeGetMemory(type)};
  if (cuteTypeIsTuple(type) || type->kind == CUTE_TYPE_PIPELINE_STATE)
    return tupleField(c, type->tuple);
  if (cuteTypeIsLayout(type))
    return layoutField(c, type->layout);
  if (type->kind == CUTE_TYPE_TILE)
    return tileField(c, type->tile);
  if (type->kind == CUTE_TYPE_TENSOR)
    return pairOf(c, pointer, layoutField(c, type->layout));
  if (type->kind == CUTE_TYPE_COORD_TENSOR)
    return pairOf(c, tupleField(c, type->tuple), layoutField(c, type->layout));
  if (type->kind == CUTE_TYPE_PIPELINE && type->tuple)
    return pairOf(c, pointer, tupleField(c, type->tuple));
  return cuteTypeHasPointer(type) ? pointer : structOf(c, 0);
}

static MlirType typeOf(CuteLowering *lowering, Field field) {
  const CuteBuilder *b = &lowering->builder;
  CuteContext c = lowering->context;
  if (field.leaf)
    return cuteIntType(b, field.leaf->width);
  if (field.isPointer)
    return cuteLoweringPointerType(lowering, field.space);
  MlirType *types = cuteScratch(c, field.numFields * sizeof *types);
  for (size_t i = 0; i < field.numFields; ++i)
    types[i] = typeOf(lowering, field.fields[i]);
  return cuteBuildStructType(b, field.numFields, types);
}

MlirType cuteBaseType(CuteLowering *lowering, CuteType type) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return typeOf(lowering, fieldOf(c, type));
}

//===-- Packing -----------------------------------------------------------===//

// The way from a struct to a part of it.
typedef struct Path {
  int64_t positions[6]; // a tensor's layout's inner layout's stride's leaf: 5
  intptr_t depth;
} Path;

static Path pathTo(Path path, size_t i) {
  assert(path.depth < 6);
  path.positions[path.depth++] = (int64_t)i;
  return path;
}

static MlirValue insertAt(const CuteBuilder *b, MlirValue aggregate,
                          MlirValue value, Path path) {
  MlirType type = mlirValueGetType(aggregate);
  return CUTE_BUILD_VALUE(
      b, "llvm.insertvalue", CUTE_OPERANDS(aggregate, value),
      CUTE_RESULTS(type),
      CUTE_ATTRIBUTES({"position", mlirDenseI64ArrayGet(b->context, path.depth,
                                                        path.positions)}));
}

static MlirValue poisonOf(const CuteBuilder *b, MlirType type) {
  return cuteBuildResult(b, "ub.poison", 0, NULL, type);
}

static bool hasParts(Field field) {
  bool found = field.leaf || field.isPointer;
  for (size_t i = 0; !found && i < field.numFields; ++i)
    found = hasParts(field.fields[i]);
  return found;
}

// The struct of these parts.
static MlirValue assemble(const CuteBuilder *b, MlirType type, size_t n,
                          const MlirValue *parts) {
  MlirValue value = poisonOf(b, type);
  for (size_t i = 0; i < n; ++i)
    value = insertAt(b, value, parts[i], pathTo((Path){0}, i));
  return value;
}

// A struct without data is poison, which nobody reads.
static MlirValue pack(CuteLowering *lowering, Field field, MlirValue pointer) {
  const CuteBuilder *b = &lowering->builder;
  if (field.leaf)
    return cuteLoweringGetInteger(lowering, field.leaf, 0);
  if (field.isPointer)
    return pointer;
  if (!hasParts(field))
    return poisonOf(b, typeOf(lowering, field));
  MlirValue *parts =
      cuteScratch(lowering->context, field.numFields * sizeof *parts);
  for (size_t i = 0; i < field.numFields; ++i)
    parts[i] = pack(lowering, field.fields[i], pointer);
  return assemble(b, typeOf(lowering, field), field.numFields, parts);
}

// Inserts the leaves into a tile, each where it belongs.
static MlirValue packLeaves(CuteLowering *lowering, Field field, Path path,
                            MlirValue value) {
  if (field.leaf)
    return insertAt(&lowering->builder, value,
                    cuteLoweringGetInteger(lowering, field.leaf, 0), path);
  for (size_t i = 0; i < field.numFields; ++i)
    value = packLeaves(lowering, field.fields[i], pathTo(path, i), value);
  return value;
}

static MlirValue packLowered(CuteLowering *lowering, CuteLowered value) {
  Field field = fieldOf(lowering->context, value.type);
  if (value.type->kind != CUTE_TYPE_TILE)
    return pack(lowering, field, cuteLoweringGetBytePointer(lowering, value));
  return packLeaves(lowering, field, (Path){0},
                    poisonOf(&lowering->builder, typeOf(lowering, field)));
}

static MlirValue packValue(CuteLowering *lowering, MlirValue value);

// A layout that an op made of others' structs, the last operand first in a
// composed one.
static MlirValue packMade(CuteLowering *lowering, MlirOperation op,
                          const CuteLowered *made) {
  size_t n = (size_t)getNumOperands(op);
  MlirValue parts[3];
  for (size_t i = 0; i < n; ++i)
    parts[i] =
        packValue(lowering, getOperand(op, (intptr_t)(n == 2 ? i : n - 1 - i)));
  MlirType type = typeOf(lowering, fieldOf(lowering->context, made->type));
  return assemble(&lowering->builder, type, n, parts);
}

static MlirValue packValue(CuteLowering *lowering, MlirValue value) {
  void *base = cutePointerMapGet(&lowering->bases, value.ptr);
  if (base)
    return (MlirValue){base};
  const CuteLowered *lowered = cuteLoweringGet(lowering, value);
  assert(lowered);
  MlirOperation op = cuteMlirGetOwner(value);
  bool isMade =
      cuteDialectIsOp(lowering->dialect, op, CUTE_OP_MAKE_LAYOUT) ||
      cuteDialectIsOp(lowering->dialect, op, CUTE_OP_MAKE_COMPOSED_LAYOUT);
  return isMade ? packMade(lowering, op, lowered)
                : packLowered(lowering, *lowered);
}

MlirValue cuteBasePack(CuteLowering *lowering, MlirValue value) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  return packValue(lowering, value);
}

//===-- Unpacking ---------------------------------------------------------===//

// Writes the pointer and the integers of the field, in order.
static MlirValue *unpack(CuteLowering *lowering, Field field, Path path,
                         MlirValue value, MlirValue *next) {
  if (field.leaf || field.isPointer) {
    *next = path.depth
                ? cuteBuildExtractAt(&lowering->builder, value, path.depth,
                                     path.positions, typeOf(lowering, field))
                : value;
    return next + 1;
  }
  for (size_t i = 0; i < field.numFields; ++i)
    next = unpack(lowering, field.fields[i], pathTo(path, i), value, next);
  return next;
}

CuteLowered cuteBaseBind(CuteLowering *lowering, CuteType type,
                         const MlirValue *parts) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteLowered lowered = {.type = type};
  size_t n = cuteTypeGetNumDynamic(type);
  CuteIntTuple *leaves = cuteScratch(c, (n + 1) * sizeof *leaves);
  cuteTypeGetDynamicLeaves(type, leaves);
  if (cuteTypeHasPointer(type))
    lowered.pointer = *parts++;
  for (size_t i = 0; i < n; ++i)
    leaves[i] = cuteLoweringGetLeaf(lowering, parts[i], leaves[i]->value);
  lowered.type = cuteTypeBind(c, type, leaves);
  return lowered;
}

CuteLowered cuteBaseUnpack(CuteLowering *lowering, CuteType type,
                           MlirValue value) {
  CuteContext c = lowering->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  MlirValue *parts =
      cuteScratch(c, (cuteTypeGetNumDynamic(type) + 1) * sizeof *parts);
  unpack(lowering, fieldOf(c, type), (Path){0}, value, parts);
  return cuteBaseBind(lowering, type, parts);
}
