// cute.convert: one element, a pair, or a word of short integers at a time.
#include "Ops/lower_ops.h"

#include "Lowering/integer_convert.h"

static int64_t countElements(CuteLowering *l, const CuteLowered *tensor) {
  return cuteLayoutGetSize(l->context, tensor->type->layout)->value;
}

static bool convertOne(CuteLowering *l, const CuteLowered *from,
                       const CuteLowered *to, int64_t i) {
  CuteIntTuple coord = staticInt(l->context, i);
  MlirValue value =
      cuteLoweringConvertElement(l, cuteLoweringLoadElement(l, from, coord),
                                 from->type->element, to->type->element);
  return !mlirValueIsNull(value) &&
         cuteLoweringStoreElement(l, to, coord, value);
}

// Elements i and i + 1.
static bool convertTwo(CuteLowering *l, const CuteLowered *from,
                       const CuteLowered *to, int64_t i) {
  CuteElementType element = from->type->element;
  MlirType pair = cuteElementPairType(&l->builder, element);
  MlirValue value =
      cuteLoweringConvertPair(l, cuteLoweringLoadValues(l, from, i, 2, pair),
                              element, to->type->element);
  if (mlirValueIsNull(value))
    return false;
  cuteLoweringStoreValues(l, to, i, 2, value);
  return !l->failed;
}

//===-- Words of eight ----------------------------------------------------===//

enum { WORD = 8, MAX_PLACES = 1024 };

// The element at each place of the fragment's memory, counted
// colexicographically, or -1.
typedef struct Places {
  int64_t element[MAX_PLACES];
} Places;

static bool findPlaces(CuteLowering *l, const CuteLowered *from,
                       Places *places) {
  CuteContext c = l->context;
  CuteLayout layout = from->type->layout;
  for (int64_t p = 0; p < MAX_PLACES; ++p)
    places->element[p] = -1;
  for (int64_t i = 0, n = countElements(l, from); i < n; ++i) {
    CuteIntTuple at = cuteLayoutEval(c, layout, staticInt(c, i));
    if (!at || !isStatic(at) || at->value < 0 || at->value >= MAX_PLACES)
      return false;
    places->element[at->value] = i;
  }
  return true;
}

// Tells whether the word at a place has eight elements, and begins with a byte.
static bool isWord(CuteLowering *l, const CuteLowered *from,
                   const Places *places, int64_t place) {
  for (int64_t k = 0; k < WORD; ++k)
    if (places->element[place + k] < 0)
      return false;
  CuteIntTuple first = staticInt(l->context, places->element[place]);
  CuteIntTuple index = cuteLoweringGetIndex(l, *from, first);
  return index && cuteLeafDivisor(index) % 2 == 0;
}

static bool convertWord(CuteLowering *l, const CuteLowered *from,
                        const CuteLowered *to, Places *places, int64_t place) {
  const CuteBuilder *b = &l->builder;
  int64_t *elements = &places->element[place];
  MlirValue eight =
      cuteLoweringLoadRun(l, from, elements[0], WORD, cuteIntType(b, 32));
  MlirValue pairs[WORD / 2];
  cuteNibblesConvert(b, eight, from->type->element, to->type->element, pairs);
  bool ok = true;
  for (int64_t k = 0; ok && k < WORD; ++k) {
    MlirValue value = cuteBuildVectorExtract(b, pairs[k % 4], (int)(k / 4));
    ok = cuteLoweringStoreElement(l, to, staticInt(l->context, elements[k]),
                                  value);
    elements[k] = -1;
  }
  return ok;
}

// Converts what fills words, then the rest.
static bool convertWords(CuteLowering *l, const CuteLowered *from,
                         const CuteLowered *to) {
  Places *places = cuteScratch(l->context, sizeof *places);
  int64_t n = countElements(l, from);
  bool isStatic = findPlaces(l, from, places), ok = true;
  for (int64_t p = 0; isStatic && ok && p < MAX_PLACES; p += WORD)
    if (isWord(l, from, places, p))
      ok = convertWord(l, from, to, places, p);
  for (int64_t p = 0; isStatic && ok && p < MAX_PLACES; ++p)
    if (places->element[p] >= 0)
      ok = convertOne(l, from, to, places->element[p]);
  for (int64_t i = 0; !isStatic && ok && i < n; ++i)
    ok = convertOne(l, from, to, i);
  return ok;
}

//===-- The op ------------------------------------------------------------===//

bool cuteLowerConvertFragment(CuteLowering *lowering) {
  const CuteLowered *from = cuteLoweringGetLowered(lowering, 0);
  const CuteLowered *to = cuteLoweringGetLowered(lowering, 1);
  if (cuteElementHasNibbles(from->type->element, to->type->element))
    return convertWords(lowering, from, to);
  bool hasPairs =
      cuteElementHasPairs(lowering, from->type->element, to->type->element);
  int64_t n = countElements(lowering, from), i = 0;
  bool ok = true;
  for (; ok && hasPairs && i + 1 < n; i += 2)
    ok = convertTwo(lowering, from, to, i);
  for (; ok && i < n; ++i)
    ok = convertOne(lowering, from, to, i);
  return ok;
}
