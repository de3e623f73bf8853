// Arithmetic on leaves. Static operands are computed here, checked against 64
// bits; operations in which a dynamic operand takes part fold by the rules of
// the open dialect and otherwise go to the context's CuteLeafArithmetic.
#include "Algebra/algebra.h"
#include "Support/gcd.h"

//===-- Divisors ----------------------------------------------------------===//

int64_t cuteLeafDivisor(CuteIntTuple leaf) {
  if (leaf->kind == CUTE_BASIS)
    return cuteLeafDivisor(basisValue(leaf));
  if (leaf->kind == CUTE_STATIC)
    return leaf->value == INT64_MIN ? 1
           : leaf->value < 0        ? -leaf->value
                                    : leaf->value;
  return leaf->kind == CUTE_DYNAMIC ? leaf->value : 1;
}

static int64_t product(int64_t a, int64_t b) {
  int64_t result;
  return __builtin_mul_overflow(a, b, &result) ? 1 : result;
}

bool cuteContextTrackDivisors(CuteContext context, bool on) {
  bool before = context->tracksDivisors;
  context->tracksDivisors = on;
  return before;
}

// Tells whether a divisor that somebody wrote takes part.
static bool hasWrittenDivisor(size_t n, const CuteIntTuple *operands) {
  for (size_t i = 0; i < n; ++i)
    if (isDynamic(operands[i]) && operands[i]->value > 1)
      return true;
  return false;
}

// The divisor of a / b for divisors da and db: exact quotients only.
static int64_t quotientDivisor(CuteIntTuple b, int64_t da) {
  if (!isStatic(b) || !b->value || b->value == INT64_MIN)
    return 1;
  int64_t db = cuteLeafDivisor(b);
  return da % db ? 1 : da / db;
}

static int64_t powerOfTwoIn(int64_t divisor) { return divisor & -divisor; }

// The divisor of an operation where the open dialect's types lose it: on
// bits, and of a shape's quotient.
static int64_t divisorThatIsLost(CuteLeafOp op, int64_t da, CuteIntTuple b) {
  int64_t db = cuteLeafDivisor(b), a = powerOfTwoIn(da);
  bool shifts = isStatic(b) && b->value >= 0 && b->value < 62;
  switch (op) {
  case CUTE_LEAF_AND:
    return a > powerOfTwoIn(db) ? a : powerOfTwoIn(db);
  case CUTE_LEAF_XOR:
    return powerOfTwoIn(cuteGcd(da, db));
  case CUTE_LEAF_SHL:
    return shifts ? product(a, INT64_C(1) << b->value) : 1;
  case CUTE_LEAF_SHR:
    return shifts ? a >> b->value : 1;
  case CUTE_LEAF_SHAPE_DIV:
    return quotientDivisor(b, da);
  default:
    return 1;
  }
}

static int64_t resultDivisor(CuteContext c, CuteLeafOp op, size_t n,
                             const CuteIntTuple *operands) {
  if (!c->tracksDivisors && !hasWrittenDivisor(n, operands))
    return 1;
  int64_t da = cuteLeafDivisor(operands[0]);
  int64_t db = n > 1 ? cuteLeafDivisor(operands[1]) : 0;
  switch (op) {
  case CUTE_LEAF_ADD:
  case CUTE_LEAF_SUB:
  case CUTE_LEAF_MIN:
  case CUTE_LEAF_MAX:
  case CUTE_LEAF_MOD:
  case CUTE_LEAF_ABS:
    return cuteGcd(da, db);
  case CUTE_LEAF_MUL:
    return product(da, db);
  case CUTE_LEAF_DIV:
  case CUTE_LEAF_CEIL_DIV:
    return quotientDivisor(operands[1], da);
  case CUTE_LEAF_SELECT_LT:
    return cuteGcd(cuteLeafDivisor(operands[2]), cuteLeafDivisor(operands[3]));
  default:
    return c->tracksDivisors && n == 2 ? divisorThatIsLost(op, da, operands[1])
                                       : 1;
  }
}

