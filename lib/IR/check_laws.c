// Laws of the algebra that fail in the ops of a module.
#include "IR/dialect.h"
#include "cute/Laws.h"

typedef struct Check {
  CuteDialect *dialect;
  CuteLawPolicy policy;
  bool failed;
} Check;

static bool infer(CuteDialect *dialect, const CuteOpDecl *decl,
                  MlirOperation op) {
  CuteContext context = dialect->context;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  cuteContextClearWarnings(context);
  bool ok = cuteOpInfer(&instance);
  if (!ok)
    cuteEmitOpError(op, cuteContextGetError(context));
  cuteArenaReset(&context->scratch, mark);
  return ok;
}

// Warnings are known, or errors under the strict policy.
static bool checkOp(const Check *check, const CuteOpDecl *decl,
                    MlirOperation op) {
  CuteOpFacts *facts = cuteOpMemoGet(&check->dialect->memo, op);
  bool isKnown = facts->lawsChecked &&
                 (check->policy == CUTE_LAWS_WARN || !facts->numWarnings);
  if (!isKnown && !infer(check->dialect, decl, op))
    return false;
  if (!isKnown)
    cuteOpMemoNoteLaws(&check->dialect->memo, facts, check->dialect->context);
  for (size_t i = 0; i < facts->numWarnings; ++i)
    cuteEmitAtOp(op, CUTE_SEVERITY_WARNING, facts->warnings[i], NULL);
  return true;
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *check = userData;
  const CuteOpDecl *decl = cuteDialectGetDecl(check->dialect, op);
  check->failed |= decl && !checkOp(check, decl, op);
  return MlirWalkResultAdvance;
}

void cuteDialectSetLawPolicy(MlirContext context, CuteLawPolicy policy) {
  CuteDialect *dialect = cuteDialectLock(context);
  if (!dialect)
    return;
  dialect->inferenceLaws = policy;
  cuteDialectUnlock(dialect);
}

MlirLogicalResult cuteOperationCheckLaws(MlirOperation operation,
                                         CuteLawPolicy policy) {
  CuteDialect *dialect =
      policy == CUTE_LAWS_IGNORE
          ? NULL
          : cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return mlirLogicalResultSuccess();
  Check check = {dialect, policy, false};
  CuteLawPolicy before = cuteContextSetLawPolicy(dialect->context, policy);
  mlirOperationWalk(operation, visit, &check, MlirWalkPreOrder);
  cuteContextClearWarnings(dialect->context);
  cuteContextSetLawPolicy(dialect->context, before);
  cuteDialectUnlock(dialect);
  return check.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}
