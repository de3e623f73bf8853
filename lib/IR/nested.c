#include "IR/mlir.h"

#include <mlir-c/BuiltinTypes.h>

// The first operation from a block of a region on; null if there is none.
static MlirOperation firstOf(MlirBlock block) {
  MlirOperation first = {NULL};
  for (; mlirOperationIsNull(first) && !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    first = mlirBlockGetFirstOperation(block);
  return first;
}

// The first operation of a region and those after it; null if there is none.
static MlirOperation firstIn(MlirRegion region) {
  MlirOperation first = {NULL};
  for (; mlirOperationIsNull(first) && !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    first = firstOf(mlirRegionGetFirstBlock(region));
  return first;
}

MlirOperation cuteMlirGetNextOutside(MlirOperation op, MlirOperation root) {
  MlirOperation next = {NULL};
  while (mlirOperationIsNull(next) && !mlirOperationEqual(op, root)) {
    MlirBlock block = mlirOperationGetBlock(op);
    next = mlirOperationGetNextInBlock(op);
    if (mlirOperationIsNull(next))
      next = firstOf(mlirBlockGetNextInRegion(block));
    if (mlirOperationIsNull(next))
      next = firstIn(
          mlirRegionGetNextInOperation(mlirBlockGetParentRegion(block)));
    op = mlirBlockGetParentOperation(block);
  }
  return next;
}

unsigned cuteMlirGetBits(MlirType type) {
  if (mlirTypeIsAVector(type))
    return (unsigned)mlirShapedTypeGetDimSize(type, 0) *
           cuteMlirGetBits(mlirShapedTypeGetElementType(type));
  return mlirTypeIsAInteger(type) ? mlirIntegerTypeGetWidth(type)
         : mlirTypeIsAFloat(type) ? (unsigned)mlirFloatTypeGetWidth(type)
                                  : 0;
}

bool cuteMlirIsListed(MlirStringRef name, bool begins,
                      const char *const *others) {
  for (; *others; ++others)
    if (cuteMlirStartsWith(name, *others) &&
        (begins || name.length == strlen(*others)))
      return true;
  return false;
}

bool cuteMlirGetSizes(MlirOperation op, const char *name, int64_t sizes[3]) {
  MlirAttribute list = cuteMlirGetAttribute(op, name);
  if (mlirAttributeIsNull(list) || !mlirAttributeIsADenseI32Array(list) ||
      mlirDenseArrayGetNumElements(list) > 3)
    return false;
  for (intptr_t i = 0; i < 3; ++i)
    sizes[i] = i < mlirDenseArrayGetNumElements(list)
                   ? mlirDenseI32ArrayGetElement(list, i)
                   : 1;
  return true;
}

MlirOperation cuteMlirGetNext(MlirOperation op, MlirOperation root) {
  MlirOperation inside = firstIn(mlirOperationGetFirstRegion(op));
  return mlirOperationIsNull(inside) ? cuteMlirGetNextOutside(op, root)
                                     : inside;
}

MlirOperation cuteMlirGetAncestor(MlirBlock block, MlirOperation op) {
  while (!mlirOperationIsNull(op) &&
         !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

MlirOperation cuteMlirGetScope(MlirValue value) {
  return mlirValueIsABlockArgument(value)
             ? mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value))
             : mlirOpResultGetOwner(value);
}

bool cuteMlirHaveSameAttributes(MlirOperation a, MlirOperation b) {
  intptr_t n = mlirOperationGetNumAttributes(a);
  bool areSame = n == mlirOperationGetNumAttributes(b);
  for (intptr_t i = 0; areSame && i < n; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(a, i);
    areSame = mlirAttributeEqual(
        named.attribute,
        mlirOperationGetAttributeByName(b, mlirIdentifierStr(named.name)));
  }
  return areSame;
}

bool cuteMlirIsInside(MlirOperation op, MlirOperation outer) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, outer))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

MlirOperation cuteMlirGetAround(MlirOperation op, const char *name) {
  while (!mlirOperationIsNull(op) && !cuteMlirIs(op, name))
    op = mlirOperationGetParentOperation(op);
  return op;
}

bool cuteMlirIsConstant(MlirValue value, int64_t *number) {
  MlirOperation op = cuteMlirGetOwner(value);
  if (!cuteMlirIs(op, "arith.constant") ||
      !mlirAttributeIsAInteger(cuteMlirGetAttribute(op, "value")))
    return false;
  *number = cuteMlirGetInteger(op, "value");
  return true;
}

//===-- Launches ----------------------------------------------------------===//

static bool hasName(MlirOperation op, MlirStringRef name) {
  MlirAttribute own = cuteMlirGetAttribute(op, "sym_name");
  return !mlirAttributeIsNull(own) &&
         mlirStringRefEqual(mlirStringAttrGetValue(own), name);
}

bool cuteMlirIsLaunched(MlirOperation kernel, MlirOperation launch) {
  MlirAttribute symbol = cuteMlirGetAttribute(launch, "kernel");
  return !mlirAttributeIsNull(symbol) && mlirAttributeIsASymbolRef(symbol) &&
         mlirSymbolRefAttrGetNumNestedReferences(symbol) == 1 &&
         hasName(kernel, mlirSymbolRefAttrGetLeafReference(symbol)) &&
         hasName(mlirOperationGetParentOperation(kernel),
                 mlirSymbolRefAttrGetRootReference(symbol));
}
