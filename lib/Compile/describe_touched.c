// Describes which tensors the lines of a kernel touch, as far as its operations
// lead from a tensor to the argument or the allocation that it is a part of.
#include "Compile/describe_memory.h"

static bool isTensor(CuteType type) {
  return cuteTypeIsKind(type, CUTE_TYPE_TENSOR);
}

static bool isShared(CuteType type) {
  CuteSpace space = cuteTypeGetMemory(type);
  return space == CUTE_SMEM || space == CUTE_DSMEM || space == CUTE_DESC;
}

static bool isInMemory(CuteType type) {
  return type && cuteTypeHasPointer(type) &&
         (isShared(type) || cuteTypeGetMemory(type) == CUTE_GMEM);
}

//===-- Addresses ---------------------------------------------------------===//

static bool addressOf(const CuteMemoryText *m, MlirValue value,
                      int64_t *offset);

static bool addElements(const CuteMemoryText *m, MlirOperation op,
                        int64_t *offset) {
  CuteType pointer = cuteDialectGetOperandType(m->dialect, op, 0);
  CuteType count = cuteDialectGetOperandType(m->dialect, op, 1);
  int64_t bits = cuteElementTypeGetBits(pointer->element);
  if (!cuteTypeIsTuple(count) || !isStatic(count->tuple) || bits % 8)
    return false;
  *offset += count->tuple->value * (bits / 8);
  return true;
}

// The byte of the kernel's shared memory at which a value begins; false where
// that is not known.
static bool addressOf(const CuteMemoryText *m, MlirValue value,
                      int64_t *offset) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  void *found = cutePointerMapGet(&m->offsets, op.ptr);
  if (found) {
    *offset = (int64_t)(uintptr_t)found - 1;
    return true;
  }
  const CuteOpDecl *decl = cuteDialectGetDecl(m->dialect, op);
  if (!decl || !getNumOperands(op) || !addressOf(m, getOperand(op, 0), offset))
    return false;
  switch (decl->id) {
  case CUTE_OP_GET_ITER:
  case CUTE_OP_MAKE_TENSOR:
  case CUTE_OP_RECAST_PTR:
  case CUTE_OP_RECAST_TENSOR:
    return true;
  case CUTE_OP_ADD_OFFSET:
    return addElements(m, op, offset);
  default:
    return false;
  }
}

//===-- Tensors -----------------------------------------------------------===//

// The first operand that is a tensor in the same memory, of an op that makes a
// part of it.
static bool wholeOf(const CuteMemoryText *m, MlirOperation op, bool shared,
                    MlirValue *whole) {
  if (!cuteDialectGetDecl(m->dialect, op))
    return false;
  CUTE_FOR_OPERANDS(value, op) {
    *whole = value;
    CuteType type = cuteDialectGetValueType(m->dialect, *whole);
    if (isTensor(type) && isInMemory(type) && isShared(type) == shared)
      return true;
  }
  return false;
}

// The number, plus one, of the tensor that a value is a part of; 0: unknown.
static size_t numberOf(CuteMemoryText *m, MlirValue value) {
  for (;;) {
    int64_t offset;
    void *found = cutePointerMapGet(&m->numbers, value.ptr);
    if (found)
      return (size_t)(uintptr_t)found;
    if (!mlirValueIsAOpResult(value))
      return 0;
    MlirOperation op = mlirOpResultGetOwner(value);
    bool shared = isShared(cuteDialectGetValueType(m->dialect, value));
    if (wholeOf(m, op, shared, &value))
      continue;
    if (!shared || !addressOf(m, value = getResult(op, 0), &offset))
      return 0;
    cuteMemoryAppendTensor(m, value, CUTE_MEMORY_VIEW, (size_t)offset,
                           cutePositionOf(op).line);
  }
}

//===-- Lines -------------------------------------------------------------===//

// Appends a row, if the line has not said the same already.
static void appendLine(CuteMemoryText *m, CuteMemoryRowKind kind, unsigned line,
                       size_t number, uintptr_t key) {
  const void *said = (const void *)(((uintptr_t)line << 20) + key);
  if (cutePointerMapGet(&m->said, said))
    return;
  cutePointerMapSet(&m->said, said, m);
  cuteMemoryRowAppend(&m->text, (CuteMemoryRow){.kind = kind, line, number});
}

static void appendOperand(CuteMemoryText *m, unsigned line, MlirValue value) {
  CuteType type = cuteDialectGetValueType(m->dialect, value);
  size_t number = isTensor(type) ? numberOf(m, value) : 0;
  bool shared = isShared(type);
  if (number)
    appendLine(m, CUTE_MEMORY_TOUCHED, line, number - 1, 2 + number);
  else
    appendLine(m, CUTE_MEMORY_UNKNOWN, line, shared, 1 + shared);
}

// Tells whether an op only makes values of the dialect.
static bool isView(const CuteMemoryText *m, MlirOperation op) {
  if (!getNumResults(op))
    return false;
  CuteType type = cuteDialectGetResultType(m->dialect, op, 0);
  return type && type->kind != CUTE_TYPE_FOREIGN;
}

// Appends what an op does with its operands: in memory, or by an atom of TMA,
// which knows the bounds of its tensor itself.
static void appendOperands(CuteMemoryText *m, unsigned line, MlirOperation op) {
  for (intptr_t k = 0; k < getNumOperands(op); ++k) {
    CuteType type = cuteDialectGetOperandType(m->dialect, op, k);
    if (isInMemory(type))
      appendOperand(m, line, getOperand(op, k));
    else if (type && type->kind == CUTE_TYPE_TMA_ATOM)
      appendLine(m, CUTE_MEMORY_UNKNOWN, line, 0, 1);
  }
}

void cuteMemoryAppendTouched(CuteMemoryText *m, MlirOperation function) {
  CuteStringRef last = {0};
  CUTE_FOR_NESTED(op, function) {
    if (!cuteDialectGetDecl(m->dialect, op))
      continue;
    CutePosition at = cutePositionOf(op);
    if (!at.line || isView(m, op))
      continue;
    if (!last.data || !cuteTextIsSame(at.file, last)) {
      cutePointerMapClear(&m->said);
      cuteMemoryRowAppend(
          &m->text, (CuteMemoryRow){.kind = CUTE_MEMORY_FILE, .text = at.file});
    }
    last = at.file;
    appendOperands(m, at.line, op);
  }
}
