/* Uses what moved, changed or came after glibc 2.28; fails by its exit status.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unwind.h>

uint32_t arc4random(void);

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition);                  \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static void *add_one(void *number) {
  ++*(int *)number;
  return number;
}

static _Unwind_Reason_Code count(struct _Unwind_Context *context,
                                 void *frames) {
  (void)context;
  ++*(int *)frames;
  return _URC_NO_REASON;
}

static void checkFiles(const char *program) {
  struct stat by_name, by_file, of_link;
  CHECK(stat(program, &by_name) == 0);
  FILE *file = fopen(program, "r");
  CHECK(file && fstat(fileno(file), &by_file) == 0);
  CHECK(by_name.st_ino == by_file.st_ino && by_name.st_size == by_file.st_size);
  CHECK(S_ISREG(by_name.st_mode) && stat("/nowhere/at/all", &by_name) == -1);
  char link_name[4096];
  snprintf(link_name, sizeof link_name, "%s.link", program);
  unlink(link_name);
  CHECK(symlink(program, link_name) == 0 && lstat(link_name, &of_link) == 0);
  CHECK(S_ISLNK(of_link.st_mode));
  struct stat64 wide;
  CHECK(stat64(link_name, &wide) == 0 && wide.st_ino == by_file.st_ino);
  CHECK(fstat64(fileno(file), &wide) == 0 && wide.st_size == by_file.st_size);
  CHECK(lstat64(link_name, &wide) == 0 && wide.st_ino == of_link.st_ino);
  unlink(link_name);
  CHECK(mknod(link_name, S_IFIFO | 0600, 0) == 0 &&
        stat(link_name, &by_name) == 0);
  CHECK(S_ISFIFO(by_name.st_mode));
  unlink(link_name);
  fclose(file);
}

static void checkUnwinding(void) {
  struct dl_find_object found;
  uintptr_t here = (uintptr_t)&checkUnwinding;
  CHECK(_dl_find_object((void *)here, &found) == 0);
  CHECK((uintptr_t)found.dlfo_map_start <= here &&
        here < (uintptr_t)found.dlfo_map_end);
  CHECK(found.dlfo_eh_frame);
  CHECK(_dl_find_object((void *)16, &found) == -1);
  int frames = 0;
  _Unwind_Backtrace(count, &frames);
  CHECK(frames >= 3);
}

int main(int argc, char **argv) {
  pthread_t thread;
  int number = 41;
  CHECK(pthread_create(&thread, NULL, add_one, &number) == 0);
  CHECK(pthread_join(thread, NULL) == 0 && number == 42);
  CHECK(dlsym(dlopen(NULL, RTLD_NOW), "malloc"));
  double one = argc;
  CHECK(exp(one - 1) == 1 && hypot(3 * one, 4 * one) == 5 &&
        pow(2 * one, 10) == 1024);
  checkFiles(argv[0]);
  checkUnwinding();
  CHECK(gettid() == getpid());
  uint32_t bits = arc4random() | arc4random() | arc4random() | arc4random();
  CHECK(bits);
  size_t before = mallinfo2().uordblks;
  void *block = malloc(100000);
  memset(block, 1, 100000);
  CHECK(mallinfo2().uordblks + mallinfo2().hblkhd >= before + 100000);
  free(block);
  puts("all as it should be");
  return 0;
}
