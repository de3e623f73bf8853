// Reads dialect types, in the pretty and in the generic form.
#include "Hardware/mma_family.h"
#include "IR/type.h"
#include "Support/edit_distance.h"
#include "Support/lexer.h"

//===-- Parsing -----------------------------------------------------------===//

typedef struct Parser {
  CuteContext context;
  CuteLexer lexer;
} Parser;

static bool expectChar(Parser *p, char c) {
  if (cuteLexerTake(&p->lexer, c))
    return true;
  if (p->lexer.at == p->lexer.end)
    return cuteFail(p->context, "expected '%c' at the end of the type", c);
  return cuteFail(
      p->context, "expected '%c' in the type, found '%.*s'", c,
      (int)(p->lexer.end - p->lexer.at > 12 ? 12 : p->lexer.end - p->lexer.at),
      p->lexer.at);
}

// The text between quotes. The strings of types have no escapes.
static bool takeString(Parser *p, CuteStringRef *value) {
  if (!expectChar(p, '"'))
    return false;
  const char *start = p->lexer.at;
  while (p->lexer.at < p->lexer.end && *p->lexer.at != '"' &&
         *p->lexer.at != '\n')
    ++p->lexer.at;
  *value = (CuteStringRef){start, (size_t)(p->lexer.at - start)};
  return expectChar(p, '"');
}

static bool takeInt(Parser *p, int64_t *value) {
  return cuteTextGetInteger(cuteLexerTakeWord(&p->lexer), value) ||
         cuteFail(p->context, "expected an integer in the type");
}

static bool takeElement(Parser *p, CuteElementType *element) {
  CuteStringRef word = cuteLexerTakeWord(&p->lexer);
  if (cuteElementTypeFind(word, element))
    return true;
  return cuteFail(p->context, "'%.*s' is not an element type", CUTE_TEXT(word));
}

// Says what to write in place of spaces that others have.
static const char *hintOf(CuteStringRef space) {
  return cuteTextEquals(space, "generic")
             ? "; a pointer says where it points: to gmem, as what a kernel is "
               "given, or another of these"
             : "";
}

// gmem or "gmem"
static bool takeSpace(Parser *p, CuteSpace *space) {
  CuteStringRef word;
  cuteLexerSkipTrivia(&p->lexer);
  if (p->lexer.at < p->lexer.end && *p->lexer.at == '"') {
    if (!takeString(p, &word))
      return false;
  } else {
    word = cuteLexerTakeWord(&p->lexer);
  }
  for (int i = CUTE_GMEM; i < CUTE_NUM_SPACES; ++i) {
    if (!cuteTextEquals(word, cuteTypeGetSpaceName((CuteSpace)i)))
      continue;
    *space = (CuteSpace)i;
    return true;
  }
  return cuteFail(
      p->context,
      "'%.*s' is not a memory space (gmem, smem, rmem, desc, dsmem or tmem)%s",
      CUTE_TEXT(word), hintOf(word));
}

// align<16> or 16 : i64, for the word "align"
static bool takeNamedInt(Parser *p, const char *word, int64_t *value) {
  Parser saved = *p;
  if (cuteTextEquals(cuteLexerTakeWord(&p->lexer), word))
    return expectChar(p, '<') && takeInt(p, value) && expectChar(p, '>');
  *p = saved;
  cuteLexerSkipTrivia(&p->lexer);
  if (p->lexer.at == p->lexer.end || *p->lexer.at < '0' || *p->lexer.at > '9')
    return cuteFail(p->context, "expected %s<N>, as in %s<16>", word, word);
  if (!takeInt(p, value))
    return false;
  if (!cuteLexerTake(&p->lexer, ':'))
    return true;
  if (cuteTextEquals(cuteLexerTakeWord(&p->lexer), "i64"))
    return true;
  return cuteFail(p->context, "expected 'i64' after the number of %s<...>",
                  word);
}

static bool takeAlign(Parser *p, int64_t *align) {
  return takeNamedInt(p, "align", align);
}

// Nothing, or a comma and S<3,4,3>, "S<3,4,3>" or "".
static bool takeSwizzle(Parser *p, CuteSwizzle *swizzle) {
  *swizzle = (CuteSwizzle){0};
  if (!cuteLexerTake(&p->lexer, ','))
    return true;
  CuteStringRef text;
  cuteLexerSkipTrivia(&p->lexer);
  if (p->lexer.at < p->lexer.end && *p->lexer.at == '"') {
    if (!takeString(p, &text))
      return false;
    return !text.length || cuteSwizzleParse(p->context, text, swizzle);
  }
  const char *close =
      memchr(p->lexer.at, '>', (size_t)(p->lexer.end - p->lexer.at));
  text = (CuteStringRef){p->lexer.at,
                         close ? (size_t)(close + 1 - p->lexer.at) : 0};
  p->lexer.at += text.length;
  return cuteSwizzleParse(p->context, text, swizzle);
}

