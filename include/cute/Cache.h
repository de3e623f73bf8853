//===- cute/Cache.h - Results of compiling, on disk ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_CACHE_H
#define CUTE_CACHE_H

#include "cute/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A folder of entries, each a file, that processes and threads may share. A
/// key contains everything that an entry depends on, such as the source,
/// options and versions; it is stored and compared whole. An entry that is
/// truncated or altered by accident counts as absent. Forged entries are not
/// detected, so others must not be able to write to the folder.
typedef struct CuteCache CuteCache;

/// Uses a folder and creates it if necessary. When entries take more than this
/// many bytes together, the least recently used ones are removed. If the folder
/// is null or cannot be used, nothing is found and nothing kept.
CUTE_API CuteCache *cuteCacheCreate(const char *folder, uint64_t maxBytes);
CUTE_API void cuteCacheDestroy(CuteCache *cache);

/// Gives the key's value to the callback, in one piece; false if there is none.
CUTE_API bool cuteCacheFind(CuteCache *cache, CuteStringRef key,
                            CuteStringCallback callback, void *userData);

/// Stores a value; false if the folder cannot be written or the disk is full.
CUTE_API bool cuteCacheKeep(CuteCache *cache, CuteStringRef key,
                            CuteStringRef value);

/// Appends the identity of this build of the library to a key: its version, and
/// its file's size and time.
CUTE_API void cuteCacheDescribeLibrary(CuteStringCallback callback,
                                       void *userData);

#ifdef __cplusplus
}
#endif

#endif
