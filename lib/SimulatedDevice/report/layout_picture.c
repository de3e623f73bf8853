#include "Algebra/algebra.h"
#include "Calculator/pictures/picture.h"
#include "SimulatedDevice/report/report_parts.h"

enum {
  MOST_ROWS = 32,
  MOST_COLUMNS = 32,
  MOST_MODES = 8,
  MOST_ELEMENTS = 1 << 17,
  MOST_COPY_CELLS = 4096,
  BANK_BITS = 32,
  BANKS = 32,
};

// A layout whose units are what a lane accesses, and the modes of its domain.
typedef struct View {
  CuteContext context;
  const CuteSimTensor *tensor;
  const CuteSimRequest *request; // may be null
  CuteLayout layout;
  int64_t unitBits;
  size_t rank;
  int64_t extents[MOST_MODES], steps[MOST_MODES]; // elements of a unit
  int64_t first[MOST_MODES];                      // of the part that is shown
} View;

//===-- Units -------------------------------------------------------------===//

static int64_t extentOf(const View *view, CuteLayout layout, size_t mode) {
  return cuteIntTupleGetValue(
      cuteIntTupleProduct(view->context, element(layout->shape, mode)));
}

// False if the modes of units do not divide the modes of elements.
static bool setLayout(View *view, CuteLayout layout, int64_t bits) {
  view->layout = layout;
  view->unitBits = bits;
  view->rank = cuteLayoutGetRank(layout);
  if (!view->rank || view->rank > MOST_MODES)
    return false;
  for (size_t i = 0; i < view->rank; ++i) {
    int64_t all = extentOf(view, view->tensor->layout, i);
    view->extents[i] = extentOf(view, layout, i);
    if (view->extents[i] <= 0 || all % view->extents[i])
      return false;
    view->steps[i] = all / view->extents[i];
  }
  return true;
}

// Tells whether the tensor could be seen in units of what a lane accesses, or
// else in elements.
static bool chooseUnits(View *view) {
  const CuteSimTensor *tensor = view->tensor;
  int64_t bits = view->request ? (int64_t)view->request->bytes * 8 : BANK_BITS;
  CuteLayout wide =
      bits > tensor->bits && bits % tensor->bits == 0
          ? cuteLayoutUpcast(view->context, tensor->layout, bits / tensor->bits)
          : NULL;
  return (wide &&
          cuteLayoutGetRank(wide) == cuteLayoutGetRank(tensor->layout) &&
          setLayout(view, wide, bits)) ||
         setLayout(view, tensor->layout, tensor->bits);
}

//===-- Addresses ---------------------------------------------------------===//

static int64_t indexOf(const View *view, const int64_t *coordinates) {
  int64_t index = 0;
  for (size_t i = view->rank; i-- > 0;)
    index = index * view->extents[i] + coordinates[i];
  return index;
}

// The offset of a unit, in units.
static int64_t valueAt(const View *view, int64_t index) {
  return cuteIntTupleGetValue(
      cuteLayoutEval(view->context, view->layout,
                     cuteIntTupleGetStatic(view->context, index)));
}

static int64_t byteOf(const View *view, int64_t value) {
  return (int64_t)view->tensor->start + value * view->unitBits / 8;
}

// The lanes of the request that touch the unit at an offset.
static uint32_t lanesAt(const View *view, int64_t value) {
  int64_t from = byteOf(view, value);
  int64_t to = from + (view->unitBits + 7) / 8;
  const CuteSimRequest *r = view->request;
  uint32_t lanes = 0;
  for (int i = 0; r && i < CUTE_SIM_REQUEST_LANES; ++i)
    if (r->lanes >> i & 1 && r->addresses[i] < to &&
        r->addresses[i] + r->bytes > from)
      lanes |= 1u << i;
  return lanes;
}

//===-- The part that is shown --------------------------------------------===//

static int64_t mostOf(const View *view, size_t mode) {
  return mode > 1         ? 1
         : view->rank < 2 ? MOST_COLUMNS
         : mode           ? MOST_COLUMNS
                          : MOST_ROWS;
}

// The part around the first unit that a lane touches; false where none does.
static bool choosePart(View *view) {
  int64_t size = 1;
  for (size_t i = 0; i < view->rank; ++i)
    if ((size *= view->extents[i]) > MOST_ELEMENTS)
      return false;
  if (!view->request)
    return true;
  for (int64_t index = 0; index < size; ++index) {
    if (!lanesAt(view, valueAt(view, index)))
      continue;
    int64_t rest = index;
    for (size_t i = 0; i < view->rank; ++i) {
      int64_t at = rest % view->extents[i];
      view->first[i] = at - at % mostOf(view, i);
      rest /= view->extents[i];
    }
    return true;
  }
  return false;
}

