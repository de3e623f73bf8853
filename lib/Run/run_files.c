// Refuses to write what a run reads, or two results to one file.
#include "Run/run.h"

#include "Support/output_file.h"

enum { MAX_OUTPUTS = CUTE_RUN_MAX_OUTPUTS + 2 };

typedef struct RunFile {
  const char *option, *path;
} RunFile;

typedef struct RunFiles {
  RunFile files[MAX_OUTPUTS];
  size_t count;
} RunFiles;

static const char *pathOfTensor(const char *text) {
  const char *equals = strchr(text, '=');
  return equals ? equals + 1 : NULL;
}

static void add(RunFiles *outputs, const char *option, const char *path) {
  if (path && *path)
    outputs->files[outputs->count++] = (RunFile){option, path};
}

static CuteStatus refuse(RunFile output, const char *input) {
  return !input || !cuteOutputFileIsInput(output.path, input)
             ? NULL
             : cuteStatusCreate("%s would replace '%s', which the run reads; "
                                "name another file",
                                output.option, input);
}

static CuteStatus checkInputs(const CuteRunOptions *options, RunFile output) {
  CUTE_TRY(refuse(output, options->manifest));
  CUTE_TRY(refuse(output, options->lines));
  for (size_t i = 0; i < options->numReferences; ++i)
    CUTE_TRY(refuse(output, pathOfTensor(options->references[i])));
  // A tensor may be written to the file that it came from.
  bool isTensor = !strcmp(output.option, "--output");
  for (size_t r = 0; !isTensor && r <= options->numAgain; ++r)
    for (size_t i = 0; i < options->arguments[r].count; ++i)
      CUTE_TRY(refuse(output, options->arguments[r].data[i]));
  return NULL;
}

CuteStatus cuteRunFilesCheck(const CuteRunOptions *options) {
  RunFiles outputs = {.count = 0};
  add(&outputs, "--trace", options->trace);
  add(&outputs, "--report", options->reportFile);
  for (size_t i = 0; i < options->numOutputs; ++i)
    add(&outputs, "--output", pathOfTensor(options->outputs[i]));
  for (size_t i = 0; i < outputs.count; ++i) {
    CUTE_TRY(checkInputs(options, outputs.files[i]));
    for (size_t j = 0; j < i; ++j)
      if (cuteOutputFileIsSame(outputs.files[i].path, outputs.files[j].path))
        return cuteStatusCreate("%s and %s would both write '%s'; name another "
                                "file",
                                outputs.files[j].option,
                                outputs.files[i].option, outputs.files[i].path);
  }
  return NULL;
}
