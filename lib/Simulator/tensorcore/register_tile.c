#include "Simulator/tensorcore/register_tile.h"
#include "Algebra/algebra.h"

//===-- Layouts -----------------------------------------------------------===//

int cuteSimEvalLayout(CuteContext c, CuteLayout layout, int coordinate) {
  return (int)cuteIntTupleGetValue(
      cuteLayoutEval(c, layout, cuteIntTupleGetStatic(c, coordinate)));
}

static int extentOf(CuteContext c, CuteLayout tv, size_t mode) {
  CuteIntTuple shape = cuteIntTupleGetElement(cuteLayoutGetShape(tv), mode);
  return (int)cuteIntTupleGetValue(cuteIntTupleProduct(c, shape));
}

//===-- Registers ---------------------------------------------------------===//

void cuteSimRegisterTileInit(CuteContext c, const CuteMmaAtom *atom,
                             CuteMmaOperand operand, CuteElementType type,
                             CuteSimRegisterTile *tile) {
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, operand);
  int rows = cuteMmaAtomGetExtent(atom, operand, 0);
  int columns = cuteMmaAtomGetExtent(atom, operand, 1);
  cuteSimElementInit(&tile->element, type, atom->spreads);
  tile->numThreads = extentOf(c, tv, 0);
  tile->numValues = extentOf(c, tv, 1);
  tile->numWords = (tile->numValues * (int)tile->element.bits + 31) / 32;
  int count = tile->numThreads * tile->numValues;
  tile->places =
      cuteArenaAllocate(&c->nodes, (size_t)count * sizeof *tile->places);
  for (int i = 0; i < count; ++i) {
    int index = cuteSimEvalLayout(c, tv, i);
    int row = index % rows, column = index / rows;
    tile->places[i % tile->numThreads * tile->numValues +
                 i / tile->numThreads] =
        (uint16_t)(operand == CUTE_OPERAND_B ? column * rows + row
                                             : row * columns + column);
  }
}

// The bits of value v and those above it.
static uint64_t valueBits(const CuteSimElement *element, const uint32_t *words,
                          int v) {
  unsigned at = (unsigned)v * element->bits;
  uint64_t word = words[at / 32];
  return element->bits == 64 ? word | (uint64_t)words[at / 32 + 1] << 32
                             : word >> at % 32;
}

void cuteSimRegisterTileUnpack(const CuteSimRegisterTile *tile,
                               const uint32_t *const *threads, int first,
                               double *elements) {
  const uint16_t *place = tile->places;
  for (int t = 0; t < tile->numThreads; ++t)
    for (int v = 0; v < tile->numValues; ++v)
      elements[*place++] = cuteSimElementDecode(
          &tile->element, valueBits(&tile->element, threads[t] + first, v));
}

static void packThread(const CuteSimRegisterTile *tile, const uint16_t *places,
                       const double *elements, uint32_t *words) {
  unsigned bits = tile->element.bits;
  memset(words, 0, (size_t)tile->numWords * sizeof *words);
  for (int v = 0; v < tile->numValues; ++v) {
    uint64_t code = cuteSimElementEncode(&tile->element, elements[places[v]]);
    unsigned at = (unsigned)v * bits;
    words[at / 32] |= (uint32_t)code << at % 32;
    if (bits == 64)
      words[at / 32 + 1] = (uint32_t)(code >> 32);
  }
}

void cuteSimRegisterTilePack(const CuteSimRegisterTile *tile,
                             const double *elements, uint32_t *const *threads) {
  for (int t = 0; t < tile->numThreads; ++t)
    packThread(tile, tile->places + t * tile->numValues, elements, threads[t]);
}

//===-- Operands that several threads hold --------------------------------===//

// Notes the places of the elements; returns how many were found.
static int findPlaces(CuteContext c, CuteLayout tv, int rows, int choice,
                      int byte, CuteSimSharedTile *tile) {
  int count = extentOf(c, tv, 0) * extentOf(c, tv, 1), found = 0;
  CUTE_FREED uint8_t *seen = cuteAllocate((size_t)(rows * tile->columns));
  memset(seen, 0, (size_t)(rows * tile->columns));
  for (int i = 0; i < count; ++i) {
    int index = cuteSimEvalLayout(c, tv, i);
    int place = index % rows * tile->columns + index / rows;
    int thread = i % extentOf(c, tv, 0), value = i / extentOf(c, tv, 0);
    if (seen[place]++ != choice)
      continue;
    tile->places[place] = (struct CuteSimWordPlace){
        (uint8_t)thread, (uint8_t)(value * (int)tile->element.bits + 8 * byte)};
    ++found;
  }
  return found;
}

bool cuteSimSharedTileInit(CuteContext c, const CuteMmaAtom *atom,
                           CuteMmaOperand operand, int choice, int byte,
                           CuteSimSharedTile *tile) {
  CuteLayout tv = cuteMmaAtomGetLayout(c, atom, operand);
  int rows = cuteMmaAtomGetExtent(atom, operand, 0);
  cuteSimElementInit(&tile->element, cuteMmaAtomGetElement(atom, operand),
                     false);
  tile->columns = cuteMmaAtomGetExtent(atom, operand, 1);
  int count = rows * tile->columns;
  tile->places =
      cuteArenaAllocate(&c->nodes, (size_t)count * sizeof *tile->places);
  int bytes = (extentOf(c, tv, 1) * (int)tile->element.bits + 7) / 8;
  return choice >= 0 && byte >= 0 && byte % bytes == 0 && bytes + byte <= 4 &&
         findPlaces(c, tv, rows, choice, byte, tile) == count;
}

uint32_t cuteSimSharedTileGet(const CuteSimSharedTile *tile,
                              const uint32_t *const *threads, int word, int row,
                              int column) {
  struct CuteSimWordPlace place = tile->places[row * tile->columns + column];
  return threads[place.thread][word] >> place.shift;
}

//===-- Sparse matrices ---------------------------------------------------===//

// The place of an index among the elements; -1: it is undefined.
static int placeOfIndex(bool isPair, uint32_t index) {
  if (isPair)
    return (int)(index & 3);
  return (index & 15) == 4 ? 0 : (index & 15) == 14 ? 1 : -1;
}

const char *cuteSimSpreadRow(const CuteMmaAtom *atom, const uint32_t *indices,
                             const double *stored, double *row) {
  int run = atom->k / 2 / atom->e.k, last = -1;
  bool isPair = atom->e.element == CUTE_ELEMENT_UI2;
  for (int i = 0; i < atom->k; ++i)
    row[i] = CUTE_SIM_HOLE;
  for (int j = 0; j < atom->e.k; ++j) {
    int place = placeOfIndex(isPair, indices[j]);
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

const char *cuteSimSpreadSparse(const CuteMmaAtom *atom,
                                const CuteSimSharedTile *e,
                                const uint32_t *const *threads, int word,
                                const double *stored, double *a) {
  const char *wrong = NULL;
  for (int i = 0; i < atom->m && !wrong; ++i) {
    uint32_t indices[CUTE_SIM_MAX_INDICES];
    for (int j = 0; j < atom->e.k; ++j)
      indices[j] = cuteSimSharedTileGet(e, threads, word, i, j);
    wrong = cuteSimSpreadRow(atom, indices, stored + i * atom->k / 2,
                             a + i * atom->k);
  }
  return wrong;
}
