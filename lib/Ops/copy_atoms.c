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
  MlirValue count =
      cuteBuildUnary(b, "arith.extui", call->predicate, cuteIntType(b, 32));
  return cuteBuildBinary(b, "arith.muli", count,
                         cuteBuildInt(b, 32, bytes / call->sourceValues));
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

//===-- Global memory with hints for caches -------------------------------===//

// "INSTRUCTION.v4.b32 {$0, $1, $2, $3}, [$4];", or without the vector for n 1;
// a store's address comes first.
static void appendAccess(CuteString *text, const CuteCopyAtom *atom, int n) {
  bool isStore = atom->kind->to == CUTE_IN_GMEM;
  cuteStringAppend(text, atom->instruction);
  if (n > 1)
    cuteStringAppendFormat(text, ".v%d", n);
  cuteStringAppend(text, isStore ? ".b32 [$0], " : ".b32 ");
  for (int i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s$%d",
                           i       ? ", "
                           : n > 1 ? "{"
                                   : "",
                           i + isStore);
  cuteStringAppend(text, n > 1 ? "}" : "");
  if (!isStore)
    cuteStringAppendFormat(text, ", [$%d]", n);
  cuteStringAppend(text, ";");
}

static MlirType wordsType(const CuteBuilder *b, int n) {
  int64_t size = n;
  MlirType i32 = cuteIntType(b, 32);
  return n == 1 ? i32 : mlirVectorTypeGet(1, &size, i32);
}

static void lowerLoad(CuteLowering *l, const CuteCopyCall *call) {
  static const char *const constraints[] = {[1] = "=r,l,~{memory}",
                                            [2] = "=r,=r,l,~{memory}",
                                            [4] = "=r,=r,=r,=r,l,~{memory}",
                                            [8] = "=r,=r,=r,=r,=r,=r,=r,=r,l,"
                                                  "~{memory}"};
  const CuteBuilder *b = &l->builder;
  int n = call->atom->bits / 32;
  MlirType i32 = cuteIntType(b, 32);
  MlirType fields[] = {i32, i32, i32, i32, i32, i32, i32, i32};
  MlirType words = wordsType(b, n);
  MlirValue address =
      cuteLoweringGetAddress(l, *call->source, staticInt(l->context, 0));
  CUTE_SCOPED(String) text = {0};
  appendAccess(&text, call->atom, n);
  MlirValue loaded =
      cuteBuildAsm(b, cuteStringGet(&text), constraints[n], 1, &address,
                   n == 1 ? i32 : cuteBuildStructType(b, (size_t)n, fields));
  MlirValue value = loaded;
  if (n > 1)
    value = cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, words);
  for (int i = 0; n > 1 && i < n; ++i) {
    MlirValue parts[] = {value, cuteBuildExtract(b, loaded, (size_t)i, i32),
                         cuteBuildInt(b, 32, i)};
    value = cuteBuildResult(b, "llvm.insertelement", 3, parts, words);
  }
  cuteLoweringStoreValues(l, call->destination, 0, call->destinationValues,
                          value);
}

