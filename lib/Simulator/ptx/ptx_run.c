#include "Simulator/ptx/ptx_program.h"

#include <stdlib.h>

// The slot of a number alone, -1, holds zero.
static uint64_t load(const CutePtxOperand *operand, const uint64_t *slots) {
  uint64_t value = operand->number + slots[operand->slot];
  return operand->isNegated ? !(value & 1) : value;
}

static void store(const CutePtxInstruction *i, const uint64_t *values,
                  uint64_t *slots) {
  for (unsigned k = 0; k < i->numResults; ++k)
    if (i->results[k] >= 0)
      slots[i->results[k]] = values[k];
}

static void loadOperands(const CutePtxInstruction *i, const uint64_t *slots,
                         uint64_t *values) {
  for (unsigned k = 0; k < i->numOperands; ++k)
    values[k] = load(&i->operands[k], slots);
}

// A result begins with its slot's value, for operations that add to it.
static void callOperation(const CutePtxInstruction *i, CuteSimPtxCall *call,
                          void *thread, uint64_t *slots) {
  uint64_t values[CUTE_PTX_MAX_VALUES];
  for (unsigned k = 0; k < i->numResults; ++k)
    values[k] = i->results[k] >= 0 ? slots[i->results[k]] : 0;
  loadOperands(i, slots, values + i->numResults);
  call(i->operation, thread, values);
  store(i, values, slots);
}

static void evaluate(const CutePtxInstruction *i, uint64_t *slots) {
  uint64_t in[8] = {0}, out[8] = {0};
  loadOperands(i, slots, in);
  i->form.evaluate(&i->form, in, out);
  store(i, out, slots);
}

static void runAll(const CuteSimPtx *program, CuteSimPtxCall *call,
                   void *thread, uint64_t *slots, CutePtxFlight *flight) {
  for (size_t at = 0; at < program->count;) {
    const CutePtxInstruction *i = &program->instructions[at++];
    if (i->guard >= 0 && (slots[i->guard] & 1) == i->isGuardNegated)
      continue;
    if (i->isReturn)
      return;
    if (flight->marks && i->early)
      cutePtxFlightFollow(flight, i,
                          i->numOperands ? load(i->operands, slots) : 0);
    if (i->target >= 0 && (size_t)i->target < at && program->tick)
      program->tick();
    if (i->target >= 0)
      at = (size_t)i->target;
    else if (i->operation)
      callOperation(i, call, thread, slots);
    else
      evaluate(i, slots);
  }
}

static bool areMarked(const CuteSimPtx *program) {
  return program->hasFlights && program->numSlots <= CUTE_PTX_MAX_FLIGHT_SLOTS;
}

// Takes the registers of the function's scope, or gives them back.
static void exchangeOuter(const CuteSimPtx *program, uint64_t *slots,
                          uint64_t *words, bool isBack) {
  for (size_t i = 0; i < program->numOuter; ++i) {
    CutePtxOuter o = program->outer[i];
    uint64_t *slot = slots + o.slot, *word = words + o.place;
    memcpy(isBack ? word : slot, isBack ? slot : word,
           (size_t)o.count * sizeof *slot);
  }
}

// Unwritten registers hold NaNs, as in LLVM IR.
enum { UNWRITTEN = 0xff };

void cuteSimPtxRun(const CuteSimPtx *program, CuteSimPtxCall *call,
                   void *thread, uint64_t *values) {
  uint64_t all[program->numSlots + 2], *slots = all + 1;
  size_t numValues = (size_t)program->numValues;
  all[0] = 0;
  memcpy(slots, values, numValues * sizeof *values);
  memset(slots + numValues, UNWRITTEN,
         ((size_t)program->numSlots - numValues) * sizeof *slots);
  uint64_t *words = NULL;
  if (program->numOuter)
    memcpy(&words, values + numValues, sizeof words);
  exchangeOuter(program, slots, words, false);
  for (int i = 0; i < program->numOutputs; ++i)
    if (program->ties[i] >= 0)
      slots[i] = values[program->ties[i]];
  CutePtxMark marks[areMarked(program) ? program->numSlots : 1];
  CutePtxFlight flight = {.program = program,
                          .call = call,
                          .thread = thread,
                          .marks = areMarked(program) ? marks : NULL};
  memset(marks, 0, sizeof marks);
  runAll(program, call, thread, slots, &flight);
  exchangeOuter(program, slots, words, true);
  memcpy(values, slots, (size_t)program->numOutputs * sizeof *values);
}

size_t cuteSimPtxGetFrame(const CuteSimPtx *program) {
  return (size_t)program->numSlots *
         (sizeof(uint64_t) + areMarked(program) * sizeof(CutePtxMark));
}

void cuteSimPtxDestroy(CuteSimPtx *program) {
  if (!program)
    return;
  for (size_t i = 0; i < program->count; ++i) {
    free(program->instructions[i].results);
    free(program->instructions[i].operands);
  }
  free(program->instructions);
  free(program->outer);
  free(program);
}
