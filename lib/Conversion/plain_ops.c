#include "Conversion/conversion.h"

// An op, its counterpart or null, and an attribute of that: the op's, or else
// false.
typedef struct Row {
  const char *from, *to, *attribute;
} Row;

static const Row rows[] = {
#define INTEGER_OP(name, ofNumbers, ofTerms, llvm, ...) {name, llvm, NULL},
#include "integer_ops.def"
#undef INTEGER_OP
    {"arith.cmpi", "llvm.icmp", "predicate"},
    {"arith.constant", "llvm.mlir.constant", "value"},
    {"arith.select", "llvm.select", NULL},
    {"math.absi", "llvm.intr.abs", "is_int_min_poison"},
    {"ub.poison", "llvm.mlir.poison", NULL},
};

typedef struct Conversion {
  CutePointerMap rows;   // name -> its row, or the conversion where it has none
  MlirAttribute noFlags; // found for the first op that may have some
} Conversion;

static const Row *findRow(Conversion *conversion, MlirIdentifier name) {
  void *found = cutePointerMapGet(&conversion->rows, name.ptr);
  for (size_t i = 0; !found && i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].to && mlirStringRefEqual(mlirIdentifierStr(name),
                                         cuteMlirString(rows[i].from)))
      found = (void *)(uintptr_t)&rows[i];
  found = found ? found : conversion;
  cutePointerMapSet(&conversion->rows, name.ptr, found);
  return found == conversion ? NULL : found;
}

// Tells whether a value has the same type in the llvm dialect.
static bool isPlainType(MlirType type) {
  return (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type)) ||
         mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                            cuteMlirString("llvm"));
}

static bool isConstant(MlirValue value) {
  return mlirValueIsAOpResult(value) &&
         !getNumOperands(mlirOpResultGetOwner(value));
}

// Tells whether a constant may leave the other operand as it is.
static bool isNeutral(const Row *row, MlirValue value) {
  MlirAttribute held = mlirOperationGetInherentAttributeByName(
      mlirOpResultGetOwner(value), cuteMlirString("value"));
  if (mlirAttributeIsNull(held) || !mlirAttributeIsAInteger(held))
    return true;
  int64_t integer = mlirIntegerAttrGetValueInt(held);
  bool isUnit = integer == 1 || integer == -1;
  return !integer || (isUnit && strcmp(row->to, "llvm.add"));
}

// Tells whether it divides what was left to MLIR: maybe a product by its
// factor.
static bool isQuotient(Conversion *conversion, const Row *row,
                       MlirValue dividend) {
  return !strncmp(row->from, "arith.div", 9) &&
         mlirValueIsAOpResult(dividend) &&
         findRow(conversion,
                 mlirOperationGetName(mlirOpResultGetOwner(dividend)));
}

// MLIR's conversion folds ops of constants, as expanded divisions leave them,
// puts constants last, and drops quotients by 1 and the like.
static bool mayFold(Conversion *conversion, const Row *row, MlirOperation op) {
  intptr_t n = getNumOperands(op);
  if (!n)
    return false;
  MlirValue first = getOperand(op, 0);
  if (isConstant(first) || isQuotient(conversion, row, first))
    return true;
  MlirValue second = getOperand(op, n - 1);
  return n == 2 &&
         (mlirValueEqual(first, second) ||
          (!row->attribute && isConstant(second) && isNeutral(row, second)));
}

// Tells whether the op promises that nothing overflows, or that no remainder is
// left.
static bool hasFlags(Conversion *conversion, MlirOperation op) {
  if (!mlirAttributeIsNull(mlirOperationGetInherentAttributeByName(
          op, cuteMlirString("isExact"))))
    return true;
  MlirAttribute flags = mlirOperationGetInherentAttributeByName(
      op, cuteMlirString("overflowFlags"));
  if (mlirAttributeIsNull(flags))
    return false;
  if (mlirAttributeIsNull(conversion->noFlags))
    conversion->noFlags = mlirAttributeParseGet(
        mlirOperationGetContext(op), cuteMlirString("#arith.overflow<none>"));
  return !mlirAttributeEqual(flags, conversion->noFlags);
}

static bool isPlain(Conversion *conversion, const Row *row, MlirOperation op) {
  if (mlirOperationGetNumDiscardableAttributes(op) ||
      mayFold(conversion, row, op) ||
      !isPlainType(cuteMlirGetResultType(op, 0)))
    return false;
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (!isPlainType(cuteMlirGetOperandType(op, i)))
      return false;
  return row->attribute || !hasFlags(conversion, op);
}

static void replace(const Row *row, MlirOperation op) {
  enum { MOST = 3 };
  MlirValue operands[MOST], old = getResult(op, 0);
  intptr_t n = getNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    operands[i] = getOperand(op, i);
  CuteNamedAttribute attribute = {row->attribute, {NULL}};
  if (row->attribute)
    attribute.value = mlirOperationGetInherentAttributeByName(
        op, cuteMlirString(row->attribute));
  MlirType type = mlirValueGetType(old);
  CuteBuilder builder = cuteBuilderBefore(op);
  if (row->attribute && mlirAttributeIsNull(attribute.value))
    attribute.value = mlirBoolAttrGet(builder.context, 0);
  MlirOperation made =
      CUTE_BUILD(&builder, row->to, .numOperands = (size_t)n,
                 .operands = operands, CUTE_RESULTS(type),
                 .numAttributes = !!row->attribute, .attributes = &attribute);
  mlirValueReplaceAllUsesOfWith(old, getResult(made, 0));
  mlirOperationDestroy(op);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Conversion *conversion = userData;
  const Row *row = findRow(conversion, mlirOperationGetName(op));
  if (!row || !isPlain(conversion, row, op))
    return MlirWalkResultAdvance;
  replace(row, op);
  return MlirWalkResultSkip;
}

void cuteConvertPlainOps(MlirOperation root) {
  Conversion conversion = {.rows = cuteTaskMap()};
  mlirOperationWalk(root, visit, &conversion, MlirWalkPreOrder);
}
