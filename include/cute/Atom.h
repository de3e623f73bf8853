//===- cute/Atom.h - MMA and copy atoms, tiled MMA and tiled copy -*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atom is one instruction with the layouts that say which thread holds which
// values. Atoms are rows of dialect/atoms/*.def, named as in CuTe C++. Thread
// mode first: a TV layout maps (thread, value) to an index in the
// column-major (M,K), (N,K) or (M,N) tile of an MMA, or to a bit of a copy.
//
// Tiled atoms repeat an atom over threads and values; the functions that
// partition follow CUTLASS's cute/atom/{mma,copy}_atom.hpp. In their results
// every static extent 1 has stride 0.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ATOM_H
#define CUTE_ATOM_H

#include "cute/ElementType.h"
#include "cute/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// D = A B + C, and what some instructions take beside these.
typedef enum CuteMmaOperand {
  CUTE_OPERAND_A,
  CUTE_OPERAND_B,
  CUTE_OPERAND_C,
  CUTE_OPERAND_E,   ///< where the elements of a sparse A stand
  CUTE_OPERAND_SFA, ///< scale factors of A
  CUTE_OPERAND_SFB, ///< scale factors of B
} CuteMmaOperand;

enum { CUTE_NUM_MMA_OPERANDS = CUTE_OPERAND_SFB + 1 };

/// "A", ..., "SFB".
CUTE_API const char *cuteMmaOperandGetName(CuteMmaOperand operand);

/// False for other names.
CUTE_API bool cuteMmaOperandFind(CuteStringRef name, CuteMmaOperand *operand);

/// Where an instruction takes A or B from; in shared memory also which mode of
/// the tile is contiguous.
typedef enum CuteMmaSource {
  CUTE_MMA_REGISTERS,
  CUTE_MMA_SMEM_K,
  CUTE_MMA_SMEM_MN,
} CuteMmaSource;

/// E, SFA or SFB: its tile is (M,k), that of SFB (N,k).
typedef struct CuteMmaExtra {
  CuteElementType element;
  int k;
  const char *layout; ///< null: the instruction does not take it
} CuteMmaExtra;

typedef struct CuteMmaAtom {
  const char *name;
  int arch;    ///< lowest sm_XX that has the instruction; 0: any
  char suffix; ///< 'a': sm_XXa alone; 'f': sm_XXa, sm_XXf and later ones of
               ///< the family; '\0': all later architectures
  int ptx;     ///< least PTX version times 10
  const char *instruction; ///< PTX mnemonic
  int m, n, k;
  CuteElementType d, a, b, c;
  CuteMmaSource sourceA, sourceB;
  const char *thrId, *layoutA, *layoutB, *layoutC;
  int kA; ///< extent of A's tile along K: of a sparse A the elements that are
          ///< stored, otherwise k
  CuteMmaExtra e, sfa, sfb;
} CuteMmaAtom;

typedef enum CuteCopyKind {
  CUTE_COPY_UNIVERSAL,   ///< ld and st of up to 128 bits between any spaces
  CUTE_COPY_CP_ASYNC,    ///< cp.async from global to shared memory
  CUTE_COPY_LOAD,        ///< ld from global memory to registers
  CUTE_COPY_STORE,       ///< st from registers to global memory
  CUTE_COPY_LDMATRIX,    ///< ldmatrix from shared memory to registers
  CUTE_COPY_STMATRIX,    ///< stmatrix from registers to shared memory
  CUTE_COPY_MOVMATRIX,   ///< movmatrix, registers of a warp
  CUTE_COPY_SHUFFLE,     ///< shfl.sync, registers of a warp
  CUTE_COPY_REDUCE,      ///< red to global memory: adds to what is there
  CUTE_COPY_ELEMENTWISE, ///< one element, as far as layouts are concerned; a
                         ///< copy takes as many at once as it may
} CuteCopyKind;

