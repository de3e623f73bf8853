// Pictures of thread-value layouts: which thread holds which value, for a
// layout (thread,value) -> index, for the operands of an MMA and the sides of a
// copy.
#include "Algebra/tiled.h"
#include "Calculator/pictures/picture_color.h"
#include "Support/gcd.h"

enum { MAX_PAIRS = 1 << 20 };

// One tile and who holds its elements.
typedef struct Holders {
  const char *operand; // "A"
  const char *title;   // "A: rows m, columns k"
  CuteIntTuple tile;   // domain: indices count it colexicographically
  CuteLayout layout;   // (thread,value) -> index
  CuteLayout lanes;    // what threads are called; null: by their number
  bool isTransposed;
  bool maySpill;   // pairs that lead past the tile are allowed
  bool isMatrices; // each grid is one of 8 x 8 units
  bool isVector;   // elements side by side may be one cell
  size_t slotRow, slotColumn;
} Holders;

//===-- Filling -----------------------------------------------------------===//

typedef struct Filling {
  CuteContext c;
  CutePicture *picture;
  const Holders *holders;
  CutePictureGrids grids;
  int64_t size, threads, values; // of the tile; of the layout
  int64_t past;                  // pairs that led past the tile
  uint32_t mostOthers;
} Filling;

static int64_t laneOf(Filling *f, int64_t thread) {
  CuteIntTuple lane = staticInt(f->c, thread);
  if (f->holders->lanes)
    lane = cuteLayoutEval(f->c, f->holders->lanes, lane);
  return isStatic(lane) ? lane->value : thread;
}

enum { MAX_LISTED = 7 };

static void addOther(Filling *f, CutePictureCell *cell, const char *thread,
                     const char *value) {
  ++cell->others;
  if (cell->others > f->mostOthers)
    f->mostOthers = cell->others;
  if (cell->others <= MAX_LISTED)
    cell->otherPairs =
        cuteArenaFormat(&f->picture->arena, "%s%s%s %s",
                        cell->otherPairs ? cell->otherPairs : "",
                        cell->otherPairs ? ", " : "", thread, value);
}

// Hues are quads of lanes; within them shades are lanes or, where there are
// several warps, warps.
static uint8_t colorOf(const Filling *f, int64_t thread) {
  int64_t lane = thread % CUTE_NUM_COLORS, warp = thread / CUTE_NUM_COLORS;
  return (uint8_t)(f->threads > CUTE_NUM_COLORS ? lane / 4 * 4 + warp % 4
                                                : lane);
}

static void hold(Filling *f, int64_t index, CutePictureCell pair) {
  CutePictureCell *cell = cutePictureGetCell(f->grids, index);
  if (cell->labels[0])
    addOther(f, cell, pair.labels[0], pair.labels[1]);
  else
    *cell = pair;
}

static bool addPair(Filling *f, int64_t thread, int64_t value,
                    const char *threadText, const char *valueText) {
  CuteIntTuple pair[] = {staticInt(f->c, thread), staticInt(f->c, value)};
  CuteIntTuple index =
      cuteLayoutEval(f->c, f->holders->layout, cuteInternTuple(f->c, 2, pair));
  if (!index)
    return false;
  if (!isStatic(index))
    return cuteFailTuple(
        f->c, "show: a (thread,value) layout gives integers, not ", index);
  bool inside = index->value >= 0 && index->value < f->size;
  int64_t lane = laneOf(f, thread);
  if (inside)
    hold(f, index->value,
         (CutePictureCell){.labels = {threadText, valueText},
                           .thread = (int32_t)lane,
                           .value = (int32_t)value,
                           .color = colorOf(f, lane)});
  f->past += !inside;
  if (inside || f->holders->maySpill)
    return true;
  return cuteFail(
      f->c,
      "show: thread %jd, value %jd lead to index %jd, outside of the tile %s",
      thread, value, index->value,
      cutePictureTupleText(f->picture, f->holders->tile));
}

