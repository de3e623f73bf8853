#include "IR/irdl_parts.h"

#include "Support/text.h"

#include <mlir-c/Dialect/IRDL.h>

static MlirAttribute makeVariadicities(const CuteIrdlParts *parts, size_t n,
                                       const CuteVariadicity *list) {
  MlirAttribute attributes[CUTE_NUM_MIXED];
  for (size_t i = 0; i < n; ++i)
    attributes[i] = parts->single[list[i]];
  return mlirIRDLVariadicityArrayAttrGet(parts->at.context, (intptr_t)n,
                                         attributes);
}

CuteIrdlParts cuteIrdlPartsCreate(MlirContext context) {
  static const char *const names[] = {"single", "optional", "variadic"};
  CuteIrdlParts parts = {
      .at = {.context = context, .location = mlirLocationUnknownGet(context)},
      .constraint =
          mlirTypeParseGet(context, cuteMlirString("!irdl.attribute")),
      .noNames = mlirArrayAttrGet(context, 0, NULL)};
  for (int i = 0; i < 3; ++i)
    parts.single[i] =
        mlirIRDLVariadicityAttrGet(context, cuteMlirString(names[i]));
  CuteVariadicity variadic[CUTE_NUM_MIXED];
  for (int i = 0; i < CUTE_NUM_MIXED; ++i)
    variadic[i] = CUTE_VARIADIC;
  parts.allVariadic = makeVariadicities(&parts, CUTE_NUM_MIXED, variadic);
  return parts;
}

void cuteIrdlPartsDestroy(CuteIrdlParts *parts) {
  if (!mlirModuleIsNull(parts->anys))
    mlirModuleDestroy(parts->anys);
}

MlirAttribute cuteIrdlPartsGetVariadicities(CuteIrdlParts *parts, size_t n,
                                            const CuteVariadicity *list) {
  size_t numSingle = 0;
  while (numSingle < n && list[numSingle] == CUTE_SINGLE)
    ++numSingle;
  if (numSingle < n || n > CUTE_MAX_DECLARED)
    return makeVariadicities(parts, n, list);
  if (mlirAttributeIsNull(parts->allSingle[n]))
    parts->allSingle[n] = makeVariadicities(parts, n, list);
  return parts->allSingle[n];
}

MlirAttribute cuteIrdlPartsNumberName(CuteIrdlParts *parts,
                                      CuteStringRef name) {
  if (cuteTextIsSame(parts->name, name))
    return parts->numbered;
  MlirAttribute list[CUTE_NUM_MIXED];
  for (int i = 0; i < CUTE_NUM_MIXED; ++i) {
    CuteString text = {0};
    cuteStringAppendFormat(&text, "%.*s_%d", (int)name.length, name.data, i);
    list[i] = mlirStringAttrGet(parts->at.context,
                                cuteMlirString(cuteStringGet(&text)));
    cuteStringDestroy(&text);
  }
  parts->name = name;
  parts->numbered = mlirArrayAttrGet(parts->at.context, CUTE_NUM_MIXED, list);
  return parts->numbered;
}

MlirValue cuteIrdlPartsRepeat(MlirValue constraint, MlirBlock block) {
  MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(constraint));
  mlirBlockAppendOwnedOperation(block, copy);
  return mlirOperationGetResult(copy, 0);
}

static void makeAnys(CuteIrdlParts *parts) {
  parts->anys = mlirModuleCreateEmpty(parts->at.location);
  parts->at.block = mlirModuleGetBody(parts->anys);
  for (int i = 0; i < CUTE_NUM_MIXED; ++i)
    cuteBuildResult(&parts->at, "irdl.any", 0, NULL, parts->constraint);
}

// They are copied together, which takes less than one by one.
void cuteIrdlPartsAddAnys(CuteIrdlParts *parts, MlirBlock block,
                          MlirValue *values) {
  if (mlirModuleIsNull(parts->anys))
    makeAnys(parts);
  MlirOperation copy = mlirOperationClone(mlirModuleGetOperation(parts->anys));
  MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(copy, 0));
  for (int i = 0; i < CUTE_NUM_MIXED; ++i) {
    MlirOperation any = mlirBlockGetFirstOperation(from);
    mlirOperationRemoveFromParent(any);
    mlirBlockAppendOwnedOperation(block, any);
    values[i] = mlirOperationGetResult(any, 0);
  }
  mlirOperationDestroy(copy);
}
