// Modules built operation by operation, for users of the library.
#include "IR/builder.h"
#include "Support/growing_array.h"
#include "cute/ModuleBuilder.h"

// A kernel, function, loop or branch that is open.
typedef struct Scope {
  MlirOperation op;
  MlirBlock block;
  const char *terminator;
  intptr_t numLeading; // arguments of the block before the counted ones
} Scope;

struct CuteModuleBuilder {
  MlirModule module;
  MlirBlock kernels; // of the gpu.module; null before the first
  MlirLocation location;
  MlirOperation ended; // last
  Scope *scopes;
  size_t depth, capacity;
  bool failed;
};

//===-- Life --------------------------------------------------------------===//

CuteModuleBuilder *cuteModuleBuilderCreate(MlirLocation location) {
  CuteModuleBuilder *b = cuteAllocate(sizeof *b);
  *b = (CuteModuleBuilder){.module = mlirModuleCreateEmpty(location),
                           .location = location};
  return b;
}

void cuteModuleBuilderDestroy(CuteModuleBuilder *b) {
  if (!b)
    return;
  if (!mlirModuleIsNull(b->module))
    mlirModuleDestroy(b->module);
  free(b->scopes);
  free(b);
}

void cuteModuleBuilderSetLocation(CuteModuleBuilder *b, MlirLocation location) {
  b->location = location;
}

bool cuteModuleBuilderHasFailed(const CuteModuleBuilder *b) {
  return b->failed;
}

// Says what is wrong unless something was before.
#define FAIL(b, ...)                                                           \
  ((b)->failed = (b)->failed || !cuteEmitError((b)->location, __VA_ARGS__))

MlirModule cuteModuleBuilderTake(CuteModuleBuilder *b) {
  MlirModule module = b->module;
  if (b->depth)
    FAIL(b, "a kernel, function, loop or branch is not ended");
  if (mlirModuleIsNull(module))
    FAIL(b, "the module was taken before");
  else if (!b->failed)
    b->failed = !mlirOperationVerify(mlirModuleGetOperation(module)) ||
                mlirLogicalResultIsFailure(
                    cuteOperationVerify(mlirModuleGetOperation(module)));
  if (b->failed)
    return (MlirModule){NULL};
  b->module.ptr = NULL;
  return module;
}

MlirBlock cuteModuleBuilderGetBlock(const CuteModuleBuilder *b) {
  return b->depth ? b->scopes[b->depth - 1].block
                  : mlirModuleGetBody(b->module);
}

//===-- Operations --------------------------------------------------------===//

static MlirContext contextOf(const CuteModuleBuilder *b) {
  return mlirLocationGetContext(b->location);
}

static CuteBuilder builderAt(const CuteModuleBuilder *b, MlirBlock block) {
  return (CuteBuilder){contextOf(b), b->location, block, {NULL}};
}

MlirType cuteModuleBuilderGetType(CuteModuleBuilder *b, const char *type) {
  MlirType result = {NULL};
  if (!b->failed)
    result = cuteTypeParseMlir(b->location, cuteMlirString(type));
  b->failed |= mlirTypeIsNull(result);
  return result;
}

static bool areValues(CuteModuleBuilder *b, intptr_t n,
                      const MlirValue *values) {
  for (intptr_t i = 0; i < n; ++i)
    if (mlirValueIsNull(values[i]))
      FAIL(b, "an operand is null");
    else if (!mlirContextEqual(mlirValueGetContext(values[i]), contextOf(b)))
      FAIL(b, "an operand belongs to another MLIR context than the builder");
  return !b->failed;
}

static bool areTypes(CuteModuleBuilder *b, intptr_t n, const MlirType *types) {
  for (intptr_t i = 0; i < n; ++i)
    if (mlirTypeIsNull(types[i]))
      FAIL(b, "a type is null");
    else if (!mlirContextEqual(mlirTypeGetContext(types[i]), contextOf(b)))
      FAIL(b, "a type belongs to another MLIR context than the builder");
  return !b->failed;
}

// Loads the dialect that the name begins with, as its ops need.
static bool loadDialect(CuteModuleBuilder *b, const char *name) {
  MlirStringRef dialect = mlirStringRefCreate(name, strcspn(name, "."));
  if (mlirDialectIsNull(mlirContextGetOrLoadDialect(contextOf(b), dialect)))
    FAIL(b, "operation '%s' belongs to no known dialect", name);
  return !b->failed;
}

enum { MAX_ATTRIBUTES = 16 };

