// The instructions of MMA atoms: registers and operation follow from the row.
#include "Hardware/atom.h"
#include "Hardware/element.h"
#include "Ops/descriptors.h"
#include "Ops/lower_ops.h"

enum { MAX_REGISTERS = 16 };

//===-- What a row says ---------------------------------------------------===//

// nvvm.mma.sync of LLVM 22 has no small floats, and of f64 only m8n8k4.
static bool hasNvvmOp(const CuteMmaAtom *atom) {
  return cuteElementGetInfo(atom->a)->inNvvmMma &&
         cuteElementGetInfo(atom->b)->inNvvmMma &&
         (atom->a != CUTE_ELEMENT_F64 || atom->m == 8);
}

// The form in which an instruction is built.
typedef enum CallForm {
  NVVM_OP,
  WARP_TEXT,   // PTX: registers of an operand in braces
  THREAD_TEXT, // one register for each operand
} CallForm;

// The registers that an instruction takes and gives.
typedef struct Call {
  const CuteMmaAtom *atom;
  CallForm form;
  size_t numInputs;
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  size_t counts[CUTE_NUM_MMA_OPERANDS];  // registers of each input
  MlirType types[CUTE_NUM_MMA_OPERANDS]; // of one
  MlirValue values[CUTE_NUM_MMA_OPERANDS * MAX_REGISTERS];
  size_t numValues;
  MlirType result; // a struct of as many registers as C has
} Call;

// The registers of an operand. Floats below 8 bits each have a byte there,
// unless the instruction takes only floats of 4 bits.
typedef struct Registers {
  unsigned bits;       // of a register
  int64_t perRegister; // elements
  bool isSpread;       // 4-bit elements lie in bytes
  MlirType type;
} Registers;

static Registers registersOf(const CuteBuilder *b, const Call *call,
                             CuteElementType element) {
  Registers r = {.bits = 32};
  unsigned bits = cuteElementTypeGetBits(element);
  r.isSpread = element == CUTE_ELEMENT_F4E2M1 && call->atom->spreads;
  if (element == CUTE_ELEMENT_F64)
    r.bits = 64;
  r.perRegister = r.bits / (r.isSpread ? 8 : bits);
  if (element == CUTE_ELEMENT_F32 || element == CUTE_ELEMENT_F64)
    r.type = cuteElementMlirType(b, element);
  else if (element == CUTE_ELEMENT_F16 && call->form == NVVM_OP)
    r.type = cuteParsedType(b, "vector<2xf16>");
  else
    r.type = cuteIntType(b, 32);
  return r;
}

//===-- Registers ---------------------------------------------------------===//

// The 4-bit elements of an i16 in the middle of the bytes of an i32 (PTX ISA,
// "mma", kind::f8f6f4).
static MlirValue spread(const CuteBuilder *b, MlirValue packed) {
  MlirValue all = extui(b, packed, cuteIntType(b, 32));
  MlirValue result = {NULL};
  for (int i = 0; i < 4; ++i) {
    MlirValue mask = cuteBuildInt(b, 32, INT64_C(15) << 4 * i);
    MlirValue element = andi(b, all, mask);
    element = shliWith(b, element, 4 * i + 2);
    result = i ? ori(b, result, element) : element;
  }
  return result;
}

// Fewer values than fill a register are its lowest bits.
static MlirValue loadPart(CuteLowering *l, Registers r,
                          const CuteLowered *tensor, int64_t n) {
  const CuteBuilder *b = &l->builder;
  unsigned bits = (unsigned)n * r.bits / (unsigned)r.perRegister;
  MlirValue value =
      cuteLoweringLoadValues(l, tensor, 0, n, cuteIntType(b, bits));
  return extui(b, value, r.type);
}

