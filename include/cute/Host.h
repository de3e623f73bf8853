//===- cute/Host.h - Calls of compiled host functions ----------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// Runs functions that were compiled for the host (cute/Jit.h), which print and
/// launch kernels. What they are called with is in docs/abi.md.
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

/// Loads code, PTX that ends in a NUL or a cubin, with its manifest; both are
/// needed no more afterwards. The device must outlive the set. Launches from
/// several threads at once are possible.
CUTE_API CuteStatus cuteKernelSetCreate(const CuteDevice *device,
                                        const char *manifest, const void *code,
                                        CuteKernelSet **set);
CUTE_API void cuteKernelSetDestroy(CuteKernelSet *set);

//===-- Calls -------------------------------------------------------------===//

/// A compiled function. Entry i of the array points to parameter i; pointers to
/// where the results go follow.
typedef void (*CuteHostFunction)(void **arguments);

/// Given to functions on the host besides their arguments.
typedef struct CuteHostContext {
  CuteKernelSet *kernels; ///< null: a launch fails
  /// Takes what is printed; null: it goes to stdout, which is flushed before
  /// the call returns if there was anything.
  void (*print)(const char *text, size_t length, void *userData);
  void *userData;
} CuteHostContext;

/// Calls a function, and waits for no kernel. The first assertion or launch
/// that fails ends it, and is the status. `context` may be null: nothing of it
/// is given. Any number of threads may call at once; calls may be nested.
CUTE_API CuteStatus cuteHostCall(CuteHostFunction function, void **arguments,
                                 const CuteHostContext *context);

//===-- What compiled functions call --------------------------------------===//

/// Launches kernel `number` of the set: its parameters by pointers, and the
/// words of the launch (docs/abi.md). Without a call of cuteHostCall around it
/// failures end the process, here and below.
CUTE_API void cuteHostLaunch(int32_t number, const int64_t *words,
                             void **parameters);

/// Lets the next launch of the call record events, CUevents that are 0 where
/// there is none: `started` when all blocks have begun, `triggered` when all
/// have asked for launches that depend on theirs, or begin if `atBlockStart`.
/// The simulator, where a launch returns when it is done, records none.
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

/// These four, under the names that compiled functions have for them, to be
/// given to the compiler. The table lives as long as the program.
CUTE_API const CuteHostSymbol *cuteHostGetSymbols(size_t *count);

//===-- What the compiler says of them ------------------------------------===//

/// Compiled functions and kernels (cute/Jit.h).
typedef struct CuteHostModule CuteHostModule;

/// Says how a file is compiled for the host.
typedef struct CuteHostFileOptions {
  size_t size;        ///< sizeof(CuteHostFileOptions), as in CuteCompileOptions
  const char *arch;   ///< of the kernels
  const char *passes; ///< that run first, as those of cutec --passes; or null
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

/// A part of a parameter or result (docs/abi.md): an entry of the array that
/// the function is called with points to it.
typedef struct CuteHostPart {
  CuteHostPartKind kind;
  unsigned bits;   ///< of an integer or float; fewer than 8 lie in a byte
  size_t argument; ///< the number of the parameter or result
  char role[24];   ///< "pointer", "shape[0]", "stride[1]", "value"
} CuteHostPart;

/// A function and the parts of what it takes and gives.
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
  const char *note;                    ///< of who exported it; or null
} CuteExportedModule;

/// Loads the kernels on a device; gives null where there are none.
CUTE_API CuteStatus cuteExportedModuleLoad(const CuteExportedModule *module,
                                           const CuteDevice *device,
                                           CuteKernelSet **kernels);

#ifdef __cplusplus
}
#endif

#endif