static CuteType parsePointer(Parser *p, CuteTypeKind kind) {
  CuteElementType element;
  CuteSpace space = CUTE_GMEM;
  CuteSwizzle swizzle;
  int64_t align;
  if (!takeElement(p, &element) || !expectChar(p, ',') ||
      !takeSpace(p, &space) || !expectChar(p, ',') || !takeAlign(p, &align))
    return NULL;
  if (kind == CUTE_TYPE_PTR)
    return takeSwizzle(p, &swizzle)
               ? cuteTypeGetSwizzledPointer(p->context, element, space, align,
                                            swizzle)
               : NULL;
  CuteStringRef text;
  if (!expectChar(p, ',') || !takeString(p, &text))
    return NULL;
  bool composed = memchr(text.data, 'o', text.length);
  CuteLayout layout = composed ? cuteComposedLayoutParse(p->context, text)
                               : cuteLayoutParse(p->context, text);
  return cuteTypeGetTensor(p->context, element, space, align, layout);
}

static CuteType parseCoordTensor(Parser *p) {
  CuteStringRef origin, layout;
  if (!takeString(p, &origin) || !expectChar(p, ',') || !takeString(p, &layout))
    return NULL;
  CuteContext c = p->context;
  CuteIntTuple tuple = cuteIntTupleParse(c, origin, CUTE_SYNTAX_INT_TUPLE);
  return tuple ? cuteTypeGetCoordTensor(c, tuple, cuteLayoutParse(c, layout))
               : NULL;
}

static const char *nameOfMma(size_t i) { return cuteMmaAtomGet(i)->name; }
static const char *nameOfCopy(size_t i) { return cuteCopyAtomGet(i)->name; }

// Fails with the closest of n names, if one is close.
static void *failAtom(CuteContext c, const char *kind, CuteStringRef name,
                      size_t n, const char *(*nameOf)(size_t i)) {
  const char *best = NULL;
  size_t least = name.length / 3 + 2;
  for (size_t i = 0; i < n; ++i) {
    const char *other = nameOf(i);
    size_t distance =
        cuteEditDistance(name.data, name.length, other, strlen(other));
    if (distance >= least)
      continue;
    least = distance;
    best = other;
  }
  return cuteFail(
      c, "no %s atom is named '%.*s'; %s%s%s", kind, CUTE_TEXT(name),
      best ? "did you mean '" : "cutec --list-atoms has their names",
      best ? best : "", best ? "'?" : "");
}

static const CuteMmaAtom *takeMmaAtom(Parser *p) {
  CuteStringRef name;
  if (!takeString(p, &name))
    return NULL;
  const CuteMmaAtom *atom = cuteMmaAtomFind(name);
  char problem[256];
  if (!atom && cuteMmaFamilyExplain(name, problem, sizeof problem))
    return cuteFail(p->context, "MMA atom %.*s: %s", CUTE_TEXT(name), problem);
  return atom ? atom
              : failAtom(p->context, "MMA", name, cuteMmaAtomGetNum(),
                         nameOfMma);
}

static bool takeCopyAtom(Parser *p, const CuteCopyAtom **atom,
                         CuteElementType *element) {
  CuteStringRef name;
  if (!takeString(p, &name))
    return false;
  *atom = cuteCopyAtomFind(name);
  if (!*atom)
    return failAtom(p->context, "copy", name, cuteCopyAtomGetNum(), nameOfCopy);
  return expectChar(p, ',') && takeElement(p, element);
}

// , "layout", "tile"
static bool takeTiling(Parser *p, CuteLayout *layout, CuteTile *tile) {
  CuteStringRef first, second;
  if (!expectChar(p, ',') || !takeString(p, &first) || !expectChar(p, ',') ||
      !takeString(p, &second))
    return false;
  *layout = cuteLayoutParse(p->context, first);
  *tile = *layout ? cuteTileParse(p->context, second) : NULL;
  return *tile;
}

static CuteType parseTma(Parser *p) {
  CuteContext c = p->context;
  CuteTmaAtom tma = {.ctas = 1};
  CuteStringRef swizzle, box, values;
  if (!takeCopyAtom(p, &tma.atom, &tma.element) || !expectChar(p, ',') ||
      !takeString(p, &swizzle) || !expectChar(p, ',') || !takeString(p, &box) ||
      !expectChar(p, ',') || !takeString(p, &values) ||
      (cuteLexerTake(&p->lexer, ',') && !takeNamedInt(p, "ctas", &tma.ctas)) ||
      (swizzle.length && !cuteSwizzleParse(c, swizzle, &tma.swizzle)))
    return NULL;
  tma.box = cuteLayoutParse(c, box);
  tma.values = tma.box ? cuteLayoutParse(c, values) : NULL;
  return cuteTypeGetTmaAtom(c, tma);
}

