#include "Calculator/pictures/picture_draw.h"
#include "Algebra/algebra.h"
#include "Calculator/pictures/picture_color.h"

const CuteFont cuteFonts[CUTE_NUM_WORD_STYLES] = {
    [CUTE_WORDS_TITLE] = {16, 10},  [CUTE_WORDS_VALUE] = {13, 8},
    [CUTE_WORDS_HEADING] = {14, 9}, [CUTE_WORDS_LABEL] = {13, 8},
    [CUTE_WORDS_COORD] = {12, 8},   [CUTE_WORDS_NOTE] = {12, 8},
};

enum {
  PAD = 24,         // around the picture
  GAP = 36,         // between grids
  CELL_PAD = 12,    // beside a label
  CELL_WIDTH = 32,  // at least
  CELL_HEIGHT = 30, // of one line
  PAIR_HEIGHT = 38, // of two
  LINE = 22,        // of headings, notes, coordinates above a grid
  LABEL_LINE = 15,
  COORD_PAD = 10,
  LEAST_WIDTH = 320,
  TITLE_WIDTH = 760, // to which a title may widen a picture
  SWATCH = 26,
  RAMP_SWATCH = 7,
};

// The start of a grid's cells, which is the same in a row and in a column of
// grids.
typedef struct Slot {
  int64_t before, extent, start; // margin, cells, where the margin begins
} Slot;

typedef struct Drawing {
  const CuteSvg *svg;
  const CutePicture *picture;
  int64_t cellWidth, cellHeight;
  Slot *columns, *rows;
  size_t numColumns, numRows;
  int64_t width, height; // of the picture
  int64_t gridsY, legendY, notesY;
} Drawing;

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

static int64_t wordsWidth(CuteWordStyle style, const char *words) {
  return (int64_t)strlen(words) * cuteFonts[style].advance;
}

static int64_t numDigits(int64_t value) {
  int64_t n = 1;
  for (; value >= 10; value /= 10)
    ++n;
  return n;
}

//===-- Wrapped text ------------------------------------------------------===//

// Measures how much of the text goes on a line: up to a separator, if one is
// near.
static size_t lineLength(const char *text, size_t room) {
  size_t length = strlen(text);
  if (length <= room)
    return length;
  for (size_t n = room; n > room / 2; --n)
    if (strchr(", ;", text[n - 1]))
      return n;
  return room;
}

static int64_t numLines(const char *text, CuteWordStyle style, int64_t width) {
  size_t room = (size_t)(width / cuteFonts[style].advance);
  int64_t n = 0;
  for (; *text; text += lineLength(text, room))
    ++n;
  return n;
}

static int64_t drawLines(Drawing *d, const char *text, CuteWordStyle style,
                         int64_t y) {
  int64_t room = (d->width - 2 * PAD) / cuteFonts[style].advance;
  while (*text) {
    size_t n = lineLength(text, (size_t)room);
    cuteSvgAppendWords(d->svg, PAD, (int)y + LINE / 2, CUTE_ANCHOR_START, style,
                       (CuteStringRef){text, n});
    text += n;
    y += LINE;
  }
  return y;
}

//===-- Sizes -------------------------------------------------------------===//

static int64_t levelWidth(int64_t extent) {
  return numDigits(extent - 1) * cuteFonts[CUTE_WORDS_COORD].advance +
         COORD_PAD;
}

// The coordinate after the last.
static int64_t endOf(const CutePictureAxis *axis) {
  return (int64_t)(axis->first + axis->extent * axis->step);
}

static int64_t leftMargin(const CutePictureGrid *grid) {
  if (grid->rank < 2)
    return 0;
  int64_t width = levelWidth(endOf(&grid->rows));
  for (size_t i = 0; i < grid->rows.numLevels; ++i)
    width += levelWidth(grid->rows.levels[i]);
  return width;
}

static int64_t headingHeight(const CutePictureGrid *grid) {
  return (grid->title ? LINE : 0) + (grid->subtitle ? LINE : 0);
}

