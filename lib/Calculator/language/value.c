#include "Calculator/language/value.h"
#include "Algebra/algebra.h"

//===-- Construction ------------------------------------------------------===//

CuteValue cuteValueOfTuple(CuteIntTuple tuple) {
  return (CuteValue){.kind = tuple ? CUTE_VALUE_TUPLE : CUTE_VALUE_FAILED,
                     .tuple = tuple};
}

CuteValue cuteValueOfLayout(CuteLayout layout) {
  return (CuteValue){.kind = layout ? CUTE_VALUE_LAYOUT : CUTE_VALUE_FAILED,
                     .layout = layout};
}

CuteValue cuteValueOfTile(CuteTile tile, CuteTile compactTile) {
  bool ok = tile && compactTile;
  return (CuteValue){.kind = ok ? CUTE_VALUE_TILE : CUTE_VALUE_FAILED,
                     .tile = tile,
                     .compactTile = compactTile};
}

CuteValue cuteValueOfSwizzle(CuteSwizzle swizzle) {
  return (CuteValue){.kind = CUTE_VALUE_SWIZZLE, .swizzle = swizzle};
}

CuteValue cuteValueOfBool(bool truth) {
  return (CuteValue){.kind = CUTE_VALUE_BOOL, .truth = truth};
}

CuteValue cuteValueOfPart(CuteValueKind kind, CutePartition part) {
  bool ok = part.layout && part.offset;
  return (CuteValue){.kind = ok ? kind : CUTE_VALUE_FAILED,
                     .layout = part.layout,
                     .tuple = part.offset};
}

CuteValue cuteValueOfList(CuteIntTuple elements) {
  return (CuteValue){.kind = elements ? CUTE_VALUE_LIST : CUTE_VALUE_FAILED,
                     .tuple = elements};
}

CuteValue cuteValueOfElement(CuteElementType element) {
  return (CuteValue){.kind = CUTE_VALUE_ELEMENT, .element = element};
}

CuteValue cuteValueOfMmaAtom(const CuteMmaAtom *atom) {
  return (CuteValue){.kind = atom ? CUTE_VALUE_MMA_ATOM : CUTE_VALUE_FAILED,
                     .mma.atom = atom};
}

// Layout_K_SW128_Atom<half_t>, or Layout_K_SW128_Atom_Bits of single bits.
static CuteValue smemLayout(CuteContext c, CuteStringRef name) {
  const char *open = memchr(name.data, '<', name.length);
  CuteStringRef row = {name.data,
                       open ? (size_t)(open - name.data) : name.length};
  const CuteSmemAtom *atom = cuteSmemAtomFind(row);
  CuteElementType element = CUTE_ELEMENT_UI1;
  bool namesBits =
      row.length > 5 && !memcmp(row.data + row.length - 5, "_Bits", 5);
  if (!atom || namesBits != !open || (open && name.length < row.length + 2))
    return (CuteValue){0};
  if (open &&
      !cuteElementTypeFindAny(
          (CuteStringRef){open + 1, name.length - row.length - 2}, &element))
    return (CuteValue){0};
  return cuteValueOfLayout(
      cuteSmemAtomGetLayout(c, atom, cuteElementTypeGetBits(element)));
}

CuteValue cuteValueOfHardware(CuteContext c, CuteStringRef name) {
  CuteElementType element;
  const CuteMmaAtom *mma = cuteMmaAtomFind(name);
  const CuteCopyAtom *copy = cuteCopyAtomFind(name);
  if (mma)
    return cuteValueOfMmaAtom(mma);
  if (copy)
    return (CuteValue){.kind = CUTE_VALUE_COPY_ATOM, .copy.atom = copy};
  if (cuteElementTypeFindAny(name, &element))
    return cuteValueOfElement(element);
  return smemLayout(c, name);
}

//===-- Conversion --------------------------------------------------------===//

const char *cuteValueKindGetName(CuteValueKind kind) {
  static const char *const names[] = {"nothing",
                                      "an int tuple",
                                      "a layout",
                                      "a tiler",
                                      "a swizzle",
                                      "a truth value",
                                      "a part",
                                      "a layout and an offset",
                                      "a list",
                                      "an element type",
                                      "an MMA atom",
                                      "a copy atom",
                                      "a tiled MMA",
                                      "a tiled copy",
                                      "a tiler and a TV layout"};
  return names[kind];
}

// `_` leaves the mode alone. An integer is a layout with the stride, or the
// compact one if that is null.
static CuteTile tileOfTuple(CuteContext c, CuteIntTuple tuple,
                            CuteIntTuple stride) {
  if (isUnderscore(tuple))
    return cuteTileGetUnderscore(c);
  if (!isTuple(tuple))
    return cuteTileGetLayout(c, cuteLayoutGet(c, tuple, stride));
  return CUTE_TILE_OF(c, i, tuple->rank,
                      tileOfTuple(c, tuple->elements[i], stride));
}

static CuteValue toTile(CuteContext c, CuteValue value, CuteIntTuple stride) {
  if (value.kind == CUTE_VALUE_LAYOUT) {
    CuteTile tile = cuteTileGetLayout(c, value.layout);
    return cuteValueOfTile(tile, tile);
  }
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&c->scratch);
  CuteTile tile = tileOfTuple(c, value.tuple, stride);
  CuteTile compact = tileOfTuple(c, value.tuple, NULL);
  return cuteValueOfTile(tile, compact);
}

