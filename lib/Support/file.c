#define _DEFAULT_SOURCE // madvise
#include "Support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static CuteStatus check(const char *path, size_t most) {
  struct stat info;
  if (stat(path, &info))
    return cuteStatusCreate("cannot open '%s': %s", path, strerror(errno));
  if (!S_ISREG(info.st_mode))
    return cuteStatusCreate("'%s' is not a regular file", path);
  if ((uintmax_t)info.st_size > most)
    return cuteStatusCreate("'%s' has %ju bytes; at most %zu are read", path,
                            (uintmax_t)info.st_size, most);
  return NULL;
}

// Appends what is left of a file; false where that is more, or cannot be read.
static bool appendRest(FILE *file, size_t most, CuteString *text) {
  char buffer[1 << 16];
  for (size_t n;
       text->length <= most && (n = fread(buffer, 1, sizeof buffer, file));)
    cuteStringAppendBytes(text, buffer, n);
  return !ferror(file) && text->length <= most;
}

CuteStatus cuteFileRead(const char *path, size_t most, CuteString *text) {
  *text = (CuteString){0};
  CUTE_TRY(check(path, most));
  FILE *file = fopen(path, "rb");
  if (!file)
    return cuteStatusCreate("cannot open '%s': %s", path, strerror(errno));
  bool ok = appendRest(file, most, text);
  fclose(file);
  if (ok)
    return NULL;
  cuteStringDestroy(text);
  *text = (CuteString){0};
  return cuteStatusCreate("cannot read '%s'", path);
}

// Finds how many bytes are read: a device, such as /dev/zero, may have no end.
static size_t mostOf(FILE *file) {
  enum { MOST_OF_DEVICE = 1 << 24 };
  struct stat info;
  bool isDevice = !fstat(fileno(file), &info) && S_ISCHR(info.st_mode);
  return isDevice ? MOST_OF_DEVICE : SIZE_MAX;
}

bool cuteFileAppend(const char *path, CuteString *text) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  if (!file)
    return false;
  size_t most = mostOf(file);
  bool ok = appendRest(file, most, text);
  if (text->length > most)
    errno = EFBIG;
  if (file != stdin)
    fclose(file);
  return ok;
}

// Tells whether a file is worth it and has a last page with room for NULs.
static bool isMappable(const struct stat *info) {
  enum { LEAST = 1 << 20 };
  return S_ISREG(info->st_mode) && info->st_size >= LEAST &&
         info->st_size % sysconf(_SC_PAGESIZE);
}

// The text of a large regular file, or null; pipes are not opened.
static void *map(const char *path, size_t *length) {
  struct stat info;
  if (stat(path, &info) || !isMappable(&info))
    return NULL;
  int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  void *mapping = MAP_FAILED;
  if (file < 0)
    return NULL;
  if (!fstat(file, &info) && isMappable(&info)) {
    *length = (size_t)info.st_size;
    mapping = mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0);
  }
  close(file);
  return mapping == MAP_FAILED ? NULL : mapping;
}

bool cuteFileTextOpen(CuteFileText *file, const char *path) {
  *file = (CuteFileText){0};
  size_t length = 0;
  file->mapping = strcmp(path, "-") ? map(path, &length) : NULL;
  file->text = (CuteStringRef){file->mapping, length};
  if (file->mapping)
    return true;
  bool ok = cuteFileAppend(path, &file->read);
  file->text = cuteStringGetRef(&file->read);
  return ok;
}

void cuteFileTextClose(CuteFileText *file) {
  if (file->mapping)
    munmap(file->mapping, file->text.length);
  cuteStringDestroy(&file->read);
  *file = (CuteFileText){0};
}

void cuteFileTextRest(const CuteFileText *file) {
  if (file->mapping)
    madvise(file->mapping, file->text.length, MADV_DONTNEED);
}

bool cuteFileWriteAll(int file, const CuteString *text) {
  for (size_t done = 0; done < text->length;) {
    ssize_t n = write(file, text->data + done, text->length - done);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}
