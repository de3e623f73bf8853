// Registers that products of warpgroups may still read or write. Copies that
// moves make of a value count as one register, as ptxas makes them one.
#include "Simulator/ptx/ptx_program.h"
#include "Simulator/tensorcore/wgmma_checks.h"

static void report(const CutePtxFlight *flight, const CutePtxInstruction *i,
                   CuteSimEarly what, size_t slot) {
  const CutePtxInstruction *product =
      &flight->program->instructions[flight->marks[slot].product];
  uint64_t values[] = {what, (uintptr_t)product->early};
  flight->call(i->early, flight->thread, values);
}

// Tells whether the register that a value was moved from still has it.
static bool hasOrigin(const CutePtxMark *marks, const CutePtxMark *mark) {
  return mark->birth && mark->origin >= 0 &&
         marks[mark->origin].birth == mark->birth;
}

static void start(CutePtxFlight *flight, const CutePtxInstruction *i) {
  CutePtxMark *marks = flight->marks;
  uint32_t group = flight->committed + 1;
  uint32_t product = (uint32_t)(i - flight->program->instructions);
  for (unsigned k = 0; k < i->numResults; ++k)
    if (i->results[k] >= 0)
      marks[i->results[k]] =
          (CutePtxMark){group, 0, product, ++flight->births, -1};
  for (unsigned k = 0; k < i->numA; ++k)
    for (int slot = i->operands[k].slot; slot >= 0;
         slot = hasOrigin(marks, &marks[slot]) ? marks[slot].origin : -1)
      marks[slot].a = group, marks[slot].product = product;
}

// Checks what an instruction takes, and what it writes, where a move of sums
// gives no other register.
static void follow(CutePtxFlight *flight, const CutePtxInstruction *i) {
  CutePtxMark *marks = flight->marks;
  bool isMove = i->form.evaluate == cutePtxMove && i->numResults == 1 &&
                i->numOperands == 1 && i->operands->slot >= 0;
  CutePtxMark none = {.origin = -1};
  for (unsigned k = 0; k < i->numOperands; ++k) {
    int slot = i->operands[k].slot;
    if (!isMove && slot >= 0 && marks[slot].sums > flight->waited)
      report(flight, i, CUTE_SIM_READS_SUMS, (size_t)slot);
  }
  if (isMove) {
    none = marks[i->operands->slot];
    none.a = 0;
    if (!hasOrigin(marks, &none))
      none.origin = i->operands->slot;
  }
  for (unsigned k = 0; k < i->numResults; ++k) {
    int slot = i->results[k];
    if (slot < 0)
      continue;
    if (marks[slot].a > flight->waited)
      report(flight, i, CUTE_SIM_WRITES_A, (size_t)slot);
    else if (marks[slot].sums > flight->waited && none.sums <= flight->waited)
      report(flight, i, CUTE_SIM_WRITES_SUMS, (size_t)slot);
    marks[slot] = none;
    if (!isMove)
      marks[slot].birth = ++flight->births;
    if (none.origin == slot) // moved back
      marks[slot].origin = -1;
  }
}

void cutePtxFlightFollow(CutePtxFlight *flight, const CutePtxInstruction *i,
                         uint64_t pending) {
  if (i->flight == CUTE_PTX_PRODUCT)
    start(flight, i);
  else if (i->flight == CUTE_PTX_COMMIT)
    ++flight->committed;
  else if (i->flight == CUTE_PTX_NO_FLIGHT)
    follow(flight, i);
  else if (flight->committed - flight->waited > pending)
    flight->waited = flight->committed - (uint32_t)pending;
}
