// TMA atoms: which box of a tensor one instruction moves.
#include "Algebra/tma_check.h"
#include "Algebra/trace.h"

static CuteTmaAtom none(void) { return (CuteTmaAtom){.atom = NULL}; }

//===-- Construction ------------------------------------------------------===//

// The swizzle of a layout of elements as one of bytes.
static CuteSwizzle inBytes(CuteLayout layout, CuteElementType element) {
  CuteSwizzle s = {0};
  if (layout->innerKind != INNER_SWIZZLE || !layout->swizzle.bits)
    return s;
  s = layout->swizzle;
  s.base += __builtin_ctzll((uint64_t)cuteTmaBytesOf(element));
  return s;
}

static bool checkShared(CuteContext c, const CuteCopyAtom *atom,
                        CuteLayout smem) {
  bool ok = smem && !cuteLayoutGetNumDynamic(smem) &&
            smem->innerKind != INNER_LAYOUT &&
            (smem->innerKind == INNER_NONE || isStaticValue(smem->offset, 0));
  if (smem && !ok)
    cuteFail(c,
             "%s: the layout in shared memory is static and composed at most "
             "with a swizzle and the offset 0",
             atom->name);
  return ok;
}

// The index in shared memory -> the index in the tile, of all of it.
static CuteLayout inverseOf(CuteContext c, const CuteCopyAtom *atom,
                            CuteLayout plain, CuteIntTuple size) {
  CuteLayout inverse = cuteLayoutRightInverse(c, plain);
  if (!inverse || cuteLayoutGetSize(c, inverse) == size)
    return inverse;
  return cuteFail(c,
                  "%s: the layout in shared memory must be compact, each of 0 "
                  "to %jd taken once, but %s is not",
                  atom->name, size->value - 1, cuteLayoutText(c, plain));
}

// The largest part of an extent that an axis can have, so that it divides it.
static int64_t axisExtent(int64_t extent, int64_t most) {
  most = extent < most ? extent : most;
  while (extent % most)
    --most;
  return most;
}

// The modes from the first that go along coordinates, each along another, by
// such steps as an atom takes.
static CuteLayout boxOf(CuteContext c, const CuteCopyAtom *atom,
                        CuteLayout coords) {
  Modes leaves = {0}, axes = {0};
  modesPushLeaves(c, &leaves, layoutMode(coords));
  for (size_t i = 0; i < leaves.count && i < CUTE_MAX_TMA_RANK; ++i) {
    Mode m = leaves.data[i];
    int64_t step = isStatic(m.shape) ? cuteTmaStepOf(atom, m.stride, i) : 0;
    for (size_t j = 0; step && j < axes.count; ++j)
      step *= basisPath(axes.data[j].stride) != basisPath(m.stride);
    if (!step)
      break;
    int64_t extent =
        axisExtent(m.shape->value, atom->isOfRows && i
                                       ? CUTE_TMA_ROWS
                                       : (CUTE_MAX_TMA_BOX - 1) / step + 1);
    modesPush(c, &axes, (Mode){staticInt(c, extent), m.stride});
    if (extent != m.shape->value)
      break;
  }
  return axes.count ? cuteInternLayout(c, modesGetTuple(c, &axes)) : NULL;
}

// Completes the atom whose box is known: `inverse` goes from addresses in
// shared memory to the tile.
static CuteTmaAtom withValues(CuteContext c, CuteTmaAtom tma,
                              CuteLayout inverse) {
  CuteLayout box = cuteLayoutGet(c, cuteLayoutGetSize(c, tma.box), NULL);
  tma.values = cuteLayoutLogicalDivide(c, inverse, cuteTileGetLayout(c, box));
  return cuteTmaAtomCheck(c, tma) ? tma : none();
}

static CuteTmaAtom make(CuteContext c, CuteTmaAtom tma, CuteIntTuple shape,
                        CuteLayout smem, CuteTile tiler) {
  CuteLayout plain = cuteLayoutGetOuter(c, smem);
  CuteLayout tile =
      cuteLayoutComposition(c, cuteLayoutGetIdentity(c, shape), tiler);
  CuteIntTuple size = plain ? cuteLayoutGetSize(c, plain) : NULL;
  if (!tile || !size)
    return none();
  if (cuteLayoutGetSize(c, tile) != size) {
    cuteFailTuples(c, "TMA: the layout in shared memory has the shape ",
                   plain->shape, ", the tile of the global tensor ",
                   tile->shape);
    return none();
  }
  CuteLayout inverse = inverseOf(c, tma.atom, plain, size);
  CuteLayout coords =
      inverse ? cuteLayoutComposition(c, tile, cuteTileGetLayout(c, inverse))
              : NULL;
  tma.box =
      coords ? boxOf(c, tma.atom, cuteLayoutCoalesce(c, coords, NULL)) : NULL;
  if (coords && !tma.box)
    cuteFail(c,
             "%s: neighbours in shared memory must be neighbours along one "
             "coordinate of the global tensor",
             tma.atom->name);
  return tma.box ? withValues(c, tma, inverse) : none();
}

