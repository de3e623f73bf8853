// Runs ptxas and nvdisasm.
#include "Compile/compile.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

//===-- Finding programs --------------------------------------------------===//

static bool isExecutable(CuteString *path, const char *name, const char *folder,
                         size_t length) {
  cuteStringClear(path);
  cuteStringAppendBytes(path, folder, length);
  cuteStringAppendFormat(path, "/%s", name);
  return length && !access(cuteStringGet(path), X_OK);
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

// Runs the program with its messages in a file; its exit code, -1 if it could
// not be run.
static int run(char *const *arguments, const char *messages) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, messages,
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child;
  int status = -1;
  if (!posix_spawn(&child, arguments[0], &actions, NULL, arguments, environ) &&
      waitpid(child, &status, 0) == child)
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  posix_spawn_file_actions_destroy(&actions);
  return status;
}

enum { MAX_WORDS = 64 };

// Runs a program with the words of a text, which is cut into them. False with a
// diagnostic.
static bool runWords(MlirLocation location, const char *program, char *text,
                     const char *messages) {
  char *words[MAX_WORDS + 1] = {(char *)(uintptr_t)program}, *rest;
  char *word = strtok_r(text, " ", &rest);
  for (size_t n = 1; word && n < MAX_WORDS; word = strtok_r(NULL, " ", &rest))
    words[n++] = word;
  if (word) {
    cuteEmitError(location, "more than %d words for ptxas, '%s' and so on",
                  MAX_WORDS, word);
    return false;
  }
  int status = run(words, messages);
  CuteString said = {0};
  if (status) {
    readAll(messages, &said);
    cuteEmitError(location, "ptxas failed (exit code %d): %s", status,
                  cuteStringGet(&said));
  }
  cuteStringDestroy(&said);
  return !status;
}

// What ptxas says of products of a warpgroup that it had to put in order, and
// of registers that it did not hand over, in lines "info : (C7514) ...".
static void warnOfLine(MlirLocation location, CuteStringRef line) {
  static const char code[] = "(C75";
  size_t n = strlen(code);
  for (size_t i = 0; i + n <= line.length; ++i) {
    if (memcmp(line.data + i, code, n))
      continue;
    CuteString text = {0};
    cuteStringAppend(&text, "ptxas: ");
    cuteStringAppendBytes(&text, line.data + i, line.length - i);
    cuteEmit(location, CUTE_SEVERITY_WARNING,
             toMlirString(cuteStringGetRef(&text)), NULL);
    cuteStringDestroy(&text);
    return;
  }
}

static void warnOf(MlirLocation location, const char *messages) {
  CuteString said = {0};
  readAll(messages, &said);
  for (const char *at = cuteStringGet(&said); *at;) {
    size_t n = strcspn(at, "\n");
    warnOfLine(location, (CuteStringRef){at, n});
    at += n + (at[n] == '\n');
  }
  cuteStringDestroy(&said);
}

static bool assembleIn(MlirLocation location, const char *ptxas,
                       const char *folder, const CuteArch *arch,
                       const char *options, const CuteString *ptx,
                       CuteString *cubin, CuteString *log) {
  char input[128], output[128], messages[128];
  snprintf(input, sizeof input, "%s/kernel.ptx", folder);
  snprintf(output, sizeof output, "%s/kernel.cubin", folder);
  snprintf(messages, sizeof messages, "%s/messages", folder);
  CuteString text = {0};
  cuteStringAppendFormat(&text, "-arch=%s -o %s %s%s %s", arch->name, output,
                         input, log ? " -v" : "", options ? options : "");
  bool ok = writeFile(input, ptx);
  if (!ok)
    cuteEmitError(location, "cannot write %s: %s", input, strerror(errno));
  ok = ok && runWords(location, ptxas, text.data, messages);
  if (ok)
    warnOf(location, messages);
  if (ok && !(readAll(output, cubin) && (!log || readAll(messages, log)))) {
    cuteEmitError(location,
                  "ptxas wrote no cubin with the options '%s'; they may say "
                  "how it compiles, as -O2",
                  options ? options : "");
    ok = false;
  }
  cuteStringDestroy(&text);
  unlink(input);
  unlink(output);
  unlink(messages);
  return ok;
}

bool cuteAssemble(MlirLocation location, const CuteArch *arch,
                  const char *options, const CuteString *ptx, CuteString *cubin,
                  CuteString *messages) {
  CuteString ptxas = {0};
  char folder[] = "/tmp/cutec-XXXXXX";
  bool ok = findProgram(&ptxas, "ptxas");
  if (!ok) {
    cuteEmitError(location, "no ptxas on the PATH, in $CUDA_HOME/bin or in "
                            "/usr/local/cuda/bin; --emit=ptx works without");
  } else if (!mkdtemp(folder)) {
    cuteEmitError(location, "cannot make a folder in /tmp: %s",
                  strerror(errno));
    ok = false;
  } else {
    ok = assembleIn(location, cuteStringGet(&ptxas), folder, arch, options, ptx,
                    cubin, messages);
    rmdir(folder);
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
  char folder[] = "/tmp/cutec-XXXXXX", input[128], output[128], option[] = "-c";
  bool ok = findProgram(&program, "nvdisasm") && mkdtemp(folder);
  if (ok) {
    snprintf(input, sizeof input, "%s/kernel.cubin", folder);
    snprintf(output, sizeof output, "%s/listing", folder);
    char *arguments[] = {program.data, option, input, NULL};
    ok = writeFile(input, cubin) && !run(arguments, output) &&
         readAll(output, text);
    unlink(input);
    unlink(output);
    rmdir(folder);
  }
  cuteStringDestroy(&program);
  return ok;
}
