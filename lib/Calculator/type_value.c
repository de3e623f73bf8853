#include "Calculator/type_value.h"
#include "Algebra/algebra.h"

enum { MAX_PARAMETERS = 8 };

typedef struct Parameters {
  CuteStringRef items[MAX_PARAMETERS]; // strings without their quotes
  size_t count;
} Parameters;

//===-- Text --------------------------------------------------------------===//

static const char prefix[] = "!cute.";

enum { PREFIX = sizeof prefix - 1 };

size_t cuteTypeTextGetLength(CuteStringRef text) {
  bool isQuoted = false;
  int depth = 0;
  if (text.length < PREFIX || memcmp(text.data, prefix, PREFIX) != 0)
    return 0;
  for (size_t i = 0; i < text.length; ++i) {
    char c = text.data[i];
    isQuoted ^= c == '"';
    if (!isQuoted)
      depth += (c == '<') - (c == '>');
    if (!isQuoted && c == '>' && !depth)
      return i + 1;
  }
  return 0;
}

static CuteStringRef trimmed(const char *begin, const char *end) {
  while (begin < end && strchr(" \t\n\"", *begin))
    ++begin;
  while (begin < end && strchr(" \t\n\"", end[-1]))
    --end;
  return (CuteStringRef){begin, (size_t)(end - begin)};
}

// Splits at the commas outside of quotes and brackets.
static Parameters split(CuteStringRef list) {
  Parameters p = {.count = 0};
  const char *start = list.data, *end = list.data + list.length;
  bool isQuoted = false;
  int depth = 0;
  for (const char *at = start; at <= end && p.count < MAX_PARAMETERS; ++at) {
    bool isEnd = at == end;
    isQuoted ^= !isEnd && *at == '"';
    if (!isEnd && !isQuoted)
      depth += (*at == '<') - (*at == '>');
    if (!isEnd && (*at != ',' || isQuoted || depth))
      continue;
    p.items[p.count++] = trimmed(start, at);
    start = at + 1;
  }
  return p;
}

//===-- Kinds of types ----------------------------------------------------===//

static CuteValue valueOfTuple(CuteContext c, const Parameters *p) {
  return cuteValueOfTuple(
      cuteIntTupleParse(c, p->items[0], CUTE_SYNTAX_STRIDE));
}

static CuteValue valueOfCoord(CuteContext c, const Parameters *p) {
  return cuteValueOfTuple(cuteIntTupleParse(c, p->items[0], CUTE_SYNTAX_COORD));
}

// A swizzle has o, and so has each composed layout.
static CuteLayout layoutOf(CuteContext c, CuteStringRef text) {
  return memchr(text.data, 'o', text.length) ? cuteComposedLayoutParse(c, text)
                                             : cuteLayoutParse(c, text);
}

static CuteValue valueOfLayout(CuteContext c, const Parameters *p) {
  return cuteValueOfLayout(layoutOf(c, p->items[p->count - 1]));
}

static CuteValue valueOfCoords(CuteContext c, const Parameters *p) {
  CuteIntTuple origin =
      cuteIntTupleParse(c, p->items[0], CUTE_SYNTAX_INT_TUPLE);
  return cuteValueOfPart(CUTE_VALUE_PART,
                         (CutePartition){layoutOf(c, p->items[1]), origin});
}

static CuteValue valueOfTile(CuteContext c, const Parameters *p) {
  CuteTile tile = cuteTileParse(c, p->items[0]);
  return cuteValueOfTile(tile, tile);
}

static CuteValue valueOfSwizzle(CuteContext c, const Parameters *p) {
  CuteSwizzle swizzle;
  return cuteSwizzleParse(c, p->items[0], &swizzle)
             ? cuteValueOfSwizzle(swizzle)
             : (CuteValue){0};
}

static CuteValue failName(CuteContext c, const char *kind, CuteStringRef name) {
  cuteFail(c, "no %s is named '%.*s'", kind, (int)name.length, name.data);
  return (CuteValue){0};
}

static CuteValue valueOfMma(CuteContext c, const Parameters *p) {
  CuteTiledMma mma = {.atom = cuteMmaAtomFind(p->items[0])};
  if (!mma.atom)
    return failName(c, "MMA atom", p->items[0]);
  if (p->count == 1)
    return cuteValueOfMmaAtom(mma.atom);
  mma.atomLayout = cuteLayoutParse(c, p->items[1]);
  mma.permutation = cuteTileParse(c, p->items[2]);
  bool ok = mma.atomLayout && mma.permutation && cuteTiledMmaCheck(c, mma);
  return (CuteValue){.kind = ok ? CUTE_VALUE_TILED_MMA : CUTE_VALUE_FAILED,
                     .mma = mma};
}

static CuteValue valueOfCopy(CuteContext c, const Parameters *p) {
  CuteTiledCopy copy = {.atom = cuteCopyAtomFind(p->items[0])};
  if (!copy.atom)
    return failName(c, "copy atom", p->items[0]);
  if (!cuteElementTypeFind(p->items[1], &copy.element))
    return failName(c, "element type", p->items[1]);
  if (p->count == 2)
    return (CuteValue){
        .kind = CUTE_VALUE_COPY_ATOM, .copy = copy, .hasElement = true};
  copy.layoutTV = cuteLayoutParse(c, p->items[2]);
  copy.tiler = cuteTileParse(c, p->items[3]);
  bool ok = copy.layoutTV && copy.tiler && cuteTiledCopyCheck(c, copy);
  return (CuteValue){.kind = ok ? CUTE_VALUE_TILED_COPY : CUTE_VALUE_FAILED,
                     .copy = copy};
}

static const struct {
  const char *name;
  size_t numParameters;
  CuteValue (*valueOf)(CuteContext c, const Parameters *p);
} kinds[] = {
    {"int_tuple", 1, valueOfTuple}, {"shape", 1, valueOfTuple},
    {"stride", 1, valueOfTuple},    {"coord", 1, valueOfCoord},
    {"tile", 1, valueOfTile},       {"layout", 1, valueOfLayout},
    {"swizzle", 1, valueOfSwizzle}, {"composed_layout", 1, valueOfLayout},
    {"tensor", 4, valueOfLayout},   {"coord_tensor", 2, valueOfCoords},
    {"mma_atom", 1, valueOfMma},    {"copy_atom", 2, valueOfCopy},
    {"tiled_mma", 3, valueOfMma},   {"tiled_copy", 4, valueOfCopy},
};

CuteValue cuteValueOfType(CuteContext c, CuteStringRef text) {
  const char *name = text.data + PREFIX;
  const char *open = memchr(text.data, '<', text.length);
  size_t length = (size_t)(open - name);
  Parameters parameters = split(
      (CuteStringRef){open + 1, (size_t)(text.data + text.length - open - 2)});
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
    if (strlen(kinds[i].name) == length &&
        !memcmp(kinds[i].name, name, length) &&
        kinds[i].numParameters == parameters.count)
      return kinds[i].valueOf(c, &parameters);
  cuteFail(c, "no value is written as the type %.*s", (int)text.length,
           text.data);
  return (CuteValue){0};
}
