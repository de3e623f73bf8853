#include "IR/builder.h"

CuteBuilder cuteBuilderBefore(MlirOperation op) {
  return (CuteBuilder){mlirOperationGetContext(op),
                       mlirOperationGetLocation(op), mlirOperationGetBlock(op),
                       op};
}

CuteBuilder cuteBuilderAtStart(MlirBlock block, MlirLocation location) {
  return (CuteBuilder){mlirLocationGetContext(location), location, block,
                       mlirBlockGetFirstOperation(block)};
}

static void insert(const CuteBuilder *builder, MlirOperation op) {
  if (mlirOperationIsNull(builder->before))
    mlirBlockAppendOwnedOperation(builder->block, op);
  else
    mlirBlockInsertOwnedOperationBefore(builder->block, builder->before, op);
}

static void addAttributes(const CuteBuilder *builder, MlirOperationState *state,
                          size_t n, const CuteNamedAttribute *attributes) {
  for (size_t i = 0; i < n; ++i) {
    if (mlirAttributeIsNull(attributes[i].value))
      continue;
    MlirNamedAttribute named = mlirNamedAttributeGet(
        mlirIdentifierGet(builder->context,
                          mlirStringRefCreateFromCString(attributes[i].name)),
        attributes[i].value);
    mlirOperationStateAddAttributes(state, 1, &named);
  }
}

MlirOperation cuteBuild(const CuteBuilder *builder, CuteOpSpec spec) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString(spec.name), builder->location);
  mlirOperationStateAddOperands(&state, (intptr_t)spec.numOperands,
                                spec.operands);
  mlirOperationStateAddResults(&state, (intptr_t)spec.numResults, spec.results);
  addAttributes(builder, &state, spec.numAttributes, spec.attributes);
  for (size_t i = 0; i < spec.numRegions; ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation op = mlirOperationCreate(&state);
  insert(builder, op);
  return op;
}

MlirValue cuteBuildValue(const CuteBuilder *builder, CuteOpSpec spec) {
  return mlirOperationGetResult(cuteBuild(builder, spec), 0);
}

MlirValue cuteBuildUnary(const CuteBuilder *builder, const char *name,
                         MlirValue operand, MlirType result) {
  return cuteBuildValue(builder, (CuteOpSpec){.name = name,
                                              .numOperands = 1,
                                              .operands = &operand,
                                              .numResults = 1,
                                              .results = &result});
}

MlirValue cuteBuildBinary(const CuteBuilder *builder, const char *name,
                          MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirType result = mlirValueGetType(a);
  return cuteBuildValue(builder, (CuteOpSpec){.name = name,
                                              .numOperands = 2,
                                              .operands = operands,
                                              .numResults = 1,
                                              .results = &result});
}

MlirValue cuteBuildInt(const CuteBuilder *builder, unsigned width,
                       int64_t value) {
  MlirType type = cuteIntType(builder, width);
  CuteNamedAttribute attribute = {"value", cuteIntAttr(builder, width, value)};
  return cuteBuildValue(builder, (CuteOpSpec){.name = "arith.constant",
                                              .numResults = 1,
                                              .results = &type,
                                              .numAttributes = 1,
                                              .attributes = &attribute});
}

MlirBlock cuteBuildIf(const CuteBuilder *builder, MlirValue condition) {
  MlirOperationState state = mlirOperationStateGet(
      mlirStringRefCreateFromCString("scf.if"), builder->location);
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirBlock then = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(regions[0], then);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddOwnedRegions(&state, 2, regions);
  insert(builder, mlirOperationCreate(&state));
  CuteBuilder inner = {builder->context, builder->location, then, {NULL}};
  cuteBuild(&inner, (CuteOpSpec){.name = "scf.yield"});
  return then;
}

//===-- Types and attributes ----------------------------------------------===//

MlirType cuteIntType(const CuteBuilder *builder, unsigned width) {
  return mlirIntegerTypeGet(builder->context, width);
}

MlirAttribute cuteIntAttr(const CuteBuilder *builder, unsigned width,
                          int64_t value) {
  return mlirIntegerAttrGet(cuteIntType(builder, width), value);
}

MlirType cuteParsedType(const CuteBuilder *builder, const char *text) {
  return mlirTypeParseGet(builder->context,
                          mlirStringRefCreateFromCString(text));
}

MlirAttribute cuteParsedAttr(const CuteBuilder *builder, const char *text) {
  return mlirAttributeParseGet(builder->context,
                               mlirStringRefCreateFromCString(text));
}

MlirType cuteElementMlirType(const CuteBuilder *builder,
                             CuteElementType element) {
  return cuteParsedType(builder, cuteElementTypeGetName(element));
}

//===-- Ops of the dialect ------------------------------------------------===//

static MlirOperation create(const CuteBuilder *builder, CuteDialect *dialect,
                            const char *name, size_t numOperands,
                            const MlirValue *operands, size_t numResults,
                            const CuteType *results, size_t numAttributes,
                            const CuteNamedAttribute *attributes) {
  CuteArena *scratch = &dialect->context->scratch;
  MlirType *types = cuteArenaAllocate(scratch, numResults * sizeof *types);
  for (size_t i = 0; i < numResults; ++i)
    types[i] = cuteDialectGetMlirType(dialect, results[i]);
  char qualified[80] = "cute.";
  strncat(qualified, name, sizeof qualified - 6);
  return cuteBuild(builder, (CuteOpSpec){.name = qualified,
                                         .numOperands = numOperands,
                                         .operands = operands,
                                         .numResults = numResults,
                                         .results = types,
                                         .numAttributes = numAttributes,
                                         .attributes = attributes});
}

// A detached op without results carries operands and attributes to inference.
static bool infer(const CuteBuilder *builder, CuteDialect *dialect,
                  const char *name, size_t numOperands,
                  const MlirValue *operands, size_t numAttributes,
                  const CuteNamedAttribute *attributes, CuteOp *op) {
  const CuteOpDecl *decl = cuteDialectFindOp(dialect, cuteStringRef(name));
  if (!decl) {
    cuteFail(dialect->context, "no operation is named 'cute.%s'", name);
    return false;
  }
  MlirOperation carrier = create(builder, dialect, name, numOperands, operands,
                                 0, NULL, numAttributes, attributes);
  mlirOperationRemoveFromParent(carrier);
  *op = cuteDialectGetOp(dialect, decl, carrier);
  bool ok = cuteOpInfer(op);
  mlirOperationDestroy(carrier);
  return ok;
}

MlirOperation cuteBuildOp(const CuteBuilder *builder, CuteDialect *dialect,
                          const char *name, size_t numOperands,
                          const MlirValue *operands, size_t numAttributes,
                          const CuteNamedAttribute *attributes) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  MlirOperation result = {NULL};
  CuteOp op;
  if (infer(builder, dialect, name, numOperands, operands, numAttributes,
            attributes, &op)) {
    result = create(builder, dialect, name, numOperands, operands,
                    op.numResults, op.results, numAttributes, attributes);
  } else {
    CuteString text = {0};
    cuteStringAppendFormat(&text, "'cute.%s' op %s", name,
                           cuteContextGetError(dialect->context));
    mlirEmitError(builder->location, cuteStringGet(&text));
    cuteStringDestroy(&text);
  }
  cuteArenaReset(scratch, mark);
  return result;
}

MlirValue cuteBuildStatic(const CuteBuilder *builder, CuteDialect *dialect,
                          CuteType type) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  MlirOperation op =
      create(builder, dialect, "static", 0, NULL, 1, &type, 0, NULL);
  cuteArenaReset(scratch, mark);
  return mlirOperationGetResult(op, 0);
}
