// The rows of every op group, each list ended by a null name.
#pragma once

#include "IR/op.h"

typedef struct CuteScalars {
  CuteIntTuple *leaves; // in scratch memory
  size_t count;
} CuteScalars;

// The scalars of a value as get_scalars orders them: `_` has none, a basis its
// value and path.
CuteScalars cuteScalarsOf(CuteContext c, CuteType type, bool onlyDynamic);

struct MlirValue;

// The function that lowers an op: that of its row, or inference of its bound
// results.
CuteLowerFunction *cuteOpGetLowering(const CuteOpDecl *decl);

// The leaves that a get_scalars takes out of its operand, one for each result,
// in scratch memory; returns their number.
size_t cuteOpGetScalars(CuteOp *op, const CuteIntTuple **leaves);

// Pushes the tensor of the coordinates of a shape, from its origin.
bool cuteOpReturnIdentityTensor(CuteOp *op, CuteIntTuple shape);

// The place of one element, counted from where memory begins: operand i is a
// pointer to it, or a tensor and the operand after it a coordinate. Null with a
// message.
CuteIntTuple cuteOpGetElementPlace(CuteOp *op, size_t i);

// Its address; null with a message where the coordinate has none.
struct CuteLowering;
struct MlirValue cuteLoweringGetElementAddress(struct CuteLowering *lowering,
                                               size_t i);

// Tells whether there is code for the atom, and not only its layouts.
bool cuteMmaAtomIsCompiled(const CuteMmaAtom *atom);
bool cuteCopyAtomIsCompiled(const CuteCopyAtom *atom);

// The operands of gemm and mma_atom_call that follow the MMA and D: A, B, C,
// and what else the atom takes. Returns how many.
size_t cuteMmaAtomGetInputs(const CuteMmaAtom *atom,
                            CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS]);

// Appends their names: "A, B, C, E".
void cuteMmaAtomAppendInputs(CuteString *text, const CuteMmaAtom *atom);

// The operand that the op's attribute names and the atom has; false with a
// message if there is none.
bool cuteOpGetMmaOperand(CuteOp *op, const CuteMmaAtom *atom,
                         CuteMmaOperand *operand);

// Tells whether mode 0 of a gemm's operands is the values of its atom;
// otherwise they begin with M or N, and the atom has one value of each.
bool cuteMmaHasValues(const CuteOp *op);

// Tells whether an elem_less or equal of static values, or one that is never
// equal, holds, 0 or 1; -1 where an elem_less has a `_` opposite an integer.
int cuteOpDecideComparison(const CuteOp *op);

// Tells the answer of is_congruent, is_weakly_congruent or is_major, 0 or 1; -1
// where it depends on a stride that is not known.
int cuteOpDecideQuestion(const CuteOp *op);

// The first leaf of the stride that an is_major asks about; null with a
// message.
CuteIntTuple cuteOpGetFirstStride(const CuteOp *op);

// Tells whether an equal is false since its operands differ in how many
// integers they have.
bool cuteOpIsNeverEqual(const CuteOp *op);

// Checks that a comparison of dynamic operands can be lowered: elem_less
// compares no `_` with an integer. False with a message.
bool cuteOpCheckComparison(const CuteOp *op);

//===-- Inference by one expression ---------------------------------------===//

// Defines the inference of an op by the arguments of a function that returns
// results. The arguments may name the op, its context c, and its parts.
#define CUTE_INFER(name, returns, ...)                                         \
  static bool name(CuteOp *op) {                                               \
    CuteContext c = op->context;                                               \
    return (void)c, returns(op, __VA_ARGS__);                                  \
  }                                                                            \
  _Static_assert(true, "ends with a semicolon")

// The same by the kind of operand 0: a tuple, a tile, or what has a layout. The
// result is of that kind.
#define CUTE_INFER_BY_KIND(name, tuple, tile, layout)                          \
  static bool name(CuteOp *op) {                                               \
    CuteContext c = op->context;                                               \
    return cuteTypeIsTuple(op->operands[0]) ? cuteOpReturnAlike(op, tuple)     \
           : operandKind(op, 0) == CUTE_TYPE_TILE                              \
               ? cuteOpReturnTile(op, tile)                                    \
               : cuteOpReturnView(op, layout);                                 \
  }                                                                            \
  _Static_assert(true, "ends with a semicolon")

#define TUPLE(i) operandTuple(op, i)
#define OPTIONAL_TUPLE(i) (op->numOperands > (i) ? TUPLE(i) : NULL)
#define LAYOUT(i) operandLayout(op, i)
#define TILE(i) op->operands[i]->tile
#define TILER(i) cuteOpGetTiler(op, i)
#define NUMBER(name) cuteOpGetAttribute(op, name)->value
#define VARIANT op->decl->hooks->variant
#define COPY(i) cuteTypeGetTiledCopyValue(op->operands[i])
#define MMA(i) cuteTypeGetTiledMmaValue(op->operands[i])
#define ATOM op->operands[0]->atom, op->operands[0]->element // of a copy
// The path of modes in brackets, as a count and an array; empty without them.
#define MODES cuteOpGetModes(op).numInts, cuteOpGetModes(op).ints
CuteAttribute cuteOpGetModes(const CuteOp *op);

// Inference of ops that others consist of.
CuteInferFunction cuteOpInferLocalTile, cuteOpInferPartitionS,
    cuteOpInferPartitionD, cuteOpInferSlice, cuteOpInferMakeIdentityTensor,
    cuteOpInferDomainOffset;

// The coordinate of a thread's part that leaves the first element of each
// access: 0 in the mode of an access's values, `_` in all others.
CuteIntTuple cuteCopyGetFirstOfAccesses(CuteContext c, CuteType copy,
                                        CuteCopySide side, CuteLayout part);

// The lower bound of coordinates of a tile at an origin, with `_` for leaves
// that cannot be less than 0; null where none can be.
CuteType cuteCopyGetLowerBound(CuteContext c, CuteType origin);

// The table at the end of each group's file.
#define CUTE_OP_GROUP(group) extern const CuteOpHooks cute##group##Ops[];
#include "op_groups.def"
#undef CUTE_OP_GROUP