static void lowerStore(CuteLowering *l, const CuteCopyCall *call) {
  static const char *const constraints[] = {[1] = "l,r,~{memory}",
                                            [2] = "l,r,r,~{memory}",
                                            [4] = "l,r,r,r,r,~{memory}",
                                            [8] = "l,r,r,r,r,r,r,r,r,"
                                                  "~{memory}"};
  const CuteBuilder *b = &l->builder;
  int n = call->atom->bits / 32;
  MlirValue value = cuteLoweringLoadValues(l, call->source, 0,
                                           call->sourceValues, wordsType(b, n));
  MlirValue operands[9] = {
      cuteLoweringGetAddress(l, *call->destination, staticInt(l->context, 0))};
  for (int i = 0; i < n; ++i)
    operands[1 + i] = n == 1 ? value : cuteBuildVectorExtract(b, value, i);
  CUTE_SCOPED(String) text = {0};
  appendAccess(&text, call->atom, n);
  cuteBuildAsm(b, cuteStringGet(&text), constraints[n], (size_t)n + 1, operands,
               (MlirType){NULL});
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

// Appends the instruction with its registers and the address of a row.
static void appendMatrixAccess(CuteString *text, const CuteCopyCall *call,
                               int64_t registers, bool isLoad) {
  cuteStringAppend(text, call->atom->instruction);
  cuteStringAppend(text, isLoad ? " {" : " [$0], {");
  for (int64_t i = 0; i < registers; ++i)
    cuteStringAppendFormat(text, "%s$%d", i ? ", " : "", (int)i + !isLoad);
  cuteStringAppend(text, "}");
  if (isLoad)
    cuteStringAppendFormat(text, ", [$%d]", (int)registers);
  cuteStringAppend(text, ";");
}

// Stores register i of matrices of 16 x 16 bytes. Of two registers, which have
// columns t / 4 and t / 4 + 8, the atom's values are the lower halves and then
// the upper ones, as stmatrix takes them.
static void storeHalves(CuteLowering *l, const CuteLowered *tensor, int64_t i,
                        MlirValue value) {
  const CuteBuilder *b = &l->builder;
  int64_t n = 16 / cuteElementTypeGetBits(tensor->type->element);
  MlirType i16 = cuteIntType(b, 16);
  MlirValue upper =
      cuteBuildBinary(b, "arith.shrui", value, cuteBuildInt(b, 32, 16));
  MlirValue halves[] = {value, upper};
  for (int64_t h = 0; h < 2; ++h)
    cuteLoweringStoreValues(l, tensor, (i / 2 * 4 + h * 2 + i % 2) * n, n,
                            cuteBuildUnary(b, "arith.trunci", halves[h], i16));
}

static void lowerLdmatrixBytes(CuteLowering *l, const CuteCopyCall *call) {
  static const char *const constraints[] = {[1] = "=r,r,~{memory}",
                                            [2] = "=r,=r,r,~{memory}",
                                            [4] = "=r,=r,=r,=r,r,~{memory}"};
  const CuteBuilder *b = &l->builder;
  int64_t n = call->atom->bits / 32;
  MlirType i32 = cuteIntType(b, 32);
  MlirType fields[MAX_REGISTERS] = {i32, i32, i32, i32};
  MlirValue address = cuteBuildUnary(
      b, "llvm.ptrtoint",
      cuteLoweringGetAddress(l, *call->source, staticInt(l->context, 0)), i32);
  CUTE_SCOPED(String) text = {0};
  appendMatrixAccess(&text, call, n, true);
  MlirValue loaded =
      cuteBuildAsm(b, cuteStringGet(&text), constraints[n], 1, &address,
                   n == 1 ? i32 : cuteBuildStructType(b, (size_t)n, fields));
  for (int64_t i = 0; i < n; ++i)
    (call->atom->transposes ? storeHalves : storeRegister)(
        l, call->destination, i,
        n == 1 ? loaded : cuteBuildExtract(b, loaded, (size_t)i, i32));
}

static void lowerStmatrixBytes(CuteLowering *l, const CuteCopyCall *call) {
  static const char *const constraints[] = {[1] = "r,r,~{memory}",
                                            [2] = "r,r,r,~{memory}",
                                            [4] = "r,r,r,r,r,~{memory}"};
  const CuteBuilder *b = &l->builder;
  int64_t n = call->atom->bits / 32;
  MlirType i32 = cuteIntType(b, 32);
  MlirValue operands[1 + MAX_REGISTERS] = {cuteBuildUnary(
      b, "llvm.ptrtoint",
      cuteLoweringGetAddress(l, *call->destination, staticInt(l->context, 0)),
      i32)};
  for (int64_t i = 0; i < n; ++i)
    operands[1 + i] = loadRegister(l, call->source, i, i32);
  CUTE_SCOPED(String) text = {0};
  appendMatrixAccess(&text, call, n, false);
  cuteBuildAsm(b, cuteStringGet(&text), constraints[n], (size_t)n + 1, operands,
               (MlirType){NULL});
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
  MlirValue bit = cuteBuildBinary(b, "arith.andi", lane, mask);
  MlirValue isUpper = cuteBuildCompare(b, "arith.cmpi", CUTE_CMPI_NE, bit,
                                       cuteBuildInt(b, 32, 0));
  MlirValue sent[] = {cuteBuildInt(b, 32, -1),
                      cuteBuildSelect(b, isUpper, first, second), mask,
                      cuteBuildInt(b, 32, 31)};
  CuteNamedAttribute kind = {"kind",
                             cuteParsedAttr(b, "#nvvm<shfl_kind bfly>")};
  MlirValue got = CUTE_BUILD_VALUE(b, "nvvm.shfl.sync", .numOperands = 4,
                                   .operands = sent, CUTE_RESULTS(i32),
                                   .numAttributes = 1, .attributes = &kind);
  storeRegister(l, call->destination, 0,
                cuteBuildSelect(b, isUpper, got, first));
  storeRegister(l, call->destination, 1,
                cuteBuildSelect(b, isUpper, second, got));
}

//===-- Reductions --------------------------------------------------------===//

// "red.global.add.v4.f32 [$0], {$1, $2, $3, $4};"
static void lowerReduceVector(CuteLowering *l, const CuteCopyCall *call) {
  enum { MOST = 4 };
  const CuteBuilder *b = &l->builder;
  MlirType type = cuteElementMlirType(b, call->source->type->element);
  MlirValue operands[1 + MOST] = {
      cuteLoweringGetAddress(l, *call->destination, staticInt(l->context, 0))};
  CUTE_SCOPED(String) text = {0};
  CUTE_SCOPED(String) constraints = {0};
  cuteStringAppend(&constraints, "l");
  cuteStringAppendFormat(&text, "%s [$0], {", call->atom->instruction);
  for (int64_t i = 0; i < call->sourceValues; ++i) {
    operands[1 + i] = cuteLoweringLoadValues(l, call->source, i, 1, type);
    cuteStringAppend(&constraints, ",f");
    cuteStringAppendFormat(&text, "%s$%jd", i ? ", " : "", i + 1);
  }
  cuteStringAppend(&text, "};");
  cuteStringAppend(&constraints, ",~{memory}");
  cuteBuildAsm(b, cuteStringGet(&text), cuteStringGet(&constraints),
               1 + (size_t)call->sourceValues, operands, (MlirType){NULL});
}

static void lowerReduce(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  CuteElementType element = call->source->type->element;
  if (strstr(call->atom->instruction, ".v")) {
    lowerReduceVector(l, call);
    return;
  }
  bool isFloat = call->sourceValues == 1 && cuteElementTypeIsFloat(element);
  bool isWide = call->atom->bits == 64;
  MlirType type = isFloat ? cuteElementMlirType(b, element)
                          : cuteIntType(b, (unsigned)call->atom->bits);
  MlirValue operands[] = {
      cuteLoweringGetAddress(l, *call->destination, staticInt(l->context, 0)),
      cuteLoweringLoadValues(l, call->source, 0, call->sourceValues, type)};
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "%s [$0], $1;", call->atom->instruction);
  cuteBuildAsm(b, cuteStringGet(&text),
               isFloat && isWide ? "l,d,~{memory}"
               : isFloat         ? "l,f,~{memory}"
                                 : "l,r,~{memory}",
               2, operands, (MlirType){NULL});
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
  MlirType i32 = cuteIntType(b, 32);
  MlirValue operands[3];
  size_t count = tmemAddress(l, call, call->source, operands);
  operands[count++] = cuteBuildConstant(b, 1, call->atom->packs);
  char name[64];
  nameTmemIntrinsic(call->atom, name, sizeof name);
  MlirValue loaded = cuteBuildIntrinsic(
      b, name, count, operands, n == 1 ? i32 : mlirVectorTypeGet(1, &n, i32));
  for (int64_t i = 0; i < n; ++i)
    storeRegister(l, call->destination, i,
                  n == 1 ? loaded : cuteBuildVectorExtract(b, loaded, i));
}

static void lowerTmemStore(CuteLowering *l, const CuteCopyCall *call) {
  const CuteBuilder *b = &l->builder;
  int64_t n = call->atom->bits / 32;
  MlirType i32 = cuteIntType(b, 32), words = mlirVectorTypeGet(1, &n, i32);
  MlirValue operands[4];
  size_t count = tmemAddress(l, call, call->destination, operands);
  MlirValue value =
      n == 1 ? loadRegister(l, call->source, 0, i32)
             : cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, words);
  for (int64_t i = 0; n > 1 && i < n; ++i) {
    MlirValue parts[] = {value, loadRegister(l, call->source, i, i32),
                         cuteBuildInt(b, 32, i)};
    value = cuteBuildResult(b, "llvm.insertelement", 3, parts, words);
  }
  operands[count++] = value;
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