static int64_t topMargin(const CutePictureGrid *grid) {
  return headingHeight(grid) +
         LINE * (grid->rank ? (int64_t)grid->columns.numLevels + 1 : 0);
}

static void measureCells(Drawing *d, const CutePictureGrid *grid) {
  CuteFont font = cuteFonts[CUTE_WORDS_LABEL];
  d->cellWidth = larger(d->cellWidth, levelWidth(endOf(&grid->columns)));
  for (size_t i = 0; i < grid->rows.extent * grid->columns.extent; ++i) {
    for (size_t k = 0; k < 2 && grid->cells[i].labels[k]; ++k) {
      int64_t length = (int64_t)strlen(grid->cells[i].labels[k]);
      d->cellWidth = larger(d->cellWidth, length * font.advance + CELL_PAD);
    }
    if (grid->cells[i].labels[1])
      d->cellHeight = PAIR_HEIGHT;
  }
}

static int64_t headingWidth(const CutePictureGrid *grid) {
  int64_t width = grid->title ? wordsWidth(CUTE_WORDS_HEADING, grid->title) : 0;
  return grid->subtitle
             ? larger(width, wordsWidth(CUTE_WORDS_NOTE, grid->subtitle))
             : width;
}

static void measureSlots(Drawing *d) {
  for (size_t i = 0; i < d->picture->numGrids; ++i) {
    const CutePictureGrid *grid = &d->picture->grids[i];
    Slot *column = &d->columns[grid->slotColumn];
    Slot *row = &d->rows[grid->slotRow];
    d->numColumns =
        (size_t)larger((int64_t)d->numColumns, (int64_t)grid->slotColumn + 1);
    d->numRows =
        (size_t)larger((int64_t)d->numRows, (int64_t)grid->slotRow + 1);
    column->before = larger(column->before, leftMargin(grid));
    column->extent = larger(column->extent,
                            larger((int64_t)grid->columns.extent * d->cellWidth,
                                   headingWidth(grid)));
    row->before = larger(row->before, topMargin(grid));
    row->extent =
        larger(row->extent, (int64_t)grid->rows.extent * d->cellHeight);
  }
}

static int64_t placeSlots(Slot *slots, size_t n, int64_t at) {
  for (size_t i = 0; i < n; ++i) {
    slots[i].start = at;
    at += slots[i].before + slots[i].extent + GAP;
  }
  return at - GAP;
}

static bool hasLegend(const CutePicture *picture) {
  return picture->kind == CUTE_PICTURE_BANK ||
         (picture->kind == CUTE_PICTURE_INDEX && picture->hasIndices &&
          picture->least < picture->greatest);
}

static int64_t banksPerRow(const Drawing *d) {
  int64_t room = (d->width - 2 * PAD) / SWATCH;
  return room >= 32 ? 32 : room >= 16 ? 16 : 8;
}

static int64_t legendHeight(const Drawing *d) {
  if (!hasLegend(d->picture))
    return 0;
  return d->picture->kind == CUTE_PICTURE_INDEX
             ? LINE + PAD / 2
             : LINE + CUTE_NUM_BANKS / banksPerRow(d) * SWATCH + PAD / 2;
}

static int64_t titleHeight(const Drawing *d) {
  if (!d->svg->hasTitle)
    return 0;
  int64_t width = d->width - 2 * PAD;
  int64_t lines = numLines(d->picture->expression, CUTE_WORDS_TITLE, width);
  if (strcmp(d->picture->expression, d->picture->value) != 0)
    lines += numLines(d->picture->value, CUTE_WORDS_VALUE, width);
  return lines * LINE + PAD / 2;
}

