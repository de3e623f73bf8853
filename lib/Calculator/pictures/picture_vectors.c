// Elements that a thread has side by side become one cell, and sides of copies
// that are alike one drawing.
#include "Calculator/pictures/picture.h"
#include "Support/gcd.h"

// Tells whether a cell has the value after that of the cell before it.
static bool goesOn(const CutePictureCell *before, const CutePictureCell *cell) {
  return before->labels[0] && cell->labels[0] &&
         before->others == cell->others && before->thread == cell->thread &&
         before->value + 1 == cell->value;
}

// Counts the cells along rows (or down columns) that are values of one thread,
// one after the other, everywhere in the grid.
static size_t runLength(const CutePictureGrid *grid, bool isDown) {
  size_t lines = isDown ? grid->columns.extent : grid->rows.extent;
  size_t length = isDown ? grid->rows.extent : grid->columns.extent;
  int64_t run = (int64_t)length;
  for (size_t line = 0; line < lines && run > 1; ++line)
    for (size_t i = 1; i < length; ++i) {
      const CutePictureCell *cell = isDown ? cutePictureCellAt(grid, i, line)
                                           : cutePictureCellAt(grid, line, i);
      const CutePictureCell *before =
          isDown ? cutePictureCellAt(grid, i - 1, line)
                 : cutePictureCellAt(grid, line, i - 1);
      if (!goesOn(before, cell))
        run = cuteGcd(run, (int64_t)i);
    }
  return (size_t)run;
}

// Leaves every n-th position. Levels stay where they divide.
static void thinAxis(CutePictureAxis *axis, size_t n) {
  axis->extent /= n;
  axis->step *= n;
  for (size_t i = 0; i < axis->extent; ++i)
    axis->coords[i] = axis->coords[i * n];
  if (!axis->numLevels)
    return;
  if (axis->levels[0] % (int64_t)n)
    axis->numLevels = 0;
  else
    axis->levels[0] /= (int64_t)n;
}

static void *copy(CutePicture *picture, const void *from, size_t bytes) {
  void *to = cuteArenaAllocate(&picture->arena, bytes + 1);
  return bytes ? memcpy(to, from, bytes) : to;
}

static void mergeCells(CutePicture *picture, CutePictureGrid *grid, size_t n,
                       bool isDown) {
  size_t stride = grid->columns.extent;
  // The axes of grids that were made together are shared.
  CutePictureAxis *axis = isDown ? &grid->rows : &grid->columns;
  axis->coords =
      copy(picture, axis->coords, axis->extent * sizeof *axis->coords);
  axis->levels =
      copy(picture, axis->levels, axis->numLevels * sizeof *axis->levels);
  thinAxis(axis, n);
  for (size_t i = 0; i < grid->rows.extent; ++i)
    for (size_t j = 0; j < grid->columns.extent; ++j) {
      CutePictureCell cell =
          grid->cells[isDown ? i * n * stride + j : i * stride + j * n];
      cell.labels[1] =
          cuteArenaFormat(&picture->arena, "V%d-%d", (int)cell.value,
                          (int)(cell.value + (int32_t)n - 1));
      grid->cells[i * grid->columns.extent + j] = cell;
    }
}

void cutePictureMergeVectors(CutePicture *picture, size_t first) {
  for (int isDown = 0; isDown < 2; ++isDown) {
    int64_t run = 0;
    for (size_t i = first; i < picture->numGrids; ++i)
      run = cuteGcd(run, (int64_t)runLength(&picture->grids[i], isDown));
    if (run < 2)
      continue;
    for (size_t i = first; i < picture->numGrids; ++i)
      mergeCells(picture, &picture->grids[i], (size_t)run, isDown);
    return;
  }
}

//===-- Sides -------------------------------------------------------------===//

static bool areAlike(const CutePictureGrid *a, const CutePictureGrid *b) {
  if (a->rows.extent != b->rows.extent ||
      a->columns.extent != b->columns.extent ||
      a->columns.step != b->columns.step || a->rows.step != b->rows.step)
    return false;
  for (size_t i = 0; i < a->rows.extent * a->columns.extent; ++i) {
    const CutePictureCell *x = &a->cells[i], *y = &b->cells[i];
    if (!x->labels[0] != !y->labels[0] || x->thread != y->thread ||
        x->value != y->value || x->others != y->others)
      return false;
  }
  return true;
}

// Places grids from `first` on beside those before, or below where they would
// not fit beside each other on a screen.
static void placeAfter(CutePicture *picture, size_t first) {
  enum { SCREEN_COLUMNS = 24 };
  size_t rows = 0, columns = 0, cells = 0;
  for (size_t i = 0; i < first; ++i) {
    const CutePictureGrid *grid = &picture->grids[i];
    rows = grid->slotRow + 1 > rows ? grid->slotRow + 1 : rows;
    columns = grid->slotColumn + 1 > columns ? grid->slotColumn + 1 : columns;
    cells += grid->slotRow == 0 ? grid->columns.extent : 0;
  }
  bool isBelow = 2 * cells > SCREEN_COLUMNS;
  for (size_t i = first; i < picture->numGrids; ++i) {
    picture->grids[i].slotRow += isBelow ? rows : 0;
    picture->grids[i].slotColumn += isBelow ? 0 : columns;
  }
}

bool cutePicturePlaceSides(CutePicture *picture, size_t first) {
  size_t n = picture->numGrids - first;
  bool isSame = n == first;
  for (size_t i = 0; i < n && isSame; ++i)
    isSame = areAlike(&picture->grids[i], &picture->grids[first + i]);
  if (isSame)
    picture->numGrids = first;
  else
    placeAfter(picture, first);
  return isSame;
}