typedef struct CuteCopyAtom {
  const char *name;
  int arch; ///< 0: any
  CuteCopyKind kind;
  const char *instruction; ///< PTX mnemonic, "" for plain loads and stores
  int bits;                ///< per access, or per thread and matrix set; 0:
                           ///< one element
  bool zeroFill;           ///< a false predicate writes zeros
  const char *thrId, *source, *destination, *reference; ///< in bits
  int maxBits;           ///< ELEMENTWISE: the widest access
  bool assumesAlignment; ///< that memory is aligned to that
} CuteCopyAtom;

/// Rows in the order of dialect/atoms; i is below the number. They live as long
/// as the program and are never null.
CUTE_API size_t cuteMmaAtomGetNum(void);
CUTE_API const CuteMmaAtom *cuteMmaAtomGet(size_t i);

/// By the row's name, or as CuTe C++ spells it: with namespaces, with majors as
/// GMMA::Major::K, with an empty template argument list, with the types that
/// UniversalFMA takes from the first.
/// Null if there is none.
CUTE_API const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name);

/// The same of copies.
CUTE_API size_t cuteCopyAtomGetNum(void);
CUTE_API const CuteCopyAtom *cuteCopyAtomGet(size_t i);

/// The template argument may be any type of the size, and be left out where
/// only one row begins with the name: SM80_CP_ASYNC_CACHEGLOBAL.
CUTE_API const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name);

/// Logical thread of the atom -> lane.
CUTE_API CuteLayout cuteCopyAtomGetThrId(CuteContext context,
                                         const CuteCopyAtom *atom);

/// False with a message where the atom cannot move elements of the type: the
/// bits it moves are no whole number of elements, or it transposes elements of
/// 16 bits (PTX ISA, "ldmatrix").
CUTE_API bool cuteCopyAtomCheckElement(CuteContext context,
                                       const CuteCopyAtom *atom,
                                       CuteElementType element);

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

/// A tile that wgmma reads from shared memory: 16 bytes << swizzleBits of the
/// contiguous mode by 8 elements of the other. tile_to_shape repeats it.
typedef struct CuteSmemAtom {
  const char *name;
  CuteMmaSource major; ///< CUTE_MMA_SMEM_K or CUTE_MMA_SMEM_MN
  unsigned swizzleBits;
} CuteSmemAtom;

/// The same of tiles in shared memory.
CUTE_API size_t cuteSmemAtomGetNum(void);
CUTE_API const CuteSmemAtom *cuteSmemAtomGet(size_t i);

/// The name may end in `_Bits`, which names the same tile.
CUTE_API const CuteSmemAtom *cuteSmemAtomFind(CuteStringRef name);

/// The swizzle of byte addresses.
CUTE_API CuteSwizzle cuteSmemAtomGetByteSwizzle(const CuteSmemAtom *atom);

/// (MN,K) -> index in units of `bits`, without the swizzle. `bits` is a power
/// of two from 1 to 128.
CUTE_API CuteLayout cuteSmemAtomGetPlainLayout(CuteContext context,
                                               const CuteSmemAtom *atom,
                                               unsigned bits);

/// The same with the swizzle in units of `bits`.
CUTE_API CuteLayout cuteSmemAtomGetLayout(CuteContext context,
                                          const CuteSmemAtom *atom,
                                          unsigned bits);

//===----------------------------------------------------------------------===//
// Tiled MMA
//===----------------------------------------------------------------------===//

/// Logical thread of the atom -> lane.
CUTE_API CuteLayout cuteMmaAtomGetThrId(CuteContext context,
                                        const CuteMmaAtom *atom);

/// Whether the instruction takes the operand; all take A, B and C.
CUTE_API bool cuteMmaAtomHasOperand(const CuteMmaAtom *atom,
                                    CuteMmaOperand operand);

/// Type of the operand's elements, which the atom must have.
CUTE_API CuteElementType cuteMmaAtomGetElement(const CuteMmaAtom *atom,
                                               CuteMmaOperand operand);