CuteTmaAtom cuteTmaAtomMake(CuteContext c, const CuteCopyAtom *atom,
                            CuteElementType element, CuteIntTuple shape,
                            CuteLayout smem, CuteTile tiler, int64_t ctas) {
  if (!atom || !shape || !tiler || !checkShared(c, atom, smem))
    return none();
  CuteTmaAtom tma = {.atom = atom, .element = element, .ctas = ctas};
  if (!cuteTmaCheckElement(c, tma))
    return none();
  tma.swizzle = inBytes(smem, element);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  struct CuteTrace *trace = cuteTracePause(c);
  tma = make(c, tma, shape, smem, tiler);
  cuteTraceResume(c, trace);
  return tma;
}

// Finds the box: channels, and all pixels, each along the images' mode for it.
static CuteLayout im2colBoxOf(CuteContext c, const CuteCopyAtom *atom,
                              CuteLayout coords, int64_t pixels, size_t rank) {
  CuteLayout box = boxOf(c, atom, coords);
  if (!box || cuteLayoutGetRank(box) != 2 ||
      !isStaticValue(element(box->shape, 1), pixels) ||
      !isStaticValue(element(basisPath(element(box->stride, 0)), 0), 1))
    return cuteFail(c,
                    "%s: the layout in shared memory goes along channels, then "
                    "along all pixels, at most 256",
                    atom->name);
  CuteIntTuple strides[2];
  for (size_t i = 0; i < 2; ++i) {
    const int64_t path[] = {0, (int64_t)(rank + 1 - i)};
    strides[i] = cuteIntTupleGetBasis(c, staticInt(c, 1), 2, path);
  }
  return cuteLayoutGet(c, box->shape, cuteInternTuple(c, 2, strides));
}

static CuteTmaAtom makeIm2col(CuteContext c, CuteTmaAtom tma, size_t rank,
                              CuteLayout smem) {
  CuteLayout plain = cuteLayoutGetOuter(c, smem);
  CuteIntTuple size = plain ? cuteLayoutGetSize(c, plain) : NULL;
  if (!size)
    return none();
  CuteIntTuple shape[] = {cuteIntTupleProduct(c, element(plain->shape, 0)),
                          cuteIntTupleProduct(c, element(plain->shape, 1))};
  CuteLayout tile = cuteLayoutGetIdentity(c, cuteInternTuple(c, 2, shape));
  CuteLayout inverse = inverseOf(c, tma.atom, plain, size);
  CuteLayout coords =
      inverse ? cuteLayoutComposition(c, tile, cuteTileGetLayout(c, inverse))
              : NULL;
  tma.box = coords
                ? im2colBoxOf(c, tma.atom, cuteLayoutCoalesce(c, coords, NULL),
                              shape[0]->value, rank)
                : NULL;
  return tma.box ? withValues(c, tma, inverse) : none();
}

CuteTmaAtom cuteTmaAtomMakeIm2col(CuteContext c, const CuteCopyAtom *atom,
                                  CuteElementType element, size_t rank,
                                  CuteLayout smem) {
  if (!atom || !checkShared(c, atom, smem))
    return none();
  CuteTmaAtom tma = {.atom = atom, .element = element, .ctas = 1};
  if (cuteLayoutGetRank(smem) != 2) {
    cuteFail(c, "%s: the layout in shared memory is of (pixel, channel)",
             atom->name);
    return none();
  }
  if (!cuteTmaCheckElement(c, tma))
    return none();
  tma.swizzle = inBytes(smem, element);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  struct CuteTrace *trace = cuteTracePause(c);
  tma = makeIm2col(c, tma, rank, smem);
  cuteTraceResume(c, trace);
  return tma;
}

//===-- Parts -------------------------------------------------------------===//

size_t cuteTmaAtomGetBox(CuteTmaAtom tma, int64_t extents[CUTE_MAX_TMA_RANK]) {
  size_t rank = cuteLayoutGetRank(tma.box);
  for (size_t i = 0; i < rank; ++i)
    extents[i] = element(tma.box->shape, i)->value;
  extents[rank - 1] /= tma.atom->isOfRows ? CUTE_TMA_ROWS : tma.ctas;
  return rank;
}