static bool addPairs(Filling *f) {
  const char **values =
      cuteArenaAllocate(&f->picture->arena, (size_t)f->values * sizeof *values);
  for (int64_t v = 0; v < f->values; ++v)
    values[v] = cuteArenaFormat(&f->picture->arena, "V%jd", v);
  for (int64_t t = 0; t < f->threads; ++t) {
    const char *thread =
        cuteArenaFormat(&f->picture->arena, "T%jd", laneOf(f, t));
    for (int64_t v = 0; v < f->values; ++v)
      if (!addPair(f, t, v, thread, values[v]))
        return false;
  }
  return true;
}

// Says how many pairs hold elements, beside the first, and what is coloured.
static void addNotes(const Filling *f) {
  static const char warps[] = "hues are quads of lanes, shades are warps";
  const char *operand = f->holders->operand;
  bool isFirst = f->grids.data == f->picture->grids;
  if (f->threads > CUTE_NUM_COLORS && isFirst)
    cutePictureAddNote(f->picture, warps);
  const char *colon = *operand ? ": " : "";
  if (f->mostOthers)
    cutePictureAddNote(f->picture,
                       cuteArenaFormat(&f->picture->arena,
                                       "%s%sup to %u (thread,value) pairs hold "
                                       "an element; the first is shown",
                                       operand, colon, f->mostOthers + 1));
  if (f->past)
    cutePictureAddNote(
        f->picture,
        cuteArenaFormat(&f->picture->arena,
                        "%s%s%jd (thread,value) pairs lead past the tile",
                        operand, colon, f->past));
}

static bool checkLayout(CuteContext c, CutePicture *picture,
                        CuteLayout layout) {
  if (!layout)
    return false;
  if (cuteLayoutGetNumDynamic(layout))
    return cuteFail(c, "show: needs a static layout, not %s",
                    cutePictureLayoutText(picture, layout));
  if (cuteLayoutGetRank(layout) != 2)
    return cuteFailTuple(
        c, "show: a (thread,value) layout has two modes; this has the shape ",
        cuteLayoutGetShape(layout));
  CuteIntTuple size = cuteLayoutGetSize(c, layout);
  if (!size)
    return false;
  if (size->value > MAX_PAIRS)
    return cuteFail(
        c, "show: at most %d (thread,value) pairs can be shown, not %jd",
        MAX_PAIRS, size->value);
  return true;
}

static void nameGrids(CutePicture *picture, const Holders *holders,
                      CutePictureGrids grids) {
  for (size_t i = 0; i < grids.count; ++i) {
    CutePictureGrid *grid = &grids.data[i];
    grid->operand = holders->operand;
    if (!holders->title)
      continue;
    if (holders->isMatrices)
      grid->title =
          cuteArenaFormat(&picture->arena, "%s, matrix %zu", holders->title, i);
    else
      grid->title = grid->title ? cuteArenaFormat(&picture->arena, "%s %s",
                                                  holders->title, grid->title)
                                : holders->title;
    if (!holders->isMatrices || i == 0)
      grid->subtitle = cutePictureLayoutText(picture, holders->layout);
    grid->slotRow += holders->slotRow;
    grid->slotColumn += holders->slotColumn;
  }
}

static bool addHolders(CuteContext c, CutePicture *picture, int64_t maxCells,
                       Holders holders) {
  CutePictureGrids grids;
  if (!holders.tile || !checkLayout(c, picture, holders.layout) ||
      !cutePictureAddGrids(c, picture, holders.tile, holders.isTransposed,
                           maxCells, &grids))
    return false;
  nameGrids(picture, &holders, grids);
  CuteIntTuple shape = cuteLayoutGetShape(holders.layout);
  Filling f = {
      .c = c,
      .picture = picture,
      .holders = &holders,
      .grids = grids,
      .size = (int64_t)(grids.count * grids.rows * grids.columns),
      .threads = cuteIntTupleProduct(c, element(shape, 0))->value,
      .values = cuteIntTupleProduct(c, element(shape, 1))->value,
  };
  if (!addPairs(&f))
    return false;
  addNotes(&f);
  if (holders.isVector)
    cutePictureMergeVectors(picture, picture->numGrids - grids.count);
  return true;
}

