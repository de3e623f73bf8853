// Tensor memory (sm_100): where tcgen05.mma keeps its operands, and copies that
// move them (PTX ISA, "Tensor Memory", "Data path layout organization"; CUTLASS
// cute/atom/mma_traits_sm100_frag.hpp and copy_traits_sm100.hpp).
#include "Algebra/tiled.h"
#include "Hardware/element.h"
#include "Hardware/mma_family.h"

enum { LANES = 128, LANE_BITS = 1 << 21, COLUMN_BITS = 32, WARP_LANES = 32 };

// Distances in elements: from a lane to the next, and from an element to the
// next of the lane. Sums have a column each, whatever their bits.
typedef struct Steps {
  int64_t lane, column;
} Steps;

static Steps stepsOf(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  int64_t bits =
      (int64_t)cuteElementTypeGetBits(cuteMmaAtomGetElement(atom, operand));
  return (Steps){LANE_BITS / bits,
                 operand == CUTE_OPERAND_C ? COLUMN_BITS / bits : 1};
}

//===-- Fragments ---------------------------------------------------------===//

enum { MAX_MODES = 5 };

// The modes that consecutive elements of a fragment, rows first, go along.
typedef struct Path {
  int64_t shape[MAX_MODES], stride[MAX_MODES];
  size_t n;
} Path;

static void go(Path *path, int64_t extent, int64_t stride) {
  path->shape[path->n] = extent;
  path->stride[path->n++] = stride;
}

// All 128 lanes, then columns.
static void goFull(Path *path, Steps s, CUTE_UNUSED int64_t columns) {
  go(path, LANES, s.lane);
}

// 64 or 32 rows of a block of a pair or of .ws: columns after the first half or
// quarter are in the next 64 or 32 lanes (layouts B, E and G of the PTX ISA).
static void goParts(Path *path, Steps s, int64_t columns, int64_t rows) {
  go(path, rows, s.lane);
  go(path, columns / (LANES / rows), s.column);
  go(path, LANES / rows, s.lane * rows);
}

// 64 rows of one block: 16 lanes of each warp's 32 (layout F). Where A is in
// shared memory, the next tile takes the other 16.
static void goQuarters(Path *path, Steps s, int64_t columns, bool isShared) {
  go(path, WARP_LANES / 2, s.lane);
  go(path, 4, s.lane * WARP_LANES);
  if (!isShared)
    return;
  go(path, columns, s.column);
  go(path, 2, s.lane * (WARP_LANES / 2));
}

static CuteLayout layoutOf(CuteContext c, const Path *path, int64_t rest) {
  CuteIntTuple shape[MAX_MODES + 1], stride[MAX_MODES + 1];
  for (size_t i = 0; i < path->n; ++i) {
    shape[i] = staticInt(c, path->shape[i]);
    stride[i] = staticInt(c, path->stride[i]);
  }
  shape[path->n] = staticInt(c, INT32_MAX);
  stride[path->n] = staticInt(c, rest);
  return cuteLayoutGet(c, cuteInternTuple(c, path->n + 1, shape),
                       cuteInternTuple(c, path->n + 1, stride));
}

// The rows that a block has of the operand; of 64 rows of A it has each twice.
static int64_t rowsOf(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  int64_t rows = atom->m / atom->family->ctas;
  bool isDoubled = operand == CUTE_OPERAND_A && atom->family->ctas == 2;
  return isDoubled ? LANES : rows;
}

//===-- Scale factors -----------------------------------------------------===//

