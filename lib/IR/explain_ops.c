// The steps of the algebra by which the ops of a module get their results.
#include "Algebra/trace.h"
#include "IR/dialect.h"

typedef struct Explanation {
  CuteDialect *dialect;
  unsigned depth;
  CuteString heading; // of ops whose operations have none
  CuteString text;    // of the current op
} Explanation;

static void appendStep(const CuteStep *step, void *userData) {
  Explanation *explanation = userData;
  if (step->kind == CUTE_STEP_ERROR ||
      !cuteStepIsWithin(step, explanation->depth))
    return;
  if (explanation->text.length)
    cuteStringAppendChar(&explanation->text, '\n');
  cuteStringAppendFormat(&explanation->text, "%*s%.*s", (int)(step->depth * 2),
                         "", CUTE_TEXT(step->text));
}

// Ops that only look something up have no steps. Those without a result of the
// dialect compute nothing; the steps of their checks are left out.
static bool isExplained(const CuteOpDecl *decl) {
  const CuteKindSet foreign = (CuteKindSet)1 << CUTE_TYPE_FOREIGN;
  return decl->numResults && !(decl->results[0].kinds & foreign);
}

//===-- Headings ----------------------------------------------------------===//

// Appends what is between the quotes of a type that has nothing else.
static void appendValue(CuteString *text, CuteType type) {
  CUTE_SCOPED(String) whole = {0};
  cuteAppendType(&whole, type, CUTE_FORM_PRETTY);
  const char *quote = strstr(cuteStringGet(&whole), "<\"");
  if (quote && !strchr(quote + 2, ' '))
    cuteStringAppendBytes(text, quote + 2, strlen(quote) - 4);
  else
    cuteStringAppend(text, cuteStringGet(&whole));
}

static void setHeading(CuteString *text, const CuteOp *op) {
  cuteStringClear(text);
  cuteStringAppendFormat(text, "%.*s", CUTE_TEXT(op->decl->name));
  for (size_t i = 0; i < op->numOperands; ++i) {
    cuteStringAppend(text, i ? ", " : "(");
    appendValue(text, op->operands[i]);
  }
  cuteStringAppendFormat(text, "): %.*s", CUTE_TEXT(op->decl->summary));
}

// The result belongs to the heading; an operation says its own.
static void endCall(Explanation *explanation, const CuteOp *op,
                    unsigned outer) {
  const char *heading = cuteStringGet(&explanation->heading);
  bool isOurs = explanation->text.length &&
                !strncmp(cuteStringGet(&explanation->text), heading,
                         explanation->heading.length);
  CUTE_SCOPED(String) result = {0};
  if (isOurs && op->numResults == 1)
    appendValue(&result, op->results[0]);
  cuteExplainEndCall(op->context, outer,
                     result.length ? cuteStringGet(&result) : NULL);
}

static bool inferTraced(Explanation *explanation, CuteOp *op) {
  setHeading(&explanation->heading, op);
  cuteStringClear(&explanation->text);
  cuteContextSetTracer(op->context, appendStep, explanation);
  unsigned outer =
      cuteExplainBeginCall(op->context, cuteStringGet(&explanation->heading));
  bool inferred = cuteOpInfer(op);
  if (inferred)
    endCall(explanation, op, outer);
  cuteContextSetTracer(op->context, NULL, NULL);
  return inferred;
}

//===-- Remarks -----------------------------------------------------------===//

static void explain(Explanation *explanation, const CuteOpDecl *decl,
                    MlirOperation op) {
  CUTE_SCOPED(ArenaScope)
  scope = cuteArenaScopeBegin(&explanation->dialect->context->scratch);
  CuteOp instance = cuteDialectGetOp(explanation->dialect, decl, op);
  if (inferTraced(explanation, &instance) && explanation->text.length)
    cuteEmitAtOp(op, CUTE_SEVERITY_REMARK, cuteStringGet(&explanation->text),
                 NULL);
}

void cuteOperationExplain(MlirOperation operation, unsigned depth) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirOperationGetContext(operation));
  if (!dialect)
    return;
  Explanation explanation = {.dialect = dialect, .depth = depth};
  CUTE_FOR_NESTED(op, operation) {
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
    if (decl && isExplained(decl))
      explain(&explanation, decl, op);
  }
  cuteStringDestroy(&explanation.heading);
  cuteStringDestroy(&explanation.text);
}
