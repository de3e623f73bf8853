//===- cute/Atom.h - MMA and copy atoms, tiled MMA and tiled copy -*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An atom is one instruction with the layouts that map its values to threads.
// Atoms are rows of dialect/hardware/*.def, named as in CuTe C++. Thread mode
// first: a TV layout maps (thread, value) to an index in the column-major
// (M,K), (N,K) or (M,N) tile of an MMA, or to a bit of a copy.
//
// Tiled atoms repeat an atom over threads and values; the functions that
// partition follow CUTLASS's cute/atom/{mma,copy}_atom.hpp. In their results
// every static extent 1 has stride 0.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_ATOM_H
#define CUTE_ATOM_H

#include "cute/Arch.h"
#include "cute/ElementType.h"
#include "cute/Layout.h"

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// D = A B + C, and further operands of some instructions.
typedef enum CuteMmaOperand {
  CUTE_OPERAND_A,
  CUTE_OPERAND_B,
  CUTE_OPERAND_C,
  CUTE_OPERAND_E,   ///< positions of a sparse A's elements
  CUTE_OPERAND_SFA, ///< scale factors of A
  CUTE_OPERAND_SFB, ///< scale factors of B
} CuteMmaOperand;

enum { CUTE_NUM_MMA_OPERANDS = CUTE_OPERAND_SFB + 1 };

/// "A", ..., "SFB".
CUTE_API const char *cuteMmaOperandGetName(CuteMmaOperand operand);

/// False for other names.
CUTE_API bool cuteMmaOperandFind(CuteStringRef name, CuteMmaOperand *operand);

/// The memory that an instruction reads A or B from.
typedef enum CuteMmaSource {
  CUTE_MMA_REGISTERS,
  CUTE_MMA_SMEM,
  CUTE_MMA_TMEM
} CuteMmaSource;

/// The mode of A's or B's tile that is contiguous for an instruction: in PTX, K
/// of A is `.row` and K of B `.col`.
typedef enum CuteMajor { CUTE_MAJOR_K, CUTE_MAJOR_MN } CuteMajor;

/// The operation that replaces the product of two bits; a sum counts ones.
typedef enum CuteBitOp {
  CUTE_BITS_NONE,
  CUTE_BITS_AND,
  CUTE_BITS_XOR
} CuteBitOp;

/// E, SFA or SFB: its tile is (M,k), SFB's is (N,k).
typedef struct CuteMmaExtra {
  CuteElementType element;
  int k;
  const char *layout; ///< null: the instruction does not take it
} CuteMmaExtra;

/// A class of instructions: a row of dialect/hardware/mma_kind.def.
typedef struct CuteMmaKind {
  const char *name;  ///< "WARP", ...
  const char *thrId; ///< logical thread of an atom -> lane
} CuteMmaKind;

typedef struct CuteMmaFamily CuteMmaFamily;

/// An instruction that multiplies matrices: a row of
/// dialect/hardware/mma_*.def.
typedef struct CuteMmaAtom {
  const char *name;
  const CuteMmaKind *kind;
  const char *instruction; ///< PTX mnemonic
  int arch;                ///< lowest sm_XX that has the instruction; 0: any
  char suffix; ///< 'a': only sm_XXa; 'f': sm_XXa, sm_XXf and later ones of
               ///< the family; '\0': all later architectures
  CuteArchFeature feature; ///< what the architecture must have besides
  int ptx; ///< least PTX version times 10; 0: that of any architecture
  int m, n, k;
  CuteElementType d, a, b, c;
  CuteMmaSource sourceA, sourceB;
  CuteMajor majorA, majorB;
  bool saturates;  ///< integer sums stop at the ends of their range
  CuteBitOp bitOp; ///< of elements of one bit
  bool spreads;    ///< floats of 4 bits have a byte each in registers
  const char *layoutA, *layoutB, *layoutC;
  CuteMmaExtra e, sfa, sfb;
  const CuteMmaFamily *family; ///< of tcgen05.mma; else null
  bool negatesA, negatesB;     ///< tcgen05.mma: A or B times -1
  int scaleVector;             ///< elements for one scale factor; 0: none
  int sumShift;                ///< C counts 2^-sumShift times
  uint32_t descriptor;         ///< tcgen05.mma: instruction descriptor without
                               ///< the ids of scale factors and metadata
} CuteMmaAtom;

