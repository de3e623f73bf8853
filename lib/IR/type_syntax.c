// The text of the dialect's types, in the pretty and in the generic form: a row
// for each kind says what is between its brackets.
#include "IR/type.h"
#include "Support/lexer.h"

// Has a letter for each part, between which there are commas.
//   in quotes: t tuple, l layout, c composed layout, a either, i tile, v layout
//     that is kept as a tile, w swizzle, b swizzle or nothing, k tuple or
//     nothing, M MMA atom, C copy atom, P kind of pipeline, G agent, R role
//   s space, in quotes in the generic form; e element; z swizzle of a pointer,
//     which the pretty form leaves out where there is none
//   a digit: a row of `numbers`, which that form leaves out where it is the
//     number of thread blocks and 1
static const struct {
  const char *name, *parts;
} rows[] = {
    [CUTE_TYPE_INT_TUPLE] = {"int_tuple", "t"},
    [CUTE_TYPE_SHAPE] = {"shape", "t"},
    [CUTE_TYPE_STRIDE] = {"stride", "t"},
    [CUTE_TYPE_COORD] = {"coord", "t"},
    [CUTE_TYPE_TILE] = {"tile", "i"},
    [CUTE_TYPE_LAYOUT] = {"layout", "l"},
    [CUTE_TYPE_COMPOSED_LAYOUT] = {"composed_layout", "c"},
    [CUTE_TYPE_SWIZZLE] = {"swizzle", "w"},
    [CUTE_TYPE_PTR] = {"ptr", "es0z"},
    [CUTE_TYPE_TENSOR] = {"tensor", "es0a"},
    [CUTE_TYPE_COORD_TENSOR] = {"coord_tensor", "tl"},
    [CUTE_TYPE_MMA_ATOM] = {"mma_atom", "M"},
    [CUTE_TYPE_COPY_ATOM] = {"copy_atom", "Ce"},
    [CUTE_TYPE_TILED_MMA] = {"tiled_mma", "Mli"},
    [CUTE_TYPE_TILED_COPY] = {"tiled_copy", "Celi"},
    [CUTE_TYPE_TMA_ATOM] = {"tma_atom", "Ceblv1"},
    [CUTE_TYPE_PIPELINE] = {"pipeline", "P234G5k"},
    [CUTE_TYPE_PIPELINE_STATE] = {"pipeline_state", "R2"},
    [CUTE_TYPE_FOREIGN] = {"foreign", ""},
};

static const struct {
  const char *name; // in the pretty form
  size_t offset;
} numbers[] = {
    {"align", offsetof(struct CuteTypeImpl, align)},
    {"ctas", offsetof(struct CuteTypeImpl, ctas)},
    {"stages", offsetof(struct CuteTypeImpl, pipeline.stages)},
    {"producers", offsetof(struct CuteTypeImpl, pipeline.producers)},
    {"consumers", offsetof(struct CuteTypeImpl, pipeline.consumers)},
    {"bytes", offsetof(struct CuteTypeImpl, pipeline.bytes)},
};

//===-- Names -------------------------------------------------------------===//

// A row for each space: its name and LLVM's number for pointers to it.
static const struct {
  const char *name;
  unsigned number;
} spaces[CUTE_NUM_SPACES] = {
    [CUTE_GMEM] = {"gmem", 1},   [CUTE_SMEM] = {"smem", 3},
    [CUTE_RMEM] = {"rmem", 0},   [CUTE_DESC] = {"desc", 0},
    [CUTE_DSMEM] = {"dsmem", 7}, [CUTE_TMEM] = {"tmem", 6}};

static const char *const pipelineNames[] = {
    [CUTE_PIPE_TMA] = "tma",           [CUTE_PIPE_ASYNC] = "async",
    [CUTE_PIPE_CP_ASYNC] = "cp_async", [CUTE_PIPE_TMA_STORE] = "tma_store",
    [CUTE_PIPE_ORDER] = "order",       [CUTE_PIPE_TENSOR] = "tcgen05"};
static const char *const agentNames[] = {[CUTE_AGENT_THREAD] = "thread",
                                         [CUTE_AGENT_WARP] = "warp",
                                         [CUTE_AGENT_WARPGROUP] = "warpgroup",
                                         [CUTE_AGENT_TENSOR] = "tcgen05"};
