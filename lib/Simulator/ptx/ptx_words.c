// Words and registers of inline PTX.
#include "Simulator/ptx/ptx_parser.h"
#include "Support/string_builder.h"
#include "Support/text.h"

#include <ctype.h>

//===-- Words -------------------------------------------------------------===//

static bool isBlank(char c) { return c && strchr(" \t\n\r", c); }

static void skipBlanks(CutePtxParser *p) {
  while (p->at < p->text.length) {
    const char *rest = p->text.data + p->at;
    size_t n = p->text.length - p->at;
    if (isBlank(*rest)) {
      ++p->at;
    } else if (n > 1 && rest[0] == '/' && rest[1] == '/') {
      while (p->at < p->text.length && p->text.data[p->at] != '\n')
        ++p->at;
    } else if (n > 1 && rest[0] == '/' && rest[1] == '*') {
      p->at += 2;
      while (p->at + 1 < p->text.length &&
             (p->text.data[p->at] != '*' || p->text.data[p->at + 1] != '/'))
        ++p->at;
      bool isClosed = p->at + 1 < p->text.length;
      p->isCommentOpen |= !isClosed;
      p->at += isClosed ? 2 : 1;
    } else {
      return;
    }
  }
}

char cutePtxPeek(CutePtxParser *p) {
  skipBlanks(p);
  return p->at < p->text.length ? p->text.data[p->at] : '\0';
}

bool cutePtxTake(CutePtxParser *p, char c) {
  if (cutePtxPeek(p) != c)
    return false;
  ++p->at;
  return true;
}

static bool isWordCharacter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '%' ||
         c == '$' || c == ':';
}

CuteStringRef cutePtxTakeWord(CutePtxParser *p) {
  skipBlanks(p);
  size_t start = p->at;
  while (p->at < p->text.length && isWordCharacter(p->text.data[p->at]))
    ++p->at;
  CuteStringRef word = {p->text.data + start, p->at - start};
  bool isLabel = word.length > 1 && word.data[word.length - 1] == ':' &&
                 word.data[word.length - 2] != ':';
  if (isLabel)
    --word.length, --p->at;
  return word;
}

int cutePtxTakeCount(CutePtxParser *p, int most) {
  int count = -1;
  while (isdigit((unsigned char)cutePtxPeek(p))) {
    int digit = p->text.data[p->at++] - '0';
    count = count < 0 ? digit : count * 10 + digit;
    if (count > most)
      return -1;
  }
  return count;
}

CuteStatus cutePtxFail(const CutePtxParser *p, const char *what) {
  CuteStringRef s = p->statement;
  while (s.length && isBlank(s.data[s.length - 1]))
    --s.length;
  return cuteStatusCreate("inline PTX: %s in '%.*s'", what, CUTE_TEXT(s));
}

CuteStatus cutePtxExpect(CutePtxParser *p, char c) {
  char what[] = "'?' is missing";
  what[1] = c;
  return cutePtxTake(p, c) ? NULL : cutePtxFail(p, what);
}

//===-- Registers ---------------------------------------------------------===//

// The number of v.z among the lanes of a vector, or -1.
static int laneOf(const CutePtxName *name, CuteStringRef text) {
  static const char lanes[] = "xyzw";
  size_t n = name->text.length;
  if (!name->lanes || text.length != n + 2 || text.data[n] != '.' ||
      memcmp(text.data, name->text.data, n) != 0)
    return -1;
  const char *lane = memchr(lanes, text.data[n + 1], (size_t)name->lanes);
  return lane ? (int)(lane - lanes) : -1;
}

// The slot of r3 among the registers r<n>, or of a lane, or -1.
static int slotOf(const CutePtxName *name, CuteStringRef text) {
  size_t n = name->text.length;
  int number = laneOf(name, text);
  if (number >= 0)
    return name->slot + number * name->slots;
  number = 0;
  if (!name->count)
    return cuteTextIsSame(name->text, text) ? name->slot : -1;
  if (text.length <= n || memcmp(text.data, name->text.data, n) != 0)
    return -1;
  for (; n < text.length; ++n) {
    if (!isdigit((unsigned char)text.data[n]) || number >= name->count)
      return -1;
    number = number * 10 + text.data[n] - '0';
  }
  return number < name->count ? name->slot + number * name->slots : -1;
}

int cutePtxFindName(const CutePtxParser *p, CuteStringRef text,
                    const CutePtxName **name) {
  for (size_t i = p->numNames; i-- > 0;) {
    int slot = slotOf(&p->names[i], text);
    if (slot >= 0 && name)
      *name = &p->names[i];
    if (slot >= 0)
      return slot;
  }
  return -1;
}

int cutePtxSpan(const CutePtxName *name, CuteStringRef text) {
  bool isWhole = name->lanes && cuteTextIsSame(name->text, text);
  return isWhole ? name->lanes * name->slots : name->slots;
}

CuteStatus cutePtxTakeSlots(CutePtxParser *p, int count, int *slot) {
  if (p->program->numSlots + count > CUTE_PTX_MAX_SLOTS)
    return cutePtxFail(p, "there are too many registers");
  *slot = p->program->numSlots;
  p->program->numSlots += count;
  return NULL;
}

static CuteStatus declare(CutePtxParser *p, CuteStringRef text,
                          const CutePtxType *type, int lanes) {
  if (p->numNames == CUTE_PTX_MAX_NAMES)
    return cutePtxFail(p, "there are too many names of registers");
  for (size_t i = p->numNames; i-- > 0 && p->names[i].depth == p->depth;)
    if (cuteTextIsSame(p->names[i].text, text))
      return cutePtxFail(p, "a register is declared twice");
  CutePtxName *name = &p->names[p->numNames];
  *name = (CutePtxName){.text = text,
                        .depth = p->depth,
                        .lanes = lanes,
                        .slots = type->bits * type->count > 64 ? 2 : 1,
                        .isPredicate = type->kind == CUTE_PTX_PREDICATE};
  if (!lanes && cutePtxTake(p, '<')) {
    name->count = cutePtxTakeCount(p, CUTE_PTX_MAX_SLOTS);
    if (name->count < 1 || !cutePtxTake(p, '>'))
      return cutePtxFail(p, "the number of registers is wrong");
  }
  int count = lanes ? lanes : name->count ? name->count : 1;
  name->numWords = count * name->slots;
  CUTE_TRY(cutePtxTakeSlots(p, name->numWords, &name->slot));
  ++p->numNames;
  return NULL;
}

CuteStatus cutePtxParseRegisters(CutePtxParser *p, CuteStringRef word) {
  CuteStringRef text = word;
  cuteTextTake(&text, ".reg");
  if (!text.length)
    text = cutePtxTakeWord(p);
  int lanes = cuteTextTake(&text, ".v2")   ? 2
              : cuteTextTake(&text, ".v4") ? 4
                                           : 0;
  if (lanes && !text.length)
    text = cutePtxTakeWord(p);
  const CutePtxType *type =
      text.length
          ? cutePtxFindType((CuteStringRef){text.data + 1, text.length - 1})
          : NULL;
  if (!type)
    return cutePtxFail(p, "the type of registers is not known");
  do {
    CuteStringRef name = cutePtxTakeWord(p);
    if (!name.length)
      return cutePtxFail(p, "a register has no name");
    CUTE_TRY(declare(p, name, type, lanes));
  } while (cutePtxTake(p, ','));
  return cutePtxExpect(p, ';');
}
