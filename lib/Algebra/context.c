#include "Algebra/laws.h"

CuteContext cuteContextCreate(void) {
  CuteContext context = cuteAllocate(sizeof *context);
  memset(context, 0, sizeof *context);
  cuteArithmeticBegin(context, NULL, NULL);
  return context;
}

void cuteContextDestroy(CuteContext context) {
  if (!context)
    return;
  cuteArenaDestroy(&context->nodes);
  cuteArenaDestroy(&context->scratch);
  cuteHashTableDestroy(&context->tuples);
  cuteHashTableDestroy(&context->layouts);
  cuteHashTableDestroy(&context->tiles);
  cuteHashTableDestroy(&context->types);
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
  CUTE_APPEND_ARGUMENTS(&context->error, format);
  cuteStringDestroy(&before);
  cuteExplainError(context);
  return NULL;
}

void *cuteFailTuples(CuteContext context, const char *before, CuteIntTuple a,
                     const char *between, CuteIntTuple b) {
  CuteString *error = &context->error;
  cuteStringClear(error);
  cuteStringAppend(error, before);
  cuteAppendTuple(error, a);
  cuteStringAppend(error, between);
  if (b)
    cuteAppendTuple(error, b);
  cuteExplainError(context);
  return NULL;
}

void *cuteFailTuple(CuteContext context, const char *text, CuteIntTuple tuple) {
  return cuteFailTuples(context, text, tuple, "", NULL);
}

//===-- Interning ---------------------------------------------------------===//

const void *cuteIntern(CuteContext context, CuteHashTable *table, uint64_t hash,
                       const void *candidate, CuteHashIsSame *equal,
                       InternCopy *copy) {
  CuteHashSlot *slot = cuteHashTableFind(table, hash, candidate, equal);
  if (!slot->item)
    cuteHashTableFill(table, slot, hash, copy(context, candidate));
  return slot->item;
}
