// Leaf arithmetic that emits `arith` operations and keeps track of bits.
#include "Lowering/lowering.h"
#include "Support/growing_array.h"

static bool isNull(MlirValue value) { return mlirValueIsNull(value); }

// The greatest power of two that divides a number.
static int64_t powerOfTwoIn(int64_t divisor) { return divisor & -divisor; }

//===-- Ids ---------------------------------------------------------------===//

static CuteIntTuple pushEmitted(CuteLowering *l, CuteEmitted emitted,
                                int64_t divisor) {
  CuteArena *arena = cuteTaskGetArena();
  if (isNull(emitted.high) && !emitted.constant)
    emitted.baseDivisor = powerOfTwoIn(divisor);
  if (!l->numEmitted) // which no id names
    CUTE_ARENA_PUSH(arena, l->emitted, l->numEmitted, (CuteEmitted){0});
  size_t id = l->numEmitted;
  CUTE_ARENA_PUSH(arena, l->emitted, l->numEmitted, emitted);
  return cuteDynamicLeaf(l->context, emitted.width, divisor, (uint32_t)id);
}

static CuteEmitted emittedOf(const CuteLowering *l, CuteIntTuple leaf) {
  if (isDynamic(leaf))
    return l->emitted[leaf->id];
  return (CuteEmitted){.constant = leaf->value, .width = cuteLeafWidth(leaf)};
}

static MlirValue extend(const CuteBuilder *b, MlirValue value, unsigned from,
                        unsigned to) {
  if (from == to || isNull(value))
    return value;
  return cuteBuildUnary(b, from < to ? "arith.extsi" : "arith.trunci", value,
                        cuteIntType(b, to));
}

static MlirValue addNsw(const CuteBuilder *b, MlirValue x, MlirValue y) {
  if (isNull(x) || isNull(y))
    return isNull(x) ? y : x;
  return addi(b, x, y);
}

// base + high + constant in the emitted width.
static MlirValue sumOf(CuteLowering *l, CuteEmitted e) {
  const CuteBuilder *b = &l->builder;
  MlirValue sum = addNsw(b, e.base, e.high);
  if (isNull(sum))
    return cuteBuildInt(b, e.width, e.constant);
  if (e.constant)
    sum = addNsw(b, sum, cuteBuildInt(b, e.width, e.constant));
  return sum;
}

MlirValue cuteLoweringGetInteger(CuteLowering *lowering, CuteIntTuple leaf,
                                 unsigned width) {
  CuteEmitted e = emittedOf(lowering, leaf);
  if (isStatic(leaf))
    return cuteBuildInt(&lowering->builder, width ? width : e.width,
                        e.constant);
  // A sum is reused within its block only, where it surely dominates.
  MlirBlock block = lowering->builder.block;
  if (isNull(e.sum) || !mlirBlockEqual(e.sumBlock, block)) {
    e.sum = sumOf(lowering, e);
    e.sumBlock = block;
    lowering->emitted[leaf->id] = e;
  }
  return extend(&lowering->builder, e.sum, e.width, width ? width : e.width);
}

CuteIntTuple cuteLoweringGetLeaf(CuteLowering *lowering, MlirValue value,
                                 int64_t divisor) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAInteger(type))
    return cuteFail(lowering->context, "an operand is not an integer of fixed "
                                       "width");
  unsigned width = mlirIntegerTypeGetWidth(type);
  void *known = cutePointerMapGet(&lowering->ids, value.ptr);
  if (known) {
    uint32_t id = (uint32_t)((uintptr_t)known - 1);
    return cuteDynamicLeaf(lowering->context, width, divisor, id);
  }
  CuteIntTuple leaf = pushEmitted(
      lowering,
      (CuteEmitted){.base = value,
                    .mask = cuteLoweringGetKnownBits(lowering, value),
                    .width = width},
      divisor);
  cutePointerMapSet(&lowering->ids, value.ptr,
                    (void *)((uintptr_t)leaf->id + 1));
  return leaf;
}

