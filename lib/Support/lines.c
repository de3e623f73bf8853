#include "Support/lines.h"

#include "Support/arena.h"

static const char *findNewline(const char *at, const char *end) {
  return at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;
}

void cuteLinesInit(CuteLines *lines, CuteStringRef text) {
  const char *end = text.data + text.length;
  size_t n = 1;
  for (const char *at = text.data; (at = findNewline(at, end)); ++at)
    ++n;
  *lines = (CuteLines){text, 1, cuteAllocate(n * sizeof *lines->starts)};
  lines->starts[0] = 0;
  for (const char *at = text.data; (at = findNewline(at, end));)
    lines->starts[lines->count++] = (size_t)(++at - text.data);
}

void cuteLinesDestroy(CuteLines *lines) {
  free(lines->starts);
  *lines = (CuteLines){0};
}

size_t cuteLinesFind(const CuteLines *lines, size_t offset) {
  size_t low = 0, high = lines->count;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (lines->starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

size_t cuteLinesFindNear(const CuteLines *lines, size_t offset, size_t near) {
  enum { FEW = 8 };
  if (near >= lines->count || lines->starts[near] > offset)
    return cuteLinesFind(lines, offset);
  for (size_t i = near; i < near + FEW; ++i)
    if (i + 1 == lines->count || lines->starts[i + 1] > offset)
      return i;
  return cuteLinesFind(lines, offset);
}

CuteStringRef cuteLinesGet(const CuteLines *lines, size_t number) {
  if (number >= lines->count)
    return (CuteStringRef){"", 0};
  size_t start = lines->starts[number];
  size_t end = number + 1 < lines->count ? lines->starts[number + 1] - 1
                                         : lines->text.length;
  return (CuteStringRef){lines->text.data + start, end - start};
}