static void measure(Drawing *d) {
  d->cellWidth = CELL_WIDTH;
  d->cellHeight = CELL_HEIGHT;
  for (size_t i = 0; i < d->picture->numGrids; ++i)
    measureCells(d, &d->picture->grids[i]);
  measureSlots(d);
  int64_t right = placeSlots(d->columns, d->numColumns, PAD);
  int64_t title = wordsWidth(CUTE_WORDS_TITLE, d->picture->expression);
  title = !d->svg->hasTitle ? 0 : title < TITLE_WIDTH ? title : TITLE_WIDTH;
  d->width = larger(larger(right, LEAST_WIDTH), title + PAD) + PAD;
  d->gridsY = PAD + titleHeight(d);
  d->legendY = placeSlots(d->rows, d->numRows, d->gridsY) + PAD / 2;
  d->notesY = d->legendY + legendHeight(d);
  d->height = d->notesY + PAD / 2;
  for (size_t i = 0; i < d->picture->numNotes; ++i)
    d->height += LINE * numLines(d->picture->notes[i], CUTE_WORDS_NOTE,
                                 d->width - 2 * PAD);
}

//===-- Margins -----------------------------------------------------------===//

static void drawNumber(Drawing *d, int64_t x, int64_t y, int64_t value) {
  char number[24];
  snprintf(number, sizeof number, "%jd", value);
  cuteSvgAppendWords(d->svg, (int)x, (int)y, CUTE_ANCHOR_MIDDLE,
                     CUTE_WORDS_COORD, cuteStringRef(number));
}

// The coordinates from one position of a level to the next.
static int64_t stepOf(const CutePictureAxis *axis, size_t level) {
  return level ? 1 : (int64_t)axis->step;
}

// One strip per leaf of the mode, the innermost next to the numbers; spans of
// one coordinate are bracketed.
static void drawTopLevels(Drawing *d, const CutePictureAxis *axis, int64_t x,
                          int64_t y) {
  int64_t period = 1;
  for (size_t level = 0; level < axis->numLevels; ++level) {
    y -= LINE;
    int64_t span = period * d->cellWidth;
    for (int64_t i = 0; i < (int64_t)axis->extent / period; ++i) {
      drawNumber(d, x + i * span + span / 2, y + LINE / 2 - 1,
                 i % axis->levels[level] * stepOf(axis, level));
      cuteSvgAppendRule(d->svg, (int)(x + i * span + 3), (int)y + LINE - 3,
                        (int)(x + (i + 1) * span - 3), (int)y + LINE - 3, 0);
    }
    period *= axis->levels[level];
  }
}

static void drawLeftLevels(Drawing *d, const CutePictureAxis *axis, int64_t x,
                           int64_t y) {
  int64_t period = 1;
  for (size_t level = 0; level < axis->numLevels; ++level) {
    int64_t width = levelWidth(axis->levels[level]);
    x -= width;
    int64_t span = period * d->cellHeight;
    for (int64_t i = 0; i < (int64_t)axis->extent / period; ++i) {
      drawNumber(d, x + width / 2 - 1, y + i * span + span / 2,
                 i % axis->levels[level] * stepOf(axis, level));
      cuteSvgAppendRule(d->svg, (int)(x + width - 2), (int)(y + i * span + 3),
                        (int)(x + width - 2), (int)(y + (i + 1) * span - 3), 0);
    }
    period *= axis->levels[level];
  }
}

static void drawMargins(Drawing *d, const CutePictureGrid *grid, int64_t x,
                        int64_t y) {
  int64_t numbers = levelWidth(endOf(&grid->rows));
  for (size_t j = 0; grid->rank && j < grid->columns.extent; ++j)
    drawNumber(d, x + (int64_t)j * d->cellWidth + d->cellWidth / 2,
               y - LINE / 2,
               (int64_t)(grid->columns.first + j * grid->columns.step));
  for (size_t i = 0; grid->rank > 1 && i < grid->rows.extent; ++i)
    drawNumber(d, x - numbers / 2,
               y + (int64_t)i * d->cellHeight + d->cellHeight / 2,
               (int64_t)(grid->rows.first + i * grid->rows.step));
  drawTopLevels(d, &grid->columns, x, y - LINE);
  if (grid->rank > 1)
    drawLeftLevels(d, &grid->rows, x - numbers, y);
}

//===-- Grids -------------------------------------------------------------===//

