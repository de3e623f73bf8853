// Integers that ops of arith, gpu and nvvm give.
#include "Lanes/follow.h"

typedef int64_t IntegerFunction(uint64_t a, uint64_t b);

static int64_t add(uint64_t a, uint64_t b) { return (int64_t)(a + b); }
static int64_t subtract(uint64_t a, uint64_t b) { return (int64_t)(a - b); }
static int64_t multiply(uint64_t a, uint64_t b) { return (int64_t)(a * b); }
static int64_t bitAnd(uint64_t a, uint64_t b) { return (int64_t)(a & b); }
static int64_t bitOr(uint64_t a, uint64_t b) { return (int64_t)(a | b); }
static int64_t bitXor(uint64_t a, uint64_t b) { return (int64_t)(a ^ b); }
static int64_t shiftLeft(uint64_t a, uint64_t b) {
  return b < 64 ? (int64_t)(a << b) : 0;
}
static int64_t shiftRight(uint64_t a, uint64_t b) {
  return b < 64 ? (int64_t)(a >> b) : 0;
}
static int64_t shiftSigned(uint64_t a, uint64_t b) {
  return (int64_t)a >> (b < 63 ? b : 63);
}
static int64_t divide(uint64_t a, uint64_t b) { return (int64_t)(a / b); }
static int64_t modulo(uint64_t a, uint64_t b) { return (int64_t)(a % b); }
static int64_t ceilDivide(uint64_t a, uint64_t b) {
  return (int64_t)(a / b + (a % b != 0));
}
static int64_t divideSigned(uint64_t a, uint64_t b) {
  return (int64_t)a / (int64_t)b;
}
static int64_t moduloSigned(uint64_t a, uint64_t b) {
  return (int64_t)a % (int64_t)b;
}
static int64_t ceilDivideSigned(uint64_t a, uint64_t b) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  return x / y + (x % y && (x < 0) == (y < 0));
}
static int64_t floorDivideSigned(uint64_t a, uint64_t b) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  return x / y - (x % y && (x < 0) != (y < 0));
}
static int64_t min(uint64_t a, uint64_t b) { return (int64_t)(a < b ? a : b); }
static int64_t max(uint64_t a, uint64_t b) { return (int64_t)(a > b ? a : b); }
static int64_t minSigned(uint64_t a, uint64_t b) {
  return (int64_t)a < (int64_t)b ? (int64_t)a : (int64_t)b;
}
static int64_t maxSigned(uint64_t a, uint64_t b) {
  return (int64_t)a > (int64_t)b ? (int64_t)a : (int64_t)b;
}
static int64_t same(uint64_t a, CUTE_UNUSED uint64_t b) { return (int64_t)a; }

// Operands of unsigned ops are extended with zeros, others with the sign.
static const struct {
  const char *name;
  IntegerFunction *function;
  bool isUnsigned, divides;
} rows[] = {
#define INTEGER_OP(name, ofNumbers, ofTerms, llvm, ...)                        \
  {name, ofNumbers, __VA_ARGS__},
#include "integer_ops.def"
#undef INTEGER_OP
};

//===-- Widths ------------------------------------------------------------===//

// Bits of an integer or index, 0 for other types.
static unsigned widthOf(MlirType type) {
  if (mlirTypeIsAIndex(type))
    return 64;
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64
             ? mlirIntegerTypeGetWidth(type)
             : 0;
}

static uint64_t zeroExtend(int64_t value, unsigned width) {
  return width < 64 ? (uint64_t)value & ((UINT64_C(1) << width) - 1)
                    : (uint64_t)value;
}

// Keeps a number of a width in its form: i1 as 0 and 1, others with their sign.
static int64_t normalize(int64_t value, unsigned width) {
  uint64_t bits = zeroExtend(value, width);
  if (width > 1 && width < 64 && bits >> (width - 1))
    bits |= ~UINT64_C(0) << width;
  return (int64_t)bits;
}

//===-- Arithmetic --------------------------------------------------------===//

// The operands of an op, up to three; false where one is not known.
static bool getOperands(const CuteFollow *follow, MlirOperation op,
                        const CuteLanes *operands[3]) {
  intptr_t n = getNumOperands(op);
  for (intptr_t i = 0; i < n && i < 3; ++i)
    operands[i] = cuteFollowGetInteger(follow, getOperand(op, i));
  return n > 0 && n <= 3 && operands[0] && (n < 2 || operands[1]) &&
         (n < 3 || operands[2]);
}

