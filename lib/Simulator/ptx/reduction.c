#include "Simulator/ptx/reduction.h"
#include "Support/text.h"

// By CuteSimReduction: names, and functions if they are instructions, too.
static const struct {
  const char *name;
  CutePtxEvaluate *integer, *real;
} rows[] = {{"add", cutePtxAddInteger, cutePtxAddFloat},
            {"min", cutePtxMinInteger, cutePtxMinFloat},
            {"max", cutePtxMaxInteger, cutePtxMaxFloat},
            {"inc", NULL, NULL},
            {"dec", NULL, NULL},
            {"and", cutePtxAnd, cutePtxAnd},
            {"or", cutePtxOr, cutePtxOr},
            {"xor", cutePtxXor, cutePtxXor},
            {"exch", NULL, NULL},
            {"cas", NULL, NULL}};

bool cuteSimReductionFind(CuteStringRef name, CuteSimReduction *reduction) {
  for (int i = 0; i <= CUTE_SIM_REDUCE_COMPARE; ++i)
    if (cuteTextEquals(name, rows[i].name)) {
      *reduction = (CuteSimReduction)i;
      return true;
    }
  return false;
}

uint64_t cuteSimReduce(CuteSimReduction reduction, const CutePtxType *type,
                       uint64_t old, uint64_t operand, uint64_t swap) {
  CutePtxForm form = {.type = type,
                      .from = type,
                      .numOperands = 2,
                      .rounding = CUTE_ROUND_NEAREST_EVEN};
  uint64_t mask = cutePtxMask(type->bits * type->count);
  uint64_t in[2] = {old, operand}, result;
  old &= mask;
  operand &= mask;
  switch (reduction) {
  case CUTE_SIM_REDUCE_INC:
    return old >= operand ? 0 : old + 1;
  case CUTE_SIM_REDUCE_DEC:
    return old == 0 || old > operand ? operand : old - 1;
  case CUTE_SIM_REDUCE_EXCHANGE:
    return operand;
  case CUTE_SIM_REDUCE_COMPARE:
    return old == operand ? swap & mask : old;
  default:
    (type->kind == CUTE_PTX_FLOAT
         ? rows[reduction].real
         : rows[reduction].integer)(&form, in, &result);
    return result;
  }
}

#define REDUCE_AT(name, word)                                                  \
  static uint64_t name(CuteSimReduction reduction, const CutePtxType *type,    \
                       void *place, uint64_t operand, uint64_t swap) {         \
    word old = __atomic_load_n((word *)place, __ATOMIC_SEQ_CST), next;         \
    do                                                                         \
      next = (word)cuteSimReduce(reduction, type, old, operand, swap);         \
    while (!__atomic_compare_exchange_n((word *)place, &old, next, false,      \
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));  \
    return old;                                                                \
  }

REDUCE_AT(reduceByte, uint8_t)
REDUCE_AT(reduceHalf, uint16_t)
REDUCE_AT(reduceWord, uint32_t)
REDUCE_AT(reduceDouble, uint64_t)
#undef REDUCE_AT

uint64_t cuteSimReduceAt(CuteSimReduction reduction, const CutePtxType *type,
                         void *place, uint64_t operand, uint64_t swap) {
  switch (type->bits * type->count) {
  case 8:
    return reduceByte(reduction, type, place, operand, swap);
  case 16:
    return reduceHalf(reduction, type, place, operand, swap);
  case 32:
    return reduceWord(reduction, type, place, operand, swap);
  default:
    return reduceDouble(reduction, type, place, operand, swap);
  }
}
