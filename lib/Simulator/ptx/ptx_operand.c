// Operands of inline PTX.
#include "Simulator/ptx/ptx_parser.h"
#include "Support/arena.h"
#include "Support/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

//===-- Instructions ------------------------------------------------------===//

static void *copyOf(const void *data, size_t bytes) {
  void *copy = cuteAllocate(bytes ? bytes : 1);
  if (bytes)
    memcpy(copy, data, bytes);
  return copy;
}

void cutePtxPushInstruction(CutePtxParser *p, CutePtxInstruction i) {
  CuteSimPtx *program = p->program;
  i.results = copyOf(i.results, i.numResults * sizeof *i.results);
  i.operands = copyOf(i.operands, i.numOperands * sizeof *i.operands);
  program->instructions =
      cuteReallocate(program->instructions,
                     (program->count + 1) * sizeof *program->instructions);
  program->instructions[program->count++] = i;
}

//===-- Operands ----------------------------------------------------------===//

static void pushOperand(CutePtxInstruction *i, CutePtxOperand operand) {
  i->operands[i->numOperands++] = operand;
}

static CuteStatus hasRoom(CutePtxParser *p) {
  return p->now.numOperands + p->now.numResults < CUTE_PTX_MAX_VALUES
             ? NULL
             : cutePtxFail(p, "there are too many operands");
}

// A special register is read by its own operation.
static CuteStatus readSpecial(CutePtxParser *p, CuteStringRef name, int *slot) {
  CutePtxInstruction read = {.guard = -1, .target = -1, .numResults = 1};
  read.operation = p->operations.find ? p->operations.find(p->operations.data,
                                                           name, 1, 0, false)
                                      : NULL;
  if (!read.operation)
    return cutePtxFail(p, "a special register is not known");
  CUTE_TRY(cutePtxTakeSlots(p, 1, slot));
  read.results = slot;
  cutePtxPushInstruction(p, read);
  return NULL;
}

CuteStatus cutePtxParseValue(CutePtxParser *p, CuteStringRef word, int *slot) {
  size_t i = 1;
  int number = -1;
  if (word.length == 1 && cutePtxTake(p, '{')) {
    number = cutePtxTakeCount(p, CUTE_PTX_MAX_SLOTS);
    while (p->at < p->text.length && p->text.data[p->at] != '}')
      ++p->at;
    cutePtxTake(p, '}');
  }
  for (; i < word.length && isdigit((unsigned char)word.data[i]) &&
         number < CUTE_PTX_MAX_SLOTS;
       ++i)
    number = (number < 0 ? 0 : number * 10) + word.data[i] - '0';
  if (i < word.length)
    return cutePtxFail(p, "an operand after '$' is no number");
  if (number < 0 || number >= p->program->numValues)
    return cutePtxFail(p, "an operand after '$' has no value");
  *slot = number;
  return NULL;
}

// False for a float where the instruction takes none.
static bool encodeNumber(const CutePtxForm *form, double value,
                         uint64_t *number) {
  const CutePtxType *type = form->from;
  if (!type || type->kind != CUTE_PTX_FLOAT)
    return false;
  *number =
      cuteFloatEncode(type->element, value, CUTE_ROUND_NEAREST_EVEN, false);
  return true;
}

// 12, 0x1f, 0f3f800000, 0d3ff0000000000000 or 1.5.
static CuteStatus parseNumber(CutePtxParser *p, CuteStringRef word,
                              CutePtxOperand *operand) {
  char text[64], *end;
  if (word.length >= sizeof text)
    return cutePtxFail(p, "a number is too long");
  memcpy(text, word.data, word.length);
  text[word.length] = '\0';
  bool isHex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  bool isBits = text[0] == '0' && strchr("fFdD", text[1]) && text[1];
  bool ok = true;
  errno = 0;
  if (isBits)
    operand->number = strtoull(text + 2, &end, 16);
  else if (strchr(text, '.') || (!isHex && strpbrk(text, "eE")))
    ok = encodeNumber(&p->now.form, strtod(text, &end), &operand->number);
  else
    operand->number = strtoull(text, &end, 0);
  ok = ok && (isBits || !errno);
  while (*end == 'U' || *end == 'u')
    ++end;
  return *end || !ok ? cutePtxFail(p, "a number is wrong") : NULL;
}

