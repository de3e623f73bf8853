// Machine code in memory: what it may call, failures, threads, growth.
#include "Jit/jit.h"
#include "check_status.h"

#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Module {
  LLVMContextRef context;
  LLVMModuleRef module;
} Module;

static Module parse(const char *text) {
  Module m = {LLVMContextCreate(), NULL};
  char *message = NULL;
  if (LLVMParseIRInContext(
          m.context,
          LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test"),
          &m.module, &message))
    fail_msg("%s", message);
  return m;
}

static void destroy(Module m) {
  LLVMDisposeModule(m.module);
  LLVMContextDispose(m.context);
}

static CuteStatus create(const char *text, CuteJitOptions options,
                         CuteJit **jit) {
  Module m = parse(text);
  CuteStatus status = cuteJitCreate(m.module, options, jit);
  destroy(m);
  return status;
}

typedef int (*Function)(int);

// ISO C has no conversion of object pointers to function pointers.
static Function lookUp(CuteJit *jit, const char *name) {
  void *address;
  Function function;
  assertSucceeds(cuteJitLookUp(jit, name, &address));
  memcpy(&function, &address, sizeof function);
  return function;
}

static const char square[] = "define i32 @square(i32 %x) {\n"
                             "  %y = mul i32 %x, %x\n"
                             "  ret i32 %y\n"
                             "}\n"
                             "define internal i32 @hidden(i32 %x) {\n"
                             "  ret i32 %x\n"
                             "}\n";

static void callsFunctions(void **state) {
  (void)state;
  for (unsigned level = 0; level < 5; ++level) {
    CuteJit *jit;
    assertSucceeds(create(square, (CuteJitOptions){.optLevel = level}, &jit));
    assert_int_equal(lookUp(jit, "square")(-7), 49);
    assert_int_equal(lookUp(jit, "square")(11), 121);
    void *address;
    assertFails(cuteJitLookUp(jit, "hidden", &address), "hidden");
    assert_null(address);
    assertFails(cuteJitLookUp(jit, "cube", &address),
                "looking for 'cube': linking: Symbols not found: [ cube ]");
    assert_int_equal(lookUp(jit, "square")(3), 9);
    cuteJitDestroy(jit);
  }
  cuteJitDestroy(NULL);
}

static int total;

static int add(int x) {
  total += x;
  return total;
}

static const char caller[] = "@total = external global i32\n"
                             "declare i32 @add(i32)\n"
                             "define i32 @twice(i32 %x) {\n"
                             "  %a = call i32 @add(i32 %x)\n"
                             "  %b = call i32 @add(i32 %x)\n"
                             "  %c = load i32, ptr @total\n"
                             "  %d = add i32 %c, 1000\n"
                             "  ret i32 %d\n"
                             "}\n";

static void callsSymbols(void **state) {
  (void)state;
  CuteJitSymbol symbols[] = {{"add", (void *)add}, {"total", &total}};
  CuteJitOptions options = {.optLevel = 2, .symbols = symbols, .numSymbols = 2};
  CuteJit *jit;
  assertSucceeds(create(caller, options, &jit));
  total = 5;
  assert_int_equal(lookUp(jit, "twice")(10), 1025);
  assert_int_equal(total, 25);
  cuteJitDestroy(jit);
}

static const char callsLibc[] = "declare i32 @abs(i32)\n"
                                "define i32 @f(i32 %x) noinline optnone {\n"
                                "  %y = call i32 @abs(i32 %x) nobuiltin\n"
                                "  ret i32 %y\n"
                                "}\n";

static void seesTheProcessOnlyIfAsked(void **state) {
  (void)state;
  CuteJit *jit;
  void *address;
  assertSucceeds(create(callsLibc, (CuteJitOptions){0}, &jit));
  assertFails(cuteJitLookUp(jit, "f", &address), "Symbols not found: [ abs ]");
  assert_null(address);
  cuteJitDestroy(jit);
  assertSucceeds(
      create(callsLibc, (CuteJitOptions){.seesProcess = true}, &jit));
  assert_int_equal(lookUp(jit, "f")(-3), 3);
  cuteJitDestroy(jit);
}

