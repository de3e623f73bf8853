// An entry is a file with a head, the key and the value, named after the key's
// hash. It is written under another name and renamed, so that readers see all
// of it or nothing. What a process leaves that ends before it renames is
// removed an hour later.
#define _GNU_SOURCE // dladdr
#include "Support/arena.h"
#include "Support/file.h"
#include "Support/hash.h"
#include "cute/Cache.h"
#include "cute/Version.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <llvm-c/Core.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct CuteCache {
  CuteString folder;
  uint64_t maxBytes;
};

static const char magic[8] = "cutekv1";
static const char unfinished[] = "new-XXXXXX";
enum { SECONDS_TO_FINISH = 3600 };

typedef struct Head {
  char magic[8];
  uint64_t keyLength, valueLength, hash; // of key and value
} Head;

//===-- The folder --------------------------------------------------------===//

// Makes a folder and those above it, readable by the user alone.
static void makeFolders(const char *path) {
  CUTE_SCOPED(String) part = {0};
  for (const char *at = path; *at; ++at) {
    if (*at == '/' && at != path)
      mkdir(cuteStringGet(&part), 0700);
    cuteStringAppendChar(&part, *at);
  }
  mkdir(cuteStringGet(&part), 0700);
}

CuteCache *cuteCacheCreate(const char *folder, uint64_t maxBytes) {
  CuteCache *cache = cuteAllocate(sizeof *cache);
  *cache = (CuteCache){.maxBytes = maxBytes};
  cuteStringAppend(&cache->folder, folder ? folder : "/dev/null");
  if (folder)
    makeFolders(folder);
  return cache;
}

void cuteCacheDestroy(CuteCache *cache) {
  if (cache)
    cuteStringDestroy(&cache->folder);
  free(cache);
}

static void appendPath(const CuteCache *cache, CuteString *path,
                       const char *name) {
  cuteStringAppendFormat(path, "%s/%s", cuteStringGet(&cache->folder), name);
}

static void appendEntryPath(const CuteCache *cache, CuteString *path,
                            CuteStringRef key) {
  char name[32];
  uint64_t hash = cuteHashBytes(key.data, key.length);
  snprintf(name, sizeof name, "%016llx.cute", (unsigned long long)hash);
  appendPath(cache, path, name);
}

static bool isEntry(const char *name) {
  size_t n = strlen(name);
  return n > 5 && !strcmp(name + n - 5, ".cute");
}

//===-- Reading -----------------------------------------------------------===//

// All of a regular file of at most an entry's size; an empty text if there is
// none.
static void readEntry(const CuteCache *cache, int file, CuteString *text) {
  struct stat status;
  if (fstat(file, &status) || !S_ISREG(status.st_mode) ||
      (uint64_t)status.st_size > cache->maxBytes)
    return;
  char buffer[1 << 14];
  ssize_t n;
  while ((n = read(file, buffer, sizeof buffer)) > 0)
    cuteStringAppendBytes(text, buffer, (size_t)n);
}

static uint64_t hashEntry(CuteStringRef key, CuteStringRef value) {
  return cuteHashMix(cuteHashBytes(key.data, key.length),
                     cuteHashBytes(value.data, value.length));
}

// The value of an entry, if it is whole and for this key.
static bool openEntry(const CuteString *entry, CuteStringRef key,
                      CuteStringRef *value) {
  Head head;
  if (entry->length < sizeof head)
    return false;
  memcpy(&head, entry->data, sizeof head);
  size_t rest = entry->length - sizeof head;
  if (memcmp(head.magic, magic, sizeof magic) || head.keyLength != key.length ||
      rest < key.length || head.valueLength != rest - key.length)
    return false;
  const char *at = entry->data + sizeof head;
  *value = (CuteStringRef){at + key.length, rest - key.length};
  return (!key.length || !memcmp(at, key.data, key.length)) &&
         head.hash == hashEntry(key, *value);
}