static CuteStatus parseSimple(CutePtxParser *p, CutePtxOperand *operand) {
  *operand = (CutePtxOperand){.slot = -1};
  operand->isNegated = cutePtxTake(p, '!');
  bool isMinus = cutePtxTake(p, '-');
  CuteStringRef word = cutePtxTakeWord(p);
  if (!word.length)
    return cutePtxFail(p, "an operand is missing");
  if (word.data[0] == '$')
    return cutePtxParseValue(p, word, &operand->slot);
  if (isdigit((unsigned char)word.data[0])) {
    CUTE_TRY(parseNumber(p, word, operand));
    if (isMinus && p->now.form.from && p->now.form.from->kind == CUTE_PTX_FLOAT)
      operand->number ^= UINT64_C(1) << (p->now.form.from->bits - 1);
    else if (isMinus)
      operand->number = 0 - operand->number;
    return NULL;
  }
  const CutePtxName *name = NULL;
  operand->slot = cutePtxFindName(p, word, &name);
  p->now.hasPredicate |= name && name->isPredicate;
  operand->isWide = name && name->slots == 2;
  if (operand->slot < 0 && word.data[0] == '%')
    return readSpecial(p, word, &operand->slot);
  return operand->slot < 0 ? cutePtxFail(p, "a register is not declared")
                           : NULL;
}

// "base+8]" or "map, {x, y}]" after the bracket.
static CuteStatus parseAddress(CutePtxParser *p);

// Operands of an instruction, vectors and addresses flat.
static CuteStatus parseOperand(CutePtxParser *p) {
  CutePtxOperand operand;
  CUTE_TRY(hasRoom(p));
  if (cutePtxTake(p, '[')) {
    CUTE_TRY(parseAddress(p));
    return cutePtxExpect(p, ']');
  }
  if (cutePtxTake(p, '{')) {
    do
      CUTE_TRY(parseOperand(p));
    while (cutePtxTake(p, ','));
    return cutePtxExpect(p, '}');
  }
  CUTE_TRY(parseSimple(p, &operand));
  pushOperand(&p->now, operand);
  if (!operand.isWide)
    return NULL;
  CUTE_TRY(hasRoom(p));
  ++operand.slot;
  pushOperand(&p->now, operand);
  return NULL;
}

static CuteStatus parseAddress(CutePtxParser *p) {
  CutePtxOperand base, offset;
  CUTE_TRY(parseSimple(p, &base));
  bool isPlus = cutePtxTake(p, '+');
  if (isPlus || cutePtxPeek(p) == '-') {
    CUTE_TRY(parseSimple(p, &offset));
    if (offset.slot >= 0)
      return cutePtxFail(p, "the offset of an address is no number");
    base.number += offset.number;
  }
  pushOperand(&p->now, base);
  while (cutePtxTake(p, ','))
    CUTE_TRY(parseOperand(p));
  return NULL;
}

static CuteStatus pushResult(CutePtxParser *p) {
  CuteStringRef word = cutePtxTakeWord(p);
  const CutePtxName *name = NULL;
  int slot = -1;
  CUTE_TRY(hasRoom(p));
  if (!word.length)
    return cutePtxFail(p, "a result is missing");
  if (word.data[0] == '$')
    CUTE_TRY(cutePtxParseValue(p, word, &slot));
  else if (!cuteTextEquals(word, "_") &&
           (slot = cutePtxFindName(p, word, &name)) < 0)
    return cutePtxFail(p, "a register is not declared");
  p->now.results[p->now.numResults++] = slot;
  if (!name || name->slots == 1)
    return NULL;
  CUTE_TRY(hasRoom(p));
  p->now.results[p->now.numResults++] = slot + 1;
  return NULL;
}

// "d", "d|p" or "{d, e}".
static CuteStatus parseResults(CutePtxParser *p) {
  if (cutePtxTake(p, '{')) {
    do
      CUTE_TRY(pushResult(p));
    while (cutePtxTake(p, ','));
    return cutePtxExpect(p, '}');
  }
  CUTE_TRY(pushResult(p));
  return cutePtxTake(p, '|') ? pushResult(p) : NULL;
}

CuteStatus cutePtxParseOperands(CutePtxParser *p, bool hasResults) {
  if (hasResults) {
    CUTE_TRY(parseResults(p));
    if (cutePtxTake(p, ';'))
      return NULL;
    CUTE_TRY(cutePtxExpect(p, ','));
  } else if (cutePtxTake(p, ';')) {
    return NULL;
  }
  do
    CUTE_TRY(parseOperand(p));
  while (cutePtxTake(p, ','));
  return cutePtxExpect(p, ';');
}