static void applyRow(CuteFollow *follow, MlirOperation op, size_t row) {
  const CuteLanes *operands[3] = {NULL};
  unsigned from = widthOf(cuteMlirGetOperandType(op, 0));
  MlirValue value = getResult(op, 0);
  unsigned width = widthOf(mlirValueGetType(value));
  if (!from || !width || !getOperands(follow, op, operands))
    return;
  bool isBinary = getNumOperands(op) == 2;
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled =
      operands[0]->isSampled || (isBinary && operands[1]->isSampled);
  for (int64_t t = 0; t < follow->threads.count; ++t) {
    int64_t a = operands[0]->values[t];
    int64_t b = isBinary ? operands[1]->values[t] : 0;
    if (rows[row].divides && (!b || (b == -1 && a == INT64_MIN)))
      return;
    bool isUnsigned = rows[row].isUnsigned;
    result->values[t] = normalize(
        rows[row].function(isUnsigned ? zeroExtend(a, from) : (uint64_t)a,
                           isUnsigned ? zeroExtend(b, from) : (uint64_t)b),
        width);
  }
  cuteFollowSetInteger(follow, value, result);
}

// arith.cmpi: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge.
static bool compare(int64_t predicate, int64_t a, int64_t b, unsigned width) {
  enum { FIRST_UNSIGNED = 6 };
  static const bool ofLessEqualGreater[][3] = {{0, 1, 0}, {1, 0, 1}, {1, 0, 0},
                                               {1, 1, 0}, {0, 0, 1}, {0, 1, 1}};
  uint64_t x = zeroExtend(a, width), y = zeroExtend(b, width);
  return predicate < FIRST_UNSIGNED
             ? ofLessEqualGreater[predicate][(a > b) - (a < b) + 1]
             : ofLessEqualGreater[predicate - 4][(x > y) - (x < y) + 1];
}

static void followComparison(CuteFollow *follow, MlirOperation op) {
  const CuteLanes *operands[3] = {NULL};
  unsigned width = widthOf(cuteMlirGetOperandType(op, 0));
  if (!width || !getOperands(follow, op, operands))
    return;
  int64_t predicate = cuteMlirGetInteger(op, "predicate");
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled = operands[0]->isSampled || operands[1]->isSampled;
  for (int64_t t = 0; t < follow->threads.count; ++t)
    result->values[t] = compare(predicate, operands[0]->values[t],
                                operands[1]->values[t], width);
  cuteFollowSetInteger(follow, getResult(op, 0), result);
}

static void followSelect(CuteFollow *follow, MlirOperation op) {
  const CuteLanes *operands[3] = {NULL};
  if (!getOperands(follow, op, operands))
    return;
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  for (int i = 0; i < 3; ++i)
    result->isSampled |= operands[i]->isSampled;
  for (int64_t t = 0; t < follow->threads.count; ++t)
    result->values[t] = operands[operands[0]->values[t] ? 1 : 2]->values[t];
  cuteFollowSetInteger(follow, getResult(op, 0), result);
}

static void followConstant(CuteFollow *follow, MlirOperation op) {
  MlirValue value = getResult(op, 0);
  unsigned width = widthOf(mlirValueGetType(value));
  if (width)
    cuteFollowSetInteger(
        follow, value,
        cuteThreadsGetConstant(
            &follow->threads,
            normalize(cuteMlirGetInteger(op, "value"), width)));
}

//===-- Registers of the device -------------------------------------------===//

typedef enum Register {
  THREAD,
  BLOCK_SIZE,
  BLOCK,
  GRID_SIZE,
  LANE,
  WARP_ID
} Register;

