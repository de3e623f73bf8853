// Divisions of host functions end the call with an error where the processor
// would end the process: by zero, and of the lowest number by -1.
#include "Conversion/conversion.h"

static bool isDivision(MlirOperation op) {
  return CUTE_IS_ANY(op, "arith.divsi", "arith.divui", "arith.remsi",
                     "arith.remui", "arith.ceildivsi", "arith.ceildivui",
                     "arith.floordivsi");
}

static bool isSigned(MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  return name.data[name.length - 2] == 's';
}

// Tells whether it is a constant that every number can be divided by.
static bool isHarmless(MlirValue divisor) {
  int64_t number;
  return cuteMlirIsConstant(divisor, &number) && number != 0 && number != -1;
}

static bool mustBeChecked(MlirOperation op) {
  if (!isDivision(op) || isHarmless(getOperand(op, 1)))
    return false;
  MlirType type = cuteMlirGetOperandType(op, 1);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64;
}

static bool failIf(CuteLowering *lowering, MlirOperation op,
                   MlirValue condition, const char *problem) {
  CUTE_SCOPED(String) text = {0};
  cuteLoweringAppendPlace(&text, mlirOperationGetLocation(op));
  cuteStringAppend(&text, problem);
  return cuteFailOnHost(lowering, condition, &text);
}

static bool check(CuteLowering *lowering, MlirOperation op) {
  lowering->builder = cuteBuilderBefore(op);
  const CuteBuilder *b = &lowering->builder;
  MlirValue dividend = getOperand(op, 0);
  MlirValue divisor = getOperand(op, 1);
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(divisor));
  MlirValue zero = cuteBuildInt(b, width, 0);
  if (!failIf(lowering, op, cuteBuildCompare(b, CUTE_CMPI_EQ, divisor, zero),
              ": division by zero"))
    return false;
  if (!isSigned(op))
    return true;
  int64_t lowest = INT64_MIN >> (64 - width);
  MlirValue isLowest = cuteBuildTest(b, CUTE_CMPI_EQ, dividend, lowest);
  MlirValue isMinusOne = cuteBuildTest(b, CUTE_CMPI_EQ, divisor, -1);
  return failIf(lowering, op, andi(b, isLowest, isMinusOne),
                ": division overflows: the lowest integer by -1");
}

bool cuteCheckHostDivisions(CuteLowering *lowering) {
  CuteOps found = {0};
  CUTE_FOR_NESTED(op, lowering->function)
    if (mustBeChecked(op))
      cuteOpsPush(&found, op);
  bool ok = true;
  for (size_t i = 0; ok && i < found.count; ++i)
    ok = check(lowering, found.data[i]);
  return ok;
}
