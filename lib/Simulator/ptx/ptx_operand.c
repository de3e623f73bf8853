// Operands of inline PTX.
#include "Simulator/ptx/ptx_parser.h"
#include "Support/arena.h"
#include "Support/text.h"

#include <ctype.h>
#include <errno.h>

//===-- Instructions ------------------------------------------------------===//

static void *copyOf(const void *data, size_t bytes) {
  return bytes ? memcpy(cuteAllocate(bytes), data, bytes) : NULL;
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
  if (p->operations.find)
    read.operation = p->operations.find(p->operations.data, name,
                                        (CuteSimPtxOperands){.results = 1});
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
    return cutePtxFail(p, "an operand after '$' is not a number");
  if (number < 0 || number >= p->program->numValues)
    return cutePtxFail(p, "an operand after '$' has no value");
  *slot = number;
  return NULL;
}

// False for a float where the instruction takes none. The fraction of
// createpolicy is an f32.
static bool encodeNumber(const CutePtxParser *p, double value,
                         uint64_t *number) {
  const CutePtxType *type = p->now.form.from;
  bool isFraction = cuteTextStartsWith(p->statement, "createpolicy.");
  if (!isFraction && (!type || type->kind != CUTE_PTX_FLOAT))
    return false;
  *number = cuteFloatEncode(type ? type->element : CUTE_ELEMENT_F32, value,
                            CUTE_ROUND_NEAREST_EVEN, false);
  return true;
}

// Gives back what follows a remainder's '%', which words contain.
static CuteStringRef endNumber(CutePtxParser *p, CuteStringRef word) {
  const char *end = memchr(word.data, '%', word.length);
  size_t past = end ? word.length - (size_t)(end - word.data) : 0;
  p->at -= past;
  return (CuteStringRef){word.data, word.length - past};
}

// 12, 0x1f, 0f3f800000, 0d3ff0000000000000 or 1.5.
static CuteStatus parseNumber(CutePtxParser *p, CuteStringRef word,
                              uint64_t *number) {
  char text[64], *end;
  word = endNumber(p, word);
  if (word.length >= sizeof text)
    return cutePtxFail(p, "a number is too long");
  memcpy(text, word.data, word.length);
  text[word.length] = '\0';
  bool isHex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  bool isBits = text[0] == '0' && strchr("fFdD", text[1]) && text[1];
  bool ok = true;
  errno = 0;
  if (isBits)
    *number = strtoull(text + 2, &end, 16);
  else if (strchr(text, '.') || (!isHex && strpbrk(text, "eE")))
    ok = encodeNumber(p, strtod(text, &end), number);
  else
    *number = strtoull(text, &end, 0);
  ok = ok && (isBits || !errno);
  while (*end == 'U' || *end == 'u')
    ++end;
  return *end || !ok ? cutePtxFail(p, "a number is wrong") : NULL;
}

//===-- Constant expressions ----------------------------------------------===//

// Operators of two integers, by what binds less (PTX ISA, "Constant
// Expressions").
static const struct {
  char text[3];
  int level;
} operators[] = {{"|", 0}, {"^", 1}, {"&", 2}, {"<<", 3}, {">>", 3},
                 {"+", 4}, {"-", 4}, {"*", 5}, {"/", 5},  {"%", 5}};

static CuteStatus apply(const CutePtxParser *p, char which, int64_t right,
                        int64_t *left) {
  uint64_t a = (uint64_t)*left, b = (uint64_t)right;
  bool divides = which == '/' || which == '%';
  if (divides && (!right || (right == -1 && *left == INT64_MIN)))
    return cutePtxFail(p, "a constant is divided by zero");
  *left = (int64_t)(which == '|'   ? a | b
                    : which == '^' ? a ^ b
                    : which == '&' ? a & b
                    : which == '<' ? a << (b & 63)
                    : which == '>' ? a >> (b & 63)
                    : which == '+' ? a + b
                    : which == '-' ? a - b
                    : which == '*' ? a * b
                    : which == '/' ? (uint64_t)(*left / right)
                                   : (uint64_t)(*left % right));
  return NULL;
}

// Gives the next operator without taking it; -1: there is none.
static int operatorAt(CutePtxParser *p) {
  (void)cutePtxPeek(p);
  CuteStringRef rest = {p->text.data + p->at, p->text.length - p->at};
  for (int i = 0; i < (int)(sizeof operators / sizeof *operators); ++i) {
    CuteStringRef after = rest;
    if (cuteTextTake(&after, operators[i].text))
      return i;
  }
  return -1;
}

static CuteStatus parseConstant(CutePtxParser *p, int level, int64_t *value);

static CuteStatus parseFactor(CutePtxParser *p, int64_t *value) {
  if (cutePtxTake(p, '(')) {
    CUTE_TRY(parseConstant(p, 0, value));
    return cutePtxExpect(p, ')');
  }
  for (int i = 0; i < 3; ++i)
    if (cutePtxTake(p, "-~!"[i])) {
      CUTE_TRY(parseFactor(p, value));
      *value = i == 0   ? (int64_t)(0 - (uint64_t)*value)
               : i == 1 ? ~*value
                        : !*value;
      return NULL;
    }
  CuteStringRef word = cutePtxTakeWord(p);
  if (!word.length || !isdigit((unsigned char)word.data[0]))
    return cutePtxFail(p, "a constant is missing");
  return parseNumber(p, word, (uint64_t *)value);
}

