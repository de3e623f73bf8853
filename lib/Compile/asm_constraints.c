// Checks the constraints of inline PTX: LLVM fails at them without a word.
#include "Compile/kernel_checks.h"

#include <mlir-c/Dialect/LLVM.h>

#include <ctype.h>

enum { MAX_SHOWN = 64 }; // bytes of a constraint in a message

// A constraint, and the bits of its class of registers.
typedef struct AsmClass {
  char letter;
  int bits;
} AsmClass;

// PTX, "Inline PTX Assembly in CUDA"; `c` is LLVM's, `N` its other name of `l`.
static const AsmClass classes[] = {{'b', 1},  {'c', 16}, {'h', 16},
                                   {'r', 32}, {'f', 32}, {'l', 64},
                                   {'N', 64}, {'d', 64}, {'q', 128}};

static const AsmClass *findClass(char letter) {
  for (size_t i = 0; i < sizeof classes / sizeof *classes; ++i)
    if (classes[i].letter == letter)
      return &classes[i];
  return NULL;
}

typedef struct AsmCheck {
  MlirOperation op;
  CuteStringRef constraints;
  intptr_t outputs, inputs; // of the constraints read so far
} AsmCheck;

//===-- Messages ----------------------------------------------------------===//

static bool fail(const AsmCheck *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(const AsmCheck *check, const char *format, ...) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(
      &text, "constraints \"%.*s\": ", CUTE_TEXT(check->constraints));
  CUTE_APPEND_ARGUMENTS(&text, format);
  return cuteEmitOpError(check->op, "%s", cuteStringGet(&text));
}

static int shown(CuteStringRef part) {
  return part.length < MAX_SHOWN ? (int)part.length : MAX_SHOWN;
}

//===-- Types -------------------------------------------------------------===//

static bool isStructResult(const AsmCheck *check) {
  return getNumResults(check->op) == 1 &&
         mlirTypeIsALLVMStructType(cuteMlirGetResultType(check->op, 0));
}

static intptr_t numResults(const AsmCheck *check) {
  if (!isStructResult(check))
    return getNumResults(check->op);
  MlirType type = cuteMlirGetResultType(check->op, 0);
  return mlirLLVMStructTypeGetNumElementTypes(type);
}

static MlirType resultType(const AsmCheck *check, intptr_t i) {
  MlirType type =
      cuteMlirGetResultType(check->op, isStructResult(check) ? 0 : i);
  return isStructResult(check) ? mlirLLVMStructTypeGetElementType(type, i)
                               : type;
}

// Bits of a value in registers; 0 for types that only lowering knows.
static int64_t bitsOf(MlirType type) {
  if (mlirTypeIsAIndex(type) || mlirTypeIsALLVMPointerType(type))
    return 64;
  bool isFlat = !mlirTypeIsAVector(type) || mlirShapedTypeGetRank(type) == 1;
  return isFlat ? cuteMlirGetBits(type) : 0;
}

// The letter for a type, null if no register holds it.
static const char *letterFor(MlirType type, int64_t bits) {
  return bits == 32 && mlirTypeIsAF32(type)   ? "f"
         : bits == 64 && mlirTypeIsAF64(type) ? "d"
         : bits == 1                          ? "b"
         : bits == 8                          ? "c"
         : bits == 16                         ? "h"
         : bits == 32                         ? "r"
         : bits == 64                         ? "l"
         : bits == 128                        ? "q"
                                              : NULL;
}

static bool failsType(const AsmCheck *check, const AsmClass *class,
                      MlirType type, int64_t bits, bool isOutput) {
  CUTE_SCOPED(String) name = {0};
  mlirTypePrint(type, cuteAppendMlirString, &name);
  const char *letter = letterFor(type, bits), *sign = isOutput ? "=" : "";
  if (letter)
    fail(check, "\"%s%c\" holds %d bits, but %s needs \"%s%s\"", sign,
         class->letter, class->bits, cuteStringGet(&name), sign, letter);
  else
    fail(check,
         "%s has %jd bits, which no register of PTX holds; pass registers of "
         "1, 16, 32, 64 or 128 bits",
         cuteStringGet(&name), bits);
  return false;
}

// A short integer may be in the low bits of a wider class. A byte has no other.
static bool isLowPart(MlirType type, int64_t bits, const AsmClass *class) {
  return mlirTypeIsAInteger(type) && (bits == 1 || bits == 8 || bits == 16) &&
         bits < class->bits && class->bits <= 32 && class->letter != 'f';
}

// An address in shared memory has 64 bits here; instructions take the low 32.
static bool isSharedAddress(MlirType type, const AsmClass *class) {
  enum { SHARED = 3 };
  bool isPointer = mlirTypeIsALLVMPointerType(type) &&
                   mlirLLVMPointerTypeGetAddressSpace(type) == SHARED;
  return class->letter == 'r' &&
         (isPointer ||
          (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64));
}

static bool checkType(const AsmCheck *check, const AsmClass *class,
                      MlirType type, bool isOutput) {
  int64_t bits = bitsOf(type);
  return !bits || bits == class->bits || isLowPart(type, bits, class) ||
         (!isOutput && isSharedAddress(type, class)) ||
         failsType(check, class, type, bits, isOutput);
}

