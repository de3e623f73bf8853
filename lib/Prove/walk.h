// Follows a kernel that was lowered to arith, scf, llvm and nvvm, for all
// sizes, blocks and threads at once: integers become terms, what guards an op a
// condition, and accesses to memory are listed.
//
// A loop is followed once, for the round whose number is a symbol. What it
// carries is a term of that number where each round adds the same or goes round
// a ring, and opaque otherwise.
#pragma once

#include "Conversion/conversion.h"
#include "Prove/solve.h"

typedef enum CutePlaceKind {
  CUTE_PLACE_GLOBAL,   // what a parameter points to
  CUTE_PLACE_SHARED,   // an allocation, or all of a block's
  CUTE_PLACE_REGISTER, // an llvm.alloca
  CUTE_PLACE_MAP,      // a tensor map; its bytes are a box's
  CUTE_PLACE_NONE,     // of a value that is used
} CutePlaceKind;

// A piece of memory with extents of its own.
typedef struct CutePlace {
  CutePlaceKind kind;
  CuteType type;    // of a parameter; null: not of the dialect
  size_t argument;  // of a parameter: its number
  CuteTerm *shape;  // of a tensor's modes, flat
  CuteTerm *stride; // in elements
  size_t rank;
  int64_t start, bytes;        // shared: where in the block's; registers: 0
  int64_t align;               // of the first byte
  struct CuteWritten *written; // registers: what is known to be there
  CuteCondition *there;        // registers: of each byte, that it was written
  size_t *marks;               // registers: of each byte, for a loop
  const CuteTmaAtom *tma;      // of a map
} CutePlace;

typedef enum CuteValueKind {
  CUTE_VALUE_OTHER,
  CUTE_VALUE_INTEGER,
  CUTE_VALUE_CONDITION, // an i1
  CUTE_VALUE_POINTER,
} CuteValueKind;

typedef struct CuteValue {
  CuteValueKind kind;
  CuteTerm term; // of a pointer: bytes from where its place begins
  CuteCondition condition;
  CutePlace *place;
} CuteValue;

// An integer or condition that was stored in registers.
typedef struct CuteWritten {
  struct CuteWritten *next;
  int64_t offset, bytes;
  CuteValue value; // OTHER: unknown
} CuteWritten;

// A loop that an op is in.
typedef struct CuteRound {
  struct CuteRound *outer;
  const CuteSymbol *symbol; // the number of the round
  CuteTerm count;           // rounds, if there is one
  CuteInterval trips;       // how many rounds there are
  bool isCut;               // its body begins segments
  int64_t first, period;    // rounds from `first` on repeat; 0: there are none
} CuteRound;

typedef enum CuteStepKind {
  CUTE_STEP_FLOW,   // control flow joins or parts
  CUTE_STEP_BACK,   // to the next round
  CUTE_STEP_MEET,   // `number` threads wait for each other at barrier `id`
  CUTE_STEP_COMMIT, // a group ends of what is in flight
  CUTE_STEP_WAIT,   // until no more than `number` groups are in flight
  CUTE_STEP_INIT,   // an mbarrier of `number` arrivals
  CUTE_STEP_ARRIVE, // at an mbarrier, which gets `number` bytes more
  CUTE_STEP_TRY,    // wait for the phase of a parity of an mbarrier
} CuteStepKind;

// Barriers of a warpgroup are numbered apart from gpu.barrier and named
// barriers.
enum { CUTE_MEET_WARPGROUP = -1, CUTE_WARPGROUP = 128 };

// The kind of an access: done at once, or in flight until it is waited for.
typedef enum CuteFlight {
  CUTE_FLIGHT_NONE,
  CUTE_FLIGHT_CP_ASYNC,
  CUTE_FLIGHT_BULK,   // TMA reads shared memory
  CUTE_FLIGHT_WGMMA,  // a warpgroup reads shared memory
  CUTE_FLIGHT_LOAD,   // until an mbarrier completes: TMA writes shared memory
  CUTE_FLIGHT_TENSOR, // tcgen05 reads it, until there is a commit
  CUTE_NUM_FLIGHTS
} CuteFlight;

