#include "Run/run.h"
#include "Support/arena.h"

#include <assert.h>
#include <limits.h>

static_assert((int)CUTE_MAX_RANK == (int)CUTE_MAX_ARGUMENT_RANK,
              "kernels take arrays of all ranks");

//===-- Text --------------------------------------------------------------===//

static const char pointersWord[] = "pointers(";

static bool isPointers(const char *text) {
  return !strncmp(text, pointersWord, sizeof pointersWord - 1);
}

bool cuteOperandIsTensorText(const char *text) {
  size_t n = strlen(text);
  return isPointers(text) || strchr(text, '[') ||
         (n > 4 && !strcmp(text + n - 4, ".npy"));
}

// Steps over "I," or "I)"; false if neither is next.
static bool takeNumber(const char **text, int64_t *number, char *end) {
  char *rest;
  unsigned long n = strtoul(*text, &rest, 10);
  *end = *rest;
  bool isNumber = **text >= '0' && **text <= '9' && n <= INT_MAX &&
                  (*end == ',' || *end == ')');
  *number = (int64_t)n;
  *text = rest + isNumber;
  return isNumber;
}

// Makes an array of the numbers of operands, which become addresses later.
static CuteStatus parsePointers(CuteArray *array, const char *text) {
  const char *at = text + sizeof pointersWord - 1;
  int64_t number, n = 0;
  char end = ',';
  while (end == ',' && takeNumber(&at, &number, &end))
    ++n;
  if (end != ')' || *at)
    return cuteStatusCreate(
        "'%s' is not pointers(I,J,...) with the numbers of tensors", text);
  CUTE_TRY(cuteArrayCreate(array, CUTE_ELEMENT_I64, 1, &n, NULL));
  at = text + sizeof pointersWord - 1;
  for (int64_t i = 0; i < n && takeNumber(&at, &number, &end); ++i)
    memcpy(array->data + (size_t)i * sizeof number, &number, sizeof number);
  return NULL;
}

CuteStatus cuteOperandParse(CuteOperand *operand, const char *text) {
  const CuteArray *array = &operand->array;
  *operand = (CuteOperand){.text = text};
  if (!cuteOperandIsTensorText(text))
    return cuteArgumentParseNumbers(&operand->argument, text);
  CUTE_TRY(isPointers(text) ? parsePointers(&operand->array, text)
                            : cuteArrayParse(&operand->array, text));
  operand->argument = (CuteArgument){
      .isTensor = true, .element = array->type, .rank = array->rank};
  memcpy(operand->argument.extents, array->extents, sizeof array->extents);
  memcpy(operand->argument.strides, array->strides, sizeof array->strides);
  return NULL;
}

void cuteOperandDestroy(CuteOperand *operand) {
  cuteArrayDestroy(&operand->array);
}

bool cuteOperandIsFrom(const CuteOperand *operand, const char *generator) {
  const char *colon = strrchr(operand->text, ':');
  return operand->array.data && colon && !strcmp(colon + 1, generator);
}

//===-- Kernels -----------------------------------------------------------===//

static CuteArgument *argumentsOf(size_t n, const CuteOperand *operands) {
  CuteArgument *arguments = cuteAllocate((n + 1) * sizeof *arguments);
  for (size_t i = 0; i < n; ++i)
    arguments[i] = operands[i].argument;
  return arguments;
}

// The operand that element i of an array of pointers names.
static int64_t pointedBy(const CuteOperand *operand, int64_t i) {
  int64_t number;
  memcpy(&number, operand->array.data + (size_t)i * sizeof number,
         sizeof number);
  return number;
}

// Marks the operands that pointers point to; a failure names one that is none.
static CuteStatus findTargets(size_t n, const CuteOperand *operands,
                              bool *isTarget) {
  for (size_t i = 0; i < n; ++i)
    for (int64_t j = 0; isPointers(operands[i].text) &&
                        j < cuteArrayGetSize(&operands[i].array);
         ++j) {
      int64_t number = pointedBy(&operands[i], j);
      if (number >= (int64_t)n || !operands[number].array.data)
        return cuteStatusCreate(
            "argument %zu: '%s' points to argument %jd, which is not a tensor",
            i, operands[i].text, number);
      isTarget[number] = true;
    }
  return NULL;
}

