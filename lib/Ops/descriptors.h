// Tiles in shared memory as wgmma takes them: matrix descriptors.
#pragma once

#include "Lowering/lowering.h"

// The upper half of a matrix descriptor follows from the layout alone (PTX ISA,
// "Matrix descriptor format"). Distances are in units of 16 bytes.
typedef struct CuteDescriptor {
  const CuteSmemAtom *pattern;
  int64_t leading; // between patterns along the contiguous mode
  int64_t stride;  // between patterns along the other
} CuteDescriptor;

// Finds the descriptor of a part of a tensor in smem, (V, ...) with V the
// atom's values of the operand. False with a message that says what would be
// right.
bool cuteDescriptorGet(CuteContext c, const CuteMmaAtom *atom,
                       CuteMmaOperand operand, CuteType part,
                       CuteDescriptor *descriptor);

// Tells whether an atom takes elements of the type: a signless
// integer serves for an unsigned one, too.
static inline bool cuteMmaHoldsElement(CuteElementType found,
                                       CuteElementType wanted) {
  return found == wanted || cuteElementTypeGetSignless(wanted) == found;
}

// Fills in the descriptor of a tile of a tensor in smem, ((MN,K),...) without
// the tensor's swizzle; false where its layout is none that a descriptor has.
bool cuteDescriptorMatch(CuteContext c, CuteMajor major, CuteType tensor,
                         CuteLayout tile, CuteDescriptor *descriptor);

// Encodes the descriptor without its address (PTX ISA, "Matrix descriptor
// format" and "Shared memory descriptor"): distances in bits 16 to 29 and 32 to
// 45; for wgmma the swizzle in 62 and 63; for tcgen05 a version in 46, and the
// swizzle in 61 to 63.
uint64_t cuteDescriptorEncode(bool isTensor, CuteDescriptor descriptor);

// Finds the descriptor of the part of its source that a copy of tcgen05.cp
// reads; false with a message.
bool cuteTmemCopyDescribe(CuteContext c, CuteType copy, CuteType source,
                          CuteDescriptor *descriptor);

// The descriptor of a tile that begins at an address in shared memory, of
// tcgen05 or of wgmma.
MlirValue cuteLowerDescriptorAt(CuteLowering *lowering, bool isTensor,
                                CuteDescriptor descriptor, MlirValue address);

// The type of A's or B's elements as tcgen05.mma and wgmma find them in shared
// memory: 16 floats of 4 or 6 bits are in 16 bytes, as i8, unless the
// instruction takes only floats of 4 bits.
CuteElementType cuteDescriptorGetElement(const CuteMmaAtom *atom,
                                         CuteMmaOperand operand);

// Pushes the part of shared memory that is operand 1 of make_fragment_a or _b
// again, by descriptors. False with a message.
bool cuteOpReturnDescriptors(CuteOp *op, CuteMmaOperand operand);

// The descriptor of a tensor in desc, at its first element.
MlirValue cuteLoweringGetDescriptor(CuteLowering *lowering,
                                    const CuteLowered *tensor);

// Lowers a call of an atom of a warpgroup. The operands are D, A, B, C, the
// metadata E of a sparse A, and null or an i1 that says whether C is added.
bool cuteLowerWarpgroupMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                           const CuteLowered *const *operands);
