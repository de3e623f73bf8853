// Laws of the algebra that fail in the ops of a module.
#include "IR/dialect.h"
#include "cute/Laws.h"

typedef struct Check {
  CuteDialect *dialect;
  CuteLawPolicy policy;
  bool failed;
} Check;

// Keeps the warnings in the context for all ops like this one.
static void noteWarnings(CuteDialect *dialect, CuteOpFacts *facts) {
  CuteContext context = dialect->context;
  CuteArena *arena = &dialect->memo.arena;
  size_t n = cuteContextGetNumWarnings(context);
  facts->lawsChecked = true;
  facts->numWarnings = n;
  facts->warnings = cuteArenaAllocate(arena, n * sizeof *facts->warnings);
  for (size_t i = 0; i < n; ++i) {
    const char *text = cuteContextGetWarning(context, i);
    facts->warnings[i] = cuteArenaCopyText(arena, text, strlen(text));
  }
}

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
    noteWarnings(check->dialect, facts);
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
