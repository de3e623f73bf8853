// Runs ptxas and nvdisasm.
#include "Compile/compile.h"
#include "Support/text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool findProgram(CuteString *path, const char *name) {
  const char *search = getenv("PATH"), *home = getenv("CUDA_HOME");
  while (search && *search) {
    size_t n = strcspn(search, ":");
    if (isExecutable(path, name, search, n))
      return true;
    search += n + (search[n] == ':');
  }
  if (home) {
    CuteString bin = {0};
    cuteStringAppendFormat(&bin, "%s/bin", home);
    bool found = isExecutable(path, name, bin.data, bin.length);
    cuteStringDestroy(&bin);
    if (found)
      return true;
  }
  const char usual[] = "/usr/local/cuda/bin";
  return isExecutable(path, name, usual, sizeof usual - 1);
}

//===-- Files -------------------------------------------------------------===//

static bool writeAll(int file, const CuteString *text) {
  for (size_t done = 0; done < text->length;) {
    ssize_t n = write(file, text->data + done, text->length - done);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

static bool readAll(const char *path, CuteString *text) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return false;
  char buffer[1 << 16];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));)
    cuteStringAppendBytes(text, buffer, n);
  bool ok = !ferror(file);
  fclose(file);
  return ok;
}

static bool writeFile(const char *path, const CuteString *text) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  bool ok = file >= 0 && writeAll(file, text);
  if (file >= 0)
    close(file);
  return ok;
}

//===-- The folder that programs work in ----------------------------------===//

typedef struct Folder {
  char path[PATH_MAX - 64];
  char input[PATH_MAX], output[PATH_MAX], messages[PATH_MAX];
} Folder;

// Files and folder that a signal removes in a tool, if the path is not empty.
static bool isTool;
static Folder inUse;
static volatile sig_atomic_t runningChild;

static void removeFolder(const Folder *folder) {
  unlink(folder->input);
  unlink(folder->output);
  unlink(folder->messages);
  rmdir(folder->path);
}

static void removeAndEnd(int number) {
  if (runningChild)
    kill((pid_t)runningChild, SIGTERM);
  if (*inUse.path)
    removeFolder(&inUse);
  raise(number); // the default action, by SA_RESETHAND
}