// Takes what follows a value of operators that bind as a level does, or more.
static CuteStatus parseRest(CutePtxParser *p, int level, int64_t *value) {
  for (int i; (i = operatorAt(p)) >= 0 && operators[i].level >= level;) {
    int64_t right;
    p->at += strlen(operators[i].text);
    CUTE_TRY(parseConstant(p, operators[i].level + 1, &right));
    CUTE_TRY(apply(p, *operators[i].text, right, value));
  }
  return NULL;
}

static CuteStatus parseConstant(CutePtxParser *p, int level, int64_t *value) {
  CUTE_TRY(parseFactor(p, value));
  return parseRest(p, level, value);
}

//===-- Values ------------------------------------------------------------===//

static CuteStatus parseSimple(CutePtxParser *p, CutePtxOperand *operand) {
  *operand = (CutePtxOperand){.slot = -1};
  if (cutePtxPeek(p) == '(' || cutePtxPeek(p) == '~')
    return parseConstant(p, 0, (int64_t *)&operand->number);
  operand->isNegated = cutePtxTake(p, '!');
  bool isMinus = cutePtxTake(p, '-');
  CuteStringRef word = cutePtxTakeWord(p);
  if (!word.length)
    return cutePtxFail(p, "an operand is missing");
  if (word.data[0] == '$')
    return cutePtxParseValue(p, word, &operand->slot);
  if (isdigit((unsigned char)word.data[0])) {
    CUTE_TRY(parseNumber(p, word, &operand->number));
    if (isMinus && p->now.form.from && p->now.form.from->kind == CUTE_PTX_FLOAT)
      operand->number ^= UINT64_C(1) << (p->now.form.from->bits - 1);
    else if (isMinus)
      operand->number = 0 - operand->number;
    return parseRest(p, 0, (int64_t *)&operand->number);
  }
  const CutePtxName *name = NULL;
  operand->slot = cutePtxFindName(p, word, &name);
  p->now.hasPredicate |= name && name->isPredicate;
  operand->more = name ? cutePtxSpan(name, word) - 1 : 0;
  if (operand->slot < 0 && word.data[0] == '%')
    return readSpecial(p, word, &operand->slot);
  return operand->slot < 0
             ? cutePtxFail(p, "a register is not declared before its use, or a "
                              "variable is of another module or has addresses")
             : NULL;
}

// A value, or an address and an offset: "base+8-4*2".
static CuteStatus parseSum(CutePtxParser *p, CutePtxOperand *operand) {
  CutePtxOperand offset;
  CUTE_TRY(parseSimple(p, operand));
  bool isPlus = cutePtxTake(p, '+');
  if (!isPlus && cutePtxPeek(p) != '-')
    return NULL;
  CUTE_TRY(parseSimple(p, &offset));
  if (offset.slot >= 0)
    return cutePtxFail(p, "the offset of an address is not a number");
  operand->number += offset.number;
  return NULL;
}

// "base+8]" or "map, {x, y}]" after the bracket.
static CuteStatus parseAddress(CutePtxParser *p);

// Operands of an instruction, vectors and addresses flat.
static CuteStatus parseOperand(CutePtxParser *p) {
  CutePtxOperand operand;
  CUTE_TRY(hasRoom(p));
  if (cutePtxTake(p, '[')) {
    ++p->now.numAddresses;
    CUTE_TRY(parseAddress(p));
    return cutePtxExpect(p, ']');
  }
  if (cutePtxTake(p, '{')) {
    do
      CUTE_TRY(parseOperand(p));
    while (cutePtxTake(p, ','));
    return cutePtxExpect(p, '}');
  }
  CUTE_TRY(parseSum(p, &operand));
  for (int more = operand.more; more >= 0; --more, ++operand.slot) {
    CUTE_TRY(hasRoom(p));
    pushOperand(&p->now, operand);
  }
  return NULL;
}

static CuteStatus parseAddress(CutePtxParser *p) {
  CutePtxOperand base;
  CUTE_TRY(parseSum(p, &base));
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
    return cutePtxFail(p, "a register is not declared before its use");
  for (int more = name ? cutePtxSpan(name, word) : 1; more > 0; --more) {
    CUTE_TRY(hasRoom(p));
    p->now.results[p->now.numResults++] = slot++;
  }
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

CuteStatus cutePtxParseOperands(CutePtxParser *p, int numResults) {
  for (int i = 0; i < numResults; ++i) {
    CUTE_TRY(parseResults(p));
    if (cutePtxTake(p, ';'))
      return NULL;
    CUTE_TRY(cutePtxExpect(p, ','));
  }
  if (!numResults && cutePtxTake(p, ';'))
    return NULL;
  do
    CUTE_TRY(parseOperand(p));
  while (cutePtxTake(p, ','));
  return cutePtxExpect(p, ';');
}
