// The steps of the algebra by which the ops of a module get their results.
#include "cute/Explain.h"
#include "IR/dialect.h"

typedef struct Explanation {
  CuteDialect *dialect;
  unsigned depth;
  CuteString text; // of the current op
} Explanation;

static void appendStep(const CuteStep *step, void *userData) {
  Explanation *explanation = userData;
  if (step->kind == CUTE_STEP_ERROR ||
      !cuteStepIsWithin(step, explanation->depth))
    return;
  if (explanation->text.length)
    cuteStringAppendChar(&explanation->text, '\n');
  cuteStringAppendFormat(&explanation->text, "%*s%.*s", (int)(step->depth * 2),
                         "", (int)step->text.length, step->text.data);
}

static void emitRemark(MlirOperation op, const CuteOpDecl *decl,
                       const CuteString *steps) {
  CuteString text = {0};
  cuteStringAppendFormat(&text, "'cute.%.*s' op %s", (int)decl->name.length,
                         decl->name.data, cuteStringGet(steps));
  cuteEmit(mlirOperationGetLocation(op), CUTE_SEVERITY_REMARK,
           toMlirString(cuteStringGetRef(&text)), NULL);
  cuteStringDestroy(&text);
}

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Explanation *explanation = userData;
  CuteDialect *dialect = explanation->dialect;
  CuteContext context = dialect->context;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    return MlirWalkResultAdvance;
  CuteArenaMark mark = cuteArenaGetMark(&context->scratch);
  CuteOp instance = cuteDialectGetOp(dialect, decl, op);
  cuteStringClear(&explanation->text);
  cuteContextSetTracer(context, appendStep, explanation);
  bool inferred = cuteOpInfer(&instance);
  cuteContextSetTracer(context, NULL, NULL);
  if (inferred && explanation->text.length)
    emitRemark(op, decl, &explanation->text);
  cuteArenaReset(&context->scratch, mark);
  return MlirWalkResultAdvance;
}

void cuteOperationExplain(MlirOperation operation, unsigned depth) {
  CuteDialect *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return;
  Explanation explanation = {.dialect = dialect, .depth = depth};
  mlirOperationWalk(operation, visit, &explanation, MlirWalkPreOrder);
  cuteStringDestroy(&explanation.text);
  cuteDialectUnlock(dialect);
}
