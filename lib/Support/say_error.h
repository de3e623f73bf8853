// Errors of the tools that have no place in a file.
#pragma once

#include <stdbool.h>
#include <stdio.h>

// Prints "PROGRAM: error: " and the message as a line on standard error, with
// colours where that is a terminal. PROGRAM is the name that the process was
// started by. Returns false.
bool cuteSayError(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

// Does the same on another stream.
bool cuteSayErrorOn(FILE *stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
