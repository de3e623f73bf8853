#include "Simulator/ptx/ptx_form.h"
#include "Support/text.h"

static const CutePtxType types[] = {
#define BITS(label, n)                                                         \
  { label, CUTE_PTX_BITS, n, 1, CUTE_ELEMENT_I1 }
#define UNSIGNED(label, n)                                                     \
  { label, CUTE_PTX_UNSIGNED, n, 1, CUTE_ELEMENT_I1 }
#define SIGNED(label, n)                                                       \
  { label, CUTE_PTX_SIGNED, n, 1, CUTE_ELEMENT_I1 }
#define FLOAT(label, n, count, type)                                           \
  { label, CUTE_PTX_FLOAT, n, count, CUTE_ELEMENT_##type }
    {"pred", CUTE_PTX_PREDICATE, 1, 1, CUTE_ELEMENT_I1},
    BITS("b8", 8),
    BITS("b16", 16),
    BITS("b32", 32),
    BITS("b64", 64),
    UNSIGNED("u8", 8),
    UNSIGNED("u16", 16),
    UNSIGNED("u32", 32),
    UNSIGNED("u64", 64),
    SIGNED("s8", 8),
    SIGNED("s16", 16),
    SIGNED("s32", 32),
    SIGNED("s64", 64),
    FLOAT("f16", 16, 1, F16),
    FLOAT("bf16", 16, 1, BF16),
    FLOAT("f32", 32, 1, F32),
    FLOAT("f64", 64, 1, F64),
    FLOAT("tf32", 32, 1, TF32),
    FLOAT("f16x2", 16, 2, F16),
    FLOAT("bf16x2", 16, 2, BF16),
    FLOAT("f32x2", 32, 2, F32),
    FLOAT("e4m3x2", 8, 2, F8E4M3),
    FLOAT("e5m2x2", 8, 2, F8E5M2),
    FLOAT("e2m3x2", 8, 2, F6E2M3),
    FLOAT("e3m2x2", 8, 2, F6E3M2),
    FLOAT("e2m1x2", 4, 2, F4E2M1),
    FLOAT("ue8m0x2", 8, 2, F8E8M0),
#undef BITS
#undef UNSIGNED
#undef SIGNED
#undef FLOAT
};

const CutePtxType *cutePtxFindType(CuteStringRef name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    if (cuteTextEquals(name, types[i].name))
      return &types[i];
  return NULL;
}

//===-- Modifiers ---------------------------------------------------------===//

static const struct {
  const char *name;
  unsigned flag;
} flags[] = {{"ftz", CUTE_PTX_FTZ},       {"sat", CUTE_PTX_SAT},
             {"approx", CUTE_PTX_APPROX}, {"lo", CUTE_PTX_LO},
             {"hi", CUTE_PTX_HI},         {"wide", CUTE_PTX_WIDE},
             {"relu", CUTE_PTX_RELU},     {"satfinite", CUTE_PTX_SATFINITE},
             {"NaN", CUTE_PTX_NAN},       {"wrap", CUTE_PTX_WRAP},
             {"clamp", CUTE_PTX_CLAMP},   {"l", CUTE_PTX_LEFT},
             {"r", CUTE_PTX_RIGHT},       {"shiftamt", CUTE_PTX_SHIFT_AMOUNT},
             {"full", CUTE_PTX_FULL},     {"cc", CUTE_PTX_CARRY_OUT},
             {"add", CUTE_PTX_SUM}};

static const struct {
  const char *name;
  CuteRounding rounding;
} roundings[] = {{"rn", CUTE_ROUND_NEAREST_EVEN},
                 {"rna", CUTE_ROUND_NEAREST_AWAY},
                 {"rz", CUTE_ROUND_TO_ZERO},
                 {"rm", CUTE_ROUND_DOWN},
                 {"rp", CUTE_ROUND_UP}};

static const char *const comparisons[] = {
    "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi", "hs",
    "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan", NULL};
static const char *const combinations[] = {"and", "or", "xor", NULL};
static const char *const modes[] = {"f4e", "b4e",  "rc8", "ecl",
                                    "ecr", "rc16", NULL};

static const char *const classes[] = {
    "finite", "infinite", "number", "notanumber", "normal", "subnormal", NULL};

static const char *const videos[] = {
    "vadd2",     "vadd4", "vsub2", "vsub4", "vavrg2", "vavrg4", "vabsdiff2",
    "vabsdiff4", "vmin2", "vmin4", "vmax2", "vmax4",  NULL};

static const char *findWord(const char *const *words, CuteStringRef word) {
  for (; *words; ++words)
    if (cuteTextEquals(word, *words))
      return *words;
  return NULL;
}

static bool takeRounding(CutePtxForm *form, CuteStringRef word) {
  bool toInteger = word.length == 3 && word.data[2] == 'i';
  CuteStringRef name = {word.data, word.length - toInteger};
  for (size_t i = 0; i < sizeof roundings / sizeof *roundings; ++i)
    if (cuteTextEquals(name, roundings[i].name)) {
      form->rounding = roundings[i].rounding;
      form->flags |= CUTE_PTX_ROUNDED | (toInteger ? CUTE_PTX_TO_INTEGER : 0);
      return true;
    }
  return false;
}

static bool takeFlag(CutePtxForm *form, CuteStringRef word) {
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
    if (cuteTextEquals(word, flags[i].name)) {
      form->flags |= flags[i].flag;
      return true;
    }
  return takeRounding(form, word);
}

// The first type is that of the result, the second that of operands; the third
// one of a video instruction has to be the same.
static bool takeType(CutePtxForm *form, CuteStringRef word) {
  const CutePtxType *type = cutePtxFindType(word);
  if (type && type == form->from && form->evaluate == cutePtxVideo)
    return true;
  if (!type || (form->type && form->from))
    return false;
  *(form->type ? &form->from : &form->type) = type;
  return true;
}

// Modifiers of set and setp, of prmt and testp, and of all others.
static bool takeModifier(CutePtxForm *form, CuteStringRef base,
                         CuteStringRef word) {
  bool isSet = cuteTextEquals(base, "setp") || cuteTextEquals(base, "set");
  if (isSet && !form->compare)
    return (form->compare = findWord(comparisons, word));
  if (isSet && !form->combine && !form->type &&
      (form->combine = findWord(combinations, word)))
    return true;
  if (cuteTextEquals(base, "prmt") && !form->mode &&
      (form->mode = findWord(modes, word)))
    return true;
  if (cuteTextEquals(base, "testp") && !form->mode)
    return (form->mode = findWord(classes, word));
  return takeType(form, word) || takeFlag(form, word);
}

//===-- Instructions ------------------------------------------------------===//

// Functions for integers and bits, and for floats; modifiers that the
// instruction takes beside .ftz and roundings, which only floats have.
static const struct {
  const char *name;
  CutePtxEvaluate *integer, *real;
  unsigned numOperands, flags;
} instructions[] = {
    {"mov", cutePtxMove, cutePtxMove, 1, 0},
    {"add", cutePtxAddInteger, cutePtxAddFloat, 2, CUTE_PTX_SAT},
    {"sub", cutePtxSubInteger, cutePtxSubFloat, 2, CUTE_PTX_SAT},
    {"mul", cutePtxMulInteger, cutePtxMulFloat, 2,
     CUTE_PTX_SAT | CUTE_PTX_LO | CUTE_PTX_HI | CUTE_PTX_WIDE},
    {"mad", cutePtxMadInteger, cutePtxFmaFloat, 3,
     CUTE_PTX_SAT | CUTE_PTX_LO | CUTE_PTX_HI | CUTE_PTX_WIDE},
    {"fma", NULL, cutePtxFmaFloat, 3, CUTE_PTX_SAT | CUTE_PTX_RELU},
    {"div", cutePtxDivInteger, cutePtxDivFloat, 2,
     CUTE_PTX_APPROX | CUTE_PTX_FULL},
    {"addc", cutePtxAddCarry, NULL, 2, 0},
    {"subc", cutePtxSubCarry, NULL, 2, 0},
    {"madc", cutePtxMadCarry, NULL, 3, CUTE_PTX_LO | CUTE_PTX_HI},
    {"rem", cutePtxRemInteger, NULL, 2, 0},
    {"abs", cutePtxAbsInteger, cutePtxAbsFloat, 1, 0},
    {"neg", cutePtxNegInteger, cutePtxNegFloat, 1, 0},
    {"min", cutePtxMinInteger, cutePtxMinFloat, 2,
     CUTE_PTX_NAN | CUTE_PTX_RELU},
    {"max", cutePtxMaxInteger, cutePtxMaxFloat, 2,
     CUTE_PTX_NAN | CUTE_PTX_RELU},
    {"sad", cutePtxSad, NULL, 3, 0},
    {"and", cutePtxAnd, NULL, 2, 0},
    {"or", cutePtxOr, NULL, 2, 0},
    {"xor", cutePtxXor, NULL, 2, 0},
    {"not", cutePtxNot, NULL, 1, 0},
    {"cnot", cutePtxCnot, NULL, 1, 0},
    {"shl", cutePtxShl, NULL, 2, 0},
    {"shr", cutePtxShr, NULL, 2, 0},
    {"shf", cutePtxShf, NULL, 3,
     CUTE_PTX_LEFT | CUTE_PTX_RIGHT | CUTE_PTX_WRAP | CUTE_PTX_CLAMP},
    {"bfe", cutePtxBfe, NULL, 3, 0},
    {"bfi", cutePtxBfi, NULL, 4, 0},
    {"bfind", cutePtxBfind, NULL, 1, CUTE_PTX_SHIFT_AMOUNT},
    {"brev", cutePtxBrev, NULL, 1, 0},
    {"popc", cutePtxPopc, NULL, 1, 0},
    {"clz", cutePtxClz, NULL, 1, 0},
    {"prmt", cutePtxPrmt, NULL, 3, 0},
    {"lop3", cutePtxLop3, NULL, 4, 0},
    {"setp", cutePtxSetp, cutePtxSetp, 2, 0},
    {"set", cutePtxSet, cutePtxSet, 2, 0},
    {"selp", cutePtxSelp, cutePtxSelp, 3, 0},
    {"dp4a", cutePtxDp4a, NULL, 3, 0},
    {"dp2a", cutePtxDp2a, NULL, 3, CUTE_PTX_LO | CUTE_PTX_HI},
    {"mul24", cutePtxMul24, NULL, 2, CUTE_PTX_LO | CUTE_PTX_HI},
    {"mad24", cutePtxMad24, NULL, 3, CUTE_PTX_LO | CUTE_PTX_HI | CUTE_PTX_SAT},
    {"bmsk", cutePtxBmsk, NULL, 2, CUTE_PTX_WRAP | CUTE_PTX_CLAMP},
    {"szext", cutePtxSzext, NULL, 2, CUTE_PTX_WRAP | CUTE_PTX_CLAMP},
    {"slct", cutePtxSlct, cutePtxSlct, 3, 0},
    {"rcp", NULL, cutePtxRcp, 1, CUTE_PTX_APPROX},
    {"sqrt", NULL, cutePtxSqrt, 1, CUTE_PTX_APPROX},
    {"rsqrt", NULL, cutePtxRsqrt, 1, CUTE_PTX_APPROX},
    {"ex2", NULL, cutePtxEx2, 1, CUTE_PTX_APPROX},
    {"lg2", NULL, cutePtxLg2, 1, CUTE_PTX_APPROX},
    {"sin", NULL, cutePtxSin, 1, CUTE_PTX_APPROX},
    {"cos", NULL, cutePtxCos, 1, CUTE_PTX_APPROX},
    {"tanh", NULL, cutePtxTanh, 1, CUTE_PTX_APPROX},
    {"testp", NULL, cutePtxTestp, 1, 0},
    {"copysign", NULL, cutePtxCopysign, 2, 0},
    {"cvt", cutePtxConvert, cutePtxConvert, 1,
     CUTE_PTX_SAT | CUTE_PTX_RELU | CUTE_PTX_SATFINITE | CUTE_PTX_TO_INTEGER},
};

// Operands depend on the form for setp and set with a combination, and cvt to
// pairs of f32.
static void countOperands(CutePtxForm *form) {
  form->numResults = 1;
  form->numOperands += form->combine != NULL;
  form->most = form->numOperands;
  if (form->evaluate == cutePtxConvert && form->type->count == 2 &&
      form->from->count == 1)
    form->most = form->numOperands = 2;
}

static bool hasTypes(const CutePtxForm *form, CuteStringRef base) {
  if (form->evaluate == cutePtxVideo)
    return form->from && form->type->bits == 32 && form->from->bits == 32 &&
           form->type->kind != CUTE_PTX_FLOAT &&
           form->from->kind != CUTE_PTX_FLOAT;
  if (cuteTextEquals(base, "testp") &&
      (!form->mode || !form->type || form->type->bits < 32 ||
       form->type->count > 1))
    return false;
  bool needsTwo = cuteTextEquals(base, "cvt") || cuteTextEquals(base, "set") ||
                  cuteTextEquals(base, "dp4a") ||
                  cuteTextEquals(base, "dp2a") || cuteTextEquals(base, "slct");
  return form->type && (!needsTwo || form->from);
}

// Integers' add.cc, sub.cc and mad.cc, and what takes their carry.
static bool selectCarry(CutePtxForm *form) {
  static const struct {
    CutePtxEvaluate *plain, *carry;
  } rows[] = {{cutePtxAddInteger, cutePtxAddCarry},
              {cutePtxSubInteger, cutePtxSubCarry},
              {cutePtxMadInteger, cutePtxMadCarry}};
  bool isOut = form->flags & CUTE_PTX_CARRY_OUT;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (form->evaluate == rows[i].carry)
      form->flags |= CUTE_PTX_CARRY_IN;
    else if (isOut && form->evaluate == rows[i].plain)
      form->evaluate = rows[i].carry;
    else
      continue;
    return form->type->bits >= 32 && !(form->flags & CUTE_PTX_SAT);
  }
  return !isOut;
}

