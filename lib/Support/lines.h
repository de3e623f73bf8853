// Finds once where the lines of a text begin.
#pragma once

#include "cute/Support.h"

typedef struct CuteLines {
  CuteStringRef text;
  size_t count;   // 0 before initialization, then at least 1
  size_t *starts; // offsets
} CuteLines;

// The text stays the caller's.
void cuteLinesInit(CuteLines *lines, CuteStringRef text);
void cuteLinesDestroy(CuteLines *lines);

// The number, from 0, of the line that the offset is in.
size_t cuteLinesFind(const CuteLines *lines, size_t offset);

// The same, found at once if it is the line `near` or one of the next few.
size_t cuteLinesFindNear(const CuteLines *lines, size_t offset, size_t near);

// The line of that number, without its newline; empty past the last one.
CuteStringRef cuteLinesGet(const CuteLines *lines, size_t number);