/// Instructions of tcgen05.mma that differ only in types, shape and majors: a
/// row of dialect/hardware/mma_sm100.def. An atom's name is
/// NAME<A,B,C,M,N,major of A,major of B>, with the type of scale factors after
/// C and the length of their vectors after N if it has any. The signs of A and
/// B may follow, One or Neg, and, for A in tensor memory and for integers,
/// whether C saturates, 0 or 1. PTX ISA, "tcgen05.mma".
typedef struct CuteMmaFamily {
  const char *name;
  const char *kind; ///< in PTX, "f16", ...
  int ctas;         ///< blocks that execute it together, 1 or 2
  CuteMmaSource sourceA;
  bool isSparse;
  int k;                      ///< elements of B
  uint64_t types, sums;       ///< sets of element types of A and B, and of C
  uint64_t scales;            ///< of scale factors; 0: none
  int leastM, mostM;          ///< M is one of these, or 64 between
  int stepN;                  ///< N is a multiple of it, at most 256
  int stepNOf128, stepNMajor; ///< the same for M = 128, and for B with N
                              ///< contiguous; 0: no other one
  int leastN;                 ///< N may also be this; 0: the step
  bool isKMajor;              ///< A and B have K contiguous
  bool isOnlySm103;           ///< K = 96
  bool isStationary;          ///< .ws: B is kept for the next product
  bool shiftsSums;            ///< the shift of C, 0 to 15, follows the majors
} CuteMmaFamily;

/// Sets of spaces.
enum {
  CUTE_IN_GMEM = 1 << 0,
  CUTE_IN_SMEM = 1 << 1,
  CUTE_IN_RMEM = 1 << 2,
  CUTE_IN_DSMEM = 1 << 4,
  CUTE_IN_TMEM = 1 << 5,
  CUTE_IN_ANY = CUTE_IN_GMEM | CUTE_IN_SMEM | CUTE_IN_RMEM | CUTE_IN_DSMEM,
};

/// A way to copy: a row of dialect/hardware/copy_kind.def.
typedef struct CuteCopyKind {
  const char *name;    ///< "LDMATRIX", ...
  int from, to;        ///< spaces that source and destination may be in
  const char *thrId;   ///< logical thread of an atom -> lane
  bool isAsync;        ///< done when the thread has waited for it
  bool isMatrix;       ///< matrices of 8 rows of 16 bytes in shared memory; one
                       ///< thread has the address of each row
  bool movesRegisters; ///< registers of 32 bits
  bool adds;           ///< to what the destination holds
  bool isTma;          ///< a box of a tensor, see cute/Tma.h
  bool isBulk;         ///< runs of multiples of 16 bytes
  bool isElementwise;  ///< one element in layouts; copies move as many as fit
  bool isTmem;         ///< tensor memory is its source or destination
} CuteCopyKind;

/// An instruction that copies: a row of dialect/hardware/copy.def.
typedef struct CuteCopyAtom {
  const char *name;
  const CuteCopyKind *kind;
  const char *instruction; ///< PTX mnemonic, "" for plain loads and stores
  int arch;                ///< 0: any
  CuteArchFeature feature; ///< what the architecture must have besides
  int ptx;       ///< least PTX version times 10; 0: that of any architecture
  int bits;      ///< per access, or per thread and matrix set; 0:
                 ///< one element
  bool zeroFill; ///< a false predicate writes zeros
  bool bypassesL1;
  int prefetchBytes;       ///< brought into L2; 0: what is copied
  bool transposes;         ///< elements of 16 bits
  CuteElementType element; ///< what a kind that adds adds
  bool isMulticast;        ///< TMA, bulk: to several thread blocks of a cluster
  bool isPair;             ///< TMA: the barrier is the first block's of a pair
  bool isIm2col;           ///< TMA: pixels of images, see cute/Tma.h
  bool isOfRows;           ///< TMA: four rows of a matrix, wherever they are
  int packedBits;          ///< TMA: bits in global memory of an element, which
                           ///< has a byte in shared memory; 0: as many
  const char *reduction;   ///< TMA, bulk: applied to the destination; or null
  const char *source, *destination, *reference; ///< in bits
  const char *tmem; ///< of a kind with tensor memory: bit of the atom -> bit of
                    ///< tensor memory, whose lanes are 2^21 bits apart; or null
  bool packs;       ///< the low halves of two columns share a register
  int maxBits;      ///< of a kind that is elementwise: the widest access
  bool assumesAlignment; ///< that memory is aligned to that
} CuteCopyAtom;

