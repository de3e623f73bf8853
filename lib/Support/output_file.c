#include "Support/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_LINKS = 40, MAX_TRIES = 100 };

//===-- Paths -------------------------------------------------------------===//

static bool isSame(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool isStdout(const char *path) { return !strcmp(path, "-"); }

static bool getStatus(const char *path, struct stat *status) {
  return !(isStdout(path) ? fstat(STDOUT_FILENO, status) : stat(path, status));
}

// Measures how much of a path is its folder, with the slash.
static size_t folderLength(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

// Replaces a symbolic link by what it points to; false if it is none.
static bool followLink(CuteString *path) {
  char link[PATH_MAX];
  ssize_t n = readlink(cuteStringGet(path), link, sizeof link);
  if (n < 0 || (size_t)n == sizeof link)
    return false;
  CuteString next = {0};
  if (*link != '/')
    cuteStringAppendBytes(&next, cuteStringGet(path),
                          folderLength(cuteStringGet(path)));
  cuteStringAppendBytes(&next, link, (size_t)n);
  cuteStringDestroy(path);
  *path = next;
  return true;
}

// The file that opening the path would open or make: links at its end are
// followed.
static CuteString followLinks(const char *path) {
  CuteString target = {0};
  cuteStringAppend(&target, path);
  for (int i = 0; i < MAX_LINKS && followLink(&target); ++i)
    ;
  return target;
}

static bool getFolderStatus(const char *path, struct stat *status) {
  CUTE_SCOPED(String) folder = {0};
  cuteStringAppendBytes(&folder, path, folderLength(path));
  if (!folder.length)
    cuteStringAppendChar(&folder, '.');
  return !stat(cuteStringGet(&folder), status);
}

// Compares paths at which there is nothing yet.
static bool wouldBeSame(const char *a, const char *b) {
  struct stat folderA, folderB;
  CUTE_SCOPED(String) targetA = followLinks(a), targetB = followLinks(b);
  a = cuteStringGet(&targetA);
  b = cuteStringGet(&targetB);
  return !strcmp(a + folderLength(a), b + folderLength(b)) &&
         getFolderStatus(a, &folderA) && getFolderStatus(b, &folderB) &&
         isSame(&folderA, &folderB);
}

bool cuteOutputFileIsSame(const char *a, const char *b) {
  struct stat statusA, statusB;
  if (isStdout(a) && isStdout(b))
    return true;
  bool isA = getStatus(a, &statusA), isB = getStatus(b, &statusB);
  if (!isA && !isB)
    return wouldBeSame(a, b);
  return isA && isB && isSame(&statusA, &statusB) && !S_ISCHR(statusA.st_mode);
}

bool cuteOutputFileIsInput(const char *output, const char *input) {
  struct stat out, in;
  return !cuteOutputFileIsStream(output) && getStatus(output, &out) &&
         !(strcmp(input, "-") ? stat(input, &in) : fstat(STDIN_FILENO, &in)) &&
         isSame(&out, &in);
}

// The open stream that the file is, if it is one.
static FILE *streamOf(const struct stat *status) {
  FILE *const streams[] = {stdout, stderr};
  struct stat open;
  for (int i = 0; i < 2; ++i)
    if (!fstat(fileno(streams[i]), &open) && isSame(status, &open))
      return streams[i];
  return NULL;
}

bool cuteOutputFileIsStream(const char *path) {
  struct stat status;
  return isStdout(path) ||
         (getStatus(path, &status) &&
          ((!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) ||
           streamOf(&status)));
}

//===-- Opening -----------------------------------------------------------===//

// A new file in the target's folder, whose name is in `temporary` then; -1 with
// errno if there can be none.
static int createBeside(CuteOutputFile *output) {
  static unsigned number;
  int file = -1;
  for (int i = 0; file < 0 && i < MAX_TRIES; ++i) {
    const char *target = cuteStringGet(&output->target);
    cuteStringClear(&output->temporary);
    cuteStringAppendBytes(&output->temporary, target, folderLength(target));
    cuteStringAppendFormat(&output->temporary, ".cute-%ld-%u", (long)getpid(),
                           ++number);
    file = open(cuteStringGet(&output->temporary), O_WRONLY | O_CREAT | O_EXCL,
                0666);
    if (file < 0 && errno != EEXIST)
      break;
  }
  if (file < 0)
    cuteStringClear(&output->temporary);
  return file;
}

// Gives a file the owner and the permissions of another one, as far as that is
// allowed.
static void takeOver(int file, const struct stat *from) {
  struct stat own;
  bool isOwned = !fstat(file, &own) && own.st_uid == from->st_uid &&
                 own.st_gid == from->st_gid;
  if (isOwned || !fchown(file, from->st_uid, from->st_gid))
    fchmod(file, from->st_mode & 07777);
}

// Opens a file to replace the target with, which has a status if it exists.
static FILE *openBeside(CuteOutputFile *output, const struct stat *status) {
  if (status && access(cuteStringGet(&output->target), W_OK))
    return NULL;
  int file = createBeside(output);
  if (file >= 0 && status)
    takeOver(file, status);
  return file < 0 ? NULL : fdopen(file, "wb");
}

static FILE *openPath(CuteOutputFile *output) {
  struct stat status, target;
  if (isStdout(output->path))
    return stdout;
  bool exists = getStatus(output->path, &status);
  if (exists && streamOf(&status))
    return streamOf(&status);
  output->target = followLinks(output->path);
  bool isFound = !stat(cuteStringGet(&output->target), &target);
  bool isReplaced =
      exists ? S_ISREG(status.st_mode) && isFound && isSame(&status, &target)
             : !isFound;
  if (isReplaced)
    return openBeside(output, exists ? &status : NULL);
  return fopen(output->path, "wb");
}

static void openFile(CuteOutputFile *output) {
  if (!output->path || output->file || output->error)
    return;
  output->file = openPath(output);
  output->error = output->file ? 0 : errno;
}

//===-- Writing -----------------------------------------------------------===//

void cuteOutputFileAppend(CuteOutputFile *output, CuteStringRef piece) {
  openFile(output);
  if (!output->file || output->error || !piece.length)
    return;
  if (fwrite(piece.data, 1, piece.length, output->file) != piece.length)
    output->error = errno;
  output->last = piece.data[piece.length - 1];
}

static int closeFile(CuteOutputFile *output) {
  FILE *file = output->file;
  output->file = NULL;
  int status = !file                              ? 0
               : file == stdout || file == stderr ? fflush(file)
                                                  : fclose(file);
  return status ? errno : 0;
}

bool cuteOutputFilePrepare(CuteOutputFile *output) {
  if (output->isPrepared)
    return !output->error;
  openFile(output);
  int error = closeFile(output);
  output->error = output->error ? output->error : error;
  output->isPrepared = true;
  return !output->error;
}

void cuteOutputFileDiscard(CuteOutputFile *output) {
  closeFile(output);
  if (output->temporary.length)
    unlink(cuteStringGet(&output->temporary));
  cuteStringDestroy(&output->temporary);
  cuteStringDestroy(&output->target);
}

bool cuteOutputFileCommit(CuteOutputFile *output) {
  bool ok = cuteOutputFilePrepare(output);
  if (ok && output->temporary.length) {
    ok = !rename(cuteStringGet(&output->temporary),
                 cuteStringGet(&output->target));
    output->error = ok ? 0 : errno;
    if (ok)
      cuteStringClear(&output->temporary);
  }
  cuteOutputFileDiscard(output);
  return ok;
}

int cuteOutputFileWrite(const char *path, CuteStringRef text) {
  CuteOutputFile output = {.path = path};
  cuteOutputFileAppend(&output, text);
  cuteOutputFileCommit(&output);
  return output.error;
}
