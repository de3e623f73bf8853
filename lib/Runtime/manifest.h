// Manifests of compiled kernels: the JSON beside PTX and cubin files, which
// says how to launch them (docs/abi.md).
#pragma once

#include "Support/status.h"

typedef struct json_t json_t;

typedef struct CuteManifest {
  char *path; // of the code, which is beside the manifest
  json_t *root;
} CuteManifest;

CuteStatus cuteManifestRead(CuteManifest *manifest, const char *path);
// Reads the JSON itself, without a path to code.
CuteStatus cuteManifestParse(CuteManifest *manifest, const char *text);
void cuteManifestDestroy(CuteManifest *manifest);

size_t cuteManifestGetSize(const CuteManifest *manifest);

// A kernel, which lives as long as its manifest.
typedef struct CuteKernel {
  const char *name;
  const json_t *parameters, *grid;
  int64_t staticShared, dynamicShared;
  int64_t block[3];                        // 0: the manifest does not say
  int64_t cluster[3], preferredCluster[3]; // 1: none
  bool mayOverlap;                         // programmatic dependent launch
  bool isCooperative;                      // all blocks run at once
} CuteKernel;

CuteStatus cuteManifestGetKernel(const CuteManifest *manifest, size_t index,
                                 CuteKernel *kernel);

// The kernel of that name, or the only one if `name` is null.
CuteStatus cuteManifestFindKernel(const CuteManifest *manifest,
                                  const char *name, CuteKernel *kernel);

// Counts the arguments that a kernel takes, and gets the JSON of one's
// parameter: hidden ones do not count.
size_t cuteKernelGetNumArguments(const CuteKernel *kernel);
const json_t *cuteKernelGetParameter(const CuteKernel *kernel, size_t argument);