int64_t cuteTmaAtomGetStep(CuteTmaAtom tma, size_t axis) {
  return axis < cuteLayoutGetRank(tma.box)
             ? basisValue(element(tma.box->stride, axis))->value
             : 1;
}

// The number of the leaf at a path; SIZE_MAX if there is none.
static size_t leafAt(CuteIntTuple profile, CuteIntTuple path) {
  size_t leaf = 0, n = isTuple(path) ? path->rank : 1;
  for (size_t i = 0; i < n; ++i) {
    size_t at = (size_t)element(path, i)->value;
    if (at >= (isTuple(profile) ? profile->rank : 1))
      return SIZE_MAX;
    for (size_t j = 0; j < at; ++j)
      leaf += profile->elements[j]->numLeaves;
    profile = element(profile, at);
  }
  return isTuple(profile) ? SIZE_MAX : leaf;
}

// Lists the axes of images (N,..,W,C), or of coordinates that begin with
// theirs: from the last to the first.
static size_t im2colAxes(CuteContext c, CuteIntTuple profile,
                         size_t axes[CUTE_MAX_TMA_RANK]) {
  if (isTuple(profile) && profile->rank && isTuple(profile->elements[0]))
    profile = profile->elements[0];
  size_t rank = isTuple(profile) ? profile->rank : 1;
  if (rank < 3 || rank > CUTE_MAX_TMA_RANK || profile->numLeaves != rank) {
    cuteFailTuple(c, "im2col: images have 3 to 5 modes (N,..,W,C), unlike ",
                  profile);
    return 0;
  }
  for (size_t i = 0; i < rank; ++i)
    axes[i] = rank - 1 - i;
  return rank;
}

size_t cuteTmaAtomGetAxes(CuteContext c, CuteTmaAtom tma, CuteIntTuple profile,
                          size_t axes[CUTE_MAX_TMA_RANK]) {
  if (tma.atom->isIm2col)
    return im2colAxes(c, profile, axes);
  size_t rank = cuteLayoutGetRank(tma.box), count = rank;
  if (tma.atom->isOfRows ? profile->numLeaves != 2
                         : profile->numLeaves > CUTE_MAX_TMA_RANK) {
    cuteFailTuple(c,
                  tma.atom->isOfRows
                      ? "TMA: rows come from a matrix with 2 modes, unlike "
                      : "TMA: a tensor has at most 5 modes, unlike ",
                  profile);
    return 0;
  }
  for (size_t i = 0; i < rank; ++i) {
    axes[i] = leafAt(profile, basisPath(element(tma.box->stride, i)));
    if (axes[i] < SIZE_MAX)
      continue;
    cuteFailTuple(c, "TMA: the box goes along modes that are not in ", profile);
    return 0;
  }
  for (size_t leaf = 0; leaf < profile->numLeaves; ++leaf) {
    bool isOfBox = false;
    for (size_t i = 0; i < rank; ++i)
      isOfBox |= axes[i] == leaf;
    if (!isOfBox)
      axes[count++] = leaf;
  }
  return count;
}

//===-- Partition ---------------------------------------------------------===//

// ((values), _, _...) for a layout of that rank.
static CuteTile tilerOf(CuteContext c, CuteLayout values, size_t rank) {
  CuteTile *elements = cuteScratch(c, rank * sizeof *elements);
  elements[0] = cuteTileGetLayout(c, values);
  for (size_t i = 1; i < rank; ++i)
    elements[i] = cuteTileGetUnderscore(c);
  return cuteTileGetTuple(c, rank, elements);
}

// ((1,1), ...): mode 0's parts coalesce, the others stay as they are.
static CuteIntTuple profileOf(CuteContext c, CuteLayout layout) {
  size_t rank = cuteLayoutGetRank(layout);
  CuteIntTuple *modes = cuteScratch(c, rank * sizeof *modes);
  CuteIntTuple ones[] = {staticInt(c, 1), staticInt(c, 1)};
  modes[0] = cuteInternTuple(c, 2, ones);
  for (size_t i = 1; i < rank; ++i)
    modes[i] = layout->shape->elements[i];
  return cuteInternTuple(c, rank, modes);
}

