#include "Prove/prove.h"

#include "Prove/isl_library.h"

//===-- Kernels -----------------------------------------------------------===//

// The kernel of a number; null: there are fewer.
static MlirOperation kernelAt(MlirOperation module, size_t number) {
  CUTE_FOR_NESTED(op, module) {
    if (cuteMlirIs(op, "gpu.func") && cuteMlirHasAttribute(op, "gpu.kernel") &&
        !number--)
      return op;
  }
  return (MlirOperation){NULL};
}

//===-- Words -------------------------------------------------------------===//

// The lint's rule, and the words for a claim that holds and one that does not.
static const struct {
  const char *rule, *holds, *fails;
} words[] = {
#define CLAIM(claim, rule, holds, fails) {rule, holds, fails},
#include "Prove/claims.def"
};

static void appendPlace(CuteString *text, MlirOperation op) {
  CutePosition position = cutePositionOf(op);
  if (position.file.data)
    cuteStringAppendFormat(text, "%.*s:%u: ", CUTE_TEXT(position.file),
                           position.line);
}

// " where arg0.shape[0] >= arg2.shape[0] and ...".
static void appendContracts(CuteString *text, const CuteClaims *claims,
                            size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const CuteContract *c = &claims->contracts[i];
    cuteStringAppendFormat(text, "%s%s ", i > first ? " and " : ", where ",
                           c->large->name);
    if (!c->small)
      cuteStringAppendFormat(text, "%% %lld == 0", (long long)c->more);
    else
      cuteStringAppendFormat(text, "%s %s",
                             c->isEqual ? "==" : ">=", c->small->name);
    if (c->small && c->more)
      cuteStringAppendFormat(text, " + %lld", (long long)c->more);
  }
}

// "an access ...: arg0.shape[0] = 1, block x 0, thread x 3, round 2".
static void appendRefutation(CuteString *text, const CuteClaims *claims,
                             CuteClaim claim) {
  const CuteProver *prover = claims->prover;
  const CutePoint *point = &claims->verdicts[claim].point;
  bool isOfNobody =
      claim == CUTE_CLAIM_COVERAGE || claim == CUTE_CLAIM_SAME_WRITES;
  const CuteSymbolKind last = isOfNobody ? CUTE_SYMBOL_SIZE : CUTE_SYMBOL_ROUND;
  const char *between = ": ";
  cuteStringAppend(text, words[claim].fails);
  for (size_t i = 0; i < point->at.count; ++i) {
    const CuteSymbol *s = prover->terms->symbols[i];
    bool isSaid =
        s->kind == CUTE_SYMBOL_SIZE && *s->name != 'a' && !prover->isLaunched;
    if (!cuteValuesHas(&point->at, i) || s->kind > last || isSaid)
      continue;
    cuteStringAppendFormat(
        text, s->kind == CUTE_SYMBOL_SIZE ? "%s%s = %lld" : "%s%s %lld",
        between, s->name, (long long)point->at.values[i]);
    between = ", ";
  }
}

static void appendVerdict(CuteString *text, const CuteClaims *claims,
                          CuteClaim claim) {
  const CuteVerdict *v = &claims->verdicts[claim];
  const char *kernel = claims->prover->name;
  switch (v->outcome) {
  case CUTE_OUTCOME_NONE:
    return;
  case CUTE_OUTCOME_PROVED:
    cuteStringAppendFormat(text, "%s: proved: %s, for every size", kernel,
                           words[claim].holds);
    appendContracts(text, claims,
                    claim ? claims->verdicts[claim - 1].contracts : 0,
                    v->contracts);
    cuteStringAppend(text, "\n");
    return;
  case CUTE_OUTCOME_REFUTED:
    cuteStringAppendFormat(text, "%s: refuted: ", kernel);
    appendPlace(text, v->op);
    appendRefutation(text, claims, claim);
    cuteStringAppendFormat(text, "\n  %s\n  %s\n", cuteStringGet(&v->command),
                           cuteStringGet(&v->said));
    return;
  case CUTE_OUTCOME_UNDECIDED:
    cuteStringAppendFormat(text, "%s: not decided whether %s: ", kernel,
                           words[claim].holds);
    appendPlace(text, v->op);
    cuteStringAppendFormat(text, "%s\n", v->reason);
    return;
  }
}