// The factors of 32 rows are in a column of 4 bytes, the next 32 rows' in the
// next, in each quarter of the lanes; if a block of a pair has 64 rows, B's are
// half in the lower lanes and half in the upper. Factors that follow along K
// fill the words, and continue after all rows' factors. Products of K = 96 have
// 3 or 6 factors, so that the rest along K counts factors.
static CuteLayout factorsOf(CuteContext c, const CuteMmaAtom *atom,
                            CuteMmaOperand operand, CuteIntTuple rest) {
  enum { WORD = 4, LANE = LANE_BITS / 8, QUARTER = LANE * WARP_LANES };
  bool isB = operand == CUTE_OPERAND_SFB, isPair = atom->family->ctas == 2;
  bool isHalved = isB && isPair && atom->m == LANES;
  int n =
      atom->family->isOnlySm103 ? 1 : cuteMmaAtomGetExtent(atom, operand, 1);
  int rows = isB ? (atom->n + LANES - 1) / LANES * LANES
                 : atom->m / atom->family->ctas;
  int columns = rows / WARP_LANES / (isHalved ? 2 : 1);
  int tiles = (int)rest->elements[0]->value;
  int steps = (int)rest->elements[1]->value;
  int inWord = steps < WORD / n ? steps : WORD / n;
  char copies[16] = "4", strides[32];
  snprintf(strides, sizeof strides, "%d", QUARTER);
  if (isHalved) {
    snprintf(copies, sizeof copies, "2,2");
    snprintf(strides, sizeof strides, "%d,%d", 2 * QUARTER, QUARTER);
  }
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(
      &text,
      "((((32,%d),%s),(%d,%d)),%d,(%d,%d)):((((%d,4),%s),(0,1)),%d,(%d,%d))",
      columns, copies, atom->scaleVector, n, tiles, inWord,
      (steps + inWord - 1) / inWord, LANE, strides,
      tiles > 1 ? WORD * columns : 0, inWord > 1 ? n : 0,
      steps > inWord ? WORD * columns * tiles : 0);
  return cuteLayoutParse(c, cuteStringRef(cuteStringGet(&text)));
}

//===-- Metadata of a sparse A --------------------------------------------===//

// Metadata of 8-bit and 4-bit elements is in the lane of the row. A word of
// that of wider ones has half a word of a row and half a word of the 8th row
// after it; the second half of the columns is 8 lanes further. Products of .ws
// with fewer than 128 rows have a copy for each part of the lanes.
static CuteLayout metadataOf(CuteContext c, const CuteMmaAtom *atom,
                             CuteIntTuple rest) {
  int rows = atom->m / atom->family->ctas, columns = atom->e.k;
  int bits = (int)cuteElementTypeGetBits(atom->e.element), half = 16 / bits;
  int lane = LANE_BITS / bits;
  bool isWide = cuteElementGetValueBits(atom->a) > 8;
  if (rows != LANES && !atom->family->isStationary)
    return cuteFail(c,
                    "the metadata of %d rows that %s has in a block has no "
                    "layout here; valid are 128 rows",
                    rows, atom->name);
  int tiles = (int)rest->elements[0]->value;
  int steps = (int)rest->elements[1]->value;
  int nextTile = tiles > 1 ? columns * steps : 0;
  int nextStep = steps > 1 ? columns : 0;
  bool hasCopies = rows < LANES;
  const char *open = hasCopies ? "(" : "", *close = hasCopies ? ")" : "";
  char copies[16] = "", next[24] = "";
  if (hasCopies) {
    snprintf(copies, sizeof copies, ",%d", LANES / rows);
    snprintf(next, sizeof next, ",%d", rows * lane);
  }
  CUTE_SCOPED(String) text = {0};
  if (isWide)
    cuteStringAppendFormat(
        &text, "(((8,2,%d),(%d,2)%s),%d,%d):(((%d,%d,%d),(1,%d)%s),%d,%d)",
        rows / 16, half, copies, tiles, steps, lane, half, 16 * lane, 8 * lane,
        next, nextTile, nextStep);
  else
    cuteStringAppendFormat(&text, "((%d,%s%d%s%s),%d,%d):((%d,%s1%s%s),%d,%d)",
                           rows, open, columns, copies, close, tiles, steps,
                           lane, open, next, close, nextTile, nextStep);
  return cuteLayoutParse(c, cuteStringRef(cuteStringGet(&text)));
}

