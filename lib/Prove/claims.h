// Claims about a kernel for every size, and what becomes of them.
#pragma once

#include "Prove/walk.h"

typedef enum CuteClaim {
#define CLAIM(claim, rule, holds, fails) CUTE_CLAIM_##claim,
#include "Prove/claims.def"
  CUTE_NUM_CLAIMS
} CuteClaim;

typedef enum CuteOutcome {
  CUTE_OUTCOME_NONE, // there is nothing to claim
  CUTE_OUTCOME_PROVED,
  CUTE_OUTCOME_REFUTED,
  CUTE_OUTCOME_UNDECIDED,
} CuteOutcome;

// A contract of the kernel's caller: large >= small + more, or large == small,
// or, if small is null, more divides large.
typedef struct CuteContract {
  const CuteSymbol *large, *small;
  bool isEqual;
  int64_t more;
} CuteContract;

enum { CUTE_MAX_CONTRACTS = 32 };

typedef struct CuteVerdict {
  CuteOutcome outcome;
  MlirOperation op;         // refuted or undecided: the access
  const char *reason;       // undecided: why
  CuteString command, said; // refuted: what shows it, and what that prints
  CutePoint point;
  size_t contracts; // that the claim was the first to rely on, at the end
} CuteVerdict;

// A run that shows a mistake: of these arguments and this grid.
typedef struct CuteWitness {
  const char *kernel;   // null: the module has no other
  CuteString arguments; // each in single quotes
  int64_t grid[3];      // 0: as the kernel says
  MlirOperation op;
  bool isElsewhere;     // another op may show it
  const char *checks;   // that show it; null: all runs do
  const char *expected; // a part of what the simulator says; null: that
                        // something was not written before it was read
  int64_t argument;     // of the tensor in global memory; -1: none
} CuteWitness;

// Runs the kernel on the simulator, if it has not been run often; true if that
// says what is expected of the op. The command and what it printed are
// appended.
typedef bool CuteConfirm(void *data, const CuteWitness *witness,
                         CuteString *command, CuteString *said);

typedef struct CuteClaims {
  CuteProver *prover;
  CuteProver *plain; // of the kernel before its passes; null: there is none
  CuteSolver *solver;
  CuteConfirm *confirm;
  void *confirmData;
  bool isOnly; // the module has no other kernel
  CuteContract contracts[CUTE_MAX_CONTRACTS];
  size_t numContracts;
  CuteVerdict verdicts[CUTE_NUM_CLAIMS];
  bool mayStray;  // a store to global memory may be out of bounds
  int numGuesses; // runs at points that are not exact
} CuteClaims;

// Decides all claims about a kernel that was followed.
void cuteClaimsDecide(CuteClaims *claims);
void cuteClaimsDestroy(CuteClaims *claims);

// Decides whether each access lies within its memory, or is aligned.
void cuteClaimAccesses(CuteClaims *claims, CuteClaim claim);

// Decides whether no two threads of the grid write one element of a tensor in
// global memory, by plain stores.
void cuteClaimOneWriter(CuteClaims *claims);

// Decides whether every element of each tensor that is stored to is written.
void cuteClaimCoverage(CuteClaims *claims);

// Decides whether the kernel writes the elements, or reads none but those, that
// it does before its passes.
void cuteClaimFootprint(CuteClaims *claims, CuteClaim claim);

// Decides whether no two threads race in shared memory, and if so, whether all
// that is read there was written.
void cuteClaimRaces(CuteClaims *claims);
void cuteClaimReads(CuteClaims *claims);

// Tells whether a goal, which is a way to go wrong, may hold at an access. Adds
// a contract where that rules it out.
bool cuteClaimMayFail(CuteClaims *claims, const CuteReach *reach,
                      CuteCondition goal);

// The condition that the launch, the types and all contracts make sure of.
CuteCondition cuteClaimGetContracts(CuteClaims *claims);

// Tells whether a contract rules a violation out.
bool cuteContractRulesOut(CuteClaims *claims, CuteCondition violation,
                          CuteContract contract);
void cuteClaimAddContract(CuteClaims *claims, CuteContract contract);

// Shows that it does, when all contracts are known, or notes that this is not
// decided.
void cuteClaimAccuse(CuteClaims *claims, CuteVerdict *verdict,
                     const CuteReach *reach, CuteCondition goal,
                     const char *expected);

#define CUTE_REASON_STRAYS "an access that may be out of bounds"

void cuteVerdictDoubt(CuteVerdict *verdict, MlirOperation op,
                      const char *reason);

// Doubts it at the ops that are not followed and touch memory of some kinds, a
// bit for each; of CUTE_PLACE_MAP: that store to global memory within bounds.
void cuteVerdictDoubtBlindSpots(CuteClaims *claims, CuteVerdict *verdict,
                                unsigned kinds);

// Notes that the claim applies to the kernel.
void cuteVerdictClaim(CuteVerdict *verdict);

// Tells whether sizes are extents of the same mode in two tensors.
bool cuteWitnessIsAlike(const CuteSymbol *a, const CuteSymbol *b);

// Appends how to run the kernel with the sizes of a point. False for parameters
// that the simulator's command line cannot give.
bool cuteWitnessAppendArguments(CuteClaims *claims, const CutePoint *point,
                                CuteString *arguments);
