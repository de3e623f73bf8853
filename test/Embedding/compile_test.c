// Passes and compilation through the public headers, on one and on two threads.
// REQUIRES: full
#include "embed.h"

#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

static Text readText(const char *path) {
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  Text text = {0};
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));)
    appendText(mlirStringRefCreate(buffer, n), &text);
  fclose(file);
  return text;
}

static Text readExample(const char *name) {
  char path[4096];
  snprintf(path, sizeof path, CUTE_TEST_DIR "/../examples/%s", name);
  return readText(path);
}

static const CuteCompileOptions ptxOptions = {.size = sizeof ptxOptions,
                                              .arch = "sm_80",
                                              .emit = CUTE_EMIT_PTX,
                                              .optLevel = 3};

static void saysItsVersion(void **state) {
  (void)state;
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", CUTE_VERSION_MAJOR,
           CUTE_VERSION_MINOR, CUTE_VERSION_PATCH);
  assert_string_equal(cuteVersion(), version);
  cuteMlirContextDestroy((MlirContext){NULL});
}

static void runsPipelines(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  MlirModule module =
      parse(context, "func.func @f() -> !cute.layout<\"32:1\"> {\n"
                     "  %l = cute.static : !cute.layout<\"(8,4):(1,8)\">\n"
                     "  %c = cute.coalesce(%l)\n"
                     "  return %c : !cute.layout<\"32:1\">\n}");
  assert_false(mlirModuleIsNull(module));
  MlirOperation op = mlirModuleGetOperation(module);
  Text message = {0}, printed = {0};
  assert_true(mlirLogicalResultIsSuccess(cutePipelineRun(
      op,
      ref("builtin.module(cute-fold-static,func.func(canonicalize),"
          "cute-canonicalize)"),
      appendText, &message)));
  assert_null(message.data);
  cuteOperationPrint(op, (CutePrintOptions){0}, appendText, &printed);
  assert_true(hasText(&printed, "cute.static : !cute.layout<\"32:1\">"));
  assert_false(hasText(&printed, "cute.coalesce"));
  assert_true(mlirLogicalResultIsSuccess(cutePipelineRunFor(
      op, ref("cute-fold-static"), "sm_90a", appendText, &message)));
  assert_true(mlirLogicalResultIsFailure(
      cutePipelineRun(op, ref("cute-fold"), appendText, &message)));
  assert_true(hasText(&message, "'cute-fold'"));
  assert_true(mlirLogicalResultIsFailure(cutePipelineRunFor(
      op, ref("cute-fold-static"), "sm_91", appendText, &message)));
  assert_true(hasText(&message, "unknown architecture 'sm_91'; known"));
  assert_true(mlirLogicalResultIsFailure(
      cutePipelineRunFor(op, ref("cute-fold-static"), "sm_91", NULL, NULL)));
  free(message.data);
  free(printed.data);
  mlirModuleDestroy(module);
  destroyContext(context);
}

typedef struct Visits {
  Text before, after;
  bool stop;
} Visits;

static bool visitBefore(const char *pass, MlirOperation op, void *userData) {
  assert_false(mlirOperationIsNull(op));
  appendText(ref(pass), &((Visits *)userData)->before);
  appendText(ref(" "), &((Visits *)userData)->before);
  return true;
}

static bool visitAfter(const char *pass, MlirOperation op, void *userData) {
  (void)op;
  Visits *visits = userData;
  appendText(ref(pass), &visits->after);
  appendText(ref(" "), &visits->after);
  return !visits->stop;
}

static void observesPasses(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  for (int stop = 0; stop < 2; ++stop) {
    Visits visits = {.stop = stop};
    CutePassObserver observer = {visitBefore, visitAfter, &visits};
    MlirModule module = parse(context, "module {}");
    MlirPassManager manager = mlirPassManagerCreate(context);
    assert_true(mlirLogicalResultIsSuccess(cutePipelineAdd(
        context, mlirPassManagerGetAsOpPassManager(manager),
        ref("cute-fold-static,cse"), &observer, appendText, NULL)));
    MlirLogicalResult result =
        mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
    assert_int_equal(mlirLogicalResultIsSuccess(result), !stop);
    assert_string_equal(visits.before.data,
                        stop ? "cute-fold-static " : "cute-fold-static cse ");
    assert_string_equal(visits.after.data, visits.before.data);
    mlirPassManagerDestroy(manager);
    mlirModuleDestroy(module);
    free(visits.before.data);
    free(visits.after.data);
  }
  destroyContext(context);
}