/// Rows in the order of dialect/hardware; i is below the number. They live as
/// long as the program and are never null.
CUTE_API size_t cuteMmaAtomGetNum(void);
CUTE_API const CuteMmaAtom *cuteMmaAtomGet(size_t i);

/// Finds an atom by the row's name or by its spelling in CuTe C++: with
/// namespaces, with majors as GMMA::Major::K, with an empty template argument
/// list, with the types that UniversalFMA takes from the first. Null if there
/// is none.
CUTE_API const CuteMmaAtom *cuteMmaAtomFind(CuteStringRef name);

/// Rows of mma_sm100.def. Atoms of families are made when they are looked up,
/// and are not among the rows of cuteMmaAtomGet.
CUTE_API size_t cuteMmaFamilyGetNum(void);
CUTE_API const CuteMmaFamily *cuteMmaFamilyGet(size_t i);

/// The same of copies.
CUTE_API size_t cuteCopyAtomGetNum(void);
CUTE_API const CuteCopyAtom *cuteCopyAtomGet(size_t i);

/// The template argument may be any type of that size, and is optional if only
/// one row begins with the name: SM80_CP_ASYNC_CACHEGLOBAL.
CUTE_API const CuteCopyAtom *cuteCopyAtomFind(CuteStringRef name);

/// Tells whether it moves boxes (cute/Tma.h), and whether into shared memory.
static inline bool cuteCopyAtomIsTma(const CuteCopyAtom *atom) {
  return atom->kind->isTma;
}
static inline bool cuteCopyAtomIsTmaLoad(const CuteCopyAtom *atom) {
  return atom->kind->isTma && atom->kind->from == CUTE_IN_GMEM;
}

/// Logical thread of the atom -> lane.
CUTE_API CuteLayout cuteCopyAtomGetThrId(CuteContext context,
                                         const CuteCopyAtom *atom);

/// False with a message if the atom cannot move elements of the type: its bits
/// are not a whole number of elements, or it transposes elements of 16 bits
/// (PTX ISA, "ldmatrix").
CUTE_API bool cuteCopyAtomCheckElement(CuteContext context,
                                       const CuteCopyAtom *atom,
                                       CuteElementType element);

//===----------------------------------------------------------------------===//
// Tiles in shared memory
//===----------------------------------------------------------------------===//