//===-- Dispatch ----------------------------------------------------------===//

unsigned cuteLeafWidth(CuteIntTuple leaf) {
  if (leaf->kind == CUTE_BASIS)
    return cuteLeafWidth(basisValue(leaf));
  if (leaf->kind == CUTE_DYNAMIC)
    return leaf->width;
  return leaf->value == (int32_t)leaf->value ? 32 : 64;
}

static CuteIntTuple inferApply(CUTE_UNUSED void *data, CuteContext context,
                               CUTE_UNUSED CuteLeafOp op,
                               CUTE_UNUSED const CuteIntTuple *operands,
                               unsigned width, int64_t divisor) {
  return cuteDynamicLeaf(context, width, divisor, 0);
}

static const CuteLeafArithmetic inference = {inferApply};

CuteArithmetic cuteArithmeticBegin(CuteContext context,
                                   const CuteLeafArithmetic *arithmetic,
                                   void *data) {
  CuteArithmetic before = {context, context->arithmetic,
                           context->arithmeticData};
  context->arithmetic = arithmetic ? arithmetic : &inference;
  context->arithmeticData = data;
  return before;
}

void cuteArithmeticDestroy(CuteArithmetic *arithmetic) {
  cuteArithmeticBegin(arithmetic->context, arithmetic->before,
                      arithmetic->data);
}

static CuteIntTuple applyDynamic(CuteContext c, CuteLeafOp op, size_t n,
                                 const CuteIntTuple *operands) {
  unsigned width = 0;
  for (size_t i = op == CUTE_LEAF_SELECT_LT ? 2 : 0; i < n; ++i) {
    unsigned w = cuteLeafWidth(operands[i]);
    width = w > width ? w : width;
  }
  int64_t divisor = resultDivisor(c, op, n, operands);
  if (divisor < 1)
    divisor = 1;
  return c->arithmetic->apply(c->arithmeticData, c, op, operands, width,
                              divisor);
}

static CuteIntTuple applyDynamic1(CuteContext c, CuteLeafOp op,
                                  CuteIntTuple a) {
  return applyDynamic(c, op, 1, &a);
}

static CuteIntTuple applyDynamic2(CuteContext c, CuteLeafOp op, CuteIntTuple a,
                                  CuteIntTuple b) {
  CuteIntTuple operands[] = {a, b};
  return applyDynamic(c, op, 2, operands);
}

static bool isInteger(CuteIntTuple a) {
  return a->kind == CUTE_STATIC || a->kind == CUTE_DYNAMIC;
}

// Both are integers, or null with a message.
static bool areIntegers(CuteContext c, const char *op, CuteIntTuple a,
                        CuteIntTuple b) {
  if (!a || !b)
    return false;
  if (isInteger(a) && isInteger(b))
    return true;
  return cuteFailTuple(c, op, isInteger(a) ? b : a);
}

static CuteIntTuple overflow(CuteContext c, CuteIntTuple a, const char *op,
                             CuteIntTuple b) {
  return cuteFail(c, "%jd %s %jd overflows 64 bits", a->value, op, b->value);
}

static CuteIntTuple zeroDivisor(CuteContext c, CuteIntTuple a) {
  return cuteFailTuple(c, "division by zero of ", a);
}

//===-- Operations --------------------------------------------------------===//

CuteIntTuple cuteLeafToDynamic(CuteContext c, CuteIntTuple leaf, unsigned width,
                               int64_t divisor) {
  CuteIntTuple operands[] = {leaf, staticInt(c, 0)};
  return c->arithmetic->apply(c->arithmeticData, c, CUTE_LEAF_ADD, operands,
                              width, divisor);
}

