// Atomic operations on single elements, and on pairs of f16 and bf16 (PTX ISA,
// "Parallel Synchronization and Communication Instructions: atom, red").
#include "Hardware/element.h"
#include "Lowering/lowering.h"
#include "Ops/ops.h"

//===-- Words of the attributes -------------------------------------------===//

typedef enum AtomicType {
  ATOMIC_ARITHMETIC, // the element's own type
  ATOMIC_SIGNED,     // the same, with a sign for all integers that have one
  ATOMIC_BITS,       // bits of any type
} AtomicType;

// In the order of the declared words, as the lists after them.
static const struct {
  const char *name;
  AtomicType type;
  bool onFloats, isReduction; // reduction: red has it, where nothing is read
} kinds[] = {
    {"add", ATOMIC_ARITHMETIC, true, true}, {"min", ATOMIC_SIGNED, false, true},
    {"max", ATOMIC_SIGNED, false, true},    {"and", ATOMIC_BITS, false, true},
    {"or", ATOMIC_BITS, false, true},       {"xor", ATOMIC_BITS, false, true},
    {"exch", ATOMIC_BITS, true, false}};

static const char *const orders[] = {"relaxed", "acquire", "release",
                                     "acq_rel"};
static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};

enum { RELAXED = 0, RELEASE = 2, CTA = 0, CLUSTER = 1, GPU = 2 };

static int findOrder(const CuteOp *op) {
  int order = cuteOpGetWord(op, "sem");
  return order < 0 ? RELAXED : order;
}

// Who sees the operation as one: all that see the memory, by default.
static int findScope(const CuteOp *op, CuteSpace space) {
  int scope = cuteOpGetWord(op, "scope");
  return scope >= 0            ? scope
         : space == CUTE_SMEM  ? CTA
         : space == CUTE_DSMEM ? CLUSTER
                               : GPU;
}

//===-- Checks ------------------------------------------------------------===//

// An atomic operation's operands: values, memory, and for a tensor where.
typedef struct Atomic {
  size_t numValues;
  CuteType memory;
  CuteElementType element;
  bool isPair;
  int kind, order, scope; // kind: of a compare and swap -1
} Atomic;

static bool failType(CuteOp *op, const char *before, CuteType type,
                     const char *after) {
  return cuteFail(op->context, "%s%s%s", before,
                  cuteTypeText(op->context, type), after);
}

// A pair lies side by side at a multiple of its 4 bytes.
static bool checkPair(CuteOp *op, const Atomic *a, CuteIntTuple place) {
  if (cuteTypeGetAlignAfter(a->memory, place) >= 4)
    return true;
  return failType(op,
                  "two elements at once need an address aligned to 4 bytes, "
                  "which the type does not promise for this one in ",
                  a->memory,
                  "; align<4> and ?{div=2} in the coordinate and in dynamic "
                  "strides promise it");
}

// Values are of the element's type, or pairs.
static bool checkValues(CuteOp *op, const Atomic *a) {
  char wanted[32];
  snprintf(wanted, sizeof wanted, a->isPair ? "vector<2x%s>" : "%s",
           cuteElementTypeGetName(cuteElementTypeGetSignless(a->element)));
  CuteType value = op->operands[0];
  if (value->kind != CUTE_TYPE_FOREIGN ||
      !cuteTextEquals(value->foreign, wanted))
    return failType(op, "a value of type ", value,
                    " does not go with the elements of the memory");
  if (a->numValues == 2 && op->operands[1] != value)
    return failType(op,
                    "the new value must have the type of the one to "
                    "compare with, unlike ",
                    op->operands[1], "");
  return true;
}

// The table of PTX: words of 32 and 64 bits; floats are added only; compare and
// swap takes 16 bits, too.
static bool hasInstruction(const Atomic *a) {
  unsigned bits = cuteElementTypeGetBits(a->element);
  bool isFloat = cuteElementTypeIsFloat(a->element);
  bool isWord = bits == 32 || bits == 64;
  if (isFloat && a->element != CUTE_ELEMENT_F16 &&
      a->element != CUTE_ELEMENT_BF16 && a->element != CUTE_ELEMENT_F32 &&
      a->element != CUTE_ELEMENT_F64)
    return false;
  if (a->isPair)
    return isFloat && bits == 16 && a->kind >= 0 &&
           kinds[a->kind].type == ATOMIC_ARITHMETIC;
  if (a->kind < 0)
    return isWord || bits == 16;
  if (!isFloat)
    return isWord;
  return kinds[a->kind].type == ATOMIC_BITS ? kinds[a->kind].onFloats && isWord
                                            : kinds[a->kind].onFloats;
}

