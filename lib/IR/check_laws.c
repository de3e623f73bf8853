// Laws of the algebra that fail in the ops of a module.
#include "IR/dialect.h"
#include "cute/Laws.h"

typedef struct Check {
  CuteDialect *dialect;
  bool failed;
} Check;

static void emitWarning(MlirOperation op, const CuteOpDecl *decl,
                        const char *message) {
  CuteString text = {0};
  cuteStringAppendFormat(&text, "'cute.%.*s' op %s", (int)decl->name.length,
                         decl->name.data, message);
  cuteEmit(mlirOperationGetLocation(op), CUTE_SEVERITY_WARNING,
           toMlirString(cuteStringGetRef(&text)), NULL);
  cuteStringDestroy(&text);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *check = userData;
  CuteContext context = check->dialect->context;
  const CuteOpDecl *decl = cuteDialectGetDecl(check->dialect, op);
  if (!decl)
    return MlirWalkResultAdvance;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteOp instance = cuteDialectGetOp(check->dialect, decl, op);
  cuteContextClearWarnings(context);
  if (!cuteOpInfer(&instance)) {
    check->failed = true;
    cuteEmitOpError(op, cuteContextGetError(context));
  }
  for (size_t i = 0; i < cuteContextGetNumWarnings(context); ++i)
    emitWarning(op, decl, cuteContextGetWarning(context, i));
  cuteArenaReset(&context->scratch, mark);
  return MlirWalkResultAdvance;
}

MlirLogicalResult cuteOperationCheckLaws(MlirOperation operation,
                                         CuteLawPolicy policy) {
  CuteDialect *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return mlirLogicalResultSuccess();
  Check check = {dialect, false};
  CuteLawPolicy before = cuteContextSetLawPolicy(dialect->context, policy);
  mlirOperationWalk(operation, visit, &check, MlirWalkPreOrder);
  cuteContextClearWarnings(dialect->context);
  cuteContextSetLawPolicy(dialect->context, before);
  cuteDialectUnlock(dialect);
  return check.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
