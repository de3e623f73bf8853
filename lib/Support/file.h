// Reads whole files into memory.
#ifndef CUTE_SUPPORT_FILE_H
#define CUTE_SUPPORT_FILE_H

#include "Support/status.h"
#include "Support/string_builder.h"

// Reads a regular file of at most `most` bytes; directories, devices and pipes,
// which may block or never end, are failures. The text is empty where it fails.
CuteStatus cuteFileRead(const char *path, size_t most, CuteString *text);

#endif
