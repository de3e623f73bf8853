#include "Support/arena.h"

#include <stdalign.h>

enum { FIRST_BLOCK = 4096, LARGEST_STEP = 1 << 20 };

struct CuteArenaBlock {
  CuteArenaBlock *previous;
  size_t size;
  alignas(max_align_t) char data[];
};

static void outOfMemory(void) {
  fputs("cute: out of memory\n", stderr);
  abort();
}

void *cuteAllocate(size_t size) {
  void *memory = malloc(size ? size : 1);
  if (!memory)
    outOfMemory();
  return memory;
}

void *cuteAllocateZeros(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory)
    outOfMemory();
  return memory;
}

void *cuteReallocate(void *memory, size_t size) {
  memory = realloc(memory, size ? size : 1);
  if (!memory)
    outOfMemory();
  return memory;
}

// The larger of the block and the spare one stays: a computation that goes back
// and forth over the end of a block does not allocate each time.
static void popBlock(CuteArena *arena) {
  CuteArenaBlock *block = arena->head, *spare = arena->spare;
  arena->head = block->previous;
  bool isLarger = !spare || spare->size < block->size;
  arena->spare = isLarger ? block : spare;
  free(isLarger ? spare : block);
}

void cuteArenaDestroy(CuteArena *arena) {
  while (arena->head)
    popBlock(arena);
  free(arena->spare);
  *arena = (CuteArena){0};
}

static CuteArenaBlock *newBlock(CuteArena *arena, size_t size) {
  size_t step = arena->head ? arena->head->size * 2 : FIRST_BLOCK;
  if (step > LARGEST_STEP)
    step = LARGEST_STEP;
  if (step < size)
    step = size;
  CuteArenaBlock *block = cuteAllocate(sizeof *block + step);
  block->size = step;
  return block;
}

static void pushBlock(CuteArena *arena, size_t size) {
  CuteArenaBlock *block = arena->spare;
  if (block && block->size >= size)
    arena->spare = NULL;
  else
    block = newBlock(arena, size);
  block->previous = arena->head;
  arena->head = block;
  arena->cursor = block->data;
  arena->limit = block->data + block->size;
}

void *cuteArenaAllocate(CuteArena *arena, size_t size) {
  const size_t alignment = alignof(max_align_t);
  if (size > SIZE_MAX / 2)
    outOfMemory();
  size = size ? (size + alignment - 1) & ~(alignment - 1) : alignment;
  if ((size_t)(arena->limit - arena->cursor) < size)
    pushBlock(arena, size);
  void *memory = arena->cursor;
  arena->cursor += size;
  arena->bytes += size;
  return memory;
}

void *cuteArenaGrow(CuteArena *arena, void *array, size_t count, size_t size) {
  if (count & (count - 1))
    return array;
  void *more = cuteArenaAllocate(arena, (count ? count * 2 : 1) * size);
  if (count)
    memcpy(more, array, count * size);
  return more;
}

char *cuteArenaCopyText(CuteArena *arena, const char *text, size_t length) {
  char *copy = cuteArenaAllocate(arena, length + 1);
  if (length)
    memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *cuteArenaTakeString(CuteArena *arena, CuteString *string) {
  char *text = cuteArenaCopyText(arena, cuteStringGet(string), string->length);
  cuteStringDestroy(string);
  return text;
}

char *cuteArenaFormat(CuteArena *arena, const char *format, ...) {
  CuteString text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  return cuteArenaTakeString(arena, &text);
}

CuteArenaMark cuteArenaGetMark(const CuteArena *arena) {
  return (CuteArenaMark){arena->head, arena->cursor, arena->bytes};
}

void cuteArenaReset(CuteArena *arena, CuteArenaMark mark) {
  // A mark taken on the empty arena keeps the newest block for reuse.
  while (arena->head && arena->head != mark.head && arena->head->previous)
    popBlock(arena);
  if (mark.head) {
    arena->cursor = mark.cursor;
    arena->limit = mark.head->data + mark.head->size;
  } else if (arena->head) {
    arena->cursor = arena->head->data;
    arena->limit = arena->head->data + arena->head->size;
  }
  arena->bytes = mark.bytes;
}

CuteArenaScope cuteArenaScopeBegin(CuteArena *arena) {
  return (CuteArenaScope){arena, cuteArenaGetMark(arena)};
}

void cuteArenaScopeDestroy(CuteArenaScope *scope) {
  cuteArenaReset(scope->arena, scope->mark);
}
