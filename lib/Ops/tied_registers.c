#include "Ops/tied_registers.h"

static int64_t perRegister(CuteType tensor) {
  unsigned bits = cuteElementTypeGetBits(tensor->element);
  return bits && bits <= 32 ? 32 / bits : 0;
}

// False with a message where the tensor does not fill registers of 32 bits.
static bool checkTensor(CuteContext c, CuteType tensor) {
  CuteIntTuple size = cuteLayoutGetSize(c, tensor->layout);
  int64_t n = perRegister(tensor);
  if (tensor->space == CUTE_RMEM && n && isStatic(size) &&
      size->value % n == 0 && size->value / n <= CUTE_MAX_TIED_TENSOR)
    return true;
  return cuteFail(c,
                  "the tensor must be in rmem, in at most %d whole registers "
                  "of 32 bits; %s is not",
                  CUTE_MAX_TIED_TENSOR, cuteTypeText(c, tensor));
}

// The type of a register. LLVM takes integers apart where elements are used
// alone, and so moves between products what tensor cores still compute; vectors
// it does not.
static MlirType registerType(const CuteBuilder *b, CuteType tensor) {
  int64_t n = perRegister(tensor);
  MlirType element = cuteElementRawType(b, tensor->element);
  if (tensor->element == CUTE_ELEMENT_F32)
    return element;
  return n == 2 ? mlirVectorTypeGet(1, &n, element) : cuteIntType(b, 32);
}

CuteTied cuteTiedGet(CuteLowering *lowering, const CuteLowered *tensor) {
  const CuteBuilder *b = &lowering->builder;
  bool isFloat = tensor->type->element == CUTE_ELEMENT_F32;
  int64_t n = perRegister(tensor->type);
  int64_t size =
      cuteLayoutGetSize(lowering->context, tensor->type->layout)->value;
  return (CuteTied){.tensor = tensor,
                    .type = registerType(b, tensor->type),
                    .constraint = isFloat ? 'f' : 'r',
                    .perRegister = n,
                    .count = (size_t)(size / n)};
}

void cuteTiedLoad(CuteLowering *lowering, const CuteTied *tied,
                  MlirValue *values) {
  for (size_t i = 0; i < tied->count; ++i)
    values[i] = cuteLoweringLoadValues(lowering, tied->tensor,
                                       (int64_t)i * tied->perRegister,
                                       tied->perRegister, tied->type);
}

// Stores the fields `first` and following of a struct, or the value itself if
// it is not a struct, back to the registers.
static void storeTied(CuteLowering *l, const CuteTied *tied, MlirValue result,
                      size_t first, bool isStruct) {
  const CuteBuilder *b = &l->builder;
  for (size_t i = 0; i < tied->count; ++i)
    cuteLoweringStoreValues(
        l, tied->tensor, (int64_t)i * tied->perRegister, tied->perRegister,
        isStruct ? cuteBuildExtract(b, result, first + i, tied->type) : result);
}

// =f,=f,0,1 and what follows.
static void appendConstraints(CuteString *text, size_t n, const CuteTied *tied,
                              const char *others) {
  size_t total = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < tied[i].count; ++j)
      cuteStringAppendFormat(text, "%s=%c", total++ ? "," : "",
                             tied[i].constraint);
  total = 0;
  for (size_t i = 0; i < n; total += tied[i++].count)
    for (size_t j = 0; j < tied[i].count && !tied[i].isOverwritten; ++j)
      cuteStringAppendFormat(text, ",%zu", total + j);
  cuteStringAppend(text, others);
}

MlirOperation cuteBuildTied(CuteLowering *lowering, const char *text,
                            const char *constraints, size_t numTied,
                            const CuteTied *tied, size_t numOthers,
                            const MlirValue *others) {
  MlirValue operands[CUTE_MAX_TIED + 8];
  MlirType types[CUTE_MAX_TIED];
  size_t n = 0, numInputs = 0;
  for (size_t i = 0; i < numTied; n += tied[i++].count) {
    for (size_t j = 0; j < tied[i].count; ++j)
      types[n + j] = tied[i].type;
    if (tied[i].isOverwritten)
      continue;
    cuteTiedLoad(lowering, &tied[i], operands + numInputs);
    numInputs += tied[i].count;
  }
  for (size_t i = 0; i < numOthers; ++i)
    operands[numInputs + i] = others[i];
  CUTE_SCOPED(String) all = {0};
  appendConstraints(&all, numTied, tied, constraints);
  MlirValue result = cuteBuildAsm(
      &lowering->builder, text, cuteStringGet(&all), numInputs + numOthers,
      operands,
      n == 1 ? types[0] : cuteBuildStructType(&lowering->builder, n, types));
  MlirOperation op = mlirOpResultGetOwner(result);
  if (numInputs == n)
    cuteMlirSetAttribute(op, CUTE_TIED,
                         cuteParsedAttr(&lowering->builder, "unit"));
  for (size_t i = 0, first = 0; i < numTied; first += tied[i++].count)
    storeTied(lowering, &tied[i], result, first, n > 1);
  return op;
}

MlirValue cuteTiedFill(CuteLowering *lowering, const CuteTied *tied,
                       const char *text, MlirValue input) {
  const CuteBuilder *b = &lowering->builder;
  MlirType types[CUTE_MAX_TIED];
  size_t n = tied->count + 1;
  CUTE_SCOPED(String) constraints = {0};
  for (size_t i = 0; i < n; ++i) {
    types[i] = tied->type;
    cuteStringAppendFormat(&constraints, "=%c,", tied->constraint);
  }
  cuteStringAppend(&constraints, "r,~{memory}");
  MlirValue result = cuteBuildAsm(b, text, cuteStringGet(&constraints), 1,
                                  &input, cuteBuildStructType(b, n, types));
  storeTied(lowering, tied, result, 0, true);
  return cuteBuildExtract(b, result, n - 1, tied->type);
}

bool cuteCheckTiedOperands(CuteOp *op) {
  size_t total = 0;
  for (size_t i = 0; i < op->numOperands; ++i) {
    if (!checkTensor(op->context, op->operands[i]))
      return false;
    total +=
        (size_t)(cuteLayoutGetSize(op->context, operandLayout(op, i))->value *
                 cuteElementTypeGetBits(
                     (CuteElementType)op->operands[i]->element) /
                 32);
  }
  if (total <= CUTE_MAX_TIED)
    return true;
  return cuteFail(
      op->context,
      "the sums have %zu registers, more than the %d that a thread can have",
      total, CUTE_MAX_TIED - 1);
}

bool cuteLowerTied(CuteLowering *lowering, const char *text) {
  CuteTied tied[CUTE_MAX_TIED];
  for (size_t i = 0; i < lowering->op->numOperands; ++i)
    tied[i] = cuteTiedGet(lowering, cuteLoweringGetLowered(lowering, i));
  if (lowering->op->numOperands)
    cuteBuildTied(lowering, text, ",~{memory}", lowering->op->numOperands, tied,
                  0, NULL);
  else
    cuteBuildAsm(&lowering->builder, text, "~{memory}", 0, NULL,
                 (MlirType){NULL});
  return true;
}
