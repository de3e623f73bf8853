// Files that are replaced whole or not at all.
#pragma once

#include "Support/string_builder.h"

// Text on its way to a file. It is written beside the file, which it replaces
// when it is complete, with the permissions that it had; symbolic links are
// followed. What cannot be replaced is written in place: standard output ("-"),
// whatever is standard output or error under another name, devices and pipes.
typedef struct CuteOutputFile {
  const char *path; // null: nothing is written
  FILE *file;
  CuteString target, temporary; // empty: written in place
  int error;                    // errno of the first failure
  char last;                    // written, '\0' before
  bool isPrepared;
} CuteOutputFile;

// Appends a piece. The file is opened at the first one, or at the end.
void cuteOutputFileAppend(CuteOutputFile *output, CuteStringRef piece);

// Writes what is still in memory; the file is not replaced yet. False if
// something could not be written, with its number in `error`.
bool cuteOutputFilePrepare(CuteOutputFile *output);

// Prepares and replaces the file, and ends the output. False with the number of
// an error; the file is as it was then.
bool cuteOutputFileCommit(CuteOutputFile *output);

// Ends the output and leaves the file as it was, unless it is written in place.
void cuteOutputFileDiscard(CuteOutputFile *output);

// Writes and replaces the file; the number of an error, or 0.
int cuteOutputFileWrite(const char *path, CuteStringRef text);

// Tells whether the path, which may be "-", is written in place.
bool cuteOutputFileIsStream(const char *path);

// Tells whether writing both would write one file, or one pipe, however they
// are spelled. Devices of other names take both.
bool cuteOutputFileIsSame(const char *a, const char *b);

// Tells whether writing the output would replace the input ("-": standard
// input).
bool cuteOutputFileIsInput(const char *output, const char *input);
