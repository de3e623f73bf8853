// Programs of the CUDA Toolkit, and the folder that each works in.
#pragma once

#include "Support/string_builder.h"

#include <limits.h>

// Finds a program on the PATH, in $CUDA_HOME/bin, in $CUDA_PATH/bin, where
// CMake found the CUDA Toolkit, or in /usr/local/cuda/bin.
bool cuteProgramFind(CuteString *path, const char *name);

// Appends where cuteProgramFind looks, "on the PATH, in ...".
void cuteProgramAppendPlaces(CuteString *text);

// Appends what tells the program that is found from others of its name.
void cuteProgramDescribe(CuteString *text, const char *name);

// Runs the program with its messages in a file; its status as of waitpid, or -1
// with errno if it could not be run.
int cuteProgramRun(char *const *arguments, const char *messages);

// Has cuteProgramRun print what it runs to standard error. For tools.
void cuteProgramSetVerbose(bool verbose);

enum { CUTE_MAX_IMAGES = 8 };

typedef struct CuteFolder {
  char path[PATH_MAX - 64];
  char images[CUTE_MAX_IMAGES][PATH_MAX];
  char input[PATH_MAX], output[PATH_MAX], messages[PATH_MAX];
} CuteFolder;

// A new folder in $TMPDIR or /tmp, with no files in it; false with errno.
bool cuteFolderCreate(CuteFolder *folder);
void cuteFolderDestroy(CuteFolder *folder);

bool cuteFolderWrite(const char *path, const CuteString *text);

// Has SIGINT, SIGTERM and SIGHUP, unless they are handled or ignored, remove
// the files of ptxas and nvdisasm before they end the process. For tools.
void cuteProgramCleanUpOnSignals(void);