// Appends the registers of an operand; consecutive values share one.
static size_t loadRegisters(CuteLowering *l, Registers r,
                            const CuteLowered *tensor, MlirValue *values) {
  const CuteBuilder *b = &l->builder;
  int64_t n = cuteLayoutGetSize(l->context, tensor->type->layout)->value;
  MlirType type = r.isSpread ? cuteIntType(b, 16) : r.type;
  size_t count = 0;
  if (n < r.perRegister) {
    *values = loadPart(l, r, tensor, n);
    return 1;
  }
  for (int64_t i = 0; i < n && count < MAX_REGISTERS; i += r.perRegister) {
    MlirValue value = cuteLoweringLoadValues(l, tensor, i, r.perRegister, type);
    values[count++] = r.isSpread ? spread(b, value) : value;
  }
  return count;
}

//===-- nvvm.mma.sync -----------------------------------------------------===//

static MlirAttribute enumAttr(const CuteBuilder *b, const char *format,
                              const char *value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  return cuteParsedAttr(b, text);
}

static MlirValue buildNvvm(const CuteBuilder *b, const Call *call) {
  const CuteMmaAtom *atom = call->atom;
  char shape[64];
  snprintf(shape, sizeof shape, "#nvvm.shape<m = %d, n = %d, k = %d>", atom->m,
           atom->n, atom->k);
  int32_t segments[] = {(int32_t)call->counts[0], (int32_t)call->counts[1],
                        (int32_t)call->counts[2]};
  const char *layoutA = atom->majorA == CUTE_MAJOR_K ? "row" : "col";
  const char *layoutB = atom->majorB == CUTE_MAJOR_K ? "col" : "row";
  const char layout[] = "#nvvm.mma_layout<%s>", type[] = "#nvvm.mma_type<%s>";
  CuteNamedAttribute attributes[9] = {
      {"shape", cuteParsedAttr(b, shape)},
      {"layoutA", enumAttr(b, layout, layoutA)},
      {"layoutB", enumAttr(b, layout, layoutB)},
      {"multiplicandAPtxType",
       enumAttr(b, type, cuteElementGetInfo(atom->a)->ptx)},
      {"multiplicandBPtxType",
       enumAttr(b, type, cuteElementGetInfo(atom->b)->ptx)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(b->context, 3, segments)}};
  size_t n = 6;
  if (atom->bitOp != CUTE_BITS_NONE)
    attributes[n++] = (CuteNamedAttribute){
        "b1Op",
        enumAttr(b, "#nvvm.mma_b1op<%s>",
                 atom->bitOp == CUTE_BITS_AND ? "and_popc" : "xor_popc")};
  else if (atom->c == CUTE_ELEMENT_I32)
    attributes[n++] = (CuteNamedAttribute){
        "intOverflowBehavior",
        enumAttr(b, "#nvvm.mma_int_overflow<%s>",
                 atom->saturates ? "satfinite" : "wrapped")};
  return CUTE_BUILD_VALUE(b, "nvvm.mma.sync", .numOperands = call->numValues,
                          .operands = call->values, .numResults = 1,
                          .results = &call->result, .numAttributes = n,
                          .attributes = attributes);
}

//===-- Inline PTX --------------------------------------------------------===//

// Appends n registers from number *next on: {$4, $5}.
static void appendRegisters(CuteString *text, bool braces, size_t n,
                            size_t *next) {
  cuteStringAppend(text, braces ? "{" : "");
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s$%zu", i ? ", " : "", (*next)++);
  cuteStringAppend(text, braces ? "}" : "");
}

static char constraintOf(MlirType type) {
  return mlirTypeIsAF32(type) ? 'f' : mlirTypeIsAF64(type) ? 'd' : 'r';
}

// Gives what follows the registers of an operand: which lanes, and which bytes,
// the instruction reads among the threads that hold the same.
static const char *selectorOf(CuteMmaOperand operand) {
  return operand == CUTE_OPERAND_E     ? ", 0x0"
         : operand >= CUTE_OPERAND_SFA ? ", {0, 0}"
                                       : "";
}

