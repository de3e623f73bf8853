// Writes what MLIR's parser gets in place of ops that are made directly,
// and makes the ops.
#include "Text/direct_parts.h"

//===-- Writing -----------------------------------------------------------===//

static void writeType(CuteReader *reader, const CuteDirectRun *run,
                      CuteType type, CuteString *text) {
  cuteTypeAliasesAppend(&reader->names, text, type,
                        (size_t)(run->start - reader->map.source.data));
}

// Writes the run's exported names and their types.
static void writeResults(CuteReader *reader, const CuteDirectRun *run,
                         CuteString *text, CuteString *types) {
  for (const Name *name = run->exported; name; name = name->nextExported) {
    cuteStringAppend(text, name == run->exported ? "" : ",");
    cuteStringAppendBytes(text, name->name.data, name->name.length);
    if (name->count != 1)
      cuteStringAppendFormat(text, ":%zu", name->count);
    for (size_t i = 0; i < name->count; ++i) {
      cuteStringAppend(types, types->length ? "," : "");
      cuteTypeAliasesAppend(&reader->names, types,
                            run->ops[name->op].results[name->first + i],
                            (size_t)(run->start - reader->map.source.data));
    }
  }
  cuteStringAppend(text, run->exported ? " = " : "");
  if (!run->exported)
    cuteStringAppend(types, "i1");
}

static void writeRun(CuteReader *reader, size_t number, CuteString *text) {
  const CuteDirectRun *run = reader->direct.runs[number];
  CUTE_SCOPED(String) from = {0}, to = {0};
  writeResults(reader, run, text, &to);
  cuteStringAppendFormat(text, "\"%s\"(", CUTE_DIRECT_CONVERSION);
  for (size_t i = 0; i < run->numOutside; ++i) {
    CuteStringRef name = run->outside[i].name;
    cuteStringAppend(text, i ? "," : "");
    cuteStringAppend(&from, i ? "," : "");
    cuteStringAppendBytes(text, name.data, name.length);
    writeType(reader, run, run->outside[i].type, &from);
  }
  cuteStringAppendFormat(text, "){%s = %zu : i64} : (%s) -> (%s) ",
                         CUTE_DIRECT_NUMBER, number, cuteStringGet(&from),
                         cuteStringGet(&to));
}

void cuteDirectOpsWrite(CuteReader *reader) {
  const CuteDirectOps *direct = &reader->direct;
  CuteString *output = &reader->map.output, text = {0};
  size_t copied = 0;
  if (!direct->numRuns || reader->map.isOutOfStep)
    return;
  for (size_t i = 0; i < direct->numRuns; ++i) {
    size_t at = direct->runs[i]->at;
    cuteStringAppendBytes(&text, output->data + copied, at - copied);
    copied = at;
    writeRun(reader, i, &text);
  }
  cuteStringAppendBytes(&text, output->data + copied, output->length - copied);
  cuteStringDestroy(output);
  *output = text;
}

//===-- Making ------------------------------------------------------------===//

// All types are parsed at once, as one function's.
bool cuteDirectOpsParseTypes(CuteDirectOps *direct, CuteDialect *dialect) {
  size_t n = direct->numTypes;
  if (!n)
    return true;
  CUTE_SCOPED(String) text = {0};
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppendChar(&text, i ? ',' : '(');
    cuteAppendType(&text, direct->types[i], CUTE_FORM_GENERIC);
  }
  cuteStringAppend(&text, ") -> ()");
  MlirType all = mlirTypeParseGet(dialect->mlir, cuteMlirText(&text));
  if (mlirTypeIsNull(all) || (size_t)mlirFunctionTypeGetNumInputs(all) != n)
    return false;
  direct->mlirTypes = cuteAllocate(n * sizeof *direct->mlirTypes);
  for (size_t i = 0; i < n; ++i) {
    CuteType type = direct->types[i];
    direct->mlirTypes[i] = mlirFunctionTypeGetInput(all, (intptr_t)i);
    if (type->kind != CUTE_TYPE_FOREIGN)
      cuteDialectKnowType(dialect, type, direct->mlirTypes[i]);
  }
  return true;
}

typedef struct Maker {
  CuteDirectOps *direct;
  CuteDialect *dialect;
} Maker;

static MlirType typeOf(const CuteDirectOps *direct, CuteType type) {
  return direct
      ->mlirTypes[(uintptr_t)cutePointerMapGet(&direct->typeNumbers, type) - 1];
}

static MlirOperation makeOp(const Maker *maker, CuteBuilder *builder,
                            const DirectOp *op, const MlirOperation *made) {
  CuteArena *scratch = &maker->dialect->context->scratch;
  MlirValue *operands =
      cuteArenaAllocate(scratch, op->numOperands * sizeof *operands);
  MlirType *results =
      cuteArenaAllocate(scratch, op->numResults * sizeof *results);
  for (size_t i = 0; i < op->numOperands; ++i) {
    ValueRef ref = op->operands[i];
    operands[i] = ref.op == CUTE_DIRECT_OUTSIDE
                      ? getOperand(builder->before, ref.index)
                      : getResult(made[ref.op], ref.index);
  }
  for (size_t i = 0; i < op->numResults; ++i)
    results[i] = typeOf(maker->direct, op->results[i]);
  builder->location = op->location;
  return cuteBuildTyped(builder, maker->dialect,
                        (CuteDialectSpec){.decl = op->decl,
                                          .numOperands = op->numOperands,
                                          .operands = operands,
                                          .numResults = op->numResults,
                                          .numAttributes = op->numAttributes,
                                          .attributes = op->attributes},
                        results);
}

static void makeRun(const Maker *maker, const CuteDirectRun *run,
                    MlirOperation place) {
  CuteArena *scratch = &maker->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  MlirOperation *made = cuteArenaAllocate(scratch, run->numOps * sizeof *made);
  CuteBuilder builder = cuteBuilderBefore(place);
  for (size_t i = 0; i < run->numOps; ++i)
    made[i] = makeOp(maker, &builder, &run->ops[i], made);
  intptr_t next = 0;
  for (const Name *name = run->exported; name; name = name->nextExported)
    for (size_t i = 0; i < name->count; ++i)
      mlirValueReplaceAllUsesOfWith(
          getResult(place, next++),
          getResult(made[name->op], (intptr_t)(name->first + i)));
  mlirOperationDestroy(place);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  const Maker *maker = userData;
  if (!cuteMlirIs(op, CUTE_DIRECT_CONVERSION))
    return MlirWalkResultAdvance;
  MlirAttribute number = mlirOperationGetDiscardableAttributeByName(
      op, cuteMlirString(CUTE_DIRECT_NUMBER));
  if (mlirAttributeIsNull(number))
    return MlirWalkResultAdvance;
  makeRun(maker, maker->direct->runs[mlirIntegerAttrGetValueInt(number)], op);
  return MlirWalkResultSkip;
}

void cuteDirectOpsMake(CuteDirectOps *direct, CuteDialect *dialect,
                       MlirModule module) {
  Maker maker = {direct, dialect};
  if (direct->numRuns)
    mlirOperationWalk(mlirModuleGetOperation(module), visit, &maker,
                      MlirWalkPreOrder);
}