// From one segment, a part of the kernel without barriers, to another.
typedef struct CuteStep {
  size_t from, to;
  CuteStepKind kind;
  int64_t id, number;
  CuteFlight flight;
  CuteTerm barrier, parity; // where the mbarrier is in the block's memory
  MlirOperation op;
} CuteStep;

// A part of the kernel without barriers: the loops it is in, and who gets
// there.
typedef struct CuteSegment {
  CuteRound *rounds;
  CuteCondition path;
} CuteSegment;

enum { CUTE_MAX_MODES = 16 };

// A box that TMA copies: where it begins and its extents, mode by mode.
typedef struct CuteBox {
  CuteTerm at[CUTE_MAX_MODES];
  int64_t extents[CUTE_MAX_MODES];
} CuteBox;

typedef struct CuteReach {
  MlirOperation op;
  CutePlace *place;
  CuteTerm offset; // in bytes
  int64_t bytes;
  const CuteBox *box; // in place of these; null: none
  int64_t align;      // that the instruction needs
  bool isStore, isAtomic;
  CuteFlight flight;
  CuteTerm barrier;    // of a LOAD
  CuteCondition used;  // of a load: that a select takes it; null: always
  CuteCondition there; // of a value: that it is of registers that were written
  CuteCondition path;
  CuteRound *rounds; // from the innermost loop on
  size_t segment;
} CuteReach;

// Registers that were stored to.
typedef struct CuteStore {
  CutePlace *place;
  int64_t offset, bytes;
  CuteCondition *before; // of each byte, that it was written before
} CuteStore;

// A byte of registers that a loop stores.
typedef struct CuteLoopByte {
  CutePlace *place;
  int64_t at;
  CuteCondition before;
  bool isLater; // it is taken to be there from the second round on
} CuteLoopByte;

// An scf.for, and what is there of what it stores and carries.
typedef struct CuteLoopLanes {
  MlirOperation op;
  MlirBlock body;
  CuteCondition later, some; // not the first round; there is one
  CuteRenaming last;         // of the round
  size_t stores;             // before it
  CuteCondition assumed, unknown;
  bool *isLater; // of what it carries
  CuteLoopByte *bytes;
  size_t numBytes, byteCapacity;
} CuteLoopLanes;

enum {
  CUTE_TOUCHES_ALL = 1u << CUTE_PLACE_GLOBAL | 1u << CUTE_PLACE_SHARED |
                     1u << CUTE_PLACE_REGISTER
};

// An op that touches memory in a way that is not followed.
typedef struct CuteBlindSpot {
  MlirOperation op;
  const char *reason;
  unsigned touches; // a bit for each kind of place; a map that it stores by
} CuteBlindSpot;

enum { CUTE_MAX_SIGNS = 32 };

typedef struct CuteProver {
  CuteDialect *dialect;
  MlirOperation typed, kernel; // before and after it was lowered
  MlirOperation module;        // with its launches
  const char *name;
  CuteTerms *terms;
  CuteSolver *solver;
  CutePointerMap values; // MlirValue -> CuteValue
  CutePointerMap lanes;  // MlirValue -> conditions; null: all were written
  CuteCondition assumed; // what a rehearsal takes registers to be written by
  CuteCondition path;
  CuteCondition launch; // what the launch makes sure of
  CuteCondition types;  // and what the types and the grid do
  CuteSymbol *block[3], *thread[3];
  CuteTerm grid[3];     // null: whoever launches the kernel chooses
  CuteSymbol *count[3]; // of blocks then, if the kernel reads it
  bool isLaunched;      // the grid is that of the module's launches
  int64_t blockSize[3], cluster[3];
  CutePlace **places;
  size_t numPlaces, placeCapacity;
  CuteReach *reaches;
  size_t numReaches, reachCapacity;
  CuteBlindSpot *blindSpots;
  size_t numBlindSpots, blindCapacity;
  int64_t sharedBytes; // of a block
  CuteRound *rounds;
  int rehearsals;    // loops whose rounds are only looked at
  CuteReach last;    // that was listed
  CuteStore *stores; // to registers, in order
  size_t numStores, storeCapacity;
  CuteStep *steps;
  size_t numSteps, stepCapacity;
  CuteSegment *segments;
  size_t numSegments, segmentCapacity, segment;
  size_t numCuts;  // ops so far that begin segments
  bool hasAddress; // of shared memory as an integer
  int conditions;  // that threads may differ in, around the op
  int numAsked;    // questions about registers while ops are followed
  CuteCondition signs[CUTE_MAX_SIGNS]; // and about numbers, and the answers
  bool areKept[CUTE_MAX_SIGNS];
  int numSigns;
} CuteProver;