void cuteAssembleCleanUpOnSignals(void) {
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
static bool createFolder(Folder *folder) {
  const char *place = getenv("TMPDIR");
  place = place && *place ? place : "/tmp";
  int n = snprintf(folder->path, sizeof folder->path, "%s/cutec-XXXXXX", place);
  if (n >= (int)sizeof folder->path) {
    errno = ENAMETOOLONG;
    return false;
  }
  if (!mkdtemp(folder->path))
    return false;
  snprintf(folder->input, PATH_MAX, "%s/kernel.ptx", folder->path);
  snprintf(folder->output, PATH_MAX, "%s/kernel.cubin", folder->path);
  snprintf(folder->messages, PATH_MAX, "%s/messages", folder->path);
  if (isTool)
    inUse = *folder;
  return true;
}

static void destroyFolder(Folder *folder) {
  if (isTool)
    inUse.path[0] = '\0';
  removeFolder(folder);
}

//===-- Running programs --------------------------------------------------===//

// Runs the program with its messages in a file; its status as of waitpid, or -1
// with errno if it could not be run.
static int run(char *const *arguments, const char *messages) {
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

enum { MAX_WORDS = 64 };

// The names of options that say what ptxas reads and writes, after dashes.
static bool isOfFiles(const char *word) {
  static const char *const names[] = {"o", "output-file", "optf",
                                      "options-file"};
  const char *name = word + strspn(word, "-");
  size_t n = strcspn(name, "=");
  for (size_t i = 0; name > word && i < sizeof names / sizeof *names; ++i)
    if (cuteTextEquals((CuteStringRef){name, n}, names[i]))
      return true;
  return false;
}

// Puts the words of a text, which is cut into them, after the first n. False
// with a diagnostic.
static bool addWords(MlirLocation location, char *text, char **words,
                     size_t n) {
  char *rest = NULL, *word = strtok_r(text, " ", &rest);
  for (; word && n < MAX_WORDS; word = strtok_r(NULL, " ", &rest)) {
    if (isOfFiles(word)) {
      cuteEmitError(location,
                    "the option '%s' of ptxas is about files, which are "
                    "chosen here; options may say how it compiles, as -O2",
                    word);
      return false;
    }
    words[n++] = word;
  }
  if (word)
    cuteEmitError(location, "more than %d words for ptxas, '%s' and so on",
                  MAX_WORDS, word);
  return !word;
}

static void emitFailure(MlirLocation location, const char *program, int status,
                        const char *messages) {
  CuteString said = {0};
  if (status == -1) {
    cuteEmitError(location, "cannot run %s: %s", program, strerror(errno));
  } else if (WIFSIGNALED(status)) {
    cuteEmitError(location, "ptxas was ended by signal %d (%s)",
                  WTERMSIG(status), strsignal(WTERMSIG(status)));
  } else {
    readAll(messages, &said);
    cuteEmitError(location, "ptxas failed (exit code %d): %s",
                  WEXITSTATUS(status), cuteStringGet(&said));
  }
  cuteStringDestroy(&said);
}

// Warns of products of a warpgroup that ptxas had to put in order, and of
// registers that it did not hand over, which it says in lines "info : (C7514)
// ...".
static void warnOfLine(MlirLocation location, const CuteProductPlaces *places,
                       CuteStringRef line) {
  static const char code[] = "(C75";
  size_t n = strlen(code);
  for (size_t i = 0; i + n <= line.length; ++i) {
    if (memcmp(line.data + i, code, n))
      continue;
    cuteEmitWarning(cuteProductPlacesFind(places, line, location),
                    "ptxas: %.*s", (int)(line.length - i), line.data + i);
    return;
  }
}

static void warnOf(MlirLocation location, const CuteProductPlaces *places,
                   const char *messages) {
  CuteString said = {0};
  readAll(messages, &said);
  for (const char *at = cuteStringGet(&said); *at;) {
    size_t n = strcspn(at, "\n");
    warnOfLine(location, places, (CuteStringRef){at, n});
    at += n + (at[n] == '\n');
  }
  cuteStringDestroy(&said);
}

static bool assembleIn(MlirLocation location, const CuteProductPlaces *places,
                       char *ptxas, Folder *folder, const CuteArch *arch,
                       const char *options, const CuteString *ptx,
                       CuteString *cubin, CuteString *log) {
  char archOption[32], outputOption[] = "-o", logOption[] = "-v";
  snprintf(archOption, sizeof archOption, "-arch=%s", arch->name);
  char *words[MAX_WORDS + 1] = {ptxas,          archOption,    outputOption,
                                folder->output, folder->input, NULL};
  if (log)
    words[5] = logOption;
  CuteString text = {0};
  cuteStringAppend(&text, options ? options : "");
  bool ok = !text.length || addWords(location, text.data, words, log ? 6 : 5);
  if (ok && !writeFile(folder->input, ptx)) {
    cuteEmitError(location, "cannot write %s: %s", folder->input,
                  strerror(errno));
    ok = false;
  }
  int status = ok ? run(words, folder->messages) : 0;
  if (status)
    emitFailure(location, ptxas, status, folder->messages);
  else if (ok)
    warnOf(location, places, folder->messages);
  if (ok && !status &&
      !(readAll(folder->output, cubin) &&
        (!log || readAll(folder->messages, log)))) {
    cuteEmitError(location,
                  "ptxas wrote no cubin with the options '%s'; they may say "
                  "how it compiles, as -O2",
                  options ? options : "");
    ok = false;
  }
  cuteStringDestroy(&text);
  return ok && !status;
}

bool cuteAssemble(MlirLocation location, const CuteProductPlaces *places,
                  const CuteArch *arch, const char *options,
                  const CuteString *ptx, CuteString *cubin,
                  CuteString *messages) {
  CuteString ptxas = {0};
  Folder folder = {0};
  bool ok = findProgram(&ptxas, "ptxas");
  if (!ok) {
    cuteEmitError(location, "no ptxas on the PATH, in $CUDA_HOME/bin or in "
                            "/usr/local/cuda/bin; --emit=ptx works without");
  } else if (!createFolder(&folder)) {
    cuteEmitError(location, "cannot make the folder %s: %s", folder.path,
                  strerror(errno));
    ok = false;
  } else {
    ok = assembleIn(location, places, ptxas.data, &folder, arch, options, ptx,
                    cubin, messages);
    destroyFolder(&folder);
  }
  cuteStringDestroy(&ptxas);
  return ok;
}

bool cuteCanAssemble(void) {
  CuteString ptxas = {0};
  bool found = findProgram(&ptxas, "ptxas");
  cuteStringDestroy(&ptxas);
  return found;
}

bool cuteDisassemble(const CuteString *cubin, CuteString *text) {
  CuteString program = {0};
  Folder folder = {0};
  char option[] = "-c";
  bool ok = findProgram(&program, "nvdisasm") && createFolder(&folder);
  if (ok) {
    char *arguments[] = {program.data, option, folder.output, NULL};
    ok = writeFile(folder.output, cubin) && !run(arguments, folder.messages) &&
         readAll(folder.messages, text);
    destroyFolder(&folder);
  }
  cuteStringDestroy(&program);
  return ok;
}