static void drawCells(Drawing *d, const CutePictureGrid *grid, int64_t x,
                      int64_t y) {
  for (size_t i = 0; i < grid->rows.extent; ++i)
    for (size_t j = 0; j < grid->columns.extent; ++j) {
      CuteBox box = {(int)(x + (int64_t)j * d->cellWidth),
                     (int)(y + (int64_t)i * d->cellHeight), (int)d->cellWidth,
                     (int)d->cellHeight};
      cuteSvgAppendCell(d->svg, box, grid, i, j);
    }
}

static int ruleWeight(const CutePictureAxis *axis, size_t position) {
  size_t rule = cutePictureGetRule(axis, position);
  return rule < CUTE_RULE_BORDER ? (int)rule : CUTE_RULE_BORDER - 1;
}

// Heavier rules lie over lighter ones.
static void drawRules(Drawing *d, const CutePictureGrid *grid, int64_t x,
                      int64_t y) {
  int right = (int)(x + (int64_t)grid->columns.extent * d->cellWidth);
  int below = (int)(y + (int64_t)grid->rows.extent * d->cellHeight);
  for (int weight = 0; weight < CUTE_RULE_BORDER; ++weight) {
    for (size_t i = 1; i < grid->rows.extent; ++i) {
      int at = (int)(y + (int64_t)i * d->cellHeight);
      if (ruleWeight(&grid->rows, i) == weight)
        cuteSvgAppendRule(d->svg, (int)x, at, right, at, weight);
    }
    for (size_t j = 1; j < grid->columns.extent; ++j) {
      int at = (int)(x + (int64_t)j * d->cellWidth);
      if (ruleWeight(&grid->columns, j) == weight)
        cuteSvgAppendRule(d->svg, at, (int)y, at, below, weight);
    }
  }
  cuteSvgAppendRule(d->svg, (int)x, (int)y, right, (int)y, CUTE_RULE_BORDER);
  cuteSvgAppendRule(d->svg, (int)x, below, right, below, CUTE_RULE_BORDER);
  cuteSvgAppendRule(d->svg, (int)x, (int)y, (int)x, below, CUTE_RULE_BORDER);
  cuteSvgAppendRule(d->svg, right, (int)y, right, below, CUTE_RULE_BORDER);
}

static void drawHeading(Drawing *d, const CutePictureGrid *grid, int64_t x,
                        int64_t y) {
  y -= topMargin(grid);
  if (grid->title)
    cuteSvgAppendWords(d->svg, (int)x, (int)y + LINE / 2, CUTE_ANCHOR_START,
                       CUTE_WORDS_HEADING, cuteStringRef(grid->title));
  if (grid->subtitle)
    cuteSvgAppendWords(d->svg, (int)x, (int)y + LINE + LINE / 2,
                       CUTE_ANCHOR_START, CUTE_WORDS_NOTE,
                       cuteStringRef(grid->subtitle));
}

static void drawGrid(Drawing *d, const CutePictureGrid *grid) {
  Slot column = d->columns[grid->slotColumn], row = d->rows[grid->slotRow];
  int64_t x = column.start + column.before, y = row.start + row.before;
  drawHeading(d, grid, x, y);
  drawMargins(d, grid, x, y);
  drawCells(d, grid, x, y);
  drawRules(d, grid, x, y);
}

//===-- Legends -----------------------------------------------------------===//

static void drawRamp(Drawing *d) {
  int y = (int)d->legendY, x = PAD;
  char ends[2][40];
  snprintf(ends[0], sizeof ends[0], "%jd", d->picture->least);
  snprintf(ends[1], sizeof ends[1], "%jd", d->picture->greatest);
  cuteSvgAppendWords(d->svg, x, y + LINE / 2, CUTE_ANCHOR_START,
                     CUTE_WORDS_NOTE, cuteStringRef(ends[0]));
  x += (int)wordsWidth(CUTE_WORDS_NOTE, ends[0]) + COORD_PAD;
  for (unsigned i = 0; i < CUTE_NUM_COLORS; ++i) {
    CuteBox box = {x, y + 4, RAMP_SWATCH, LINE - 8};
    cuteSvgAppendSwatch(d->svg, box, i);
    x += RAMP_SWATCH;
  }
  cuteSvgAppendWords(d->svg, x + COORD_PAD, y + LINE / 2, CUTE_ANCHOR_START,
                     CUTE_WORDS_NOTE, cuteStringRef(ends[1]));
}

