// Products in tensor memory (tcgen05): the instruction that makes them, and the
// warps that take the sums from there.
#include "Hardware/arch.h"
#include "Hardware/element.h"
#include "Transforms/products/to_wgmma.h"

enum {
  LANES = 128, // of tensor memory
  MOST_COLUMNS = 256,
  WARPGROUP = 128,
  MOST_WIDTH = 64, // columns that warpgroups take in turn
  MOST_SUMS = 128, // registers of a thread, beside what the rest takes
};

static bool has(uint64_t set, CuteElementType type) { return set >> type & 1; }

// The plain family of instructions for these types, of a block or of a pair.
static const CuteMmaFamily *findFamily(const CuteMmaAtom *like,
                                       CuteMmaSource source, int ctas) {
  for (size_t i = 0; i < cuteMmaFamilyGetNum(); ++i) {
    const CuteMmaFamily *f = cuteMmaFamilyGet(i);
    if (f->ctas == ctas && f->sourceA == source && !f->isSparse && !f->scales &&
        !f->shiftsSums && has(f->types, like->a) && has(f->types, like->b) &&
        has(f->sums, like->d))
      return f;
  }
  return NULL;
}

static const CuteMmaAtom *findAtom(const CuteMmaFamily *f,
                                   const CuteMmaAtom *like, int64_t m,
                                   int64_t n, CuteMajor a, CuteMajor b) {
  char name[128];
  snprintf(name, sizeof name, "%s<%s,%s,%s,%d,%d,%s,%s%s>", f->name,
           cuteElementGetInfo(like->a)->cpp[0],
           cuteElementGetInfo(like->b)->cpp[0],
           cuteElementGetInfo(like->d)->cpp[0], (int)m, (int)n,
           a == CUTE_MAJOR_K ? "K" : "MN", b == CUTE_MAJOR_K ? "K" : "MN",
           like->saturates ? ",1" : "");
  return cuteMmaAtomFind(cuteStringRef(name));
}

const CuteMmaAtom *cuteProductsGetPair(const CuteMmaAtom *atom) {
  const CuteMmaFamily *f = findFamily(atom, CUTE_MMA_SMEM, 2);
  return f && atom->m == LANES ? findAtom(f, atom, (int64_t)2 * atom->m,
                                          atom->n, atom->majorA, atom->majorB)
                               : NULL;
}

// Checks that threads have 32-bit sums as all mma.sync of 16 x 8 do.
static bool checkSums(CuteKernel *kernel, const CuteProduct *p,
                      const CuteMmaAtom *like) {
  return (like->m == 16 && like->n == 8 &&
          cuteElementTypeGetBits(like->d) == 32 && !like->e.layout) ||
         cuteKernelFail(kernel, p->gemm,
                        "is %s; one with 16 rows, 8 columns and sums of 32 "
                        "bits can become tcgen05.mma",
                        like->name);
}

bool cuteProductsChooseTensor(CuteProducts *products, CuteProduct *p) {
  CuteKernel *kernel = products->kernel;
  CuteDialect *dialect = kernel->dialect;
  const CuteMmaAtom *like =
      cuteDialectGetValueType(dialect, getOperand(p->gemm, 0))->atom;
  p->plain = like;
  bool isTile = !mlirValueIsNull(p->tileA);
  if (!isTile && cuteElementTypeGetBits(like->a) != 16)
    return cuteKernelFail(kernel, p->gemm,
                          "has an A that threads compute of %jd bits; they "
                          "leave one of 16 bits in tensor memory",
                          (intmax_t)cuteElementTypeGetBits(like->a));
  if (!checkSums(kernel, p, like))
    return false;
  if ((p->rows != LANES / 2 && p->rows % LANES) || p->columns % 16)
    return cuteKernelFail(
        kernel, p->gemm,
        "multiplies tiles of %jd rows and %jd columns; tcgen05 takes 64 or a "
        "multiple of 128 rows, and a multiple of 16 columns: choose such tiles",
        p->rows, p->columns);
  const CuteMmaFamily *family =
      findFamily(like, isTile ? CUTE_MMA_SMEM : CUTE_MMA_TMEM, 1);
  CuteMajor a =
      isTile ? cuteProductsGetMajor(cuteDialectGetValueType(dialect, p->tileA))
             : CUTE_MAJOR_K;
  CuteMajor b =
      cuteProductsGetMajor(cuteDialectGetValueType(dialect, p->tileB));
  int64_t m = p->rows < LANES ? p->rows : LANES;
  int64_t n = p->columns < MOST_COLUMNS ? p->columns : MOST_COLUMNS;
  for (; family && n > 0 && !p->atom; n -= 8)
    if (p->columns % n == 0)
      p->atom = findAtom(family, like, m, n, a, b);
  if (p->atom && p->depth % p->atom->k == 0 &&
      cuteArchHas(products->arch, p->atom->arch, p->atom->suffix) &&
      cuteArchHasFeature(products->arch, p->atom->feature))
    return true;
  return cuteKernelFail(kernel, p->gemm,
                        "is %s, for which %s has no tcgen05.mma on these "
                        "tiles; K of a tile is a multiple of 32 bytes",
                        like->name, products->arch->name);
}

