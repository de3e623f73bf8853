// Describes what a kernel's memory holds, for who runs the module and speaks of
// it, in an attribute of its function in LLVM IR.
#include "Compile/describe_memory.h"
#include "Conversion/conversion.h"

static void appendRow(CuteString *text, CuteMemoryRowKind kind, uint64_t first,
                      uint64_t second, CuteType type) {
  CUTE_SCOPED(String) name = {0};
  cuteAppendType(&name, type, CUTE_FORM_PRETTY);
  cuteMemoryRowAppend(
      text, (CuteMemoryRow){kind, first, second, cuteStringGetRef(&name)});
}

void cuteMemoryAppendTensor(CuteMemoryText *m, MlirValue tensor,
                            CuteMemoryRowKind kind, size_t first,
                            size_t second) {
  appendRow(&m->text, kind, first, second,
            cuteDialectGetValueType(m->dialect, tensor));
  cutePointerMapSet(&m->numbers, tensor.ptr,
                    (void *)(uintptr_t)++m->numTensors);
}

static void appendArguments(CuteMemoryText *m, MlirBlock entry) {
  size_t part = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    CuteType type = cuteDialectGetValueType(m->dialect, argument);
    if (type && type->kind == CUTE_TYPE_TENSOR)
      cuteMemoryAppendTensor(m, argument, CUTE_MEMORY_ARGUMENT, (size_t)i,
                             part);
    part += !type || type->kind == CUTE_TYPE_FOREIGN
                ? 1
                : cuteParameterParts(type, 0, NULL);
  }
}

static bool appendShared(CuteMemoryText *m, MlirOperation function) {
  CuteSharedPlan plan;
  bool ok = cuteSharedPlanMake(m->dialect, function, &m->offsets, &plan);
  CUTE_FOR_NESTED(op, function) {
    void *found = ok ? cutePointerMapGet(&m->offsets, op.ptr) : NULL;
    if (found)
      cuteMemoryAppendTensor(m, getResult(op, 0), CUTE_MEMORY_SHARED,
                             (size_t)(uintptr_t)found - 1,
                             cutePositionOf(op).line);
  }
  return ok;
}

//===-- Layouts -----------------------------------------------------------===//

// The type of the tensor that a value is a part of, as far as operations lead
// from one tensor to the next.
static CuteType wholeOf(CuteDialect *dialect, MlirValue value) {
  CuteType type = cuteDialectGetValueType(dialect, value);
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    intptr_t n = getNumOperands(op), i = 0;
    CuteType operand = NULL;
    for (; i < n && (!operand || operand->kind != CUTE_TYPE_TENSOR); ++i)
      operand = cuteDialectGetValueType(dialect, value = getOperand(op, i));
    if (!operand || operand->kind != CUTE_TYPE_TENSOR)
      break;
    type = operand;
  }
  return type;
}

static bool isShared(CuteType type) {
  return type && type->kind == CUTE_TYPE_TENSOR &&
         cuteTypeGetSpace(type) == CUTE_SMEM;
}

// Appends the tiled copies that an operation copies by, and the whole tensors
// in shared memory whose parts it copies.
static void appendLayouts(CuteDialect *dialect, MlirOperation op,
                          CuteString *text) {
  intptr_t n = getNumOperands(op);
  unsigned line = cutePositionOf(op).line;
  if (getNumResults(op) || !line)
    return;
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = getOperand(op, i);
    CuteType type = cuteDialectGetValueType(dialect, value);
    if (isShared(type))
      type = wholeOf(dialect, value);
    else if (!type || type->kind != CUTE_TYPE_TILED_COPY)
      continue;
    appendRow(text, CUTE_MEMORY_LAYOUT, line, (uint64_t)i, type);
  }
}

// Attributes of LLVM that MLIR does not know are its `passthrough`.
static void setAttribute(MlirOperation function, const CuteString *text) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute pair[] = {
      mlirStringAttrGet(context, cuteMlirString(CUTE_MEMORY_ATTRIBUTE)),
      mlirStringAttrGet(context, cuteMlirText(text))};
  MlirAttribute entry = mlirArrayAttrGet(context, 2, pair);
  cuteMlirSetAttribute(function, "passthrough",
                       mlirArrayAttrGet(context, 1, &entry));
}

static bool describe(CuteDialect *dialect, MlirOperation function) {
  MlirBlock entry = cuteMlirGetBody(function, 0);
  if (mlirBlockIsNull(entry) || cuteMlirHasAttribute(function, "passthrough"))
    return true;
  CuteMemoryText m = {.dialect = dialect};
  appendArguments(&m, entry);
  bool ok = appendShared(&m, function);
  CUTE_FOR_NESTED(op, function)
    if (cuteDialectGetDecl(dialect, op))
      appendLayouts(dialect, op, &m.text);
  cuteMemoryAppendTouched(&m, function);
  setAttribute(function, &m.text);
  cutePointerMapDestroy(&m.offsets);
  cutePointerMapDestroy(&m.numbers);
  cutePointerMapDestroy(&m.said);
  cuteStringDestroy(&m.text);
  return ok;
}

bool cuteDescribeMemory(MlirModule module) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirModuleGetContext(module));
  bool ok = true;
  if (!dialect)
    return false;
  CUTE_FOR_NESTED(op, mlirModuleGetOperation(module))
    if (cuteMlirIs(op, "gpu.func"))
      ok &= describe(dialect, op);
  return ok;
}
