#include "Compile/program_folder.h"

#include "Support/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

//===-- Finding programs --------------------------------------------------===//

static bool isExecutable(CuteString *path, const char *name, const char *folder,
                         size_t length) {
  cuteStringClear(path);
  cuteStringAppendBytes(path, folder, length);
  cuteStringAppendFormat(path, "/%s", name);
  struct stat status;
  return length && !access(cuteStringGet(path), X_OK) &&
         !stat(cuteStringGet(path), &status) && S_ISREG(status.st_mode);
}

// Finds a program in the folder bin of what the environment's variable names.
static bool isInToolkit(CuteString *path, const char *name,
                        const char *variable) {
  const char *home = getenv(variable);
  if (!home || !*home)
    return false;
  CUTE_SCOPED(String) bin = {0};
  cuteStringAppendFormat(&bin, "%s/bin", home);
  return isExecutable(path, name, bin.data, bin.length);
}

// Names folders of programs that the environment does not lead to.
// CUTE_CUDA_BIN is the one that CMake found (cmake/CudaToolkit.cmake).
static const char *const usualFolders[] = {
#ifdef CUTE_CUDA_BIN
    CUTE_CUDA_BIN,
#endif
    "/usr/local/cuda/bin"};

bool cuteProgramFind(CuteString *path, const char *name) {
  const char *search = getenv("PATH");
  while (search && *search) {
    size_t n = strcspn(search, ":");
    if (isExecutable(path, name, search, n))
      return true;
    search += n + (search[n] == ':');
  }
  bool found = isInToolkit(path, name, "CUDA_HOME") ||
               isInToolkit(path, name, "CUDA_PATH");
  size_t n = sizeof usualFolders / sizeof *usualFolders;
  for (size_t i = 0; !found && i < n; ++i)
    found = isExecutable(path, name, usualFolders[i], strlen(usualFolders[i]));
  return found;
}

void cuteProgramAppendPlaces(CuteString *text) {
  cuteStringAppend(text, "on the PATH, in $CUDA_HOME/bin or $CUDA_PATH/bin");
  size_t n = sizeof usualFolders / sizeof *usualFolders;
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendFormat(text, " or in %s", usualFolders[i]);
}

void cuteProgramDescribe(CuteString *text, const char *name) {
  CUTE_SCOPED(String) path = {0};
  struct stat status;
  if (cuteProgramFind(&path, name) && !stat(cuteStringGet(&path), &status))
    cuteStringAppendFormat(text, "%s %jd %jd\n", cuteStringGet(&path),
                           status.st_size, status.st_mtime);
}

//===-- Files -------------------------------------------------------------===//

bool cuteFolderWrite(const char *path, const CuteString *text) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  bool ok = file >= 0 && cuteFileWriteAll(file, text);
  if (file >= 0)
    close(file);
  return ok;
}

//===-- The folder that programs work in ----------------------------------===//

// Files and folder that a signal removes in a tool, if the path is not empty.
static bool isTool;
static CuteFolder inUse;
static volatile sig_atomic_t runningChild;

static void removeFolder(const CuteFolder *folder) {
  unlink(folder->input);
  unlink(folder->output);
  unlink(folder->messages);
  for (int i = 0; i < CUTE_MAX_IMAGES; ++i)
    unlink(folder->images[i]);
  rmdir(folder->path);
}

static void removeAndEnd(int number) {
  if (runningChild)
    kill((pid_t)runningChild, SIGTERM);
  if (*inUse.path)
    removeFolder(&inUse);
  raise(number); // the default action, by SA_RESETHAND
}

void cuteProgramCleanUpOnSignals(void) {
  isTool = true;
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = removeAndEnd,
                             .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) {
    struct sigaction before;
    if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL)
      sigaction(signals[i], &action, NULL);
  }
}

// A new folder in $TMPDIR or /tmp; false with errno.
bool cuteFolderCreate(CuteFolder *folder) {
  const char *place = getenv("TMPDIR");
  place = place && *place ? place : "/tmp";
  char path[sizeof folder->path];
  int n = snprintf(path, sizeof path, "%s/cutec-XXXXXX", place);
  if (n >= (int)sizeof path) {
    errno = ENAMETOOLONG;
    return false;
  }
  bool isMade = mkdtemp(path);
  memcpy(folder->path, path, sizeof path);
  if (!isMade)
    return false;
  snprintf(folder->input, PATH_MAX, "%s/kernel.ptx", path);
  snprintf(folder->output, PATH_MAX, "%s/kernel.cubin", path);
  snprintf(folder->messages, PATH_MAX, "%s/messages", path);
  for (int i = 0; i < CUTE_MAX_IMAGES; ++i)
    snprintf(folder->images[i], PATH_MAX, "%s/image%d", path, i);
  if (isTool)
    inUse = *folder;
  return true;
}

void cuteFolderDestroy(CuteFolder *folder) {
  if (isTool)
    inUse.path[0] = '\0';
  removeFolder(folder);
}

//===-- Running programs --------------------------------------------------===//

static bool isVerbose;

void cuteProgramSetVerbose(bool verbose) { isVerbose = verbose; }

int cuteProgramRun(char *const *arguments, const char *messages) {
  for (char *const *word = arguments; isVerbose && *word; ++word)
    fprintf(stderr, "%s%s", *word, word[1] ? " " : "\n");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, messages,
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  int status = -1;
  int error =
      posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  errno = error;
  if (error)
    return -1;
  if (isTool)
    runningChild = (sig_atomic_t)child;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (isTool)
    runningChild = 0;
  return status;
}
