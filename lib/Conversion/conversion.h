// Passes from the cute dialect to others.
#pragma once

#include "IR/op_list.h"
#include "IR/pass.h"
#include "Lowering/lowering.h"
#include "Lowering/shared_plan.h"
#include "cute/Kernels.h"

//===-- Functions ---------------------------------------------------------===//

// The particulars of lowering a kind of function.
typedef struct CuteFunctionLowering {
  // Before the body: binds the parameters. False after a diagnostic.
  bool (*prepare)(CuteLowering *lowering);
  bool tracksDivisors; // see cuteContextTrackDivisors
} CuteFunctionLowering;

// Lowers the body of a function; then the ops of the dialect go, the converted
// ops that still touch its values, and the parameters of its types. False after
// a diagnostic.
bool cuteLowerFunction(CuteDialect *dialect, MlirOperation function,
                       const CuteFunctionLowering *hooks);

// A gpu.func, with its parameters by cuteParameterParts.
bool cuteLowerKernel(CuteDialect *dialect, MlirOperation function);

// Gives a kernel, without results or attributions, new parameters for its
// parameters of the dialect, which stay in the entry block until the body is
// lowered, and are bound to the new ones. False after a diagnostic.
bool cuteRewriteSignature(CuteLowering *lowering);

// A func.func, with its parameters and results by cuteBaseType.
bool cuteConvertFunction(CuteDialect *dialect, MlirOperation function);

// Lowers all functions of a module, as cute-to-base does. Launches and
// assertions on the host stay, or become calls of libcute-run. False after a
// diagnostic.
bool cuteConvertToBase(CuteDialect *dialect, MlirOperation root,
                       bool callsRuntime);

// Tells whether the op becomes a call of libcute-run, and lowers it to one.
// False after a diagnostic.
bool cuteIsHostRequest(CuteDialect *dialect, MlirOperation op);
bool cuteLowerHostRequest(CuteLowering *lowering, MlirOperation op);

// Lets the host's code end with the text as its error where the condition
// holds. False with a message.
bool cuteFailOnHost(CuteLowering *lowering, MlirValue condition,
                    const CuteString *text);

// Lets the divisions of a function on the host, whose body is lowered, fail
// where the processor would end the process. False with a message.
bool cuteCheckHostDivisions(CuteLowering *lowering);

//===-- Ops that pass values on -------------------------------------------===//

// Tells whether the op does with values of the dialect what it does with any
// others: calls, returns, arith.select, and the ops of scf and cf.
bool cutePassesValuesOn(MlirOperation op);

// Tell whether an op gives values of the dialect, or a block takes some.
bool cuteFunctionGivesDialect(CuteDialect *dialect, MlirOperation op);
bool cuteFunctionTakesDialect(CuteDialect *dialect, MlirBlock block);

// Converts operands, results and what its regions begin with by cuteBaseType,
// and gives the op that replaces this one. Null after a
// diagnostic.
MlirOperation cuteConvertPassing(CuteLowering *lowering, MlirOperation op);

// Puts an argument of the converted type before each of the dialect, which is
// bound to it. False after a diagnostic at the block's owner.
bool cuteConvertArguments(CuteLowering *lowering, MlirOperation owner,
                          MlirBlock block);

// The converted type of a value, the same for other dialects'. Null
// with a message in the context.
MlirType cuteConvertType(CuteLowering *lowering, MlirType type);

// Tells whether cute-expand-math makes more than an instruction or two of the
// op for an element.
bool cuteMathIsLong(MlirOperation op);

//===-- Helpers -----------------------------------------------------------===//

// Calls the function on each op below root (and on root) of that name, but not
// on those inside another, until it gives false.
bool cuteFunctionForEach(CuteDialect *dialect, MlirOperation root,
                         const char *name,
                         bool (*function)(CuteDialect *dialect,
                                          MlirOperation op));

//===-- Values between functions and blocks -------------------------------===//

// The types that a value of the type is passed as: int tuples as a flat struct
// of their dynamic leaves, or the integer if there is one; a layout as {shape,
// stride}; a composed one as {B, offset, A}; a tile as a struct of its layouts,
// or the layout if there is one; a pointer or struct as a pointer, a tensor as
// {pointer, layout}, a coordinate tensor as {origin, layout}, what is always
// static as an empty struct.
MlirType cuteBaseType(CuteLowering *lowering, CuteType type);

// The value, which was lowered, as one of cuteBaseType: the struct that it came
// in, or one of all its parts.
MlirValue cuteBasePack(CuteLowering *lowering, MlirValue value);

// The type, bound to the pointer and integers in a value of cuteBaseType.
CuteLowered cuteBaseUnpack(CuteLowering *lowering, CuteType type,
                           MlirValue value);

// The same of its parts: the pointer, if it has one, and the integers in order.
CuteLowered cuteBaseBind(CuteLowering *lowering, CuteType type,
                         const MlirValue *parts);

//===-- Kernel parameters -------------------------------------------------===//

// The parameters that a kernel's parameter becomes: one pointer for a tensor,
// pointer or struct, then an integer for each dynamic leaf, shapes before
// strides.
typedef struct CuteParameterPart {
  CuteKernelPartKind kind;
  unsigned bits; // of an integer or float; 64 of others
  char role[24]; // "pointer", "shape[0]", "stride[1]", "value"
} CuteParameterPart;

// The parts of a parameter of this type; at most `capacity` are written, the
// number is returned.
size_t cuteParameterParts(CuteType type, size_t capacity,
                          CuteParameterPart *parts);

// The same of a type in MLIR; another dialect's is one part. False with a
// message where there are more than `capacity`.
bool cuteValueParts(CuteDialect *dialect, MlirType type, size_t capacity,
                    CuteParameterPart *parts, size_t *count);

//===-- Parts of passes ---------------------------------------------------===//

// Lets an scf.for that LLVM could unroll count its trips by 1.
void cuteLoopNormalizeStep(CuteDialect *dialect, MlirOperation loop);

// Makes branches of each scf.if in blocks of the function, not in loops. From
// the last to the first of a block, each op moves once; MLIR's pass moves all
// that follows each of them.
void cuteBranchInsteadOfIf(MlirOperation function);

// Replaces ops of arith, math and ub below the root that compute integers, and
// have one op of the llvm dialect as their counterpart, by that: what MLIR's
// conversion makes of them in several times as long. Left to it are ops with
// flags or attributes, ops that it folds, and ops on vectors
// or values of type index.
void cuteConvertPlainOps(MlirOperation root);

// Tells whether an op converts from or to such floats, or vectors of them.
bool cuteConvertsSmallFloats(CuteDialect *dialect, MlirOperation op);

// Replaces the result of a conversion from or to them by what cute.convert
// makes of each element; the op stays, unused. False, and nothing is done,
// where types are none of the dialect's, or vectors of no or several modes.
bool cuteExpandSmallFloats(CuteDialect *dialect, MlirOperation op);
