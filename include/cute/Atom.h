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

typedef struct CuteMmaAtom {
  const char *name;
  int arch;                ///< lowest sm_XX that has the instruction
  const char *instruction; ///< PTX mnemonic
  int m, n, k;
  CuteElementType d, a, b, c;
  const char *thrId, *layoutA, *layoutB, *layoutC;
} CuteMmaAtom;

typedef enum CuteCopyKind {
  CUTE_COPY_UNIVERSAL, ///< ld and st of up to 128 bits between any spaces
  CUTE_COPY_CP_ASYNC,  ///< cp.async from global to shared memory
  CUTE_COPY_LDMATRIX,  ///< ldmatrix from shared memory to registers
} CuteCopyKind;

typedef struct CuteCopyAtom {
  const char *name;
  int arch; ///< 0: any
  CuteCopyKind kind;
  const char *instruction; ///< PTX mnemonic, "" for plain loads and stores
  int bits;                ///< per access, or per thread and matrix set
  bool zeroFill;           ///< a false predicate writes zeros
  const char *thrId, *source, *destination, *reference; ///< in bits
} CuteCopyAtom;

CUTE_API size_t cuteMmaAtomGetNum(void);
CUTE_API const CuteMmaAtom *cuteMmaAtomGet(size_t i);
CUTE_API const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name);

CUTE_API size_t cuteCopyAtomGetNum(void);
CUTE_API const CuteCopyAtom *cuteCopyAtomGet(size_t i);

/// The template argument may be left out where only one row begins with the
/// name: SM80_CP_ASYNC_CACHEGLOBAL.
CUTE_API const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name);

/// False with a message where the atom cannot move elements of the type: a
/// transposing ldmatrix moves elements of 16 bits (PTX ISA, "ldmatrix").
CUTE_API bool cuteCopyAtomCheckElement(CuteContext context,
                                       const CuteCopyAtom *atom,
                                       CuteElementType element);

//===----------------------------------------------------------------------===//
// Tiled MMA
//===----------------------------------------------------------------------===//

typedef enum CuteMmaOperand {
  CUTE_OPERAND_A,
  CUTE_OPERAND_B,
  CUTE_OPERAND_C,
} CuteMmaOperand;

/// An atom repeated over the threads of `atomLayout` (M,N,K) and, through the
/// permutation tiler of rank 3 (`_`: as large as the threads cover), over
/// values.
typedef struct CuteTiledMma {
  const CuteMmaAtom *atom;
  CuteLayout atomLayout;
  CuteTile permutation;
} CuteTiledMma;

/// False with a message unless the atom layout is static and has rank 3, and
/// the permutation has rank 3, is static and no smaller than the atoms.
CUTE_API bool cuteTiledMmaCheck(CuteContext context, CuteTiledMma mma);

/// (V,M,N,K) -> thread index.
CUTE_API CuteLayout cuteTiledMmaGetThrLayout(CuteContext context,
                                             CuteTiledMma mma);

/// Extent of the tile along M, N or K (0, 1, 2).
CUTE_API CuteIntTuple cuteTiledMmaGetTileSize(CuteContext context,
                                              CuteTiledMma mma, int mode);

/// An operand's layout of rank 2 or more as
/// ((ThrV,(ThrM,ThrK)),(FrgV,(RestM,RestK,...))).
CUTE_API CuteLayout cuteTiledMmaThrFrg(CuteContext context, CuteTiledMma mma,
                                       CuteMmaOperand operand,
                                       CuteLayout layout);

/// (thread, value) -> index in the column-major tile of the operand.
CUTE_API CuteLayout cuteTiledMmaGetLayoutTV(CuteContext context,
                                            CuteTiledMma mma,
                                            CuteMmaOperand operand);

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
/// elements, and threads and values are multiples of the atom's.
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

/// A layout as (thr,(FrgV,FrgX),(Rest...)).
CUTE_API CuteLayout cuteTiledCopyTidFrg(CuteContext context, CuteTiledCopy copy,
                                        CuteCopySide side, CuteLayout layout);

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
