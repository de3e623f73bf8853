#include "SimulatedDevice/report/report_parts.h"

#include <stdlib.h>

enum {
  COLUMNS = 32, // banks, or words of a line
  WORD = 4,
  SECTOR_WORDS = 8,
  MOST_ROWS = 40,
  CELL_WIDTH = 24,
  CELL_HEIGHT = 16,
  MARGIN = 18,
};

// The contents of one cell.
typedef struct Cell {
  int64_t word; // its number, where there are lanes
  uint32_t lanes;
} Cell;

typedef struct Grid {
  int numRows;
  int64_t lines[MOST_ROWS]; // of memory, or groups of lanes
  Cell cells[MOST_ROWS][COLUMNS];
} Grid;

//===-- Drawing -----------------------------------------------------------===//

// Colours of neighbouring lanes differ a little.
static void appendCell(CuteString *text, const Cell *cell, int row,
                       int column) {
  enum { TURN = 360 };
  int x = MARGIN + column * CELL_WIDTH, y = MARGIN + row * CELL_HEIGHT;
  int first = cell->lanes ? __builtin_ctz(cell->lanes) : 0;
  int count = __builtin_popcount(cell->lanes);
  if (!count) {
    cuteStringAppendFormat(text,
                           "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                           "fill=\"#f4f4f4\" stroke=\"#ddd\"/>\n",
                           x, y, CELL_WIDTH, CELL_HEIGHT);
    return;
  }
  cuteStringAppendFormat(text, "<g><title>bytes %lld to %lld: lane%s",
                         (long long)cell->word * WORD,
                         (long long)cell->word * WORD + WORD - 1,
                         count > 1 ? "s" : "");
  for (int lane = 0; lane < COLUMNS; ++lane)
    if (cell->lanes >> lane & 1)
      cuteStringAppendFormat(text, " %d", lane);
  cuteStringAppendFormat(
      text,
      "</title><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
      "fill=\"hsl(%d,70%%,80%%)\" stroke=\"#fff\"/>"
      "<text x=\"%d\" y=\"%d\">%d%s</text></g>\n",
      x, y, CELL_WIDTH, CELL_HEIGHT, first * TURN / COLUMNS, x + CELL_WIDTH / 2,
      y + CELL_HEIGHT - WORD, first, count > 1 ? "+" : "");
}

// A line above what begins anew, and before each sector.
static void appendRules(CuteString *text, const Grid *grid, bool hasSectors) {
  int width = COLUMNS * CELL_WIDTH, height = grid->numRows * CELL_HEIGHT;
  for (int row = 0; row < grid->numRows; ++row)
    if (!row || grid->lines[row] != grid->lines[row - 1])
      cuteStringAppendFormat(text, "<path d=\"M%d %dh%d\" stroke=\"#444\"/>\n",
                             MARGIN, MARGIN + row * CELL_HEIGHT, width);
  for (int at = 0; hasSectors && at <= COLUMNS; at += SECTOR_WORDS)
    cuteStringAppendFormat(text, "<path d=\"M%d %dv%d\" stroke=\"#444\"/>\n",
                           MARGIN + at * CELL_WIDTH, MARGIN, height);
}

static void draw(const Grid *grid, bool hasSectors, CuteString *text) {
  int width = 2 * MARGIN + COLUMNS * CELL_WIDTH;
  int height = 2 * MARGIN + grid->numRows * CELL_HEIGHT;
  cuteStringAppendFormat(text,
                         "<svg class=\"request\" "
                         "xmlns=\"http://www.w3.org/2000/svg\" "
                         "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
                         width, height, width, height);
  for (int column = 0; column < COLUMNS; ++column)
    cuteStringAppendFormat(text, "<text x=\"%d\" y=\"%d\">%d</text>\n",
                           MARGIN + column * CELL_WIDTH + CELL_WIDTH / 2,
                           MARGIN - WORD, column);
  for (int row = 0; row < grid->numRows; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      appendCell(text, &grid->cells[row][column], row, column);
  appendRules(text, grid, hasSectors);
  cuteStringAppend(text, "</svg>\n");
}

//===-- Banks -------------------------------------------------------------===//

// The first row of a group of lanes, from `first` on, in which the word's bank
// has that word or is free.
static void addToBank(Grid *grid, int first, int64_t group, int64_t word,
                      int lane) {
  int bank = (int)(word % COLUMNS);
  for (int row = first; row < MOST_ROWS; ++row) {
    Cell *cell = &grid->cells[row][bank];
    if (cell->lanes && cell->word != word)
      continue;
    cell->word = word;
    cell->lanes |= 1u << lane;
    grid->lines[row] = group;
    if (row >= grid->numRows)
      grid->numRows = row + 1;
    return;
  }
}

// As many lanes as have 128 bytes together go at once.
void cuteRequestDrawBanks(const CuteSimRequest *request, CuteString *text) {
  Grid *grid = calloc(1, sizeof *grid);
  int step = request->bytes <= WORD ? COLUMNS : COLUMNS * WORD / request->bytes;
  for (int group = 0; grid && group * step < COLUMNS; ++group) {
    int first = grid->numRows;
    for (int lane = group * step; lane < (group + 1) * step; ++lane)
      for (int64_t at = request->addresses[lane] / WORD;
           request->lanes >> lane & 1 &&
           at * WORD < request->addresses[lane] + request->bytes;
           ++at)
        addToBank(grid, first, group, at, lane);
  }
  if (grid)
    draw(grid, false, text);
  free(grid);
}

//===-- Sectors -----------------------------------------------------------===//

static void addToLine(Grid *grid, int64_t word, int lane) {
  int row = 0;
  while (row < grid->numRows && grid->lines[row] != word / COLUMNS)
    ++row;
  if (row == MOST_ROWS)
    return;
  if (row == grid->numRows)
    grid->lines[grid->numRows++] = word / COLUMNS;
  grid->cells[row][word % COLUMNS].word = word;
  grid->cells[row][word % COLUMNS].lanes |= 1u << lane;
}

void cuteRequestDrawSectors(const CuteSimRequest *request, CuteString *text) {
  Grid *grid = calloc(1, sizeof *grid);
  for (int lane = 0; grid && lane < COLUMNS; ++lane)
    for (int64_t at = request->addresses[lane] / WORD;
         request->lanes >> lane & 1 &&
         at * WORD < request->addresses[lane] + request->bytes;
         ++at)
      addToLine(grid, at, lane);
  if (grid)
    draw(grid, true, text);
  free(grid);
}
