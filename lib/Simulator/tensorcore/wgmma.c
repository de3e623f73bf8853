#include "Simulator/tensorcore/wgmma.h"
#include "Algebra/algebra.h"
#include "Hardware/atom.h"
#include "Simulator/machine/scratch.h"
#include "Simulator/tensorcore/register_tile.h"
#include "Support/text.h"

enum { ROWS_A = 64, MAX_K = 64, MAX_N = 256, A_REGISTERS = 4 };

struct CuteSimWgmma {
  const CuteMmaAtom *atom;
  CuteSimElement elementA, elementB;
  CuteSimRegisterTile a, d; // a: only if it is in registers
  CuteSimSharedTile e;
  bool isSparse, isRegisterA;
};

//===-- The instruction ---------------------------------------------------===//

// The words of D of an atom: M * N / 128 elements.
static size_t wordsOf(const CuteMmaAtom *atom) {
  return (size_t)(atom->m * atom->n) / CUTE_SIM_WARPGROUP *
         cuteElementTypeGetBits(atom->d) / 32;
}

// The values that follow D: A, B, E and its selector, whether C is added, signs
// of floats, and which operands in shared memory are transposed, of 16 bits.
static size_t operandsOf(const CuteMmaAtom *atom) {
  bool isRegisterA = atom->sourceA == CUTE_MMA_REGISTERS;
  size_t n = (isRegisterA ? A_REGISTERS : 1) + 1 + 1;
  n += cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E) ? 2 : 0;
  n += cuteElementTypeIsFloat(atom->a) ? 2 : 0;
  return n + (cuteElementTypeGetBits(atom->a) == 16 ? 2 - isRegisterA : 0);
}

// The row with K contiguous in both operands; majors are operands.
static const CuteMmaAtom *findAtom(CuteStringRef mnemonic, size_t numResults,
                                   size_t numOperands) {
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (cuteMmaAtomIsWarpgroup(atom) &&
        cuteTextEquals(mnemonic, atom->instruction) &&
        wordsOf(atom) == numResults && operandsOf(atom) == numOperands &&
        atom->majorA == CUTE_MAJOR_K && atom->majorB == CUTE_MAJOR_K)
      return atom;
  }
  return NULL;
}

CuteSimWgmma *cuteSimWgmmaCreate(CuteContext context, CuteStringRef mnemonic,
                                 size_t numResults, size_t numOperands) {
  const CuteMmaAtom *atom = findAtom(mnemonic, numResults, numOperands);
  if (!atom)
    return cuteFail(context,
                    "there is no %.*s with %zu registers of D and %zu other "
                    "operands",
                    CUTE_TEXT(mnemonic), numResults, numOperands);
  CuteSimWgmma *w = cuteArenaAllocate(&context->nodes, sizeof *w);
  *w = (CuteSimWgmma){.atom = atom,
                      .isSparse = cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E),
                      .isRegisterA = atom->sourceA == CUTE_MMA_REGISTERS};
  cuteSimElementInit(&w->elementA, atom->a, false);
  cuteSimElementInit(&w->elementB, atom->b, false);
  cuteSimRegisterTileInit(context, atom, CUTE_OPERAND_C, atom->d, &w->d);
  if (w->isRegisterA)
    cuteSimRegisterTileInit(context, atom, CUTE_OPERAND_A, atom->a, &w->a);
  if (w->isSparse)
    cuteSimSharedTileInit(context, atom, CUTE_OPERAND_E, 0, 0, &w->e);
  return w;
}

const CuteMmaAtom *cuteSimWgmmaGetAtom(const CuteSimWgmma *w) {
  return w->atom;
}

//===-- Operands ----------------------------------------------------------===//

static const char *takeSign(uint64_t operand, bool *isNegated) {
  int32_t sign = (int32_t)operand;
  *isNegated = sign == -1;
  return sign == 1 || sign == -1 ? NULL : "a sign that is neither 1 nor -1";
}

static const char *takeMajor(uint64_t operand, CuteMajor *major) {
  *major = operand ? CUTE_MAJOR_MN : CUTE_MAJOR_K;
  return operand <= 1 ? NULL : "a transposition that is neither 0 nor 1";
}

const char *cuteSimWgmmaTake(const CuteSimWgmma *w, const uint64_t *operands,
                             CuteSimWgmmaCall *call) {
  const char *wrong = NULL;
  *call = (CuteSimWgmmaCall){.majorA = CUTE_MAJOR_K, .majorB = CUTE_MAJOR_K};
  if (!w->isRegisterA)
    call->descriptorA = *operands;
  operands += w->isRegisterA ? A_REGISTERS : 1;
  call->descriptorB = *operands++;
  if (w->isSparse && operands[1])
    return "a sparsity selector that is not 0";
  operands += w->isSparse ? 2 : 0;
  call->addsC = *operands++ & 1;
  if (cuteElementTypeIsFloat(w->atom->a)) {
    wrong = takeSign(operands[0], &call->negatesA);
    wrong = wrong ? wrong : takeSign(operands[1], &call->negatesB);
    operands += 2;
  }
  if (wrong || cuteElementTypeGetBits(w->atom->a) != 16)
    return wrong;
  if (!w->isRegisterA)
    wrong = takeMajor(*operands++, &call->majorA);
  return wrong ? wrong : takeMajor(*operands, &call->majorB);
}

