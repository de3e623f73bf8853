// tcgen05.mma: A and B by descriptors in shared memory, or A and always C in
// tensor memory, as scale factors of A and B.
#include "Hardware/element.h"
#include "Hardware/mma_family.h"
#include "Simulator/machine/launch_run.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/observe/observer.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/register_tile.h"
#include "Simulator/tensorcore/tensor_copy.h"
#include "Simulator/tensorcore/wgmma_checks.h"

#include <math.h>

// Limits of the rows of A that a block has, and of all of B.
enum { MAX_M = 128, MAX_N = 256, MAX_K = 128, MAX_FACTORS = 6, LANES = 128 };

typedef struct Tiles {
  double a[MAX_M * MAX_K], b[MAX_K * MAX_N], sums[MAX_M * MAX_N];
  double stored[MAX_M * MAX_K]; // of a sparse A
  double scaleA[MAX_M * MAX_FACTORS], scaleB[MAX_FACTORS * MAX_N];
} Tiles;

//===-- Places ------------------------------------------------------------===//

// PTX ISA, "Data path layout organization". Rows of A and D that a block has.
static int rowsOf(const CuteMmaAtom *atom) {
  return atom->m / atom->family->ctas;
}

// 64 rows of a block of a pair: their second half of columns is in the upper
// lanes, where A and factors are a second time.
static bool isHalved(const CuteMmaAtom *atom) {
  return atom->family->ctas == 2 && rowsOf(atom) == LANES / 2;
}

// The parts of the columns that lie in lanes one after the other: of .ws too.
static int partsOf(const CuteMmaAtom *atom) {
  bool isParted = isHalved(atom) || atom->family->isStationary;
  return isParted ? LANES / rowsOf(atom) : 1;
}

// The lane of row m, after the first: 64 rows of one block are in 16 of each
// warp's lanes.
static uint32_t laneOf(const CuteMmaAtom *atom, int m) {
  uint32_t row = (uint32_t)m;
  bool isQuartered = atom->m == LANES / 2 && !atom->family->isStationary;
  return isQuartered ? row % 16 + row / 16 * 32 : row;
}

static uint32_t *wordAt(CuteSimBlock *block, uint32_t address, uint32_t lane,
                        uint32_t column) {
  return &cuteSimTensorMemoryGet(block)
              ->words[((address >> 16) + lane) & 127]
                     [((address & 0xffff) + column) & 511];
}

static uint32_t *sumAt(const CuteSimTensorProduct *p, CuteSimBlock *block,
                       int m, int n) {
  int parts = partsOf(p->atom), part = p->atom->n / parts;
  uint32_t lane = laneOf(p->atom, m) + (uint32_t)(n / part * (LANES / parts));
  return wordAt(block, p->d, lane, (uint32_t)(n % part));
}

// The columns that the factors of all rows take, four of each row.
static int factorColumns(const CuteMmaAtom *atom, bool isB) {
  int rows = isB ? (atom->n + LANES - 1) / LANES * LANES : rowsOf(atom);
  return rows / 32 / (isB && isHalved(atom) ? 2 : 1);
}

// The word of the factors of a row from a multiple of four on: 32 rows a
// column, in each quarter of the lanes.
static uint32_t *factorAt(const CuteSimTensorProduct *p, CuteSimBlock *block,
                          bool isB, int row, int word) {
  int n = p->atom->n > LANES ? p->atom->n : LANES;
  int half = isB && isHalved(p->atom) ? n / 2 : n;
  uint32_t lane = (uint32_t)(row % 32 + row / half * (LANES / 2));
  int column = row % half / 32 + word * factorColumns(p->atom, isB);
  return wordAt(block, p->factors[isB], lane, (uint32_t)column);
}

//===-- Running -----------------------------------------------------------===//

// Elements of A or B, as many bits as they have values.
static CuteSimElement elementOf(const CuteMmaAtom *atom, bool isB) {
  CuteSimElement element;
  cuteSimElementInit(&element, isB ? atom->b : atom->a, false);
  element.bits = cuteElementGetValueBits(element.type);
  return element;
}

