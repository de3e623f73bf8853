// Output of kernels, and assertions that fail.
#pragma once

#include <stddef.h>
#include <stdint.h>

// CUDA's vprintf: arguments lie one after another, each at a multiple of its
// size. Writes to standard output; the number of arguments.
int32_t cuteSimPrintf(const char *format, const void *arguments);

// CUDA's __assertfail. Does not return.
_Noreturn void cuteSimPrintfAssertFail(const char *message, const char *file,
                                       uint32_t line, const char *function,
                                       size_t charSize);
