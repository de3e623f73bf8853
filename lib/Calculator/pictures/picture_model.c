// Filling the model of a picture from a value.
#include "Algebra/algebra.h"
#include "Calculator/pictures/layout_value.h"
#include "Calculator/pictures/picture_color.h"

//===-- Texts -------------------------------------------------------------===//

const char *cutePictureTupleText(CutePicture *picture, CuteIntTuple tuple) {
  CuteString text = {0};
  cuteAppendTuple(&text, tuple);
  return cuteArenaTakeString(&picture->arena, &text);
}

const char *cutePictureLayoutText(CutePicture *picture, CuteLayout layout) {
  CuteString text = {0};
  cuteAppendLayout(&text, layout);
  return cuteArenaTakeString(&picture->arena, &text);
}

void cutePictureAddNote(CutePicture *picture, const char *note) {
  CUTE_ARENA_PUSH(&picture->arena, picture->notes, picture->numNotes, note);
}

//===-- Axes --------------------------------------------------------------===//

static CutePictureAxis singleAxis(CutePicture *picture) {
  CutePictureAxis axis = {.extent = 1, .step = 1};
  axis.coords = cuteArenaAllocate(&picture->arena, sizeof *axis.coords);
  axis.coords[0] = "";
  return axis;
}

static void addLevels(CuteContext c, CutePicture *picture, CuteIntTuple mode,
                      CutePictureAxis *axis) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  size_t n = mode->numLeaves;
  CuteIntTuple *leaves = cuteScratch(c, (n + 1) * sizeof(CuteIntTuple));
  cuteIntTupleGetLeaves(mode, leaves);
  axis->levels = cuteArenaAllocate(&picture->arena, (n + 1) * sizeof(int64_t));
  for (size_t i = 0; i < n; ++i)
    if (leaves[i]->value > 1)
      axis->levels[axis->numLevels++] = leaves[i]->value;
  if (axis->numLevels == 1)
    axis->numLevels = 0;
}

static CutePictureAxis modeAxis(CuteContext c, CutePicture *picture,
                                CuteIntTuple mode, int64_t extent) {
  CutePictureAxis axis = {.extent = (size_t)extent, .step = 1};
  axis.coords =
      cuteArenaAllocate(&picture->arena, axis.extent * sizeof *axis.coords);
  for (size_t i = 0; i < axis.extent; ++i)
    axis.coords[i] = cutePictureTupleText(
        picture, cuteIdx2Crd(c, staticInt(c, (int64_t)i), mode));
  addLevels(c, picture, mode, &axis);
  return axis;
}

size_t cutePictureGetRule(const CutePictureAxis *axis, size_t position) {
  size_t rule = 0;
  int64_t period = 1;
  if (position == 0 || position == axis->extent)
    return 0;
  for (size_t i = 0; i + 1 < axis->numLevels; ++i) {
    period *= axis->levels[i];
    if ((int64_t)position % period)
      break;
    rule = i + 1;
  }
  return rule;
}

//===-- Grids -------------------------------------------------------------===//

// ",2,(1,0))" for a slice of the modes past the second.
static const char *tailText(CuteContext c, CutePicture *picture,
                            CuteIntTuple domain, int64_t slice) {
  CuteString text = {0};
  for (size_t i = 2; i < domain->rank; ++i) {
    CuteIntTuple mode = domain->elements[i];
    int64_t extent = cuteIntTupleProduct(c, mode)->value;
    cuteStringAppendChar(&text, ',');
    cuteAppendTuple(&text, cuteIdx2Crd(c, staticInt(c, slice % extent), mode));
    slice /= extent;
  }
  cuteStringAppend(&text, isTuple(domain) ? ")" : "");
  return cuteArenaTakeString(&picture->arena, &text);
}

static CutePictureCell *newCells(CutePicture *picture, size_t n) {
  CutePictureCell *cells =
      cuteArenaAllocate(&picture->arena, n * sizeof *cells);
  memset(cells, 0, n * sizeof *cells);
  return cells;
}

static CutePictureGrid *pushGrid(CutePicture *picture) {
  picture->grids = cuteArenaGrow(&picture->arena, picture->grids,
                                 picture->numGrids, sizeof *picture->grids);
  return &picture->grids[picture->numGrids++];
}

