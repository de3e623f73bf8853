// Dynamic leaves that stand for known numbers: the arithmetic computes each
// dynamic value, as the emitted code will at run time, and checks the divisor
// that is claimed for it. To be included after `context` and `pick`.
#pragma once

#include "Algebra/algebra.h"

#include <stdlib.h>

enum { MAX_VALUES = 1 << 16 };

static int64_t values[MAX_VALUES]; // by id; 0 is not used
static uint32_t numValues = 1;

static CuteIntTuple dynamicValue(int64_t value, int64_t divisor) {
  if (numValues >= MAX_VALUES || divisor <= 0 || value % divisor)
    abort();
  values[numValues] = value;
  return cuteDynamicLeaf(context, 64, divisor, numValues++);
}

static int64_t valueOf(CuteIntTuple leaf) {
  return isStatic(leaf) ? leaf->value : values[leaf->id];
}

static int64_t compute(CuteLeafOp op, int64_t a, int64_t b, int64_t c,
                       int64_t d) {
  switch (op) {
  case CUTE_LEAF_ADD:
    return a + b;
  case CUTE_LEAF_SUB:
    return a - b;
  case CUTE_LEAF_MUL:
    return a * b;
  case CUTE_LEAF_DIV:
    return a / b;
  case CUTE_LEAF_MOD:
    return a % b;
  case CUTE_LEAF_CEIL_DIV:
    return a / b + (a % b && (a % b < 0) == (b < 0));
  case CUTE_LEAF_MIN:
    return a < b ? a : b;
  case CUTE_LEAF_MAX:
    return a > b ? a : b;
  case CUTE_LEAF_ABS:
    return llabs(a);
  case CUTE_LEAF_SIGNUM:
    return (a > 0) - (a < 0);
  case CUTE_LEAF_AND:
    return a & b;
  case CUTE_LEAF_XOR:
    return a ^ b;
  case CUTE_LEAF_SHL:
    return (int64_t)((uint64_t)a << b);
  case CUTE_LEAF_SHR:
    return (int64_t)((uint64_t)a >> b);
  case CUTE_LEAF_SHAPE_DIV:
    return a / b ? a / b : ((a > 0) - (a < 0)) * ((b > 0) - (b < 0));
  case CUTE_LEAF_SELECT_LT:
    return a < b ? c : d;
  }
  abort();
}

static CuteIntTuple evaluate(void *data, CuteContext c, CuteLeafOp op,
                             const CuteIntTuple *operands, unsigned width,
                             int64_t divisor) {
  (void)data, (void)c, (void)width;
  bool isUnary = op == CUTE_LEAF_ABS || op == CUTE_LEAF_SIGNUM;
  bool isSelect = op == CUTE_LEAF_SELECT_LT;
  int64_t value = compute(
      op, valueOf(operands[0]), isUnary ? 0 : valueOf(operands[1]),
      isSelect ? valueOf(operands[2]) : 0, isSelect ? valueOf(operands[3]) : 0);
  return dynamicValue(value, divisor);
}

static inline void installArithmetic(void) {
  static const CuteLeafArithmetic evaluation = {evaluate};
  cuteArithmeticBegin(context, &evaluation, NULL);
  cuteContextTrackDivisors(context, true);
}

// A random half of the leaves becomes dynamic, with a divisor that holds.
static inline CuteIntTuple loosened(CuteIntTuple t) {
  if (isTuple(t)) {
    CuteIntTuple elements[64];
    if (t->rank > 64)
      abort();
    for (size_t i = 0; i < t->rank; ++i)
      elements[i] = loosened(t->elements[i]);
    return cuteIntTupleGetTuple(context, t->rank, elements);
  }
  if (!isStatic(t) || pick(0, 1))
    return t;
  int64_t divisor = pick(0, 1) ? 1 : pick(1, 16);
  return dynamicValue(t->value, t->value % divisor ? 1 : divisor);
}
