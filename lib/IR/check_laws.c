// Laws of the algebra that fail in the ops of a module.
#include "IR/dialect.h"

static bool infer(CuteDialect *dialect, const CuteOpDecl *decl,
                  MlirOperation op) {
  CuteContext context = dialect->context;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  cuteContextClearWarnings(context);
  return cuteOpInfer(&instance) ||
         cuteEmitOpError(op, "%s", cuteContextGetError(context));
}

// Warnings are known, or errors under the strict policy.
static bool checkOp(CuteDialect *dialect, CuteLawPolicy policy,
                    const CuteOpDecl *decl, MlirOperation op) {
  CuteOpFacts *facts = cuteOpMemoGet(&dialect->memo, op);
  bool isKnown =
      facts->lawsChecked && (policy == CUTE_LAWS_WARN || !facts->numWarnings);
  if (!isKnown && !infer(dialect, decl, op))
    return false;
  if (!isKnown)
    cuteOpMemoNoteLaws(&dialect->memo, facts, dialect->context);
  for (size_t i = 0; i < facts->numWarnings; ++i)
    cuteEmitAtOp(op, CUTE_SEVERITY_WARNING, facts->warnings[i], NULL);
  return true;
}

void cuteDialectSetLawPolicy(MlirContext context, CuteLawPolicy policy) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  if (!dialect)
    return;
  dialect->inferenceLaws = policy;
}

MlirLogicalResult cuteOperationCheckLaws(MlirOperation operation,
                                         CuteLawPolicy policy) {
  CUTE_LOCKED *dialect =
      policy == CUTE_LAWS_IGNORE
          ? NULL
          : cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return mlirLogicalResultSuccess();
  bool ok = true;
  CuteLawPolicy before = cuteContextSetLawPolicy(dialect->context, policy);
  CUTE_FOR_NESTED(op, operation) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    ok &= !decl || checkOp(dialect, policy, decl, op);
  }
  cuteContextClearWarnings(dialect->context);
  cuteContextSetLawPolicy(dialect->context, before);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
