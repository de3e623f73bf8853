// Reads the text of algebra values: section 1 of the open dialect, and on top
// of it the divisor of a dynamic leaf, ?{div=8}.
#include "Algebra/algebra.h"
#include "Support/text.h"

typedef struct Parser {
  CuteContext context;
  const char *begin, *at, *end;
  CuteIntTupleSyntax syntax;
  int depth;
  bool unchecked; // strides
} Parser;

static Parser startParser(CuteContext context, CuteStringRef text,
                          CuteIntTupleSyntax syntax) {
  const char *end = text.data + text.length;
  return (Parser){context, text.data, text.data, end, syntax, 0, false};
}

//===-- Tokens ------------------------------------------------------------===//

static void skipBlanks(Parser *p) {
  while (p->at < p->end &&
         (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
    ++p->at;
}

static void *unexpected(Parser *p, const char *wanted) {
  skipBlanks(p);
  int column = (int)(p->at - p->begin) + 1;
  if (p->at == p->end)
    return cuteFail(p->context, "expected %s at the end of the text", wanted);
  CuteStringRef found = cuteStringRefGetStart(
      (CuteStringRef){p->at, (size_t)(p->end - p->at)}, 12);
  return cuteFail(p->context, "expected %s at column %d, found '%.*s'", wanted,
                  column, CUTE_TEXT(found));
}

static bool peekChar(Parser *p, char c) {
  skipBlanks(p);
  return p->at < p->end && *p->at == c;
}

static bool takeChar(Parser *p, char c) {
  if (!peekChar(p, c))
    return false;
  ++p->at;
  return true;
}

static bool isWordChar(char c) {
  return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c == '_';
}

static bool takeWord(Parser *p, const char *word) {
  skipBlanks(p);
  size_t n = strlen(word);
  if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n))
    return false;
  if ((size_t)(p->end - p->at) > n && isWordChar(p->at[n]))
    return false;
  p->at += n;
  return true;
}

static bool peekInt(Parser *p) {
  skipBlanks(p);
  if (p->at < p->end && isDigit(*p->at))
    return true;
  return p->end - p->at > 1 && *p->at == '-' && isDigit(p->at[1]);
}

static bool takeInt(Parser *p, int64_t *value) {
  if (!peekInt(p)) {
    unexpected(p, "an integer");
    return false;
  }
  const char *start = p->at;
  bool isNegative = *p->at == '-';
  p->at += isNegative;
  int64_t result = 0;
  bool overflows = false;
  for (; p->at < p->end && isDigit(*p->at); ++p->at) {
    int digit = *p->at - '0';
    overflows |= __builtin_mul_overflow(result, 10, &result);
    overflows |=
        __builtin_add_overflow(result, isNegative ? -digit : digit, &result);
  }
  if (overflows)
    return cuteFail(p->context, "'%.*s' does not fit 64 bits",
                    (int)(p->at - start), start);
  *value = result;
  return true;
}

static bool finish(Parser *p) {
  skipBlanks(p);
  if (p->at == p->end)
    return true;
  unexpected(p, "the end of the text");
  return false;
}

//===-- Int tuples --------------------------------------------------------===//

static unsigned takeWidth(Parser *p) {
  static const unsigned widths[] = {1, 8, 16, 32, 64};
  static const char *const names[] = {"i1", "i8", "i16", "i32", "i64"};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; ++i)
    if (takeWord(p, names[i]))
      return widths[i];
  return 0;
}

static CuteIntTuple parseDynamic(Parser *p) {
  unsigned width = 32;
  int64_t divisor = 1;
  if (!takeChar(p, '{'))
    return cuteIntTupleGetDynamic(p->context, width, divisor);
  while (!takeChar(p, '}')) {
    unsigned w = takeWidth(p);
    if (w)
      width = w;
    else if (!takeWord(p, "div"))
      return unexpected(p, "'i1', 'i8', 'i16', 'i32', 'i64', 'div=' or '}'");
    else if (!takeChar(p, '='))
      return unexpected(p, "'='");
    else if (!takeInt(p, &divisor))
      return NULL;
    else if (p->at < p->end && isWordChar(*p->at))
      return unexpected(p, "' ' or '}'");
  }
  return cuteIntTupleGetDynamic(p->context, width, divisor);
}

// value { "@" mode }, the rightmost mode outermost.
static CuteIntTuple parseBasis(Parser *p, CuteIntTuple value) {
  int64_t modes[CUTE_MAX_DEPTH], path[CUTE_MAX_DEPTH];
  size_t n = 0;
  while (takeChar(p, '@')) {
    if (n == CUTE_MAX_DEPTH)
      return cuteFail(p->context, "scaled basis: more than %d modes",
                      CUTE_MAX_DEPTH);
    if (!takeInt(p, &modes[n++]))
      return NULL;
  }
  for (size_t i = 0; i < n; ++i)
    path[i] = modes[n - 1 - i];
  return n ? cuteIntTupleGetBasis(p->context, value, n, path) : value;
}