static bool checkInstruction(CuteOp *op, const Atomic *a) {
  const char *kind = a->kind < 0 ? "cas" : kinds[a->kind].name;
  const char *element = cuteElementTypeGetName(a->element);
  bool isExchange = a->kind >= 0 && !kinds[a->kind].isReduction;
  if (hasInstruction(a))
    return true;
  return cuteFail(
      op->context,
      "no atomic %s of %s%s exists; valid are integers of 32 and 64 "
      "bits%s",
      kind, a->isPair ? "two " : "", element,
      a->kind < 0  ? ", all types of 16 bits, f32 and f64"
      : isExchange ? ", f32 and f64"
      : kinds[a->kind].onFloats
          ? ", f16, bf16, f32, f64, and vectors of two f16 or bf16"
          : "");
}

// Reads an op, whose variant is how many values come before the memory.
static Atomic readAtomic(const CuteOp *op) {
  size_t numValues = (size_t)op->decl->hooks->variant;
  CuteType memory = op->operands[numValues], value = op->operands[0];
  return (Atomic){.numValues = numValues,
                  .memory = memory,
                  .element = memory->element,
                  .isPair = value->kind == CUTE_TYPE_FOREIGN &&
                            cuteTextStartsWith(value->foreign, "vector<2x"),
                  .kind = cuteOpGetWord(op, "kind"),
                  .order = findOrder(op),
                  .scope = findScope(op, (CuteSpace)memory->space)};
}

static bool checkAtomic(CuteOp *op, const Atomic *a) {
  CuteSpace space = (CuteSpace)a->memory->space;
  if (space != CUTE_GMEM && space != CUTE_SMEM && space != CUTE_DSMEM)
    return failType(op, "no other threads see ", a->memory,
                    "; atomic operations are on gmem, smem and dsmem");
  CuteIntTuple place = cuteOpGetElementPlace(op, a->numValues);
  return place && checkValues(op, a) && checkInstruction(op, a) &&
         (!a->isPair || checkPair(op, a, place));
}

static bool inferAtomic(CuteOp *op) {
  Atomic a = readAtomic(op);
  return checkAtomic(op, &a) && cuteOpPushResult(op, op->operands[0]);
}

//===-- Lowering ----------------------------------------------------------===//

static unsigned bitsOf(const Atomic *a) {
  return a->isPair ? 32 : cuteElementTypeGetBits(a->element);
}

// The type in the instruction's name.
static void appendType(CuteString *text, const Atomic *a) {
  unsigned bits = bitsOf(a);
  bool isUnsigned = cuteElementGetInfo(a->element)->isUnsigned;
  if (a->kind < 0 || kinds[a->kind].type == ATOMIC_BITS)
    cuteStringAppendFormat(text, "b%u", bits);
  else if (cuteElementTypeIsFloat(a->element))
    cuteStringAppendFormat(
        text, "%s%s%s",
        cuteElementTypeGetBits(a->element) == 16 ? "noftz." : "",
        cuteElementTypeGetName(a->element), a->isPair ? "x2" : "");
  else
    cuteStringAppendFormat(
        text, "%c%u",
        kinds[a->kind].type == ATOMIC_SIGNED && !isUnsigned ? 's' : 'u', bits);
}

// Numbers of f32 and f64 are in registers of their own where they are added.
static MlirType registerType(const CuteBuilder *b, const Atomic *a,
                             MlirType value, char *letter) {
  bool isFloat = a->kind >= 0 && kinds[a->kind].type == ATOMIC_ARITHMETIC &&
                 cuteElementTypeIsFloat(a->element) && bitsOf(a) >= 32 &&
                 !a->isPair;
  unsigned bits = bitsOf(a);
  *letter = isFloat      ? bits == 32 ? 'f' : 'd'
            : bits == 16 ? 'h'
            : bits == 32 ? 'r'
                         : 'l';
  return isFloat ? value : cuteIntType(b, bits);
}

// An address as an integer, which all spaces have.
static MlirValue addressOf(CuteLowering *l, const Atomic *a) {
  const CuteBuilder *b = &l->builder;
  MlirValue address = cuteLoweringGetElementAddress(l, a->numValues);
  if (mlirValueIsNull(address))
    return address;
  return cuteBuildUnary(
      b, "llvm.ptrtoint", address,
      cuteIntType(b, a->memory->space == CUTE_GMEM ? 64 : 32));
}