static inline int64_t cuteProverCountThreads(const CuteProver *prover) {
  const int64_t *size = prover->blockSize;
  return size[0] * size[1] * size[2];
}

// Makes symbols of the kernel's parameters, threads and blocks. False where the
// kernel's block size is unknown.
bool cuteWalkBegin(CuteProver *prover);

void cuteWalkKernel(CuteProver *prover);
void cuteWalkBlock(CuteProver *prover, MlirBlock block);

// Follows an op with regions; false for others.
bool cuteWalkControl(CuteProver *prover, MlirOperation op);

// Computes the results of an op of arith, or of the index of a thread; false
// for others.
bool cuteWalkInteger(CuteProver *prover, MlirOperation op);

// For each mode with a dynamic stride its factor in the offset; the modes with
// static strides have one together. In bytes.
typedef struct CuteCoordinates {
  CuteTerm modes[CUTE_MAX_MODES]; // null: a mode with a static stride
  CuteTerm rest;
} CuteCoordinates;

// Splits an offset by the strides of a tensor; false where they are not known.
bool cuteCoordinatesFind(CuteProver *prover, const CutePlace *place,
                         CuteTerm offset, CuteCoordinates *result);

// Lists what the op accesses, and follows pointers; false for others.
bool cuteWalkMemory(CuteProver *prover, MlirOperation op);

// Lays out the kernel's allocations of shared memory. False with a diagnostic.
bool cuteWalkPlanShared(CuteProver *prover);

// Lists an access whose place and offset are set, or that is through a pointer:
// null where its place is not known.
const CuteReach *cuteWalkList(CuteProver *prover, CuteReach like);
const CuteReach *cuteWalkReach(CuteProver *prover, MlirValue pointer,
                               CuteReach like);

// List what TMA copies, what tcgen05.mma reads and, after its name, what an
// instruction wgmma does.
void cuteWalkLoadBox(CuteProver *prover, MlirOperation op);
void cuteWalkStoreBox(CuteProver *prover, MlirOperation op);
void cuteWalkTensorProduct(CuteProver *prover, MlirOperation op);
void cuteWalkProduct(CuteProver *prover, MlirOperation op, const char *text);

// The global memory, or size, of a parameter; null: there is none.
CutePlace *cuteWalkFindArgument(const CuteProver *prover, size_t argument);
const CuteSymbol *cuteWalkFindSize(const CuteTerms *terms, const char *name);

// The allocation that an address in the block's shared memory is in: the last
// one to begin, of these the largest. Null: there is none.
CutePlace *cuteWalkFindShared(const CuteProver *prover, int64_t address);

CutePlace *cuteWalkAddPlace(CuteProver *prover, CutePlaceKind kind);

// Finds the grid in the kernel's attributes, or in its launches.
void cuteGridRead(CuteProver *prover);

#define CUTE_REASON_LAUNCH "a number of the launch that the kernel does not say"

// The number of blocks along a dimension, which may be a symbol of its own.
CuteTerm cuteGridCount(CuteProver *prover, int dimension);

// Begins a segment after a step from another one; not in a rehearsal.
void cuteWalkBeginSegment(CuteProver *prover, CuteStep step);
void cuteWalkAddStep(CuteProver *prover, CuteStep step);

// Begins a segment after an op that orders accesses; false for others.
bool cuteWalkOrder(CuteProver *prover, MlirOperation op);

