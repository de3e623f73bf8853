#include "Simulator/warp_mma.h"
#include "Algebra/algebra.h"
#include "Hardware/atom.h"
#include "Simulator/matrix_product.h"
#include "Support/arena.h"

#include <stdlib.h>

enum {
  MAX_TILE = 16 * 256, // elements of a tile
  MAX_VALUES = 128,    // of a lane
  MAX_THREADS_MMA = 32
};

// The elements of an operand: value v of thread t stands at place[t][v] of the
// row-major tile, that of B transposed.
typedef struct Operand {
  CuteSimElement element;
  int numValues, numWords;
  uint16_t place[MAX_THREADS_MMA][MAX_VALUES];
} Operand;

// The place where an element of E, SFA or SFB is taken from.
typedef struct Source {
  uint8_t thread, shift;
} Source;

// An operand that several threads hold: element (row, column) of a row-major
// tile with this many columns.
typedef struct Extra {
  CuteSimElement element;
  int columns;
  Source sources[MAX_TILE / 8];
} Extra;

struct CuteSimMma {
  const CuteMmaAtom *atom;
  int numThreads;             // that compute one product
  int lanes[MAX_THREADS_MMA]; // of the first product
  Operand a, b, c;            // D is as C
  Operand d;                  // its element; places as in C
  Extra e, sfa, sfb;
  int numInputs;
};

//===-- Tables ------------------------------------------------------------===//

static int evalLayout(CuteContext c, CuteLayout layout, int index) {
  return (int)cuteIntTupleGetValue(
      cuteLayoutEval(c, layout, cuteIntTupleGetStatic(c, index)));
}

static int extentOf(CuteContext c, CuteIntTuple shape) {
  return (int)cuteIntTupleGetValue(cuteIntTupleProduct(c, shape));
}

static int threadsOf(CuteContext c, CuteLayout tv) {
  return extentOf(c, cuteIntTupleGetElement(cuteLayoutGetShape(tv), 0));
}

static int valuesOf(CuteContext c, CuteLayout tv) {
  return extentOf(c, cuteIntTupleGetElement(cuteLayoutGetShape(tv), 1));
}

static void findPlaces(CuteContext c, const CuteSimMma *mma,
                       CuteMmaOperand which, CuteElementType type,
                       Operand *operand) {
  const CuteMmaAtom *atom = mma->atom;
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, which);
  int rows = cuteMmaAtomGetExtent(atom, which, 0);
  int columns = cuteMmaAtomGetExtent(atom, which, 1);
  cuteSimElementInit(&operand->element, type, atom->spreads);
  operand->numValues = valuesOf(c, tv);
  operand->numWords =
      (operand->numValues * (int)operand->element.bits + 31) / 32;
  for (int v = 0; v < operand->numValues; ++v)
    for (int t = 0; t < mma->numThreads; ++t) {
      int index = evalLayout(c, tv, t + mma->numThreads * v);
      int row = index % rows, column = index / rows;
      operand->place[t][v] =
          (uint16_t)(which == CUTE_OPERAND_B ? column * rows + row
                                             : row * columns + column);
    }
}

// Takes each element from the `choice`-th of the threads that have it. False if
// there are not as many.
static bool findSources(CuteContext c, const CuteSimMma *mma,
                        CuteMmaOperand which, int choice, int byte,
                        Extra *extra) {
  const CuteMmaAtom *atom = mma->atom;
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, which);
  int rows = cuteMmaAtomGetExtent(atom, which, 0);
  int numValues = valuesOf(c, tv), found = 0;
  uint8_t seen[MAX_TILE / 8] = {0};
  cuteSimElementInit(&extra->element, cuteMmaAtomGetElement(atom, which),
                     false);
  extra->columns = cuteMmaAtomGetExtent(atom, which, 1);
  for (int v = 0; v < numValues; ++v)
    for (int t = 0; t < mma->numThreads; ++t) {
      int index = evalLayout(c, tv, t + mma->numThreads * v);
      int place = index % rows * extra->columns + index / rows;
      if (seen[place]++ != choice)
        continue;
      extra->sources[place] = (Source){
          (uint8_t)t, (uint8_t)(v * (int)extra->element.bits + 8 * byte)};
      ++found;
    }
  return choice >= 0 && found == rows * extra->columns && byte >= 0 &&
         numValues * (int)extra->element.bits + 8 * byte <= 32 &&
         byte % ((numValues * (int)extra->element.bits + 7) / 8) == 0;
}

static bool failSelector(CuteContext c, const CuteMmaAtom *atom,
                         const char *what, int choice, int byte) {
  cuteFail(c, "%s: %s has no selector %d%s", atom->instruction, what, choice,
           byte ? " with that byte" : "");
  return false;
}

static bool hasOperand(const CuteSimMma *mma, CuteMmaOperand which) {
  return cuteMmaAtomHasOperand(mma->atom, which);
}