// red orders nothing after it, and gives nothing.
static bool isReduction(const Atomic *a, MlirOperation source) {
  MlirValue old = getResult(source, 0);
  return a->kind >= 0 && kinds[a->kind].isReduction &&
         (a->order == RELAXED || a->order == RELEASE) &&
         mlirOpOperandIsNull(mlirValueGetFirstUse(old));
}

static void appendInstruction(CuteString *text, const Atomic *a, bool reduces) {
  const char *space = a->memory->space == CUTE_GMEM   ? "global"
                      : a->memory->space == CUTE_SMEM ? "shared"
                                                      : "shared::cluster";
  cuteStringAppendFormat(text, "%s.%s.%s.%s.%s.", reduces ? "red" : "atom",
                         orders[a->order], scopes[a->scope], space,
                         a->kind < 0 ? "cas" : kinds[a->kind].name);
  appendType(text, a);
  cuteStringAppend(text, reduces            ? " [$0], $1;"
                         : a->numValues > 1 ? " $0, [$1], $2, $3;"
                                            : " $0, [$1], $2;");
}

static MlirValue buildAtomic(CuteLowering *l, const Atomic *a,
                             MlirValue address) {
  const CuteBuilder *b = &l->builder;
  MlirType type = cuteMlirGetResultType(l->source, 0);
  bool reduces = isReduction(a, l->source);
  char letter, constraints[32];
  MlirType held = registerType(b, a, type, &letter);
  MlirValue operands[3] = {address};
  for (size_t i = 0; i < a->numValues; ++i)
    operands[1 + i] = bitcast(b, cuteLoweringGetOperand(l, i), held);
  int n =
      reduces ? 0 : snprintf(constraints, sizeof constraints, "=%c,", letter);
  n += snprintf(constraints + n, sizeof constraints - (size_t)n, "%c,%c",
                a->memory->space == CUTE_GMEM ? 'l' : 'r', letter);
  if (a->numValues > 1)
    n += snprintf(constraints + n, sizeof constraints - (size_t)n, ",%c",
                  letter);
  snprintf(constraints + n, sizeof constraints - (size_t)n, ",~{memory}");
  CUTE_SCOPED(String) text = {0};
  appendInstruction(&text, a, reduces);
  MlirValue old =
      cuteBuildAsm(b, cuteStringGet(&text), constraints, 1 + a->numValues,
                   operands, reduces ? (MlirType){NULL} : held);
  return reduces ? old : bitcast(b, old, type);
}

// The architecture that has the instruction (PTX ISA, "Target ISA Notes").
static int leastArch(const Atomic *a) {
  bool isAdded = a->kind >= 0 && kinds[a->kind].type == ATOMIC_ARITHMETIC;
  bool isNew = a->memory->space == CUTE_DSMEM || a->scope == CLUSTER ||
               (isAdded && a->element == CUTE_ELEMENT_BF16);
  return isNew ? 90 : 70;
}

static bool checkArch(const CuteLowering *l, const Atomic *a) {
  int least = leastArch(a);
  const CuteArch *arch = l->dialect->arch;
  if (!arch || arch->number >= least)
    return true;
  return cuteFail(
      l->context,
      "atomic operations on %s in %s in the scope of %s need sm_%d or "
      "later, but the code is for sm_%d",
      cuteElementTypeGetName(a->element),
      cuteTypeGetSpaceName((CuteSpace)a->memory->space), scopes[a->scope],
      least, arch->number);
}

static bool lowerAtomic(CuteLowering *l) {
  Atomic a = readAtomic(l->op);
  if (!checkArch(l, &a))
    return false;
  MlirValue address = addressOf(l, &a);
  if (mlirValueIsNull(address))
    return false;
  MlirValue old = buildAtomic(l, &a, address);
  if (!mlirValueIsNull(old))
    cuteLoweringReplace(l, 0, old);
  return true;
}

const CuteOpHooks cuteAtomicOps[] = {
    CUTE_HOOKS("atomic_rmw", inferAtomic, lowerAtomic, .variant = 1),
    CUTE_HOOKS("atomic_cas", inferAtomic, lowerAtomic, .variant = 2),
    {.name = NULL},
};