/// Extent of the operand's tile along its mode 0 or 1: (M,K), (N,K) or (M,N),
/// where K counts the operand's own elements.
CUTE_API int cuteMmaAtomGetExtent(const CuteMmaAtom *atom,
                                  CuteMmaOperand operand, int mode);

/// The row's text of its layout; null if the atom does not have the operand.
CUTE_API const char *cuteMmaAtomGetLayoutText(const CuteMmaAtom *atom,
                                              CuteMmaOperand operand);

/// (thread, value) -> index in the column-major tile of the operand. Threads
/// that hold the same of E, SFA or SFB have the same indices. Null with a
/// message if the atom does not have the operand.
CUTE_API CuteLayout cuteMmaAtomGetLayout(CuteContext context,
                                         const CuteMmaAtom *atom,
                                         CuteMmaOperand operand);

/// An atom repeated over the threads of `atomLayout` (M,N,K) and, through the
/// permutation tiler of rank 3 (`_`: as large as the threads cover), over
/// values.
typedef struct CuteTiledMma {
  const CuteMmaAtom *atom;
  CuteLayout atomLayout;
  CuteTile permutation;
} CuteTiledMma;

/// False with a message unless the atom layout is static and has rank 3, the
/// permutation has rank 3, is static and no smaller than the atoms, `_` in K
/// where operands count K differently, and the threads have different indices
/// within a block.
CUTE_API bool cuteTiledMmaCheck(CuteContext context, CuteTiledMma mma);

/// (V,M,N,K) -> thread index.
CUTE_API CuteLayout cuteTiledMmaGetThrLayout(CuteContext context,
                                             CuteTiledMma mma);

/// (v,m,n,k) of a thread index.
CUTE_API CuteIntTuple cuteTiledMmaGetThreadCoord(CuteContext context,
                                                 CuteTiledMma mma,
                                                 CuteIntTuple thread);

/// Extent of the tile along M, N or K (0, 1, 2).
CUTE_API CuteIntTuple cuteTiledMmaGetTileSize(CuteContext context,
                                              CuteTiledMma mma, int mode);

/// Extent of an operand's tile along its mode 0 or 1.
CUTE_API CuteIntTuple cuteTiledMmaGetOperandSize(CuteContext context,
                                                 CuteTiledMma mma,
                                                 CuteMmaOperand operand,
                                                 int mode);

/// An operand's layout of rank 2 or more as
/// ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).
CUTE_API CuteLayout cuteTiledMmaThrFrg(CuteContext context, CuteTiledMma mma,
                                       CuteMmaOperand operand,
                                       CuteLayout layout);

/// (thread, value) -> index in the column-major tile of the operand.
CUTE_API CuteLayout cuteTiledMmaGetLayoutTV(CuteContext context,
                                            CuteTiledMma mma,
                                            CuteMmaOperand operand);

/// The same where threads along K, which split a sum, share what C they have
/// instead of leading out of its tile.
CUTE_API CuteLayout cuteTiledMmaGetSharedLayoutTV(CuteContext context,
                                                  CuteTiledMma mma,
                                                  CuteMmaOperand operand);

/// The shape of a thread's part of an operand of that shape.
CUTE_API CuteIntTuple cuteTiledMmaPartitionShape(CuteContext context,
                                                 CuteTiledMma mma,
                                                 CuteMmaOperand operand,
                                                 CuteIntTuple shape);

/// The part of thread `thread`: (FrgV, RestM, RestK, ...).
CUTE_API CutePartition cuteTiledMmaPartition(CuteContext context,
                                             CuteTiledMma mma,
                                             CuteMmaOperand operand,
                                             CuteLayout layout,
                                             CuteIntTuple thread);

//===----------------------------------------------------------------------===//
// Tiled copy
//===----------------------------------------------------------------------===//