CuteIntTuple cuteLoweringLimit(CuteLowering *lowering, CuteIntTuple leaf,
                               int64_t most) {
  uint64_t multiples = ~(uint64_t)(powerOfTwoIn(leaf->value) - 1);
  CuteEmitted e = {.base = cuteLoweringGetInteger(lowering, leaf, 0),
                   .width = leaf->width};
  uint64_t known = cuteLoweringGetKnownBits(lowering, e.base);
  e.mask =
      cuteBitsBelow(most == INT64_MAX ? most : most + 1) & multiples & known;
  return pushEmitted(lowering, e, leaf->value);
}

//===-- Operations that keep the parts apart ------------------------------===//

static CuteEmitted widened(CuteLowering *l, CuteEmitted e, unsigned width) {
  e.base = extend(&l->builder, e.base, e.width, width);
  e.high = extend(&l->builder, e.high, e.width, width);
  e.sum = (MlirValue){NULL};
  e.width = width;
  return e;
}

static CuteEmitted whole(MlirValue value, unsigned width, uint64_t mask) {
  return (CuteEmitted){
      .base = value, .mask = mask, .baseDivisor = 1, .width = width};
}

static bool hasKnownBits(CuteEmitted e) { return e.mask != CUTE_BITS_UNKNOWN; }

// Base and constant share no bit, so that adding them is or-ing them.
static bool isDisjoint(CuteEmitted e) {
  return hasKnownBits(e) && e.constant >= 0 && !((uint64_t)e.constant & e.mask);
}

// A term that only reaches bits above the known ones of the other.
static bool isAbove(CuteEmitted term, CuteEmitted other) {
  return isNull(term.high) && hasKnownBits(other) &&
         term.baseDivisor > (int64_t)other.mask;
}

static CuteEmitted addHigh(CuteLowering *l, CuteEmitted low, CuteEmitted term) {
  low.highDivisor = isNull(low.high) || term.baseDivisor < low.highDivisor
                        ? term.baseDivisor
                        : low.highDivisor;
  low.high = addNsw(&l->builder, low.high, term.base);
  return low;
}

// Known bits that do not meet, which one base can hold.
static bool canShareBase(CuteEmitted a, CuteEmitted b) {
  return hasKnownBits(a) && hasKnownBits(b) && !(a.mask & b.mask);
}

static CuteEmitted withoutHigh(CuteEmitted e) {
  e.high = e.sum = (MlirValue){NULL};
  return e;
}

static CuteEmitted addBases(CuteLowering *l, CuteEmitted a, CuteEmitted b) {
  if (isNull(a.base) || isNull(b.base))
    return isNull(a.base) ? withoutHigh(b) : withoutHigh(a);
  CuteEmitted sum = {.width = a.width};
  sum.mask = canShareBase(a, b) ? a.mask | b.mask : CUTE_BITS_UNKNOWN;
  sum.baseDivisor =
      a.baseDivisor < b.baseDivisor ? a.baseDivisor : b.baseDivisor;
  sum.base = addNsw(&l->builder, a.base, b.base);
  return sum;
}

// The high parts of both terms, or the base if they reach down into its bits.
static CuteEmitted addHighs(CuteLowering *l, CuteEmitted sum, CuteEmitted a,
                            CuteEmitted b) {
  if (isNull(a.high) && isNull(b.high))
    return sum;
  sum.highDivisor = isNull(a.high)                  ? b.highDivisor
                    : isNull(b.high)                ? a.highDivisor
                    : a.highDivisor < b.highDivisor ? a.highDivisor
                                                    : b.highDivisor;
  sum.high = addNsw(&l->builder, a.high, b.high);
  if (hasKnownBits(sum) && sum.highDivisor > (int64_t)sum.mask)
    return sum;
  sum.base = addNsw(&l->builder, sum.base, sum.high);
  return whole(sum.base, sum.width, CUTE_BITS_UNKNOWN);
}

