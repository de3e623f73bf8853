// Counters and coordinates of a kernel that are known to leave their type.
#include "Compile/kernel_checks.h"
#include "IR/loops.h"

//===-- Loops -------------------------------------------------------------===//

// By a step of 0 a loop would not end; by a negative one it ends before it
// begins, as its counter goes up.
static bool checkStep(CuteDialect *dialect, MlirOperation loop) {
  int64_t step;
  if (!cuteLoopBoundGet(dialect, getOperand(loop, 2), &step) || step > 0 ||
      (step && cuteMlirHasAttribute(loop, "unsignedCmp")))
    return true;
  return CUTE_ERROR_AT(
      loop,
      "'scf.for' op has a step of %jd; steps are positive: a loop that goes "
      "down counts up and subtracts its counter",
      step);
}

static unsigned bitsOf(MlirType type) {
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type) : 64;
}

// The largest counter with so many bits, as far as 64 bits with a sign go.
static int64_t largestCounter(MlirOperation loop, unsigned bits) {
  bits -= !cuteMlirHasAttribute(loop, "unsignedCmp");
  return bits < 63 ? ((int64_t)1 << bits) - 1 : INT64_MAX;
}

// The counter stops at the first number that is not below the upper bound.
static bool checkEnd(CuteDialect *dialect, MlirOperation loop) {
  int64_t trips, lower, step, end;
  MlirValue first = getOperand(loop, 0);
  if (!cuteLoopGetTrips(dialect, loop, &trips) ||
      !cuteLoopBoundGet(dialect, first, &lower) ||
      !cuteLoopBoundGet(dialect, getOperand(loop, 2), &step))
    return true;
  unsigned bits = bitsOf(mlirValueGetType(first));
  int64_t most = largestCounter(loop, bits);
  if (!__builtin_mul_overflow(trips, step, &end) &&
      !__builtin_add_overflow(lower, end, &end) && end <= most)
    return true;
  return CUTE_ERROR_AT(
      loop,
      "'scf.for' op counts past %jd, the largest number of its counter's %u "
      "bits, and would not end%s",
      most, bits, bits < 64 ? "; give it a counter of type i64" : "");
}

//===-- Coordinates -------------------------------------------------------===//

// The number furthest from 0 that a constant or a loop's counter with constant
// bounds is; 0 for other values.
static int64_t furthestOf(CuteDialect *dialect, MlirValue value) {
  int64_t first = 0, trips = 0, step = 0;
  cuteLoopBoundGet(dialect, value, &first);
  if (!mlirValueIsABlockArgument(value) || mlirBlockArgumentGetArgNumber(value))
    return first;
  MlirOperation loop =
      mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  cuteLoopGetTrips(dialect, loop, &trips);
  if (!trips)
    return 0;
  cuteLoopBoundGet(dialect, getOperand(loop, 0), &first);
  cuteLoopBoundGet(dialect, getOperand(loop, 2), &step);
  int64_t last = first + (trips - 1) * step;
  return last > INT32_MAX ? last : first;
}

// Such ops take all bits of an index.
static bool printsNumbers(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_PRINTF) ||
         cuteDialectIsOp(dialect, op, CUTE_OP_PRINT_VALUE);
}

static bool checkCoordinate(CuteDialect *dialect, MlirOperation op,
                            MlirValue value) {
  int64_t furthest = furthestOf(dialect, value);
  return !mlirTypeIsAIndex(mlirValueGetType(value)) ||
         (furthest >= INT32_MIN && furthest <= INT32_MAX) ||
         CUTE_ERROR_AT(op,
                       "a coordinate or number of type index has 32 bits here, "
                       "but is %jd; give it a value of type i64",
                       furthest);
}

bool cuteCheckCounters(CuteDialect *dialect, MlirOperation op) {
  if (cuteMlirIs(op, "scf.for"))
    return checkStep(dialect, op) && checkEnd(dialect, op);
  bool ok = true;
  if (cuteDialectGetDecl(dialect, op) && !printsNumbers(dialect, op))
    for (intptr_t i = 0; ok && i < getNumOperands(op); ++i)
      ok = checkCoordinate(dialect, op, getOperand(op, i));
  return ok;
}