// Tells whether there is such an op, or a load of TMA, in the regions of one.
bool cuteWalkHasOrder(MlirOperation op);

// The text of inline assembly, or the name of an intrinsic, which MLIR ends
// with a zero; empty for other ops.
const char *cuteWalkGetAssembly(MlirOperation op);

// The byte of the block's shared memory that a pointer leads to; null: not
// known.
CuteTerm cuteWalkGetShared(CuteProver *prover, MlirValue pointer);

// Forgets what registers hold that were stored to since there were `count`
// stores.
void cuteWalkForget(CuteProver *prover, size_t count);

//===-- Lanes -------------------------------------------------------------===//

// Notes under which condition what an op gives, a load from registers reads, or
// a store to them writes, is of registers that were written.
void cuteWalkFlow(CuteProver *prover, MlirOperation op);
void cuteWalkLoadLanes(CuteProver *prover, const CuteReach *reach,
                       MlirValue result);
void cuteWalkStoreLanes(CuteProver *prover, const CuteReach *reach,
                        MlirValue stored);

// Lists that an op needs all of a value.
void cuteWalkNeedValue(CuteProver *prover, MlirOperation op, MlirValue value);

// The result is one value or the other by the condition.
void cuteWalkJoinLanes(CuteProver *prover, MlirValue result,
                       CuteCondition condition, MlirValue a, MlirValue b);

// Before a loop's rehearsal, between that and its round, and after it.
void cuteWalkBeginLanes(CuteProver *prover, CuteLoopLanes *loop);
void cuteWalkTurnLanes(CuteProver *prover, CuteLoopLanes *loop);
void cuteWalkEndLanes(CuteProver *prover, CuteLoopLanes *loop);

static inline MlirValue cuteWalkGetYielded(MlirBlock block, intptr_t i) {
  return mlirOperationGetOperand(mlirBlockGetTerminator(block), i);
}

static inline bool cuteWalkIsCondition(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

//===-- Values ------------------------------------------------------------===//

CuteValue cuteWalkGet(CuteProver *prover, MlirValue value);
void cuteWalkSet(CuteProver *prover, MlirValue value, CuteValue known);

// An integer, or an opaque one.
CuteTerm cuteWalkGetTerm(CuteProver *prover, MlirValue value);
CuteTerm cuteWalkGetOperand(CuteProver *prover, MlirOperation op, intptr_t i);
CuteCondition cuteWalkGetCondition(CuteProver *prover, MlirValue value);

void cuteWalkSetTerm(CuteProver *prover, MlirValue value, CuteTerm term);
void cuteWalkSetResult(CuteProver *prover, MlirOperation op, CuteTerm term);
void cuteWalkSetCondition(CuteProver *prover, MlirValue value,
                          CuteCondition condition);

// Makes all integers and conditions among the op's results opaque.
void cuteWalkSetUnknown(CuteProver *prover, MlirOperation op,
                        const char *reason);

// An unknown value of the type, with the reason why it is unknown.
CuteValue cuteWalkUnknown(CuteProver *prover, MlirType type,
                          const char *reason);

// Tells whether a number is at least that wherever the path leads. isl is asked
// about a few numbers.
bool cuteWalkIsAtLeast(CuteProver *prover, CuteTerm a, int64_t least);

// The number of the thread in its warp.
CuteTerm cuteWalkGetLane(CuteProver *prover);

void cuteWalkAddBlindSpot(CuteProver *prover, CuteBlindSpot spot);

// Notes the memory that operands point to, except shared memory if that is
// followed. A tensor map leads to global memory whose bounds the hardware
// checks. A function may touch any memory.
void cuteWalkNoteBlindSpot(CuteProver *prover, MlirOperation op,
                           bool isFollowed);

// Notes that the op may touch any shared memory.
void cuteWalkDoubtShared(CuteProver *prover, MlirOperation op,
                         const char *reason);

// Notes that the op may touch any memory.
void cuteWalkGiveUp(CuteProver *prover, MlirOperation op, const char *reason);

// The value that is one or the other by the condition.
CuteValue cuteWalkChoose(CuteCondition condition, CuteValue a, CuteValue b);
