// Loops that count by other steps than 1 get a trip count, which LLVM must know
// to unroll them with a loop for the rest:
//
//   for i = lower to upper step s
//   for k = 0 to ceil((upper - lower) / s), i = lower + k * s
//
// The division is once before the loop. Left as they are: loops of constant
// trips, which LLVM counts itself, and loops that it does not unroll so: with
// inner loops, or with ops that threads execute together.
#include "Conversion/conversion.h"

#include "IR/effects.h"
#include "IR/loops.h"
#include "IR/unrolling.h"

//===-- Which loops -------------------------------------------------------===//

// Tells whether threads wait for each other in the op, or exchange values, as
// far as its name says.
static bool isTogether(CuteDialect *dialect, MlirOperation op) {
  CuteOpId id = cuteDialectGetOpId(dialect, op);
  CuteEffect effect = cuteEffectGet(dialect, op);
  return effect == CUTE_EFFECT_LANES || effect == CUTE_EFFECT_BARRIER ||
         effect == CUTE_EFFECT_WAIT || id == CUTE_OP_GEMM ||
         cuteMlirStartsWith(cuteMlirGetName(op), "nvvm.");
}

static bool isUnrollable(CuteDialect *dialect, MlirOperation loop) {
  MlirAttribute says = cuteMlirGetAttribute(loop, CUTE_UNROLL);
  if (!mlirAttributeIsNull(says) && cuteUnrollIs(says, "none"))
    return false;
  CUTE_FOR_NESTED(op, loop)
    if (!mlirOperationEqual(op, loop) &&
        (cuteMlirIs(op, "scf.for") || cuteMlirIs(op, "scf.while") ||
         isTogether(dialect, op)))
      return false;
  return true;
}

// A step of 1 needs no change, and a 64-bit division by a variable takes longer
// than it saves.
static bool hasOtherStep(CuteDialect *dialect, MlirOperation loop) {
  int64_t constant;
  MlirValue step = getOperand(loop, 2);
  MlirType type = mlirValueGetType(step);
  if (cuteLoopBoundGet(dialect, step, &constant))
    return constant > 1;
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 32;
}

//===-- Trip counts -------------------------------------------------------===//

// The span of a loop that has a trip fits without a sign.
static MlirValue tripsOf(const CuteBuilder *b, MlirOperation loop,
                         MlirValue zero, MlirValue one) {
  MlirValue lower = getOperand(loop, 0);
  MlirValue upper = getOperand(loop, 1);
  MlirValue step = getOperand(loop, 2);
  MlirValue some = cuteBuildCompare(
      b,
      cuteMlirHasAttribute(loop, "unsignedCmp") ? CUTE_CMPI_ULT : CUTE_CMPI_SLT,
      lower, upper);
  MlirValue span = subi(b, upper, lower);
  MlirValue last = divui(b, subi(b, span, one), step);
  return cuteBuildSelect(b, some, addi(b, last, one), zero);
}

void cuteLoopNormalizeStep(CuteDialect *dialect, MlirOperation loop) {
  int64_t trips;
  if (!cuteMlirIs(loop, "scf.for") || cuteLoopGetTrips(dialect, loop, &trips) ||
      !hasOtherStep(dialect, loop) || !isUnrollable(dialect, loop))
    return;
  CuteBuilder b = cuteBuilderBefore(loop);
  MlirValue lower = getOperand(loop, 0);
  MlirValue step = getOperand(loop, 2);
  MlirType type = mlirValueGetType(lower);
  MlirValue zero = cuteBuildNumber(&b, type, 0),
            one = cuteBuildNumber(&b, type, 1);
  MlirValue bounds[] = {zero, tripsOf(&b, loop, zero, one), one};
  for (intptr_t i = 0; i < 3; ++i)
    mlirOperationSetOperand(loop, i, bounds[i]);
  cuteMlirSetAttribute(loop, "unsignedCmp", mlirUnitAttrGet(b.context));
  MlirBlock body = cuteMlirGetBody(loop, 0);
  CuteBuilder inner = cuteBuilderAtStart(body, b.location);
  MlirValue counter = mlirBlockGetArgument(body, 0);
  MlirValue past = muli(&inner, step, step);
  MlirValue index = addi(&inner, lower, past);
  mlirValueReplaceAllUsesOfWith(counter, index);
  mlirOperationSetOperand(mlirOpResultGetOwner(past), 0, counter);
}
