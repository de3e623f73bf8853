#include "SimulatedDevice/translate/ptx_text.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>

//===-- Words -------------------------------------------------------------===//

unsigned cutePtxLineAt(const CutePtxText *m, const char *at) {
  unsigned line = 1;
  for (const char *c = m->text; c < at; ++c)
    line += *c == '\n';
  return line;
}

CuteStatus cutePtxTextFail(const CutePtxText *m, const char *at,
                           const char *what) {
  return cuteStatusCreate("PTX, line %u: %s", cutePtxLineAt(m, at), what);
}

const char *cutePtxSkipQuoted(const char *at) {
  const char *end = at;
  if (!strncmp(at, "//", 2))
    end = strchr(at, '\n');
  else if (!strncmp(at, "/*", 2))
    end = (end = strstr(at + 2, "*/")) ? end + 2 : NULL;
  else if (*at == '"')
    end = (end = strchr(at + 1, '"')) ? end + 1 : NULL;
  return end ? end : at + strlen(at);
}

static void skipBlanks(CutePtxText *m) {
  for (;;) {
    while (isspace((unsigned char)*m->at))
      ++m->at;
    const char *end = *m->at == '"' ? m->at : cutePtxSkipQuoted(m->at);
    if (end == m->at)
      return;
    m->at = end;
  }
}

bool cutePtxIsNameCharacter(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' ||
         c == '%';
}

CuteStringRef cutePtxTextWord(CutePtxText *m) {
  skipBlanks(m);
  const char *start = m->at;
  while (cutePtxIsNameCharacter(*m->at))
    ++m->at;
  return (CuteStringRef){start, (size_t)(m->at - start)};
}

bool cutePtxTextTake(CutePtxText *m, char c) {
  skipBlanks(m);
  if (*m->at != c)
    return false;
  ++m->at;
  return true;
}

void cutePtxSkipPast(CutePtxText *m, char c) {
  while (*m->at && *m->at != c) {
    const char *end = cutePtxSkipQuoted(m->at);
    m->at = end > m->at ? end : m->at + 1;
  }
  m->at += *m->at == c;
}

void cutePtxSkipBlock(CutePtxText *m) {
  for (int depth = 1; *m->at && depth;) {
    const char *end = cutePtxSkipQuoted(m->at);
    depth += (*m->at == '{') - (*m->at == '}');
    m->at = end > m->at ? end : m->at + 1;
  }
}

//===-- Declarations ------------------------------------------------------===//

// The bits of ".u32"; 0 of other words.
static unsigned long bitsOf(CuteStringRef word) {
  bool isType = word.length > 2 && word.data[0] == '.' &&
                strchr("busf", word.data[1]) &&
                isdigit((unsigned char)word.data[2]);
  return isType ? strtoul(word.data + 2, NULL, 10) : 0;
}

CuteStatus cutePtxTakeVariable(CutePtxText *m, CutePtxSymbolKind kind,
                               CutePtxSymbol *symbol) {
  unsigned long bits = 0, count = 1;
  *symbol = (CutePtxSymbol){.kind = kind};
  for (CuteStringRef word; (word = cutePtxTextWord(m)).length;) {
    bits = bitsOf(word) ? bitsOf(word) : bits;
    if (cuteTextEquals(word, ".align")) {
      CuteStringRef number = cutePtxTextWord(m);
      symbol->align = strtoul(number.data, NULL, 10);
    }
    if (word.data[0] != '.') {
      symbol->name = word;
      break;
    }
  }
  if (!symbol->name.length || !bits)
    return cutePtxTextFail(m, m->at, "a declaration is not known");
  while (cutePtxTextTake(m, '[')) {
    CuteStringRef extent = cutePtxTextWord(m);
    count *= extent.length ? strtoul(extent.data, NULL, 10) : 0;
    symbol->kind = kind == CUTE_PTX_PARAMETER ? CUTE_PTX_PARAMETER_ARRAY : kind;
    if (!cutePtxTextTake(m, ']'))
      return cutePtxTextFail(m, m->at, "']' is missing");
  }
  symbol->bits = (unsigned)bits;
  symbol->bytes = bits / 8 * count;
  symbol->align = symbol->align ? symbol->align : bits / 8;
  symbol->line = cutePtxLineAt(m, symbol->name.data);
  return NULL;
}

// 12, -1, 0x1f, 0f3f800000 or 1.5, as bytes of an element.
static bool takeElement(CutePtxText *m, const CutePtxSymbol *symbol,
                        CuteString *bytes) {
  bool isMinus = cutePtxTextTake(m, '-');
  CuteStringRef word = cutePtxTextWord(m);
  char *end;
  bool isBits =
      word.length > 2 && word.data[0] == '0' && strchr("fFdD", word.data[1]);
  uint64_t code = strtoull(word.data + (isBits ? 2 : 0), &end, isBits ? 16 : 0);
  code = isMinus ? 0 - code : code;
  if (!word.length || end != word.data + word.length)
    return false;
  cuteStringAppendBytes(bytes, (const char *)&code, symbol->bits / 8);
  return true;
}

CuteStatus cutePtxTakeInitializer(CutePtxText *m, CutePtxSymbol *symbol,
                                  CuteString *bytes) {
  if (cutePtxTextTake(m, '=')) {
    cutePtxTextTake(m, '{');
    do
      if (!takeElement(m, symbol, bytes))
        symbol->kind = CUTE_PTX_UNKNOWN;
    while (cutePtxTextTake(m, ','));
  }
  if (bytes->length > symbol->bytes)
    return cutePtxTextFail(m, m->at, "there are too many initial values");
  while (bytes->length < symbol->bytes)
    cuteStringAppendChar(bytes, '\0');
  cutePtxSkipPast(m, ';');
  return NULL;
}

void cutePtxPushSymbol(CutePtxText *m, CutePtxSymbol symbol) {
  CUTE_PUSH(m->symbols, m->numSymbols, m->symbolCapacity, symbol);
}

int cutePtxFindSymbol(const CutePtxText *m, CuteStringRef name) {
  for (size_t i = m->numSymbols; i-- > 0;)
    if (!m->symbols[i].isHidden && cuteTextIsSame(m->symbols[i].name, name))
      return (int)i;
  return -1;
}
