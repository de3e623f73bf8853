// A program of inline PTX after parsing: instructions on slots of 64 bits.
#pragma once

#include "Simulator/ptx/ptx.h"
#include "Simulator/ptx/ptx_form.h"

enum {
  CUTE_PTX_MAX_FLIGHT_SLOTS = 1 << 14, // programs with more are not checked
  CUTE_PTX_MAX_OPERANDS = 1024,        // of the text; tied ones count twice
  CUTE_PTX_MAX_SLOTS = 1 << 15,        // these and the text's registers
  CUTE_PTX_MAX_NAMES = 1280,           // of registers, that are known at a time
  CUTE_PTX_MAX_VALUES = 300, // results and operands of one instruction
};

// An operand: a slot, a number, or an address of both.
typedef struct CutePtxOperand {
  int slot; // -1: the number alone
  bool isNegated;
  int more;        // slots after it, of a register of 128 bits or a vector
  uint64_t number; // added to the slot's value
} CutePtxOperand;

// The part of an instruction in the flight of registers.
typedef enum CutePtxFlightKind {
  CUTE_PTX_NO_FLIGHT,
  CUTE_PTX_PRODUCT,
  CUTE_PTX_COMMIT,
  CUTE_PTX_WAIT,
} CutePtxFlightKind;

typedef struct CutePtxInstruction {
  int guard; // the slot of a predicate, or -1
  bool isGuardNegated;
  int target; // of a branch: the instruction it leads to; else -1
  bool isReturn, hasPredicate; // among the operands
  unsigned numAddresses;       // of those, in brackets
  void *operation;             // of the machine, or null
  CutePtxForm form;
  unsigned numResults, numOperands;
  int *results; // slots; -1: nobody takes it
  CutePtxOperand *operands;
  CutePtxFlightKind flight;
  unsigned numA; // registers of a product, the first operands
  void *early;   // reports one that is in flight; null: not looked for
} CutePtxInstruction;

// Slots whose values the function's scope keeps, from `place` on.
typedef struct CutePtxOuter {
  int slot, place, count;
} CutePtxOuter;

struct CuteSimPtx {
  CutePtxInstruction *instructions;
  size_t count;
  void (*tick)(void);
  int numValues, numSlots;
  int ties[CUTE_PTX_MAX_OPERANDS]; // of an output: the input that begins in it,
                                   // -1
  int numOutputs;
  CutePtxOuter *outer;
  size_t numOuter;
  bool hasFlights;
};

//===-- Registers in flight -----------------------------------------------===//

// The groups, from 1, whose product last wrote the register, or reads it as A;
// the product, and the number of its value, which moves keep, and the register
// that they moved it from, or -1.
typedef struct CutePtxMark {
  uint32_t sums, a, product, birth;
  int origin;
} CutePtxMark;

typedef struct CutePtxFlight {
  const CuteSimPtx *program;
  CuteSimPtxCall *call;
  void *thread;
  CutePtxMark *marks; // of slots
  uint32_t committed, waited, births;
} CutePtxFlight;

// Follows an instruction before it is executed; a wait leaves `pending` groups.
void cutePtxFlightFollow(CutePtxFlight *flight, const CutePtxInstruction *i,
                         uint64_t pending);