// a op b of integers, at run time where one is known only then.
static CuteIntTuple compute(CuteContext c, CuteLeafOp op, CuteIntTuple a,
                            CuteIntTuple b) {
  int64_t x = a->value, y = b->value, result = 0;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, op, a, b);
  bool isTooLarge = op == CUTE_LEAF_ADD ? __builtin_add_overflow(x, y, &result)
                    : op == CUTE_LEAF_SUB
                        ? __builtin_sub_overflow(x, y, &result)
                        : __builtin_mul_overflow(x, y, &result);
  const char *sign = op == CUTE_LEAF_ADD   ? "+"
                     : op == CUTE_LEAF_SUB ? "-"
                                           : "*";
  return isTooLarge ? overflow(c, a, sign, b) : staticInt(c, result);
}

CuteIntTuple cuteLeafAdd(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "add: not an integer: ", a, b))
    return NULL;
  if (isStaticValue(a, 0))
    return b;
  if (isStaticValue(b, 0))
    return a;
  return compute(c, CUTE_LEAF_ADD, a, b);
}

CuteIntTuple cuteLeafSub(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "subtract: not an integer: ", a, b))
    return NULL;
  if (isStaticValue(b, 0))
    return a;
  return compute(c, CUTE_LEAF_SUB, a, b);
}

CuteIntTuple cuteLeafMul(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (isBasis(a) && isBasis(b))
    return cuteFailTuples(c, "a scaled basis times another: ", a, " and ", b);
  if (isBasis(a) && b)
    return cuteInternBasis(c, cuteLeafMul(c, basisValue(a), b), basisPath(a));
  if (isBasis(b) && a)
    return cuteInternBasis(c, cuteLeafMul(c, a, basisValue(b)), basisPath(b));
  if (!areIntegers(c, "multiply: not an integer: ", a, b))
    return NULL;
  if (isStaticValue(a, 0) || isStaticValue(b, 1))
    return a;
  if (isStaticValue(b, 0) || isStaticValue(a, 1))
    return b;
  return compute(c, CUTE_LEAF_MUL, a, b);
}

static CuteIntTuple quotient(CuteContext c, CuteLeafOp op, const char *what,
                             CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, what, a, b))
    return NULL;
  if (isStaticValue(b, 0))
    return zeroDivisor(c, a);
  if (isStaticValue(b, 1) || isStaticValue(a, 0))
    return a;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, op, a, b);
  if (a->value == INT64_MIN && b->value == -1)
    return overflow(c, a, "/", b);
  int64_t quotient = a->value / b->value, rest = a->value % b->value;
  bool isUp = op == CUTE_LEAF_CEIL_DIV && rest && (rest < 0) == (b->value < 0);
  return staticInt(c, quotient + isUp);
}

CuteIntTuple cuteLeafDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (isBasis(a) && b)
    return cuteInternBasis(c, cuteLeafDiv(c, basisValue(a), b), basisPath(a));
  return quotient(c, CUTE_LEAF_DIV, "divide: not an integer: ", a, b);
}

CuteIntTuple cuteLeafCeilDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  return quotient(c, CUTE_LEAF_CEIL_DIV, "ceil_div: not an integer: ", a, b);
}

CuteIntTuple cuteLeafMod(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "remainder: not an integer: ", a, b))
    return NULL;
  if (isStaticValue(b, 0))
    return zeroDivisor(c, a);
  if (isStaticValue(b, 1) || isStaticValue(b, -1) || isStaticValue(a, 0))
    return staticInt(c, 0);
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, CUTE_LEAF_MOD, a, b);
  return staticInt(c, a->value % b->value);
}

CuteIntTuple cuteLeafMin(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "min: not an integer: ", a, b))
    return NULL;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, CUTE_LEAF_MIN, a, b);
  return a->value < b->value ? a : b;
}

