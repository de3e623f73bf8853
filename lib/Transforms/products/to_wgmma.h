// Shared by the files of cute-wgmma: products that a warpgroup can make.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// A cute.gemm on fragments that a copy each fills from shared memory, or with
// an A that was computed.
typedef struct CuteProduct {
  MlirOperation gemm, mma;      // mma: its make_tiled_mma
  MlirOperation copyA, copyB;   // copyA: null for an A that was computed
  MlirValue tileA, tileB;       // in shared memory
  int64_t rows, columns, depth; // of the tiles
  const CuteMmaAtom *plain;     // for tcgen05: that of the text
  const CuteMmaAtom *atom;      // of a warpgroup, or of tcgen05, that does so
  bool isAcross;                // warpgroups share its columns, not its rows
  bool keepsDivision;           // threads have the sums that they had
} CuteProduct;

typedef struct CuteProducts {
  CuteKernel *kernel;
  CuteProduct *data;
  size_t count;
  int64_t warpgroups;   // that share the rows, or columns, of a product
  bool keepsDivision;   // all products do
  bool keepsLanes;      // but that warps have the rows of others
  bool isInterleaved;   // warps of two warpgroups have 16 lanes of 32 each
  bool isHalved;        // two warpgroups have the halves of the columns
  bool isTensor;        // tcgen05.mma multiplies, into tensor memory
  const CuteArch *arch; // that has it
} CuteProducts;

// Finds the products of the kernel and what a warpgroup does in their place, by
// `warpgroups` of them, 0 for as many as have 64 rows each, up to two. False
// where there is none, or with the kernel's problem.
bool cuteProductsMatch(CuteProducts *products, int64_t warpgroups);

// The instruction of a warpgroup for so many columns that multiplies and adds
// the same types as another one; null if there is none.
const CuteMmaAtom *cuteProductsFindAtom(const CuteMmaAtom *like,
                                        int64_t columns, CuteMmaSource source,
                                        CuteMajor a, CuteMajor b);

// Gives products that need different instructions a tiled MMA each.
void cuteProductsSeparate(CuteProducts *products);

// The MMA by which the threads of the warpgroups divide the sums: that of
// warpgroups one below the other, or the plain one as tcgen05.ld brings sums to
// the warps.
CuteTiledMma cuteProductsGetMma(CuteContext context,
                                const CuteProducts *products,
                                const CuteProduct *product);

// Checks that warpgroups may replace the kernel's threads, and that tiles lie
// as tensor cores read them. False with the problem.
bool cuteProductsCheck(CuteProducts *products);

// Emits that MMA, to take the plain one's place. False with the problem.
bool cuteProductsEmitMma(CuteProducts *products, CuteProduct *product,
                         CuteRebuild *r, CuteRetype *retype);

// Emits a tile in shared memory as the descriptors that an MMA takes.
MlirValue cuteProductsEmitTile(CuteRebuild *r, MlirValue mma, MlirValue tile,
                               MlirValue leader, bool isA);

// Removes copies to fragments that only products took, and what they needed.
void cuteProductsRemoveCopies(CuteProducts *products);

// Has the threads of the warpgroups take part in all that the kernel does, on
// the sums that they have by the new MMAs. False with the problem.
bool cuteProductsRedivide(CuteProducts *products, CuteRetype *retype);

// Chooses the instruction of tcgen05.mma for a product. False with the problem.
bool cuteProductsChooseTensor(CuteProducts *products, CuteProduct *product);

// Gives the instruction by which two blocks make two of such products, of 128
// rows each, with one B; null if there is none.
const CuteMmaAtom *cuteProductsGetPair(const CuteMmaAtom *atom);

// Chooses how many warpgroups take sums from tensor memory, `wanted` or 0.
// False with the problem.
bool cuteProductsChooseReaders(CuteProducts *products, int64_t wanted);

// The plain MMA with each warp's rows where tcgen05.ld brings them: 32 of each
// 128, or 16 of 64. Two warpgroups have the halves of the rows, if these are
// 128 or more, or columns in turn.
CuteTiledMma cuteProductsGetReader(CuteContext context,
                                   const CuteProducts *products,
                                   const CuteProduct *product);

// Gives the columns that a warpgroup takes side by side: all, or so many in
// turn with the other one.
int64_t cuteProductsGetWidth(const CuteProducts *products,
                             const CuteProduct *product);

// The cute.clear, or cute.fill with 0, in front of a loop if that is all that
// is done with sums before; null otherwise.
MlirOperation cuteProductsFindClear(CuteKernel *kernel, MlirOperation loop,
                                    MlirValue sums);

// Finds the products that leave each thread of the block the sums that it had,
// in the same order, and its elements of an A in registers; tells whether all
// do.
bool cuteProductsKeepDivision(CuteProducts *products);

// Tells whether they are, or would be if warps exchanged their rows.
bool cuteProductsKeepLanes(const CuteProducts *products);