CuteStatus cuteOperandsCheck(const CuteKernel *kernel, size_t n,
                             const CuteOperand *operands,
                             size_t *numArguments) {
  CUTE_FREED bool *isTarget = cuteAllocate(n + 1);
  memset(isTarget, 0, n + 1);
  CuteStatus found = findTargets(n, operands, isTarget);
  while (n > cuteKernelGetNumArguments(kernel) && isTarget[n - 1])
    --n;
  CUTE_TRY(found);
  *numArguments = n;
  CUTE_FREED CuteArgument *arguments = argumentsOf(n, operands);
  CUTE_FREED CuteParameters *parameters = cuteAllocate(sizeof *parameters);
  return cuteKernelBind(kernel, n, arguments, parameters);
}

CuteStatus cuteOperandsPrepare(CuteLaunch *launch,
                               const CuteDeviceModule *module,
                               const CuteKernel *kernel, size_t n,
                               const CuteOperand *operands,
                               const int64_t *grid) {
  CUTE_FREED CuteArgument *arguments = argumentsOf(n, operands);
  return cuteLaunchPrepare(launch, module, kernel, n, arguments, grid);
}

//===-- Memory ------------------------------------------------------------===//

// Bytes before and after each tensor that no kernel may write.
enum { GUARD = 4096, GUARD_VALUE = 0xa5 };

// The simulator sees itself what is beyond a tensor.
static size_t guardOf(const CuteDevice *device) {
  return device->cuda.isSimulated ? 0 : GUARD;
}

CuteStatus cuteOperandSend(CuteOperand *operand, const CuteDevice *device) {
  CuteDevicePointer memory;
  if (!operand->array.data)
    return NULL;
  CUTE_TRY(cuteDeviceAllocate(
      device, cuteArrayGetBytes(&operand->array) + 2 * guardOf(device),
      &memory));
  operand->argument.address = memory + guardOf(device);
  return cuteOperandRestore(operand, device);
}

CuteStatus cuteOperandsLink(size_t n, CuteOperand *operands,
                            const CuteDevice *device) {
  for (size_t i = 0; i < n; ++i) {
    CuteOperand *operand = &operands[i];
    if (!isPointers(operand->text))
      continue;
    for (int64_t j = 0; j < cuteArrayGetSize(&operand->array); ++j) {
      uint64_t address = operands[pointedBy(operand, j)].argument.address;
      memcpy(operand->array.data + (size_t)j * sizeof address, &address,
             sizeof address);
    }
    CUTE_TRY(cuteOperandRestore(operand, device));
  }
  return NULL;
}

void cuteOperandRelease(CuteOperand *operand, const CuteDevice *device) {
  if (operand->argument.address)
    cuteDeviceRelease(device, operand->argument.address - guardOf(device));
  operand->argument.address = 0;
}

CuteStatus cuteOperandRestore(const CuteOperand *operand,
                              const CuteDevice *device) {
  const CuteArray *array = &operand->array;
  CuteDevicePointer address = operand->argument.address;
  if (!array->data)
    return NULL;
  size_t bytes = cuteArrayGetBytes(array);
  size_t guard = guardOf(device);
  CUTE_TRY(cuteDeviceFill(device, address - guard, GUARD_VALUE, guard));
  CUTE_TRY(cuteDeviceFill(device, address + bytes, GUARD_VALUE, guard));
  return cuteDeviceWrite(device, address, array->data, bytes);
}

static CuteStatus checkGuard(const CuteDevice *device, CuteDevicePointer at,
                             const char *where) {
  unsigned char bytes[GUARD];
  size_t guard = guardOf(device);
  CUTE_TRY(cuteDeviceRead(device, bytes, at, guard));
  for (size_t i = 0; i < guard; ++i)
    if (bytes[i] != GUARD_VALUE)
      return cuteStatusCreate("the kernel wrote %s it", where);
  return NULL;
}

CuteStatus cuteOperandRead(const CuteOperand *operand, const CuteDevice *device,
                           const CuteArray *array) {
  CuteDevicePointer address = operand->argument.address;
  if (!operand->array.data)
    return NULL;
  size_t bytes = cuteArrayGetBytes(array);
  CUTE_TRY(cuteDeviceRead(device, array->data, address, bytes));
  CUTE_TRY(checkGuard(device, address - guardOf(device), "before"));
  return checkGuard(device, address + bytes, "after");
}