static void drawBanks(Drawing *d) {
  char caption[80];
  snprintf(caption, sizeof caption,
           "bank = (%jd bits * index / %d bits) mod %d", d->picture->bits,
           CUTE_BANK_BITS, CUTE_NUM_BANKS);
  cuteSvgAppendWords(d->svg, PAD, (int)d->legendY + LINE / 2, CUTE_ANCHOR_START,
                     CUTE_WORDS_NOTE, cuteStringRef(caption));
  int per = (int)banksPerRow(d);
  for (int i = 0; i < CUTE_NUM_BANKS; ++i) {
    CuteBox box = {PAD + i % per * SWATCH,
                   (int)d->legendY + LINE + i / per * SWATCH, SWATCH, SWATCH};
    cuteSvgAppendSwatch(d->svg, box, (unsigned)i);
    char number[24];
    snprintf(number, sizeof number, "%d", i);
    cuteSvgAppendWords(d->svg, box.x + SWATCH / 2, box.y + SWATCH / 2,
                       CUTE_ANCHOR_MIDDLE, CUTE_WORDS_LABEL,
                       cuteStringRef(number));
  }
}

//===-- All ---------------------------------------------------------------===//

int cutePictureLabelY(CuteBox box, const CutePictureCell *cell, size_t line) {
  int middle = box.y + box.height / 2;
  if (!cell->labels[1])
    return middle;
  return line ? middle + LABEL_LINE / 2 : middle - LABEL_LINE / 2;
}

static void drawTitle(Drawing *d) {
  int64_t y = drawLines(d, d->picture->expression, CUTE_WORDS_TITLE, PAD);
  if (strcmp(d->picture->expression, d->picture->value) != 0)
    drawLines(d, d->picture->value, CUTE_WORDS_VALUE, y);
}

static void drawAll(Drawing *d) {
  cuteSvgBegin(d->svg, (int)d->width, (int)d->height);
  if (d->svg->hasTitle)
    drawTitle(d);
  for (size_t i = 0; i < d->picture->numGrids; ++i)
    drawGrid(d, &d->picture->grids[i]);
  if (hasLegend(d->picture) && d->picture->kind == CUTE_PICTURE_BANK)
    drawBanks(d);
  else if (hasLegend(d->picture))
    drawRamp(d);
  int64_t y = d->notesY;
  for (size_t i = 0; i < d->picture->numNotes; ++i)
    y = drawLines(d, d->picture->notes[i], CUTE_WORDS_NOTE, y);
  cuteStringAppend(d->svg->text, "</svg>\n");
}

static Slot *newSlots(CuteArena *arena, size_t n) {
  Slot *slots = cuteArenaAllocate(arena, n * sizeof *slots);
  memset(slots, 0, n * sizeof *slots);
  return slots;
}

bool cutePictureDraw(CuteContext c, const CuteSvg *svg) {
  const CutePicture *picture = svg->picture;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  // A, B and C take two rows and columns.
  Drawing d = {.svg = svg,
               .picture = picture,
               .columns = newSlots(&c->scratch, picture->numGrids + 2),
               .rows = newSlots(&c->scratch, picture->numGrids + 2)};
  measure(&d);
  if (d.width > CUTE_MAX_DRAWN_PIXELS || d.height > CUTE_MAX_DRAWN_PIXELS)
    return cuteFail(
        c,
        "show: a picture has at most %d x %d pixels; this one would have "
        "%jd x %jd",
        CUTE_MAX_DRAWN_PIXELS, CUTE_MAX_DRAWN_PIXELS, d.width, d.height);
  drawAll(&d);
  return true;
}
