#include "Tools/cutec_code.h"

#include "Compile/pass_registry.h"
#include "Compile/report.h"
#include "Package/package.h"
#include "Support/clock.h"
#include "Support/manifest_keys.h"
#include "Support/say_error.h"
#include "Text/parse.h"

typedef struct Producer {
  const CuteCutecOptions *options;
  MlirContext context;
  const CuteSource *source;
  const char *file; // in the manifest
  CuteCutecCode *code;
  CuteKernelList *kernels; // with --report
} Producer;

void cuteCutecDestroyCode(CuteCutecCode *code) {
  cuteStringDestroy(&code->code);
  cuteStringDestroy(&code->manifest);
  cuteStringDestroy(&code->header);
  cuteStringDestroy(&code->report);
  for (size_t i = 0; i < CUTE_CUTEC_NUM_TEMPS; ++i)
    cuteStringDestroy(&code->temps[i]);
}

//===-- Before compiling --------------------------------------------------===//

static void printPassesError(MlirStringRef message,
                             CUTE_UNUSED void *userData) {
  cuteSayError("--passes: %.*s", CUTE_TEXT(message));
}

// The architecture that passes may write for: kernels in code for several are
// launched in one way, so that no pass may choose another for one of them.
static const char *archOfPasses(const CuteCutecOptions *options,
                                const char *arch) {
  return options->numArchs > 1 ? NULL : arch;
}

static bool runPasses(const CuteCutecOptions *options, const char *arch,
                      MlirModule module) {
  MlirOperation op = mlirModuleGetOperation(module);
  if (!options->passes)
    return true;
  return mlirLogicalResultIsSuccess(cutePipelineRunWithout(
             op, cuteMlirString(options->passes), NULL,
             archOfPasses(options, arch), options->compile.skip,
             printPassesError, NULL)) &&
         mlirLogicalResultIsSuccess(cuteOperationVerify(op));
}

// --prove itself says what is refuted.
static bool lint(const Producer *p, const char *arch, MlirModule module) {
  CUTE_SCOPED(String) pipeline = {0}, problem = {0};
  cuteStringAppendFormat(&pipeline, "cute-lint{arch=%s}", arch);
  if (mlirLogicalResultIsFailure(cutePipelineRun(
          mlirModuleGetOperation(module), cuteMlirText(&pipeline),
          cuteAppendMlirString, &problem)))
    return false;
  if (!p->options->prove && !p->options->lintFast)
    cuteCutecProve(p->options, p->context, p->source, module,
                   (MlirModule){NULL});
  return true;
}

// Parses the source and prepares it for an architecture. Its warnings are
// printed once: `isFirst`.
static MlirModule prepare(Producer *p, const char *arch, bool isFirst) {
  const CuteCutecOptions *options = p->options;
  const CuteDriverParameters *parameters = &options->parameters;
  double start = cuteNow();
  MlirModule module =
      cuteModuleParseFrom(p->context, toMlirString(p->source->text),
                          cuteMlirString(p->source->name),
                          (CuteParseOptions){.firstLine = 1,
                                             .numParameters = parameters->count,
                                             .parameters = parameters->list,
                                             .notesLaws = isFirst},
                          NULL);
  p->code->parse = cuteNow() - start;
  if (mlirModuleIsNull(module))
    return module;
  bool ok =
      (!isFirst || mlirLogicalResultIsSuccess(cuteOperationCheckLaws(
                       mlirModuleGetOperation(module),
                       options->strict ? CUTE_LAWS_STRICT : CUTE_LAWS_WARN))) &&
      runPasses(options, arch, module) &&
      (!isFirst || !options->lint || lint(p, arch, module));
  if (ok)
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}

//===-- Images ------------------------------------------------------------===//