/// An atom for values of one type, repeated by a layout (thread, value) ->
/// index in the tile that the tiler cuts.
typedef struct CuteTiledCopy {
  const CuteCopyAtom *atom;
  CuteElementType element;
  CuteLayout layoutTV;
  CuteTile tiler;
} CuteTiledCopy;

typedef enum CuteCopySide {
  CUTE_SOURCE,
  CUTE_DESTINATION,
  CUTE_REFERENCE,
} CuteCopySide;

/// The atom's (thread, value) layout in units of the element.
CUTE_API CuteLayout cuteCopyAtomGetLayout(CuteContext context,
                                          const CuteCopyAtom *atom,
                                          CuteElementType element,
                                          CuteCopySide side);

/// False with a message unless everything is static, the atom moves whole
/// elements, threads and values are multiples of the atom's, and the TV layout
/// stays inside the tile.
CUTE_API bool cuteTiledCopyCheck(CuteContext context, CuteTiledCopy copy);

/// From layouts of threads and of each thread's values over the tile; the
/// result's layoutTV is null where that fails.
CUTE_API CuteTiledCopy cuteTiledCopyGet(CuteContext context,
                                        const CuteCopyAtom *atom,
                                        CuteElementType element,
                                        CuteLayout threads, CuteLayout values);

/// The copy that distributes values as the MMA's operand wants them.
CUTE_API CuteTiledCopy cuteTiledCopyGetForMma(CuteContext context,
                                              const CuteCopyAtom *atom,
                                              CuteElementType element,
                                              CuteTiledMma mma,
                                              CuteMmaOperand operand);

/// The copy whose tile another's is, with its own atom: threads have the values
/// that the other's have of its source or destination.
CUTE_API CuteTiledCopy cuteTiledCopyGetLike(CuteContext context,
                                            const CuteCopyAtom *atom,
                                            CuteElementType element,
                                            CuteTiledCopy other,
                                            CuteCopySide side);

/// The smallest copy that takes part of operand C as the MMA has it: of each
/// thread's values as many as one access. Null layouts where an error is set.
CUTE_API CuteTiledCopy cuteTiledCopyGetForMmaAtom(CuteContext context,
                                                  const CuteCopyAtom *atom,
                                                  CuteElementType element,
                                                  CuteTiledMma mma);

/// The copy of the data that a TV layout addresses: `threads` maps (thread,
/// value) to indices of `data`, and the tile is what it touches of data's
/// coordinates. Both are static. Fails, with null layouts, where an index is
/// none of the data's.
CUTE_API CuteTiledCopy cuteTiledCopyGetCotiled(CuteContext context,
                                               const CuteCopyAtom *atom,
                                               CuteElementType element,
                                               CuteLayout threads,
                                               CuteLayout data);

/// A layout as (thr,(FrgV,FrgX),(Rest...)).
CUTE_API CuteLayout cuteTiledCopyTidFrg(CuteContext context, CuteTiledCopy copy,
                                        CuteCopySide side, CuteLayout layout);

/// (thr,(FrgV,FrgX)) -> index in the column-major tile, as one side holds it.
CUTE_API CuteLayout cuteTiledCopyGetLayoutTV(CuteContext context,
                                             CuteTiledCopy copy,
                                             CuteCopySide side);

/// The part of thread `thread`: ((FrgV,FrgX), Rest...).
CUTE_API CutePartition cuteTiledCopyPartition(CuteContext context,
                                              CuteTiledCopy copy,
                                              CuteCopySide side,
                                              CuteLayout layout,
                                              CuteIntTuple thread);

/// A fragment of one thread, partitioned for something else that distributes
/// values in the same way, as the copy's atoms see it.
CUTE_API CuteLayout cuteTiledCopyRetile(CuteContext context, CuteTiledCopy copy,
                                        CuteLayout fragment);

#ifdef __cplusplus
}
#endif

#endif