static const struct {
  const char *gpu, *nvvm; // nvvm's ends in .x, .y or .z
  CuteOpId id;
  Register which;
} registers[] = {
    {"gpu.thread_id", "nvvm.read.ptx.sreg.tid.", CUTE_OP_THREAD_IDX, THREAD},
    {"gpu.block_dim", "nvvm.read.ptx.sreg.ntid.", CUTE_OP_BLOCK_DIM,
     BLOCK_SIZE},
    {"gpu.block_id", "nvvm.read.ptx.sreg.ctaid.", CUTE_OP_BLOCK_IDX, BLOCK},
    {"gpu.grid_dim", "nvvm.read.ptx.sreg.nctaid.", CUTE_OP_GRID_DIM, GRID_SIZE},
    {"gpu.cluster_id", "nvvm.read.ptx.sreg.clusterid.", CUTE_NUM_OPS, BLOCK},
    {"gpu.cluster_dim", "nvvm.read.ptx.sreg.nclusterid.", CUTE_NUM_OPS,
     GRID_SIZE},
    {"gpu.cluster_block_id", "nvvm.read.ptx.sreg.cluster.ctaid.",
     CUTE_OP_BLOCK_RANK_IN_CLUSTER, BLOCK},
    {"gpu.lane_id", "nvvm.read.ptx.sreg.laneid", CUTE_OP_LANE_IDX, LANE},
    {"gpu.subgroup_id", "nvvm.read.ptx.sreg.warpid", CUTE_OP_WARP_IDX, WARP_ID},
};

// The dimension in an attribute, or at the end of the name.
static int dimensionOf(MlirOperation op, MlirStringRef name) {
  char last = name.data[name.length - 1];
  return last >= 'x' && last <= 'z' ? last - 'x' : cuteMlirGetDimension(op);
}

static int64_t registerOf(const CuteThreads *threads, Register which,
                          int dimension, int64_t t) {
  const int64_t *block = threads->block;
  switch (which) {
  case THREAD:
    return dimension == 0   ? t % block[0]
           : dimension == 1 ? t / block[0] % block[1]
                            : t / block[0] / block[1];
  case BLOCK_SIZE:
    return block[dimension];
  case BLOCK:
    return threads->sample % 2;
  case LANE:
    return t % CUTE_WARP;
  case WARP_ID:
    return t / CUTE_WARP;
  default:
    return 4096 + threads->sample % 2;
  }
}

static bool followRegister(CuteFollow *follow, MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  for (size_t i = 0; i < sizeof registers / sizeof *registers; ++i) {
    if (!cuteMlirIs(op, registers[i].gpu) &&
        !cuteDialectIsOp(follow->dialect, op, registers[i].id) &&
        !cuteTextStartsWith(fromMlirString(name), registers[i].nvvm))
      continue;
    Register which = registers[i].which;
    int dimension = dimensionOf(op, name);
    CuteLanes *result = cuteThreadsAllocate(&follow->threads);
    result->isSampled = which == BLOCK || which == GRID_SIZE;
    for (int64_t t = 0; t < follow->threads.count; ++t)
      result->values[t] = registerOf(&follow->threads, which, dimension, t);
    cuteFollowSetInteger(follow, getResult(op, 0), result);
    return true;
  }
  return false;
}

//===-- Shuffles ----------------------------------------------------------===//

// Gives each thread what the lane of its warp has that the second operand
// names.
static void followShuffle(CuteFollow *follow, MlirOperation op) {
  const CuteLanes *value = cuteFollowGetInteger(follow, getOperand(op, 0));
  const CuteLanes *lane = cuteFollowGetInteger(follow, getOperand(op, 1));
  const CuteLanes *width = cuteFollowGetInteger(follow, getOperand(op, 2));
  if (!value || !lane || !width || !cuteMlirAttributeHas(op, "mode", "idx") ||
      width->values[0] != CUTE_WARP || follow->threads.count % CUTE_WARP)
    return;
  CuteLanes *result = cuteThreadsAllocate(&follow->threads);
  result->isSampled = value->isSampled || lane->isSampled || width->isSampled;
  for (int64_t t = 0; t < follow->threads.count; ++t)
    result->values[t] = value->values[t / CUTE_WARP * CUTE_WARP +
                                      (lane->values[t] & (CUTE_WARP - 1))];
  cuteFollowSetInteger(follow, getResult(op, 0), result);
}

void cuteFollowIntegers(CuteFollow *follow, MlirOperation op) {
  if (cuteMlirIs(op, "gpu.shuffle"))
    followShuffle(follow, op);
  if (getNumResults(op) != 1 || !widthOf(cuteMlirGetResultType(op, 0)) ||
      followRegister(follow, op))
    return;
  if (cuteMlirIs(op, "arith.constant"))
    followConstant(follow, op);
  else if (cuteMlirIs(op, "arith.cmpi"))
    followComparison(follow, op);
  else if (cuteMlirIs(op, "arith.select"))
    followSelect(follow, op);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (cuteMlirIs(op, rows[i].name))
      applyRow(follow, op, i);
}
