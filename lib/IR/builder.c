#include "IR/builder.h"

#include <mlir-c/Dialect/LLVM.h>

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
        mlirIdentifierGet(builder->context, cuteMlirString(attributes[i].name)),
        attributes[i].value);
    mlirOperationStateAddAttributes(state, 1, &named);
  }
}

MlirOperation cuteBuild(const CuteBuilder *builder, CuteOpSpec spec) {
  MlirOperationState state =
      mlirOperationStateGet(cuteMlirString(spec.name), builder->location);
  mlirOperationStateAddOperands(&state, (intptr_t)spec.numOperands,
                                spec.operands);
  mlirOperationStateAddResults(&state, (intptr_t)spec.numResults, spec.results);
  addAttributes(builder, &state, spec.numAttributes, spec.attributes);
  for (size_t i = 0; i < spec.numRegions; ++i) {
    MlirRegion region = mlirRegionCreate();
    if (!spec.withoutBlocks)
      mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation op = mlirOperationCreate(&state);
  insert(builder, op);
  return op;
}

MlirOperation cuteBuildAgain(const CuteBuilder *builder, MlirOperation op,
                             size_t numOperands, const MlirValue *operands,
                             size_t numResults, const MlirType *results) {
  MlirOperation again = CUTE_BUILD(
      builder, cuteMlirGetName(op).data, .numOperands = numOperands,
      .operands = operands, .numResults = numResults, .results = results,
      .numRegions = (size_t)mlirOperationGetNumRegions(op),
      .withoutBlocks = true);
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    mlirOperationSetAttributeByName(again, mlirIdentifierStr(named.name),
                                    named.attribute);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
    mlirRegionTakeBody(mlirOperationGetRegion(again, i),
                       mlirOperationGetRegion(op, i));
  return again;
}

MlirValue cuteBuildValue(const CuteBuilder *builder, CuteOpSpec spec) {
  return getResult(cuteBuild(builder, spec), 0);
}

MlirValue cuteBuildResult(const CuteBuilder *builder, const char *name,
                          size_t numOperands, const MlirValue *operands,
                          MlirType type) {
  return CUTE_BUILD_VALUE(builder, name, .numOperands = numOperands,
                          .operands = operands, CUTE_RESULTS(type));
}

MlirValue cuteBuildUnary(const CuteBuilder *builder, const char *name,
                         MlirValue operand, MlirType result) {
  return cuteBuildResult(builder, name, 1, &operand, result);
}

MlirValue cuteBuildCast(const CuteBuilder *builder, const char *name,
                        MlirValue operand, MlirType result) {
  return mlirTypeEqual(mlirValueGetType(operand), result)
             ? operand
             : cuteBuildUnary(builder, name, operand, result);
}

MlirValue cuteBuildBinary(const CuteBuilder *builder, const char *name,
                          MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirType result = mlirValueGetType(a);
  return cuteBuildResult(builder, name, 2, operands, result);
}

MlirValue cuteBuildWith(const CuteBuilder *builder, const char *name,
                        MlirValue value, int64_t constant) {
  return cuteBuildBinary(
      builder, name, value,
      cuteBuildNumber(builder, mlirValueGetType(value), constant));
}

MlirValue cuteBuildCompare(const CuteBuilder *builder, int64_t predicate,
                           MlirValue a, MlirValue b) {
  MlirType i1 = cuteIntType(builder, 1);
  const char *name =
      mlirTypeIsAFloat(mlirValueGetType(a)) ? "arith.cmpf" : "arith.cmpi";
  return CUTE_BUILD_VALUE(
      builder, name, CUTE_OPERANDS(a, b), CUTE_RESULTS(i1),
      CUTE_ATTRIBUTES({"predicate", cuteIntAttr(builder, 64, predicate)}));
}

MlirValue cuteBuildTest(const CuteBuilder *builder, int64_t predicate,
                        MlirValue value, int64_t constant) {
  return cuteBuildCompare(
      builder, predicate, value,
      cuteBuildNumber(builder, mlirValueGetType(value), constant));
}

MlirAttribute cuteStringAttr(const CuteBuilder *builder, const char *text) {
  return mlirStringAttrGet(builder->context, cuteMlirString(text));
}

MlirValue cuteBuildAttribute(const CuteBuilder *builder, MlirAttribute value) {
  MlirType type = mlirAttributeGetType(value);
  return CUTE_BUILD_VALUE(builder, "arith.constant", CUTE_RESULTS(type),
                          CUTE_ATTRIBUTES({"value", value}));
}

MlirValue cuteBuildNumber(const CuteBuilder *builder, MlirType type,
                          int64_t value) {
  return cuteBuildAttribute(builder, mlirIntegerAttrGet(type, value));
}

MlirValue cuteBuildInt(const CuteBuilder *builder, unsigned width,
                       int64_t value) {
  return cuteBuildNumber(builder, cuteIntType(builder, width), value);
}

MlirValue cuteBuildSelect(const CuteBuilder *builder, MlirValue condition,
                          MlirValue yes, MlirValue no) {
  MlirValue operands[] = {condition, yes, no};
  MlirType type = mlirValueGetType(yes);
  return cuteBuildResult(builder, "arith.select", 3, operands, type);
}

MlirValue cuteBuildVectorExtract(const CuteBuilder *builder, MlirValue vector,
                                 int64_t i) {
  MlirType type = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  return CUTE_BUILD_VALUE(
      builder, "vector.extract", CUTE_OPERANDS(vector), CUTE_RESULTS(type),
      CUTE_ATTRIBUTES(
          {"static_position", mlirDenseI64ArrayGet(builder->context, 1, &i)}));
}

MlirValue cuteBuildVectorShuffle(const CuteBuilder *builder, MlirValue vector,
                                 int64_t count, const int64_t *indices) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(vector));
  MlirType type = mlirVectorTypeGet(1, &count, element);
  CuteNamedAttribute mask = {
      "mask", mlirDenseI64ArrayGet(builder->context, (intptr_t)count, indices)};
  return CUTE_BUILD_VALUE(builder, "vector.shuffle",
                          CUTE_OPERANDS(vector, vector), CUTE_RESULTS(type),
                          .numAttributes = 1, .attributes = &mask);
}