static CuteIntTuple parseLeaf(Parser *p) {
  int64_t value;
  if (takeChar(p, '?')) {
    CuteIntTuple leaf = parseDynamic(p);
    return leaf && p->syntax == CUTE_SYNTAX_STRIDE ? parseBasis(p, leaf) : leaf;
  }
  if (peekInt(p)) {
    if (!takeInt(p, &value))
      return NULL;
    CuteIntTuple leaf = staticInt(p->context, value);
    return p->syntax == CUTE_SYNTAX_STRIDE ? parseBasis(p, leaf) : leaf;
  }
  if (takeWord(p, "x"))
    return cuteInternErrorLeaf(p->context);
  if (p->syntax == CUTE_SYNTAX_COORD && takeWord(p, "_"))
    return cuteIntTupleGetUnderscore(p->context);
  return unexpected(p, p->syntax == CUTE_SYNTAX_COORD
                           ? "an integer, '?', '_' or '('"
                           : "an integer, '?' or '('");
}

// Elements collected while a tuple is read; grows in scratch memory.
typedef struct Elements {
  const void **data;
  size_t count, capacity;
} Elements;

static void pushElement(CuteContext c, Elements *elements, const void *value) {
  if (elements->count == elements->capacity) {
    size_t capacity = elements->capacity ? elements->capacity * 2 : 8;
    const void **data = cuteScratch(c, capacity * sizeof *data);
    if (elements->count)
      memcpy(data, elements->data, elements->count * sizeof *data);
    elements->data = data;
    elements->capacity = capacity;
  }
  elements->data[elements->count++] = value;
}

typedef const void *ParseElement(Parser *p);

// { element separator } [ element ] close, the opening already taken.
static bool parseElements(Parser *p, char separator, char close,
                          ParseElement *parse, Elements *elements) {
  if (++p->depth > CUTE_MAX_DEPTH)
    return cuteFail(p->context, "nested more than %d deep", CUTE_MAX_DEPTH);
  char wanted[] = "',' or ')'";
  wanted[1] = separator;
  wanted[8] = close;
  while (!takeChar(p, close)) {
    const void *value = parse(p);
    if (!value)
      return false;
    pushElement(p->context, elements, value);
    if (!takeChar(p, separator) && !peekChar(p, close)) {
      unexpected(p, wanted);
      return false;
    }
  }
  --p->depth;
  return true;
}

static const void *parseTuple(Parser *p) {
  if (!takeChar(p, '('))
    return parseLeaf(p);
  Elements elements = {0};
  if (!parseElements(p, ',', ')', parseTuple, &elements))
    return NULL;
  return cuteInternTuple(p->context, elements.count,
                         (const CuteIntTuple *)elements.data);
}

static CuteIntTuple parseTupleAs(Parser *p, CuteIntTupleSyntax syntax) {
  p->syntax = syntax;
  return parseTuple(p);
}

CuteIntTuple cuteIntTupleParse(CuteContext context, CuteStringRef text,
                               CuteIntTupleSyntax syntax) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  bool unchecked = syntax == CUTE_SYNTAX_UNCHECKED_STRIDE;
  Parser p =
      startParser(context, text, unchecked ? CUTE_SYNTAX_STRIDE : syntax);
  CuteIntTuple tuple = parseTuple(&p);
  if (tuple && !finish(&p))
    tuple = NULL;
  if (tuple && syntax == CUTE_SYNTAX_STRIDE && !cuteStrideCheck(context, tuple))
    tuple = NULL;
  return tuple;
}

//===-- Layouts -----------------------------------------------------------===//

// shape [ ":" stride ]; a null stride means that there was none.
static bool parseMode(Parser *p, Mode *mode) {
  mode->shape = parseTupleAs(p, CUTE_SYNTAX_SHAPE);
  mode->stride = NULL;
  if (!mode->shape)
    return false;
  if (!takeChar(p, ':'))
    return true;
  mode->stride = parseTupleAs(p, CUTE_SYNTAX_STRIDE);
  return mode->stride;
}

static CuteLayout parsePlain(Parser *p) {
  Mode mode;
  return parseMode(p, &mode)
             ? cuteLayoutGet(p->context, mode.shape, mode.stride)
             : NULL;
}

static CuteLayout parseWhole(CuteContext context, CuteStringRef text,
                             CuteLayout (*parse)(Parser *p)) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Parser p = startParser(context, text, CUTE_SYNTAX_SHAPE);
  CuteLayout layout = parse(&p);
  return layout && finish(&p) ? layout : NULL;
}

CuteLayout cuteLayoutParse(CuteContext context, CuteStringRef text) {
  return parseWhole(context, text, parsePlain);
}