// The product of extents [begin, end); null with a message past 64 bits.
static CuteIntTuple extentOf(CuteContext c, CuteIntTuple domain, size_t begin,
                             size_t end) {
  CuteIntTuple extent = staticInt(c, 1);
  for (size_t i = begin; i < end && i < domain->rank; ++i)
    extent = cuteLeafMul(c, extent, cuteIntTupleProduct(c, element(domain, i)));
  return extent;
}

// About as many side by side as one above the other, by extents.
static size_t gridsPerRow(size_t count, size_t rows, size_t columns) {
  size_t per = 1;
  while (per < count && per * columns * per < count * rows)
    ++per;
  return per;
}

static bool checkSize(CuteContext c, CuteIntTuple domain, int64_t already,
                      int64_t maxCells) {
  CuteIntTuple size = cuteIntTupleProduct(c, domain);
  if (!size)
    return false;
  if (size->value <= maxCells - already)
    return true;
  CuteString text = {0};
  cuteAppendTuple(&text, domain);
  if (already)
    cuteStringAppendFormat(&text, " beside %jd more", already);
  return cuteFail(c, "show: at most %jd cells can be shown, not the %jd of %s",
                  maxCells, (already + size->value),
                  cuteArenaTakeString(&c->scratch, &text));
}

static int64_t numCells(const CutePicture *picture) {
  size_t n = 0;
  for (size_t i = 0; i < picture->numGrids; ++i)
    n += picture->grids[i].rows.extent * picture->grids[i].columns.extent;
  return (int64_t)n;
}

// The first mode goes down and the second to the right; a single mode goes to
// the right.
static void fillGrid(CutePicture *picture, CutePictureGrid *grid, size_t rank,
                     const CutePictureAxis modes[2], bool isTransposed) {
  bool swap = isTransposed || rank < 2;
  *grid = (CutePictureGrid){.operand = "",
                            .rows = modes[swap ? 1 : 0],
                            .columns = modes[swap ? 0 : 1],
                            .rank = rank,
                            .tail = "",
                            .isTransposed = isTransposed};
  grid->cells = newCells(picture, grid->rows.extent * grid->columns.extent);
}

bool cutePictureAddGrids(CuteContext c, CutePicture *picture,
                         CuteIntTuple domain, bool isTransposed,
                         int64_t maxCells, CutePictureGrids *grids) {
  if (!checkSize(c, domain, numCells(picture), maxCells))
    return false;
  size_t rank = domain->rank < 2 ? domain->rank : 2;
  CutePictureAxis modes[2] = {singleAxis(picture), singleAxis(picture)};
  for (size_t i = 0; i < rank; ++i)
    modes[i] = modeAxis(c, picture, element(domain, i),
                        extentOf(c, domain, i, i + 1)->value);
  size_t first = picture->numGrids;
  int64_t count = extentOf(c, domain, 2, domain->rank)->value;
  size_t per = gridsPerRow((size_t)count, modes[0].extent, modes[1].extent);
  for (int64_t i = 0; i < count; ++i) {
    CutePictureGrid *grid = pushGrid(picture);
    fillGrid(picture, grid, rank, modes, isTransposed);
    grid->tail = tailText(c, picture, domain, i);
    grid->slotRow = (size_t)i / per;
    grid->slotColumn = (size_t)i % per;
    if (domain->rank > 2)
      grid->title = cuteArenaFormat(&picture->arena, "(_,_%s", grid->tail);
  }
  *grids = (CutePictureGrids){&picture->grids[first], (size_t)count,
                              modes[0].extent, modes[1].extent};
  return true;
}

CutePictureCell *cutePictureGetCell(CutePictureGrids grids, int64_t index) {
  size_t inGrid = (size_t)index % (grids.rows * grids.columns);
  CutePictureGrid *grid =
      &grids.data[(size_t)index / (grids.rows * grids.columns)];
  size_t first = inGrid % grids.rows, second = inGrid / grids.rows;
  bool swap = grid->isTransposed || grid->rank < 2;
  return &grid->cells[swap ? second * grids.rows + first
                           : first * grids.columns + second];
}

