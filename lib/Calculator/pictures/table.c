// All values of a layout as a table.
#include "Algebra/algebra.h"
#include "Calculator/pictures/layout_value.h"
#include "Calculator/pictures/picture.h"

static const char *const headings[] = {"index", "coordinate", "value"};

enum { NUM_COLUMNS = 3 };

typedef struct Row {
  const char *columns[NUM_COLUMNS];
} Row;

static const char *tupleText(CuteArena *arena, CuteIntTuple tuple) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendTuple(&text, tuple);
  return cuteArenaCopyText(arena, cuteStringGet(&text), text.length);
}

static bool fillRow(CuteContext c, CuteLayoutValue layout, int64_t i,
                    CuteArena *arena, Row *row) {
  CuteIntTuple index = staticInt(c, i), value = cuteLayoutValueAt(c, layout, i);
  if (!value)
    return false;
  CuteIntTuple coord = cuteIdx2Crd(c, index, cuteLayoutGetShape(layout.layout));
  CuteIntTuple tuples[NUM_COLUMNS] = {index, coord, value};
  for (size_t k = 0; k < NUM_COLUMNS; ++k)
    row->columns[k] = tupleText(arena, tuples[k]);
  return true;
}

// Coordinates are left-aligned, numbers right-aligned.
static void appendRow(CuteString *text, const Row *row, const size_t *widths) {
  for (size_t k = 0; k < NUM_COLUMNS; ++k)
    cuteStringAppendFormat(text, k == 1 ? "%-*s%s" : "%*s%s", (int)widths[k],
                           row->columns[k], k + 1 < NUM_COLUMNS ? "  " : "\n");
}

static void appendRows(CuteString *text, const Row *rows, size_t n) {
  size_t widths[NUM_COLUMNS] = {0};
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < NUM_COLUMNS; ++k)
      if (strlen(rows[i].columns[k]) > widths[k])
        widths[k] = strlen(rows[i].columns[k]);
  for (size_t i = 0; i < n; ++i)
    appendRow(text, &rows[i], widths);
}

enum { MAX_LINES = 512 * 512 };

bool cuteWriteTable(CuteContext c, CuteValue value, CuteString *text) {
  CuteLayoutValue layout;
  if (!cuteLayoutValueGet(c, value, "eval --table", &layout))
    return false;
  CuteIntTuple size = cuteLayoutGetSize(c, layout.layout);
  if (!size)
    return false;
  if (size->value > MAX_LINES)
    return cuteFail(c, "eval --table: at most %d lines, not %jd", MAX_LINES,
                    size->value);
  CUTE_SCOPED(Arena) arena = {0};
  size_t n = (size_t)size->value + 1;
  Row *rows = cuteArenaAllocate(&arena, n * sizeof *rows);
  memcpy(rows[0].columns, headings, sizeof headings);
  bool ok = true;
  for (size_t i = 1; ok && i < n; ++i)
    ok = fillRow(c, layout, (int64_t)i - 1, &arena, &rows[i]);
  if (ok)
    appendRows(text, rows, n);
  return ok;
}
