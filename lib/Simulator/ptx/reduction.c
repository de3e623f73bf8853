#include "Simulator/ptx/reduction.h"
#include "Support/text.h"

static const char *const names[] = {"add", "min", "max", "inc",  "dec",
                                    "and", "or",  "xor", "exch", "cas"};

bool cuteSimReductionFind(CuteStringRef name, CuteSimReduction *reduction) {
  for (int i = 0; i <= CUTE_SIM_REDUCE_COMPARE; ++i)
    if (cuteTextEquals(name, names[i])) {
      *reduction = (CuteSimReduction)i;
      return true;
    }
  return false;
}

static CutePtxEvaluate *evaluatorOf(CuteSimReduction reduction,
                                    const CutePtxType *type) {
  bool isFloat = type->kind == CUTE_PTX_FLOAT;
  switch (reduction) {
  case CUTE_SIM_REDUCE_ADD:
    return isFloat ? cutePtxAddFloat : cutePtxAddInteger;
  case CUTE_SIM_REDUCE_MIN:
    return isFloat ? cutePtxMinFloat : cutePtxMinInteger;
  case CUTE_SIM_REDUCE_MAX:
    return isFloat ? cutePtxMaxFloat : cutePtxMaxInteger;
  case CUTE_SIM_REDUCE_AND:
    return cutePtxAnd;
  case CUTE_SIM_REDUCE_OR:
    return cutePtxOr;
  default:
    return cutePtxXor;
  }
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
    evaluatorOf(reduction, type)(&form, in, &result);
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
