// Failures as values: what was wrong, after what was being done. Only tools
// print them.
#pragma once

#include "cute/Status.h"

// A failure with this message, without "error:" and a full stop.
CuteStatus cuteStatusCreate(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Takes a status and puts what was being done before its message: "launching
// the kernel: CUDA error 1". Null stays null.
CuteStatus cuteStatusAnnotate(CuteStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Takes a status and returns true if nothing failed.
bool cuteStatusConsume(CuteStatus status);

// Leaves the function with what the call gives, unless that is null.
#define CUTE_TRY(call)                                                         \
  do {                                                                         \
    CuteStatus failed = (call);                                                \
    if (failed)                                                                \
      return failed;                                                           \
  } while (0)
