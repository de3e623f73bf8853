// Reads whole files into memory, and writes them.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

static inline const char *cuteFileGetName(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

// Reads a regular file of at most `most` bytes; directories, devices and pipes,
// which may block or never end, are failures. The text is empty where it fails.
CuteStatus cuteFileRead(const char *path, size_t most, CuteString *text);

// Appends what is in a file of any kind, or for "-" in standard input; false
// with errno.
bool cuteFileAppend(const char *path, CuteString *text);

// The text of a file, which ends with a NUL that its length does not count.
typedef struct CuteFileText {
  CuteStringRef text;
  CuteString read; // if it is not mapped
  void *mapping;   // of a large file, or null
} CuteFileText;

// Reads a file of any kind, or for "-" standard input; a large one is mapped.
// False with errno.
bool cuteFileTextOpen(CuteFileText *file, const char *path);
void cuteFileTextClose(CuteFileText *file);

// Gives back the memory of a text that is mapped until it is looked at again.
void cuteFileTextRest(const CuteFileText *file);

// Writes the text to an open file, in as many pieces as it takes; false with
// errno.
bool cuteFileWriteAll(int file, const CuteString *text);