static CuteEmitted add(CuteLowering *l, CuteIntTuple x, CuteIntTuple y,
                       unsigned width) {
  CuteEmitted a = widened(l, emittedOf(l, x), width);
  CuteEmitted b = widened(l, emittedOf(l, y), width);
  int64_t constant = (int64_t)((uint64_t)a.constant + (uint64_t)b.constant);
  a.constant = b.constant = 0;
  bool split = !isNull(a.base) && !isNull(b.base) && !canShareBase(a, b);
  CuteEmitted sum;
  if (split && isAbove(b, a))
    sum = addHigh(l, a, b);
  else if (split && isAbove(a, b))
    sum = addHigh(l, b, a);
  else
    sum = addHighs(l, addBases(l, a, b), a, b);
  sum.constant = constant;
  return sum;
}

static MlirValue scaled(CuteLowering *l, MlirValue value, int64_t factor) {
  if (isNull(value))
    return value;
  return muliWith(&l->builder, value, factor);
}

static int64_t scaledDivisor(int64_t divisor, int64_t factor) {
  int64_t result;
  return __builtin_mul_overflow(divisor, powerOfTwoIn(factor), &result)
             ? divisor
             : result;
}

static CuteEmitted multiplyStatic(CuteLowering *l, CuteEmitted e,
                                  unsigned width, int64_t factor) {
  e = widened(l, e, width);
  bool isShift = factor > 0 && !(factor & (factor - 1));
  uint64_t largest = hasKnownBits(e) ? UINT64_MAX / (uint64_t)factor : 0;
  e.mask = isShift && hasKnownBits(e) && e.mask <= largest &&
                   e.mask * (uint64_t)factor < UINT64_C(1) << (width - 1)
               ? e.mask * (uint64_t)factor
               : CUTE_BITS_UNKNOWN;
  e.base = scaled(l, e.base, factor);
  e.high = scaled(l, e.high, factor);
  e.highDivisor *= isShift ? factor : 1;
  e.baseDivisor = scaledDivisor(e.baseDivisor, factor);
  e.constant = (int64_t)((uint64_t)e.constant * (uint64_t)factor);
  if (!isNull(e.high) && !hasKnownBits(e)) {
    e.base = addNsw(&l->builder, e.base, e.high);
    e.high = (MlirValue){NULL};
  }
  return e;
}

static bool andParts(CuteLowering *l, CuteEmitted *e, int64_t bits) {
  if (bits < 0 || !isDisjoint(*e) ||
      (!isNull(e->high) && e->highDivisor <= bits))
    return false;
  e->high = e->sum = (MlirValue){NULL};
  e->constant &= bits;
  if (!isNull(e->base) && e->mask & ~(uint64_t)bits)
    e->base = andiWith(&l->builder, e->base, bits);
  e->mask &= (uint64_t)bits;
  e->baseDivisor = 1;
  return true;
}

static bool shiftParts(CuteLowering *l, CuteEmitted *e, int64_t by, bool left) {
  if (!isDisjoint(*e) || !isNull(e->high))
    return false;
  uint64_t moved = left ? e->mask << by : e->mask >> by;
  if (left && (moved >> by != e->mask || moved >> (e->width - 1)))
    return false;
  e->sum = (MlirValue){NULL};
  e->mask = moved;
  e->baseDivisor = 1;
  e->constant = left ? e->constant << by : e->constant >> by;
  if (!isNull(e->base))
    e->base = cuteBuildWith(&l->builder, left ? "arith.shli" : "arith.shrui",
                            e->base, by);
  return true;
}

static bool xorParts(CuteLowering *l, CuteEmitted *a, CuteEmitted b) {
  if (!isDisjoint(*a) || !isDisjoint(b) || !isNull(b.high) ||
      (!isNull(a->high) &&
       a->highDivisor <= (int64_t)(b.mask | (uint64_t)b.constant)))
    return false;
  uint64_t flipped = (uint64_t)(a->constant ^ b.constant);
  a->mask |= b.mask;
  a->baseDivisor = 1;
  a->sum = (MlirValue){NULL};
  if (isNull(a->base) || isNull(b.base))
    a->base = isNull(a->base) ? b.base : a->base;
  else
    a->base = xori(&l->builder, a->base, b.base);
  uint64_t inside = flipped & a->mask;
  if (inside && !isNull(a->base))
    a->base = xoriWith(&l->builder, a->base, (int64_t)inside);
  a->constant = (int64_t)(flipped & ~a->mask);
  return true;
}

