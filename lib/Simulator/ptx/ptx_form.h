// Mnemonics of PTX taken apart, and the functions that evaluate them.
#pragma once

#include "Hardware/float_code.h"

typedef enum CutePtxKind {
  CUTE_PTX_NONE,
  CUTE_PTX_BITS,
  CUTE_PTX_UNSIGNED,
  CUTE_PTX_SIGNED,
  CUTE_PTX_FLOAT,
  CUTE_PTX_PREDICATE,
} CutePtxKind;

// A type such as .u32 or .f16x2.
typedef struct CutePtxType {
  const char *name;
  CutePtxKind kind;
  unsigned bits, count;    // of an element, and elements
  CuteElementType element; // of floats
} CutePtxType;

// The number of each flag, and the flags.
enum {
#define MODIFIER(flag, name) CUTE_PTX_BIT_##flag,
#define INTERNAL(flag) CUTE_PTX_BIT_##flag,
#include "hardware/ptx_modifier.def"
};

typedef enum CutePtxFlag {
#undef MODIFIER
#undef INTERNAL
#define MODIFIER(flag, name) CUTE_PTX_##flag = 1 << CUTE_PTX_BIT_##flag,
#define INTERNAL(flag) CUTE_PTX_##flag = 1 << CUTE_PTX_BIT_##flag,
#include "hardware/ptx_modifier.def"
} CutePtxFlag;

// Tells how two numbers compare; a comparison holds for some of these.
typedef enum CutePtxOrder {
  CUTE_PTX_LESS = 1 << 0,
  CUTE_PTX_EQUAL = 1 << 1,
  CUTE_PTX_GREATER = 1 << 2,
  CUTE_PTX_UNORDERED = 1 << 3, // one is NaN
} CutePtxOrder;

typedef struct CutePtxForm CutePtxForm;

// Computes the results of an instruction.
typedef void CutePtxEvaluate(const CutePtxForm *form, const uint64_t *in,
                             uint64_t *out);

struct CutePtxForm {
  CutePtxEvaluate *evaluate;
  const CutePtxType *type, *from; // of setp and cvt, from is that of operands
  unsigned flags;
  CuteRounding rounding;
  unsigned compare;    // of setp and set: CUTE_PTX_LESS, ...; or 0
  const char *combine; // "and", ..., or null
  const char *mode;    // of prmt, testp, vadd4, ..., or null
  unsigned numResults, numOperands;
};

// Defines an instruction that computes its result from the operands.
#define CUTE_PTX_EVALUATE(name, value)                                         \
  void name(const CutePtxForm *form, const uint64_t *in, uint64_t *out) {      \
    *out = value;                                                              \
  }

// Takes apart the mnemonic of an instruction that a thread executes on its own
// registers. False if it is none, or has a modifier that is not known.
bool cutePtxFindForm(CuteStringRef mnemonic, CutePtxForm *form);

// The type with this name, without its dot; null if there is none.
const CutePtxType *cutePtxFindType(CuteStringRef name);

//===-- Values ------------------------------------------------------------===//

static inline uint64_t cutePtxMask(unsigned bits) {
  return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static inline int64_t cutePtxSigned(uint64_t value, unsigned bits) {
  return (int64_t)(value << (64 - bits)) >> (64 - bits);
}

// The number of a float, subnormal ones as zero with .ftz.
double cutePtxNumber(const CutePtxForm *form, const CutePtxType *type,
                     uint64_t code);

// The code of a number, after .relu, .sat and .ftz.
uint64_t cutePtxCode(const CutePtxForm *form, const CutePtxType *type,
                     double value);

#define INTEGER(name, function, ...) CutePtxEvaluate function;
#define REAL(name, function, ...) CutePtxEvaluate function;
#include "hardware/ptx_instruction.def"
