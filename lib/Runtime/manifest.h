// What a launcher knows of compiled kernels: the JSON beside PTX and cubin
// files (docs/abi.md), and how arguments become kernel parameters.
#ifndef CUTE_RUNTIME_MANIFEST_H
#define CUTE_RUNTIME_MANIFEST_H

#include "Runtime/array.h"

typedef struct json_t json_t;

typedef struct CuteManifest {
  char *path; // of the code, relative to where the manifest is found
  json_t *root;
} CuteManifest;

bool cuteManifestRead(CuteManifest *manifest, const char *path);
void cuteManifestDestroy(CuteManifest *manifest);

// Prints the kernels with their parameters to standard output.
bool cuteManifestPrint(const CuteManifest *manifest);

// A kernel, which lives as long as its manifest.
typedef struct CuteKernel {
  const char *name;
  const json_t *parameters, *grid;
  int64_t staticShared, dynamicShared;
  int64_t block[3]; // 0: the manifest does not say
} CuteKernel;

// The kernel of that name, or the only one if `name` is null.
bool cuteManifestGetKernel(const CuteManifest *manifest, const char *name,
                           CuteKernel *kernel);

// One argument as the user gave it: a tensor, or the text of other parameters.
typedef struct CuteArgument {
  CuteArray array; // data is null for others
  const char *text;
  uint64_t address; // of the tensor where the kernel runs
} CuteArgument;

// Numbers are kept as text; all else is a tensor (array.h). `text` must outlive
// the argument.
bool cuteArgumentParse(CuteArgument *argument, const char *text);

// Whether it is a tensor from a generator, as "poison": what is so before a
// kernel runs means nothing.
bool cuteArgumentIsFrom(const CuteArgument *argument, const char *generator);

enum { CUTE_MAX_PARAMETERS = 256 };

// Values of the parameters in the order of the ABI.
typedef struct CuteParameters {
  size_t count;
  uint64_t values[CUTE_MAX_PARAMETERS];
  unsigned bytes[CUTE_MAX_PARAMETERS];
} CuteParameters;

// Checks the arguments against the kernel: number, element type, static and
// divisible sizes and strides, widths.
bool cuteKernelBind(const CuteKernel *kernel, size_t n,
                    const CuteArgument *arguments, CuteParameters *parameters);

// The value of an integer expression of extents and integer arguments, such as
// 2 * arg0.shape[1] * arg3. False with a message on standard error.
bool cuteArgumentsEvaluate(const char *text, size_t n,
                           const CuteArgument *arguments, int64_t *value);

// The grid that the manifest's expressions give for the arguments.
bool cuteKernelGetGrid(const CuteKernel *kernel, size_t n,
                       const CuteArgument *arguments, int64_t grid[3]);

#endif
