// Sums in tensor memory, which tcgen05.mma makes and warps take from there.
#pragma once

#include "Transforms/products/to_wgmma.h"

// Says when threads have the sums of products.
typedef enum CuteSumsUse {
  CUTE_SUMS_LAST,  // after the loop
  CUTE_SUMS_ROUND, // of each round, whose products begin with zeros
  CUTE_SUMS_TURNS, // in each round, except during its products
} CuteSumsUse;

// Says where the sums of a product lie, and an A that threads compute.
typedef struct CuteSumsPlace {
  int64_t column, columnA;  // the first ones, relative to the run's
  bool isFirst;             // no product before adds to the same sums
  MlirOperation written[2]; // allocations of A and B if threads write them
} CuteSumsPlace;

// A state of a pipeline, which a loop may carry.
typedef struct CuteSumsState {
  MlirValue start, now, next; // at first, in a round, and in the next one
  intptr_t carried;           // the number of the carried value; -1: none
} CuteSumsState;

// Products that threads do nothing between, and that end together.
typedef struct CuteSumsRun {
  size_t first, end; // of the products
  CuteSumsUse use;
  int64_t column, columns; // the first one, and the number in a stage
  int64_t stages;          // that fit, 1 or 2
  bool isWritten;          // threads write an operand to shared memory
  MlirValue pipeline;      // of these stages
  CuteSumsState fill, drain;
} CuteSumsRun;

typedef struct CuteTensorSums {
  CuteProducts *products;
  MlirOperation loop;
  CuteSumsPlace *places; // of each product
  CuteSumsRun *runs;
  size_t numRuns;
  int64_t columns;           // of all
  MlirValue address, memory; // of tensor memory
  MlirValue isWarp0;
} CuteTensorSums;

// Gives the products of a loop places for so many stages as there is room for,
// up to `stages`, run by run. False with the kernel's problem.
bool cuteTensorSumsPlace(CuteTensorSums *sums, int64_t stages);

static inline int64_t cuteTensorSumsCountBlocks(const CuteProduct *product) {
  return (product->rows + 127) / 128; // of 128 rows, or one of 64
}

// Tells whether the halves of 64 rows' columns, which a warpgroup has each, lie
// in the two halves of each warp's lanes (PTX ISA, "Data path layout F").
static inline bool cuteTensorSumsAreFolded(const CuteProducts *products,
                                           const CuteProduct *product) {
  return products->isHalved && product->atom->m == 64 &&
         product->columns == 2 * product->atom->n;
}

// The sums of product i, in registers.
static inline MlirValue cuteTensorSumsGetFragment(const CuteTensorSums *sums,
                                                  size_t i) {
  return getOperand(sums->products->data[i].gemm, 1);
}

// Tells whether the sums of product i are zeros when a round's first product
// adds to them: by a cute.clear before it, or after all that the round before
// did with them.
bool cuteTensorSumsBeginEachRound(CuteTensorSums *sums, size_t i);

// Counts the columns of tensor memory that the kernel allocates.
int64_t cuteTensorSumsCountColumns(const CuteTensorSums *sums);

// Emits the pipelines of sums, and allocates and frees tensor memory. False
// with the kernel's problem.
bool cuteTensorSumsBegin(CuteTensorSums *sums, CuteRebuild *r);

// Emits the sums of product i in all stages, as its instruction takes them.
MlirValue cuteTensorSumsEmit(CuteTensorSums *sums, CuteRebuild *r, size_t i);

// Emits a tile in tensor memory of 64 rows, 16 of each 32 lanes, or of 128, and
// so many columns of elements, from an address on.
MlirValue cuteTensorSumsEmitTile(CuteRebuild *r, CuteElementType element,
                                 MlirValue address, int64_t rows,
                                 int64_t columns);

// Emits an address so many columns after that of all sums.
MlirValue cuteTensorSumsEmitAddress(const CuteTensorSums *sums, CuteRebuild *r,
                                    int64_t column);

// Tells whether TMA loads an allocation.
bool cuteTensorSumsIsLoaded(CuteKernel *kernel, MlirOperation alloc);

// Tells whether an op, or one within it, writes an allocation.
bool cuteTensorSumsWrites(CuteKernel *kernel, MlirOperation op,
                          MlirValue alloc);

// Emits a fence of tensor memory, "before" or "after" a barrier.
void cuteTensorSumsFence(CuteRebuild *r, const char *kind);

// Gives a state after the loop.
MlirValue cuteTensorSumsGetEnd(const CuteTensorSums *sums,
                               const CuteSumsState *state);

// Has threads load the sums of a run before an op, once they are complete by a
// state, and release them.
void cuteTensorSumsTake(CuteTensorSums *sums, CuteRebuild *r,
                        const CuteSumsRun *run, MlirValue state,
                        MlirOperation before);

// Has threads give a run what its products take, in each round at the place of
// the last one, and wait for the sums where they have next an access to them.
void cuteTensorSumsExchange(CuteTensorSums *sums, CuteRebuild *r,
                            const CuteSumsRun *run);
