#include "Lanes/threads.h"
#include "Support/growing_array.h"

enum { MAX_APART = 4 };

void cuteThreadsInit(CuteThreads *threads, CuteContext context,
                     const int64_t block[3], int sample) {
  *threads = (CuteThreads){.context = context,
                           .count = block[0] * block[1] * block[2],
                           .block = {block[0], block[1], block[2]},
                           .sample = sample};
}

void cuteThreadsDestroy(CuteThreads *threads) {
  cuteArenaDestroy(&threads->arena);
  cuteArenaDestroy(&threads->constantArena);
  cutePointerMapDestroy(&threads->constants);
  free(threads->lanes);
}

static CuteLanes *allocateIn(CuteArena *arena, int64_t count) {
  CuteLanes *lanes = cuteArenaAllocate(arena, sizeof *lanes);
  size_t bytes = (size_t)count * sizeof *lanes->values;
  *lanes = (CuteLanes){cuteArenaAllocate(arena, bytes), false};
  return lanes;
}

CuteLanes *cuteThreadsAllocate(CuteThreads *threads) {
  return allocateIn(&threads->arena, threads->count);
}

static CuteLanes *repeat(CuteArena *arena, int64_t count, int64_t value) {
  CuteLanes *lanes = allocateIn(arena, count);
  for (int64_t t = 0; t < count; ++t)
    lanes->values[t] = value;
  return lanes;
}

const CuteLanes *cuteThreadsGetConstant(CuteThreads *threads, int64_t value) {
  CuteIntTuple leaf = staticInt(threads->context, value);
  CuteLanes *lanes = cutePointerMapGet(&threads->constants, leaf);
  if (!lanes) {
    lanes = repeat(&threads->constantArena, threads->count, value);
    cutePointerMapSet(&threads->constants, leaf, lanes);
  }
  return lanes;
}

CuteThreadsMark cuteThreadsGetMark(const CuteThreads *threads) {
  return (CuteThreadsMark){cuteArenaGetMark(&threads->arena),
                           threads->numLanes};
}

void cuteThreadsReset(CuteThreads *threads, CuteThreadsMark mark) {
  cuteArenaReset(&threads->arena, mark.arena);
  threads->numLanes = mark.numLanes;
}

const CuteLanes *cuteThreadsGetSample(CuteThreads *threads, int64_t divisor,
                                      size_t i) {
  int64_t factor = threads->sample == 1 ? 4099 : 4096, value;
  factor <<= 9 * (i < MAX_APART ? i : MAX_APART);
  if (__builtin_mul_overflow(factor, divisor, &value))
    return NULL;
  CuteLanes *lanes = repeat(&threads->arena, threads->count, value);
  lanes->isSampled = true;
  return lanes;
}

CuteIntTuple cuteThreadsGetLeaf(CuteThreads *threads, const CuteLanes *lanes,
                                unsigned width, int64_t divisor) {
  if (!lanes)
    return cuteDynamicLeaf(threads->context, width, divisor, 0);
  CUTE_RESERVE(threads->lanes, threads->numLanes, threads->capacity, 2);
  size_t id = ++threads->numLanes;
  threads->lanes[id] = lanes;
  return cuteDynamicLeaf(threads->context, width, divisor, (uint32_t)id);
}

const CuteLanes *cuteThreadsGetLanes(CuteThreads *threads, CuteIntTuple leaf) {
  if (isStatic(leaf))
    return cuteThreadsGetConstant(threads, leaf->value);
  return isDynamic(leaf) && leaf->id ? threads->lanes[leaf->id] : NULL;
}

//===-- Arithmetic --------------------------------------------------------===//

static int64_t wrap(uint64_t value) { return (int64_t)value; }

static int64_t signum(int64_t a) { return (a > 0) - (a < 0); }

static int64_t divide(CuteLeafOp op, int64_t a, int64_t b) {
  int64_t quotient = a / b, rest = a % b;
  if (op == CUTE_LEAF_MOD)
    return rest;
  if (op == CUTE_LEAF_CEIL_DIV)
    return quotient + (rest && (rest < 0) == (b < 0));
  if (op == CUTE_LEAF_SHAPE_DIV && !quotient)
    return signum(a) * signum(b);
  return quotient;
}

