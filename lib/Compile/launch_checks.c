// Checks the blocks and grids that kernels say they are launched with.
#include "Compile/kernel_checks.h"
#include "Support/formula.h"
#include "Support/manifest_keys.h"

// On all architectures: threads in z, blocks of a cluster that asks for no
// portable size, registers of a thread, and blocks of a multiprocessor.
enum {
  BLOCK_DEPTH = 64,
  CLUSTER_BLOCKS = 16,
  THREAD_REGISTERS = 255,
  RESIDENT_BLOCKS = 32
};

//===-- Blocks ------------------------------------------------------------===//

// MLIR has verified that there are three numbers.
static const char *problemOfBlock(MlirAttribute block) {
  int64_t threads = 1;
  for (intptr_t i = 0; i < 3; ++i) {
    int32_t extent = mlirDenseI32ArrayGetElement(block, i);
    if (extent < 1)
      return "known_block_size must have numbers of at least 1";
    if (extent > CUTE_BLOCK_THREADS || (threads *= extent) > CUTE_BLOCK_THREADS)
      return "known_block_size has more than a block's 1024 threads";
  }
  return mlirDenseI32ArrayGetElement(block, 2) > BLOCK_DEPTH
             ? "known_block_size has more than a block's 64 threads in z"
             : NULL;
}

static bool checkBlock(MlirOperation function) {
  MlirAttribute block = cuteMlirGetAttribute(function, "known_block_size");
  const char *problem =
      mlirAttributeIsNull(block) ? NULL : problemOfBlock(block);
  return !problem || CUTE_ERROR_AT(function, "%s", problem);
}

static bool isThree(MlirAttribute sizes) {
  return !mlirAttributeIsNull(sizes) && mlirAttributeIsADenseI32Array(sizes) &&
         mlirDenseArrayGetNumElements(sizes) == 3;
}

// Extents of a grid or cluster, each at least 1, and at most so many blocks.
static bool checkExtents(MlirOperation function, const char *name,
                         int64_t most) {
  MlirAttribute extents = cuteMlirGetAttribute(function, name);
  if (mlirAttributeIsNull(extents) || !mlirAttributeIsADenseI32Array(extents))
    return true;
  int64_t blocks = 1, least = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(extents); ++i) {
    int64_t extent = mlirDenseI32ArrayGetElement(extents, i);
    least = extent < least ? extent : least;
    blocks = blocks > most ? blocks : blocks * extent;
  }
  bool isCluster = most == CLUSTER_BLOCKS;
  if (least < 1)
    CUTE_ERROR_AT(function, "%s must have numbers of at least 1", name);
  else if (isCluster && blocks > most)
    CUTE_ERROR_AT(function, "%s has more than a cluster's %d blocks", name,
                  CLUSTER_BLOCKS);
  return least >= 1 && !(isCluster && blocks > most);
}

static bool checkNumber(MlirOperation function, const char *name,
                        int64_t most) {
  MlirAttribute number = cuteMlirGetAttribute(function, name);
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number))
    return true;
  int64_t value = mlirIntegerAttrGetValueInt(number);
  return (value >= 1 && value <= most) ||
         CUTE_ERROR_AT(function, "%s is 1 to %jd, not %jd", name, most, value);
}

//===-- Grids -------------------------------------------------------------===//

typedef struct Names {
  CuteDialect *dialect;
  MlirBlock entry;
} Names;

static CuteStatus unknown(const CuteFormula *access) {
  return cuteStatusCreate("'%s' is unknown; write arg0 of an integer, and "
                          "arg0.shape[1] or arg0.stride[1] of a tensor",
                          access->name);
}

static size_t leavesOf(CuteIntTuple tuple) {
  size_t n = isTuple(tuple) ? 0 : 1;
  for (size_t i = 0; isTuple(tuple) && i < tuple->rank; ++i)
    n += leavesOf(tuple->elements[i]);
  return n;
}

// A tensor's mode by its number. What a pointer leads to only a launcher knows.
static CuteStatus checkMode(const CuteFormula *access, CuteType type) {
  int64_t mode;
  if (access->numChildren != 1 ||
      access->children[0]->kind != CUTE_FORMULA_NUMBER ||
      !cuteFormulaGetInteger(access->children[0], &mode) || mode < 0)
    return unknown(access);
  if (!cuteTypeIsKind(type, CUTE_TYPE_TENSOR))
    return NULL;
  size_t rank = leavesOf(type->layout->shape);
  if ((uint64_t)mode < rank)
    return NULL;
  return cuteStatusCreate("'%s[%jd]': the tensor has %zu modes", access->name,
                          mode, rank);
}