// The part of A or B in a block's shared memory, for a tile of all of A's rows
// that the block has, or of all of B.
static CuteSimDescribed describedOf(const CuteSimTensorProduct *p, bool isB,
                                    const CuteSimElement *element) {
  const CuteMmaAtom *atom = p->atom;
  bool isPadded = atom->spreads && element->bits < 8;
  int k = atom->family->isSparse && !isB ? atom->k / 2 : atom->k;
  CuteSimDescribed x = {
      .major = isB ? atom->majorB : atom->majorA,
      .element = element,
      .perUnit = isPadded ? CUTE_SIM_UNIT : 0,
      .mn = (uint32_t)((isB ? atom->n : atom->m) / atom->family->ctas),
      .k = (uint32_t)k,
      .step = isB ? 1 : k,
      .next = isB ? atom->n : 1};
  cuteSimDescriptorDecodeTensor(isB ? p->descriptorB : p->descriptorA, true,
                                &x.descriptor);
  return x;
}

static void multiplyBy(double *elements, int n, double factor) {
  for (int i = 0; i < n; ++i)
    elements[i] *= factor;
}

static void fetchShared(const CuteSimTensorProduct *p, CuteSimBlock *block,
                        bool isB, double *tile) {
  CuteSimElement element = elementOf(p->atom, isB);
  CuteSimDescribed x = describedOf(p, isB, &element);
  CuteSimTensorSource source = {p, block};
  cuteSimDescribedFetch(&x, cuteSimTensorUnitRead, &source, tile);
}

static void fetchA(const CuteSimTensorProduct *p, CuteSimBlock *block,
                   double *tile) {
  const CuteMmaAtom *atom = p->atom;
  if (atom->sourceA == CUTE_MMA_SMEM) {
    fetchShared(p, block, false, tile);
    return;
  }
  CuteSimElement element = elementOf(atom, false);
  unsigned bits = element.bits < 8 && atom->spreads ? 8 : element.bits;
  for (int m = 0; m < rowsOf(atom); ++m)
    for (int k = 0; k < atom->k; ++k) {
      uint32_t bit = (uint32_t)k * bits;
      uint32_t word = *wordAt(block, p->a, laneOf(atom, m), bit / 32);
      tile[m * atom->k + k] = cuteSimElementDecode(&element, word >> bit % 32);
    }
}

// Index i of row m of a sparse A (PTX ISA, "Sparse matrices"): for elements of
// up to 8 bits it is in the row's lane. For wider ones a word has the first
// half of the indices of a row and of the 8th row after it; the second halves
// are 8 lanes further. Each part of the lanes has a copy.
static uint32_t indexAt(const CuteSimTensorProduct *p, CuteSimBlock *block,
                        int part, int m, int i) {
  const CuteMmaAtom *atom = p->atom;
  int bits = (int)cuteElementTypeGetBits(atom->e.element), half = atom->e.k / 2;
  bool isWide = cuteElementGetValueBits(atom->a) > 8;
  int lane = isWide ? m % 8 + m / 16 * 16 + i / half * 8 : m;
  int bit = isWide ? m / 8 % 2 * 16 + i % half * bits : i * bits;
  lane += part * rowsOf(atom);
  uint32_t word =
      *wordAt(block, p->metadata, (uint32_t)lane, (uint32_t)bit / 32);
  return word >> bit % 32 & ((1u << bits) - 1);
}

static void spread(const CuteSimTensorProduct *p, CuteSimBlock *block,
                   const double *stored, double *tile) {
  const CuteMmaAtom *atom = p->atom;
  for (int m = 0; m < rowsOf(atom); ++m) {
    uint32_t indices[CUTE_SIM_MAX_INDICES];
    for (int i = 0; i < atom->e.k; ++i) {
      indices[i] = indexAt(p, block, 0, m, i);
      for (int part = 1; part < partsOf(atom); ++part)
        if (indexAt(p, block, part, m, i) != indices[i])
          cuteSimFail(p->op,
                      "$: the metadata of row %d differs between the copies in "
                      "lanes 0 to %d and from lane %d on",
                      m, rowsOf(atom) - 1, part * rowsOf(atom));
    }
    const char *wrong = cuteSimSpreadRow(
        atom, indices, stored + m * atom->k / 2, tile + m * atom->k);
    if (wrong)
      cuteSimFail(p->op, "$: row %d of A has %s", m, wrong);
  }
}