static bool selectInstruction(CutePtxForm *form, CuteStringRef base) {
  unsigned general = CUTE_PTX_FTZ | CUTE_PTX_ROUNDED;
  if (form->evaluate == cutePtxVideo) {
    form->numOperands = 3;
    return !(form->flags & ~(unsigned)(CUTE_PTX_SAT | CUTE_PTX_SUM));
  }
  for (size_t i = 0; i < sizeof instructions / sizeof *instructions; ++i) {
    if (!cuteTextEquals(base, instructions[i].name))
      continue;
    bool isFloat = form->type->kind == CUTE_PTX_FLOAT ||
                   (form->from && form->from->kind == CUTE_PTX_FLOAT);
    form->evaluate = isFloat ? instructions[i].real : instructions[i].integer;
    form->numOperands = instructions[i].numOperands;
    unsigned allowed = instructions[i].flags | (isFloat ? general : 0);
    return form->evaluate && !(form->flags & ~(allowed | CUTE_PTX_CARRY_OUT)) &&
           selectCarry(form);
  }
  return false;
}

bool cutePtxFindForm(CuteStringRef mnemonic, CutePtxForm *form) {
  *form = (CutePtxForm){.rounding = CUTE_ROUND_NEAREST_EVEN};
  CuteStringRef base = {mnemonic.data, 0};
  size_t start = 0;
  for (size_t i = 0; i <= mnemonic.length; ++i) {
    if (i < mnemonic.length && mnemonic.data[i] != '.')
      continue;
    CuteStringRef word = {mnemonic.data + start, i - start};
    if (!start) {
      base = word;
      form->mode = findWord(videos, base);
      form->evaluate = form->mode ? cutePtxVideo : NULL;
    } else if (!takeModifier(form, base, word)) {
      return false;
    }
    start = i + 1;
  }
  if (!hasTypes(form, base) || !selectInstruction(form, base))
    return false;
  if (!form->from)
    form->from = form->type;
  countOperands(form);
  return true;
}
