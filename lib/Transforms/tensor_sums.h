// Sums in tensor memory, which tcgen05.mma makes and warps take from there.
#pragma once

#include "Transforms/to_wgmma.h"

// Says where the sums of a product lie.
typedef struct CuteSumsPlace {
  MlirValue fragment; // of the plain kernel
  int64_t column;     // the first one, from those of the tile on
  bool isFirst;       // no product before adds to the same sums
} CuteSumsPlace;

typedef struct CuteTensorSums {
  const CuteProducts *products;
  MlirOperation loop;
  CuteSumsPlace *places;     // of each product
  bool eachRound;            // threads take the sums of each round
  int64_t columns;           // of the sums of a tile
  int64_t stages;            // tiles whose sums there is room for, 1 or 2
  MlirValue pipeline;        // of these stages
  MlirValue fill, drain;     // its states
  MlirValue address, memory; // of tensor memory
  MlirValue isWarp0;
  MlirOperation wait; // for loads of the sums
} CuteTensorSums;

// Gives the products of a loop, whose sums begin as zeros, places for so many
// tiles as there is room for, up to `stages`; to be destroyed. False with the
// kernel's problem.
bool cuteTensorSumsPlace(CuteTensorSums *sums, int64_t stages);
void cuteTensorSumsDestroy(CuteTensorSums *sums);

// Counts the columns of tensor memory that the kernel allocates.
int64_t cuteTensorSumsCountColumns(const CuteTensorSums *sums);

// Emits the pipeline of sums, and allocates and frees tensor memory. False with
// the kernel's problem.
bool cuteTensorSumsBegin(CuteTensorSums *sums, CuteRebuild *r);

// Emits the sums of product i in all stages, as its instruction takes them.
MlirValue cuteTensorSumsEmit(CuteTensorSums *sums, CuteRebuild *r, size_t i);

// Emits a fence of tensor memory, "before" or "after" a barrier.
void cuteTensorSumsFence(CuteRebuild *r, const char *kind);

// Has threads wait for the sums before an op, and release them; nothing loads
// them yet.
void cuteTensorSumsWait(CuteTensorSums *sums, CuteRebuild *r,
                        MlirOperation before);

// Loads the sums between both to the fragments, once these are divided among
// threads as the loads bring them. False with the kernel's problem.
bool cuteTensorSumsLoad(CuteTensorSums *sums, CuteRebuild *r);
