// Functions on the host: compiled in memory, called, printing, failing, many.
// REQUIRES: full
#include "host_functions.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void appendPrinted(const char *text, size_t length, void *userData) {
  appendText(mlirStringRefCreate(text, length), userData);
}

//===-- Values ------------------------------------------------------------===//

static const char algebra[] =
    "func.func @crd2idx(%m: i32, %s: i64, %i: i32) -> i64 {\n"
    "  %shape = cute.make_shape(%m) : (i32) -> !cute.shape<\"(4,?)\">\n"
    "  %stride = cute.make_stride(%s) : (i64) -> !cute.stride<\"(1,?{i64})\">\n"
    "  %l = cute.make_layout(%shape, %stride)\n"
    "  %r = func.call @index(%l, %i) : (!cute.layout<\"(4,?):(1,?{i64})\">, "
    "i32) -> i64\n"
    "  return %r : i64\n"
    "}\n"
    "func.func @index(%l: !cute.layout<\"(4,?):(1,?{i64})\">, %i: i32) -> i64 "
    "{\n"
    "  %c = cute.make_coord(%i) : (i32) -> !cute.coord<\"?\">\n"
    "  %at = cute.layout_eval(%c, %l)\n"
    "  %v = cute.get_scalars(%at) : !cute.int_tuple<\"?{i64}\">\n"
    "  return %v : i64\n"
    "}\n"
    "func.func @both(%b: i1, %x: f32, %h: f16) -> (i1, f32, f16) {\n"
    "  %y = arith.addf %x, %x : f32\n"
    "  return %b, %y, %h : i1, f32, f16\n"
    "}\n"
    "func.func private @hidden() { return }\n"
    "func.func private @declared()\n";

static void callsFunctions(void **state) {
  (void)state;
  CuteHostModule *host = compile(algebra);
  int32_t m = 8, i = 14;
  int64_t stride = 1000, result = 0;
  void *direct[] = {&m, &stride, &i, &result};
  succeeds(cuteHostCall(find(host, "crd2idx"), direct, NULL));
  assert_int_equal(result, 2 + 3 * 1000);
  void *layout[] = {&m, &stride, &i, &result};
  i = 5;
  succeeds(cuteHostCall(find(host, "index"), layout, NULL));
  assert_int_equal(result, 1001);
  unsigned char yes = 1, same = 7;
  float x = 1.5F, twice = 0;
  uint16_t half = 0x3C00, copy = 0;
  void *mixed[] = {&yes, &x, &half, &same, &twice, &copy};
  succeeds(cuteHostCall(find(host, "both"), mixed, NULL));
  assert_int_equal(same, 1);
  assert_true(twice == 3);
  assert_int_equal(copy, half);
  assert_null(cuteHostModuleFind(host, "hidden"));
  assert_null(cuteHostModuleFind(host, "declared"));
  assert_null(cuteHostModuleGetManifest(host));
  assert_null(cuteHostModuleGetCode(host, NULL));
  cuteHostModuleDestroy(host);
  cuteHostModuleDestroy(NULL);
}

static void saysSignatures(void **state) {
  (void)state;
  CuteHostModule *host = compile(algebra);
  assert_int_equal(cuteHostModuleGetNumFunctions(host), 3);
  CuteHostSignature s = cuteHostModuleGetSignature(host, 1);
  assert_string_equal(s.name, "index");
  assert_int_equal(s.numParameters, 3);
  assert_int_equal(s.numResults, 1);
  assert_string_equal(s.parts[0].role, "shape[1]");
  assert_string_equal(s.parts[1].role, "stride[1]");
  assert_int_equal(s.parts[1].bits, 64);
  assert_int_equal(s.parts[1].argument, 0);
  assert_string_equal(s.parts[2].role, "value");
  assert_int_equal(s.parts[2].argument, 1);
  s = cuteHostModuleGetSignature(host, 2);
  assert_int_equal(s.parts[0].kind, CUTE_HOST_INTEGER);
  assert_int_equal(s.parts[0].bits, 1);
  assert_int_equal(s.parts[2].kind, CUTE_HOST_FLOAT);
  assert_int_equal(s.parts[2].bits, 16);
  cuteHostModuleDestroy(host);
}