static bool fillExtras(CuteContext c, CuteSimMma *mma, CuteSimMmaSelectors s) {
  if (hasOperand(mma, CUTE_OPERAND_E) &&
      !findSources(c, mma, CUTE_OPERAND_E, s.e, 0, &mma->e))
    return failSelector(c, mma->atom, "the metadata", s.e, 0);
  if (hasOperand(mma, CUTE_OPERAND_SFA) &&
      !findSources(c, mma, CUTE_OPERAND_SFA, s.threadA, s.byteA, &mma->sfa))
    return failSelector(c, mma->atom, "SFA", s.threadA, s.byteA);
  if (hasOperand(mma, CUTE_OPERAND_SFB) &&
      !findSources(c, mma, CUTE_OPERAND_SFB, s.threadB, s.byteB, &mma->sfb))
    return failSelector(c, mma->atom, "SFB", s.threadB, s.byteB);
  return true;
}

static bool fillTables(CuteContext c, CuteSimMma *mma, CuteSimMmaSelectors s) {
  const CuteMmaAtom *atom = mma->atom;
  CuteLayout lanes = cuteLayoutParse(c, cuteStringRef(atom->kind->thrId));
  mma->numThreads = threadsOf(c, cuteMmaAtomGetLayout(c, atom, CUTE_OPERAND_C));
  for (int t = 0; t < mma->numThreads; ++t)
    mma->lanes[t] = evalLayout(c, lanes, t);
  findPlaces(c, mma, CUTE_OPERAND_A, atom->a, &mma->a);
  findPlaces(c, mma, CUTE_OPERAND_B, atom->b, &mma->b);
  findPlaces(c, mma, CUTE_OPERAND_C, atom->c, &mma->c);
  findPlaces(c, mma, CUTE_OPERAND_C, atom->d, &mma->d);
  mma->numInputs = mma->a.numWords + mma->b.numWords + mma->c.numWords +
                   hasOperand(mma, CUTE_OPERAND_E) +
                   hasOperand(mma, CUTE_OPERAND_SFA) +
                   hasOperand(mma, CUTE_OPERAND_SFB);
  return fillExtras(c, mma, s);
}

static bool isOfWarp(const CuteMmaAtom *atom) {
  size_t kind = (size_t)(atom->kind - cuteMmaAtomKinds);
  return kind == CUTE_MMA_QUADPAIR || kind == CUTE_MMA_WARP ||
         kind == CUTE_MMA_SPARSE || kind == CUTE_MMA_SCALED ||
         kind == CUTE_MMA_SPARSE_SCALED;
}

CuteSimMma *cuteSimMmaCreate(CuteContext context, const CuteMmaAtom *atom,
                             CuteSimMmaSelectors selectors) {
  if (!isOfWarp(atom))
    return cuteFail(context, "%s is no product of a warp", atom->name);
  CuteSimMma *mma = cuteAllocate(sizeof *mma);
  memset(mma, 0, sizeof *mma);
  mma->atom = atom;
  if (fillTables(context, mma, selectors))
    return mma;
  cuteSimMmaDestroy(mma);
  return NULL;
}

void cuteSimMmaDestroy(CuteSimMma *mma) { free(mma); }

size_t cuteSimMmaGetNumInputs(const CuteSimMma *mma) {
  return (size_t)mma->numInputs;
}

size_t cuteSimMmaGetNumOutputs(const CuteSimMma *mma) {
  return (size_t)mma->d.numWords;
}

//===-- Registers ---------------------------------------------------------===//

// The bits of value v and those above it.
static uint64_t valueBits(const Operand *operand, const uint32_t *words,
                          int v) {
  unsigned bits = operand->element.bits, at = (unsigned)v * bits;
  uint64_t word = words[at / 32];
  return bits == 64 ? word | (uint64_t)words[at / 32 + 1] << 32
                    : word >> at % 32;
}

// The words of an operand begin at `first` of each lane's.
static void unpack(const CuteSimMma *mma, const Operand *operand, int product,
                   const uint32_t *const *in, int first, double *tile) {
  for (int t = 0; t < mma->numThreads; ++t) {
    const uint32_t *words = in[mma->lanes[t] + 4 * product] + first;
    for (int v = 0; v < operand->numValues; ++v)
      tile[operand->place[t][v]] =
          cuteSimElementDecode(&operand->element, valueBits(operand, words, v));
  }
}

static void packLane(const Operand *operand, const uint16_t *place,
                     const double *tile, uint32_t *words) {
  unsigned bits = operand->element.bits;
  memset(words, 0, (size_t)operand->numWords * sizeof *words);
  for (int v = 0; v < operand->numValues; ++v) {
    uint64_t code = cuteSimElementEncode(&operand->element, tile[place[v]]);
    unsigned at = (unsigned)v * bits;
    words[at / 32] |= (uint32_t)code << at % 32;
    if (bits == 64)
      words[at / 32 + 1] = (uint32_t)(code >> 32);
  }
}

// Element (row, column) of E, SFA or SFB, whose words are at `word`.
static uint32_t extraBits(const CuteSimMma *mma, const Extra *extra,
                          int product, const uint32_t *const *in, int word,
                          int row, int column) {
  Source s = extra->sources[row * extra->columns + column];
  return in[mma->lanes[s.thread] + 4 * product][word] >> s.shift;
}