//===-- MMA ---------------------------------------------------------------===//

// A is left of C, and B above it, with K down.
static const struct {
  const char *operand, *title;
  bool isTransposed;
  size_t slotRow, slotColumn;
} operands[] = {
    [CUTE_OPERAND_A] = {"A", "A: rows m, columns k", false, 1, 0},
    [CUTE_OPERAND_B] = {"B", "B: rows k, columns n", true, 0, 1},
    [CUTE_OPERAND_C] = {"C", "C: rows m, columns n", false, 1, 1},
};

static bool isAtom(CuteTiledMma mma) { return !mma.atomLayout; }

static CuteLayout mmaLayout(CuteContext c, CuteTiledMma mma,
                            CuteMmaOperand operand) {
  if (!isAtom(mma))
    return cuteTiledMmaGetLayoutTV(c, mma, operand);
  return cuteMmaAtomGetLayout(c, mma.atom, operand);
}

// The extent of the tile, as (atom, number of atoms) where there are several.
static CuteIntTuple mmaExtent(CuteContext c, CuteTiledMma mma,
                              CuteMmaOperand operand, int mode) {
  CuteIntTuple atom =
      staticInt(c, cuteMmaAtomGetExtent(mma.atom, operand, mode));
  CuteIntTuple extent =
      isAtom(mma) ? atom : cuteTiledMmaGetOperandSize(c, mma, operand, mode);
  if (!isStatic(extent) || extent == atom || extent->value % atom->value)
    return extent;
  CuteIntTuple pair[] = {atom, cuteLeafDiv(c, extent, atom)};
  return cuteInternTuple(c, 2, pair);
}

// Adds A, B and C. Products of a warpgroup or of tensor memory have too many
// elements for a cell each.
static bool addMma(CuteContext c, CutePicture *picture, CuteTiledMma mma,
                   CutePictureOptions options) {
  enum { MANY_ROWS = 64 };
  bool isVector =
      cuteMmaAtomGetExtent(mma.atom, CUTE_OPERAND_C, 0) >= MANY_ROWS &&
      !options.elements;
  int64_t most = isVector ? cutePictureFormatGetMaxCells(CUTE_PICTURE_TEXT)
                          : options.maxCells;
  for (int i = CUTE_OPERAND_A; i <= CUTE_OPERAND_C; ++i) {
    CuteIntTuple extents[] = {mmaExtent(c, mma, (CuteMmaOperand)i, 0),
                              mmaExtent(c, mma, (CuteMmaOperand)i, 1)};
    Holders holders = {
        .operand = operands[i].operand,
        .title = operands[i].title,
        .tile =
            extents[0] && extents[1] ? cuteInternTuple(c, 2, extents) : NULL,
        .layout = mmaLayout(c, mma, (CuteMmaOperand)i),
        .lanes = isAtom(mma) ? cuteParseRow(c, mma.atom->kind->thrId) : NULL,
        .isTransposed = operands[i].isTransposed,
        .maySpill = true,
        .isVector = isVector,
        .slotRow = operands[i].slotRow,
        .slotColumn = operands[i].slotColumn,
    };
    if (!addHolders(c, picture, most, holders))
      return false;
  }
  return true;
}

//===-- Copy --------------------------------------------------------------===//

static const char *const sideNames[] = {"S", "D"};
static const char *const sideTitles[] = {"S: source", "D: destination"};

// Makes grids of both sides, after the destination's from `first` on, one
// picture.
static void joinSides(CutePicture *picture, size_t first, size_t numNotes) {
  if (!cutePicturePlaceSides(picture, first))
    return;
  picture->numNotes = numNotes;
  for (size_t i = 0; i < picture->numGrids; ++i) {
    CutePictureGrid *grid = &picture->grids[i];
    grid->operand = "";
    grid->title = cuteArenaFormat(&picture->arena, "source and destination%s",
                                  grid->title + strlen(sideTitles[0]));
  }
}