//===-- Who takes the sums ------------------------------------------------===//

// Counts the sums that each of 128 threads has at a time, and what it computes
// for A beside them. A product that waits for threads leaves them its sums by
// turns.
static int64_t countSums(CuteProducts *products, bool *computes) {
  int64_t together = 0, most = 0;
  for (size_t i = 0; i < products->count; ++i) {
    const CuteProduct *p = &products->data[i];
    int64_t columns = p->columns;
    *computes |= mlirValueIsNull(p->tileA);
    if (mlirValueIsNull(p->tileA))
      columns += p->depth * cuteElementTypeGetBits(p->atom->a) / 32;
    columns *= p->rows;
    if (!cuteProductsWaitsForThreads(products, i))
      together += columns;
    else if (columns > most)
      most = columns;
  }
  return (together > most ? together : most) / WARPGROUP;
}

bool cuteProductsChooseReaders(CuteProducts *products, int64_t wanted) {
  CuteKernel *kernel = products->kernel;
  MlirOperation gemm = products->data[0].gemm;
  bool computes = false;
  int64_t sums = countSums(products, &computes);
  int64_t own = kernel->threads / WARPGROUP;
  int64_t n = sums > MOST_SUMS ? 2 : 1;
  n = wanted ? wanted : own > n ? own : n;
  products->warpgroups = n;
  if (n > 2)
    return cuteKernelFail(kernel, gemm,
                          "is computed by %jd threads; one warpgroup or two "
                          "take sums from tensor memory",
                          kernel->threads);
  if (sums > n * MOST_SUMS)
    return cuteKernelFail(kernel, gemm,
                          "has %jd sums for each of %jd threads, which has "
                          "room for %d: choose smaller tiles",
                          (sums / n), (n * WARPGROUP), MOST_SUMS);
  products->isInterleaved = computes && n == 2;
  products->isHalved = n == 2 && !computes;
  products->keepsDivision = cuteProductsKeepDivision(products);
  if (products->isHalved && !products->keepsDivision) {
    products->isHalved = false;
    products->keepsDivision = cuteProductsKeepDivision(products);
  }
  products->keepsLanes = computes && cuteProductsKeepLanes(products);
  return !computes || products->keepsLanes ||
         cuteKernelFail(kernel, gemm,
                        "is one of products with an A that threads compute, "
                        "which they leave in tensor memory if each warp has 16 "
                        "of 64 or 128 rows, one warp below the other: give "
                        "them so many");
}

int64_t cuteProductsGetWidth(const CuteProducts *products,
                             const CuteProduct *p) {
  int64_t groups = products->warpgroups, width = MOST_WIDTH;
  if (products->isInterleaved || p->rows % (groups * LANES) == 0 || groups == 1)
    return p->columns;
  if (products->isHalved)
    return p->columns / groups;
  while (p->columns % (groups * width))
    width /= 2;
  return width;
}

CuteTiledMma cuteProductsGetReader(CuteContext c, const CuteProducts *products,
                                   const CuteProduct *p) {
  int groups = (int)products->warpgroups;
  int width = (int)cuteProductsGetWidth(products, p);
  int byColumns = width < p->columns ? groups : 1;
  int warps = 4 * groups / byColumns;
  char layout[48], rows[32], columns[48], tile[128];
  snprintf(layout, sizeof layout, "(%d,%d,1):(1,%d,0)", warps, byColumns,
           warps);
  if (p->rows < LANES)
    snprintf(rows, sizeof rows, "%d:1", (int)p->rows);
  else
    snprintf(rows, sizeof rows, "(16,%d,2):(1,32,16)",
             products->isInterleaved ? 4 : warps);
  if (byColumns > 1)
    snprintf(columns, sizeof columns, "(8,%d,%d,%d):(1,%d,8,%d)", groups,
             width / 8, (int)p->columns / (groups * width), width,
             groups * width);
  else
    snprintf(columns, sizeof columns, "16:1");
  snprintf(tile, sizeof tile, "[%s;%s;%d:1]", rows, columns, p->plain->k);
  return (CuteTiledMma){.atom = p->plain,
                        .atomLayout = cuteLayoutParse(c, cuteStringRef(layout)),
                        .permutation = cuteTileParse(c, cuteStringRef(tile))};
}