static void appendText(CuteString *text, const Call *call) {
  bool isWarp = call->form == WARP_TEXT;
  size_t next = 0;
  cuteStringAppendFormat(text, "%s ", call->atom->instruction);
  appendRegisters(text, isWarp, call->counts[CUTE_OPERAND_C], &next);
  for (size_t i = 0; i < call->numInputs; ++i) {
    cuteStringAppend(text, ", ");
    appendRegisters(text, isWarp && call->inputs[i] != CUTE_OPERAND_E,
                    call->counts[i], &next);
    cuteStringAppend(text, selectorOf(call->inputs[i]));
  }
  cuteStringAppend(text, ";");
}

static void appendConstraints(CuteString *text, const Call *call) {
  for (size_t i = 0; i < call->counts[CUTE_OPERAND_C]; ++i)
    cuteStringAppendFormat(text, "%s=%c", i ? "," : "",
                           constraintOf(call->types[CUTE_OPERAND_C]));
  for (size_t i = 0; i < call->numInputs; ++i)
    for (size_t j = 0; j < call->counts[i]; ++j)
      cuteStringAppendFormat(text, ",%c", constraintOf(call->types[i]));
}

// A pure function of its operands; Target makes it convergent, as all threads
// of a warp execute it together.
static MlirValue buildInline(const CuteBuilder *b, const Call *call) {
  CUTE_SCOPED(String) text = {0}, constraints = {0};
  appendText(&text, call);
  appendConstraints(&constraints, call);
  MlirType type = call->counts[CUTE_OPERAND_C] == 1
                      ? call->types[CUTE_OPERAND_C]
                      : call->result;
  MlirValue result =
      cuteBuildPureAsm(b, cuteStringGet(&text), cuteStringGet(&constraints),
                       call->numValues, call->values, type);
  return result;
}

//===-- One thread --------------------------------------------------------===//

// A or B in the type of D.
static MlirValue loadFactor(CuteLowering *l, const CuteMmaAtom *atom,
                            const CuteLowered *tensor, CuteElementType from) {
  const CuteBuilder *b = &l->builder;
  MlirValue value =
      cuteLoweringLoadValues(l, tensor, 0, 1, cuteElementRawType(b, from));
  if (cuteElementTypeGetBits(from) == cuteElementTypeGetBits(atom->d))
    return value;
  if (cuteElementTypeIsFloat(from))
    return cuteLoweringConvertElement(l, value, from, atom->d);
  bool isSigned = cuteElementTypeGetSignless(from) == from;
  return cuteBuildUnary(b, isSigned ? "arith.extsi" : "arith.extui", value,
                        cuteElementRawType(b, atom->d));
}

static bool lowerMultiplyAdd(CuteLowering *l, const CuteMmaAtom *atom,
                             const CuteLowered *const *operands) {
  const CuteBuilder *b = &l->builder;
  MlirType type = cuteElementRawType(b, atom->d);
  MlirValue v[] = {loadFactor(l, atom, operands[1], atom->a),
                   loadFactor(l, atom, operands[2], atom->b),
                   cuteLoweringLoadValues(l, operands[3], 0, 1, type)};
  if (mlirValueIsNull(v[0]) || mlirValueIsNull(v[1]))
    return false;
  MlirValue sum = cuteElementTypeIsFloat(atom->d)
                      ? cuteBuildResult(b, "llvm.intr.fma", 3, v, type)
                      : addi(b, muli(b, v[0], v[1]), v[2]);
  cuteLoweringStoreValues(l, operands[0], 0, 1, sum);
  return true;
}

//===-- A call ------------------------------------------------------------===//