void cutePictureAppendCoord(CuteString *text, const CutePictureGrid *grid,
                            size_t row, size_t column) {
  bool swap = grid->isTransposed || grid->rank < 2;
  const char *first =
      swap ? grid->columns.coords[column] : grid->rows.coords[row];
  const char *second =
      swap ? grid->rows.coords[row] : grid->columns.coords[column];
  cuteStringAppend(text, *grid->tail ? "(" : "");
  cuteStringAppend(text, grid->rank > 0 ? first : "");
  cuteStringAppend(text, grid->rank > 1 ? "," : "");
  cuteStringAppend(text, grid->rank > 1 ? second : "");
  cuteStringAppend(text, grid->tail);
}

//===-- Layouts -----------------------------------------------------------===//

static void setIndex(CutePicture *picture, CuteIntTuple value) {
  bool first = !picture->hasIndices;
  picture->hasIndices = true;
  if (first || value->value < picture->least)
    picture->least = value->value;
  if (first || value->value > picture->greatest)
    picture->greatest = value->value;
}

static bool addValues(CuteContext c, CutePicture *picture,
                      CuteLayoutValue layout, CutePictureGrids grids,
                      CuteIntTuple *values) {
  size_t n = grids.count * grids.rows * grids.columns;
  for (size_t i = 0; i < n; ++i) {
    values[i] = cuteLayoutValueAt(c, layout, (int64_t)i);
    if (!values[i])
      return false;
    CutePictureCell *cell = cutePictureGetCell(grids, (int64_t)i);
    cell->labels[0] = cutePictureTupleText(picture, values[i]);
    if (isStatic(values[i]))
      setIndex(picture, values[i]);
  }
  return true;
}

static bool addColors(CuteContext c, CutePicture *picture,
                      CutePictureGrids grids, const CuteIntTuple *values) {
  size_t n = grids.count * grids.rows * grids.columns;
  for (size_t i = 0; i < n; ++i) {
    CutePictureCell *cell = cutePictureGetCell(grids, (int64_t)i);
    if (picture->kind == CUTE_PICTURE_INDEX && isStatic(values[i]))
      cell->color =
          cuteRampColor(values[i]->value, picture->least, picture->greatest);
    else if (picture->kind == CUTE_PICTURE_BANK && isStatic(values[i]))
      cell->color = cuteBankColor(values[i]->value, picture->bits);
    else if (picture->kind == CUTE_PICTURE_BANK)
      return cuteFail(c, "show: coordinates are in no bank: %s",
                      picture->value);
  }
  return true;
}

static bool addLayout(CuteContext c, CutePicture *picture, CuteValue value,
                      CutePictureOptions options) {
  CuteLayoutValue layout;
  CutePictureGrids grids;
  picture->kind = options.bits ? CUTE_PICTURE_BANK : CUTE_PICTURE_INDEX;
  picture->bits = options.bits;
  if (!cuteLayoutValueGet(c, value, "show", &layout) ||
      !cutePictureAddGrids(c, picture, cuteLayoutGetShape(layout.layout), false,
                           options.maxCells, &grids))
    return false;
  size_t n = grids.count * grids.rows * grids.columns;
  CuteIntTuple *values = cuteArenaAllocate(&picture->arena, n * sizeof *values);
  return addValues(c, picture, layout, grids, values) &&
         addColors(c, picture, grids, values);
}

//===-- Pictures ----------------------------------------------------------===//

static bool hasThreads(CuteValue value) {
  return value.kind == CUTE_VALUE_MMA_ATOM ||
         value.kind == CUTE_VALUE_COPY_ATOM ||
         value.kind == CUTE_VALUE_TILED_MMA ||
         value.kind == CUTE_VALUE_TILED_COPY;
}

bool cutePictureCreate(CuteContext c, CuteValue value,
                       CutePictureOptions options, CutePicture *picture) {
  *picture = (CutePicture){.expression = options.expression,
                           .isColored = options.isColored};
  if (cuteValueFailed(value))
    return false;
  CuteString text = {0};
  cuteAppendValue(&text, value);
  picture->value = cuteArenaTakeString(&picture->arena, &text);
  return options.tile || hasThreads(value)
             ? cutePictureAddTV(c, picture, value, options)
             : addLayout(c, picture, value, options);
}

void cutePictureDestroy(CutePicture *picture) {
  cuteArenaDestroy(&picture->arena);
}