//===-- Operations on sums ------------------------------------------------===//

static MlirValue compare(CuteLowering *l, int64_t predicate, MlirValue a,
                         MlirValue b) {
  return cuteBuildCompare(&l->builder, predicate, a, b);
}

static MlirValue signumOf(CuteLowering *l, MlirValue value, unsigned width) {
  const CuteBuilder *b = &l->builder;
  MlirValue zero = cuteBuildInt(b, width, 0);
  MlirValue low =
      cuteBuildSelect(&l->builder, compare(l, CUTE_CMPI_SLT, value, zero),
                      cuteBuildInt(b, width, -1), zero);
  return cuteBuildSelect(&l->builder, compare(l, CUTE_CMPI_SGT, value, zero),
                         cuteBuildInt(b, width, 1), low);
}

static MlirValue shapeDiv(CuteLowering *l, MlirValue a, MlirValue b,
                          unsigned width) {
  MlirValue quotient = cuteBuildBinary(&l->builder, "arith.divsi", a, b);
  MlirValue isZero =
      compare(l, CUTE_CMPI_EQ, quotient, cuteBuildInt(&l->builder, width, 0));
  MlirValue sign =
      muli(&l->builder, signumOf(l, a, width), signumOf(l, b, width));
  return cuteBuildSelect(&l->builder, isZero, sign, quotient);
}

// Quotient or remainder by a static positive number of something that is known
// not to be negative.
static bool divideParts(CuteLowering *l, CuteEmitted *e, CuteLeafOp op,
                        CuteIntTuple divisor) {
  if (!isStatic(divisor) || divisor->value <= 0 || !isDisjoint(*e) ||
      !isNull(e->high))
    return false;
  int64_t n = divisor->value;
  if (!(n & (n - 1)))
    return op == CUTE_LEAF_MOD
               ? andParts(l, e, n - 1)
               : shiftParts(l, e, __builtin_ctzll((uint64_t)n), false);
  uint64_t largest = e->mask | (uint64_t)e->constant;
  MlirValue value = cuteBuildWith(
      &l->builder, op == CUTE_LEAF_MOD ? "arith.remui" : "arith.divui",
      sumOf(l, *e), n);
  uint64_t limit =
      op == CUTE_LEAF_MOD ? (uint64_t)n : largest / (uint64_t)n + 1;
  *e = whole(value, e->width, cuteBitsBelow((int64_t)limit));
  return true;
}

//===-- Swizzles of numbers without known bits ----------------------------===//

// Takes what is a multiple of 2^n off a number, and adds up the rest: bits
// below n depend on it alone.
static MlirValue takeLow(CuteLowering *l, CuteEmitted *e, uint64_t below) {
  CuteEmitted low = *e;
  low.constant = (int64_t)((uint64_t)e->constant & below);
  e->constant = (int64_t)((uint64_t)e->constant - (uint64_t)low.constant);
  if (isNull(e->high) || (uint64_t)e->highDivisor > below)
    low.high = (MlirValue){NULL};
  else
    e->high = (MlirValue){NULL};
  return sumOf(l, low);
}

// x & bits, where x may be anything.
static CuteEmitted andLow(CuteLowering *l, CuteEmitted e, int64_t bits) {
  uint64_t below = cuteBitsBelow(bits + 1);
  MlirValue low = takeLow(l, &e, below);
  return whole(andiWith(&l->builder, low, bits), e.width, below);
}

// x ^ y, where x may be anything, and y has known bits below the sign. What x
// has above them stays outside of the xor.
static bool xorLow(CuteLowering *l, CuteEmitted *a, CuteEmitted b) {
  if (!isDisjoint(b) || !isNull(b.high))
    return false;
  uint64_t bits = b.mask | (uint64_t)b.constant;
  MlirValue low = takeLow(l, a, cuteBitsBelow((int64_t)bits + 1));
  a->base = xori(&l->builder, low, sumOf(l, b));
  a->base = addNsw(&l->builder, a->base, a->high);
  a->high = a->sum = (MlirValue){NULL};
  a->mask = CUTE_BITS_UNKNOWN;
  a->baseDivisor = 1;
  return true;
}

