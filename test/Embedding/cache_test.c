// Entries on disk: kept, found, limited, and shared by threads.
#include "embed.h"

#include <cute/Cache.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static CuteStringRef text(const char *data) {
  return (CuteStringRef){data, strlen(data)};
}

static void take(CuteStringRef piece, void *userData) {
  appendText(mlirStringRefCreate(piece.data, piece.length), userData);
}

static char folder[64];

// Makes a folder of a test, and gives a name in it.
static const char *newFolder(void) {
  strcpy(folder, "/tmp/cute-cache-XXXXXX");
  assert_non_null(mkdtemp(folder));
  return folder;
}

// Removes the folder; the number of files that were in it.
static int removeFolder(void) {
  int count = 0;
  DIR *open = opendir(folder);
  for (struct dirent *file; (file = readdir(open));) {
    char path[400];
    snprintf(path, sizeof path, "%s/%s", folder, file->d_name);
    count += !unlink(path);
  }
  closedir(open);
  assert_int_equal(rmdir(folder), 0);
  return count;
}

// Makes a file in the folder that was written to so many seconds ago.
static void leaveFile(const char *name, time_t age) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fclose(file);
  const struct timespec then = {.tv_sec = time(NULL) - age};
  const struct timespec times[2] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

// A process that was killed leaves a file, which is removed once nobody can be
// writing it; what has another name belongs to others.
static void removesWhatWasLeft(void **state) {
  (void)state;
  CuteCache *cache = cuteCacheCreate(newFolder(), 1 << 20);
  leaveFile("new-abc123", 2 * 3600);
  leaveFile("new-abc124", 60);
  leaveFile("new-plan.txt", 2 * 3600);
  assert_true(cuteCacheKeep(cache, text("a"), text("first")));
  cuteCacheDestroy(cache);
  assert_int_equal(removeFolder(), 3);
}

// So long that two times of files differ.
static void wait(void) {
  nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

static void keepsAndFinds(void **state) {
  (void)state;
  CuteCache *cache = cuteCacheCreate(newFolder(), 1 << 20);
  Text found = {0};
  assert_false(cuteCacheFind(cache, text("a"), take, &found));
  assert_true(cuteCacheKeep(cache, text("a"), text("first")));
  assert_true(cuteCacheKeep(cache, text("b"), text("")));
  assert_true(cuteCacheKeep(cache, text("a"), text("second")));
  assert_true(cuteCacheFind(cache, text("a"), take, &found));
  assert_string_equal(found.data, "second");
  assert_true(cuteCacheFind(cache, text("b"), take, &found));
  assert_false(cuteCacheFind(cache, text("c"), take, &found));
  assert_int_equal(found.length, 6);
  cuteCacheDestroy(cache);
  cuteCacheDestroy(NULL);
  free(found.data);
  assert_int_equal(removeFolder(), 2);
}

// What was used last stays.
static void staysBelowItsLimit(void **state) {
  (void)state;
  CuteCache *cache = cuteCacheCreate(newFolder(), 1000);
  enum { LENGTH = 300 };
  char value[1001] = {0};
  Text found = {0};
  for (int i = 0; i < 8; ++i) {
    char key[16];
    snprintf(key, sizeof key, "k%d", i);
    assert_true(
        cuteCacheKeep(cache, text(key), (CuteStringRef){value, LENGTH}));
    wait();
    assert_int_equal(cuteCacheFind(cache, text("k0"), take, &found), true);
    wait();
  }
  assert_true(cuteCacheFind(cache, text("k7"), take, &found));
  assert_false(cuteCacheFind(cache, text("k3"), take, &found));
  assert_false(cuteCacheKeep(cache, text("large"),
                             (CuteStringRef){value, sizeof value}));
  cuteCacheDestroy(cache);
  free(found.data);
  assert_true(removeFolder() <= 3);
}

static void doesWithoutAFolder(void **state) {
  (void)state;
  Text found = {0};
  CuteCache *cache = cuteCacheCreate("/proc/none/at/all", 1 << 20);
  assert_false(cuteCacheKeep(cache, text("a"), text("b")));
  assert_false(cuteCacheFind(cache, text("a"), take, &found));
  cuteCacheDestroy(cache);
  cache = cuteCacheCreate(NULL, 100);
  assert_false(cuteCacheKeep(cache, text("k"), text("v")));
  assert_false(cuteCacheFind(cache, text("k"), take, NULL));
  cuteCacheDestroy(cache);
}

static void *useCache(void *userData) {
  CuteCache *cache = cuteCacheCreate(folder, 1 << 20);
  size_t wrong = 0;
  for (int i = 0; i < 200; ++i) {
    char key[16];
    Text found = {0};
    snprintf(key, sizeof key, "%d", i % 7);
    bool isKept = cuteCacheKeep(cache, text(key), text(key));
    bool isFound = cuteCacheFind(cache, text(key), take, &found);
    wrong += !isKept || !isFound || strcmp(found.data, key) != 0;
    free(found.data);
  }
  cuteCacheDestroy(cache);
  *(size_t *)userData = wrong;
  return NULL;
}

static void isSharedByThreads(void **state) {
  (void)state;
  pthread_t threads[4];
  size_t wrong[4];
  newFolder();
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], NULL, useCache, &wrong[i]);
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    assert_int_equal(wrong[i], 0);
  }
  assert_int_equal(removeFolder(), 7);
}

