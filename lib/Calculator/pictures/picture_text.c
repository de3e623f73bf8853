// Pictures as text, in the manner of CuTe's print_layout.
#include "Calculator/pictures/picture_color.h"

enum { NUM_WIDTH = 2 }; // least width of the numbers of rows

// The widths of a grid's columns, in characters.
typedef struct Widths {
  size_t cell, coord, number;
  bool hasRows, hasLevels; // rows have coordinates; columns are hierarchical
} Widths;

static void atLeast(size_t *width, size_t n) {
  if (n > *width)
    *width = n;
}

static size_t digits(size_t value) {
  size_t n = 1;
  for (; value >= 10; value /= 10)
    ++n;
  return n;
}

static size_t labelLength(const CutePictureCell *cell) {
  size_t n = 0;
  for (size_t i = 0; i < 2 && cell->labels[i]; ++i)
    n += strlen(cell->labels[i]);
  return n;
}

static Widths widthsOf(const CutePictureGrid *grid) {
  Widths w = {.hasRows = grid->rows.extent > 1 || grid->rank > 1,
              .hasLevels = grid->columns.numLevels > 0};
  w.number = digits((grid->rows.extent - 1) * grid->rows.step);
  atLeast(&w.number, NUM_WIDTH);
  w.cell = digits((grid->columns.extent - 1) * grid->columns.step);
  for (size_t i = 0; grid->rows.numLevels && i < grid->rows.extent; ++i)
    atLeast(&w.coord, strlen(grid->rows.coords[i]));
  for (size_t i = 0; w.hasLevels && i < grid->columns.extent; ++i)
    atLeast(&w.cell, strlen(grid->columns.coords[i]));
  for (size_t i = 0; i < grid->rows.extent * grid->columns.extent; ++i)
    atLeast(&w.cell, labelLength(&grid->cells[i]));
  return w;
}

static void appendMany(CuteString *text, char c, size_t n) {
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendChar(text, c);
}

static void appendRight(CuteString *text, const char *word, size_t width) {
  size_t n = strlen(word);
  appendMany(text, ' ', n < width ? width - n : 0);
  cuteStringAppend(text, word);
}

static void endLine(CuteString *text) {
  while (text->length && text->data[text->length - 1] == ' ')
    text->data[--text->length] = '\0';
  cuteStringAppendChar(text, '\n');
}

static size_t marginWidth(Widths w) {
  return (w.coord ? w.coord + 1 : 0) + w.number + 2;
}

// A line where hierarchical columns begin is doubled.
static size_t barsBefore(const CutePictureGrid *grid, size_t column) {
  return cutePictureGetRule(&grid->columns, column) ? 2 : 1;
}

static void appendRule(CuteString *text, const CutePictureGrid *grid, Widths w,
                       size_t row) {
  char line = cutePictureGetRule(&grid->rows, row) ? '=' : '-';
  appendMany(text, ' ', marginWidth(w));
  for (size_t j = 0; j < grid->columns.extent; ++j) {
    appendMany(text, '+', barsBefore(grid, j));
    appendMany(text, line, w.cell + 2);
  }
  cuteStringAppend(text, "+\n");
}

static void appendHeader(CuteString *text, const CutePictureGrid *grid,
                         Widths w, bool isNumbers) {
  appendMany(text, ' ', marginWidth(w));
  for (size_t j = 0; j < grid->columns.extent; ++j) {
    char number[24];
    snprintf(number, sizeof number, "%zu", j * grid->columns.step);
    appendMany(text, ' ', barsBefore(grid, j) + 1);
    appendRight(text, isNumbers ? number : grid->columns.coords[j], w.cell);
    appendMany(text, ' ', 1);
  }
  endLine(text);
}

// A cell's background on a terminal, with dark words; without a colour, none.
static void appendColor(CuteString *text, const uint32_t *colors,
                        const CutePictureCell *cell) {
  if (!colors || !cell->labels[0])
    return;
  uint32_t rgb = colors[cell->color];
  cuteStringAppendFormat(text, "\x1b[38;2;15;23;42;48;2;%u;%u;%um",
                         rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255);
}

// `colors` belong to the kind of picture; null: none.
static void appendRow(CuteString *text, const CutePictureGrid *grid, Widths w,
                      size_t row, const uint32_t *colors) {
  char number[24];
  snprintf(number, sizeof number, "%zu", row * grid->rows.step);
  if (w.coord) {
    appendRight(text, grid->rows.coords[row], w.coord);
    appendMany(text, ' ', 1);
  }
  appendRight(text, w.hasRows ? number : "", w.number);
  appendMany(text, ' ', 2);
  for (size_t j = 0; j < grid->columns.extent; ++j) {
    const CutePictureCell *cell = cutePictureCellAt(grid, row, j);
    appendMany(text, '|', barsBefore(grid, j));
    appendColor(text, colors, cell);
    appendMany(text, ' ', 1 + w.cell - labelLength(cell));
    for (size_t i = 0; i < 2 && cell->labels[i]; ++i)
      cuteStringAppend(text, cell->labels[i]);
    appendMany(text, ' ', 1);
    cuteStringAppend(text, colors && cell->labels[0] ? "\x1b[0m" : "");
  }
  cuteStringAppend(text, "|\n");
}

static void appendGrid(CuteString *text, const CutePictureGrid *grid,
                       const uint32_t *colors) {
  Widths w = widthsOf(grid);
  if (grid->title)
    cuteStringAppendFormat(text, "\n%s\n", grid->title);
  if (grid->subtitle)
    cuteStringAppendFormat(text, "%s\n", grid->subtitle);
  if (w.hasLevels)
    appendHeader(text, grid, w, false);
  appendHeader(text, grid, w, true);
  for (size_t i = 0; i < grid->rows.extent; ++i) {
    appendRule(text, grid, w, i);
    appendRow(text, grid, w, i, colors);
  }
  appendRule(text, grid, w, grid->rows.extent);
}

bool cutePictureWriteText(CUTE_UNUSED CuteContext c, const CutePicture *picture,
                          CuteString *text) {
  const uint32_t *colors =
      picture->isColored ? cutePictureColors(picture->kind) : NULL;
  cuteStringAppendFormat(text, "%s\n", picture->value);
  for (size_t i = 0; i < picture->numGrids; ++i)
    appendGrid(text, &picture->grids[i], colors);
  for (size_t i = 0; i < picture->numNotes; ++i)
    cuteStringAppendFormat(text, "%s\n", picture->notes[i]);
  return true;
}
