// Bump allocation: everything allocated from an arena dies with it, or at the
// next reset to an earlier mark. Allocation never returns null; exhausting
// memory ends the process, as it does in LLVM.
#pragma once

#include "Support/string_builder.h"

typedef struct CuteArenaBlock CuteArenaBlock;

typedef struct CuteArena {
  CuteArenaBlock *head;  // the block in use; older blocks follow it
  CuteArenaBlock *spare; // given back by a reset, for the next that is needed
  char *cursor, *limit;
  size_t bytes; // sum of the sizes asked for since creation or reset
} CuteArena;

typedef struct CuteArenaMark {
  CuteArenaBlock *head;
  char *cursor;
  size_t bytes;
} CuteArenaMark;

// Leaves an empty arena, which is one of zeros.
void cuteArenaDestroy(CuteArena *arena);

// Uninitialized memory for `size` bytes, aligned for any object.
void *cuteArenaAllocate(CuteArena *arena, size_t size);

// An array of `count` elements in this arena with room for one more: itself, or
// a copy where `count` is a power of two, at which such arrays grow.
void *cuteArenaGrow(CuteArena *arena, void *array, size_t count, size_t size);

// Adds an element at the end of such an array.
#define CUTE_ARENA_PUSH(arena, array, count, ...)                              \
  ((array) = cuteArenaGrow((arena), (array), (count), sizeof *(array)),        \
   (array)[(count)++] = (__VA_ARGS__))

// A copy of text[0, length) with a terminating NUL.
char *cuteArenaCopyText(CuteArena *arena, const char *text, size_t length);

// Moves a string's text to the arena.
char *cuteArenaTakeString(CuteArena *arena, CuteString *string);

// The text that printf would write.
char *cuteArenaFormat(CuteArena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Everything allocated after the mark dies at the reset to it.
CuteArenaMark cuteArenaGetMark(const CuteArena *arena);
void cuteArenaReset(CuteArena *arena, CuteArenaMark mark);

// A block after which that happens:
// CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(arena);
typedef struct CuteArenaScope {
  CuteArena *arena;
  CuteArenaMark mark;
} CuteArenaScope;

CuteArenaScope cuteArenaScopeBegin(CuteArena *arena);
void cuteArenaScopeDestroy(CuteArenaScope *scope);

// malloc, calloc and realloc that end the process instead of returning null.
void *cuteAllocate(size_t size);
void *cuteAllocateZeros(size_t count, size_t size);
void *cuteReallocate(void *memory, size_t size);