static void listsPasses(void **state) {
  (void)state;
  bool found = false;
  for (size_t i = 0; i < cutePassGetNum(); ++i) {
    CutePassInfo info = cutePassGet(i);
    // Those that the open dialect has have its names.
    assert_true(info.isPipeline || !strncmp(info.argument, "cute-", 5) ||
                !strcmp(info.argument, "base-prepare") ||
                !strcmp(info.argument, "one-shot-convert-to-llvm"));
    assert_true(strlen(info.summary) > 10);
    found |= !strcmp(info.argument, "cute-lower") && info.isPipeline;
  }
  assert_true(found);
  assert_null(cutePassGet(100000).argument);
  assert_null(cutePassOptionGetInfo(100000).name);
}

static Text compile(const char *source) {
  MlirContext context = createContext(true);
  MlirModule module = parse(context, source);
  assert_false(mlirModuleIsNull(module));
  Text code = {0};
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &ptxOptions, appendText, &code, NULL)));
  mlirModuleDestroy(module);
  destroyContext(context);
  return code;
}

static void compilesTheGemm(void **state) {
  (void)state;
  Text source = readExample("gemm_sm80.mlir"), manifest = {0}, code = {0};
  MlirContext context = createContext(true);
  MlirModule module = parse(context, source.data);
  assert_false(mlirModuleIsNull(module));
  assert_true(mlirLogicalResultIsSuccess(cuteModulePrintManifest(
      module, &ptxOptions, "gemm.ptx", appendText, &manifest)));
  assert_true(hasText(&manifest, "\"file\": \"gemm.ptx\""));
  assert_true(hasText(&manifest, "\"arch\": \"sm_80\""));
  assert_true(hasText(&manifest, "\"dynamic_shared_bytes\""));
  CuteCompileTimes times = {0};
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &ptxOptions, appendText, &code, &times)));
  assert_true(hasText(&code, ".target sm_80"));
  assert_true(hasText(&code, "mma.sync.aligned.m16n8k16"));
  assert_true(times.lower > 0 && times.codegen > 0 && times.assemble == 0);
  mlirModuleDestroy(module);
  destroyContext(context);
  free(source.data);
  free(manifest.data);
  free(code.data);
}

static MlirModule parseKernel(MlirContext context) {
  return parse(context, "gpu.module @m { gpu.func @k() kernel attributes "
                        "{known_block_size = array<i32: 32, 1, 1>} "
                        "{ gpu.return } }");
}

// An observer sees the module between the passes of a compilation, and may end
// it.
static void observesCompiling(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  for (int stop = 0; stop < 2; ++stop) {
    Visits visits = {.stop = stop};
    CutePassObserver observer = {visitBefore, visitAfter, &visits};
    CuteCompileOptions options = ptxOptions;
    options.observer = &observer;
    Text code = {0};
    MlirModule module = parseKernel(context);
    assert_int_equal(mlirLogicalResultIsSuccess(cuteModuleCompile(
                         module, &options, appendText, &code, NULL)),
                     !stop);
    assert_int_equal(!code.data, stop);
    assert_true(hasText(&visits.before, "cute-"));
    assert_int_equal(hasText(&visits.after, "cute-to-llvm "), !stop);
    mlirModuleDestroy(module);
    free(visits.before.data);
    free(visits.after.data);
    free(code.data);
  }
  destroyContext(context);
}

static bool compileWith(MlirContext context, CuteCompileOptions options) {
  Text code = {0};
  MlirModule module = parseKernel(context);
  MlirLogicalResult result =
      cuteModuleCompile(module, &options, appendText, &code, NULL);
  mlirModuleDestroy(module);
  free(code.data);
  return mlirLogicalResultIsSuccess(result);
}

// Callers may have been built with another version of the struct.
static void takesOptionsOfAnySize(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text errors = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  CuteCompileOptions options = ptxOptions;
  options.ptxas = (const char *)1; // past the fields that an older one had
  options.reproducer = (const char *)1;
  options.size = offsetof(CuteCompileOptions, ptxas);
  assert_true(compileWith(context, options));
  struct {
    CuteCompileOptions known;
    size_t other;
  } later = {ptxOptions, 0};
  MlirModule module = parseKernel(context);
  Text code = {0};
  later.known.size = sizeof later;
  later.other = 1;
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(module, &later.known, appendText, &code, NULL)));
  assert_true(hasText(&errors, "some of the others are set"));
  later.other = 0;
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &later.known, appendText, &code, NULL)));
  mlirModuleDestroy(module);
  options = ptxOptions;
  options.size = 0;
  assert_false(compileWith(context, options));
  assert_true(hasText(&errors, "the options' size is 0; set it to the sizeof"));
  module = parseKernel(context);
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(module, NULL, appendText, &code, NULL)));
  mlirModuleDestroy(module);
  cuteDiagnosticHandlerDetach(context);
  destroyContext(context);
  free(errors.data);
  free(code.data);
}

