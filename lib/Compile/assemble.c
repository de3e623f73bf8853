// Runs ptxas, nvdisasm and fatbinary.
#include "Compile/assemble.h"
#include "Compile/program_folder.h"
#include "Support/file.h"

#include <errno.h>
#include <sys/wait.h>

//===-- Options of ptxas --------------------------------------------------===//

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
    if (isOfFiles(word))
      return cuteEmitError(
          location,
          "the option '%s' of ptxas is about files, which are "
          "chosen here; options may say how it compiles, as -O2",
          word);
    words[n++] = word;
  }
  return !word ||
         cuteEmitError(location, "more than %d words for ptxas, '%s' and so on",
                       MAX_WORDS, word);
}

// Finds a program, and makes a folder for it. False with a diagnostic.
static bool prepare(MlirLocation location, const char *name, const char *hint,
                    CuteString *program, CuteFolder *folder) {
  CUTE_SCOPED(String) places = {0};
  if (cuteProgramFind(program, name))
    return cuteFolderCreate(folder) ||
           cuteEmitError(location, "cannot make the folder %s: %s",
                         folder->path, strerror(errno));
  cuteProgramAppendPlaces(&places);
  return cuteEmitError(location, "no %s %s%s", name, cuteStringGet(&places),
                       hint);
}

static void emitFailure(MlirLocation location, const char *program, int status,
                        const char *messages) {
  CUTE_SCOPED(String) said = {0};
  if (status == -1) {
    cuteEmitError(location, "cannot run %s: %s", program, strerror(errno));
  } else if (WIFSIGNALED(status)) {
    cuteEmitError(location, "%s was ended by signal %d (%s)",
                  cuteFileGetName(program), WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
  } else {
    cuteFileAppend(messages, &said);
    cuteEmitError(location, "%s failed (exit code %d): %s",
                  cuteFileGetName(program), WEXITSTATUS(status),
                  cuteStringGet(&said));
  }
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
  CUTE_SCOPED(String) said = {0};
  cuteFileAppend(messages, &said);
  for (const char *at = cuteStringGet(&said); *at;) {
    size_t n = strcspn(at, "\n");
    warnOfLine(location, places, (CuteStringRef){at, n});
    at += n + (at[n] == '\n');
  }
}

static bool assembleIn(MlirLocation location, const CuteProductPlaces *places,
                       char *ptxas, CuteFolder *folder, const CuteArch *arch,
                       const char *options, const CuteString *ptx,
                       CuteString *cubin, CuteString *log) {
  char archOption[32], outputOption[] = "-o", logOption[] = "-v";
  snprintf(archOption, sizeof archOption, "-arch=%s", arch->name);
  char *words[MAX_WORDS + 1] = {ptxas,          archOption,    outputOption,
                                folder->output, folder->input, NULL};
  if (log)
    words[5] = logOption;
  CUTE_SCOPED(String) text = {0};
  cuteStringAppend(&text, options ? options : "");
  bool ok = !text.length || addWords(location, text.data, words, log ? 6 : 5);
  if (ok && !cuteFolderWrite(folder->input, ptx)) {
    cuteEmitError(location, "cannot write %s: %s", folder->input,
                  strerror(errno));
    ok = false;
  }
  int status = ok ? cuteProgramRun(words, folder->messages) : 0;
  if (status)
    emitFailure(location, ptxas, status, folder->messages);
  else if (ok)
    warnOf(location, places, folder->messages);
  if (ok && !status &&
      !(cuteFileAppend(folder->output, cubin) &&
        (!log || cuteFileAppend(folder->messages, log)))) {
    cuteEmitError(location,
                  "ptxas wrote no cubin with the options '%s'; they may say "
                  "how it compiles, as -O2",
                  options ? options : "");
    ok = false;
  }
  return ok && !status;
}

bool cuteAssemble(MlirLocation location, const CuteProductPlaces *places,
                  const CuteArch *arch, const char *options,
                  const CuteString *ptx, CuteString *cubin,
                  CuteString *messages) {
  CUTE_SCOPED(String) ptxas = {0};
  CuteFolder folder = {0};
  if (!prepare(location, "ptxas", "; --emit=ptx works without", &ptxas,
               &folder))
    return false;
  bool ok = assembleIn(location, places, ptxas.data, &folder, arch, options,
                       ptx, cubin, messages);
  cuteFolderDestroy(&folder);
  return ok;
}

bool cuteCanAssemble(void) {
  CUTE_SCOPED(String) ptxas = {0};
  return cuteProgramFind(&ptxas, "ptxas");
}

bool cuteDisassemble(const CuteString *cubin, CuteString *text) {
  CUTE_SCOPED(String) program = {0};
  CuteFolder folder = {0};
  char option[] = "-c";
  bool ok = cuteProgramFind(&program, "nvdisasm") && cuteFolderCreate(&folder);
  if (ok) {
    char *arguments[] = {program.data, option, folder.output, NULL};
    ok = cuteFolderWrite(folder.output, cubin) &&
         !cuteProgramRun(arguments, folder.messages) &&
         cuteFileAppend(folder.messages, text);
    cuteFolderDestroy(&folder);
  }
  return ok;
}

//===-- Fat binaries ------------------------------------------------------===//

enum { IMAGE_OPTION = PATH_MAX + 64 };

// "--image3=kind=elf,sm=80,file=PATH"
static void imageOption(char *option, const CuteImage *image,
                        const char *path) {
  snprintf(option, IMAGE_OPTION, "--image3=kind=%s,sm=%s,file=%s",
           image->isPtx ? "ptx" : "elf", image->arch->name + strlen("sm_"),
           path);
}

static bool fatbinIn(MlirLocation location, char *program, CuteFolder *folder,
                     size_t n, const CuteImage *images, CuteString *fatbin) {
  char create[IMAGE_OPTION], bits[] = "--64";
  char options[CUTE_MAX_IMAGES][IMAGE_OPTION];
  char *words[CUTE_MAX_IMAGES + 4] = {program, bits, create};
  snprintf(create, sizeof create, "--create=%s", folder->output);
  bool ok = true;
  for (size_t i = 0; i < n; ++i) {
    imageOption(options[i], &images[i], folder->images[i]);
    words[3 + i] = options[i];
    ok = ok && cuteFolderWrite(folder->images[i], images[i].code);
  }
  if (!ok)
    cuteEmitError(location, "cannot write into %s: %s", folder->path,
                  strerror(errno));
  int status = ok ? cuteProgramRun(words, folder->messages) : 0;
  if (status)
    emitFailure(location, program, status, folder->messages);
  return ok && !status && cuteFileAppend(folder->output, fatbin);
}

bool cuteAssembleFatbin(MlirLocation location, size_t n,
                        const CuteImage *images, CuteString *fatbin) {
  CUTE_SCOPED(String) program = {0};
  CUTE_FREED CuteFolder *folder = cuteAllocate(sizeof *folder);
  if (!prepare(location, "fatbinary", "", &program, folder))
    return false;
  bool ok = fatbinIn(location, program.data, folder, n, images, fatbin);
  cuteFolderDestroy(folder);
  return ok;
}
