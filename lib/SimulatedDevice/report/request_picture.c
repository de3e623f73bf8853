#include "Algebra/algebra.h"
#include "Calculator/pictures/picture.h"
#include "SimulatedDevice/report/report_parts.h"

enum {
  COLUMNS = 32, // banks, or words of a line
  WORD = 4,
  SECTOR_WORDS = 8,
  MOST_ROWS = 40,
};

// The contents of one cell.
typedef struct Cell {
  int64_t word; // its number, where there are lanes
  uint32_t lanes;
} Cell;

typedef struct Grid {
  int numRows;
  Cell cells[MOST_ROWS][COLUMNS];
} Grid;

static void addLane(Grid *grid, int row, int64_t word, int lane) {
  Cell *cell = &grid->cells[row][word % COLUMNS];
  cell->word = word;
  cell->lanes |= 1u << lane;
  if (row >= grid->numRows)
    grid->numRows = row + 1;
}

// Adds a word to the first row, from `first` on, in which it is, or its bank is
// free.
static void addToBank(Grid *grid, int first, int64_t word, int lane) {
  int row = first;
  while (row < MOST_ROWS && grid->cells[row][word % COLUMNS].lanes &&
         grid->cells[row][word % COLUMNS].word != word)
    ++row;
  if (row < MOST_ROWS)
    addLane(grid, row, word, lane);
}

// Adds a word to the row of its line of 128 bytes.
static void addToLine(Grid *grid, int64_t *lines, int64_t word, int lane) {
  int row = 0;
  while (row < grid->numRows && lines[row] != word / COLUMNS)
    ++row;
  if (row == MOST_ROWS)
    return;
  lines[row] = word / COLUMNS;
  addLane(grid, row, word, lane);
}

// Fills the grid; of shared memory, as many lanes as have 128 bytes together go
// at once.
static void fillGrid(Grid *grid, const CuteSimRequest *request, bool isShared) {
  int64_t lines[MOST_ROWS];
  int step = request->bytes <= WORD ? COLUMNS : COLUMNS * WORD / request->bytes;
  int first = 0;
  for (int lane = 0; lane < COLUMNS; ++lane) {
    int64_t begin = request->addresses[lane];
    if (lane % step == 0)
      first = grid->numRows;
    for (int64_t at = begin / WORD;
         request->lanes >> lane & 1 && at * WORD < begin + request->bytes; ++at)
      if (isShared)
        addToBank(grid, first, at, lane);
      else
        addToLine(grid, lines, at, lane);
  }
}

// Neighbouring lanes have neighbouring colours.
static void fillCell(CutePicture *picture, const Cell *from,
                     CutePictureCell *cell) {
  const char *others = NULL;
  if (!from->lanes)
    return;
  int first = __builtin_ctz(from->lanes);
  for (int lane = first + 1; lane < COLUMNS; ++lane)
    if (from->lanes >> lane & 1)
      others = cuteArenaFormat(&picture->arena, "%s%sL%d", others ? others : "",
                               others ? ", " : "", lane);
  cell->labels[0] = cuteArenaFormat(&picture->arena, "%jd", from->word * WORD);
  cell->labels[1] =
      cuteArenaFormat(&picture->arena, "L%d%s", first, others ? "+" : "");
  cell->otherPairs = others;
  cell->color = (uint8_t)first;
}

static bool draw(CuteContext c, const Grid *grid, bool isShared,
                 CutePicture *picture, CuteString *text) {
  CuteIntTuple sector[] = {staticInt(c, SECTOR_WORDS),
                           staticInt(c, COLUMNS / SECTOR_WORDS)};
  CuteIntTuple domain[] = {staticInt(c, grid->numRows),
                           isShared ? staticInt(c, COLUMNS)
                                    : cuteInternTuple(c, 2, sector)};
  CutePictureGrids grids;
  if (!cutePictureAddGrids(c, picture, cuteInternTuple(c, 2, domain), false,
                           MOST_ROWS * COLUMNS, &grids))
    return false;
  for (int row = 0; row < grid->numRows; ++row)
    for (int column = 0; column < COLUMNS; ++column)
      fillCell(picture, &grid->cells[row][column],
               cutePictureGetCell(grids, row + column * grid->numRows));
  return cutePictureWriteSvgBody(c, picture, text);
}

void cuteRequestDraw(CuteContext c, const CuteSimRequest *request,
                     bool isShared, CuteString *text) {
  CUTE_SCOPED(Picture) picture = {.expression = "request", .value = "request"};
  CUTE_FREED Grid *grid = cuteAllocateZeros(1, sizeof *grid);
  fillGrid(grid, request, isShared);
  draw(c, grid, isShared, &picture, text);
}