// A reproducer compiles, and is there only after a failure.
static void leavesReproducer(void **state) {
  (void)state;
  char path[] = "/tmp/cute-reproducer-XXXXXX";
  int file = mkstemp(path);
  assert_true(file >= 0);
  close(file);
  MlirContext context = createContext(true);
  Text errors = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  CuteCompileOptions options = ptxOptions;
  options.reproducer = path;
  options.arch = "sm_1";
  assert_false(compileWith(context, options));
  Text kept = readText(path);
  assert_true(hasText(&kept, "failed on this:\n// cutec '/tmp/cute-repro"));
  assert_true(hasText(&kept, "' --arch='sm_1' --emit=ptx -O3\n"));
  MlirModule again = parse(context, kept.data);
  assert_false(mlirModuleIsNull(again));
  mlirModuleDestroy(again);
  options.arch = "sm_80";
  assert_true(compileWith(context, options));
  assert_int_equal(access(path, F_OK), -1);
  options.reproducer = "/proc/none/r.mlir";
  assert_false(compileWith(context, options));
  assert_true(hasText(&errors, "cannot write '/proc/none/r.mlir': "));
  cuteDiagnosticHandlerDetach(context);
  destroyContext(context);
  free(errors.data);
  free(kept.data);
}

static void failsWithDiagnosticsOnly(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text errors = {0}, code = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  MlirModule host = parse(context, "func.func @f() { return }");
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(host, &ptxOptions, appendText, &code, NULL)));
  assert_true(hasText(&errors, "no gpu.module"));
  MlirModule device = parse(context, "gpu.module @m {}");
  CuteCompileOptions wrong = {.size = sizeof wrong,
                              .arch = "sm_1",
                              .emit = CUTE_EMIT_PTX,
                              .optLevel = 3};
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(device, &wrong, appendText, &code, NULL)));
  assert_true(hasText(&errors, "unknown architecture 'sm_1'"));
  wrong.arch = NULL;
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(device, &wrong, appendText, &code, NULL)));
  assert_true(hasText(&errors, "unknown architecture ''; known"));
  const CuteCompileOptions stage = {.size = sizeof stage,
                                    .arch = "sm_80",
                                    .emit = (CuteEmit)99,
                                    .reproducer = "/proc/none/r.mlir"};
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(device, &stage, appendText, &code, NULL)));
  assert_true(hasText(&errors, "emit is 99, which is not a stage; take one of "
                               "CuteEmit, 0 to 4"));
  const CuteCompileOptions level = {
      .size = sizeof level, .arch = "sm_80", .optLevel = 4};
  assert_true(mlirLogicalResultIsFailure(
      cuteModuleCompile(device, &level, appendText, &code, NULL)));
  assert_true(hasText(&errors, "optLevel is 4; levels are 0 to 3"));
  assert_true(mlirLogicalResultIsFailure(cuteModuleCompile(
      (MlirModule){NULL}, &ptxOptions, appendText, &code, NULL)));
  assert_true(mlirLogicalResultIsFailure(cuteModulePrintManifest(
      (MlirModule){NULL}, &ptxOptions, "k.ptx", appendText, &code)));
  assert_string_equal(cuteContextGetError(NULL), "");
  assert_non_null(cuteArchCheck(NULL));
  assert_null(code.data);
  assert_null(cuteArchCheck("sm_80"));
  assert_non_null(strstr(cuteArchCheck("sm_1"), "sm_80"));
  cuteDiagnosticHandlerDetach(context);
  mlirModuleDestroy(host);
  mlirModuleDestroy(device);
  destroyContext(context);
  free(errors.data);
}

typedef struct Job {
  const char *source;
  Text code;
} Job;

static void *compileRepeatedly(void *userData) {
  Job *job = userData;
  for (int i = 0; i < 2; ++i) {
    free(job->code.data);
    job->code = compile(job->source);
  }
  return NULL;
}

static void compilesOnTwoThreads(void **state) {
  (void)state;
  Text gemm = readExample("gemm_sm80.mlir");
  Text transpose = readExample("transpose.mlir");
  Text wanted[] = {compile(gemm.data), compile(transpose.data)};
  Job jobs[] = {{gemm.data, {0}}, {gemm.data, {0}}, {transpose.data, {0}}};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    assert_int_equal(
        pthread_create(&threads[i], NULL, compileRepeatedly, &jobs[i]), 0);
  for (int i = 0; i < 3; ++i) {
    pthread_join(threads[i], NULL);
    assert_string_equal(jobs[i].code.data, wanted[i == 2].data);
    free(jobs[i].code.data);
  }
  free(wanted[0].data);
  free(wanted[1].data);
  free(gemm.data);
  free(transpose.data);
}

