/* What an older glibc lacks and gcc's and LLVM's archives use: the functions
 * under their names, by means of what it has. tools/older_glibc.py puts them
 * beside its stubs, and linkers take what is used. */
#define _GNU_SOURCE
#include <link.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Before 2.33 these were inline functions of a header, over functions with the
 * number of the struct's form. */
#ifdef __x86_64__
#define STAT_FORM 1
#else
#define STAT_FORM 0
#endif
int __xstat(int form, const char *path, struct stat *status);
int __fxstat(int form, int file, struct stat *status);
int __lxstat(int form, const char *path, struct stat *status);
int __xmknod(int form, const char *path, mode_t mode, dev_t *device);

int stat(const char *path, struct stat *status) {
  return __xstat(STAT_FORM, path, status);
}

int fstat(int file, struct stat *status) {
  return __fxstat(STAT_FORM, file, status);
}

int lstat(const char *path, struct stat *status) {
  return __lxstat(STAT_FORM, path, status);
}

int mknod(const char *path, mode_t mode, dev_t device) {
  return __xmknod(0, path, mode, &device);
}

/* The struct has one form on machines of 64 bits. */
int stat64(const char *path, struct stat64 *status) {
  return __xstat(STAT_FORM, path, (struct stat *)status);
}

int fstat64(int file, struct stat64 *status) {
  return __fxstat(STAT_FORM, file, (struct stat *)status);
}

int lstat64(const char *path, struct stat64 *status) {
  return __lxstat(STAT_FORM, path, (struct stat *)status);
}

/* libstdc++ counts references without atomics while there is one thread: never
 * here. */
char __libc_single_threaded = 0;

pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

/* 2.36, for std::random_device. */
uint32_t arc4random(void) {
  uint32_t bits;
  if (getentropy(&bits, sizeof bits) != 0)
    __builtin_trap();
  return bits;
}

/* 2.33. The fields are mallinfo's, made wide. */
struct mallinfo2 mallinfo2(void) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo narrow = mallinfo();
#pragma GCC diagnostic pop
  return (struct mallinfo2){
      .arena = (unsigned)narrow.arena,
      .ordblks = (unsigned)narrow.ordblks,
      .smblks = (unsigned)narrow.smblks,
      .hblks = (unsigned)narrow.hblks,
      .hblkhd = (unsigned)narrow.hblkhd,
      .usmblks = (unsigned)narrow.usmblks,
      .fsmblks = (unsigned)narrow.fsmblks,
      .uordblks = (unsigned)narrow.uordblks,
      .fordblks = (unsigned)narrow.fordblks,
      .keepcost = (unsigned)narrow.keepcost,
  };
}

typedef struct {
  uintptr_t address;
  struct dl_find_object *found;
} Search;

/* Fills in `found` if the object has the address in a segment, and frames to
 * unwind. */
static int look(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size;
  Search *search = data;
  const void *frames = NULL;
  int inside = 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &object->dlpi_phdr[i];
    uintptr_t start = object->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_GNU_EH_FRAME)
      frames = (const void *)start;
    if (header->p_type != PT_LOAD || search->address - start >= header->p_memsz)
      continue;
    inside = 1;
    search->found->dlfo_map_start = (void *)start;
    search->found->dlfo_map_end = (void *)(start + header->p_memsz);
  }
  if (!inside || !frames)
    return 0;
  search->found->dlfo_flags = 0;
  search->found->dlfo_link_map = NULL;
  search->found->dlfo_eh_frame = (void *)(uintptr_t)frames;
  return 1;
}

/* 2.35, for the unwinder of libgcc: 0 if found. */
int _dl_find_object(void *address, struct dl_find_object *found) {
  Search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(look, &search) ? 0 : -1;
}
