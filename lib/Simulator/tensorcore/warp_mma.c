#include "Simulator/tensorcore/warp_mma.h"
#include "Algebra/algebra.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/tensorcore/register_tile.h"

enum { MAX_TILE = 16 * 256, MAX_BLOCKS = 16 }; // elements

struct CuteSimMma {
  const CuteMmaAtom *atom;
  int lanes[CUTE_SIM_LANES]; // of the threads of the first product
  CuteSimRegisterTile a, b, c, d;
  CuteSimSharedTile e, sfa, sfb;
  int numInputs;
};

//===-- Tables ------------------------------------------------------------===//

static bool hasOperand(const CuteSimMma *mma, CuteMmaOperand which) {
  return cuteMmaAtomHasOperand(mma->atom, which);
}

// Fills a tile that threads share, if the product has it.
static bool fillExtra(CuteContext c, CuteSimMma *mma, CuteMmaOperand which,
                      int choice, int byte, const char *what,
                      CuteSimSharedTile *tile) {
  return !hasOperand(mma, which) ||
         cuteSimSharedTileInit(c, mma->atom, which, choice, byte, tile) ||
         cuteFail(c, "%s: %s has no selector %d%s", mma->atom->instruction,
                  what, choice, byte ? " with that byte" : "");
}

static bool fillTables(CuteContext c, CuteSimMma *mma, CuteSimMmaSelectors s) {
  const CuteMmaAtom *atom = mma->atom;
  CuteLayout lanes = cuteLayoutParse(c, cuteStringRef(atom->kind->thrId));
  cuteSimRegisterTileInit(c, atom, CUTE_OPERAND_A, atom->a, &mma->a);
  cuteSimRegisterTileInit(c, atom, CUTE_OPERAND_B, atom->b, &mma->b);
  cuteSimRegisterTileInit(c, atom, CUTE_OPERAND_C, atom->c, &mma->c);
  cuteSimRegisterTileInit(c, atom, CUTE_OPERAND_C, atom->d, &mma->d);
  for (int t = 0; t < mma->c.numThreads; ++t)
    mma->lanes[t] = cuteSimEvalLayout(c, lanes, t);
  mma->numInputs = mma->a.numWords + mma->b.numWords + mma->c.numWords +
                   hasOperand(mma, CUTE_OPERAND_E) +
                   hasOperand(mma, CUTE_OPERAND_SFA) +
                   hasOperand(mma, CUTE_OPERAND_SFB);
  return fillExtra(c, mma, CUTE_OPERAND_E, s.e, 0, "the metadata", &mma->e) &&
         fillExtra(c, mma, CUTE_OPERAND_SFA, s.threadA, s.byteA, "SFA",
                   &mma->sfa) &&
         fillExtra(c, mma, CUTE_OPERAND_SFB, s.threadB, s.byteB, "SFB",
                   &mma->sfb);
}

CuteSimMma *cuteSimMmaCreate(CuteContext context, const CuteMmaAtom *atom,
                             CuteSimMmaSelectors selectors) {
  if (!cuteSimMmaIsOfWarp(atom))
    return cuteFail(context, "%s is not a product of a warp", atom->name);
  CuteSimMma *mma = cuteArenaAllocate(&context->nodes, sizeof *mma);
  *mma = (CuteSimMma){.atom = atom};
  return fillTables(context, mma, selectors) ? mma : NULL;
}

size_t cuteSimMmaGetNumInputs(const CuteSimMma *mma) {
  return (size_t)mma->numInputs;
}

size_t cuteSimMmaGetNumOutputs(const CuteSimMma *mma) {
  return (size_t)mma->d.numWords;
}

//===-- Running -----------------------------------------------------------===//

// Decodes the factors of `rows` rows, `step` apart, and blocks `stride` apart.
static void unpackFactors(const CuteSimSharedTile *factors,
                          const uint32_t *const *in, int word, int rows,
                          int step, int stride, double *scale) {
  bool isUnsigned = factors->element.type == CUTE_ELEMENT_F8E4M3;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < factors->columns; ++j) {
      uint32_t code = cuteSimSharedTileGet(factors, in, word, i, j);
      scale[i * step + j * stride] = cuteSimElementDecode(
          &factors->element, isUnsigned ? code & 127 : code);
    }
}

// Tiles of one product. They are too large for the stack of a fiber.
typedef struct Tiles {
  double stored[MAX_TILE], a[MAX_TILE], b[MAX_TILE], sums[MAX_TILE];
  double scaleA[16 * MAX_BLOCKS], scaleB[MAX_BLOCKS * 16];
} Tiles;

static const char *load(const CuteSimMma *mma, const uint32_t *const *in,
                        Tiles *tiles) {
  const CuteMmaAtom *atom = mma->atom;
  int firstB = mma->a.numWords, firstC = firstB + mma->b.numWords;
  int next = firstC + mma->c.numWords;
  bool isSparse = hasOperand(mma, CUTE_OPERAND_E);
  cuteSimRegisterTileUnpack(&mma->a, in, 0,
                            isSparse ? tiles->stored : tiles->a);
  cuteSimRegisterTileUnpack(&mma->b, in, firstB, tiles->b);
  cuteSimRegisterTileUnpack(&mma->c, in, firstC, tiles->sums);
  if (isSparse) {
    const char *wrong =
        cuteSimSpreadSparse(atom, &mma->e, in, next++, tiles->stored, tiles->a);
    if (wrong)
      return wrong;
  }
  if (hasOperand(mma, CUTE_OPERAND_SFA))
    unpackFactors(&mma->sfa, in, next++, atom->m, mma->sfa.columns, 1,
                  tiles->scaleA);
  if (hasOperand(mma, CUTE_OPERAND_SFB))
    unpackFactors(&mma->sfb, in, next++, atom->n, 1, atom->n, tiles->scaleB);
  return NULL;
}

static const char *runProduct(const CuteSimMma *mma, int arch,
                              const uint32_t *const *in, uint32_t *const *out) {
  Tiles *tiles = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *tiles);
  const CuteMmaAtom *atom = mma->atom;
  const char *wrong = load(mma, in, tiles);
  if (wrong)
    return wrong;
  CuteSimMatrices matrices =
      cuteSimMatricesOf(atom, tiles->a, tiles->b, tiles->sums);
  matrices.blocks = mma->sfa.columns;
  matrices.scaleA = tiles->scaleA, matrices.scaleB = tiles->scaleB;
  cuteSimMultiply(atom, arch, &matrices);
  cuteSimRegisterTilePack(&mma->d, tiles->sums, out);
  return NULL;
}

// A warp computes as many products as its lanes are enough for; each
// has four more neighbours.
const char *cuteSimMmaRun(const CuteSimMma *mma, int arch,
                          const uint32_t *const in[CUTE_SIM_LANES],
                          uint32_t *const out[CUTE_SIM_LANES]) {
  const char *wrong = NULL;
  int numThreads = mma->c.numThreads;
  for (int i = 0; i < CUTE_SIM_LANES / numThreads && !wrong; ++i) {
    const uint32_t *from[CUTE_SIM_LANES];
    uint32_t *to[CUTE_SIM_LANES];
    for (int t = 0; t < numThreads; ++t) {
      from[t] = in[mma->lanes[t] + 4 * i];
      to[t] = out[mma->lanes[t] + 4 * i];
    }
    wrong = runProduct(mma, arch, from, to);
  }
  return wrong;
}
