// Creates ops of the dialect for users of the library.
#include "IR/builder.h"
#include "cute/Operation.h"

static CuteStringRef withoutDialect(CuteStringRef name) {
  return cuteTextStartsWith(name, "cute.")
             ? (CuteStringRef){name.data + 5, name.length - 5}
             : name;
}

//===-- What there is -----------------------------------------------------===//

intptr_t cuteDialectGetNumOps(MlirContext context) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  if (!dialect)
    return 0;
  return (intptr_t)CUTE_NUM_OPS;
}

MlirStringRef cuteDialectGetOpName(MlirContext context, intptr_t i) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  MlirStringRef name = {"", 0};
  if (!dialect)
    return name;
  if (i >= 0 && (size_t)i < CUTE_NUM_OPS)
    name = toMlirString(dialect->ops[i].name);
  return name;
}

static const CuteOpDecl *findOp(MlirContext context, MlirStringRef name) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  return dialect
             ? cuteDialectFindOp(dialect, withoutDialect(fromMlirString(name)))
             : NULL;
}

bool cuteOperationDeclaresResults(MlirContext context, MlirStringRef name) {
  const CuteOpDecl *decl = findOp(context, name);
  return decl && decl->declaresResults;
}

bool cuteOperationOnlyComputes(MlirContext context, MlirStringRef name) {
  const CuteOpDecl *decl = findOp(context, name);
  return decl && decl->traits.isPure &&
         decl->traits.effect == CUTE_EFFECT_NONE && !decl->traits.orders &&
         !decl->traits.prints && !decl->traits.allocates &&
         !decl->traits.declares;
}

//===-- Parts -------------------------------------------------------------===//

static bool checkOperands(CuteDialect *dialect, intptr_t n,
                          const MlirValue *operands) {
  for (intptr_t i = 0; i < n; ++i) {
    if (mlirValueIsNull(operands[i]))
      return cuteFail(dialect->context, "operand #%jd is null", i);
    if (!mlirContextEqual(mlirValueGetContext(operands[i]), dialect->mlir))
      return cuteFail(
          dialect->context,
          "operand #%jd belongs to another MLIR context than the location", i);
  }
  return true;
}

static bool hasName(const CuteDialectSpec *spec, const char *name) {
  for (size_t i = 0; i < spec->numAttributes; ++i)
    if (!strcmp(spec->attributes[i].name, name))
      return true;
  return false;
}

static bool addAttributes(CuteDialect *dialect, CuteDialectSpec *spec,
                          intptr_t n, const MlirNamedAttribute *attributes) {
  CuteArena *scratch = &dialect->context->scratch;
  CuteNamedAttribute *list =
      cuteArenaAllocate(scratch, (size_t)n * sizeof *list);
  spec->attributes = list;
  for (intptr_t i = 0; i < n; ++i) {
    CuteStringRef name = fromMlirString(mlirIdentifierStr(attributes[i].name));
    if ((spec->decl->mixedOperands || spec->decl->segmentedOperands ||
         spec->decl->mixedResults) &&
        (cuteTextEquals(name, "operandSegmentSizes") ||
         cuteTextEquals(name, "resultSegmentSizes")))
      continue;
    const char *copy = cuteArenaCopyText(scratch, name.data, name.length);
    if (mlirAttributeIsNull(attributes[i].attribute) || hasName(spec, copy))
      return cuteFail(dialect->context, "attribute '%s' is %s", copy,
                      hasName(spec, copy) ? "given twice" : "null");
    list[spec->numAttributes++] =
        (CuteNamedAttribute){copy, attributes[i].attribute};
  }
  return true;
}

