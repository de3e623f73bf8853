// Lowering of functions: what each value of the dialect has become, and leaf
// arithmetic that emits `arith` operations.
//
// A lowered value is its type with every dynamic leaf bound to a number (an id)
// of an SSA integer, plus a pointer for memory. Lowering an op is
// then its inference function, run on bound types with the emitting arithmetic:
// what inference leaves as `?` becomes instructions.
#pragma once

#include "IR/builder.h"

typedef struct CuteLowered {
  CuteType type;      // bound
  MlirValue pointer;  // ptr, tensor, struct: of the first element; else null
  CuteIntTuple start; // of elements below 8 bits and in desc: how many lie
                      // between the pointer and the first; null: none
} CuteLowered;

// Facts about the integer behind an id: it is
//   base + high + constant
// where base has only bits in `mask` set (~0: nothing known) and is a multiple
// of `baseDivisor`, and high is one of `highDivisor`: powers of two, the latter
// above the mask. Parts may be absent.
// The split keeps swizzled addresses cheap: xor touches base and constant only.
typedef struct CuteEmitted {
  MlirValue base, high, sum; // sum: all of it, once somebody asked for it
  MlirBlock sumBlock;        // where the sum was computed
  uint64_t mask;
  int64_t baseDivisor, highDivisor, constant;
  unsigned width;
} CuteEmitted;

typedef struct CuteLowering {
  CuteDialect *dialect;
  CuteContext context;
  CuteOp *op;           // that is being lowered, with bound types
  MlirOperation source; // the same op in MLIR
  CuteBuilder builder;  // at the op
  MlirBlock entry;      // of the function, for stack memory
  MlirOperation function;
  CutePointerMap values; // MlirValue -> CuteLowered, for values of the dialect
  CutePointerMap bases;  // MlirValue -> MlirValue, the struct that it came in
  CutePointerMap ids;    // MlirValue -> id + 1, for integers
  CuteEmitted *emitted;  // by id, from 1
  size_t numEmitted;
  // Shared memory: the global, and where each allocation begins in it.
  CutePointerMap sharedOffsets; // MlirOperation -> byte offset + 1
  MlirValue sharedBase;
  CutePointerMap tensorMaps; // make_tma_atom -> its parameter (MlirValue)
  bool failed;               // with a message; the op being lowered is rejected
} CuteLowering;

//===-- Values ------------------------------------------------------------===//

void cuteLoweringInit(CuteLowering *lowering, CuteDialect *dialect,
                      MlirOperation function);

// The value of the dialect is this from now on.
void cuteLoweringSet(CuteLowering *lowering, MlirValue value,
                     CuteLowered lowered);
const CuteLowered *cuteLoweringGet(const CuteLowering *lowering,
                                   MlirValue value);

static inline MlirValue cuteLoweringGetOperand(const CuteLowering *lowering,
                                               size_t i) {
  return getOperand(lowering->source, (intptr_t)i);
}

// Gives what operand i of the op being lowered has become.
const CuteLowered *cuteLoweringGetLowered(const CuteLowering *lowering,
                                          size_t i);

// Result i of that op is this value from now on.
void cuteLoweringSetResult(CuteLowering *lowering, size_t i,
                           CuteLowered lowered);

MlirValue cuteLoweringGetPointer(CuteLowering *lowering, size_t i);

// The address where a pointer or tensor begins. Fails (lowering->failed) for
// packed elements that may begin within a byte.
MlirValue cuteLoweringGetBytePointer(CuteLowering *lowering, CuteLowered value);

// The same of the one result of an op; true.
bool cuteLoweringReturnLowered(CuteLowering *lowering, CuteLowered lowered);

// Uses of its one result become uses of `value`, which is of another dialect;
// false, and nothing, where that is null.
bool cuteLoweringReturn(const CuteLowering *lowering, MlirValue value);

// Uses of result i become uses of `value`, which is of another dialect.
void cuteLoweringReplace(const CuteLowering *lowering, size_t i,
                         MlirValue value);

// The op with the bound types of its operands; integers of other dialects
// appear as int_tuples. Null operands where a value was not lowered.
CuteOp cuteLoweringBind(CuteLowering *lowering, const CuteOpDecl *decl,
                        MlirOperation source);

// Lowers an op by inference alone: its bound results are its value. A view of a
// tensor points op->offset elements after the tensor.
CuteLowerFunction cuteLowerByInference;

// Lowers an op whose one result is an allocation in shared memory.
CuteLowerFunction cuteLowerAllocShared;

// Fails for an op that an earlier pass must have replaced.
CuteLowerFunction cuteLowerUnexpanded;

// Lowers to the op that is the row's target, with operands or without.
bool cuteLoweringBuildTarget(CuteLowering *lowering, size_t n,
                             const MlirValue *operands);