// Rows of factors are `step` apart in the tile, the factors of a row `next`.
static void fetchFactors(const CuteSimTensorProduct *p, CuteSimBlock *block,
                         bool isB, int step, int next, double *tile) {
  CuteSimElement element;
  const CuteMmaExtra *extra = isB ? &p->atom->sfb : &p->atom->sfa;
  bool isUnsigned = extra->element == CUTE_ELEMENT_F8E4M3;
  cuteSimElementInit(&element, extra->element, false);
  for (int row = 0; row < (isB ? p->atom->n : rowsOf(p->atom)); ++row)
    for (int i = 0; i < extra->k; ++i) {
      int at = (int)p->firsts[isB] + i;
      uint32_t code = *factorAt(p, block, isB, row, at / 4) >> at % 4 * 8;
      tile[row * step + i * next] =
          cuteSimElementDecode(&element, isUnsigned ? code & 127 : code);
    }
}

static void loadSums(const CuteSimTensorProduct *p, CuteSimBlock *block,
                     double *sums) {
  CuteSimElement element;
  cuteSimElementInit(&element, p->atom->d, false);
  for (int m = 0; m < rowsOf(p->atom); ++m)
    for (int n = 0; n < p->atom->n; ++n)
      *sums++ =
          p->addsC ? cuteSimElementDecode(&element, *sumAt(p, block, m, n)) : 0;
}

// Stores the sums of the lanes that the product writes.
static void storeSums(const CuteSimTensorProduct *p, CuteSimBlock *block,
                      const double *sums) {
  CuteSimTensorArea written = cuteSimTensorAreaGet(p, block, 0);
  CuteSimTensorMemory *memory = cuteSimTensorMemoryGet(block);
  CuteSimElement element;
  size_t number = cuteSimTensorPipeGet(block)->numDone;
  cuteSimElementInit(&element, p->atom->d, false);
  for (int m = 0; m < rowsOf(p->atom); ++m)
    for (int n = 0; n < p->atom->n; ++n, ++sums) {
      uint32_t *word = sumAt(p, block, m, n);
      size_t at = (size_t)(word - memory->words[0]);
      size_t lane = at / CUTE_SIM_TENSOR_COLUMNS;
      if (!cuteSimTensorAreaHas(&written, (uint32_t)lane))
        continue;
      *word = (uint32_t)cuteSimElementEncode(&element, *sums);
      memory->isWritten[lane][at % CUTE_SIM_TENSOR_COLUMNS] = true;
      memory->writer[lane][at % CUTE_SIM_TENSOR_COLUMNS] = (uint32_t)number;
    }
}

static void multiplyRows(const CuteSimTensorProduct *p, CuteSimBlock *block,
                         Tiles *tiles) {
  const CuteMmaAtom *atom = p->atom;
  int rows = rowsOf(atom), factors = atom->sfa.k;
  fetchA(p, block, atom->family->isSparse ? tiles->stored : tiles->a);
  if (atom->family->isSparse)
    spread(p, block, tiles->stored, tiles->a);
  if (atom->negatesA != atom->negatesB)
    multiplyBy(tiles->a, rows * atom->k, -1);
  loadSums(p, block, tiles->sums);
  if (atom->sumShift)
    multiplyBy(tiles->sums, rows * atom->n, ldexp(1, -atom->sumShift));
  if (factors) {
    fetchFactors(p, block, false, factors, 1, tiles->scaleA);
    fetchFactors(p, block, true, 1, atom->n, tiles->scaleB);
  }
  CuteSimMatrices matrices =
      cuteSimMatricesOf(atom, tiles->a, tiles->b, tiles->sums);
  matrices.m = rows, matrices.blocks = factors;
  matrices.scaleA = tiles->scaleA, matrices.scaleB = tiles->scaleB;
  cuteSimMultiply(atom, p->op.thread->cluster->run->options->arch, &matrices);
  storeSums(p, block, tiles->sums);
}

static void multiply(const CuteSimTensorProduct *p) {
  Tiles *tiles = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *tiles);
  for (int i = 0; i < p->numBlocks; ++i)
    fetchShared(p, cuteSimTensorBlockGet(p->op.thread, p->numBlocks, i), true,
                tiles->b + i * p->atom->n / p->numBlocks);
  for (int i = 0; i < p->numBlocks; ++i)
    multiplyRows(p, cuteSimTensorBlockGet(p->op.thread, p->numBlocks, i),
                 tiles);
}

//===-- Starting ----------------------------------------------------------===//

