// Values of the dialect between functions: integers in structs.
#include "Conversion/conversion.h"

// How a value lies in its struct; the leaves are dynamic ones.
typedef struct Field {
  CuteIntTuple leaf; // null: a struct of `fields`
  size_t numFields;
  struct Field *fields;
} Field;

static Field structOf(CuteContext c, size_t n) {
  Field *fields = cuteArenaAllocate(&c->scratch, n * sizeof *fields);
  return (Field){.numFields = n, .fields = fields};
}

static Field tupleField(CuteContext c, CuteIntTuple tuple) {
  size_t n = tuple->numDynamic;
  CuteIntTuple *leaves = cuteArenaAllocate(&c->scratch, n * sizeof *leaves);
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
  Field plain = structOf(c, 2);
  plain.fields[0] = tupleField(c, layout->shape);
  plain.fields[1] = tupleField(c, layout->stride);
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

static bool fieldOf(CuteContext c, CuteType type, Field *field) {
  if (cuteTypeIsTuple(type))
    *field = tupleField(c, type->tuple);
  else if (cuteTypeIsLayout(type))
    *field = layoutField(c, type->layout);
  else if (type->kind == CUTE_TYPE_TILE)
    *field = tileField(c, type->tile);
  else if (type->kind == CUTE_TYPE_SWIZZLE)
    *field = structOf(c, 0);
  else {
    cuteFail(c,
             "a value of kind %s cannot be passed on; kernels (gpu.func) take "
             "tensors, and loops and branches use those outside of them",
             cuteTypeKindGetName((CuteTypeKind)type->kind));
    return false;
  }
  return true;
}

static MlirType typeOf(const CuteBuilder *b, CuteContext c, Field field) {
  if (field.leaf)
    return cuteIntType(b, field.leaf->width);
  MlirType *types =
      cuteArenaAllocate(&c->scratch, field.numFields * sizeof *types);
  for (size_t i = 0; i < field.numFields; ++i)
    types[i] = typeOf(b, c, field.fields[i]);
  return cuteStructType(b, field.numFields, types);
}

MlirType cuteBaseType(CuteLowering *lowering, CuteType type) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Field field;
  MlirType result = {NULL};
  if (fieldOf(c, type, &field))
    result = typeOf(&lowering->builder, c, field);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

//===-- Packing -----------------------------------------------------------===//

static MlirValue insertAt(const CuteBuilder *b, MlirValue aggregate,
                          MlirValue value, size_t i) {
  int64_t position = (int64_t)i;
  CuteNamedAttribute attribute = {
      "position", mlirDenseI64ArrayGet(b->context, 1, &position)};
  MlirValue operands[] = {aggregate, value};
  MlirType type = mlirValueGetType(aggregate);
  return cuteBuildValue(b, (CuteOpSpec){.name = "llvm.insertvalue",
                                        .numOperands = 2,
                                        .operands = operands,
                                        .numResults = 1,
                                        .results = &type,
                                        .numAttributes = 1,
                                        .attributes = &attribute});
}

static bool hasLeaves(Field field) {
  bool found = field.leaf != NULL;
  for (size_t i = 0; !found && i < field.numFields; ++i)
    found = hasLeaves(field.fields[i]);
  return found;
}

// Parts without leaves stay poison, which nobody reads.
static MlirValue pack(CuteLowering *lowering, Field field) {
  const CuteBuilder *b = &lowering->builder;
  if (field.leaf)
    return cuteLoweringGetInteger(lowering, field.leaf, 0);
  MlirType type = typeOf(b, lowering->context, field);
  MlirValue value = cuteBuildValue(b, (CuteOpSpec){.name = "llvm.mlir.poison",
                                                   .numResults = 1,
                                                   .results = &type});
  for (size_t i = 0; i < field.numFields; ++i)
    if (hasLeaves(field.fields[i]))
      value = insertAt(b, value, pack(lowering, field.fields[i]), i);
  return value;
}

MlirValue cuteBasePack(CuteLowering *lowering, CuteType bound) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Field field;
  MlirValue result = {NULL};
  if (fieldOf(c, bound, &field))
    result = pack(lowering, field);
  cuteArenaReset(&c->scratch, mark);
  return result;
}

// Writes the leaf behind each dynamic leaf of the field, in order.
static CuteIntTuple *unpack(CuteLowering *lowering, Field field,
                            MlirValue value, CuteIntTuple *next) {
  const CuteBuilder *b = &lowering->builder;
  if (field.leaf) {
    *next = cuteLoweringGetLeaf(lowering, value, field.leaf->value);
    return next + 1;
  }
  for (size_t i = 0; i < field.numFields; ++i)
    if (hasLeaves(field.fields[i])) {
      MlirType type = typeOf(b, lowering->context, field.fields[i]);
      next = unpack(lowering, field.fields[i], cuteExtract(b, value, i, type),
                    next);
    }
  return next;
}

CuteType cuteBaseUnpack(CuteLowering *lowering, CuteType type,
                        MlirValue value) {
  CuteContext c = lowering->context;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  CuteIntTuple *leaves = cuteArenaAllocate(
      &c->scratch, cuteTypeGetNumDynamic(type) * sizeof *leaves);
  Field field;
  CuteType result = NULL;
  if (fieldOf(c, type, &field)) {
    unpack(lowering, field, value, leaves);
    result = cuteTypeBind(c, type, leaves);
  }
  cuteArenaReset(&c->scratch, mark);
  return result;
}
