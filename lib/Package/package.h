// Parts that accompany compiled code: signatures, manifests, objects, C source.
#pragma once

#include "IR/dialect.h"
#include "cute/Jit.h"

#include <jansson.h>

typedef struct CuteHostSignatures {
  CuteArena arena;
  CuteHostSignature *data;
  size_t count, capacity;
} CuteHostSignatures;

// Tells whether an op is such a function.
bool cuteHostSignatureHas(MlirOperation op);

// Lists the public func.funcs with bodies of a module that has not been
// lowered. False with a diagnostic; the list is to be destroyed either way.
bool cuteHostSignaturesCollect(CuteHostSignatures *signatures,
                               MlirModule module);
void cuteHostSignaturesDestroy(CuteHostSignatures *signatures);

// Makes objects with both halves of a module with functions on the host: its
// kernels, compiled for a GPU, and its functions, for this machine. The module
// stays as it is.
//
// Verifies a module and appends an object to the output, in which
// PREFIX_module is a CuteExportedModule; its code is for any processor of this
// kind, or for this one. False with diagnostics; the signatures are to be
// destroyed either way.
bool cuteHostHalvesEmit(MlirModule module, CuteHostOptions options,
                        const char *prefix, bool isForAnyHost,
                        CuteHostSignatures *signatures, CuteString *object);

// Builds what cuteModulePrintManifest prints; the caller's. Null with a
// diagnostic.
json_t *cuteManifestBuild(MlirModule module, CuteCompileOptions options,
                          const char *file);

// Appends a manifest with the functions of the host that have a public name and
// a body in place of kernels. False with a diagnostic.
bool cuteManifestDescribeFunctions(MlirModule module, CuteString *text);

typedef struct CuteCSource {
  CuteString header, source;
} CuteCSource;

// Writes functions that load the kernels of a manifest and launch them, each
// with its arguments' types, by libcute-run. `name` begins the module's
// functions, and is that of the header. False with a message where names of
// kernels do not fit C.
bool cuteCSourceWrite(const json_t *manifest, const CuteString *code,
                      const char *name, CuteCSource *out, CuteString *message);

// Appends the text with what C does not take in a name made _.
void cuteCSourceAppendName(CuteString *name, const char *text);
