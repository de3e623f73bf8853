// The instructions of copy atoms.
#include "Ops/copy_atoms.h"
#include "Hardware/atom.h"
#include "Ops/ops.h"

MlirValue cuteCopyLoadPredicate(CuteLowering *lowering,
                                const CuteLowered *predicate, int64_t i) {
  if (!predicate)
    return (MlirValue){NULL};
  bool isCount = predicate->type->element == CUTE_ELEMENT_I8;
  return cuteLoweringLoadValues(
      lowering, predicate, i, 1,
      cuteIntType(&lowering->builder, isCount ? 8 : 1));
}

//===-- Loads and stores --------------------------------------------------===//

static void lowerUniversal(CuteLowering *l, const CuteCopyCall *call) {
  int64_t n = call->sourceValues;
  MlirType element =
      cuteElementRawType(&l->builder, call->source->type->element);
  MlirType type = n == 1 ? element : mlirVectorTypeGet(1, &n, element);
  MlirValue value = cuteLoweringLoadValues(l, call->source, 0, n, type);
  cuteLoweringStoreValues(l, call->destination, 0, n, value);
}

// Writes PTX as text, since LLVM's intrinsics bring nothing into L2.
static void lowerCpAsyncWithPrefetch(CuteLowering *l, const CuteCopyCall *call,
                                     size_t n, const MlirValue *operands) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%s [$0], [$1], %d%s;", call->atom->instruction,
                         call->atom->bits / 8, n > 2 ? ", $2" : "");
  cuteBuildAsm(&l->builder, cuteStringGet(&text),
               n > 2 ? "l,l,r,~{memory}" : "l,l,~{memory}", n, operands,
               (MlirType){NULL});
}

// The bytes that a cp.async reads where it fills with zeros: all or none by a
// predicate, as many elements as a count says.
static MlirValue bytesRead(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t bytes = call->atom->bits / 8;
  MlirType i1 = cuteIntType(b, 1);
  if (mlirTypeEqual(mlirValueGetType(call->predicate), i1))
    return cuteBuildSelect(b, call->predicate, cuteBuildInt(b, 32, bytes),
                           cuteBuildInt(b, 32, 0));
  MlirValue count = extui(b, call->predicate, cuteIntType(b, 32));
  return muliWith(b, count, bytes / call->sourceValues);
}

// Lowers a cp.async. With zero fill a predicate says how many bytes it reads.
static void lowerCpAsync(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  CuteIntTuple first = staticInt(l->context, 0);
  int64_t bytes = call->atom->bits / 8;
  MlirValue operands[3] = {cuteLoweringGetAddress(l, *call->destination, first),
                           cuteLoweringGetAddress(l, *call->source, first)};
  size_t count = 2;
  if (call->atom->zeroFill && !mlirValueIsNull(call->predicate))
    operands[count++] = bytesRead(l, call);
  if (call->atom->prefetchBytes) {
    lowerCpAsyncWithPrefetch(l, call, count, operands);
    return;
  }
  CuteNamedAttribute attributes[] = {
      {"size", cuteIntAttr(b, 32, bytes)},
      {"modifier", cuteParsedAttr(b, call->atom->bypassesL1
                                         ? "#nvvm<load_cache_modifier cg>"
                                         : "#nvvm<load_cache_modifier ca>")}};
  CUTE_BUILD(b, "nvvm.cp.async.shared.global", .numOperands = count,
             .operands = operands, .numAttributes = 2,
             .attributes = attributes);
}

//===-- Instructions as text ----------------------------------------------===//

enum { MAX_WORDS = 8, MAX_TMEM_WORDS = 128 };

// An instruction that moves words between registers and an address.
typedef struct Move {
  const char *instruction;
  const char *address, *word; // constraints
  size_t n;
  bool inBraces;
  MlirValue operands[1 + MAX_WORDS]; // the address and the words
} Move;

static void appendWords(const Move *m, size_t first, const char *constraint,
                        CuteString *text, CuteString *constraints) {
  cuteStringAppend(text, m->inBraces ? "{" : "");
  for (size_t i = 0; i < m->n; ++i) {
    cuteStringAppendFormat(text, "%s$%zu", i ? ", " : "", first + i);
    cuteStringAppendFormat(constraints, "%s,", constraint);
  }
  cuteStringAppend(text, m->inBraces ? "}" : "");
}