//===-- Printing and failing ----------------------------------------------===//

static const char talks[] =
    "func.func @say(%n: i32) {\n"
    "  %s = cute.make_shape(%n) : (i32) -> !cute.shape<\"(2,?)\">\n"
    "  cute.print(%s)\n"
    "  %c3 = arith.constant 3 : i32\n"
    "  %c0 = arith.constant 0 : i32\n"
    "  %ok = arith.cmpi slt, %n, %c3 : i32\n"
    "  cf.assert %ok, \"n is too large\"\n"
    "  %positive = arith.cmpi sge, %n, %c0 : i32\n"
    "  cute.assert<\"{} at 100%\"> (%positive, %s)\n"
    "  cute.print(%s)\n"
    "  return\n"
    "}\n";

static void printsAndFails(void **state) {
  (void)state;
  CuteHostModule *host = compile(talks);
  Text text = {0};
  CuteHostContext context = {.print = appendPrinted, .userData = &text};
  int32_t n = 1;
  void *arguments[] = {&n};
  succeeds(cuteHostCall(find(host, "say"), arguments, &context));
  assert_string_equal(text.data, "(2,1)\n(2,1)\n");
  n = 5;
  fails(cuteHostCall(find(host, "say"), arguments, &context),
        "memory:7:3: assertion failed: n is too large");
  assert_string_equal(text.data, "(2,1)\n(2,1)\n(2,5)\n");
  n = -1;
  fails(cuteHostCall(find(host, "say"), arguments, &context),
        "memory:9:3: assertion failed: (2,-1) at 100%");
  n = 2;
  succeeds(cuteHostCall(find(host, "say"), arguments, &context));
  free(text.data);
  cuteHostModuleDestroy(host);
}

// LLVM makes puts and putchar of these.
static void printsLines(void **state) {
  (void)state;
  CuteHostModule *host = compile("func.func @say() {\n"
                                 "  cute.printf<\"line\\0A\"> ()\n"
                                 "  cute.printf<\".\"> ()\n"
                                 "  return\n"
                                 "}\n");
  Text text = {0};
  CuteHostContext context = {.print = appendPrinted, .userData = &text};
  succeeds(cuteHostCall(find(host, "say"), NULL, &context));
  assert_string_equal(text.data, "line\n.");
  free(text.data);
  cuteHostModuleDestroy(host);
}

static void printsInOrder(void **state) {
  (void)state;
  CuteHostModule *host = compile(talks);
  int32_t n = 0;
  void *arguments[] = {&n};
  int pipes[2], saved = dup(1);
  char text[64] = "";
  fflush(stdout);
  assert_int_equal(pipe(pipes), 0);
  dup2(pipes[1], 1);
  CuteStatus status = cuteHostCall(find(host, "say"), arguments, NULL);
  ssize_t written = write(1, "after\n", 6);
  dup2(saved, 1);
  close(pipes[1]);
  ssize_t length = read(pipes[0], text, sizeof text - 1);
  close(pipes[0]);
  close(saved);
  succeeds(status);
  assert_int_equal(written, 6);
  assert_int_equal(length, 18);
  assert_string_equal(text, "(2,0)\n(2,0)\nafter\n");
  cuteHostModuleDestroy(host);
}

static int32_t calls;

static void callBack(int32_t n) { calls += n; }

