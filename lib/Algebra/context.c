#include "Algebra/laws.h"
#include "Algebra/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

CuteContext cuteContextCreate(void) {
  CuteContext context = cuteAllocate(sizeof *context);
  memset(context, 0, sizeof *context);
  cuteArenaInit(&context->nodes);
  cuteArenaInit(&context->scratch);
  cuteContextSetArithmetic(context, NULL, NULL, NULL, NULL);
  return context;
}

void cuteContextDestroy(CuteContext context) {
  if (!context)
    return;
  cuteArenaDestroy(&context->nodes);
  cuteArenaDestroy(&context->scratch);
  free(context->tuples.slots);
  free(context->layouts.slots);
  free(context->tiles.slots);
  free(context->types.slots);
  cuteStringDestroy(&context->error);
  cuteTraceDestroy(context->trace);
  cuteContextClearWarnings(context);
  free(context->warnings);
  free(context);
}

const char *cuteContextGetError(CuteContext context) {
  return context ? cuteStringGet(&context->error) : "";
}

size_t cuteContextGetBytes(CuteContext context) { return context->nodes.bytes; }

void *cuteFail(CuteContext context, const char *format, ...) {
  // Arguments may point into the error before this one.
  CuteString before = context->error;
  context->error = (CuteString){0};
  va_list args;
  va_start(args, format);
  cuteStringAppendFormatV(&context->error, format, args);
  va_end(args);
  cuteStringDestroy(&before);
  cuteExplainError(context);
  return NULL;
}

static void appendPiece(CuteStringRef piece, void *userData) {
  cuteStringAppendBytes(userData, piece.data, piece.length);
}

void *cuteFailTuples(CuteContext context, const char *before, CuteIntTuple a,
                     const char *between, CuteIntTuple b) {
  CuteString *error = &context->error;
  cuteStringClear(error);
  cuteStringAppend(error, before);
  cuteIntTuplePrint(a, appendPiece, error);
  cuteStringAppend(error, between);
  if (b)
    cuteIntTuplePrint(b, appendPiece, error);
  cuteExplainError(context);
  return NULL;
}

void *cuteFailTuple(CuteContext context, const char *text, CuteIntTuple tuple) {
  return cuteFailTuples(context, text, tuple, "", NULL);
}

//===-- Interning ---------------------------------------------------------===//

static void growTable(InternTable *table) {
  size_t capacity = table->capacity ? table->capacity * 2 : 256;
  InternSlot *slots = cuteAllocate(capacity * sizeof *slots);
  memset(slots, 0, capacity * sizeof *slots);
  for (size_t i = 0; i < table->capacity; ++i) {
    InternSlot taken = table->slots[i];
    if (!taken.node)
      continue;
    size_t slot = (size_t)taken.hash & (capacity - 1);
    while (slots[slot].node)
      slot = (slot + 1) & (capacity - 1);
    slots[slot] = taken;
  }
  free(table->slots);
  table->slots = slots;
  table->capacity = capacity;
}

const void *cuteIntern(CuteContext context, InternTable *table, uint64_t hash,
                       const void *candidate, InternEqual *equal,
                       InternCopy *copy) {
  if (table->count * 3 >= table->capacity * 2)
    growTable(table);
  size_t i = (size_t)hash & (table->capacity - 1);
  for (; table->slots[i].node; i = (i + 1) & (table->capacity - 1)) {
    InternSlot slot = table->slots[i];
    if (slot.hash == hash && equal(slot.node, candidate))
      return slot.node;
  }
  ++table->count;
  table->slots[i] = (InternSlot){hash, copy(context, candidate)};
  return table->slots[i].node;
}