// Warns of a claim that is refuted, with the run that shows it.
static void warn(const CuteClaims *claims, CuteClaim claim) {
  const CuteVerdict *v = &claims->verdicts[claim];
  CUTE_SCOPED(String) text = {0}, note = {0};
  if (v->outcome != CUTE_OUTCOME_REFUTED)
    return;
  appendRefutation(&text, claims, claim);
  cuteStringAppendFormat(&text, " [%s]", words[claim].rule);
  cuteStringAppendFormat(&note, "%s shows it: %s", cuteStringGet(&v->command),
                         cuteStringGet(&v->said));
  cuteEmit(mlirOperationGetLocation(v->op), CUTE_SEVERITY_WARNING,
           cuteMlirText(&text), cuteStringGet(&note));
}

//===-- One kernel --------------------------------------------------------===//

static void destroyProver(CuteProver *prover) {
  void *lists[] = {prover->places, prover->reaches, prover->blindSpots,
                   prover->stores, prover->steps,   prover->segments};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
    free(lists[i]);
  cutePointerMapDestroy(&prover->values);
  cutePointerMapDestroy(&prover->lanes);
}

// A kernel as it is typed and lowered, and the module that launches it.
typedef struct Kernel {
  MlirOperation typed, lowered, module;
} Kernel;

static bool follow(CuteProver *prover, CuteDialect *dialect, Kernel kernel,
                   CuteTerms *terms, CuteSolver *solver) {
  *prover = (CuteProver){.dialect = dialect,
                         .typed = kernel.typed,
                         .kernel = kernel.lowered,
                         .module = kernel.module,
                         .name = cuteMlirGetSymbol(kernel.lowered).data,
                         .terms = terms,
                         .solver = solver};
  if (!cuteWalkBegin(prover))
    return false;
  cuteWalkKernel(prover);
  return true;
}

// Decides the claims about a kernel, and compares it with `plain` if there is
// one. Tells whether one is refuted; without a report, warns of it.
static bool proveKernel(CuteDialect *dialect, Kernel kernel, Kernel plain,
                        const CuteProveOptions *options, bool isOnly,
                        CuteString *report) {
  CuteTerms terms;
  cuteTermsInit(&terms);
  CuteProver before = {.terms = NULL}, prover;
  CuteClaims claims = {.prover = &prover,
                       .solver = cuteSolverCreate(&terms),
                       .confirm = options->confirm,
                       .confirmData = options->confirmData,
                       .isOnly = isOnly};
  bool isRefuted = false;
  if (plain.lowered.ptr &&
      follow(&before, dialect, plain, &terms, claims.solver))
    claims.plain = &before;
  if (follow(&prover, dialect, kernel, &terms, claims.solver)) {
    cuteClaimsDecide(&claims);
    for (int i = 0; i < CUTE_NUM_CLAIMS; ++i) {
      if (report)
        appendVerdict(report, &claims, (CuteClaim)i);
      else
        warn(&claims, (CuteClaim)i);
      isRefuted |= claims.verdicts[i].outcome == CUTE_OUTCOME_REFUTED;
    }
  } else if (report) {
    cuteStringAppendFormat(
        report, "%s: not decided: the kernel has no known_block_size\n",
        prover.name);
  }
  cuteClaimsDestroy(&claims);
  cuteSolverDestroy(claims.solver);
  destroyProver(&prover);
  destroyProver(&before);
  cuteTermsDestroy(&terms);
  return isRefuted;
}

// Erases everything but gpu.modules: launches no longer fit lowered kernels.
// Inlines calls in the gpu.modules.
static void dropHost(MlirOperation module) {
  MlirOperation op = mlirBlockGetFirstOperation(
      mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0)));
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    if (cuteMlirIs(op, "gpu.module"))
      cuteInlineCalls(op);
    else
      mlirOperationDestroy(op);
    op = next;
  }
}

static bool run(MlirOperation module, const char *pipeline, const char *arch) {
  CUTE_SCOPED(String) problem = {0};
  return mlirLogicalResultIsSuccess(cutePipelineRunFor(
      module, cuteMlirString(pipeline), arch, cuteAppendMlirString, &problem));
}

// A module that is proved: its kernels with types, and lowered.
typedef struct Lowered {
  MlirOperation typed, lowered; // null: there is none
  MlirOperation module;
} Lowered;