// "INSTRUCTION [$0], {$1, $2};"
static void emitStore(const CuteBuilder *b, const Move *m) {
  CUTE_SCOPED(String) text = {0}, constraints = {0};
  cuteStringAppendFormat(&text, "%s [$0], ", m->instruction);
  cuteStringAppendFormat(&constraints, "%s,", m->address);
  appendWords(m, 1, m->word, &text, &constraints);
  cuteStringAppend(&text, ";");
  cuteStringAppend(&constraints, "~{memory}");
  cuteBuildAsm(b, cuteStringGet(&text), cuteStringGet(&constraints), 1 + m->n,
               m->operands, (MlirType){NULL});
}

// "INSTRUCTION {$0, $1}, [$2];"
static void emitLoad(const CuteBuilder *b, Move *m) {
  MlirType i32 = cuteIntType(b, 32);
  MlirType fields[MAX_WORDS] = {i32, i32, i32, i32, i32, i32, i32, i32};
  CUTE_SCOPED(String) text = {0}, constraints = {0};
  cuteStringAppendFormat(&text, "%s ", m->instruction);
  appendWords(m, 0, "=r", &text, &constraints);
  cuteStringAppendFormat(&text, ", [$%zu];", m->n);
  cuteStringAppendFormat(&constraints, "%s,~{memory}", m->address);
  MlirValue loaded = cuteBuildAsm(
      b, cuteStringGet(&text), cuteStringGet(&constraints), 1, m->operands,
      m->n == 1 ? i32 : cuteBuildStructType(b, m->n, fields));
  for (size_t i = 0; i < m->n; ++i)
    m->operands[1 + i] =
        m->n == 1 ? loaded : cuteBuildExtract(b, loaded, i, i32);
}

//===-- Global memory with hints for caches -------------------------------===//

static MlirType wordsType(const CuteBuilder *b, int64_t n) {
  MlirType i32 = cuteIntType(b, 32);
  return n == 1 ? i32 : mlirVectorTypeGet(1, &n, i32);
}

static MlirValue joinWords(const CuteBuilder *b, int64_t n,
                           const MlirValue *words) {
  MlirType type = wordsType(b, n);
  if (n == 1)
    return *words;
  MlirValue all = cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, type);
  for (int64_t i = 0; i < n; ++i) {
    MlirValue parts[] = {all, words[i], cuteBuildInt(b, 32, i)};
    all = cuteBuildResult(b, "llvm.insertelement", 3, parts, type);
  }
  return all;
}

// The instruction, ".v4" if it moves several words, and ".b32".
static void nameAccess(CuteString *name, const CuteCopyAtom *atom) {
  cuteStringAppend(name, atom->instruction);
  if (atom->bits > 32)
    cuteStringAppendFormat(name, ".v%d", atom->bits / 32);
  cuteStringAppend(name, ".b32");
}

// A move of so many words to or from the start of a tensor.
static Move moveOf(CuteLowering *l, const char *name, int64_t n,
                   const CuteLowered *tensor) {
  return (Move){name,
                "l",
                "r",
                (size_t)n,
                n > 1,
                .operands = {cuteLoweringGetAddress(l, *tensor,
                                                    staticInt(l->context, 0))}};
}

static void lowerLoad(CuteLowering *l, const CuteCopyCall *call) {
  CUTE_SCOPED(String) name = {0};
  nameAccess(&name, call->atom);
  int64_t n = call->atom->bits / 32;
  Move m = moveOf(l, cuteStringGet(&name), n, call->source);
  emitLoad(&l->builder, &m);
  cuteLoweringStoreValues(l, call->destination, 0, call->destinationValues,
                          joinWords(&l->builder, n, m.operands + 1));
}

static void lowerStore(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  CUTE_SCOPED(String) name = {0};
  nameAccess(&name, call->atom);
  int64_t n = call->atom->bits / 32;
  MlirValue value = cuteLoweringLoadValues(l, call->source, 0,
                                           call->sourceValues, wordsType(b, n));
  Move m = moveOf(l, cuteStringGet(&name), n, call->destination);
  for (int64_t i = 0; i < n; ++i)
    m.operands[1 + i] = n == 1 ? value : cuteBuildVectorExtract(b, value, i);
  emitStore(b, &m);
}