void cuteSimWgmmaTakeWords(const CuteSimWgmma *w, const uint64_t *results,
                           const uint64_t *operands, uint32_t *words) {
  for (int i = 0; i < w->d.numWords; ++i)
    *words++ = (uint32_t)results[i];
  for (int i = 0; w->isRegisterA && i < A_REGISTERS; ++i)
    *words++ = (uint32_t)operands[i];
  if (w->isSparse)
    *words = (uint32_t)operands[w->isRegisterA ? A_REGISTERS + 1 : 2];
}

//===-- Shared memory -----------------------------------------------------===//

static CuteSimDescribed describedA(const CuteSimWgmma *w,
                                   const CuteSimWgmmaCall *call) {
  int k = w->atom->k / (w->isSparse ? 2 : 1);
  return (CuteSimDescribed){.descriptor =
                                cuteSimDescriptorDecode(call->descriptorA),
                            .major = call->majorA,
                            .element = &w->elementA,
                            .mn = ROWS_A,
                            .k = (uint32_t)k,
                            .step = k,
                            .next = 1};
}

static CuteSimDescribed describedB(const CuteSimWgmma *w,
                                   const CuteSimWgmmaCall *call) {
  return (CuteSimDescribed){.descriptor =
                                cuteSimDescriptorDecode(call->descriptorB),
                            .major = call->majorB,
                            .element = &w->elementB,
                            .mn = (uint32_t)w->atom->n,
                            .k = (uint32_t)w->atom->k,
                            .step = 1,
                            .next = w->atom->n};
}

void cuteSimWgmmaVisit(const CuteSimWgmma *w, const CuteSimWgmmaCall *call,
                       bool isB, CuteSimReadUnit *read, void *data) {
  CuteSimDescribed x = isB ? describedB(w, call) : describedA(w, call);
  if (isB || !w->isRegisterA)
    cuteSimDescribedFetch(&x, read, data, NULL);
}

//===-- Running -----------------------------------------------------------===//

typedef struct Tiles {
  double stored[ROWS_A * MAX_K], a[ROWS_A * MAX_K], b[MAX_K * MAX_N];
  double sums[ROWS_A * MAX_N];
} Tiles;

static void negate(double *elements, int n) {
  for (int i = 0; i < n; ++i)
    elements[i] = -elements[i];
}

static const char *loadA(const CuteSimWgmma *w, const CuteSimWgmmaCall *call,
                         const uint32_t *const *in, CuteSimReadUnit *read,
                         void *data, Tiles *tiles) {
  double *tile = w->isSparse ? tiles->stored : tiles->a;
  int first = w->d.numWords;
  if (w->isRegisterA) {
    cuteSimRegisterTileUnpack(&w->a, in, first, tile);
    first += A_REGISTERS;
  } else {
    CuteSimDescribed a = describedA(w, call);
    cuteSimDescribedFetch(&a, read, data, tile);
  }
  return w->isSparse ? cuteSimSpreadSparse(w->atom, &w->e, in, first,
                                           tiles->stored, tiles->a)
                     : NULL;
}

const char *cuteSimWgmmaRun(const CuteSimWgmma *w, const CuteSimWgmmaCall *call,
                            const uint32_t *const in[CUTE_SIM_WARPGROUP],
                            uint32_t *const out[CUTE_SIM_WARPGROUP],
                            CuteSimReadUnit *read, void *data) {
  Tiles *tiles = cuteSimScratchGet(CUTE_SIM_SCRATCH_TILES, sizeof *tiles);
  const CuteMmaAtom *atom = w->atom;
  CuteSimDescribed b = describedB(w, call);
  const char *wrong = loadA(w, call, in, read, data, tiles);
  if (wrong)
    return wrong;
  cuteSimDescribedFetch(&b, read, data, tiles->b);
  if (call->negatesA != call->negatesB)
    negate(tiles->a, atom->m * atom->k);
  if (call->addsC)
    cuteSimRegisterTileUnpack(&w->d, in, 0, tiles->sums);
  else
    memset(tiles->sums, 0, (size_t)(atom->m * atom->n) * sizeof *tiles->sums);
  CuteSimMatrices matrices =
      cuteSimMatricesOf(atom, tiles->a, tiles->b, tiles->sums);
  cuteSimMultiply(atom, atom->arch, &matrices);
  cuteSimRegisterTilePack(&w->d, tiles->sums, out);
  return NULL;
}