static Kernel kernelOf(const Lowered *module, size_t number) {
  if (!module->lowered.ptr)
    return (Kernel){{NULL}, {NULL}, {NULL}};
  return (Kernel){kernelAt(module->typed, number),
                  kernelAt(module->lowered, number), module->module};
}

static bool lower(MlirModule module, const char *arch, Lowered *result) {
  result->module = mlirModuleGetOperation(module);
  result->typed = mlirOperationClone(result->module);
  dropHost(result->typed);
  if (!run(result->typed,
           "canonicalize,cute-expand-tiles,cute-fold-static,"
           "cute-expand-atoms,cute-canonicalize",
           arch))
    return false;
  result->lowered = mlirOperationClone(result->typed);
  return run(result->lowered, "cute-to-nvvm", arch);
}

static bool haveSameParameters(MlirOperation a, MlirOperation b) {
  MlirBlock x = cuteMlirGetBody(a, 0), y = cuteMlirGetBody(b, 0);
  intptr_t n = mlirBlockGetNumArguments(x);
  bool same = n == mlirBlockGetNumArguments(y);
  for (intptr_t i = 0; same && i < n; ++i)
    same = mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(x, i)),
                         mlirValueGetType(mlirBlockGetArgument(y, i)));
  return same;
}

// The kernel of the same name and parameters; none: there is no such.
static Kernel findKernel(const Lowered *module, Kernel like) {
  Kernel found;
  for (size_t i = 0; (found = kernelOf(module, i)).lowered.ptr; ++i)
    if (mlirStringRefEqual(cuteMlirGetSymbol(found.lowered),
                           cuteMlirGetSymbol(like.lowered)) &&
        haveSameParameters(found.typed, like.typed))
      return found;
  return (Kernel){{NULL}, {NULL}, {NULL}};
}

static void destroyLowered(Lowered *module) {
  if (module->lowered.ptr)
    mlirOperationDestroy(module->lowered);
  if (module->typed.ptr)
    mlirOperationDestroy(module->typed);
}

static void ignore(CUTE_UNUSED const CuteDiagnostic *diagnostic,
                   CUTE_UNUSED size_t numNotes,
                   CUTE_UNUSED const CuteDiagnostic *notes,
                   CUTE_UNUSED void *userData) {}

// Lowers a module, and the plain one if there is one. If it is quiet, what the
// passes say is left to the compilation of the module.
static bool lowerAll(CuteDialect *dialect, MlirModule module,
                     const CuteProveOptions *options, bool isQuiet,
                     Lowered *now, Lowered *plain) {
  CuteDiagnosticHandler handler = dialect->handler;
  if (isQuiet)
    dialect->handler = ignore;
  bool ok = lower(module, options->arch, now) &&
            (mlirModuleIsNull(options->plain) ||
             lower(options->plain, options->arch, plain));
  dialect->handler = handler;
  return ok;
}

bool cuteProveModule(CuteDialect *dialect, MlirModule module,
                     const CuteProveOptions *options, CuteString *report,
                     bool *isRefuted) {
  Lowered now = {.typed = {NULL}}, plain = {.typed = {NULL}};
  CuteStatus missing = cuteIslOpen();
  *isRefuted = false;
  if (missing)
    cuteEmit(mlirOperationGetLocation(mlirModuleGetOperation(module)),
             report ? CUTE_SEVERITY_ERROR : CUTE_SEVERITY_REMARK,
             cuteMlirString(cuteStatusGetMessage(missing)), NULL);
  bool ok =
      !missing && lowerAll(dialect, module, options, !report, &now, &plain);
  Kernel kernel;
  for (size_t i = 0; ok && (kernel = kernelOf(&now, i)).lowered.ptr; ++i) {
    Kernel before = findKernel(&plain, kernel);
    ok = before.lowered.ptr || !options->isOther;
    if (ok)
      *isRefuted |= proveKernel(dialect, kernel, before, options,
                                !kernelAt(now.typed, 1).ptr, report);
    else
      cuteEmitError(mlirOperationGetLocation(kernel.typed),
                    "--prove: the other file has no kernel '%s' with the same "
                    "parameters",
                    cuteMlirGetSymbol(kernel.lowered).data);
  }
  destroyLowered(&now);
  destroyLowered(&plain);
  cuteStatusDestroy(missing);
  return ok;
}
