// Shared by the copies of lib/Ops/Copy.c and PlainCopy.c: what an atom asks of
// its operands, and the instructions of one access.
#pragma once

#include "Lowering/lowering.h"

//===-- Checks ------------------------------------------------------------===//

// The operands of a copy through an atom; the predicate may be null.
typedef struct CuteCopyOperands {
  CuteType copy, source, destination, predicate;
} CuteCopyOperands;

// Values that one thread of the atom reads or writes.
int64_t cuteCopyAtomValues(CuteContext c, CuteType copy, CuteCopySide side);

// False with a message unless the atom can move the source to the destination:
// spaces, elements, values side by side where they are in memory, as many
// accesses on both sides and a predicate for each. Modes after the first may
// have dynamic extents, about which nothing is checked.
bool cuteCopyCheck(CuteContext c, CuteCopyOperands copy);

// The same of a copy by a TMA atom, between a tensor in smem and coordinates.
bool cuteTmaCheckCopy(CuteContext c, CuteCopyOperands copy);

// The same for one access.
bool cuteCopyCheckAccess(CuteContext c, CuteCopyOperands copy);

// Tells whether a copy of such a part of a tensor takes counts in place of
// a predicate, as it fills with zeros and an access may lie across the end.
bool cuteCopyTakesCounts(CuteContext c, CuteType copy, CuteCopySide side,
                         CuteType coords, CuteType tensor);

// Checks that unrolled code has at most so many accesses; false with a message.
enum { CUTE_MAX_UNROLLED = 1 << 14 };
bool cuteCheckUnrolled(CuteContext c, int64_t accesses);

// The elements of a static tensor.
int64_t cuteCopyCountElements(CuteContext c, CuteType tensor);

//===-- Lowering ----------------------------------------------------------===//

// Element i of a predicate, or null if the predicate is null.
MlirValue cuteCopyLoadPredicate(CuteLowering *lowering,
                                const CuteLowered *predicate, int64_t i);

typedef struct CuteCopyCall {
  const CuteCopyAtom *atom;
  const CuteLowered *source, *destination;
  int64_t sourceValues, destinationValues;
  MlirValue predicate; // null: none
} CuteCopyCall;

// One access. Where the predicate is false nothing happens, or zeros are
// written by an atom that does that.
void cuteLowerCopyCall(CuteLowering *lowering, const CuteCopyCall *call);

// Lowers a copy with its operands as they are. False with a message.
typedef bool CuteLowerWholeCopy(CuteLowering *lowering, CuteCopyOperands types);

// Gives what lowers copies by the atom as a whole; null where each access is
// lowered by itself.
CuteLowerWholeCopy *cuteCopyAtomGetWhole(const CuteCopyAtom *atom);

// Boxes by TMA, and runs of bytes.
CuteLowerWholeCopy cuteLowerTmaCopy, cuteLowerBulkCopy;

// Checks that operand i is a barrier: a pointer to i64 in smem, aligned to 8
// bytes. False with a message.
bool cuteMbarrierCheck(CuteOp *op, size_t i);

// The same in one of several spaces, a set of CUTE_IN_SMEM and CUTE_IN_DSMEM.
bool cuteMbarrierCheckIn(CuteOp *op, size_t i, int spaces);

// Has the thread wait until the phase of the parity, an i32, is complete.
void cuteMbarrierBuildWait(CuteLowering *lowering, MlirValue barrier,
                           MlirValue parity);

//===-- Whole tensors -----------------------------------------------------===//

typedef struct CuteElements {
  const CuteLowered *predicate, *source, *destination; // no predicate: null
  MlirValue value; // if there is no source: a raw element
} CuteElements;

// Copies element by element where the predicate is true: unrolled where the
// size is known and small or registers take part, else in a loop. False with a
// message.
bool cuteLowerElements(CuteLowering *lowering, CuteElements e);

// Copies operand `first` of the op to the next, both of one static size, by the
// widest accesses of at most maxBits that their layouts, alignment and what is
// known of dynamic strides allow. With `assumed`, dynamic strides and pointers
// count as aligned to maxBits.
void cuteLowerVectorCopy(CuteLowering *lowering, MlirOperation op,
                         intptr_t first, int64_t maxBits, bool assumed);

// Lowers a copy by tcgen05.cp from shared to tensor memory.
void cuteLowerTmemCopy(CuteLowering *lowering, const CuteCopyCall *call);

// Writes a raw element to all of a tensor by the widest accesses that it
// allows, in a loop where its size is not known or large.
bool cuteElementsFill(CuteLowering *lowering, MlirValue tensor, MlirValue raw);

// The elements of a static tensor in an order in which they lie side by side
// for `length`, wherever that is known.
typedef struct CuteRuns {
  CuteLayout order;
  int64_t length;
} CuteRuns;

CuteRuns cuteTensorGetRuns(CuteContext c, CuteType tensor);

// The accesses of cuteLowerVectorCopy: of so many elements, in this order. The
// types have no bound leaves.
CuteRuns cuteVectorCopyGetRuns(CuteContext c, CuteType source,
                               CuteType destination, int64_t maxBits,
                               bool assumed);

// Runs that lie side by side in both tensors, which have one static size: of
// multiples of 16 bytes that begin at such. Their length is 0 where there are
// none.
CuteRuns cuteBulkCopyGetRuns(CuteContext c, CuteType source,
                             CuteType destination);

// The element at position i of that order, counted colexicographically.
int64_t cuteRunsGetElement(CuteContext c, CuteRuns runs, int64_t i);

//===-- Runs of bytes -----------------------------------------------------===//

// The type in PTX with which an atom that reduces in that space, gmem or dsmem,
// takes elements: "f16". Null with a message where it does not take them.
const char *cuteBulkReductionGetType(CuteContext c, const CuteCopyAtom *atom,
                                     CuteElementType element, CuteSpace space);

// False with a message unless the atom can move the source to the destination:
// static, of one size, with runs of multiples of 16 bytes on both sides.
bool cuteBulkCheckCopy(CuteContext c, CuteCopyOperands copy);