static int64_t shownOf(const View *view, size_t mode) {
  int64_t left = view->extents[mode] - view->first[mode];
  return left < mostOf(view, mode) ? left : mostOf(view, mode);
}

//===-- Drawing -----------------------------------------------------------===//

// The mode itself where all of it is shown, for its hierarchy.
static CuteIntTuple domainOf(const View *view, size_t mode) {
  int64_t shown = shownOf(view, mode);
  return shown == view->extents[mode]
             ? element(view->layout->shape, mode)
             : cuteIntTupleGetStatic(view->context, shown);
}

static void fillCell(const View *view, CutePicture *picture,
                     CutePictureGrids grids, int64_t row, int64_t column) {
  int64_t at[MOST_MODES];
  int64_t rows = shownOf(view, 0);
  memcpy(at, view->first, sizeof at);
  at[0] += row;
  if (view->rank > 1)
    at[1] += column;
  int64_t value = valueAt(view, indexOf(view, at));
  uint32_t lanes = lanesAt(view, value);
  CutePictureCell *cell = cutePictureGetCell(grids, row + column * rows);
  cell->labels[0] = cuteArenaFormat(&picture->arena, "%jd", value);
  cell->color =
      (uint8_t)((uint64_t)byteOf(view, value) * 8 / BANK_BITS % BANKS);
  cell->isFaint = view->request && !lanes;
  if (lanes)
    cell->labels[1] =
        cuteArenaFormat(&picture->arena, "L%d%s", __builtin_ctz(lanes),
                        lanes & (lanes - 1) ? "+" : "");
}

// Coordinates count elements.
static void setAxis(const View *view, size_t mode, CutePicture *picture,
                    CutePictureAxis *axis) {
  axis->step = (size_t)view->steps[mode];
  axis->first = (size_t)(view->first[mode] * view->steps[mode]);
  for (size_t i = 0; i < axis->extent && axis->first + axis->step > 1; ++i)
    axis->coords[i] =
        cuteArenaFormat(&picture->arena, "%zu", axis->first + i * axis->step);
}

static bool draw(const View *view, CutePicture *picture, CuteString *text) {
  CuteContext c = view->context;
  CuteIntTuple modes[2] = {domainOf(view, 0), NULL};
  CutePictureGrids grids;
  if (view->rank > 1)
    modes[1] = domainOf(view, 1);
  if (!cutePictureAddGrids(
          c, picture, cuteIntTupleGetTuple(c, view->rank < 2 ? 1 : 2, modes),
          false, MOST_ROWS * MOST_COLUMNS, &grids))
    return false;
  for (int64_t j = 0; j < (view->rank > 1 ? shownOf(view, 1) : 1); ++j)
    for (int64_t i = 0; i < shownOf(view, 0); ++i)
      fillCell(view, picture, grids, i, j);
  setAxis(view, 0, picture,
          view->rank < 2 ? &grids.data->columns : &grids.data->rows);
  if (view->rank > 1)
    setAxis(view, 1, picture, &grids.data->columns);
  return cutePictureWriteSvgBody(c, picture, text);
}

bool cuteLayoutPictureDrawTensor(CuteContext c, const CuteSimTensor *tensor,
                                 const CuteSimRequest *request,
                                 CuteString *text) {
  View view = {.context = c, .tensor = tensor, .request = request};
  if (!tensor->layout || !tensor->bits || !chooseUnits(&view) ||
      !choosePart(&view))
    return false;
  CUTE_SCOPED(Picture)
  picture = {.kind = CUTE_PICTURE_BANK,
             .expression = "layout",
             .value = "layout",
             .bits = view.unitBits};
  return draw(&view, &picture, text);
}

bool cuteLayoutPictureDrawCopy(CuteContext c, CuteTiledCopy copy,
                               CuteString *text) {
  CUTE_SCOPED(Picture) picture = {0};
  CuteValue value = {.kind = CUTE_VALUE_TILED_COPY, .copy = copy};
  CutePictureOptions options = {.expression = "tiled copy",
                                .maxCells = MOST_COPY_CELLS};
  return cutePictureCreate(c, value, options, &picture) &&
         cutePictureWriteSvgBody(c, &picture, text);
}