// Reads a dictionary; the number of its entries, or -1.
static intptr_t readAttributes(CuteModuleBuilder *b, const char *text,
                               MlirNamedAttribute *list) {
  if (!text)
    return 0;
  MlirAttribute read =
      mlirAttributeParseGet(contextOf(b), cuteMlirString(text));
  bool isList = !mlirAttributeIsNull(read) &&
                mlirAttributeIsADictionary(read) &&
                mlirDictionaryAttrGetNumElements(read) <= MAX_ATTRIBUTES;
  if (!isList) {
    FAIL(b, "attributes are not a dictionary such as {dim = 1 : i32}");
    return -1;
  }
  intptr_t n = mlirDictionaryAttrGetNumElements(read);
  for (intptr_t i = 0; i < n; ++i)
    list[i] = mlirDictionaryAttrGetElement(read, i);
  return n;
}

// Creates an op that is not of this dialect: what MLIR cannot infer has no
// results.
static MlirOperation createForeign(const CuteModuleBuilder *b,
                                   const CuteNewOperation *operation,
                                   intptr_t numAttributes,
                                   const MlirNamedAttribute *attributes) {
  MlirStringRef name = cuteMlirString(operation->name);
  MlirOperationState state = mlirOperationStateGet(name, b->location);
  mlirOperationStateAddOperands(&state, operation->numOperands,
                                operation->operands);
  mlirOperationStateAddAttributes(&state, numAttributes, attributes);
  mlirOperationStateAddResults(&state, operation->numResults,
                               operation->results);
  if (!operation->results &&
      mlirOperationImplementsInterfaceStatic(name, contextOf(b),
                                             mlirInferTypeOpInterfaceTypeID()))
    mlirOperationStateEnableResultTypeInference(&state);
  return mlirOperationCreate(&state);
}

static MlirOperation create(CuteModuleBuilder *b,
                            const CuteNewOperation *operation) {
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t n = readAttributes(b, operation->attributes, attributes);
  MlirStringRef name = cuteMlirString(operation->name);
  MlirOperation op = {NULL};
  if (n < 0)
    return op;
  if (cuteMlirStartsWith(name, "cute."))
    return cuteOperationCreate(b->location, name, operation->numOperands,
                               operation->operands, n, attributes,
                               operation->numResults, operation->results);
  if (mlirContextIsRegisteredOperation(contextOf(b), name))
    return createForeign(b, operation, n, attributes);
  FAIL(b, "there is no operation '%s'", operation->name);
  return op;
}

MlirOperation cuteModuleBuilderAddOperation(CuteModuleBuilder *b,
                                            const CuteNewOperation *operation) {
  MlirOperation op = {NULL};
  if (!operation->name)
    FAIL(b, "an operation needs a name");
  if (b->failed || !areValues(b, operation->numOperands, operation->operands) ||
      !areTypes(b, operation->numResults, operation->results) ||
      !loadDialect(b, operation->name))
    return op;
  op = create(b, operation);
  if (!mlirOperationIsNull(op))
    mlirBlockAppendOwnedOperation(cuteModuleBuilderGetBlock(b), op);
  b->failed |= mlirOperationIsNull(op) || !mlirOperationVerify(op);
  return b->failed ? (MlirOperation){NULL} : op;
}

static MlirValue firstResult(MlirOperation op) {
  return mlirOperationIsNull(op) || !getNumResults(op) ? (MlirValue){NULL}
                                                       : getResult(op, 0);
}

MlirValue cuteModuleBuilderAdd(CuteModuleBuilder *b, const char *name,
                               intptr_t numOperands,
                               const MlirValue *operands) {
  const CuteNewOperation operation = {
      .name = name, .numOperands = numOperands, .operands = operands};
  return firstResult(cuteModuleBuilderAddOperation(b, &operation));
}

MlirValue cuteModuleBuilderAddAs(CuteModuleBuilder *b, const char *name,
                                 const char *type, intptr_t numOperands,
                                 const MlirValue *operands) {
  MlirType result = cuteModuleBuilderGetType(b, type);
  const CuteNewOperation operation = {.name = name,
                                      .numOperands = numOperands,
                                      .operands = operands,
                                      CUTE_RESULTS(result)};
  return firstResult(cuteModuleBuilderAddOperation(b, &operation));
}

MlirValue cuteModuleBuilderAddInteger(CuteModuleBuilder *b, const char *type,
                                      int64_t value) {
  CUTE_SCOPED(String) attributes = {0};
  cuteStringAppendFormat(&attributes, "{value = %jd : %s}", value, type);
  const CuteNewOperation operation = {.name = "arith.constant",
                                      .attributes = cuteStringGet(&attributes)};
  return firstResult(cuteModuleBuilderAddOperation(b, &operation));
}

//===-- Scopes ------------------------------------------------------------===//