CuteLowerFunction cuteLowerToTarget;

// Lowers the call of an MMA atom to its instruction.
CuteLowerFunction cuteLowerMmaAtomCall;

// Says that an atom has a row but no lowering; false, for the caller to return.
bool cuteLoweringFailNotCompiled(CuteContext c, const char *atom);

// Prints by printf where the code runs: gpu.printf in kernels, the C library's
// on the host. False with a message where the module cannot have that.
bool cuteLoweringPrintf(CuteLowering *lowering, const CuteString *format,
                        size_t n, const MlirValue *values);

// Prints a line and ends a kernel with an error, or a program by a signal; code
// of the host that calls libcute-run ends its call with this text instead.
// False with a message as cuteLoweringPrintf.
bool cuteLoweringFail(CuteLowering *lowering, const CuteString *format,
                      size_t n, const MlirValue *values);

// Appends file:line:column, or the location as MLIR has it.
void cuteLoweringAppendPlace(CuteString *text, MlirLocation location);

//===-- Functions of C that code on the host calls ------------------------===//

// Tells whether code in this block runs on the host, not in a kernel.
bool cuteLoweringIsOnHost(MlirBlock block);

// The address of a constant with the text and a NUL.
MlirValue cuteLoweringGetHostText(CuteLowering *lowering,
                                  const CuteString *text);

// Calls a function of C with LLVM's type, as in "!llvm.func<i32 (ptr, ...)>";
// declares it if the module has not. `name` lives as long as the program. False
// with a message where the module's symbol of this name is another.
bool cuteLoweringCallHost(CuteLowering *lowering, const char *name,
                          const char *type, size_t n, const MlirValue *values);

//===-- Integers ----------------------------------------------------------===//

// The leaf of an SSA integer.
CuteIntTuple cuteLoweringGetLeaf(CuteLowering *lowering, MlirValue value,
                                 int64_t divisor);

#define CUTE_BITS_UNKNOWN (~UINT64_C(0))

// The bits that may be set in numbers from 0 to below the limit.
uint64_t cuteBitsBelow(int64_t limit);

// The bits that may be set in an integer: of a gpu.thread_id, also through
// casts, in a block of known size. CUTE_BITS_UNKNOWN for all else.
uint64_t cuteLoweringGetKnownBits(const CuteLowering *lowering,
                                  MlirValue value);

// The SSA integer of a static or bound leaf, in the given width (0: its own).
MlirValue cuteLoweringGetInteger(CuteLowering *lowering, CuteIntTuple leaf,
                                 unsigned width);

// The same dynamic leaf, known to be in [0, most].
CuteIntTuple cuteLoweringLimit(CuteLowering *lowering, CuteIntTuple leaf,
                               int64_t most);

// i1: whether a is less than b, signed.
MlirValue cuteLoweringCompareLess(CuteLowering *lowering, CuteIntTuple a,
                                  CuteIntTuple b);
MlirValue cuteLoweringCompareEqual(CuteLowering *lowering, CuteIntTuple a,
                                   CuteIntTuple b);

// The leaf arithmetic that emits; its data is the lowering.
extern const CuteLeafArithmetic cuteEmittingArithmetic;

// Ops on two integers, by CuteLeafOp.
typedef struct CuteEmittedOp {
  const char *name;
  bool cannotWrap, dynamicFirst; // in the order of the open dialect
} CuteEmittedOp;

extern const CuteEmittedOp cuteEmittedOps[];

// The same op by op, in the order and with the ops of the open dialect: no
// parts, nothing reused, scf.if where something is chosen.
extern const CuteLeafArithmetic cutePlainArithmetic;

//===-- Memory ------------------------------------------------------------===//

// Elements that an allocation of this layout needs room for: the largest index
// plus one, and under a swizzle, which permutes within blocks, whole blocks. -1
// if the layout is not static.
int64_t cuteMemoryCountElements(CuteContext c, CuteLayout layout);

// A tensor in rmem, which is stack memory at the function's entry, where LLVM
// turns it into registers.
CuteLowered cuteLoweringAllocate(CuteLowering *lowering, CuteType tensor);

// Bits of an element that shares a byte with others, the first in the lowest
// bits; 0 for elements of 8 bits and more.
unsigned cuteElementGetPackedBits(CuteElementType element);

// The type by which LLVM stores an element: f16 as f16, smaller floats as i8,
// the byte of packed elements as i8, tf32 as i32.
MlirType cuteElementStorageType(const CuteBuilder *builder,
                                CuteElementType element);

// The type of a single element in LLVM: the storage type, or as many bits as a
// packed element has.
MlirType cuteElementRawType(const CuteBuilder *builder,
                            CuteElementType element);