static void rejects(void **state) {
  (void)state;
  CuteJit *jit;
  assertFails(create("@x = global i32 0\n"
                     "@llvm.global_ctors = appending global [0 x { i32, ptr, "
                     "ptr }] zeroinitializer\n",
                     (CuteJitOptions){0}, &jit),
              "global constructors");
  assert_null(jit);
  CuteJitSymbol taken[] = {{"square", (void *)add}};
  assertFails(
      create(square, (CuteJitOptions){.symbols = taken, .numSymbols = 1}, &jit),
      "square");
  assert_null(jit);
  assertFails(
      cuteJitCreateFromObject("no object", 9, (CuteJitOptions){0}, &jit),
      "adding the object");
  assert_null(jit);
}

static void rejectsWhatLlvmRefuses(void **state) {
  (void)state;
  Module m = parse(square);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(m.context);
  LLVMPositionBuilderAtEnd(builder, LLVMGetEntryBasicBlock(LLVMGetNamedFunction(
                                        m.module, "square")));
  LLVMBuildRetVoid(builder); // after the end of the block
  LLVMDisposeBuilder(builder);
  CuteJit *jit;
  assertFails(cuteJitCreate(m.module, (CuteJitOptions){0}, &jit),
              "verifying the module");
  destroy(m);
}

static void rejectsUnknownAssembly(void **state) {
  (void)state;
  CuteJit *jit;
  assertFails(create("define void @f() {\n"
                     "  call void asm sideeffect \"no_such_instruction\", "
                     "\"\"()\n"
                     "  ret void\n"
                     "}\n",
                     (CuteJitOptions){0}, &jit),
              "invalid instruction mnemonic 'no_such_instruction'");
  assert_null(jit);
}

static void emitsObjectsAndText(void **state) {
  (void)state;
  Module m = parse(square);
  CuteString object = {0}, text = {0};
  assertSucceeds(cuteHostCodeEmit(
      m.module, (CuteHostCodeOptions){2, .isForAnyHost = true}, &object, NULL));
  assertSucceeds(cuteHostCodeEmit(
      m.module, (CuteHostCodeOptions){2, true, .isForAssembly = true}, &text,
      NULL));
  destroy(m);
  assert_non_null(strstr(cuteStringGet(&text), "square:"));
  assert_memory_equal(object.data, "\177ELF", 4);
  CuteJit *jit;
  assertSucceeds(cuteJitCreateFromObject(object.data, object.length,
                                         (CuteJitOptions){0}, &jit));
  cuteStringDestroy(&object);
  cuteStringDestroy(&text);
  assert_int_equal(lookUp(jit, "square")(12), 144);
  cuteJitDestroy(jit);
}

static long residentPages(void) {
  long size = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%ld %ld", &size, &resident), 2);
  fclose(file);
  return resident;
}

static void compileTimes(int times) {
  for (int i = 0; i < times; ++i) {
    CuteJit *jit;
    void *address;
    assertSucceeds(create(square, (CuteJitOptions){.optLevel = 2}, &jit));
    assertSucceeds(cuteJitLookUp(jit, "square", &address));
    cuteJitDestroy(jit);
  }
}

static void doesNotGrow(void **state) {
  (void)state;
  const char *cases = getenv("CUTE_CASES");
  int times = cases ? atoi(cases) : 250;
  compileTimes(100);
  long before = residentPages();
  compileTimes(times);
  long grown = (residentPages() - before) * sysconf(_SC_PAGESIZE);
  if (grown > 2 << 20)
    fail_msg("%d compilations took %ld bytes", times, grown);
}

static void *compileMany(void *data) {
  int *sum = data;
  for (int i = 0; i < 20; ++i) {
    CuteJit *jit;
    void *address = NULL;
    Function function;
    if (cuteStatusConsume(
            create(square, (CuteJitOptions){.optLevel = 2}, &jit)) &&
        cuteStatusConsume(cuteJitLookUp(jit, "square", &address))) {
      memcpy(&function, &address, sizeof function);
      *sum += function(i);
    }
    cuteJitDestroy(jit);
  }
  return NULL;
}

static void threadsAtOnce(void **state) {
  (void)state;
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  int sums[THREADS] = {0};
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, compileMany, &sums[i]),
                     0);
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(sums[i], 19 * 20 * 39 / 6);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(callsFunctions),
      cmocka_unit_test(callsSymbols),
      cmocka_unit_test(seesTheProcessOnlyIfAsked),
      cmocka_unit_test(rejects),
      cmocka_unit_test(rejectsWhatLlvmRefuses),
      cmocka_unit_test(rejectsUnknownAssembly),
      cmocka_unit_test(emitsObjectsAndText),
      cmocka_unit_test(doesNotGrow),
      cmocka_unit_test(threadsAtOnce),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