//===-- One constraint ----------------------------------------------------===//

static bool checkOutput(AsmCheck *check, const AsmClass *class) {
  if (check->inputs)
    return fail(check, "outputs, which begin with =, come before inputs");
  intptr_t i = check->outputs++;
  return i >= numResults(check) || // counted at the end
         checkType(check, class, resultType(check, i), true);
}

static bool checkInput(AsmCheck *check, const AsmClass *class) {
  intptr_t i = check->inputs++;
  if (!class || i >= getNumOperands(check->op))
    return true;
  return checkType(check, class, cuteMlirGetOperandType(check->op, i), false);
}

// "0", an input in the register of an output.
static bool checkTied(AsmCheck *check, CuteStringRef part) {
  long long output = 0;
  for (size_t i = 0; i < part.length; ++i) {
    if (!isdigit((unsigned char)part.data[i]) || i > 2)
      return fail(check, "\"%.*s\" is not the number of an output", shown(part),
                  part.data);
    output = output * 10 + (part.data[i] - '0');
  }
  if (output >= check->outputs)
    return fail(check,
                "\"%lld\" ties an input to an output that does not exist",
                output);
  intptr_t input = check->inputs;
  if (output < numResults(check) && input < getNumOperands(check->op) &&
      bitsOf(resultType(check, (intptr_t)output)) !=
          bitsOf(cuteMlirGetOperandType(check->op, input)))
    return fail(check, "\"%lld\" ties operand %jd to a result of another size",
                output, input);
  return checkInput(check, NULL);
}

static bool checkOne(AsmCheck *check, CuteStringRef part) {
  if (part.length > 1 && part.data[0] == '~')
    return true;
  if (part.length && *part.data == '+')
    return fail(check, "there is no '+'; write what is read and written as an "
                       "output and an input tied to it, as in \"=r,0\"");
  bool isOutput = part.length && *part.data == '=';
  size_t skipped = isOutput;
  skipped += isOutput && part.length > 1 && part.data[1] == '&';
  CuteStringRef class = {part.data + skipped, part.length - skipped};
  if (!isOutput && class.length && isdigit((unsigned char)*class.data))
    return checkTied(check, class);
  if (!isOutput && class.length == 1 && strchr("nism", *class.data))
    return checkInput(check, NULL);
  const AsmClass *found = class.length == 1 ? findClass(*class.data) : NULL;
  if (!found)
    return fail(check,
                "\"%.*s\" is not a class of registers; write b, h, r, l, q, f "
                "or d, with = before that of a result",
                shown(part), part.data);
  return isOutput ? checkOutput(check, found) : checkInput(check, found);
}

//===-- All of an op ------------------------------------------------------===//

static bool checkCounts(const AsmCheck *check) {
  intptr_t results = numResults(check);
  intptr_t operands = getNumOperands(check->op);
  if (check->outputs != results)
    return fail(check,
                "there must be one output, such as \"=r\", for each of the %jd "
                "results, not %jd",
                results, check->outputs);
  if (check->inputs != operands)
    return fail(check,
                "there must be one input, such as \"r\", for each of the %jd "
                "operands, not %jd",
                operands, check->inputs);
  return true;
}

static CuteStringRef trimmed(CuteStringRef part) {
  while (part.length && *part.data == ' ')
    part = (CuteStringRef){part.data + 1, part.length - 1};
  return part;
}

// Calls checkOne for what lies between commas.
static bool checkEach(AsmCheck *check) {
  CuteStringRef all = check->constraints, rest = all;
  while (rest.length)
    if (!checkOne(check, trimmed(cuteTextTakePart(&rest, ','))))
      return false;
  return !all.length || all.data[all.length - 1] != ',' ||
         fail(check, "the last one, after the comma, is missing");
}

// Rejects "$9" without an operand 9. "$$" is a dollar.
static bool checkNumbers(const AsmCheck *check, CuteStringRef text) {
  intptr_t n = check->outputs + check->inputs;
  for (size_t i = 0; i + 1 < text.length; ++i) {
    if (text.data[i] != '$')
      continue;
    ++i;
    size_t at = i + (text.data[i] == '{');
    intptr_t number = 0;
    size_t digits = 0;
    for (; at < text.length && isdigit((unsigned char)text.data[at]) &&
           digits < 4;
         ++at, ++digits)
      number = number * 10 + (text.data[at] - '0');
    if (digits && number >= n)
      return fail(check,
                  "the text has $%jd, but there are only %jd outputs and "
                  "inputs, numbered from $0",
                  number, n);
  }
  return true;
}

bool cuteCheckAsmConstraints(MlirOperation op) {
  if (!cuteMlirIs(op, "llvm.inline_asm"))
    return true;
  MlirAttribute text = cuteMlirGetAttribute(op, "asm_string");
  MlirAttribute constraints = cuteMlirGetAttribute(op, "constraints");
  if (mlirAttributeIsNull(text) || mlirAttributeIsNull(constraints))
    return true;
  AsmCheck check = {.op = op,
                    .constraints =
                        fromMlirString(mlirStringAttrGetValue(constraints))};
  return checkEach(&check) && checkCounts(&check) &&
         checkNumbers(&check, fromMlirString(mlirStringAttrGetValue(text)));
}