// Called by its address alone, a function that fails ends the process.
static void endsTheProcessWithoutACall(void **state) {
  (void)state;
  CuteHostModule *host = compile(talks);
  int32_t n = 5;
  void *arguments[] = {&n};
  fflush(stdout);
  pid_t child = fork();
  if (!child) {
    close(1);
    close(2);
    find(host, "say")(arguments);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_int_equal(WTERMSIG(status), SIGABRT);
  cuteHostModuleDestroy(host);
}

static CuteHostFunction innerFunction;

// Calls a function that fails from within another.
static void callInner(int32_t n) {
  void *arguments[] = {&n};
  CuteStatus status = cuteHostCall(innerFunction, arguments, NULL);
  assert_non_null(status);
  cuteStatusDestroy(status);
  ++calls;
}

static void nestsCalls(void **state) {
  (void)state;
  static const char text[] = "func.func private @call_inner(i32)\n"
                             "func.func @inner(%n: i32) {\n"
                             "  %no = arith.constant false\n"
                             "  cute.assert<\"inner {}\"> (%no, %n)\n"
                             "  return\n"
                             "}\n"
                             "func.func @outer(%n: i32) {\n"
                             "  func.call @call_inner(%n) : (i32) -> ()\n"
                             "  %no = arith.constant false\n"
                             "  cute.assert<\"outer {}\"> (%no, %n)\n"
                             "  return\n"
                             "}\n";
  MlirContext context = createContext(true);
  MlirModule module = parse(context, text);
  size_t n;
  const CuteHostSymbol *own = cuteHostGetSymbols(&n);
  CuteHostSymbol symbols[8] = {{"call_inner", (void *)callInner}};
  memcpy(symbols + 1, own, n * sizeof *own);
  const CuteHostOptions options = {
      .size = sizeof options, .numSymbols = n + 1, .symbols = symbols};
  CuteHostModule *host = cuteHostModuleCreate(module, &options);
  mlirModuleDestroy(module);
  destroyContext(context);
  assert_non_null(host);
  innerFunction = find(host, "inner");
  int32_t value = 9;
  void *arguments[] = {&value};
  calls = 0;
  fails(cuteHostCall(find(host, "outer"), arguments, NULL),
        "assertion failed: outer 9");
  assert_int_equal(calls, 1);
  cuteHostModuleDestroy(host);
}

static void usesSymbolsThatAreGiven(void **state) {
  (void)state;
  static const char text[] = "func.func private @call_back(i32)\n"
                             "func.func @f(%n: i32) {\n"
                             "  call @call_back(%n) : (i32) -> ()\n"
                             "  return\n"
                             "}\n";
  MlirContext context = createContext(true);
  Text said = {0};
  cuteDiagnosticHandlerAttach(context, collect, &said);
  assert_null(compileIn(context, text));
  assert_true(hasText(&said, "Symbols not found: [ call_back ]"));
  MlirModule module = parse(context, text);
  CuteHostSymbol symbol = {"call_back", (void *)callBack};
  const CuteCompileOptions kernels = compiledFor("sm_80");
  CuteHostOptions options = {.size = sizeof options,
                             .kernels = &kernels,
                             .numSymbols = 1,
                             .symbols = &symbol};
  CuteHostModule *host = cuteHostModuleCreate(module, &options);
  mlirModuleDestroy(module);
  destroyContext(context);
  assert_non_null(host);
  int32_t n = 7;
  calls = 0;
  void *arguments[] = {&n};
  succeeds(cuteHostCall(find(host, "f"), arguments, NULL));
  assert_int_equal(calls, 7);
  free(said.data);
  cuteHostModuleDestroy(host);
}

static void rejects(void **state) {
  (void)state;
  MlirContext context = createContext(true);
  Text said = {0};
  cuteDiagnosticHandlerAttach(context, collect, &said);
  assert_null(cuteHostModuleCreate((MlirModule){NULL}, &(CuteHostOptions){0}));
  assert_null(compileIn(context, "func.func @f() -> i32 {\n"
                                 "  %x = nvvm.read.ptx.sreg.tid.x : i32\n"
                                 "  return %x : i32\n}"));
  assert_true(said.length);
  free(said.data);
  destroyContext(context);
}

//===-- Many --------------------------------------------------------------===//

static long residentBytes(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %ld", &size, &resident), 2);
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

static void compileTimes(MlirContext context, int times) {
  for (int i = 0; i < times; ++i) {
    CuteHostModule *host = compileIn(context, algebra);
    assert_non_null(host);
    cuteHostModuleDestroy(host);
  }
}

// AddressSanitizer keeps what is freed.
static void doesNotGrow(void **state) {
  (void)state;
#ifdef __SANITIZE_ADDRESS__
  skip();
#endif
  const char *cases = getenv("CUTE_CASES");
  int times = cases ? atoi(cases) : 200;
  MlirContext context = createContext(true);
  compileTimes(context, 50);
  long before = residentBytes();
  compileTimes(context, times);
  long grown = residentBytes() - before;
  destroyContext(context);
  if (grown > 3 << 20)
    fail_msg("%d compilations took %ld bytes", times, grown);
}

static void *work(void *data) {
  int *right = data;
  for (int i = 0; i < 5; ++i) {
    CuteHostModule *host = compile(algebra);
    int32_t m = 8, at = 4 * i;
    int64_t stride = 10, result = 0;
    void *arguments[] = {&m, &stride, &at, &result};
    CuteStatus status = cuteHostCall(find(host, "crd2idx"), arguments, NULL);
    *right += !status && result == 10 * i;
    cuteStatusDestroy(status);
    cuteHostModuleDestroy(host);
  }
  return NULL;
}

static void twoThreadsAtOnce(void **state) {
  (void)state;
  pthread_t threads[2];
  int right[2] = {0};
  for (int i = 0; i < 2; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &right[i]), 0);
  for (int i = 0; i < 2; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(right[i], 5);
  }
}

//===-- Functions that nobody compiled ------------------------------------===//

static void greet(void **arguments) {
  int wanted = *(const int *)arguments[0];
  cuteHostPrintf("%d of %s\n", wanted, "C");
  if (wanted == 1)
    cuteHostFail("wanted %d", wanted);
  if (wanted == 2)
    cuteHostLaunch(0, (const int64_t[16]){1, 1, 1}, NULL);
}

static void callsFunctionsOfC(void **state) {
  (void)state;
  Text text = {0};
  const CuteHostContext context = {.print = appendPrinted, .userData = &text};
  int wanted = 0;
  void *arguments[] = {&wanted};
  succeeds(cuteHostCall(greet, arguments, &context));
  assert_string_equal(text.data, "0 of C\n");
  wanted = 1;
  fails(cuteHostCall(greet, arguments, &context), "wanted 1");
  wanted = 2;
  fails(cuteHostCall(greet, arguments, &context), "none are loaded");
  free(text.data);
}

static void loadsNoKernels(void **state) {
  (void)state;
  CuteKernelSet *kernels;
  CuteExportedModule module = {.version = CUTE_EXPORT_VERSION};
  succeeds(cuteExportedModuleLoad(&module, NULL, &kernels));
  assert_null(kernels);
  module.version = 99;
  fails(cuteExportedModuleLoad(&module, NULL, &kernels), "has version 99");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callsFunctions),
      cmocka_unit_test(saysSignatures),
      cmocka_unit_test(printsAndFails),
      cmocka_unit_test(printsLines),
      cmocka_unit_test(printsInOrder),
      cmocka_unit_test(endsTheProcessWithoutACall),
      cmocka_unit_test(nestsCalls),
      cmocka_unit_test(usesSymbolsThatAreGiven),
      cmocka_unit_test(callsFunctionsOfC),
      cmocka_unit_test(loadsNoKernels),
      cmocka_unit_test(rejects),
      cmocka_unit_test(doesNotGrow),
      cmocka_unit_test(twoThreadsAtOnce),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