// The raw value of an element as the MLIR type that `load` gives and `store`
// takes, and back. Casts are left where LLVM has no such type.
MlirValue cuteElementFromRaw(const CuteBuilder *builder,
                             CuteElementType element, MlirType type,
                             MlirValue raw);
MlirValue cuteElementToRaw(const CuteBuilder *builder, CuteElementType element,
                           MlirValue value);

MlirType cuteLoweringPointerType(const CuteLowering *lowering, CuteSpace space);

// pointer + offset elements, the constant part last so that it can become an
// immediate; of packed elements the byte that has it.
MlirValue cuteLoweringAdvance(CuteLowering *lowering, MlirValue pointer,
                              CuteElementType element, CuteIntTuple offset);

// descriptor + offset elements, which are whole units of 16 bytes.
MlirValue cuteLoweringAdvanceDescriptor(CuteLowering *lowering,
                                        MlirValue descriptor,
                                        CuteElementType element,
                                        CuteIntTuple offset);

// Tells whether all of an offset but a constant is known to be a multiple of
// `n`.
bool cuteLoweringHasWholeBytes(const CuteLowering *lowering,
                               CuteIntTuple offset, int64_t n,
                               int64_t *constant);

// The offset of the element at a coordinate from the pointer of a tensor.
CuteIntTuple cuteLoweringGetIndex(CuteLowering *lowering, CuteLowered tensor,
                                  CuteIntTuple coord);

// The address of the element at a coordinate of a tensor, or of its byte.
MlirValue cuteLoweringGetAddress(CuteLowering *lowering, CuteLowered tensor,
                                 CuteIntTuple coord);

// One element, of the raw type. Null and false with a message where the
// coordinate has no address, and where a packed element would be stored to
// memory that other threads see.
MlirValue cuteLoweringLoadElement(CuteLowering *lowering,
                                  const CuteLowered *tensor,
                                  CuteIntTuple coord);
bool cuteLoweringStoreElement(CuteLowering *lowering, const CuteLowered *tensor,
                              CuteIntTuple coord, MlirValue raw);

// A float of the type as a plain one: as an f32 if LLVM cannot compute with the
// type, by arithmetic that runs everywhere.
MlirValue cuteLoweringWidenElement(CuteLowering *lowering, MlirValue value,
                                   CuteElementType element);

// Tells whether the code's architecture is known, and sm_NUMBER or later.
static inline bool cuteLoweringIsFrom(const CuteLowering *lowering,
                                      int number) {
  const CuteArch *arch = lowering->dialect->arch;
  return arch && arch->number >= number;
}

// A raw element converted to another type, rounding to nearest, to tf32 with
// ties away from zero; beyond the largest number of 8 bits is that number. As
// integer_convert.h says to and from integers. Null with a message without a
// conversion.
MlirValue cuteLoweringConvertElement(CuteLowering *lowering, MlirValue raw,
                                     CuteElementType from, CuteElementType to);

// Two raw elements: a vector, or 8 bits of elements of 4, the first lower.
MlirType cuteElementPairType(const CuteBuilder *builder,
                             CuteElementType element);

// The same of such a pair, for types that the architecture's instructions
// convert in pairs.
bool cuteElementHasPairs(const CuteLowering *lowering, CuteElementType from,
                         CuteElementType to);
MlirValue cuteLoweringConvertPair(CuteLowering *lowering, MlirValue pair,
                                  CuteElementType from, CuteElementType to);

// Tells whether the first `values` elements of mode 0 of a tensor can be
// accessed at once, wherever the coordinate of the other modes is.
bool cuteMemoryIsVectorizable(CuteContext c, CuteType tensor, int64_t values);

// Elements [first, first + n) of a tensor, counted colexicographically, as one
// value of a type of as many bits: at once where they lie side by side, else
// one by one. Storing fails (lowering->failed) where cuteLoweringStoreElement
// would.
MlirValue cuteLoweringLoadValues(CuteLowering *lowering,
                                 const CuteLowered *tensor, int64_t first,
                                 int64_t n, MlirType type);
void cuteLoweringStoreValues(CuteLowering *lowering, const CuteLowered *tensor,
                             int64_t first, int64_t n, MlirValue value);

// The same of n > 1 elements that lie side by side in memory, aligned as an
// access of as many bytes needs; what comes after `first` in the tensor's order
// does not matter.
MlirValue cuteLoweringLoadRun(CuteLowering *lowering, const CuteLowered *tensor,
                              int64_t first, int64_t n, MlirType type);
void cuteLoweringStoreRun(CuteLowering *lowering, const CuteLowered *tensor,
                          int64_t first, int64_t n, MlirValue value);

MlirValue cuteLoweringLoad(CuteLowering *lowering, MlirValue address,
                           MlirType type, int64_t align);
void cuteLoweringStore(CuteLowering *lowering, MlirValue value,
                       MlirValue address, int64_t align);