//===-- Registers of 32 bits ----------------------------------------------===//

enum { MAX_REGISTERS = 4 };

// The values of a tensor that register i holds: as many as fit.
static MlirValue loadRegister(CuteLowering *l, const CuteLowered *tensor,
                              int64_t i, MlirType type) {
  int64_t n = 32 / cuteElementTypeGetBits(tensor->type->element);
  return cuteLoweringLoadValues(l, tensor, i * n, n, type);
}

static void storeRegister(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                          MlirValue value) {
  int64_t n = 32 / cuteElementTypeGetBits(tensor->type->element);
  cuteLoweringStoreValues(l, tensor, i * n, n, value);
}

static const char *matrixLayout(const CuteCopyAtom *atom) {
  return atom->transposes ? "#nvvm.mma_layout<col>" : "#nvvm.mma_layout<row>";
}

static void lowerLdmatrix(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t registers = call->atom->bits / 32;
  MlirValue address =
      cuteLoweringGetAddress(l, *call->source, staticInt(l->context, 0));
  MlirType i32 = cuteIntType(b, 32);
  MlirType fields[MAX_REGISTERS] = {i32, i32, i32, i32};
  MlirType result =
      registers == 1 ? i32 : cuteBuildStructType(b, (size_t)registers, fields);
  CuteNamedAttribute attributes[] = {
      {"num", cuteIntAttr(b, 32, registers)},
      {"layout", cuteParsedAttr(b, matrixLayout(call->atom))},
      {"shape", cuteParsedAttr(b, "#nvvm.ld_st_matrix_shape<m = 8, n = 8>")},
      {"eltType", cuteParsedAttr(b, "#nvvm.ld_st_matrix_elt_type<b16>")}};
  MlirValue loaded = CUTE_BUILD_VALUE(
      b, "nvvm.ldmatrix", CUTE_OPERANDS(address), CUTE_RESULTS(result),
      .numAttributes = 4, .attributes = attributes);
  for (int64_t i = 0; i < registers; ++i)
    storeRegister(l, call->destination, i,
                  registers == 1 ? loaded
                                 : cuteBuildExtract(b, loaded, (size_t)i, i32));
}

static void lowerStmatrix(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t registers = call->atom->bits / 32;
  MlirValue operands[1 + MAX_REGISTERS] = {
      cuteLoweringGetAddress(l, *call->destination, staticInt(l->context, 0))};
  for (int64_t i = 0; i < registers; ++i)
    operands[1 + i] = loadRegister(l, call->source, i, cuteIntType(b, 32));
  CuteNamedAttribute attributes[] = {
      {"layout", cuteParsedAttr(b, matrixLayout(call->atom))},
      {"shape", cuteParsedAttr(b, "#nvvm.ld_st_matrix_shape<m = 8, n = 8>")},
      {"eltType", cuteParsedAttr(b, "#nvvm.ld_st_matrix_elt_type<b16>")}};
  CUTE_BUILD(b, "nvvm.stmatrix", .numOperands = (size_t)registers + 1,
             .operands = operands, .numAttributes = 3,
             .attributes = attributes);
}

// Stores register i of matrices of 16 x 16 bytes. Of two registers, which have
// columns t / 4 and t / 4 + 8, the atom's values are the lower halves and then
// the upper ones, as stmatrix takes them.
static void storeHalves(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                        MlirValue value) {
  const CuteBuilder *b = &l->builder;
  int64_t n = 16 / cuteElementTypeGetBits(tensor->type->element);
  MlirType i16 = cuteIntType(b, 16);
  MlirValue upper = shruiWith(b, value, 16);
  MlirValue halves[] = {value, upper};
  for (int64_t h = 0; h < 2; ++h)
    cuteLoweringStoreValues(l, tensor, (i / 2 * 4 + h * 2 + i % 2) * n, n,
                            trunci(b, halves[h], i16));
}

// Begins an access to rows of matrices, whose address is one of 32 bits.
static Move moveBytes(CuteLowering *l, const CuteCopyCall *call,
                      const CuteLowered *memory) {
  const CuteBuilder *b = &l->builder;
  MlirValue address =
      cuteLoweringGetAddress(l, *memory, staticInt(l->context, 0));
  return (Move){call->atom->instruction,
                "r",
                "r",
                (size_t)call->atom->bits / 32,
                true,
                .operands = {cuteBuildUnary(b, "llvm.ptrtoint", address,
                                            cuteIntType(b, 32))}};
}