CuteIntTuple cuteLeafAbs(CuteContext c, CuteIntTuple a) {
  if (isBasis(a))
    return cuteInternBasis(c, cuteLeafAbs(c, basisValue(a)), basisPath(a));
  if (!areIntegers(c, "abs: not an integer: ", a, a))
    return NULL;
  if (!isStatic(a))
    return applyDynamic1(c, CUTE_LEAF_ABS, a);
  if (a->value == INT64_MIN)
    return cuteFail(c, "abs of %jd overflows 64 bits", a->value);
  return a->value < 0 ? staticInt(c, -a->value) : a;
}

CuteIntTuple cuteLeafSignum(CuteContext c, CuteIntTuple a) {
  if (!areIntegers(c, "signum: not an integer: ", a, a))
    return NULL;
  if (!isStatic(a))
    return applyDynamic1(c, CUTE_LEAF_SIGNUM, a);
  return staticInt(c, (a->value > 0) - (a->value < 0));
}

CuteIntTuple cuteLeafAnd(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "and: not an integer: ", a, b))
    return NULL;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, CUTE_LEAF_AND, a, b);
  return staticInt(c, a->value & b->value);
}

CuteIntTuple cuteLeafXor(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (!areIntegers(c, "xor: not an integer: ", a, b))
    return NULL;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, CUTE_LEAF_XOR, a, b);
  return staticInt(c, a->value ^ b->value);
}

static CuteIntTuple shift(CuteContext c, CuteLeafOp op, CuteIntTuple a,
                          unsigned bits) {
  CuteIntTuple b = staticInt(c, bits);
  if (!areIntegers(c, "shift: not an integer: ", a, b))
    return NULL;
  uint64_t value = (uint64_t)a->value;
  return isStatic(a)
             ? staticInt(c, (int64_t)(op == CUTE_LEAF_SHL ? value << bits
                                                          : value >> bits))
             : applyDynamic2(c, op, a, b);
}

CuteIntTuple cuteLeafShl(CuteContext c, CuteIntTuple a, unsigned bits) {
  return shift(c, CUTE_LEAF_SHL, a, bits);
}

CuteIntTuple cuteLeafShr(CuteContext c, CuteIntTuple a, unsigned bits) {
  return shift(c, CUTE_LEAF_SHR, a, bits);
}

CuteIntTuple cuteLeafShapeDiv(CuteContext c, CuteIntTuple a, CuteIntTuple b) {
  if (isBasis(a) && b)
    return cuteInternBasis(c, cuteLeafShapeDiv(c, basisValue(a), b),
                           basisPath(a));
  if (!areIntegers(c, "shape_div: not an integer: ", a, b))
    return NULL;
  if (isStaticValue(b, 0))
    return zeroDivisor(c, a);
  if (isStaticValue(b, 1) || isStaticValue(a, 0))
    return a;
  if (!isStatic(a) || !isStatic(b))
    return applyDynamic2(c, CUTE_LEAF_SHAPE_DIV, a, b);
  if (b->value == -1)
    return cuteLeafSub(c, staticInt(c, 0), a);
  if (a->value % b->value && (a->value == -1 ? 0 : b->value % a->value))
    return cuteFail(c, "shape_div: %jd and %jd do not divide one another",
                    a->value, b->value);
  int64_t quotient = a->value / b->value;
  if (!quotient)
    quotient = (a->value < 0) == (b->value < 0) ? 1 : -1;
  return staticInt(c, quotient);
}

CuteIntTuple cuteLeafSelectLess(CuteContext c, CuteIntTuple a, CuteIntTuple b,
                                CuteIntTuple ifLess, CuteIntTuple otherwise) {
  if (!areIntegers(c, "compare: not an integer: ", a, b) ||
      !areIntegers(c, "select: not an integer: ", ifLess, otherwise))
    return NULL;
  if (isStatic(a) && isStatic(b))
    return a->value < b->value ? ifLess : otherwise;
  CuteIntTuple operands[] = {a, b, ifLess, otherwise};
  return applyDynamic(c, CUTE_LEAF_SELECT_LT, 4, operands);
}