static void open(CuteModuleBuilder *b, Scope scope) {
  CUTE_PUSH(b->scopes, b->depth, b->capacity, scope);
}

static Scope *getScope(CuteModuleBuilder *b) {
  return b->depth ? &b->scopes[b->depth - 1] : NULL;
}

// Appends what ends a block.
static void terminate(CuteModuleBuilder *b, intptr_t n,
                      const MlirValue *values) {
  MlirOperationState state = mlirOperationStateGet(
      cuteMlirString(getScope(b)->terminator), b->location);
  mlirOperationStateAddOperands(&state, n, values);
  mlirBlockAppendOwnedOperation(getScope(b)->block,
                                mlirOperationCreate(&state));
}

void cuteModuleBuilderEnd(CuteModuleBuilder *b, intptr_t numValues,
                          const MlirValue *values) {
  if (!b->failed && !b->depth)
    FAIL(b, "nothing is open to end");
  if (b->failed || !areValues(b, numValues, values))
    return;
  terminate(b, numValues, values);
  b->ended = getScope(b)->op;
  --b->depth;
  b->failed |= !mlirOperationVerify(b->ended);
}

MlirValue cuteModuleBuilderGetArgument(CuteModuleBuilder *b, intptr_t i) {
  Scope *scope = getScope(b);
  bool has = !b->failed && scope && i >= 0 &&
             i < mlirBlockGetNumArguments(scope->block) - scope->numLeading;
  if (!has) {
    FAIL(b, "there is no such argument");
    return (MlirValue){NULL};
  }
  return mlirBlockGetArgument(scope->block, i + scope->numLeading);
}

MlirValue cuteModuleBuilderGetResult(CuteModuleBuilder *b, intptr_t i) {
  bool has = !b->failed && !mlirOperationIsNull(b->ended) && i >= 0 &&
             i < getNumResults(b->ended);
  if (!has) {
    FAIL(b, "there is no such result");
    return (MlirValue){NULL};
  }
  return getResult(b->ended, i);
}

//===-- Kernels and functions ---------------------------------------------===//

// The block of the gpu.module, which is made for the first kernel.
static MlirBlock getKernels(CuteModuleBuilder *b) {
  if (!mlirBlockIsNull(b->kernels))
    return b->kernels;
  CuteBuilder at = builderAt(b, mlirModuleGetBody(b->module));
  MlirOperation op =
      CUTE_BUILD(&at, "gpu.module",
                 CUTE_ATTRIBUTES({"sym_name", cuteStringAttr(&at, "kernels")}),
                 .numRegions = 1);
  b->kernels = cuteMlirGetBody(op, 0);
  return b->kernels;
}

// Three extents as an attribute, null where they are not known.
static MlirAttribute sizesOf(CuteModuleBuilder *b, const int32_t sizes[3]) {
  const int32_t all[] = {sizes[0], sizes[1] ? sizes[1] : 1,
                         sizes[2] ? sizes[2] : 1};
  return sizes[0] ? mlirDenseI32ArrayGet(contextOf(b), 3, all)
                  : (MlirAttribute){NULL};
}

static MlirAttribute gridOf(CuteModuleBuilder *b, const char *const grid[3]) {
  MlirAttribute list[3];
  intptr_t n = 0;
  for (; n < 3 && grid[n]; ++n)
    list[n] = mlirStringAttrGet(contextOf(b), cuteMlirString(grid[n]));
  return n ? mlirArrayAttrGet(contextOf(b), n, list) : (MlirAttribute){NULL};
}

// Opens a function, outside of all others, with its type and its name before
// the attributes.
static void openFunction(CuteModuleBuilder *b, CuteBuilder at, const char *kind,
                         const char *terminator, const char *name,
                         intptr_t numParameters, const MlirType *parameters,
                         MlirType type, CuteNamedAttribute attributes[6]) {
  attributes[0] = (CuteNamedAttribute){"sym_name", cuteStringAttr(&at, name)};
  attributes[1] = (CuteNamedAttribute){"function_type", mlirTypeAttrGet(type)};
  MlirOperation op = CUTE_BUILD(&at, kind, .numAttributes = 6,
                                .attributes = attributes, .numRegions = 1);
  MlirBlock block = cuteMlirGetBody(op, 0);
  for (intptr_t i = 0; i < numParameters; ++i)
    mlirBlockAddArgument(block, parameters[i], b->location);
  open(b, (Scope){op, block, terminator, 0});
}

static bool mayOpenFunction(CuteModuleBuilder *b, const char *kind,
                            const char *name) {
  if (!name)
    FAIL(b, "a kernel or function needs a name");
  if (!b->failed && b->depth)
    FAIL(b, "a kernel or function within another one");
  return !b->failed && loadDialect(b, kind);
}

