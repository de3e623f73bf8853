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
static bool takeModifier(CutePtxForm *form, CuteStringRef word) {
  CutePtxEvaluate *evaluate = form->evaluate;
  bool isSet = evaluate == cutePtxSetp || evaluate == cutePtxSet;
  if (isSet && !form->compare)
    return (form->compare = findWord(comparisons, word));
  if (isSet && !form->combine && !form->type &&
      (form->combine = findWord(combinations, word)))
    return true;
  if (evaluate == cutePtxPrmt && !form->mode &&
      (form->mode = findWord(modes, word)))
    return true;
  if (evaluate == cutePtxTestp && !form->mode)
    return (form->mode = findWord(classes, word));
  return takeType(form, word) || takeFlag(form, word);
}

//===-- Instructions ------------------------------------------------------===//

typedef struct Row {
  const char *name;
  CutePtxEvaluate *evaluate;
  bool isReal;
  unsigned numOperands, flags;
} Row;

static const Row rows[] = {
#define INTEGER(name, function, n, flags) {name, function, false, n, flags},
#define REAL(name, function, n, flags) {name, function, true, n, flags},
#include "hardware/ptx_instruction.def"
#undef INTEGER
#undef REAL
};

static const Row *findRow(CuteStringRef name, bool isReal) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    if (rows[i].isReal == isReal && cuteTextEquals(name, rows[i].name))
      return &rows[i];
  return NULL;
}

static bool isReal(const CutePtxType *type) {
  return type && type->kind == CUTE_PTX_FLOAT;
}

// Operands depend on the form for setp and set with a combination, and cvt to
// pairs of f32.
static void countOperands(CutePtxForm *form) {
  form->numResults = 1;
  form->numOperands += form->combine != NULL;
  if (form->evaluate == cutePtxConvert && form->type->count == 2 &&
      form->from->count == 1)
    form->numOperands = 2;
}

static bool hasTypes(const CutePtxForm *form, const Row *row) {
  const CutePtxType *type = form->type, *from = form->from;
  if (form->evaluate == cutePtxVideo)
    return from && type->bits == 32 && from->bits == 32 && !isReal(type) &&
           !isReal(from);
  if (form->evaluate == cutePtxTestp &&
      (!form->mode || !type || type->bits < 32 || type->count > 1))
    return false;
  return type && (!(row->flags & CUTE_PTX_TWO_TYPES) || from);
}

// Integers' add.cc, sub.cc and mad.cc, and what takes their carry.
static bool selectCarry(CutePtxForm *form) {
  static const struct {
    CutePtxEvaluate *plain, *carry;
  } carries[] = {{cutePtxAddInteger, cutePtxAddCarry},
                 {cutePtxSubInteger, cutePtxSubCarry},
                 {cutePtxMadInteger, cutePtxMadCarry}};
  bool isOut = form->flags & CUTE_PTX_CARRY_OUT;
  for (size_t i = 0; i < sizeof carries / sizeof *carries; ++i) {
    if (form->evaluate == carries[i].carry)
      form->flags |= CUTE_PTX_CARRY_IN;
    else if (isOut && form->evaluate == carries[i].plain)
      form->evaluate = carries[i].carry;
    else
      continue;
    return form->type->bits >= 32 && !(form->flags & CUTE_PTX_SAT);
  }
  return !isOut;
}

static bool selectInstruction(CutePtxForm *form, CuteStringRef name) {
  bool isFloat = isReal(form->type) || isReal(form->from);
  const Row *row = findRow(name, isFloat);
  if (!row)
    return false;
  unsigned general = isFloat ? CUTE_PTX_FTZ | CUTE_PTX_ROUNDED : 0;
  form->evaluate = row->evaluate;
  form->numOperands = row->numOperands;
  return !(form->flags & ~(row->flags | general | CUTE_PTX_CARRY_OUT)) &&
         selectCarry(form);
}

bool cutePtxFindForm(CuteStringRef mnemonic, CutePtxForm *form) {
  CuteStringRef rest = mnemonic, name = cuteTextTakePart(&rest, '.');
  const Row *row = findRow(name, false);
  row = row ? row : findRow(name, true);
  if (!row || mnemonic.data[mnemonic.length - 1] == '.')
    return false;
  *form = (CutePtxForm){.evaluate = row->evaluate,
                        .rounding = CUTE_ROUND_NEAREST_EVEN};
  if (row->evaluate == cutePtxVideo)
    form->mode = row->name;
  while (rest.length)
    if (!takeModifier(form, cuteTextTakePart(&rest, '.')))
      return false;
  if (!hasTypes(form, row) || !selectInstruction(form, name))
    return false;
  if (!form->from)
    form->from = form->type;
  countOperands(form);
  return true;
}