// Compiles the source for an architecture, as far as `emit`. The manifest,
// unless it is null, is the caller's.
static bool compile(Producer *p, const char *arch, CuteEmit emit, bool isFirst,
                    json_t **manifest, CuteString *code) {
  MlirModule module = prepare(p, arch, isFirst);
  if (mlirModuleIsNull(module))
    return false;
  CuteCompileOptions options = p->options->compile;
  options.arch = arch;
  options.emit = emit;
  if (manifest)
    *manifest = cuteManifestBuild(module, options, p->file);
  if (p->options->report && isFirst)
    p->kernels = cuteKernelListCreate(module);
  bool ok = (!manifest || *manifest) &&
            mlirLogicalResultIsSuccess(cuteModuleCompile(
                module, &options, cuteAppendMlirString, code, &p->code->times));
  mlirModuleDestroy(module);
  return ok;
}

static MlirLocation locationOf(const Producer *p) {
  return mlirLocationFileLineColGet(p->context, cuteMlirString(p->source->name),
                                    1, 1);
}

// Adds a cubin for an architecture. Kernels are launched in one way on all.
static bool addImage(Producer *p, size_t i, json_t **manifest,
                     CuteString *code) {
  json_t *own = NULL;
  const char *arch = p->options->archs[i];
  bool ok = compile(p, arch, CUTE_EMIT_CUBIN, i == 0, &own, code);
  bool isSame = !ok || !*manifest ||
                json_equal(json_object_get(own, CUTE_KEY_KERNELS),
                           json_object_get(*manifest, CUTE_KEY_KERNELS));
  if (!isSame)
    cuteEmitError(locationOf(p),
                  "kernels are launched differently on %s and on %s", arch,
                  p->options->archs[0]);
  if (*manifest)
    json_decref(own);
  else
    *manifest = own;
  return ok && isSame;
}

// The last architecture whose PTX later ones run; null if there is none.
static const CuteArch *laterArch(const CuteCutecOptions *options) {
  const CuteArch *found = NULL;
  for (size_t i = 0; i < options->numArchs; ++i) {
    const CuteArch *arch = cuteArchFind(options->archs[i]);
    found = arch->suffix ? found : arch;
  }
  return found;
}

static bool makeFatbin(Producer *p, json_t **manifest, CuteString *fatbin) {
  const CuteCutecOptions *options = p->options;
  CuteString codes[CUTE_CUTEC_MAX_ARCHS + 1] = {0};
  CuteImage images[CUTE_CUTEC_MAX_ARCHS + 1];
  const CuteArch *later = laterArch(options);
  size_t n = options->numArchs;
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i) {
    ok = addImage(p, i, manifest, &codes[i]);
    images[i] = (CuteImage){cuteArchFind(options->archs[i]), false, &codes[i]};
  }
  if (later && ok) {
    ok = compile(p, later->name, CUTE_EMIT_PTX, false, NULL, &codes[n]);
    images[n] = (CuteImage){later, true, &codes[n]};
  }
  ok = ok &&
       cuteAssembleFatbin(locationOf(p), n + (later != NULL), images, fatbin);
  for (size_t i = 0; i <= n; ++i)
    cuteStringDestroy(&codes[i]);
  return ok;
}

//===-- All ---------------------------------------------------------------===//

const char *const cuteCutecTempExtensions[CUTE_CUTEC_NUM_TEMPS] = {
    ".nvvm.mlir", ".ll", ".ptx"};

static bool makeTemps(Producer *p) {
  static const CuteEmit emits[CUTE_CUTEC_NUM_TEMPS] = {
      CUTE_EMIT_NVVM, CUTE_EMIT_LLVM, CUTE_EMIT_PTX};
  for (size_t i = 0; i < CUTE_CUTEC_NUM_TEMPS; ++i)
    if (!compile(p, p->options->archs[0], emits[i], false, NULL,
                 &p->code->temps[i]))
      return false;
  return true;
}

// Wraps the image up in C.
static bool makeC(Producer *p, const json_t *manifest, const char *name) {
  CuteCSource source = {0};
  CUTE_SCOPED(String) message = {0};
  bool ok = cuteCSourceWrite(manifest, &p->code->code, name, &source, &message);
  if (!ok)
    cuteEmitError(locationOf(p), "--emit=c: %s", cuteStringGet(&message));
  cuteStringDestroy(&p->code->code);
  p->code->code = source.source;
  p->code->header = source.header;
  return ok;
}