static CuteType parseAtom(Parser *p, CuteTypeKind kind) {
  CuteContext c = p->context;
  if (kind == CUTE_TYPE_TMA_ATOM)
    return parseTma(p);
  if (kind == CUTE_TYPE_MMA_ATOM)
    return cuteTypeGetMmaAtom(c, takeMmaAtom(p));
  if (kind == CUTE_TYPE_TILED_MMA) {
    CuteTiledMma mma = {.atom = takeMmaAtom(p)};
    if (!mma.atom || !takeTiling(p, &mma.atomLayout, &mma.permutation))
      return NULL;
    return cuteTypeGetTiledMma(c, mma);
  }
  CuteTiledCopy copy = {0};
  if (!takeCopyAtom(p, &copy.atom, &copy.element))
    return NULL;
  if (kind == CUTE_TYPE_COPY_ATOM)
    return cuteTypeGetCopyAtom(c, copy.atom, copy.element);
  return takeTiling(p, &copy.layoutTV, &copy.tiler)
             ? cuteTypeGetTiledCopy(c, copy)
             : NULL;
}

// One of n words in quotes.
static bool takeName(Parser *p, int n, const char *(*nameOf)(int i),
                     int *which) {
  CuteStringRef word;
  if (!takeString(p, &word))
    return false;
  for (*which = 0; *which < n; ++*which)
    if (cuteTextEquals(word, nameOf(*which)))
      return true;
  CuteString names = {0};
  for (int i = 0; i < n; ++i)
    cuteStringAppendFormat(&names, "%s\"%s\"", i ? ", " : "", nameOf(i));
  return cuteFail(p->context, "\"%.*s\" is none of %s", CUTE_TEXT(word),
                  cuteArenaTakeString(&p->context->scratch, &names));
}

static bool takeNext(Parser *p, const char *word, int64_t *value) {
  return expectChar(p, ',') && takeNamedInt(p, word, value);
}

static const char *nameOfPipe(int i) {
  return cutePipelineKindGetName((CutePipelineKind)i);
}
static const char *nameOfAgent(int i) {
  return cutePipelineAgentGetName((CutePipelineAgent)i);
}
static const char *nameOfRole(int i) {
  return cutePipelineRoleGetName((CutePipelineRole)i);
}

static CuteType parsePipeline(Parser *p) {
  CutePipeline pipeline = {0};
  CuteStringRef mask;
  int kind, agent;
  if (!takeName(p, CUTE_NUM_PIPES, nameOfPipe, &kind) ||
      !takeNext(p, "stages", &pipeline.stages) ||
      !takeNext(p, "producers", &pipeline.producers) ||
      !takeNext(p, "consumers", &pipeline.consumers) || !expectChar(p, ',') ||
      !takeName(p, CUTE_NUM_AGENTS, nameOfAgent, &agent) ||
      !takeNext(p, "bytes", &pipeline.bytes) || !expectChar(p, ',') ||
      !takeString(p, &mask))
    return NULL;
  pipeline.kind = (CutePipelineKind)kind;
  pipeline.agent = (CutePipelineAgent)agent;
  if (mask.length)
    pipeline.mask = cuteIntTupleParse(p->context, mask, CUTE_SYNTAX_INT_TUPLE);
  if (mask.length && !pipeline.mask)
    return NULL;
  return cuteTypeGetPipeline(p->context, pipeline);
}

static CuteType parseState(Parser *p) {
  int role;
  int64_t stages;
  return takeName(p, CUTE_NUM_ROLES, nameOfRole, &role) &&
                 takeNext(p, "stages", &stages)
             ? cuteTypeGetPipelineState(p->context, (CutePipelineRole)role,
                                        stages)
             : NULL;
}

static CuteType parseTuple(CuteContext c, CuteTypeKind kind,
                           CuteStringRef text) {
  static const CuteIntTupleSyntax syntax[] = {
      [CUTE_TYPE_INT_TUPLE] = CUTE_SYNTAX_INT_TUPLE,
      [CUTE_TYPE_SHAPE] = CUTE_SYNTAX_SHAPE,
      [CUTE_TYPE_STRIDE] = CUTE_SYNTAX_STRIDE,
      [CUTE_TYPE_COORD] = CUTE_SYNTAX_COORD};
  return cuteTypeGetTuple(c, kind, cuteIntTupleParse(c, text, syntax[kind]));
}