static void compileTimes(const char *source, int n) {
  for (int i = 0; i < n; ++i)
    free(compile(source).data);
}

// What compiling allocates is given back with the context. A leak shows in each
// round; what threads that end still hold, in one now and then.
static void growsNot(void **state) {
  (void)state;
  Text source = readExample("vector_add.mlir");
  bool grows = true;
  compileTimes(source.data, 5);
  for (int round = 0; round < 4 && grows; ++round) {
    size_t before = mallinfo2().uordblks;
    compileTimes(source.data, 15);
    grows = mallinfo2().uordblks >= before + 4096;
  }
  assert_false(grows);
  free(source.data);
}

static size_t residentKiB(void) {
  unsigned long all = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%lu %lu", &all, &resident), 2);
  fclose(file);
  return resident * (size_t)sysconf(_SC_PAGESIZE) / 1024;
}

static void *compileMany(void *userData) {
  compileTimes(userData, getenv("CUTE_ALL_CASES") ? 250 : 10);
  return NULL;
}

static size_t compileOnTwoThreads(char *source) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, compileMany, source), 0);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  return residentKiB();
}

// A thousand compilations on two threads, where all cases are tried: what the
// process has in memory after the first half is enough for the second. A leak
// of 4 KiB in each would show as 2 MiB. Sanitizers keep memory that is freed,
// and find leaks by themselves.
static void growsNotOnTwoThreads(void **state) {
  (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  skip();
#endif
  char source[] =
      "gpu.module @m { gpu.func @k(%A: !cute.tensor<f32, gmem, align<4>, "
      "\"32:1\">) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {"
      " %t = cute.thread_idx %c = cute.make_coord(%t) : (i32) -> "
      "!cute.coord<\"?\"> %a = cute.load(%A, %c) cute.store(%a, %A, %c) "
      "gpu.return } }";
  size_t half = compileOnTwoThreads(source);
  size_t end = compileOnTwoThreads(source);
  if (getenv("CUTE_ALL_CASES"))
    assert_true(end < half + 2048);
  else
    assert_true(end < half + 8192);
}

// What LLVM ends processes for.
static void survivesFatalErrors(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text errors = {0}, code = {0};
  cuteDiagnosticHandlerAttach(context, collect, &errors);
  const CuteCompileOptions old = {.size = sizeof old,
                                  .arch = "sm_75",
                                  .emit = CUTE_EMIT_PTX,
                                  .optLevel = 2};
  for (int i = 0; i < 3; ++i) {
    free(errors.data);
    errors = (Text){0};
    MlirModule module =
        parse(context, "gpu.module @m { gpu.func @k(%x: i32, %p: !llvm.ptr) "
                       "kernel {\n"
                       "  %r = llvm.call_intrinsic "
                       "\"llvm.nvvm.redux.sync.add\"(%x, %x) : (i32, i32) -> "
                       "i32\n"
                       "  llvm.store %r, %p : i32, !llvm.ptr\n"
                       "  gpu.return } }");
    assert_false(mlirModuleIsNull(module));
    assert_true(mlirLogicalResultIsFailure(
        cuteModuleCompile(module, &old, appendText, &code, NULL)));
    assert_true(hasText(&errors, "LLVM cannot generate code for this"));
    assert_null(code.data);
    mlirModuleDestroy(module);
  }
  cuteDiagnosticHandlerDetach(context);
  destroyContext(context);
  free(errors.data);
  Text gemm = readExample("gemm_sm80.mlir"), after = compile(gemm.data);
  assert_true(hasText(&after, ".entry"));
  free(gemm.data);
  free(after.data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runsPipelines), // first: no pass is registered yet
      cmocka_unit_test(compilesTheGemm),
      cmocka_unit_test(saysItsVersion),
      cmocka_unit_test(observesPasses),
      cmocka_unit_test(listsPasses),
      cmocka_unit_test(failsWithDiagnosticsOnly),
      cmocka_unit_test(observesCompiling),
      cmocka_unit_test(takesOptionsOfAnySize),
      cmocka_unit_test(leavesReproducer),
      cmocka_unit_test(survivesFatalErrors),
      cmocka_unit_test(compilesOnTwoThreads),
      cmocka_unit_test(growsNot),
      cmocka_unit_test(growsNotOnTwoThreads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