void cuteModuleBuilderBeginKernel(CuteModuleBuilder *b,
                                  const CuteNewKernel *kernel) {
  if (!mayOpenFunction(b, "gpu.func", kernel->name) ||
      !areTypes(b, kernel->numParameters, kernel->parameters))
    return;
  CuteNamedAttribute attributes[6] = {
      [2] = {"gpu.kernel", mlirUnitAttrGet(contextOf(b))},
      [3] = {"known_block_size", sizesOf(b, kernel->block)},
      [4] = {"known_cluster_size", sizesOf(b, kernel->cluster)},
      [5] = {"cute.grid", gridOf(b, kernel->grid)}};
  MlirType type = mlirFunctionTypeGet(contextOf(b), kernel->numParameters,
                                      kernel->parameters, 0, NULL);
  openFunction(b, builderAt(b, getKernels(b)), "gpu.func", "gpu.return",
               kernel->name, kernel->numParameters, kernel->parameters, type,
               attributes);
}

void cuteModuleBuilderBeginFunction(CuteModuleBuilder *b, const char *name,
                                    intptr_t numParameters,
                                    const MlirType *parameters,
                                    intptr_t numResults,
                                    const MlirType *results) {
  if (!mayOpenFunction(b, "func.func", name) ||
      !areTypes(b, numParameters, parameters) ||
      !areTypes(b, numResults, results))
    return;
  CuteNamedAttribute attributes[6] = {{NULL, {NULL}}};
  MlirType type = mlirFunctionTypeGet(contextOf(b), numParameters, parameters,
                                      numResults, results);
  openFunction(b, builderAt(b, mlirModuleGetBody(b->module)), "func.func",
               "func.return", name, numParameters, parameters, type,
               attributes);
}

//===-- Loops and branches ------------------------------------------------===//

MlirValue cuteModuleBuilderBeginFor(CuteModuleBuilder *b, MlirValue lower,
                                    MlirValue upper, MlirValue step,
                                    intptr_t numValues,
                                    const MlirValue *values) {
  const MlirValue range[] = {lower, upper, step};
  if (b->failed || !areValues(b, 3, range) ||
      !areValues(b, numValues, values) || !loadDialect(b, "scf.for"))
    return (MlirValue){NULL};
  size_t n = (size_t)numValues;
  CUTE_FREED MlirValue *operands = cuteAllocate((n + 3) * sizeof *operands);
  CUTE_FREED MlirType *types = cuteAllocate((n + 1) * sizeof *types);
  memcpy(operands, range, sizeof range);
  for (size_t i = 0; i < n; ++i) {
    operands[i + 3] = values[i];
    types[i] = mlirValueGetType(values[i]);
  }
  CuteBuilder at = builderAt(b, cuteModuleBuilderGetBlock(b));
  MlirOperation op =
      CUTE_BUILD(&at, "scf.for", .numOperands = n + 3, .operands = operands,
                 .numResults = n, .results = types, .numRegions = 1);
  MlirBlock block = cuteMlirGetBody(op, 0);
  MlirValue index =
      mlirBlockAddArgument(block, mlirValueGetType(lower), b->location);
  for (size_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, types[i], b->location);
  open(b, (Scope){op, block, "scf.yield", 1});
  return index;
}

void cuteModuleBuilderBeginIf(CuteModuleBuilder *b, MlirValue condition,
                              intptr_t numResults, const MlirType *results) {
  if (b->failed || !areValues(b, 1, &condition) ||
      !areTypes(b, numResults, results) || !loadDialect(b, "scf.if"))
    return;
  CuteBuilder at = builderAt(b, cuteModuleBuilderGetBlock(b));
  MlirOperation op = CUTE_BUILD(
      &at, "scf.if", CUTE_OPERANDS(condition), .numResults = (size_t)numResults,
      .results = results, .numRegions = 2, .withoutBlocks = true);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(op, 0), block);
  open(b, (Scope){op, block, "scf.yield", 0});
}

void cuteModuleBuilderBeginElse(CuteModuleBuilder *b, intptr_t numValues,
                                const MlirValue *values) {
  Scope *scope = getScope(b);
  bool isBranch = scope && cuteMlirIs(scope->op, "scf.if") &&
                  mlirBlockIsNull(cuteMlirGetBody(scope->op, 1));
  if (!b->failed && !isBranch)
    FAIL(b, "no first branch is open");
  if (b->failed || !areValues(b, numValues, values))
    return;
  terminate(b, numValues, values);
  scope->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(scope->op, 1),
                             scope->block);
}