/// A tile that wgmma and tcgen05.mma read from shared memory: 16 bytes <<
/// swizzleBits of the contiguous mode by 8 elements of the other, or, for a
/// wide tile, which only tcgen05.mma reads, 32 bytes << swizzleBits by 4.
/// tile_to_shape repeats it.
typedef struct CuteSmemAtom {
  const char *name;
  CuteMajor major;
  unsigned swizzleBits;
  bool isWide;
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

/// Tells whether the instruction takes the operand; all take A, B and C.
CUTE_API bool cuteMmaAtomHasOperand(const CuteMmaAtom *atom,
                                    CuteMmaOperand operand);

/// Type of the operand's elements; the atom must have the operand.
CUTE_API CuteElementType cuteMmaAtomGetElement(const CuteMmaAtom *atom,
                                               CuteMmaOperand operand);

/// Extent of the operand's tile along its mode 0 or 1: (M,K), (N,K) or (M,N),
/// where K counts the operand's own elements.
CUTE_API int cuteMmaAtomGetExtent(const CuteMmaAtom *atom,
                                  CuteMmaOperand operand, int mode);

/// The text of the operand's layout in the row; null if the atom does not have
/// the operand.
CUTE_API const char *cuteMmaAtomGetLayoutText(const CuteMmaAtom *atom,
                                              CuteMmaOperand operand);

/// (thread, value) -> index in the column-major tile of the operand. Threads
/// that hold the same part of E, SFA or SFB have the same indices. Null with a
/// message if the atom does not have the operand.
CUTE_API CuteLayout cuteMmaAtomGetLayout(CuteContext context,
                                         const CuteMmaAtom *atom,
                                         CuteMmaOperand operand);

/// The place in a block's tensor memory of a tcgen05.mma atom's C, or of its A:
/// ((rows,columns),RestM,RestN) -> element of tensor memory, for `rest` atoms
/// along the two modes. Lanes are 2^21 bits apart, and elements of C 32 bits.
/// Null with a message for other operands.
CUTE_API CuteLayout cuteMmaAtomGetTmemLayout(CuteContext context,
                                             const CuteMmaAtom *atom,
                                             CuteMmaOperand operand,
                                             CuteIntTuple rest);

/// An atom repeated over the threads of `atomLayout` (M,N,K) and, through the
/// permutation tiler of rank 3 (`_`: as large as the threads cover), over
/// values.
typedef struct CuteTiledMma {
  const CuteMmaAtom *atom;
  CuteLayout atomLayout;
  CuteTile permutation;
} CuteTiledMma;

/// False with a message unless the atom layout is static and has rank 3, the
/// permutation has rank 3, is static and at least as large as the atoms, is `_`
/// in K if operands count K differently, and the threads have different indices
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

/// The same, but threads along K, which split a sum, share their part of C
/// instead of leading out of its tile.
CUTE_API CuteLayout cuteTiledMmaGetSharedLayoutTV(CuteContext context,
                                                  CuteTiledMma mma,
                                                  CuteMmaOperand operand);

/// The shape of a thread's part of an operand of the given shape.
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

/// Makes a copy from layouts of threads and of each thread's values over the
/// tile; the result's layoutTV is null on failure.
CUTE_API CuteTiledCopy cuteTiledCopyGet(CuteContext context,
                                        const CuteCopyAtom *atom,
                                        CuteElementType element,
                                        CuteLayout threads, CuteLayout values);

/// The copy that distributes values as the MMA's operand does.
CUTE_API CuteTiledCopy cuteTiledCopyGetForMma(CuteContext context,
                                              const CuteCopyAtom *atom,
                                              CuteElementType element,
                                              CuteTiledMma mma,
                                              CuteMmaOperand operand);

/// The copy with another's tile and its own atom: threads have the same values
/// as the other's threads have of its source or destination.
CUTE_API CuteTiledCopy cuteTiledCopyGetLike(CuteContext context,
                                            const CuteCopyAtom *atom,
                                            CuteElementType element,
                                            CuteTiledCopy other,
                                            CuteCopySide side);

/// The smallest copy that moves part of operand C as the MMA distributes it:
/// one access's worth of each thread's values. Null layouts on error.
CUTE_API CuteTiledCopy cuteTiledCopyGetForMmaAtom(CuteContext context,
                                                  const CuteCopyAtom *atom,
                                                  CuteElementType element,
                                                  CuteTiledMma mma);

/// The copy of the data that a TV layout addresses: `threads` maps (thread,
/// value) to indices of `data`, and the tile consists of these indices'
/// coordinates. Both are static. Fails, with null layouts, if data does not
/// have an index.
CUTE_API CuteTiledCopy cuteTiledCopyGetCotiled(CuteContext context,
                                               const CuteCopyAtom *atom,
                                               CuteElementType element,
                                               CuteLayout threads,
                                               CuteLayout data);

/// Maps an element of an atom that moves tensor memory to the element of tensor
/// memory after the address.
CUTE_API CuteLayout cuteTiledCopyGetTmemPlace(CuteContext context,
                                              const CuteCopyAtom *atom,
                                              CuteElementType element);

/// The copy of four warps between registers and tensor memory; each warp moves
/// the 32 lanes that it reaches. `data` maps coordinates to elements of tensor
/// memory, whose lanes are 2^21 bits apart. Null layouts with a message on
/// failure.
CUTE_API CuteTiledCopy cuteTiledCopyGetTmem(CuteContext context,
                                            const CuteCopyAtom *atom,
                                            CuteElementType element,
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

/// A thread's fragment, partitioned for another operation with the same
/// distribution of values, as the copy's atoms see it.
CUTE_API CuteLayout cuteTiledCopyRetile(CuteContext context, CuteTiledCopy copy,
                                        CuteLayout fragment);

#ifdef __cplusplus
}
#endif

#endif