//===-- Sparse and scaled -------------------------------------------------===//

// The place among the elements that an index stands for; -1: it is undefined.
static int placeOfIndex(const CuteSimMma *mma, uint32_t index) {
  if (mma->e.element.type == CUTE_ELEMENT_UI2)
    return (int)(index & 3);
  return (index & 15) == 4 ? 0 : (index & 15) == 14 ? 1 : -1;
}

// Spreads the stored elements of row i over all K, the others being zero.
static const char *spreadRow(const CuteSimMma *mma, const uint32_t *const *in,
                             int word, int i, const double *stored,
                             double *row) {
  int k = mma->atom->k, run = k / 2 / mma->e.columns, last = -1;
  bool isPair = mma->e.element.type == CUTE_ELEMENT_UI2;
  for (int j = 0; j < mma->e.columns; ++j) {
    int place = placeOfIndex(mma, extraBits(mma, &mma->e, 0, in, word, i, j));
    if (place < 0)
      return "metadata of tf32 that is neither 4 nor 14";
    if (isPair && j % 2 && place <= last)
      return "metadata that does not ascend within four elements";
    last = place;
    int at = isPair ? (j / 2 * 4 + place) * run : 2 * j + place;
    for (int r = 0; r < run; ++r)
      row[at + r] = stored[j * run + r];
  }
  return NULL;
}

static const char *spreadA(const CuteSimMma *mma, const uint32_t *const *in,
                           int word, const double *stored, double *a) {
  int k = mma->atom->k;
  memset(a, 0, (size_t)(mma->atom->m * k) * sizeof *a);
  for (int i = 0; i < mma->atom->m; ++i) {
    const char *wrong =
        spreadRow(mma, in, word, i, stored + i * k / 2, a + i * k);
    if (wrong)
      return wrong;
  }
  return NULL;
}

// Multiplies the elements of `rows` x k, `stride` apart along k and `step` from
// row to row, by the factors of their blocks.
static void scale(const CuteSimMma *mma, const Extra *extra,
                  const uint32_t *const *in, int word, int rows, int step,
                  int stride, double *tile) {
  int k = mma->atom->k, block = k / extra->columns;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < k; ++j) {
      uint32_t code = extraBits(mma, extra, 0, in, word, i, j / block);
      bool isUnsigned = extra->element.type == CUTE_ELEMENT_F8E4M3;
      tile[i * step + j * stride] *=
          cuteSimElementDecode(&extra->element, isUnsigned ? code & 127 : code);
    }
}

//===-- Running -----------------------------------------------------------===//

// Tiles of one product. They are too large for the stack of a fiber.
typedef struct Tiles {
  double stored[MAX_TILE], a[MAX_TILE], b[MAX_TILE], sums[MAX_TILE];
} Tiles;

static const char *load(const CuteSimMma *mma, int product,
                        const uint32_t *const *in, Tiles *tiles) {
  const CuteMmaAtom *atom = mma->atom;
  int next = mma->a.numWords + mma->b.numWords + mma->c.numWords;
  bool isSparse = hasOperand(mma, CUTE_OPERAND_E);
  unpack(mma, &mma->a, product, in, 0, isSparse ? tiles->stored : tiles->a);
  unpack(mma, &mma->b, product, in, mma->a.numWords, tiles->b);
  unpack(mma, &mma->c, product, in, mma->a.numWords + mma->b.numWords,
         tiles->sums);
  if (isSparse) {
    const char *wrong = spreadA(mma, in, next++, tiles->stored, tiles->a);
    if (wrong)
      return wrong;
  }
  if (hasOperand(mma, CUTE_OPERAND_SFA))
    scale(mma, &mma->sfa, in, next++, atom->m, atom->k, 1, tiles->a);
  if (hasOperand(mma, CUTE_OPERAND_SFB))
    scale(mma, &mma->sfb, in, next++, atom->n, 1, atom->n, tiles->b);
  return NULL;
}

static const char *runProduct(const CuteSimMma *mma, int product,
                              const uint32_t *const *in, uint32_t *const *out) {
  const CuteMmaAtom *atom = mma->atom;
  static _Thread_local Tiles tiles;
  const char *wrong = load(mma, product, in, &tiles);
  if (wrong)
    return wrong;
  CuteSimMatrices matrices = {atom->m, atom->n, atom->k,
                              tiles.a, tiles.b, tiles.sums};
  cuteSimMultiply(atom, &matrices);
  for (int t = 0; t < mma->numThreads; ++t)
    packLane(&mma->d, mma->c.place[t], tiles.sums,
             out[mma->lanes[t] + 4 * product]);
  return NULL;
}

const char *cuteSimMmaRun(const CuteSimMma *mma,
                          const uint32_t *const in[CUTE_SIM_LANES],
                          uint32_t *const out[CUTE_SIM_LANES]) {
  const char *wrong = NULL;
  for (int i = 0; i < CUTE_SIM_LANES / mma->numThreads && !wrong; ++i)
    wrong = runProduct(mma, i, in, out);
  return wrong;
}