static const char *const roleNames[] = {[CUTE_ROLE_PRODUCER] = "producer",
                                        [CUTE_ROLE_CONSUMER] = "consumer",
                                        [CUTE_ROLE_ORDER] = "order"};

const char *cutePipelineKindGetName(CutePipelineKind kind) {
  return pipelineNames[kind];
}
const char *cutePipelineAgentGetName(CutePipelineAgent agent) {
  return agentNames[agent];
}
const char *cutePipelineRoleGetName(CutePipelineRole role) {
  return roleNames[role];
}

const char *cuteTypeGetSpaceName(CuteSpace space) { return spaces[space].name; }

unsigned cuteTypeGetAddressSpace(CuteSpace space) {
  return spaces[space].number;
}

const char *cuteTypeKindGetName(CuteTypeKind kind) { return rows[kind].name; }

bool cuteTypeKindFind(CuteStringRef name, CuteTypeKind *kind) {
  for (int i = 0; i < CUTE_NUM_TYPE_KINDS; ++i) {
    if (!cuteTextEquals(name, rows[i].name))
      continue;
    *kind = (CuteTypeKind)i;
    return true;
  }
  return false;
}

//===-- Reading -----------------------------------------------------------===//

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

// Says what to write in place of spaces that others have.
static const char *hintOf(CuteStringRef space) {
  return cuteTextEquals(space, "generic")
             ? "; a pointer names its memory: gmem, as for a kernel's "
               "arguments, or another of these"
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

// S<3,4,3>, "S<3,4,3>" or "".
static bool takePointerSwizzle(Parser *p, CuteSwizzle *swizzle) {
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

// Finds which one of n words the text is.
static bool findName(CuteContext c, CuteStringRef word, int n,
                     const char *const *words, int *which) {
  for (*which = 0; *which < n; ++*which)
    if (cuteTextEquals(word, words[*which]))
      return true;
  CuteString names = {0};
  for (int i = 0; i < n; ++i)
    cuteStringAppendFormat(&names, "%s\"%s\"", i ? ", " : "", words[i]);
  return cuteFail(c, "\"%.*s\" is not one of %s", CUTE_TEXT(word),
                  cuteArenaTakeString(&c->scratch, &names));
}

static bool readWord(CuteContext c, char part, CuteStringRef text,
                     struct CuteTypeImpl *type) {
  int which = 0;
  bool ok =
      part == 'P'   ? findName(c, text, CUTE_NUM_PIPES, pipelineNames, &which)
      : part == 'G' ? findName(c, text, CUTE_NUM_AGENTS, agentNames, &which)
                    : findName(c, text, CUTE_NUM_ROLES, roleNames, &which);
  if (part == 'P')
    type->pipeline.kind = (CutePipelineKind)which;
  else if (part == 'G')
    type->pipeline.agent = (CutePipelineAgent)which;
  else
    type->space = (uint8_t)which;
  return ok;
}

static bool readTuple(CuteContext c, CuteStringRef text,
                      struct CuteTypeImpl *type) {
  static const CuteIntTupleSyntax syntax[] = {
      [CUTE_TYPE_INT_TUPLE] = CUTE_SYNTAX_INT_TUPLE,
      [CUTE_TYPE_SHAPE] = CUTE_SYNTAX_SHAPE,
      [CUTE_TYPE_STRIDE] = CUTE_SYNTAX_STRIDE,
      [CUTE_TYPE_COORD] = CUTE_SYNTAX_COORD};
  type->tuple =
      cuteIntTupleParse(c, text,
                        type->kind <= CUTE_TYPE_COORD ? syntax[type->kind]
                                                      : CUTE_SYNTAX_INT_TUPLE);
  return type->tuple;
}

static bool readLayout(CuteContext c, bool isComposed, CuteStringRef text,
                       CuteLayout *layout) {
  *layout =
      isComposed ? cuteComposedLayoutParse(c, text) : cuteLayoutParse(c, text);
  return *layout;
}

static bool readTile(CuteContext c, bool isLayout, CuteStringRef text,
                     CuteTile *tile) {
  CuteLayout layout = isLayout ? cuteLayoutParse(c, text) : NULL;
  *tile = layout     ? cuteTileGetLayout(c, layout)
          : isLayout ? NULL
                     : cuteTileParse(c, text);
  return *tile;
}

static bool readQuoted(CuteContext c, char part, CuteStringRef text,
                       struct CuteTypeImpl *type) {
  if (!text.length && (part == 'b' || part == 'k'))
    return true;
  switch (part) {
  case 't':
  case 'k':
    return readTuple(c, text, type);
  case 'l':
  case 'c':
  case 'a':
    return readLayout(
        c, part == 'c' || (part == 'a' && memchr(text.data, 'o', text.length)),
        text, &type->layout);
  case 'i':
  case 'v':
    return readTile(c, part == 'v', text, &type->tile);
  case 'w':
  case 'b':
    return cuteSwizzleParse(c, text, &type->swizzle);
  case 'M':
    return cuteTypeFindMma(c, text, &type->atom);
  case 'C':
    return cuteTypeFindCopy(c, text, &type->atom);
  default:
    return readWord(c, part, text, type);
  }
}

static bool readPart(Parser *p, char part, struct CuteTypeImpl *type) {
  CuteStringRef text;
  CuteElementType element = type->element;
  CuteSpace space = CUTE_GMEM;
  bool ok;
  switch (part) {
  case 'e':
    ok =
        cuteTypeFindElement(p->context, cuteLexerTakeWord(&p->lexer), &element);
    type->element = element;
    return ok;
  case 's':
    ok = takeSpace(p, &space);
    type->space = (uint8_t)space;
    return ok;
  case 'z':
    return takePointerSwizzle(p, &type->swizzle);
  default:
    if (part <= '9')
      return takeNamedInt(p, numbers[part - '0'].name,
                          (void *)((char *)type + numbers[part - '0'].offset));
    return takeString(p, &text) && readQuoted(p->context, part, text, type);
  }
}

// The type with these parts, unless they make none.
static CuteType make(CuteContext c, CuteType t) {
  CuteElementType element = t->element;
  CuteSpace space = (CuteSpace)t->space;
  switch ((CuteTypeKind)t->kind) {
  case CUTE_TYPE_TILE:
    return cuteTypeGetTile(c, t->tile);
  case CUTE_TYPE_LAYOUT:
  case CUTE_TYPE_COMPOSED_LAYOUT:
    return cuteTypeGetLayout(c, t->layout);
  case CUTE_TYPE_SWIZZLE:
    return cuteTypeGetSwizzle(c, t->swizzle);
  case CUTE_TYPE_PTR:
    return cuteTypeGetSwizzledPointer(c, element, space, t->align, t->swizzle);
  case CUTE_TYPE_TENSOR:
    return cuteTypeGetTensor(c, element, space, t->align, t->layout);
  case CUTE_TYPE_COORD_TENSOR:
    return cuteTypeGetCoordTensor(c, t->tuple, t->layout);
  case CUTE_TYPE_MMA_ATOM:
    return cuteTypeGetMmaAtom(c, t->atom);
  case CUTE_TYPE_COPY_ATOM:
    return cuteTypeGetCopyAtom(c, t->atom, element);
  case CUTE_TYPE_TILED_MMA:
    return cuteTypeGetTiledMma(c, cuteTypeGetTiledMmaValue(t));
  case CUTE_TYPE_TILED_COPY:
    return cuteTypeGetTiledCopy(c, cuteTypeGetTiledCopyValue(t));
  case CUTE_TYPE_TMA_ATOM:
    return cuteTypeGetTmaAtom(c, cuteTypeGetTmaAtomValue(t));
  case CUTE_TYPE_PIPELINE:
    return cuteTypeGetPipeline(c, cuteTypeGetPipelineValue(t));
  case CUTE_TYPE_PIPELINE_STATE:
    return cuteTypeGetPipelineState(c, (CutePipelineRole)t->space,
                                    t->pipeline.stages);
  default:
    return cuteTypeGetTuple(c, (CuteTypeKind)t->kind, t->tuple);
  }
}

static bool isOptional(char part) { return part == '1' || part == 'z'; }

static CuteType takeParts(Parser *p, CuteTypeKind kind) {
  struct CuteTypeImpl type = {.kind = (uint8_t)kind,
                              .ctas = kind == CUTE_TYPE_TMA_ATOM};
  for (const char *part = rows[kind].parts; *part; ++part) {
    if (isOptional(*part) && !cuteLexerTake(&p->lexer, ','))
      continue;
    if ((!isOptional(*part) && part > rows[kind].parts &&
         !expectChar(p, ',')) ||
        !readPart(p, *part, &type))
      return NULL;
  }
  return make(p->context, &type);
}

// Dynamic leaves of text have no values: what is computed of them is inferred.
CuteType cuteTypeParseParameters(CuteContext context, CuteTypeKind kind,
                                 CuteStringRef text, size_t *length) {
  Parser p = {context, {text.data, text.data + text.length}};
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(context, NULL, NULL);
  CuteType type = expectChar(&p, '<') ? takeParts(&p, kind) : NULL;
  if (type && !expectChar(&p, '>'))
    type = NULL;
  *length = (size_t)(p.lexer.at - text.data);
  return type;
}

//===-- Printing ----------------------------------------------------------===//

static void appendQuoted(CuteString *text, char part, CuteType type) {
  switch (part) {
  case 'i':
    cuteAppendTile(text, type->tile);
    return;
  case 'v':
    cuteAppendLayout(text, type->tile->layout);
    return;
  case 'w':
    cuteAppendSwizzle(text, type->swizzle);
    return;
  case 'b':
  case 'z':
    if (type->swizzle.bits)
      cuteAppendSwizzle(text, type->swizzle);
    return;
  case 't':
  case 'k':
    if (type->tuple)
      cuteAppendTuple(text, type->tuple);
    return;
  case 'M':
    cuteStringAppend(text, ((const CuteMmaAtom *)type->atom)->name);
    return;
  case 'C':
    cuteStringAppend(text, ((const CuteCopyAtom *)type->atom)->name);
    return;
  case 'P':
    cuteStringAppend(text, pipelineNames[type->pipeline.kind]);
    return;
  case 'G':
    cuteStringAppend(text, agentNames[type->pipeline.agent]);
    return;
  case 'R':
    cuteStringAppend(text, roleNames[type->space]);
    return;
  case 's':
    cuteStringAppend(text, spaces[type->space].name);
    return;
  default:
    cuteAppendLayout(text, type->layout);
  }
}

static void appendPart(CuteString *text, char part, CuteType type,
                       bool isPretty) {
  if (part == 'e') {
    cuteStringAppend(text, cuteElementTypeGetName(type->element));
  } else if (part <= '9') {
    int64_t number;
    memcpy(&number, (const char *)type + numbers[part - '0'].offset,
           sizeof number);
    if (isPretty)
      cuteStringAppend(text, numbers[part - '0'].name);
    cuteStringAppendFormat(text, isPretty ? "<%jd>" : "%jd : i64", number);
  } else {
    const char *quote = isPretty && strchr("sz", part) ? "" : "\"";
    cuteStringAppend(text, quote);
    appendQuoted(text, part, type);
    cuteStringAppend(text, quote);
  }
}

void cuteAppendType(CuteString *text, CuteType type, CuteTypeForm form) {
  bool isPretty = form == CUTE_FORM_PRETTY;
  const char *parts = rows[type->kind].parts;
  if (type->kind == CUTE_TYPE_FOREIGN) {
    cuteStringAppendBytes(text, type->foreign.data, type->foreign.length);
    return;
  }
  cuteStringAppend(text, "!cute.");
  cuteStringAppend(text, rows[type->kind].name);
  cuteStringAppendChar(text, '<');
  for (const char *part = parts; *part; ++part) {
    bool isNone =
        *part == '1' ? type->ctas == 1 : *part == 'z' && !type->swizzle.bits;
    if (isPretty && isNone)
      continue;
    cuteStringAppend(text, part > parts ? ", " : "");
    appendPart(text, *part, type, isPretty);
  }
  cuteStringAppendChar(text, '>');
}

const char *cuteTypeText(CuteContext c, CuteType type) {
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  return cuteArenaTakeString(&c->scratch, &text);
}

void cuteTypePrint(CuteType type, CuteTypeForm form,
                   CuteStringCallback callback, void *userData) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, type, form);
  callback(cuteStringGetRef(&text), userData);
}