bool cuteCacheFind(CuteCache *cache, CuteStringRef key,
                   CuteStringCallback callback, void *userData) {
  CUTE_SCOPED(String) path = {0}, entry = {0};
  appendEntryPath(cache, &path, key);
  int file = open(cuteStringGet(&path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file >= 0) {
    readEntry(cache, file, &entry);
    close(file);
  }
  CuteStringRef value;
  bool found = openEntry(&entry, key, &value);
  if (found) {
    utimensat(AT_FDCWD, cuteStringGet(&path), NULL, 0); // used now
    callback(value, userData);
  }
  return found;
}

//===-- The limit ---------------------------------------------------------===//

typedef struct Entry {
  struct timespec time;
  uint64_t bytes;
  char name[32];
} Entry;

typedef struct Entries {
  Entry *list;
  size_t count;
  uint64_t bytes;
} Entries;

static void addEntry(const CuteCache *cache, Entries *entries,
                     const char *name) {
  CUTE_SCOPED(String) path = {0};
  struct stat status;
  appendPath(cache, &path, name);
  if (isEntry(name) && strlen(name) < sizeof entries->list->name &&
      !lstat(cuteStringGet(&path), &status)) {
    entries->list = cuteReallocate(entries->list, (entries->count + 1) *
                                                      sizeof *entries->list);
    Entry *entry = &entries->list[entries->count++];
    *entry = (Entry){.time = status.st_mtim, .bytes = (uint64_t)status.st_size};
    strcpy(entry->name, name);
    entries->bytes += entry->bytes;
  }
}

static int compareTimes(const void *first, const void *second) {
  struct timespec a = ((const Entry *)first)->time;
  struct timespec b = ((const Entry *)second)->time;
  return a.tv_sec != b.tv_sec
             ? (a.tv_sec > b.tv_sec) - (a.tv_sec < b.tv_sec)
             : (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

// Removes a file that an entry was written to, unless it may be going on.
static void removeUnfinished(const CuteCache *cache, const char *name) {
  CUTE_SCOPED(String) path = {0};
  struct stat status;
  appendPath(cache, &path, name);
  if (strlen(name) == strlen(unfinished) && !strncmp(name, unfinished, 4) &&
      !lstat(cuteStringGet(&path), &status) && S_ISREG(status.st_mode) &&
      status.st_mtim.tv_sec < time(NULL) - SECONDS_TO_FINISH)
    unlink(cuteStringGet(&path));
}

// Removes what was not used for the longest time, until the rest is small
// enough.
static void prune(const CuteCache *cache) {
  Entries entries = {0};
  DIR *folder = opendir(cuteStringGet(&cache->folder));
  for (struct dirent *file; folder && (file = readdir(folder));) {
    addEntry(cache, &entries, file->d_name);
    removeUnfinished(cache, file->d_name);
  }
  if (folder)
    closedir(folder);
  if (entries.bytes > cache->maxBytes)
    qsort(entries.list, entries.count, sizeof *entries.list, compareTimes);
  for (size_t i = 0; i < entries.count && entries.bytes > cache->maxBytes;
       ++i) {
    CUTE_SCOPED(String) path = {0};
    appendPath(cache, &path, entries.list[i].name);
    unlink(cuteStringGet(&path));
    entries.bytes -= entries.list[i].bytes;
  }
  free(entries.list);
}

//===-- Writing -----------------------------------------------------------===//

// Writes the entry under a temporary name, and renames it.
static bool writeEntry(const CuteCache *cache, const CuteString *entry,
                       const char *path) {
  CUTE_SCOPED(String) temporary = {0};
  appendPath(cache, &temporary, unfinished);
  int file = mkstemp(temporary.data);
  bool ok = file >= 0 && cuteFileWriteAll(file, entry);
  if (file >= 0)
    ok = !close(file) && ok;
  ok = ok && !rename(temporary.data, path);
  if (file >= 0 && !ok)
    unlink(temporary.data);
  return ok;
}

bool cuteCacheKeep(CuteCache *cache, CuteStringRef key, CuteStringRef value) {
  Head head = {.keyLength = key.length,
               .valueLength = value.length,
               .hash = hashEntry(key, value)};
  memcpy(head.magic, magic, sizeof magic);
  CUTE_SCOPED(String) entry = {0}, path = {0};
  cuteStringAppendBytes(&entry, (const char *)&head, sizeof head);
  cuteStringAppendBytes(&entry, key.data, key.length);
  cuteStringAppendBytes(&entry, value.data, value.length);
  appendEntryPath(cache, &path, key);
  bool ok = entry.length <= cache->maxBytes &&
            writeEntry(cache, &entry, cuteStringGet(&path));
  if (ok)
    prune(cache);
  return ok;
}

//===-- The library -------------------------------------------------------===//

typedef void Function(void);

// Appends size and time of the file that a function is in.
static void describeFileOf(CuteString *text, Function *function) {
  void *address;
  Dl_info info;
  struct stat status;
  memcpy(&address, &function, sizeof address);
  if (dladdr(address, &info) && info.dli_fname &&
      !stat(info.dli_fname, &status))
    cuteStringAppendFormat(text, "%jd %jd.%09ld\n", status.st_size,
                           status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

void cuteCacheDescribeLibrary(CuteStringCallback callback, void *userData) {
  CUTE_SCOPED(String) text = {0};
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  cuteStringAppendFormat(&text, "cute %s LLVM %u.%u.%u\n", cuteVersion(), major,
                         minor, patch);
  describeFileOf(&text, (Function *)cuteCacheDescribeLibrary);
  describeFileOf(&text, (Function *)LLVMGetVersion);
  callback(cuteStringGetRef(&text), userData);
}