// Counts the bits that stay together wherever the layout puts them: what
// divides every stride, and the extents of stride 1.
static int64_t wholeBits(CuteContext c, CuteLayout layout, int64_t bits) {
  CuteLayout flat = cuteLayoutCoalesce(c, cuteLayoutFlatten(c, layout), NULL);
  if (!flat)
    return 1;
  for (size_t i = 0; i < cuteLayoutGetRank(flat); ++i) {
    int64_t stride = element(flat->stride, i)->value;
    int64_t extent = element(flat->shape, i)->value;
    bits = cuteGcd(bits, stride == 1 ? extent : stride);
  }
  return bits;
}

// Gives the bits of the element if it is known, else of the unit that the atom
// never divides.
static int64_t copyUnit(CuteContext c, CuteValue value, int64_t bits) {
  const CuteCopyAtom *atom = value.copy.atom;
  if (bits)
    return bits;
  if (value.hasElement)
    return cuteElementTypeGetBits(value.copy.element);
  int64_t whole = wholeBits(c, cuteParseRow(c, atom->source), atom->bits);
  return wholeBits(c, cuteParseRow(c, atom->destination), whole);
}

enum { MATRIX_ROWS = 8 };

// The elements that the atom moves, in rows of 16 bytes; of matrices, 8 rows
// and the number of the matrix.
static CuteIntTuple atomTile(CuteContext c, CuteLayout layout, int64_t unit,
                             bool isMatrices) {
  CuteIntTuple cosize = layout ? cuteLayoutGetCosize(c, layout) : NULL;
  if (!isStatic(cosize))
    return NULL;
  int64_t size = cosize->value, columns = unit < 128 ? 128 / unit : 1;
  if (size < columns || size % columns)
    columns = size;
  int64_t rows = size / columns, matrix = isMatrices ? MATRIX_ROWS : rows;
  CuteIntTuple extents[] = {staticInt(c, columns), staticInt(c, matrix),
                            staticInt(c, rows / matrix)};
  return cuteInternTuple(c, isMatrices ? 3 : 2, extents);
}

// Tells whether what the atom moves is several matrices of 8 rows.
static bool hasMatrices(CuteContext c, const CuteCopyAtom *atom,
                        CuteLayout layout) {
  CuteIntTuple cosize = layout ? cuteLayoutGetCosize(c, layout) : NULL;
  int64_t bits = isStatic(cosize) ? cosize->value : 0;
  int64_t matrix = MATRIX_ROWS * 128;
  return atom->kind->isMatrix && bits > matrix && bits % matrix == 0;
}

static bool checkUnit(CuteContext c, const CuteCopyAtom *atom, int64_t unit) {
  if (atom->transposes && unit > 16)
    return cuteFail(c, "show: %s transposes elements of 16 bits, not %jd",
                    atom->name, unit);
  if (atom->bits % unit == 0)
    return true;
  return cuteFail(
      c, "show: %s moves %d bits, which is not a whole number of cells of %jd",
      atom->name, atom->bits, unit);
}

