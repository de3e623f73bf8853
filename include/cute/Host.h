//===- cute/Host.h - Calls of compiled host functions ----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs functions that were compiled for the host (cute/Jit.h), which print and
/// launch kernels. docs/abi.md describes their arguments.
///
//===----------------------------------------------------------------------===//
#ifndef CUTE_HOST_H
#define CUTE_HOST_H

#include "cute/Run.h"

#ifdef __cplusplus
extern "C" {
#endif

//===-- Kernels that they launch ------------------------------------------===//

/// All kernels of a module on one device.
typedef struct CuteKernelSet CuteKernelSet;

/// Loads code, PTX that ends in a NUL or a cubin, with its manifest; the caller
/// may free both afterwards. The device must outlive the set. Several threads
/// may launch at once.
CUTE_API CuteStatus cuteKernelSetCreate(const CuteDevice *device,
                                        const char *manifest, const void *code,
                                        CuteKernelSet **set);
CUTE_API void cuteKernelSetDestroy(CuteKernelSet *set);

//===-- Calls -------------------------------------------------------------===//

/// A compiled function. Entry i of the array points to parameter i; pointers to
/// the results' destinations follow.
typedef void (*CuteHostFunction)(void **arguments);

/// Passed to host functions in addition to their arguments.
typedef struct CuteHostContext {
  CuteKernelSet *kernels; ///< null: a launch fails
  /// Receives printed text; null: it goes to stdout, which is flushed before
  /// the call returns if there was any.
  void (*print)(const char *text, size_t length, void *userData);
  void *userData;
} CuteHostContext;

/// Calls a function without waiting for kernels. The first failing assertion or
/// launch ends the call and becomes the status. `context` may be null, as if
/// all of its fields were. Any number of threads may call at once; calls may be
/// nested.
CUTE_API CuteStatus cuteHostCall(CuteHostFunction function, void **arguments,
                                 const CuteHostContext *context);

//===-- What compiled functions call --------------------------------------===//

/// Launches kernel `number` of the set: its parameters by pointers, and the
/// words of the launch (docs/abi.md). Without a call of cuteHostCall around it
/// failures end the process, here and below.
CUTE_API void cuteHostLaunch(int32_t number, const int64_t *words,
                             void **parameters);

/// Makes the call's next launch record events (CUevents, 0 for none): `started`
/// when all blocks have begun, `triggered` when all blocks have triggered
/// dependent launches or, with `atBlockStart`, have begun. On the simulator a
/// launch returns when it is done, and no events are recorded.
CUTE_API void cuteHostRecord(int64_t started, int64_t triggered,
                             int32_t atBlockStart);

/// Ends the call with a message, formatted as printf does.
CUTE_API void cuteHostFail(const char *format, ...);

/// Prints as printf does.
CUTE_API int cuteHostPrintf(const char *format, ...);

/// A function or variable that host functions may use, by its name in the
/// module.
typedef struct CuteHostSymbol {
  const char *name;
  void *address;
} CuteHostSymbol;

/// These four functions, under the names that compiled functions use, to be
/// passed to the compiler. The table lives as long as the program.
CUTE_API const CuteHostSymbol *cuteHostGetSymbols(size_t *count);

//===-- What the compiler says of them ------------------------------------===//

/// Compiled functions and kernels (cute/Jit.h).
typedef struct CuteHostModule CuteHostModule;

/// Says how a file is compiled for the host.
typedef struct CuteHostFileOptions {
  size_t size;        ///< sizeof(CuteHostFileOptions), as in CuteCompileOptions
  const char *arch;   ///< of the kernels
  const char *passes; ///< run first, as with cutec --passes; or null
  bool isSimulated;   ///< kernels are for the device "sim", not PTX
  size_t numSymbols;  ///< as in CuteHostOptions
  const CuteHostSymbol *symbols;
} CuteHostFileOptions;

typedef enum CuteHostPartKind {
  CUTE_HOST_POINTER,
  CUTE_HOST_INTEGER,
  CUTE_HOST_FLOAT,
  CUTE_HOST_OPAQUE ///< anything else: as LLVM has it in memory
} CuteHostPartKind;

/// A part of a parameter or result (docs/abi.md): an entry of the array passed
/// to the function points to it.
typedef struct CuteHostPart {
  CuteHostPartKind kind;
  unsigned bits;   ///< of an integer or float; fewer than 8 lie in a byte
  size_t argument; ///< the number of the parameter or result
  char role[24];   ///< "pointer", "shape[0]", "stride[1]", "value"
} CuteHostPart;

/// A function and the parts of its parameters and results.
typedef struct CuteHostSignature {
  const char *name;
  size_t numParameters, numResults; ///< parts
  const CuteHostPart *parts;        ///< the results come last
} CuteHostSignature;

//===-- Exported modules --------------------------------------------------===//

enum { CUTE_EXPORT_VERSION = 2 };

/// An object that was compiled ahead of time (cutec --export=PREFIX) has one
/// under the name PREFIX_module.
typedef struct CuteExportedModule {
  uint32_t version, numFunctions;
  const CuteHostFunction *functions;
  const CuteHostSignature *signatures; ///< in the order of the functions
  const char *description;             ///< of the functions, as JSON
  const char *manifest;                ///< null: no kernels
  const void *code;                    ///< of the kernels, and a NUL
  size_t codeSize;                     ///< without it
  const char *note;                    ///< from the exporting program; or null
} CuteExportedModule;

/// Loads the kernels on a device; null if there are none.
CUTE_API CuteStatus cuteExportedModuleLoad(const CuteExportedModule *module,
                                           const CuteDevice *device,
                                           CuteKernelSet **kernels);

#ifdef __cplusplus
}
#endif

#endif