// Finds where a block's part begins among the values: their number, or where
// they have the axes of the box, a coordinate along the outermost.
static CuteIntTuple partOf(CuteContext c, CuteTmaAtom tma, CuteIntTuple values,
                           CuteIntTuple cta) {
  size_t rank = cuteLayoutGetRank(tma.box);
  int64_t extents[CUTE_MAX_TMA_RANK];
  cuteTmaAtomGetBox(tma, extents);
  if (!cta)
    return staticInt(c, 0);
  if (!isTuple(values) || values->rank != rank) {
    int64_t size = cuteLayoutGetSize(c, tma.box)->value / tma.ctas;
    return cuteLeafMul(c, cta, staticInt(c, size));
  }
  CuteIntTuple coord[CUTE_MAX_TMA_RANK];
  for (size_t i = 0; i < rank; ++i)
    coord[i] = staticInt(c, 0);
  coord[rank - 1] = cuteLeafMul(c, cta, staticInt(c, extents[rank - 1]));
  return coord[rank - 1] ? cuteInternTuple(c, rank, coord) : NULL;
}

// ((part,0),0,...)
static CuteIntTuple coordOf(CuteContext c, CuteIntTuple part, size_t rank) {
  CuteIntTuple *coord = cuteScratch(c, rank * sizeof *coord);
  CuteIntTuple first[] = {part, staticInt(c, 0)};
  coord[0] = cuteInternTuple(c, 2, first);
  for (size_t i = 1; i < rank; ++i)
    coord[i] = staticInt(c, 0);
  return cuteInternTuple(c, rank, coord);
}

static CutePartition partition(CuteContext c, CuteTmaAtom tma,
                               CuteLayout layout, CuteIntTuple cta) {
  CutePartition failed = {NULL, NULL};
  size_t rank = cuteLayoutGetRank(layout);
  CuteLayout divided =
      cuteLayoutComposition(c, layout, tilerOf(c, tma.values, rank));
  if (divided)
    divided = cuteLayoutCoalesce(c, divided, profileOf(c, divided));
  if (!divided)
    return failed;
  CuteIntTuple values = element(element(divided->shape, 0), 0);
  CuteIntTuple part = partOf(c, tma, values, cta);
  return part ? cuteLayoutDomainOffset(c, divided, coordOf(c, part, rank))
              : failed;
}

// Makes the tile of an im2col atom, ((pixel, channel)), in steps from the
// coordinate at which the matrix begins.
static CuteLayout im2colTileOf(CuteContext c, CuteTmaAtom tma) {
  CuteIntTuple pixels = element(tma.box->shape, 1);
  int64_t size = cuteLayoutGetSize(c, tma.values)->value;
  CuteIntTuple shape[] = {pixels, staticInt(c, size / pixels->value)};
  CuteIntTuple stride[] = {element(tma.box->stride, 1),
                           element(tma.box->stride, 0)};
  CuteIntTuple shapes[] = {cuteInternTuple(c, 2, shape)};
  CuteIntTuple strides[] = {cuteInternTuple(c, 2, stride)};
  return cuteLayoutGet(c, cuteInternTuple(c, 1, shapes),
                       cuteInternTuple(c, 1, strides));
}

// Counts the first modes that are the tile together; 0 if none are.
static size_t countTileModes(CuteContext c, CuteTmaAtom tma,
                             CuteLayout layout) {
  CuteIntTuple tile = cuteLayoutGetSize(c, tma.values);
  CuteIntTuple size = staticInt(c, 1);
  size_t rank = isTuple(layout->shape) ? cuteLayoutGetRank(layout) : 0;
  for (size_t i = 0; size && i < rank; ++i) {
    CuteIntTuple mode = cuteIntTupleProduct(c, element(layout->shape, i));
    size = mode && isStatic(mode) ? cuteLeafMul(c, size, mode) : NULL;
    if (size == tile)
      return i + 1;
  }
  return 0;
}

CutePartition cuteTmaAtomPartition(CuteContext c, CuteTmaAtom tma,
                                   CuteLayout layout, CuteIntTuple cta) {
  if (tma.atom->isIm2col && layout->stride->flags & HAS_BASIS)
    layout = im2colTileOf(c, tma);
  size_t modes = countTileModes(c, tma, layout);
  if (modes > 1)
    layout = cuteLayoutGroup(c, layout, 0, (int64_t)modes);
  if (!modes || !layout) {
    cuteFail(c,
             "%s: the first modes must be the tile, of %jd elements, and "
             "further modes follow it; the layout is %s",
             tma.atom->name, cuteLayoutGetSize(c, tma.values)->value,
             cuteLayoutText(c, layout));
    return (CutePartition){NULL, NULL};
  }
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  struct CuteTrace *trace = cuteTracePause(c);
  bool tracked = cuteContextTrackDivisors(c, true); // a block's part is aligned
  CutePartition part = partition(c, tma, layout, cta);
  cuteContextTrackDivisors(c, tracked);
  cuteTraceResume(c, trace);
  return part;
}
