// Semantic verification of whole operations.
#include "IR/dialect.h"

typedef struct Verification {
  CuteDialect *dialect;
  bool failed;
} Verification;

static bool checkType(CuteDialect *dialect, MlirType type,
                      MlirLocation location) {
  if (cuteDialectGetType(dialect, type))
    return true;
  mlirEmitError(location, cuteContextGetError(dialect->context));
  return false;
}

static bool checkResultTypes(CuteDialect *dialect, MlirOperation op) {
  bool ok = true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    ok &= checkType(dialect, mlirValueGetType(mlirOperationGetResult(op, i)),
                    mlirOperationGetLocation(op));
  return ok;
}

static bool checkArgumentTypes(CuteDialect *dialect, MlirOperation op) {
  bool ok = true;
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue argument = mlirBlockGetArgument(block, i);
        ok &= checkType(dialect, mlirValueGetType(argument),
                        mlirOperationGetLocation(op));
      }
  }
  return ok;
}

// The type of a function, which a declaration has no arguments for.
static bool checkFunctionType(CuteDialect *dialect, MlirOperation op) {
  MlirAttribute type = mlirOperationGetAttributeByName(
      op, mlirStringRefCreateFromCString("function_type"));
  return mlirAttributeIsNull(type) || !mlirAttributeIsAType(type) ||
         checkType(dialect, mlirTypeAttrGetValue(type),
                   mlirOperationGetLocation(op));
}

static bool checkOp(CuteDialect *dialect, const CuteOpDecl *decl,
                    MlirOperation op) {
  CuteContext context = dialect->context;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  bool ok = cuteOpVerify(&instance);
  if (!ok)
    cuteEmitOpError(op, cuteContextGetError(context));
  cuteArenaReset(&context->scratch, mark);
  return ok;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Verification *verification = userData;
  CuteDialect *dialect = verification->dialect;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  bool ok = checkResultTypes(dialect, op) && checkArgumentTypes(dialect, op) &&
            (decl || checkFunctionType(dialect, op)) &&
            (!decl || checkOp(dialect, decl, op));
  verification->failed |= !ok;
  return MlirWalkResultAdvance;
}

MlirLogicalResult cuteOperationVerify(MlirOperation operation) {
  CuteDialect *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return mlirLogicalResultSuccess();
  Verification verification = {dialect, false};
  mlirOperationWalk(operation, visit, &verification, MlirWalkPreOrder);
  cuteDialectUnlock(dialect);
  return verification.failed ? mlirLogicalResultFailure()
                             : mlirLogicalResultSuccess();
}