static void lowerLdmatrixBytes(CuteLowering *l, const CuteCopyCall *call) {
  Move m = moveBytes(l, call, call->source);
  emitLoad(&l->builder, &m);
  for (size_t i = 0; i < m.n; ++i)
    (call->atom->transposes ? storeHalves : storeRegister)(
        l, call->destination, (int64_t)i, m.operands[1 + i]);
}

static void lowerStmatrixBytes(CuteLowering *l, const CuteCopyCall *call) {
  Move m = moveBytes(l, call, call->destination);
  for (size_t i = 0; i < m.n; ++i)
    m.operands[1 + i] =
        loadRegister(l, call->source, (int64_t)i, cuteIntType(&l->builder, 32));
  emitStore(&l->builder, &m);
}

static void lowerMovmatrix(CuteLowering *l, const CuteCopyCall *call) {
  MlirType i32 = cuteIntType(&l->builder, 32);
  MlirValue value = loadRegister(l, call->source, 0, i32);
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%s $0, $1;", call->atom->instruction);
  value =
      cuteBuildAsm(&l->builder, cuteStringGet(&text), "=r,r", 1, &value, i32);
  storeRegister(l, call->destination, 0, value);
}

//===-- Shuffles ----------------------------------------------------------===//

// The lane beside which a thread finds its second register: what thread 0 gets
// there comes from this one.
static int64_t shuffleDistance(CuteContext c, const CuteCopyAtom *atom) {
  CuteLayout to =
      cuteCopyAtomGetLayout(c, atom, CUTE_ELEMENT_I32, CUTE_DESTINATION);
  CuteIntTuple coord[] = {staticInt(c, 0), staticInt(c, 1)};
  int64_t value = cuteLayoutEval(c, to, cuteInternTuple(c, 2, coord))->value;
  return value / (atom->bits / 32);
}

// Transposes 2x2 registers of two lanes that differ in one bit: the lane
// without it keeps its first and sends its second, the other the other way.
static void lowerShuffle(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t distance = shuffleDistance(l->context, call->atom);
  MlirType i32 = cuteIntType(b, 32);
  MlirValue first = loadRegister(l, call->source, 0, i32);
  MlirValue second = loadRegister(l, call->source, 1, i32);
  MlirValue lane =
      cuteBuildResult(b, "nvvm.read.ptx.sreg.laneid", 0, NULL, i32);
  MlirValue mask = cuteBuildInt(b, 32, distance);
  MlirValue bit = andi(b, lane, mask);
  MlirValue isUpper = cuteBuildTest(b, CUTE_CMPI_NE, bit, 0);
  MlirValue sent[] = {cuteBuildInt(b, 32, -1),
                      cuteBuildSelect(b, isUpper, first, second), mask,
                      cuteBuildInt(b, 32, 31)};
  MlirValue got = CUTE_BUILD_VALUE(
      b, "nvvm.shfl.sync", .numOperands = 4, .operands = sent,
      CUTE_RESULTS(i32),
      CUTE_ATTRIBUTES({"kind", cuteParsedAttr(b, "#nvvm<shfl_kind bfly>")}));
  storeRegister(l, call->destination, 0,
                cuteBuildSelect(b, isUpper, got, first));
  storeRegister(l, call->destination, 1,
                cuteBuildSelect(b, isUpper, second, got));
}

//===-- Reductions --------------------------------------------------------===//

// "red.global.add.v4.f32 [$0], {$1, $2, $3, $4};", or of all values as one.
static void lowerReduce(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  CuteElementType element = call->source->type->element;
  bool isVector = strstr(call->atom->instruction, ".v");
  int64_t n = isVector ? call->sourceValues : 1, each = call->sourceValues / n;
  bool isFloat = each == 1 && cuteElementTypeIsFloat(element);
  MlirType type = isFloat ? cuteElementMlirType(b, element)
                          : cuteIntType(b, (unsigned)call->atom->bits);
  Move m = moveOf(l, call->atom->instruction, n, call->destination);
  m.inBraces = isVector;
  if (isFloat)
    m.word = !isVector && call->atom->bits == 64 ? "d" : "f";
  for (int64_t i = 0; i < n; ++i)
    m.operands[1 + i] =
        cuteLoweringLoadValues(l, call->source, i * each, each, type);
  emitStore(b, &m);
}