static int64_t compute(CuteLeafOp op, const int64_t *x) {
  uint64_t a = (uint64_t)x[0], b = (uint64_t)x[1];
  switch (op) {
  case CUTE_LEAF_ADD:
    return wrap(a + b);
  case CUTE_LEAF_SUB:
    return wrap(a - b);
  case CUTE_LEAF_MUL:
    return wrap(a * b);
  case CUTE_LEAF_MIN:
    return x[0] < x[1] ? x[0] : x[1];
  case CUTE_LEAF_MAX:
    return x[0] > x[1] ? x[0] : x[1];
  case CUTE_LEAF_ABS:
    return x[0] < 0 ? wrap(-a) : x[0];
  case CUTE_LEAF_SIGNUM:
    return signum(x[0]);
  case CUTE_LEAF_AND:
    return wrap(a & b);
  case CUTE_LEAF_XOR:
    return wrap(a ^ b);
  case CUTE_LEAF_SHL:
    return wrap(a << (b & 63));
  case CUTE_LEAF_SHR:
    return wrap(a >> (b & 63));
  case CUTE_LEAF_SELECT_LT:
    return x[0] < x[1] ? x[2] : x[3];
  default:
    return divide(op, x[0], x[1]);
  }
}

static size_t numOperands(CuteLeafOp op) {
  return op == CUTE_LEAF_SELECT_LT                       ? 4
         : op == CUTE_LEAF_ABS || op == CUTE_LEAF_SIGNUM ? 1
                                                         : 2;
}

// Inlined, so that the op is a constant in loops over it.
static inline __attribute__((always_inline)) bool
computeValues(CuteLeafOp op, const CuteLanes *const *operands, int64_t count,
              int64_t *values) {
  for (int64_t t = 0; t < count; ++t) {
    int64_t x[4] = {0};
    for (size_t i = 0; i < numOperands(op); ++i)
      x[i] = operands[i]->values[t];
    if ((op == CUTE_LEAF_DIV || op == CUTE_LEAF_MOD ||
         op == CUTE_LEAF_CEIL_DIV || op == CUTE_LEAF_SHAPE_DIV) &&
        (!x[1] || (x[0] == INT64_MIN && x[1] == -1)))
      return false;
    values[t] = compute(op, x);
  }
  return true;
}

static const CuteLanes *computeAll(CuteThreads *threads, CuteLeafOp op,
                                   const CuteLanes *const *operands) {
  CuteLanes *result = cuteThreadsAllocate(threads);
  int64_t n = threads->count, *values = result->values;
  for (size_t i = 0; i < numOperands(op); ++i)
    result->isSampled |= operands[i]->isSampled;
  bool ok =
      op == CUTE_LEAF_ADD   ? computeValues(CUTE_LEAF_ADD, operands, n, values)
      : op == CUTE_LEAF_MUL ? computeValues(CUTE_LEAF_MUL, operands, n, values)
      : op == CUTE_LEAF_AND ? computeValues(CUTE_LEAF_AND, operands, n, values)
      : op == CUTE_LEAF_XOR ? computeValues(CUTE_LEAF_XOR, operands, n, values)
      : op == CUTE_LEAF_SHR ? computeValues(CUTE_LEAF_SHR, operands, n, values)
                            : computeValues(op, operands, n, values);
  return ok ? result : NULL;
}

static CuteIntTuple apply(void *data, CUTE_UNUSED CuteContext context,
                          CuteLeafOp op, const CuteIntTuple *operands,
                          unsigned width, int64_t divisor) {
  CuteThreads *threads = data;
  const CuteLanes *lanes[4] = {NULL};
  for (size_t i = 0; i < numOperands(op); ++i) {
    lanes[i] = cuteThreadsGetLanes(threads, operands[i]);
    if (!lanes[i])
      return cuteThreadsGetLeaf(threads, NULL, width, divisor);
  }
  return cuteThreadsGetLeaf(threads, computeAll(threads, op, lanes), width,
                            divisor);
}

const CuteLeafArithmetic cuteThreadArithmetic = {apply};
