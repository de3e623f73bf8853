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
/// key says all that an entry depends on, such as the source, options and
/// versions; it is stored and compared whole. An entry that is cut short or
/// altered by accident is as one that is not there; one that was forged is not
/// noticed, so others must not be able to write the folder.
typedef struct CuteCache CuteCache;

/// Uses a folder, which is made if it is not there. When entries take more than
/// this many bytes together, the least recently used go.
/// Where the folder cannot be used, or is null, nothing is found and nothing
/// kept.
CUTE_API CuteCache *cuteCacheCreate(const char *folder, uint64_t maxBytes);
CUTE_API void cuteCacheDestroy(CuteCache *cache);

/// Gives the callback, in one piece, what was kept for the key; false if there
/// is nothing.
CUTE_API bool cuteCacheFind(CuteCache *cache, CuteStringRef key,
                            CuteStringCallback callback, void *userData);

/// Keeps a value; false where that is impossible: the folder cannot be written,
/// or the disk is full.
CUTE_API bool cuteCacheKeep(CuteCache *cache, CuteStringRef key,
                            CuteStringRef value);

/// Appends what tells this build of the library from others to a key: its
/// version, and size and time of its file.
CUTE_API void cuteCacheDescribeLibrary(CuteStringCallback callback,
                                       void *userData);

#ifdef __cplusplus
}
#endif

#endif
