// Follows a kernel that was lowered to arith, scf, llvm and nvvm, for all
// sizes, blocks and threads at once: integers become terms, what guards an op a
// condition, and accesses to memory are listed.
//
// A loop is followed once, for the round whose number is a symbol. What it
// carries is a term of that number where each round adds the same or goes round
// a ring, and opaque otherwise.
#pragma once

#include "Conversion/conversion.h"
#include "IR/dialect.h"
#include "Prove/condition.h"

typedef enum CutePlaceKind {
  CUTE_PLACE_GLOBAL,   // what a parameter points to
  CUTE_PLACE_SHARED,   // an allocation, or all of a block's
  CUTE_PLACE_REGISTER, // an llvm.alloca
  CUTE_NUM_PLACES
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
  const CuteSymbol *symbol; // the number of the round; null: unknown
  CuteInterval trips;       // how many rounds there are
  bool isCut;               // its body begins segments
  int64_t first, period;    // rounds from `first` on repeat; 0: there are none
} CuteRound;

typedef enum CuteStepKind {
  CUTE_STEP_FLOW,    // control flow joins or parts
  CUTE_STEP_BACK,    // to the next round
  CUTE_STEP_BARRIER, // of all threads
  CUTE_STEP_COMMIT,  // a group of cp.async ends
  CUTE_STEP_WAIT,    // until no more than `groups` of them are in flight
} CuteStepKind;

// From one segment, a part of the kernel without barriers, to another.
typedef struct CuteStep {
  size_t from, to;
  CuteStepKind kind;
  int64_t groups;
} CuteStep;

typedef struct CuteReach {
  MlirOperation op;
  CutePlace *place;
  CuteTerm offset; // in bytes
  int64_t bytes;
  int64_t align; // that the instruction needs
  bool isStore, isAtomic, isAsync;
  CuteCondition path;
  CuteRound *rounds; // from the innermost loop on
  size_t segment;
} CuteReach;

// Registers that were stored to.
typedef struct CuteStore {
  CutePlace *place;
  int64_t offset, bytes;
} CuteStore;

// An op that touches memory in a way that is not followed.
typedef struct CuteBlindSpot {
  MlirOperation op;
  const char *reason;
  bool touches[CUTE_NUM_PLACES]; // memory of these kinds
  bool storesTiles;              // to global memory, within bounds
} CuteBlindSpot;

typedef struct CuteProver {
  CuteDialect *dialect;
  MlirOperation typed, kernel; // before and after it was lowered
  CuteTerms terms;
  CutePointerMap values; // MlirValue -> CuteValue
  CuteCondition path;
  CuteCondition launch; // what the launch makes sure of
  CuteSymbol *block[3], *thread[3];
  const int64_t
      *launched;    // the grid of the module's launches; below 1: unknown
  CuteTerm grid[3]; // null: whoever launches the kernel chooses
  int64_t blockSize[3];
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
  CuteRound **segments; // the loops that each is in
  size_t numSegments, segmentCapacity, segment;
  size_t numCuts; // barriers, commits and waits so far
  int conditions; // that threads may differ in, around the op
} CuteProver;

// Makes symbols of the kernel's parameters, threads and blocks. False where the
// kernel's block size is unknown.
bool cuteWalkBegin(CuteProver *prover);

// Follows the kernel's ops.
void cuteWalkKernel(CuteProver *prover);
void cuteWalkBlock(CuteProver *prover, MlirBlock block);

// Follows an op with regions; false for others.
bool cuteWalkControl(CuteProver *prover, MlirOperation op);

// Computes the results of an op of arith, or of the index of a thread; false
// for others.
bool cuteWalkInteger(CuteProver *prover, MlirOperation op);

// Lists what the op accesses, and follows pointers; false for others.
bool cuteWalkMemory(CuteProver *prover, MlirOperation op);

// Lays out the kernel's allocations of shared memory. False with a diagnostic.
bool cuteWalkPlanShared(CuteProver *prover);

CutePlace *cuteWalkAddPlace(CuteProver *prover, CutePlaceKind kind);

// Finds the grid in the kernel's attributes.
void cuteGridRead(CuteProver *prover);

// Begins a segment after another one; not in a rehearsal.
void cuteWalkBeginSegment(CuteProver *prover, size_t after, CuteStepKind kind,
                          int64_t groups);
void cuteWalkAddStep(CuteProver *prover, CuteStep step);

// Forgets what registers hold that were stored to since there were `count`
// stores.
void cuteWalkForget(CuteProver *prover, size_t count);

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

// A value of that type of which only the reason is known why it is not.
CuteValue cuteWalkUnknown(CuteProver *prover, MlirType type,
                          const char *reason);

// The number of the thread in its warp.
CuteTerm cuteWalkGetLane(CuteProver *prover);

void cuteWalkAddBlindSpot(CuteProver *prover, CuteBlindSpot spot);

// Notes that the op may touch any memory.
void cuteWalkGiveUp(CuteProver *prover, MlirOperation op, const char *reason);

// The value that is one or the other by the condition.
CuteValue cuteWalkChoose(CuteProver *prover, CuteCondition condition,
                         CuteValue a, CuteValue b);
