#include "Compile/describe_memory.h"

static const char *const names[CUTE_NUM_MEMORY_ROW_KINDS] = {
    "argument", "shared", "view", "layout", "touched", "unknown", "file"};

void cuteMemoryRowAppend(CuteString *text, CuteMemoryRow row) {
  cuteStringAppendFormat(text, "%s %ju %ju %.*s\n", names[row.kind], row.first,
                         row.second, CUTE_TEXT(row.text) ? row.text.data : "");
}

bool cuteMemoryRowTake(const char **text, CuteMemoryRow *row) {
  const char *at = *text, *end = strchr(at, '\n');
  size_t length = strcspn(at, " \n");
  int kind = 0;
  while (kind < CUTE_NUM_MEMORY_ROW_KINDS &&
         (strlen(names[kind]) != length || memcmp(names[kind], at, length)))
    ++kind;
  if (!end || kind == CUTE_NUM_MEMORY_ROW_KINDS)
    return false;
  char *rest;
  row->kind = (CuteMemoryRowKind)kind;
  row->first = strtoull(at + length, &rest, 10);
  row->second = strtoull(rest, &rest, 10);
  row->text = (CuteStringRef){rest + 1, (size_t)(end - rest) - 1};
  *text = end + 1;
  return true;
}