static CuteType parseValue(Parser *p, CuteTypeKind kind) {
  CuteContext c = p->context;
  CuteStringRef text;
  CuteSwizzle swizzle;
  if (!takeString(p, &text))
    return NULL;
  switch (kind) {
  case CUTE_TYPE_TILE:
    return cuteTypeGetTile(c, cuteTileParse(c, text));
  case CUTE_TYPE_LAYOUT:
    return cuteTypeGetLayout(c, cuteLayoutParse(c, text));
  case CUTE_TYPE_COMPOSED_LAYOUT:
    return cuteTypeGetLayout(c, cuteComposedLayoutParse(c, text));
  case CUTE_TYPE_STRUCT:
    return cuteTypeGetStruct(c, text);
  case CUTE_TYPE_SWIZZLE:
    return cuteSwizzleParse(c, text, &swizzle) ? cuteTypeGetSwizzle(c, swizzle)
                                               : NULL;
  default:
    return parseTuple(c, kind, text);
  }
}

static CuteType parseByKind(Parser *p, CuteTypeKind kind) {
  if (kind == CUTE_TYPE_PTR || kind == CUTE_TYPE_TENSOR)
    return parsePointer(p, kind);
  if (kind == CUTE_TYPE_COORD_TENSOR)
    return parseCoordTensor(p);
  if (kind == CUTE_TYPE_PIPELINE)
    return parsePipeline(p);
  if (kind == CUTE_TYPE_PIPELINE_STATE)
    return parseState(p);
  if (kind >= CUTE_TYPE_MMA_ATOM)
    return parseAtom(p, kind);
  return parseValue(p, kind);
}

// Dynamic leaves of text have no values: what is computed of them is inferred.
CuteType cuteTypeParseParameters(CuteContext context, CuteTypeKind kind,
                                 CuteStringRef text, size_t *length) {
  Parser p = {context, {text.data, text.data + text.length}};
  const CuteLeafArithmetic *before;
  void *data;
  cuteContextSetArithmetic(context, NULL, NULL, &before, &data);
  CuteType type = expectChar(&p, '<') ? parseByKind(&p, kind) : NULL;
  cuteContextSetArithmetic(context, before, data, NULL, NULL);
  if (type && !expectChar(&p, '>'))
    type = NULL;
  *length = (size_t)(p.lexer.at - text.data);
  return type;
}

//===-- Types in running text ---------------------------------------------===//

static bool endsForeign(char c) { return strchr(">)]}{,=/ \n\t\r", c); }

// The length of a type of another dialect: up to a delimiter outside brackets;
// 0 where a bracket is not closed.
static size_t foreignLength(CuteStringRef text) {
  CuteLexer lexer = {text.data, text.data + text.length};
  while (lexer.at < lexer.end && !endsForeign(*lexer.at)) {
    CuteStringRef token;
    if (!strchr("(<[", *lexer.at))
      cuteLexerNext(&lexer, &token);
    else if (!cuteLexerSkipBracket(&lexer))
      return 0;
  }
  return (size_t)(lexer.at - text.data);
}

static CuteType parseForeign(CuteContext context, CuteStringRef text,
                             size_t *length) {
  *length = foreignLength(text);
  if (!*length)
    return cuteFail(context, !text.length || endsForeign(*text.data)
                                 ? "expected a type"
                                 : "the type's brackets are not closed");
  return cuteTypeGetForeign(context, (CuteStringRef){text.data, *length});
}

// !cute.layout<"...">, or the same as MLIR spells it at length,
// !cute<layout<"...">>.
CuteType cuteTypeParsePrefix(CuteContext context, CuteStringRef text,
                             size_t *length) {
  bool atLength = cuteTextStartsWith(text, "!cute<");
  if (!atLength && !cuteTextStartsWith(text, "!cute."))
    return parseForeign(context, text, length);
  Parser p = {context, {text.data + 6, text.data + text.length}};
  CuteStringRef word = cuteLexerTakeWord(&p.lexer);
  CuteTypeKind kind;
  *length = (size_t)(p.lexer.at - text.data);
  if (!cuteTypeKindFind(word, &kind))
    return cuteFail(context, "no type is named '!cute.%.*s'", CUTE_TEXT(word));
  size_t rest;
  CuteType type = cuteTypeParseParameters(
      context, kind,
      (CuteStringRef){p.lexer.at, (size_t)(p.lexer.end - p.lexer.at)}, &rest);
  p.lexer.at += rest;
  if (type && atLength && !expectChar(&p, '>'))
    type = NULL;
  *length = (size_t)(p.lexer.at - text.data);
  return type;
}

CuteType cuteTypeParse(CuteContext context, CuteStringRef text) {
  size_t length;
  CuteType type = cuteTypeParsePrefix(context, text, &length);
  if (type && length != text.length)
    return cuteFail(context, "unexpected text after the type");
  return type;
}
