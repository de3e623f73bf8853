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

typedef enum CutePtxFlag {
  CUTE_PTX_FTZ = 1 << 0,
  CUTE_PTX_SAT = 1 << 1,
  CUTE_PTX_APPROX = 1 << 2,
  CUTE_PTX_LO = 1 << 3,
  CUTE_PTX_HI = 1 << 4,
  CUTE_PTX_WIDE = 1 << 5,
  CUTE_PTX_RELU = 1 << 6,
  CUTE_PTX_SATFINITE = 1 << 7,
  CUTE_PTX_NAN = 1 << 8,
  CUTE_PTX_WRAP = 1 << 9,
  CUTE_PTX_CLAMP = 1 << 10,
  CUTE_PTX_LEFT = 1 << 11,
  CUTE_PTX_RIGHT = 1 << 12,
  CUTE_PTX_TO_INTEGER = 1 << 13, // .rni, .rzi, .rmi, .rpi
  CUTE_PTX_SHIFT_AMOUNT = 1 << 14,
  CUTE_PTX_FULL = 1 << 15,
  CUTE_PTX_ROUNDED = 1 << 16,   // a rounding is written
  CUTE_PTX_CARRY_OUT = 1 << 17, // .cc
  CUTE_PTX_CARRY_IN = 1 << 18,  // addc, subc, madc
  CUTE_PTX_SUM = 1 << 19,       // .add of vadd4, vabsdiff4, ...
  CUTE_PTX_TWO_TYPES = 1 << 20, // the operands' type is named, too
} CutePtxFlag;

typedef struct CutePtxForm CutePtxForm;

// Computes the results of an instruction.
typedef void CutePtxEvaluate(const CutePtxForm *form, const uint64_t *in,
                             uint64_t *out);

struct CutePtxForm {
  CutePtxEvaluate *evaluate;
  const CutePtxType *type, *from; // of setp and cvt, from is that of operands
  unsigned flags;
  CuteRounding rounding;
  const char *compare, *combine; // of setp and set: "lt", "and"; or null
  const char *mode;              // of prmt, testp, vadd4, ..., or null
  unsigned numResults, numOperands;
};

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
#undef INTEGER
#undef REAL