//===-- Tensor memory -----------------------------------------------------===//

// "llvm.nvvm.tcgen05.ld.16x256b.x4" of
// "tcgen05.ld.sync.aligned.16x256b.x4.b32".
static void nameTmemIntrinsic(const CuteCopyAtom *atom, char *name,
                              size_t size) {
  static const char infix[] = "sync.aligned.";
  const char *shape = strstr(atom->instruction, infix) + strlen(infix);
  size_t n = strcspn(strchr(shape, '.') + 1, ".");
  n += (size_t)(strchr(shape, '.') + 1 - shape);
  snprintf(name, size, "llvm.nvvm.tcgen05.%s.%.*s",
           atom->kind->from == CUTE_IN_TMEM ? "ld" : "st", (int)n, shape);
}

// The address, and of 16x32bx2 the columns between the halves of a warp.
static size_t tmemAddress(CuteLowering *l, const CuteCopyCall *call,
                          const CuteLowered *tensor, MlirValue *operands) {
  const CuteBuilder *b = &l->builder;
  size_t n = 0;
  operands[n++] = cuteLoweringGetBytePointer(l, *tensor);
  if (strstr(call->atom->instruction, ".16x32bx2."))
    operands[n++] = cuteBuildConstant(b, 64, call->atom->bits / 32);
  return n;
}

static void lowerTmemLoad(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t n = call->atom->bits / 32;
  MlirValue operands[3];
  size_t count = tmemAddress(l, call, call->source, operands);
  operands[count++] = cuteBuildConstant(b, 1, call->atom->packs);
  char name[64];
  nameTmemIntrinsic(call->atom, name, sizeof name);
  MlirValue loaded =
      cuteBuildIntrinsic(b, name, count, operands, wordsType(b, n));
  for (int64_t i = 0; i < n; ++i)
    storeRegister(l, call->destination, i,
                  n == 1 ? loaded : cuteBuildVectorExtract(b, loaded, i));
}

static void lowerTmemStore(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t n = call->atom->bits / 32;
  MlirType i32 = cuteIntType(b, 32);
  MlirValue operands[4], words[MAX_TMEM_WORDS];
  size_t count = tmemAddress(l, call, call->destination, operands);
  for (int64_t i = 0; i < n; ++i)
    words[i] = loadRegister(l, call->source, i, i32);
  operands[count++] = joinWords(b, n, words);
  operands[count++] = cuteBuildConstant(b, 1, call->atom->packs);
  char name[64];
  nameTmemIntrinsic(call->atom, name, sizeof name);
  cuteBuildIntrinsic(b, name, count, operands, (MlirType){NULL});
}

//===-- One access --------------------------------------------------------===//

typedef void LowerAccess(CuteLowering *lowering, const CuteCopyCall *call);

// The functions that a row of copy_kind.def names, one of both.
typedef struct CopyLowering {
  LowerAccess *access;
  CuteLowerWholeCopy *whole;
} CopyLowering;

static const CopyLowering lowerings[CUTE_NUM_COPY_KINDS] = {
#define CUTE_COPY_KIND(kind, lowering, ...) {lowering},
#include "hardware/copy_kind.def"
};

static CopyLowering loweringOf(const CuteCopyAtom *atom) {
  return lowerings[atom->kind - cuteCopyAtomKinds];
}

bool cuteCopyAtomIsCompiled(const CuteCopyAtom *atom) {
  return loweringOf(atom).access || loweringOf(atom).whole;
}

CuteLowerWholeCopy *cuteCopyAtomGetWhole(const CuteCopyAtom *atom) {
  return loweringOf(atom).whole;
}

void cuteLowerCopyCall(CuteLowering *lowering, const CuteCopyCall *call) {
  LowerAccess *lower = loweringOf(call->atom).access;
  if (mlirValueIsNull(call->predicate) || call->atom->zeroFill) {
    lower(lowering, call);
    return;
  }
  CuteBuilder outer = lowering->builder;
  lowering->builder = cuteBuildIf(&outer, call->predicate);
  lower(lowering, call);
  lowering->builder = outer;
}
