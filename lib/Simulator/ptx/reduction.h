// Operations of atomics and reductions on a value in memory.
#pragma once

#include "Simulator/ptx/ptx_form.h"

typedef enum CuteSimReduction {
  CUTE_SIM_REDUCE_ADD,
  CUTE_SIM_REDUCE_MIN,
  CUTE_SIM_REDUCE_MAX,
  CUTE_SIM_REDUCE_INC,
  CUTE_SIM_REDUCE_DEC,
  CUTE_SIM_REDUCE_AND,
  CUTE_SIM_REDUCE_OR,
  CUTE_SIM_REDUCE_XOR,
  CUTE_SIM_REDUCE_EXCHANGE,
  CUTE_SIM_REDUCE_COMPARE, // and swap
} CuteSimReduction;

// By the name in PTX, "add", "exch", "cas", ...; false for others.
bool cuteSimReductionFind(CuteStringRef name, CuteSimReduction *reduction);

// The value of a type after the operation; `swap` is of cas alone, whose
// operand is compared. Sums of halves are of each.
uint64_t cuteSimReduce(CuteSimReduction reduction, const CutePtxType *type,
                       uint64_t old, uint64_t operand, uint64_t swap);

// Does it to the value at a place, at once as other threads of the host see it;
// gives the value before.
uint64_t cuteSimReduceAt(CuteSimReduction reduction, const CutePtxType *type,
                         void *place, uint64_t operand, uint64_t swap);