static void describesTheLibrary(void **state) {
  (void)state;
  Text description = {0};
  cuteCacheDescribeLibrary(take, &description);
  assert_true(hasText(&description, cuteVersion()));
  assert_true(hasText(&description, "LLVM 22."));
  free(description.data);
}

//===-- Compiling ---------------------------------------------------------===//

static const char kernel[] =
    "gpu.module @m { gpu.func @k(%%p: !llvm.ptr) kernel {\n"
    "  %%x = arith.constant %d : i32\n"
    "  llvm.store %%x, %%p : i32, !llvm.ptr\n"
    "  gpu.return } }";

// Compiles a kernel that stores a number; says whether passes ran.
static bool compiles(MlirContext context, int number,
                     CuteCompileOptions options, Text *code) {
  char source[400];
  CuteCompileTimes times;
  snprintf(source, sizeof source, kernel, number);
  MlirModule module = parse(context, source);
  assert_true(mlirLogicalResultIsSuccess(
      cuteModuleCompile(module, &options, appendText, code, &times)));
  mlirModuleDestroy(module);
  return times.lower > 0;
}

static void keepsWhatIsCompiled(void **state) {
  (void)state;
  CuteCache *cache = cuteCacheCreate(newFolder(), 1 << 20);
  MlirContext context = createContext(true);
  const CuteCompileOptions first = {.size = sizeof first,
                                    .arch = "sm_80",
                                    .emit = CUTE_EMIT_PTX,
                                    .optLevel = 2,
                                    .cache = cache};
  Text code = {0}, again = {0}, other = {0};
  assert_true(compiles(context, 1, first, &code));
  assert_false(compiles(context, 1, first, &again));
  assert_string_equal(code.data, again.data);
  assert_true(compiles(context, 2, first, &other));
  assert_string_not_equal(code.data, other.data);
  CuteCompileOptions changed[] = {first, first, first, first,
                                  first, first, first};
  changed[0].arch = "sm_90";
  changed[1].emit = CUTE_EMIT_LLVM;
  changed[2].optLevel = 3;
  changed[3].lineInfo = true;
  changed[4].ptxas = "-O1";
  changed[5].marksUnwritten = true;
  changed[6].cache = NULL;
  for (size_t i = 0; i < sizeof changed / sizeof *changed; ++i)
    assert_true(compiles(context, 1, changed[i], &other));
  for (size_t i = 0; i < 6; ++i)
    assert_false(compiles(context, 1, changed[i], &other));
  destroyContext(context);
  cuteCacheDestroy(cache);
  assert_int_equal(removeFolder(), 8);
  free(code.data);
  free(again.data);
  free(other.data);
}

// Diagnostics of a compilation are repeated each time.
static void keepsNothingWithDiagnostics(void **state) {
  (void)state;
  CuteCache *cache = cuteCacheCreate(newFolder(), 1 << 20);
  MlirContext context = createContext(true);
  const CuteCompileOptions options = {.size = sizeof options,
                                      .arch = "sm_1",
                                      .emit = CUTE_EMIT_PTX,
                                      .cache = cache};
  for (int i = 0; i < 2; ++i) {
    Text code = {0}, said = {0};
    cuteDiagnosticHandlerAttach(context, collect, &said);
    MlirModule module = parse(context, "gpu.module @m {}");
    assert_true(mlirLogicalResultIsFailure(
        cuteModuleCompile(module, &options, appendText, &code, NULL)));
    assert_true(hasText(&said, "unknown architecture 'sm_1'"));
    cuteDiagnosticHandlerDetach(context);
    mlirModuleDestroy(module);
    free(said.data);
  }
  destroyContext(context);
  cuteCacheDestroy(cache);
  assert_int_equal(removeFolder(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keepsAndFinds),
      cmocka_unit_test(removesWhatWasLeft),
      cmocka_unit_test(staysBelowItsLimit),
      cmocka_unit_test(doesWithoutAFolder),
      cmocka_unit_test(isSharedByThreads),
      cmocka_unit_test(describesTheLibrary),
      cmocka_unit_test(keepsWhatIsCompiled),
      cmocka_unit_test(keepsNothingWithDiagnostics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
