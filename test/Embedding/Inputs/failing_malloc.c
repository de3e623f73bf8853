/* Loaded before a program: allocation number CUTE_FAIL_AT that our own code
   asks for fails, and at the end their number goes to the file CUTE_COUNT_TO.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static long wanted = -1, count;

enum { MAX_RANGES = 8 };
static uintptr_t ranges[MAX_RANGES][2];
static int numRanges = -1;

/* Functions of a library: "START-SIZE START-SIZE ...". */
static void addFunctions(uintptr_t library, const char *text) {
  while (*text && numRanges < MAX_RANGES) {
    char *end;
    ranges[numRanges][0] = library + strtoull(text, &end, 16);
    ranges[numRanges][1] = ranges[numRanges][0] + strtoull(end + 1, &end, 16);
    ++numRanges;
    text = end + (*end == ' ');
  }
}

/* Programs, which have no name here, and libraries that are called libcute; of
   libcute.so only CUTE_CALLERS, if it contains LLVM. */
static int addRange(struct dl_phdr_info *info, size_t size, void *data) {
  const char *slash = strrchr(info->dlpi_name, '/');
  const char *name = slash ? slash + 1 : info->dlpi_name;
  (void)size, (void)data;
  if (*name && strncmp(name, "libcute", 7))
    return 0;
  const char *callers = getenv("CUTE_CALLERS");
  if (callers && !strncmp(name, "libcute.so", 10)) {
    addFunctions(info->dlpi_addr, callers);
    return 0;
  }
  for (int i = 0; i < info->dlpi_phnum && numRanges < MAX_RANGES; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X))
      continue;
    ranges[numRanges][0] = info->dlpi_addr + part->p_vaddr;
    ranges[numRanges][1] = ranges[numRanges][0] + part->p_memsz;
    ++numRanges;
  }
  return 0;
}

/* MLIR's C API, which libcute contains, does not look at what these get. */
static int isUnchecked(const void *caller) {
  static const char *const names[] = {
      "mlirOperationStateAddAttributes", "mlirOperationStateAddOperands",
      "mlirOperationStateAddResults", "mlirOperationStateAddOwnedRegions",
      "mlirOperationStateAddSuccessors"};
  enum { LONGEST = 256 };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    uintptr_t at = (uintptr_t)dlsym(RTLD_DEFAULT, names[i]);
    if (at && (uintptr_t)caller > at && (uintptr_t)caller < at + LONGEST)
      return 1;
  }
  return 0;
}

static int isOurs(const void *caller) {
  if (numRanges < 0) {
    numRanges = 0;
    dl_iterate_phdr(addRange, NULL);
  }
  for (int i = 0; i < numRanges; ++i)
    if ((uintptr_t)caller >= ranges[i][0] && (uintptr_t)caller < ranges[i][1])
      return !isUnchecked(caller);
  return 0;
}

static int fails(const void *caller) {
  if (wanted < 0) {
    const char *text = getenv("CUTE_FAIL_AT");
    wanted = text ? atol(text) : 0;
  }
  if (!isOurs(caller) || ++count != wanted)
    return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size) {
  return fails(__builtin_return_address(0)) ? NULL
                                            : __libc_realloc(memory, size);
}

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("CUTE_COUNT_TO");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (file) {
    fprintf(file, "%ld\n", count);
    fclose(file);
  }
}