// CuteFormulaLookup of names that launchers know.
static CuteStatus checkName(const CuteFormula *access, void *data,
                            int64_t *value) {
  const Names *names = data;
  *value = 0;
  bool isName = access->kind == CUTE_FORMULA_NAME;
  if (isName && (!strcmp(access->name, CUTE_NAME_ACTIVE_CLUSTERS) ||
                 !strcmp(access->name, CUTE_NAME_MULTIPROCESSORS)))
    return NULL;
  const char *number = access->name + 3;
  if (strncmp(access->name, "arg", 3) || *number < '0' || *number > '9')
    return unknown(access);
  char *after;
  unsigned long i = strtoul(number, &after, 10);
  intptr_t n = mlirBlockIsNull(names->entry)
                   ? 0
                   : mlirBlockGetNumArguments(names->entry);
  if (i >= (unsigned long)n)
    return cuteStatusCreate("'%s': the kernel has %jd parameters", access->name,
                            n);
  MlirValue argument = mlirBlockGetArgument(names->entry, (intptr_t)i);
  CuteType type = cuteDialectGetValueType(names->dialect, argument);
  if (isName)
    return *after || cuteTypeIsKind(type, CUTE_TYPE_TENSOR) ? unknown(access)
                                                            : NULL;
  return strcmp(after, ".shape") && strcmp(after, ".stride")
             ? unknown(access)
             : checkMode(access, type);
}

static CuteStatus checkFormula(Names *names, const char *text) {
  CuteFormula *formula;
  CUTE_TRY(cuteFormulaParse(text, &formula));
  CuteStatus status = cuteFormulaCheck(formula, checkName, names);
  cuteFormulaDestroy(formula);
  return status;
}

static bool checkText(Names *names, MlirOperation function,
                      MlirAttribute extent) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendMlirString(mlirStringAttrGetValue(extent), &text);
  return cuteEmitStatus(
      mlirOperationGetLocation(function),
      cuteStatusAnnotate(checkFormula(names, cuteStringGet(&text)),
                         "cute.grid: \"%s\"", cuteStringGet(&text)));
}

static bool isListOfTexts(MlirAttribute grid) {
  intptr_t n =
      mlirAttributeIsAArray(grid) ? mlirArrayAttrGetNumElements(grid) : 0;
  bool ok = n >= 1 && n <= 3;
  for (intptr_t i = 0; ok && i < n; ++i)
    ok = mlirAttributeIsAString(mlirArrayAttrGetElement(grid, i));
  return ok;
}

static bool checkGrid(CuteDialect *dialect, MlirOperation function) {
  MlirAttribute grid = cuteMlirGetAttribute(function, "cute.grid");
  if (mlirAttributeIsNull(grid))
    return true;
  if (!isListOfTexts(grid))
    return CUTE_ERROR_AT(function,
                         "cute.grid must be an array of one to three texts, "
                         "such as [\"ceil_div(arg0.shape[0], 128)\"]");
  Names names = {dialect, cuteMlirGetBody(function, 0)};
  bool ok = true;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(grid); ++i)
    ok &= checkText(&names, function, mlirArrayAttrGetElement(grid, i));
  return ok;
}

// A kernel with a preferred cluster size and a fallback must not have a known
// one.
static bool checkPreferred(MlirOperation kernel) {
  MlirAttribute least = cuteMlirGetAttribute(kernel, "cute.fallback_cluster");
  MlirAttribute most = cuteMlirGetAttribute(kernel, "cute.preferred_cluster");
  if (mlirAttributeIsNull(least) && mlirAttributeIsNull(most))
    return true;
  bool ok = isThree(least) && isThree(most) &&
            !cuteMlirHasAttribute(kernel, "known_cluster_size");
  for (intptr_t i = 0; ok && i < 3; ++i) {
    int32_t x = mlirDenseI32ArrayGetElement(least, i),
            y = mlirDenseI32ArrayGetElement(most, i);
    ok = x >= 1 && y >= 1 && (i < 2 ? y % x == 0 : x == y);
  }
  return ok ||
         CUTE_ERROR_AT(kernel,
                       "cute.preferred_cluster and cute.fallback_cluster are "
                       "arrays of three i32, the first a multiple of the "
                       "second with the same z, of a kernel without "
                       "known_cluster_size");
}

bool cuteCheckLaunch(CuteDialect *dialect, MlirOperation kernel) {
  bool ok = checkBlock(kernel);
  ok &= checkExtents(kernel, "known_grid_size", INT32_MAX);
  ok &= checkExtents(kernel, "known_cluster_size", CLUSTER_BLOCKS);
  ok &= checkPreferred(kernel) &&
        checkExtents(kernel, "cute.preferred_cluster", CLUSTER_BLOCKS);
  ok &= checkNumber(kernel, "nvvm.maxnreg", THREAD_REGISTERS);
  ok &= checkNumber(kernel, "nvvm.minctasm", RESIDENT_BLOCKS);
  return checkGrid(dialect, kernel) && ok;
}