static void printManifest(const json_t *manifest, CuteString *text) {
  CUTE_FREED char *dumped = json_dumps(manifest, JSON_INDENT(2));
  cuteStringAppendFormat(text, "%s\n", dumped);
}

static bool report(const Producer *p) {
  const CuteCutecOptions *options = p->options;
  return !options->report ||
         cuteReport(mlirLocationUnknownGet(p->context),
                    cuteArchFind(options->compile.arch), options->compile.ptxas,
                    &p->code->code, p->kernels,
                    !strcmp(options->report, "json"), &p->code->report);
}

static void appendObject(MlirStringRef piece, void *userData) {
  cuteAppendMlirString(piece, &((CuteCutecCode *)userData)->code);
}

static void appendHeader(MlirStringRef piece, void *userData) {
  cuteAppendMlirString(piece, &((CuteCutecCode *)userData)->header);
}

// Makes an object of functions on the host, with the kernels inside.
static bool makeObject(Producer *p) {
  const CuteCutecOptions *options = p->options;
  MlirModule module = prepare(p, options->compile.arch, true);
  if (mlirModuleIsNull(module))
    return false;
  const CuteHostOptions host = {.size = sizeof host,
                                .kernels = &options->compile,
                                .optLevel = options->compile.optLevel};
  MlirLogicalResult result =
      cuteModuleExport(module, &host, options->exportPrefix, appendObject,
                       appendHeader, p->code);
  mlirModuleDestroy(module);
  return mlirLogicalResultIsSuccess(result);
}

bool cuteCutecProveSource(const CuteCutecOptions *options, MlirContext context,
                          const CuteSource *source) {
  CuteCutecCode code = {0};
  CUTE_SCOPED(Source) other = {0};
  CuteCutecOptions plainly = *options;
  const CuteSource *from = options->plain ? &other : source;
  bool isCompared = options->plain || options->passes;
  MlirModule modules[2] = {{NULL}, {NULL}};
  plainly.passes = NULL;
  if (options->plain)
    plainly.parameters.count = 0;
  if (options->plain && !cuteSourceRead(&other, options->plain, stderr))
    return false;
  for (int i = 0; i < 1 + isCompared; ++i)
    if (!i || !mlirModuleIsNull(modules[0]))
      modules[i] = prepare(&(Producer){i ? &plainly : options, context,
                                       i ? from : source, NULL, &code, NULL},
                           options->compile.arch, !i);
  bool ok = !mlirModuleIsNull(modules[isCompared]) &&
            cuteCutecProve(options, context, source, modules[0], modules[1]);
  for (int i = 0; i < 2; ++i)
    if (!mlirModuleIsNull(modules[i]))
      mlirModuleDestroy(modules[i]);
  return ok;
}

bool cuteCutecProduce(const CuteCutecOptions *options, MlirContext context,
                      const CuteSource *source, const char *file,
                      const char *name, CuteCutecCode *code) {
  Producer p = {options, context, source, file, code, NULL};
  bool isC = options->form == CUTE_CUTEC_C;
  bool isFat = (isC ? options->embed : options->form) == CUTE_CUTEC_FATBIN;
  json_auto_t *manifest = NULL;
  if (options->exportPrefix)
    return makeObject(&p) && (!options->saveTemps || makeTemps(&p));
  bool ok = isFat ? makeFatbin(&p, &manifest, &code->code)
                  : compile(&p, options->compile.arch, options->compile.emit,
                            true, &manifest, &code->code);
  if (ok)
    printManifest(manifest, &code->manifest);
  ok = ok && (!options->saveTemps || makeTemps(&p)) &&
       (!isC || makeC(&p, manifest, name)) && report(&p);
  cuteKernelListDestroy(p.kernels);
  return ok;
}