// Matches the products, and gives operands that threads write layouts that
// tensor cores read. False with the problem.
bool cuteProductsMatchTiles(CuteProducts *products, int64_t warpgroups);

// Gives the allocation of A or B of product i if threads write it; else null.
MlirOperation cuteProductsGetWritten(CuteProducts *products, size_t i,
                                     bool isB);

// Tells whether product i takes what threads compute or write.
bool cuteProductsWaitsForThreads(CuteProducts *products, size_t i);

// Tells whether threads exchange values in a loop's round, between barriers:
// products of one round that read them end before the next one.
bool cuteProductsHasExchange(CuteKernel *kernel, MlirOperation loop);

// Checks that a product may read such an operand in place. False with the
// problem.
bool cuteProductsCheckExchange(CuteProducts *products);

// Has threads finish what they wrote of such operands before the barriers that
// the products wait for.
void cuteProductsEmitFences(CuteProducts *products);

// Tells whether TMA alone writes the allocation of a product's tile before it.
bool cuteProductsIsLoaded(CuteKernel *kernel, MlirValue tile,
                          MlirOperation gemm);

// Checks that the tile which a copy brings to registers still lies in shared
// memory when the product reads it itself. False with the kernel's problem.
bool cuteProductsCheckStays(CuteKernel *kernel, MlirOperation gemm,
                            MlirOperation copy, MlirValue tile);

// Tells whether threads read tiles that a pipeline loads, beside wgmma.
bool cuteProductsThreadsRead(CuteKernel *kernel, MlirValue pipeline);

// Has products start from zero where a cute.clear of their sums precedes them.
void cuteProductsDropClears(CuteKernel *kernel);

// Tells whether an op, or one within it, has an access to a fragment.
bool cuteProductsTouch(CuteKernel *kernel, MlirOperation op,
                       MlirValue fragment);

// The mode along which neighbours of a tile in shared memory lie side by side.
CuteMajor cuteProductsGetMajor(CuteType tile);

// Checks that all that depends on how the MMAs divide sums among threads may
// follow when that changes: copies and arithmetic element by element. False
// with the problem.
bool cuteProductsCheckUses(CuteProducts *products);

// The same where only warps exchange their rows: nothing but a division by a
// product's MMA tells which rows a thread has. False with the problem.
bool cuteProductsCheckRows(CuteProducts *products);

// Tells whether an op is a loop that treats the elements of sums one by one,
// each by itself, or folds them, and marks it. With the problem where it takes
// sums in another way, unless a fragment that it takes has just become one of
// sums.
bool cuteProductsAreElements(CuteProducts *products,
                             const CutePointerMap *derived, MlirOperation loop,
                             CutePointerMap *folds, bool *adopts);

// Tells whether all that a loop carries are folds of what its rounds have, by
// one operation each, and notes them.
bool cuteProductsNoteFolds(MlirOperation loop, CutePointerMap *folds);

// Tells whether an op takes a fold, or serves ops that do; with the problem
// where it depends on how elements are divided among threads. `isOfSums`: it
// takes elements as well.
bool cuteProductsTakeFold(CuteKernel *kernel, CutePointerMap *folds,
                          MlirOperation op, bool isOfSums);

// Tells whether a branch leaves an op to the first thread, or to the first lane
// of each warp.
bool cuteProductsIsOfFirst(CuteDialect *dialect, MlirOperation op, bool ofWarp);

// Tells whether an op compares with 0, for branches alone.
bool cuteProductsIsTestOfFirst(MlirOperation op);

// Has such loops make as many rounds as a thread has elements now.
void cuteProductsCountElements(CuteKernel *kernel);

// Tells whether an op changes memory in one step, or makes an address for that.
bool cuteProductsIsAtomic(CuteDialect *dialect, MlirOperation op);

// Has a fragment of a constant shape, to which a value leads, take its shape
// from the product whose sums have that shape. False where there is none.
bool cuteProductsAdopt(CuteProducts *products, MlirValue value);

enum { CUTE_MAX_RUN = 4 }; // products that one commit closes

// The op after one that does more than compute; null at the end of the block.
MlirOperation cuteProductsGetNextEffect(CuteKernel *kernel, MlirOperation op);

// Puts a fence before each run of products of warpgroups, and a commit and a
// wait for all of them after it. False with the problem.
bool cuteProductsEmitWaits(CuteKernel *kernel);

// Has loops that cuteProductsOverlap has changed, and their last wait, run only
// where there is a round, if nothing later uses what they carry. Without a loop
// over tiles around it, ptxas takes zeros of no round for sums that are defined
// while products are under way, and has these wait.
void cuteProductsGuard(CuteKernel *kernel);

// Has loops start a round's products before the previous round's are complete.
// False with the problem.
bool cuteProductsOverlap(CuteKernel *kernel);

// Has a remark say how many cycles the products of a round take, what they
// load, and how long a load may take with the pipeline's stages. None with
// several pipelines, or products in several loops. Call it before products are
// replaced.
void cuteCostNote(CuteProducts *products, MlirLocation location);