static bool addCopyAtom(CuteContext c, CutePicture *picture, CuteValue value,
                        CutePictureOptions options) {
  const CuteCopyAtom *atom = value.copy.atom;
  int64_t unit = copyUnit(c, value, options.bits);
  if (!checkUnit(c, atom, unit))
    return false;
  const char *texts[] = {atom->source, atom->destination};
  size_t first = 0, numNotes = 0;
  for (size_t side = 0; side < 2; ++side) {
    CuteLayout ofBits = cuteParseRow(c, texts[side]);
    bool isMatrices = hasMatrices(c, atom, ofBits);
    first = picture->numGrids;
    numNotes = picture->numNotes;
    CuteLayout layout =
        cuteLayoutRecast(c, cuteParseRow(c, texts[side]), unit, 1);
    Holders holders = {
        .operand = sideNames[side],
        .title = sideTitles[side],
        .tile = atomTile(c, layout, unit, isMatrices),
        .layout = layout,
        .lanes = cuteParseRow(c, atom->kind->thrId),
        .isTransposed = true, // consecutive elements go to the right
        .isMatrices = isMatrices,
        .isVector = !options.elements,
    };
    if (!addHolders(c, picture, options.maxCells, holders))
      return false;
  }
  joinSides(picture, first, numNotes);
  cutePictureAddNote(
      picture,
      cuteArenaFormat(&picture->arena,
                      "cells of %jd bits, rows of up to 16 bytes", unit));
  return true;
}

static bool addTiledCopy(CuteContext c, CutePicture *picture,
                         CuteTiledCopy copy, CutePictureOptions options) {
  CuteIntTuple shapes = cuteTileGetShapes(c, copy.tiler);
  CuteIntTuple tile = shapes ? cuteIntTupleProductEach(c, shapes) : NULL;
  if (!tile)
    return false;
  // It does not matter within its tile where the tiler leads.
  copy.tiler = cuteTileGetShape(c, tile);
  size_t first = 0, numNotes = 0;
  for (int side = CUTE_SOURCE; side <= CUTE_DESTINATION; ++side) {
    CuteLayout layout = cuteTiledCopyTidFrg(c, copy, (CuteCopySide)side,
                                            cuteLayoutGet(c, tile, NULL));
    first = picture->numGrids;
    numNotes = picture->numNotes;
    Holders holders = {.operand = sideNames[side],
                       .title = sideTitles[side],
                       .tile = tile,
                       .layout = cuteLayoutTake(c, layout, 0, 2),
                       .isVector = !options.elements};
    if (!addHolders(c, picture, options.maxCells, holders))
      return false;
  }
  joinSides(picture, first, numNotes);
  return true;
}

//===-- All ---------------------------------------------------------------===//

static void addSizeNote(CuteContext c, CutePicture *picture, CuteLayout tv) {
  CuteIntTuple shape = cuteLayoutGetShape(tv);
  cutePictureAddNote(
      picture,
      cuteArenaFormat(&picture->arena, "%jd threads, %jd values each",
                      cuteIntTupleProduct(c, element(shape, 0))->value,
                      cuteIntTupleProduct(c, element(shape, 1))->value));
}

static bool addBareLayout(CuteContext c, CutePicture *picture, CuteValue value,
                          CutePictureOptions options) {
  if (options.tile->numDynamic)
    return cuteFailTuple(c, "show: needs a static tile, not ", options.tile);
  CuteValue layout = cuteValueConvert(c, value, CUTE_VALUE_LAYOUT, "show --tv");
  if (cuteValueFailed(layout) || !cuteLayoutGet(c, options.tile, NULL) ||
      !addHolders(c, picture, options.maxCells,
                  (Holders){.operand = "",
                            .tile = options.tile,
                            .layout = layout.layout}))
    return false;
  addSizeNote(c, picture, layout.layout);
  return true;
}

bool cutePictureAddTV(CuteContext c, CutePicture *picture, CuteValue value,
                      CutePictureOptions options) {
  picture->kind = CUTE_PICTURE_TV;
  if (options.tile)
    return addBareLayout(c, picture, value, options);
  switch (value.kind) {
  case CUTE_VALUE_MMA_ATOM:
    value.mma = (CuteTiledMma){.atom = value.mma.atom};
    return addMma(c, picture, value.mma, options);
  case CUTE_VALUE_TILED_MMA:
    return addMma(c, picture, value.mma, options);
  case CUTE_VALUE_COPY_ATOM:
    return addCopyAtom(c, picture, value, options);
  case CUTE_VALUE_TILED_COPY:
    return addTiledCopy(c, picture, value.copy, options);
  default:
    return false;
  }
}