static void checkShared(const CuteSimTensorProduct *p, bool isB) {
  CuteSimDescriptor d;
  const char *problem = cuteSimDescriptorDecodeTensor(
      isB ? p->descriptorB : p->descriptorA, p->atom->k == 96, &d);
  if (problem)
    cuteSimFail(p->op, "$: operand %c has %s", isB ? 'B' : 'A', problem);
  cuteSimWgmmaCheckSwizzle(p->op, &d, isB);
  CuteSimElement element = elementOf(p->atom, isB);
  CuteSimDescribed x = describedOf(p, isB, &element);
  for (int i = 0; i < p->numBlocks; ++i) {
    CuteSimTensorSource source = {
        p, cuteSimTensorBlockGet(p->op.thread, p->numBlocks, i)};
    cuteSimDescribedFetch(&x, cuteSimTensorUnitCheck, &source, NULL);
  }
}

static CuteSimTensorArea *addArea(CuteSimTensorProduct *p, uint32_t address,
                                  int columns) {
  CuteSimTensorArea *area = &p->areas[p->numAreas++];
  *area = (CuteSimTensorArea){.column = address & 0xffff,
                              .columns = (uint32_t)columns};
  return area;
}

// Adds the lanes of rows from an address on, or all, and columns.
static void addRows(CuteSimTensorProduct *p, uint32_t address, int columns) {
  CuteSimTensorArea *area = addArea(p, address, columns);
  int n = partsOf(p->atom) > 1 ? LANES : rowsOf(p->atom);
  for (int m = 0; m < n; ++m) {
    uint32_t lane = (address >> 16) + laneOf(p->atom, m);
    area->lanes[lane / 64 % 2] |= UINT64_C(1) << lane % 64;
  }
}

static void addAreas(CuteSimTensorProduct *p) {
  const CuteMmaAtom *atom = p->atom;
  int halves = isHalved(atom) ? 2 : 1;
  addRows(p, p->d, atom->n / partsOf(atom));
  if (atom->sourceA == CUTE_MMA_TMEM)
    addRows(p, p->a, atom->k * (int)cuteElementTypeGetBits(atom->a) / 32);
  if (atom->family->isSparse)
    addRows(p, p->metadata,
            atom->e.k * (int)cuteElementTypeGetBits(atom->e.element) / 32);
  for (int isB = 0; isB < 2 && atom->sfa.k; ++isB) {
    int rows = isB ? atom->n / halves : rowsOf(atom);
    int next = factorColumns(atom, isB);
    for (int at = 0; at < (int)p->firsts[isB] + atom->sfa.k; at += 4) {
      uint32_t first = p->factors[isB] + (uint32_t)(at / 4 * next);
      CuteSimTensorArea *area = addArea(p, first, (rows + 31) / 32);
      area->lanes[0] = area->lanes[1] = UINT64_MAX;
    }
  }
}

// PTX ISA, "Instruction descriptor": the factors of a product begin in their
// word at a multiple of their number. For K = 96 they may begin elsewhere and
// continue in the next word.
static void checkFactors(const CuteSimTensorProduct *p) {
  int n = p->atom->sfa.k, step = n == 6 ? 2 : n == 3 ? 1 : n;
  for (int isB = 0; isB < 2 && n; ++isB)
    if (p->firsts[isB] % (uint32_t)step)
      cuteSimFind(p->op,
                  "the %d factors of %c begin with number %u of four; they "
                  "begin with a multiple of %d",
                  n, isB ? 'B' : 'A', p->firsts[isB], step);
}

void cuteSimTensorMma(CuteSimOp op, uint64_t *values) {
  CuteSimTensorProduct p = {
      .op = op, .epoch = op.thread->epoch, .execute = multiply};
  bool isPair = cuteSimTensorCallTake(op, values, &p);
  const CuteMmaAtom *atom = p.atom;
  p.numBlocks = cuteSimTensorBegin(op, isPair);
  if (isPair && op.thread->block->rank % 2)
    cuteSimFind(op,
                "the first block of a pair starts its products, and this is "
                "the second; look at the rank in the cluster");
  if (atom->family->isSparse && rowsOf(atom) * partsOf(atom) != LANES)
    cuteSimFail(op, "$: the simulator knows the metadata of 128 rows only");
  if (atom->sourceA == CUTE_MMA_SMEM)
    checkShared(&p, false);
  checkShared(&p, true);
  checkFactors(&p);
  addAreas(&p);
  cuteSimTensorProductCheck(&p);
  cuteSimObserveProduct(op, 2.0 * atom->m * atom->n * atom->k);
  cuteSimTensorPipeStart(&p);
}
