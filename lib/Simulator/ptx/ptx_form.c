#include "Simulator/ptx/ptx_form.h"
#include "Support/text.h"

static const CutePtxType types[] = {
#define TYPE(name, kind, bits, count, element)                                 \
  {name, CUTE_PTX_##kind, bits, count, CUTE_ELEMENT_##element},
#include "hardware/ptx_type.def"
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
  unsigned flag, holds; // of a comparison
} modifiers[] = {
#define MODIFIER(flag, name) {name, CUTE_PTX_##flag, 0},
#define COMPARISON(name, holds) {name, 0, holds},
#include "hardware/ptx_modifier.def"
};

static const struct {
  const char *name;
  CuteRounding rounding;
} roundings[] = {{"rn", CUTE_ROUND_NEAREST_EVEN},
                 {"rna", CUTE_ROUND_NEAREST_AWAY},
                 {"rz", CUTE_ROUND_TO_ZERO},
                 {"rm", CUTE_ROUND_DOWN},
                 {"rp", CUTE_ROUND_UP}};

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

// Takes a comparison, or a flag.
static bool takeWord(CutePtxForm *form, CuteStringRef word, bool isFlag) {
  for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; ++i)
    if (cuteTextEquals(word, modifiers[i].name) &&
        isFlag == (modifiers[i].flag != 0)) {
      form->flags |= modifiers[i].flag;
      form->compare |= modifiers[i].holds;
      return true;
    }
  return false;
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
    return takeWord(form, word, false);
  if (isSet && !form->combine && !form->type &&
      (form->combine = findWord(combinations, word)))
    return true;
  if (evaluate == cutePtxPrmt && !form->mode &&
      (form->mode = findWord(modes, word)))
    return true;
  if (evaluate == cutePtxTestp && !form->mode)
    return (form->mode = findWord(classes, word));
  return takeType(form, word) || takeWord(form, word, true) ||
         takeRounding(form, word);
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
