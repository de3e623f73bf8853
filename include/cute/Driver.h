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

/// All of cute-opt and of cutec: take what main does, read and write files and
/// the standard streams, return the exit status. Not to be called by two
/// threads at a time. cutecMain gives jansson, for the whole process, an
/// allocation that ends it where there is no memory.
CUTE_API int cuteOptMain(int argc, char **argv);
CUTE_API int cutecMain(int argc, char **argv);

/// The language server, which speaks on the standard streams until it is told
/// to exit; of jansson as cutecMain.
CUTE_API int cuteLspMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