static bool addResults(CuteDialect *dialect, CuteDialectSpec *spec, intptr_t n,
                       const MlirType *results) {
  CuteType *types =
      cuteScratch(dialect->context, ((size_t)n + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    if (mlirTypeIsNull(results[i]))
      return cuteFail(dialect->context, "result type #%jd is null", i);
    if (!mlirContextEqual(mlirTypeGetContext(results[i]), dialect->mlir))
      return cuteFail(
          dialect->context,
          "result type #%jd belongs to another MLIR context than the location",
          i);
    types[i] = cuteDialectGetType(dialect, results[i]);
    if (!types[i])
      return false;
  }
  spec->results = types;
  spec->numResults = (size_t)n;
  return true;
}

//===-- Creation ----------------------------------------------------------===//

static bool isVerified(CuteDialect *dialect, const CuteOpDecl *decl,
                       MlirOperation op) {
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  for (size_t i = 0; i < decl->numResults && i < instance.numWritten; ++i) {
    CuteType type = instance.written[i];
    if (decl->results[i].kinds & (CuteKindSet)1 << type->kind)
      continue;
    return cuteFail(dialect->context, "result #%zu cannot be of kind %s", i,
                    cuteTypeKindGetName((CuteTypeKind)type->kind));
  }
  return cuteOpVerify(&instance);
}

// The op of the spec in no block; null with a message.
static MlirOperation create(CuteDialect *dialect, CuteDialectSpec spec,
                            MlirLocation location) {
  if (spec.decl->declaresResults && !spec.results) {
    cuteFail(dialect->context,
             "cannot infer its result type; say which it is to be");
    return (MlirOperation){NULL};
  }
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  CuteBuilder builder = {dialect->mlir, location, block, {NULL}};
  MlirOperation op = spec.results ? cuteBuildSpec(&builder, dialect, spec)
                                  : cuteBuildInferred(&builder, dialect, spec);
  if (!mlirOperationIsNull(op))
    mlirOperationRemoveFromParent(op);
  mlirBlockDestroy(block);
  if (mlirOperationIsNull(op) || isVerified(dialect, spec.decl, op))
    return op;
  mlirOperationDestroy(op);
  return (MlirOperation){NULL};
}

MlirOperation cuteOperationCreate(MlirLocation location, MlirStringRef name,
                                  intptr_t numOperands,
                                  const MlirValue *operands,
                                  intptr_t numAttributes,
                                  const MlirNamedAttribute *attributes,
                                  intptr_t numResults,
                                  const MlirType *results) {
  MlirOperation op = {NULL};
  CUTE_LOCKED *dialect = cuteDialectLockAt(location);
  if (!dialect)
    return op;
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  CuteStringRef opName = withoutDialect(fromMlirString(name));
  CuteDialectSpec spec = {.decl = cuteDialectFindOp(dialect, opName),
                          .numOperands = (size_t)numOperands,
                          .operands = operands};
  if (!spec.decl)
    cuteFail(dialect->context, "does not exist");
  else if (checkOperands(dialect, numOperands, operands) &&
           addAttributes(dialect, &spec, numAttributes, attributes) &&
           (!results || addResults(dialect, &spec, numResults, results)))
    op = create(dialect, spec, location);
  if (mlirOperationIsNull(op))
    cuteEmitError(location, "'cute.%.*s' op %s", CUTE_TEXT(opName),
                  cuteContextGetError(dialect->context));
  return op;
}

//===-- Inference ---------------------------------------------------------===//

static bool infer(CuteDialect *dialect, CuteOp *op, MlirTypesCallback callback,
                  void *userData) {
  if (op->decl->declaresResults)
    return cuteFail(dialect->context,
                    "cannot infer its result type; say which it is to be");
  for (size_t i = 0; i < op->numOperands; ++i)
    if (!op->operands[i])
      return false;
  if (!cuteOpInfer(op))
    return false;
  MlirType *types =
      cuteScratch(dialect->context, (op->numResults + 1) * sizeof *types);
  for (size_t i = 0; i < op->numResults; ++i) {
    types[i] = cuteDialectGetMlirType(dialect, op->results[i]);
    if (mlirTypeIsNull(types[i]))
      return false;
  }
  callback((intptr_t)op->numResults, types, userData);
  return true;
}

// Infers under the context's policy for laws, which warns at the location.
static bool inferChecked(CuteDialect *dialect, CuteOp *op,
                         MlirLocation location, MlirTypesCallback callback,
                         void *userData) {
  CuteContext context = dialect->context;
  CuteLawPolicy before =
      cuteContextSetLawPolicy(context, dialect->inferenceLaws);
  cuteContextClearWarnings(context);
  bool ok = infer(dialect, op, callback, userData);
  for (size_t i = 0; i < cuteContextGetNumWarnings(context); ++i)
    cuteEmitWarning(location, "'cute.%.*s' op %s", CUTE_TEXT(op->decl->name),
                    cuteContextGetWarning(context, i));
  cuteContextClearWarnings(context);
  cuteContextSetLawPolicy(context, before);
  return ok;
}

MlirLogicalResult
cuteOperationInfer(MlirLocation location, MlirStringRef name,
                   intptr_t numOperands, const MlirType *operands,
                   intptr_t numAttributes, const MlirNamedAttribute *attributes,
                   MlirTypesCallback callback, void *userData) {
  CUTE_LOCKED *dialect = cuteDialectLockAt(location);
  if (!dialect)
    return mlirLogicalResultFailure();
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&dialect->context->scratch);
  CuteStringRef opName = withoutDialect(fromMlirString(name));
  const CuteOpDecl *decl = cuteDialectFindOp(dialect, opName);
  CuteOp op = {0};
  if (decl)
    op = cuteDialectMakeOp(dialect, decl, (size_t)numOperands, operands,
                           (size_t)numAttributes, attributes);
  else
    cuteFail(dialect->context, "does not exist");
  bool ok = decl && inferChecked(dialect, &op, location, callback, userData);
  if (!ok)
    cuteEmitError(location, "'cute.%.*s' op %s", CUTE_TEXT(opName),
                  cuteContextGetError(dialect->context));
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