CuteLayout cuteMmaAtomGetTmemLayout(CuteContext context,
                                    const CuteMmaAtom *atom,
                                    CuteMmaOperand operand, CuteIntTuple rest) {
  CuteContext c = context;
  if (!cuteMmaAtomIsInTmem(atom, operand))
    return cuteFail(c, "%s has no operand %s in tensor memory", atom->name,
                    cuteMmaOperandGetName(operand));
  if (!isFullyStatic(rest) || !isTuple(rest) || rest->rank != 2)
    return cuteFailTuple(c,
                         "a tile in tensor memory has a static number of atoms "
                         "along each mode, not ",
                         rest);
  if (operand >= CUTE_OPERAND_SFA)
    return factorsOf(c, atom, operand, rest);
  if (operand == CUTE_OPERAND_E)
    return metadataOf(c, atom, rest);
  Steps s = stepsOf(atom, operand);
  int64_t rows = rowsOf(atom, operand);
  int64_t columns = operand == CUTE_OPERAND_C ? atom->n : atom->k;
  Path path = {.n = 0};
  bool isPair = atom->family->ctas == 2 || atom->family->isStationary;
  bool isShared = atom->sourceA == CUTE_MMA_SMEM;
  if (rows == LANES)
    goFull(&path, s, columns);
  else if (isPair)
    goParts(&path, s, columns, rows);
  else
    goQuarters(&path, s, columns, isShared);
  bool hasColumns = rows != LANES && (isPair || isShared);
  CuteLayout place = layoutOf(c, &path,
                              hasColumns && !isPair ? s.column * columns
                              : hasColumns ? s.column * (columns * rows / LANES)
                                           : s.column);
  CuteIntTuple tile[] = {staticInt(c, rows), staticInt(c, columns)};
  CuteIntTuple shape[] = {cuteInternTuple(c, 2, tile), rest->elements[0],
                          rest->elements[1]};
  CuteLayout elements = cuteLayoutGet(c, cuteInternTuple(c, 3, shape), NULL);
  return elements
             ? cuteLayoutComposition(c, place, cuteTileGetLayout(c, elements))
             : NULL;
}

//===-- Copies ------------------------------------------------------------===//

CuteLayout cuteTiledCopyGetTmemPlace(CuteContext context,
                                     const CuteCopyAtom *atom,
                                     CuteElementType element) {
  CuteContext c = context;
  CuteLayout place = cuteParseRow(c, atom->tmem);
  if (place && atom->kind->from == CUTE_IN_SMEM) {
    CuteLayout written = cuteParseRow(c, atom->destination);
    place = cuteLayoutComposition(
        c, place,
        cuteTileGetLayout(
            c, cuteInternLayout(c, modeElement(layoutMode(written), 1))));
  }
  return place ? cuteLayoutRecast(c, place, cuteElementTypeGetBits(element), 1)
               : NULL;
}

CuteTiledCopy cuteTiledCopyGetTmem(CuteContext context,
                                   const CuteCopyAtom *atom,
                                   CuteElementType element, CuteLayout data) {
  CuteContext c = context;
  CuteTiledCopy none = {atom, element, NULL, NULL};
  if (!atom->tmem || strcmp(atom->kind->thrId, "32:1")) {
    cuteFail(c,
             "make_tmem_copy: %s does not move tensor memory by warps; valid "
             "are SM100_TMEM_LOAD and SM100_TMEM_STORE",
             atom->name);
    return none;
  }
  unsigned bits = cuteElementTypeGetBits(element);
  CuteLayout values = cuteLayoutRecast(c, cuteParseRow(c, atom->tmem), bits, 1);
  if (!values || !data)
    return none;
  values = cuteLayoutCoalesce(c, values, NULL);
  CuteIntTuple threads[] = {staticInt(c, WARP_LANES), staticInt(c, 4)};
  CuteIntTuple strides[] = {
      staticInt(c, 0), staticInt(c, (int64_t)WARP_LANES * LANE_BITS / bits)};
  CuteIntTuple shape[] = {cuteInternTuple(c, 2, threads),
                          values ? values->shape : NULL};
  CuteIntTuple stride[] = {cuteInternTuple(c, 2, strides),
                           values ? values->stride : NULL};
  return values ? cuteTiledCopyGetCotiled(
                      c, atom, element,
                      cuteLayoutGet(c, cuteInternTuple(c, 2, shape),
                                    cuteInternTuple(c, 2, stride)),
                      data)
                : none;
}