static bool takeSmallInt(Parser *p, int32_t *value) {
  int64_t wide;
  if (!takeInt(p, &wide))
    return false;
  if (wide < -64 || wide > 64)
    return cuteFail(p->context, "swizzle: %jd is out of range", wide);
  *value = (int32_t)wide;
  return true;
}

static bool takeSeparator(Parser *p, char c) {
  if (takeChar(p, c))
    return true;
  char wanted[] = "' '";
  wanted[1] = c;
  unexpected(p, wanted);
  return false;
}

// The "S" or "Sw" is already taken.
static bool parseSwizzle(Parser *p, CuteSwizzle *s) {
  if (!takeSeparator(p, '<') || !takeSmallInt(p, &s->bits) ||
      !takeSeparator(p, ',') || !takeSmallInt(p, &s->base) ||
      !takeSeparator(p, ',') || !takeSmallInt(p, &s->shift) ||
      !takeSeparator(p, '>'))
    return false;
  if (cuteSwizzleIsValid(*s))
    return true;
  return cuteFail(p->context,
                  "swizzle S<%d,%d,%d>: needs bits >= 0, base >= 0, |shift| >= "
                  "bits and |shift| + bits + base <= 32",
                  s->bits, s->base, s->shift);
}

static bool takeSwizzleName(Parser *p) {
  return takeWord(p, "S") || takeWord(p, "Sw");
}

bool cuteSwizzleParse(CuteContext context, CuteStringRef text,
                      CuteSwizzle *swizzle) {
  Parser p = startParser(context, text, CUTE_SYNTAX_SHAPE);
  if (!takeSwizzleName(&p)) {
    unexpected(&p, "'S<'");
    return false;
  }
  return parseSwizzle(&p, swizzle) && finish(&p);
}

// "o" offset "o" layout
static bool parseRest(Parser *p, CuteIntTuple *offset, CuteLayout *outer) {
  if (!takeSeparator(p, 'o'))
    return false;
  *offset = parseTupleAs(p, CUTE_SYNTAX_INT_TUPLE);
  if (!*offset || !takeSeparator(p, 'o'))
    return false;
  *outer = parsePlain(p);
  return *outer;
}

static CuteLayout parseComposed(Parser *p) {
  CuteSwizzle s;
  CuteIntTuple offset;
  CuteLayout outer;
  if (takeSwizzleName(p))
    return parseSwizzle(p, &s) && parseRest(p, &offset, &outer)
               ? cuteLayoutGetSwizzled(p->context, s, offset, outer)
               : NULL;
  CuteLayout inner = parsePlain(p);
  if (!inner)
    return NULL;
  if (p->at == p->end)
    return cuteFail(
        p->context,
        "composed layout: nothing is composed; expected A o offset o B");
  return parseRest(p, &offset, &outer)
             ? cuteLayoutGetComposed(p->context, inner, offset, outer)
             : NULL;
}

CuteLayout cuteComposedLayoutParse(CuteContext context, CuteStringRef text) {
  return parseWhole(context, text, parseComposed);
}

//===-- Tiles -------------------------------------------------------------===//

// Extents are not checked; shape and stride that do not match become x:x.
static CuteLayout parseTileLayout(Parser *p) {
  CuteContext c = p->context;
  Mode mode;
  if (!parseMode(p, &mode))
    return NULL;
  if (!mode.stride)
    mode.stride = cuteCompactStrides(c, mode.shape, staticInt(c, 1));
  else if (!p->unchecked && !cuteStrideCheck(c, mode.stride))
    return NULL;
  if (mode.stride && !cuteIntTupleIsCongruent(mode.shape, mode.stride))
    mode.shape = mode.stride = cuteInternErrorLeaf(c);
  return cuteInternUncheckedLayout(c, mode);
}

static const void *parseTile(Parser *p) {
  CuteContext c = p->context;
  if (takeWord(p, "_"))
    return cuteTileGetUnderscore(c);
  if (!takeChar(p, '['))
    return cuteTileGetLayout(c, parseTileLayout(p));
  Elements elements = {0};
  if (!parseElements(p, ';', ']', parseTile, &elements))
    return NULL;
  return cuteInternTileTuple(c, elements.count,
                             (const CuteTile *)elements.data);
}

static CuteTile parseWholeTile(CuteContext context, CuteStringRef text,
                               bool unchecked) {
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  Parser p = startParser(context, text, CUTE_SYNTAX_SHAPE);
  p.unchecked = unchecked;
  CuteTile tile = parseTile(&p);
  if (tile && !finish(&p))
    tile = NULL;
  return tile;
}

CuteTile cuteTileParse(CuteContext context, CuteStringRef text) {
  return parseWholeTile(context, text, false);
}

CuteTile cuteTileParseUnchecked(CuteContext context, CuteStringRef text) {
  return parseWholeTile(context, text, true);
}
