//===- cute/Driver.h - The tools as functions ------------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mains of tools/cute-opt, cutec and cute-lsp, for programs that embed
// them. Each returns a process exit code and writes to standard output and
// error.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_DRIVER_H
#define CUTE_DRIVER_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// All of cute-opt and of cutec: take main's arguments, read and write files
/// and the standard streams, and return the exit status. Only one thread at a
/// time may call them. For the whole process, cutecMain gives jansson an
/// allocator that aborts if out of memory.
CUTE_API int cuteOptMain(int argc, char **argv);
CUTE_API int cutecMain(int argc, char **argv);

/// The language server, which uses the standard streams until it is told to
/// exit; treats jansson as cutecMain does.
CUTE_API int cuteLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