static CuteEmitted emitOnSums(CuteLowering *l, CuteLeafOp op,
                              const CuteIntTuple *operands, unsigned width) {
  MlirValue a = cuteLoweringGetInteger(l, operands[0], width);
  if (op == CUTE_LEAF_ABS)
    return whole(cuteBuildUnary(&l->builder, "math.absi", a,
                                cuteIntType(&l->builder, width)),
                 width, CUTE_BITS_UNKNOWN);
  if (op == CUTE_LEAF_SIGNUM)
    return whole(signumOf(l, a, width), width, CUTE_BITS_UNKNOWN);
  MlirValue b = cuteLoweringGetInteger(l, operands[1], width);
  if (op == CUTE_LEAF_SHAPE_DIV)
    return whole(shapeDiv(l, a, b, width), width, CUTE_BITS_UNKNOWN);
  return whole(cuteBuildBinary(&l->builder, cuteEmittedOps[op].name, a, b),
               width, CUTE_BITS_UNKNOWN);
}

static CuteEmitted emitSelect(CuteLowering *l, const CuteIntTuple *operands,
                              unsigned width) {
  MlirValue condition = cuteLoweringCompareLess(l, operands[0], operands[1]);
  return whole(cuteBuildSelect(&l->builder, condition,
                               cuteLoweringGetInteger(l, operands[2], width),
                               cuteLoweringGetInteger(l, operands[3], width)),
               width, CUTE_BITS_UNKNOWN);
}

// Tries the forms that keep base, high and constant apart.
static bool emitInParts(CuteLowering *l, CuteLeafOp op,
                        const CuteIntTuple *operands, unsigned width,
                        CuteEmitted *result) {
  CuteIntTuple x = operands[0], y = operands[1];
  if (op == CUTE_LEAF_ADD) {
    *result = add(l, x, y, width);
    return true;
  }
  if (op == CUTE_LEAF_MUL && (isStatic(x) || isStatic(y))) {
    CuteIntTuple factor = isStatic(x) ? x : y;
    *result = multiplyStatic(l, emittedOf(l, isStatic(x) ? y : x), width,
                             factor->value);
    return true;
  }
  *result = widened(l, emittedOf(l, x), width);
  if (op == CUTE_LEAF_DIV || op == CUTE_LEAF_MOD)
    return divideParts(l, result, op, y);
  if (op == CUTE_LEAF_AND && isStatic(y)) {
    if (y->value >= 0 && !andParts(l, result, y->value))
      *result = andLow(l, *result, y->value);
    return y->value >= 0;
  }
  if ((op == CUTE_LEAF_SHL || op == CUTE_LEAF_SHR) && isStatic(y))
    return shiftParts(l, result, y->value, op == CUTE_LEAF_SHL);
  if (op == CUTE_LEAF_XOR) {
    CuteEmitted b = widened(l, emittedOf(l, y), width);
    return xorParts(l, result, b) || xorLow(l, result, b);
  }
  return false;
}

static CuteIntTuple emitApply(void *data, CUTE_UNUSED CuteContext context,
                              CuteLeafOp op, const CuteIntTuple *operands,
                              unsigned width, int64_t divisor) {
  CuteLowering *lowering = data;
  CuteEmitted result;
  if (op == CUTE_LEAF_SELECT_LT)
    result = emitSelect(lowering, operands, width);
  else if (op == CUTE_LEAF_ABS || op == CUTE_LEAF_SIGNUM ||
           !emitInParts(lowering, op, operands, width, &result))
    result = emitOnSums(lowering, op, operands, width);
  return pushEmitted(lowering, result, divisor);
}

const CuteLeafArithmetic cuteEmittingArithmetic = {emitApply};