// Sets the types of the inputs, which follow D.
static void prepare(CuteLowering *l, const CuteLowered *const *operands,
                    Call *call) {
  const CuteMmaAtom *atom = call->atom;
  call->numInputs = cuteMmaAtomGetInputs(atom, call->inputs);
  for (size_t i = 0; i < call->numInputs; ++i) {
    Registers r = registersOf(&l->builder, call,
                              cuteMmaAtomGetElement(atom, call->inputs[i]));
    call->types[i] = r.type;
    call->counts[i] =
        loadRegisters(l, r, operands[i + 1], call->values + call->numValues);
    call->numValues += call->counts[i];
  }
  size_t n = call->counts[CUTE_OPERAND_C];
  MlirType fields[MAX_REGISTERS];
  for (size_t i = 0; i < n; ++i)
    fields[i] = call->types[CUTE_OPERAND_C];
  call->result = cuteBuildStructType(&l->builder, n, fields);
}

static bool lowerCall(CuteLowering *l, const CuteMmaAtom *atom,
                      const CuteLowered *const *operands, CallForm form) {
  const CuteBuilder *b = &l->builder;
  Call call = {.atom = atom, .form = form};
  prepare(l, operands, &call);
  bool isNvvm = form == NVVM_OP;
  MlirValue sums = isNvvm ? buildNvvm(b, &call) : buildInline(b, &call);
  size_t n = call.counts[CUTE_OPERAND_C];
  bool isStruct = isNvvm || n > 1;
  Registers r = registersOf(b, &call, atom->d);
  for (size_t i = 0; i < n; ++i)
    cuteLoweringStoreValues(
        l, operands[0], (int64_t)i * r.perRegister, r.perRegister,
        isStruct ? cuteBuildExtract(b, sums, i, call.types[CUTE_OPERAND_C])
                 : sums);
  return true;
}

static bool lowerWarp(CuteLowering *l, const CuteMmaAtom *atom,
                      const CuteLowered *const *operands) {
  return lowerCall(l, atom, operands, hasNvvmOp(atom) ? NVVM_OP : WARP_TEXT);
}

static bool lowerWarpAsText(CuteLowering *l, const CuteMmaAtom *atom,
                            const CuteLowered *const *operands) {
  return lowerCall(l, atom, operands, WARP_TEXT);
}

static bool lowerThread(CuteLowering *l, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands) {
  return lowerCall(l, atom, operands, THREAD_TEXT);
}

//===-- The op ------------------------------------------------------------===//

// D and the inputs of cuteMmaAtomGetInputs; then the i1 of the op and the lanes
// of D that it leaves out, as pointers, or null. False with a message.
typedef bool LowerMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                      const CuteLowered *const *operands);

static LowerMma *const lowerings[CUTE_NUM_MMA_KINDS] = {
#define CUTE_MMA_KIND(kind, lowering, ...) lowering,
#include "hardware/mma_kind.def"
};

static LowerMma *loweringOf(const CuteMmaAtom *atom) {
  return lowerings[atom->kind - cuteMmaAtomKinds];
}

bool cuteMmaAtomIsCompiled(const CuteMmaAtom *atom) { return loweringOf(atom); }

bool cuteLowerMmaAtomCall(CuteLowering *lowering) {
  const CuteMmaAtom *atom = cuteTypeGetMmaAtomValue(lowering->op->operands[0]);
  if (!cuteMmaAtomIsCompiled(atom))
    return cuteLoweringFailNotCompiled(lowering->context, atom->name);
  const CuteLowered *operands[3 + CUTE_NUM_MMA_OPERANDS] = {NULL};
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  size_t n = cuteMmaAtomGetInputs(atom, inputs);
  for (size_t i = 0; i <= n; ++i)
    operands[i] = cuteLoweringGetLowered(lowering, i + 1);
  CuteLowered others[2];
  for (size_t i = n + 2; i < lowering->op->numOperands; ++i) {
    MlirValue other = cuteLoweringGetOperand(lowering, i);
    bool isLanes = mlirTypeIsAVector(mlirValueGetType(other));
    others[isLanes].pointer = other;
    operands[n + 1 + isLanes] = &others[isLanes];
  }
  return loweringOf(atom)(lowering, atom, operands);
}
