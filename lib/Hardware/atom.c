// The rows of dialect/hardware on MMA and copies.
#include "Hardware/atom.h"
#include "Hardware/atom_name.h"
#include "Hardware/mma_family.h"
#include "Support/hash.h"
#include "Support/text.h"

#include <pthread.h>

//===-- Rows by name ------------------------------------------------------===//

// More slots than twice the rows of any table; a power of two.
enum { NAME_SLOTS = 8192 };

// A hash table that allocates nothing: it lives as long as the process. One
// thread adds, then any may look up.
typedef struct NameIndex {
  const char *names[NAME_SLOTS];
  uint16_t rows[NAME_SLOTS];
} NameIndex;

// Finds the slot of the name, or the free one where it would be.
static size_t slotOf(const NameIndex *index, CuteStringRef name) {
  size_t i = cuteHashBytes(name.data, name.length) % NAME_SLOTS;
  while (index->names[i] && !cuteTextEquals(name, index->names[i]))
    i = (i + 1) % NAME_SLOTS;
  return i;
}

// Adds a row; the first of two with one name is found.
static void addName(NameIndex *index, const char *name, size_t row) {
  size_t i = slotOf(index, cuteStringRef(name));
  if (index->names[i])
    return;
  index->names[i] = name;
  index->rows[i] = (uint16_t)row;
}

// The row of that name, or -1.
static int findName(const NameIndex *index, CuteStringRef name) {
  size_t i = slotOf(index, name);
  return index->names[i] ? index->rows[i] : -1;
}

//===-- MMA ---------------------------------------------------------------===//

const CuteMmaKind cuteMmaAtomKinds[] = {
#define CUTE_MMA_KIND(kind, lowering, ...) {.name = #kind, __VA_ARGS__},
#include "hardware/mma_kind.def"
};

// Fields of D = A B + C.
#define TYPES(typeD, typeA, typeB, typeC)                                      \
  .d = CUTE_ELEMENT_##typeD, .a = CUTE_ELEMENT_##typeA,                        \
  .b = CUTE_ELEMENT_##typeB, .c = CUTE_ELEMENT_##typeC

#include "hardware/mma_tiles.def"

static const CuteMmaAtom mmaAtoms[] = {
#define CUTE_MMA(label, mmaKind, ...)                                          \
  {.name = label, .kind = &cuteMmaAtomKinds[CUTE_MMA_##mmaKind], __VA_ARGS__},
#include "hardware/mma_sm120.def"
#include "hardware/mma_sm120_scaled.def"
#include "hardware/mma_sm70.def"
#include "hardware/mma_sm75.def"
#include "hardware/mma_sm80.def"
#include "hardware/mma_sm80_integer.def"
#include "hardware/mma_sm89.def"
#include "hardware/mma_sm90.def"
#include "hardware/mma_sparse.def"
#include "hardware/mma_universal.def"
// Rows of wgmma come last, as listings show many of them.
#include "hardware/mma_sm90_wgmma.def"
#undef CUTE_MMA
};

_Static_assert(sizeof mmaAtoms / sizeof *mmaAtoms <= NAME_SLOTS / 2,
               "an index has room for the rows");

size_t cuteMmaAtomGetNum(void) { return sizeof mmaAtoms / sizeof *mmaAtoms; }

const CuteMmaAtom *cuteMmaAtomGet(size_t i) { return &mmaAtoms[i]; }

static NameIndex mmaIndex;

static void indexMma(void) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i)
    addName(&mmaIndex, mmaAtoms[i].name, i);
}

const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  CuteAtomName normal;
  pthread_once(&once, indexMma);
  int row = findName(&mmaIndex, name);
  if (row < 0 && cuteAtomNameOfMma(&normal, name))
    row = findName(&mmaIndex, cuteStringRef(normal.text));
  char problem[1];
  return row >= 0 ? &mmaAtoms[row]
         : cuteAtomNameNormalize(&normal, name)
             ? cuteMmaFamilyFindAtom(normal.text, problem, sizeof problem)
             : NULL;
}

//===-- Copies ------------------------------------------------------------===//

const CuteCopyKind cuteCopyAtomKinds[] = {
#define CUTE_COPY_KIND(kind, lowering, ...) {.name = #kind, __VA_ARGS__},
#include "hardware/copy_kind.def"
};

static const CuteCopyAtom copyAtoms[] = {
#define CUTE_COPY(label, copyKind, ...)                                        \
  {.name = label,                                                              \
   .kind = &cuteCopyAtomKinds[CUTE_COPY_##copyKind],                           \
   __VA_ARGS__},
#include "hardware/copy.def"
#include "hardware/copy_sm100.def"
#undef CUTE_COPY
};

size_t cuteCopyAtomGetNum(void) { return sizeof copyAtoms / sizeof *copyAtoms; }

const CuteCopyAtom *cuteCopyAtomGet(size_t i) { return &copyAtoms[i]; }

static NameIndex copyIndex;

static void indexCopies(void) {
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i)
    addName(&copyIndex, copyAtoms[i].name, i);
}

// The row's name without its template argument is `name`.
static bool matchesTemplate(const char *row, const char *name) {
  const char *angle = strchr(row, '<');
  return angle &&
         cuteTextEquals((CuteStringRef){row, (size_t)(angle - row)}, name);
}

// The only row of the template, or null.
static const CuteCopyAtom *findTemplate(const char *name) {
  const CuteCopyAtom *found = NULL;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    if (!matchesTemplate(copyAtoms[i].name, name))
      continue;
    if (found)
      return NULL;
    found = &copyAtoms[i];
  }
  return found;
}

const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  CuteAtomName normal;
  pthread_once(&once, indexCopies);
  int row = findName(&copyIndex, name);
  if (row >= 0)
    return &copyAtoms[row];
  if (!cuteAtomNameOfCopy(&normal, name))
    return NULL;
  row = findName(&copyIndex, cuteStringRef(normal.text));
  return row < 0 ? findTemplate(normal.text) : &copyAtoms[row];
}

//===-- Tiles in shared memory --------------------------------------------===//

static const CuteSmemAtom smemAtoms[] = {
#define CUTE_SMEM_ATOM(label, ...) {.name = label, __VA_ARGS__},
#include "hardware/smem.def"
};

size_t cuteSmemAtomGetNum(void) { return sizeof smemAtoms / sizeof *smemAtoms; }

const CuteSmemAtom *cuteSmemAtomGet(size_t i) { return &smemAtoms[i]; }

const CuteSmemAtom *cuteSmemAtomFind(CuteStringRef name) {
  static const char suffix[] = "_Bits";
  size_t n = strlen(suffix);
  CuteAtomName normal;
  if (!cuteAtomNameNormalize(&normal, name))
    return NULL;
  if (normal.length > n && !strcmp(normal.text + normal.length - n, suffix))
    normal.text[normal.length - n] = '\0';
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i)
    if (!strcmp(smemAtoms[i].name, normal.text))
      return &smemAtoms[i];
  return NULL;
}

bool cuteMmaAtomIsWarpgroup(const CuteMmaAtom *atom) {
  return atom->kind == &cuteMmaAtomKinds[CUTE_MMA_WARPGROUP];
}

bool cuteMmaAtomIsDescribed(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  return (operand == CUTE_OPERAND_A && atom->sourceA == CUTE_MMA_SMEM) ||
         (operand == CUTE_OPERAND_B && atom->sourceB == CUTE_MMA_SMEM);
}
