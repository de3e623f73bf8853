// Copies between a tile of a kernel's parameter and all of an allocation in
// shared memory, which TMA can make.
#pragma once

#include "Transforms/edit/kernel_edit.h"

typedef struct CuteTmaTile {
  MlirOperation copy;  // the access to global memory
  MlirOperation tile;  // the local_tile of the parameter
  MlirOperation alloc; // the alloc_smem
  MlirValue parameter;
  MlirValue root;   // the parameter, or one with other extents
  MlirValue matrix; // the root, or a slice of it, that is tiled
  bool takesBounds; // the root may have other extents than the parameter
} CuteTmaTile;

// Matches one side of a tiled copy, `part`, to its allocation or local_tile,
// which the threads of the block cover entirely; null with the kernel's
// problem.
MlirOperation cuteTmaMatchPart(CuteKernel *kernel, MlirOperation copy,
                               MlirValue by, MlirValue part);

// Has TMA store the tiles that threads read from shared memory to store them; a
// note says why where it cannot. False with the kernel's problem.
bool cuteTmaStores(CuteKernel *kernel);

// Tells whether threads store to global memory, and TMA no tile.
bool cuteTmaThreadsStore(CuteKernel *kernel);

// Counts the bytes of shared memory that become free when cute-wgmma has a wide
// tile stored in pieces.
int64_t cuteTmaCountSavedBytes(CuteKernel *kernel, bool alternates);

// Matches a copy from global to shared memory by threads. Its predicate, if it
// has one, leaves out what lies outside of the parameter and fills it with
// zeros, as TMA does. False with the kernel's problem.
bool cuteTmaMatchLoad(CuteKernel *kernel, MlirOperation copy,
                      CuteTmaTile *tile);

// Matches the global side of a copy whose predicate, if it has one, compares
// with the parameter's own shape. False with the kernel's problem.
bool cuteTmaMatchGlobal(CuteKernel *kernel, MlirOperation copy, MlirValue by,
                        MlirValue part, MlirValue predicate, CuteTmaTile *tile);

// Checks that nothing but the copy of a tile before the loop writes its
// allocation. False with the kernel's problem.
bool cuteTmaCheckOnce(CuteKernel *kernel, const CuteTmaTile *tile);

// The last op of the kernel's block, the loop or one after it, that has an
// access to an allocation.
MlirOperation cuteTmaFindLastUse(CuteKernel *kernel, MlirOperation alloc,
                                 MlirOperation loop);

// Removes the waits for cp.async copies before the loop, once TMA makes all of
// them: the waits, and barriers before which there is no other access to shared
// memory.
void cuteTmaDropWaits(CuteKernel *kernel, const CuteOps *copies);

// Gives the layout with the widest swizzle for a tile of two modes whose major
// one is contiguous; null if TMA has no rows of 16 bytes in it.
CuteLayout cuteTmaFindLayout(CuteContext c, CuteIntTuple shape, CuteMajor major,
                             unsigned bits);

// Gives the allocations of the tiles those layouts. False with the problem.
bool cuteTmaRelayout(CuteKernel *kernel, size_t n, const CuteTmaTile *tiles);

// The tile of the tensor of coordinates that an atom gave for the parameter.
MlirValue cuteTmaEmitCoords(CuteRebuild *r, const CuteTmaTile *tile,
                            MlirValue coords);

// A tile in memory, or of coordinates, as one mode, in the order in which the
// atom has its elements.
MlirValue cuteTmaEmitFlat(CuteRebuild *r, const CuteTmaTile *tile,
                          MlirValue tensor);

// The TMA atom of a tile in front of the builder; null with the problem.
MlirOperation cuteTmaEmitAtom(CuteKernel *kernel, CuteRebuild *r,
                              const char *name, const CuteTmaTile *tile,
                              CuteLayout layout);

//===-- Parts of a parameter whose tiles TMA can load or store ------------===//

// Gives the parameter that a tensor is a part of, by slices, other orders or
// groups of modes, and an offset after them, or another tensor where it is none
// of one. An offset before them has other bounds than the parameter.
MlirValue cuteTmaViewGetParameter(CuteDialect *dialect, MlirValue tensor);

// Takes the offset off a tensor that is another one, seen from a coordinate on;
// sets that coordinate, or leaves it as it was.
MlirValue cuteTmaViewDropOrigin(CuteDialect *dialect, MlirValue tensor,
                                MlirValue *origin);

// Rebuilds the part on the value that replaces the parameter.
void cuteTmaViewEmit(CuteRebuild *r, MlirValue tensor);

// Gives a tile of a part by the parameter's modes: its shape is what the tile
// has of each, and its values number the tile's elements. Sets the tiler that
// makes it of the parameter: a shape, or a tile where it takes not each
// element. Null where a tiler does not say what it takes of each mode.
CuteLayout cuteTmaViewGetTile(CuteDialect *dialect, MlirValue tensor,
                              CuteType *tiler);

//===-- Stores of tiles that may end before a parameter does --------------===//

// Gives the parameter whose memory and strides a tensor of two modes has, with
// extents of its own; the tensor itself if it is not such a part.
MlirValue cuteTmaBoundGetParameter(CuteDialect *dialect, MlirValue tensor);

// Checks that the tile is one of such a tensor as a whole. False with the
// kernel's problem.
bool cuteTmaBoundMatch(CuteKernel *kernel, const CuteTmaTile *tile);

// Gives whether TMA, which knows the parameter's extents, stores the elements
// of a tile that lie within the tensor: in each mode these are the same, or the
// tile ends before both.
MlirValue cuteTmaBoundEmit(CuteRebuild *r, const CuteTmaTile *tile);

// Enters a branch for tiles that TMA must not store.
CuteBuilder cuteTmaBoundEnterRest(CuteRebuild *r, MlirValue isWhole);

// A piece of a tile in shared memory, one of `counts` in each mode.
typedef struct CuteTmaPiece {
  MlirValue buffer, thread;
  int64_t threads; // that store it
  CuteIntTuple shape;
  int64_t counts[2], at[2];
} CuteTmaPiece;

// Has threads store a piece as the ops in `rest`, a copy from shared memory and
// one to the tensor, store the tile: with the same accesses, neighbours in a
// row.
void cuteTmaBoundEmitPiece(CuteRebuild *r, MlirOperation rest,
                           const CuteTmaPiece *piece);