// A block of a region, with its terminator.
static MlirBlock addBranch(const CuteBuilder *builder, MlirRegion region) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  CuteBuilder inner = {builder->context, builder->location, block, {NULL}};
  CUTE_BUILD(&inner, "scf.yield");
  return block;
}

MlirBlock cuteBuildIfElse(const CuteBuilder *builder, MlirValue condition,
                          MlirBlock *otherwise) {
  MlirOperationState state =
      mlirOperationStateGet(cuteMlirString("scf.if"), builder->location);
  MlirRegion regions[] = {mlirRegionCreate(), mlirRegionCreate()};
  MlirBlock then = addBranch(builder, regions[0]);
  if (otherwise)
    *otherwise = addBranch(builder, regions[1]);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddOwnedRegions(&state, 2, regions);
  insert(builder, mlirOperationCreate(&state));
  return then;
}

CuteBuilder cuteBuildIf(const CuteBuilder *builder, MlirValue condition) {
  return cuteBuilderAtStart(cuteBuildIfElse(builder, condition, NULL),
                            builder->location);
}

MlirBlock cuteBuildFor(const CuteBuilder *builder, MlirValue count) {
  MlirType type = mlirValueGetType(count);
  unsigned width = mlirIntegerTypeGetWidth(type);
  MlirOperation loop =
      CUTE_BUILD(builder, "scf.for",
                 CUTE_OPERANDS(cuteBuildInt(builder, width, 0), count,
                               cuteBuildInt(builder, width, 1)),
                 .numRegions = 1, .withoutBlocks = true);
  MlirBlock body = mlirBlockCreate(1, &type, &builder->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  CuteBuilder inner = {builder->context, builder->location, body, {NULL}};
  CUTE_BUILD(&inner, "scf.yield");
  return body;
}

//===-- Types and attributes ----------------------------------------------===//

MlirType cuteIntType(const CuteBuilder *builder, unsigned width) {
  return mlirIntegerTypeGet(builder->context, width);
}

MlirAttribute cuteIntAttr(const CuteBuilder *builder, unsigned width,
                          int64_t value) {
  return mlirIntegerAttrGet(cuteIntType(builder, width), value);
}

MlirType cuteElementMlirType(const CuteBuilder *builder,
                             CuteElementType element) {
  return cuteParsedType(builder, cuteElementTypeGetName(element));
}

//===-- Ops of the dialect ------------------------------------------------===//

// The lengths of runs of equal types, by which IRDL tells the values of a mixed
// group apart; a null attribute with a message if there are too many.
static MlirAttribute runsOf(CuteDialect *dialect, size_t n,
                            const MlirType *types) {
  int32_t sizes[CUTE_NUM_MIXED] = {0};
  size_t runs = 0;
  for (size_t i = 0; i < n; ++i) {
    runs += !i || !mlirTypeEqual(types[i], types[i - 1]);
    if (runs > CUTE_NUM_MIXED) {
      cuteFail(dialect->context,
               "the types of its values alternate more than %d times",
               CUTE_NUM_MIXED);
      return (MlirAttribute){NULL};
    }
    ++sizes[runs - 1];
  }
  return mlirDenseI32ArrayGet(dialect->mlir, CUTE_NUM_MIXED, sizes);
}

// Adds the segments of a mixed group of these types.
static bool addRuns(CuteDialect *dialect, bool isMixed, const char *name,
                    size_t n, const MlirType *types,
                    CuteNamedAttribute *attributes, size_t *count) {
  if (!isMixed)
    return true;
  MlirAttribute segments = runsOf(dialect, n, types);
  attributes[(*count)++] = (CuteNamedAttribute){name, segments};
  return !mlirAttributeIsNull(segments);
}

static bool addSegments(CuteDialect *dialect, const CuteDialectSpec *spec,
                        const MlirType *from, const MlirType *to,
                        CuteNamedAttribute *attributes, size_t *count) {
  const CuteOpDecl *decl = spec->decl;
  static const char operands[] = "operandSegmentSizes",
                    results[] = "resultSegmentSizes";
  if (decl->segmentedOperands) {
    int32_t sizes[CUTE_MAX_DECLARED];
    cuteOpDeclGetSegments(decl, spec->numOperands, sizes);
    attributes[(*count)++] = (CuteNamedAttribute){
        operands, mlirDenseI32ArrayGet(dialect->mlir,
                                       (intptr_t)decl->numOperands, sizes)};
  }
  return addRuns(dialect, decl->mixedOperands, operands, spec->numOperands,
                 from, attributes, count) &&
         addRuns(dialect, decl->mixedResults, results, spec->numResults, to,
                 attributes, count);
}

MlirOperation cuteBuildTyped(const CuteBuilder *builder, CuteDialect *dialect,
                             CuteDialectSpec spec, const MlirType *results) {
  CuteArena *scratch = &dialect->context->scratch;
  const CuteOpDecl *decl = spec.decl;
  MlirType *from = cuteArenaAllocate(scratch, spec.numOperands * sizeof *from);
  CuteNamedAttribute *attributes =
      cuteArenaAllocate(scratch, (spec.numAttributes + 2) * sizeof *attributes);
  size_t n = spec.numAttributes;
  for (size_t i = 0; i < spec.numOperands; ++i)
    from[i] = mlirValueGetType(spec.operands[i]);
  for (size_t i = 0; i < n; ++i)
    attributes[i] = spec.attributes[i];
  if (!addSegments(dialect, &spec, from, results, attributes, &n))
    return (MlirOperation){NULL};
  char name[80] = "cute.";
  strncat(name, decl->name.data,
          decl->name.length < 70 ? decl->name.length : 70);
  return CUTE_BUILD(builder, name, .numOperands = spec.numOperands,
                    .operands = spec.operands, .numResults = spec.numResults,
                    .results = results, .numAttributes = n,
                    .attributes = attributes);
}

MlirOperation cuteBuildSpec(const CuteBuilder *builder, CuteDialect *dialect,
                            CuteDialectSpec spec) {
  MlirType *to = cuteScratch(dialect->context, spec.numResults * sizeof *to);
  for (size_t i = 0; i < spec.numResults; ++i) {
    to[i] = cuteDialectGetMlirType(dialect, spec.results[i]);
    if (mlirTypeIsNull(to[i]))
      return (MlirOperation){NULL};
  }
  return cuteBuildTyped(builder, dialect, spec, to);
}

// Inference, also where leaf arithmetic emits at the moment.
static bool inferTypes(CuteOp *op) {
  CUTE_SCOPED(Arithmetic)
  inference = cuteArithmeticBegin(op->context, NULL, NULL);
  return cuteOpInfer(op);
}

// A detached op without results, which carries operands and attributes, infers.
MlirOperation cuteBuildInferred(const CuteBuilder *builder,
                                CuteDialect *dialect, CuteDialectSpec spec) {
  MlirOperation carrier = cuteBuildSpec(builder, dialect, spec);
  if (mlirOperationIsNull(carrier))
    return carrier;
  mlirOperationRemoveFromParent(carrier);
  CuteOp op = cuteDialectGetOp(dialect, spec.decl, carrier);
  bool ok = inferTypes(&op);
  mlirOperationDestroy(carrier);
  if (!ok)
    return (MlirOperation){NULL};
  spec.numResults = op.numResults;
  spec.results = op.results;
  return cuteBuildSpec(builder, dialect, spec);
}

// The op; where there is none, says why.
static MlirOperation orSay(const CuteBuilder *builder,
                           const CuteDialect *dialect, CuteOpId id,
                           MlirOperation result) {
  if (mlirOperationIsNull(result))
    cuteEmitError(builder->location, "'%s' op %s", cuteOpIdGetName(id),
                  cuteContextGetError(dialect->context));
  return result;
}

MlirOperation cuteBuildOp(const CuteBuilder *builder, CuteDialect *dialect,
                          CuteOpId id, size_t numOperands,
                          const MlirValue *operands, size_t numAttributes,
                          const CuteNamedAttribute *attributes) {
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  return orSay(
      builder, dialect, id,
      cuteBuildInferred(builder, dialect,
                        (CuteDialectSpec){.decl = &dialect->ops[id],
                                          .numOperands = numOperands,
                                          .operands = operands,
                                          .numAttributes = numAttributes,
                                          .attributes = attributes}));
}

MlirOperation cuteBuildDeclared(const CuteBuilder *builder,
                                CuteDialect *dialect, CuteOpId id,
                                size_t numOperands, const MlirValue *operands,
                                CuteType type) {
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  return orSay(builder, dialect, id,
               cuteBuildSpec(builder, dialect,
                             (CuteDialectSpec){.decl = &dialect->ops[id],
                                               .numOperands = numOperands,
                                               .operands = operands,
                                               .numResults = 1,
                                               .results = &type}));
}

CuteOpId cuteOpIdGetMaker(CuteTypeKind kind) {
  switch (kind) {
  case CUTE_TYPE_INT_TUPLE:
    return CUTE_OP_MAKE_INT_TUPLE;
  case CUTE_TYPE_SHAPE:
    return CUTE_OP_MAKE_SHAPE;
  case CUTE_TYPE_STRIDE:
    return CUTE_OP_MAKE_STRIDE;
  case CUTE_TYPE_COORD:
    return CUTE_OP_MAKE_COORD;
  case CUTE_TYPE_TILE:
    return CUTE_OP_MAKE_TILE;
  default:
    return CUTE_NUM_OPS;
  }
}

MlirValue cuteBuildStatic(const CuteBuilder *builder, CuteDialect *dialect,
                          CuteType type) {
  return getResult(
      cuteBuildDeclared(builder, dialect, CUTE_OP_STATIC, 0, NULL, type), 0);
}

//===-- LLVM's dialect ----------------------------------------------------===//

MlirType cuteBuildStructType(const CuteBuilder *builder, size_t n,
                             const MlirType *fields) {
  return mlirLLVMStructTypeLiteralGet(builder->context, (intptr_t)n, fields,
                                      false);
}

MlirValue cuteBuildExtractAt(const CuteBuilder *builder, MlirValue value,
                             intptr_t depth, const int64_t *path,
                             MlirType type) {
  return CUTE_BUILD_VALUE(
      builder, "llvm.extractvalue", CUTE_OPERANDS(value), CUTE_RESULTS(type),
      CUTE_ATTRIBUTES(
          {"position", mlirDenseI64ArrayGet(builder->context, depth, path)}));
}

MlirValue cuteBuildExtract(const CuteBuilder *builder, MlirValue value,
                           size_t i, MlirType type) {
  int64_t path = (int64_t)i;
  return cuteBuildExtractAt(builder, value, 1, &path, type);
}

static MlirValue buildAsm(const CuteBuilder *b, const char *text,
                          const char *constraints, size_t n,
                          const MlirValue *operands, MlirType result,
                          MlirAttribute effects) {
  bool hasResult = !mlirTypeIsNull(result);
  MlirOperation op = CUTE_BUILD(
      b, "llvm.inline_asm", .numOperands = n, .operands = operands,
      .numResults = hasResult, .results = &result,
      CUTE_ATTRIBUTES({"asm_string", cuteStringAttr(b, text)},
                      {"constraints", cuteStringAttr(b, constraints)},
                      {"has_side_effects", effects}));
  return hasResult ? getResult(op, 0) : (MlirValue){NULL};
}

MlirValue cuteBuildAsm(const CuteBuilder *b, const char *text,
                       const char *constraints, size_t n,
                       const MlirValue *operands, MlirType result) {
  return buildAsm(b, text, constraints, n, operands, result,
                  mlirUnitAttrGet(b->context));
}

MlirValue cuteBuildPureAsm(const CuteBuilder *b, const char *text,
                           const char *constraints, size_t n,
                           const MlirValue *operands, MlirType result) {
  return buildAsm(b, text, constraints, n, operands, result,
                  (MlirAttribute){NULL});
}

MlirValue cuteBuildIntrinsic(const CuteBuilder *builder, const char *name,
                             size_t n, const MlirValue *operands,
                             MlirType result) {
  const CuteBuilder *b = builder;
  int32_t segments[] = {(int32_t)n, 0};
  CuteNamedAttribute attributes[] = {
      {"intrin", cuteStringAttr(b, name)},
      {"op_bundle_sizes", mlirDenseI32ArrayGet(b->context, 0, NULL)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 2, segments)}};
  CuteOpSpec spec = {.name = "llvm.call_intrinsic",
                     .numOperands = n,
                     .operands = operands,
                     .numResults = mlirTypeIsNull(result) ? 0 : 1,
                     .results = &result,
                     .numAttributes = 3,
                     .attributes = attributes};
  if (spec.numResults)
    return cuteBuildValue(b, spec);
  cuteBuild(b, spec);
  return (MlirValue){NULL};
}

MlirValue cuteBuildConstant(const CuteBuilder *builder, unsigned width,
                            int64_t value) {
  MlirType type = cuteIntType(builder, width);
  return CUTE_BUILD_VALUE(
      builder, "llvm.mlir.constant", CUTE_RESULTS(type),
      CUTE_ATTRIBUTES({"value", cuteIntAttr(builder, width, value)}));
}