CuteValue cuteValueToTilerElement(CuteContext c, CuteValue value) {
  return value.kind == CUTE_VALUE_TUPLE
             ? toTile(c, value, staticInt(c, 1))
             : cuteValueConvert(c, value, CUTE_VALUE_TILE, "a tuple's element");
}

CuteValue cuteValueRefuse(CuteContext c, CuteValue value, const char *wanted,
                          const char *where) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendValue(&text, value);
  cuteFail(c, "%s: needs %s, not %s: %s", where, wanted,
           cuteValueKindGetName(value.kind), cuteStringGet(&text));
  return (CuteValue){0};
}

CuteValue cuteValueConvert(CuteContext c, CuteValue value, CuteValueKind kind,
                           const char *where) {
  if (value.kind == kind || cuteValueFailed(value))
    return value;
  if (kind == CUTE_VALUE_TILE &&
      (value.kind == CUTE_VALUE_TUPLE || value.kind == CUTE_VALUE_LAYOUT))
    return toTile(c, value,
                  value.tuple && value.tuple->flags & HAS_UNDERSCORE
                      ? staticInt(c, 1)
                      : NULL);
  if (kind == CUTE_VALUE_LAYOUT && value.kind == CUTE_VALUE_TUPLE)
    return cuteValueOfLayout(cuteLayoutGet(c, value.tuple, NULL));
  if (kind == CUTE_VALUE_LAYOUT && value.kind == CUTE_VALUE_TILE &&
      cuteTileGetLeaf(value.tile))
    return cuteValueOfLayout(cuteTileGetLeaf(value.tile));
  return cuteValueRefuse(c, value, cuteValueKindGetName(kind), where);
}

//===-- Text --------------------------------------------------------------===//

static void appendTiledMma(CuteString *text, CuteTiledMma mma) {
  cuteStringAppendFormat(text, "make_tiled_mma(%s, ", mma.atom->name);
  cuteAppendLayout(text, mma.atomLayout);
  cuteStringAppend(text, ", ");
  cuteAppendTile(text, mma.permutation);
  cuteStringAppendChar(text, ')');
}

static void appendTiledCopy(CuteString *text, CuteTiledCopy copy) {
  cuteStringAppendFormat(text, "tiled copy of %s, %s: TV layout ",
                         copy.atom->name, cuteElementTypeGetName(copy.element));
  cuteAppendLayout(text, copy.layoutTV);
  cuteStringAppend(text, ", tiler ");
  cuteAppendTile(text, copy.tiler);
}

static void appendList(CuteString *text, CuteIntTuple elements) {
  cuteStringAppendChar(text, '[');
  for (size_t i = 0; i < elements->rank; ++i) {
    cuteStringAppend(text, i ? ", " : "");
    cuteAppendTuple(text, elements->elements[i]);
  }
  cuteStringAppendChar(text, ']');
}

// "(layout,offset)" or "(tiler,layout)".
static void appendPair(CuteString *text, CuteValue value) {
  bool isPair = value.kind == CUTE_VALUE_PAIR;
  cuteStringAppendChar(text, '(');
  isPair ? cuteAppendLayout(text, value.layout)
         : cuteAppendTuple(text, value.tuple);
  cuteStringAppendChar(text, ',');
  isPair ? cuteAppendTuple(text, value.tuple)
         : cuteAppendLayout(text, value.layout);
  cuteStringAppendChar(text, ')');
}

void cuteAppendValue(CuteString *text, CuteValue value) {
  switch (value.kind) {
  case CUTE_VALUE_FAILED:
    return;
  case CUTE_VALUE_TUPLE:
    cuteAppendTuple(text, value.tuple);
    return;
  case CUTE_VALUE_LAYOUT:
    cuteAppendLayout(text, value.layout);
    return;
  case CUTE_VALUE_TILE:
    cuteAppendTile(text, value.tile);
    return;
  case CUTE_VALUE_SWIZZLE:
    cuteAppendSwizzle(text, value.swizzle);
    return;
  case CUTE_VALUE_BOOL:
    cuteStringAppend(text, value.truth ? "true" : "false");
    return;
  case CUTE_VALUE_PART:
    cuteAppendTuple(text, value.tuple);
    cuteStringAppend(text, " o ");
    cuteAppendLayout(text, value.layout);
    return;
  case CUTE_VALUE_PAIR:
  case CUTE_VALUE_TILER_TV:
    appendPair(text, value);
    return;
  case CUTE_VALUE_LIST:
    appendList(text, value.tuple);
    return;
  case CUTE_VALUE_ELEMENT:
    cuteStringAppend(text, cuteElementTypeGetName(value.element));
    return;
  case CUTE_VALUE_MMA_ATOM:
    cuteStringAppend(text, value.mma.atom->name);
    return;
  case CUTE_VALUE_COPY_ATOM:
    cuteStringAppend(text, value.copy.atom->name);
    if (value.hasElement)
      cuteStringAppendFormat(text, " of %s",
                             cuteElementTypeGetName(value.copy.element));
    return;
  case CUTE_VALUE_TILED_MMA:
    appendTiledMma(text, value.mma);
    return;
  case CUTE_VALUE_TILED_COPY:
    appendTiledCopy(text, value.copy);
    return;
  }
}
