// Reads literal operands, such as (128,%n), and writes the ops that make them:
// a tuple, layout, tile, swizzle or type as it is written.
#include "IR/builder.h"
#include "Text/infix.h"
#include "Text/reader_parts.h"

#include <ctype.h>

//===-- Text --------------------------------------------------------------===//

// The text of a literal, with a `?` for each value in it.
typedef struct Template {
  const char *at;
  CuteString text; // without spaces at its ends
  bool hasColon;   // as layouts have
  bool isInAngles; // of a swizzle
  CuteReaderParts *parts;
} Template;

#define OF_LITERALS                                                            \
  "; literals take integers: i32, i64, index, or a scalar int_tuple"

// Appends the leaf that the value is; static ones need no operand.
static bool appendValue(CuteReader *reader, Template *literal,
                        CuteStringRef name) {
  CuteReaderParts *parts = literal->parts;
  CuteArena *scratch = &reader->context->scratch;
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  if (!type)
    return cuteReaderFailUnknownValue(reader, name, OF_LITERALS);
  type = cuteReaderResolve(reader, type);
  unsigned width = cuteTypeGetCoordinateWidth(type);
  if (type->kind == CUTE_TYPE_INT_TUPLE && !isTuple(type->tuple))
    cuteAppendTuple(&literal->text, type->tuple);
  else if (width)
    cuteStringAppend(&literal->text, width == 64 ? "?{i64}" : "?");
  else
    return cuteReaderFail(
        reader, name.data,
        type->kind == CUTE_TYPE_COORD
            ? "'%.*s' is a whole coordinate, an operand by itself as in "
              "cute.load(%%t, %%at)" OF_LITERALS
            : "'%.*s' is not an integer" OF_LITERALS,
        CUTE_TEXT(name));
  if (type->kind == CUTE_TYPE_INT_TUPLE && isStatic(type->tuple))
    return true;
  CUTE_ARENA_PUSH(scratch, parts->operands, parts->numOperands, name);
  CUTE_ARENA_PUSH(scratch, parts->types, parts->numTypes, type);
  return true;
}

// Tells whether what is next is an expression, and no number or value alone.
// One that begins with a parenthesis is a tuple.
static bool isExpression(CuteReader *reader) {
  CuteLexer after = reader->lexer;
  CuteStringRef text;
  char next = cuteLexerPeek(&after);
  if (cuteInfixIsNext(after))
    return true;
  if (next == '-')
    cuteLexerTake(&after, '-');
  CuteToken token = cuteLexerNext(&after, &text);
  if (token == CUTE_TOKEN_VALUE && cuteLexerPeek(&after) == '[')
    return true;
  return (token == CUTE_TOKEN_VALUE || token == CUTE_TOKEN_NUMBER) &&
         (cuteInfixContinues(after) || (next == '-' && *text.data == '%'));
}

// Takes the leaf that is next if it is a value or an expression.
static bool takeLeaf(CuteReader *reader, Template *literal, bool *isTaken) {
  CuteLexer *lexer = &reader->lexer;
  const char *at = lexer->at;
  CuteStringRef name;
  bool isNew = isExpression(reader);
  *isTaken = isNew || *at == '%';
  if (!*isTaken)
    return true;
  if (!isNew) {
    cuteLexerNext(lexer, &name);
  } else {
    CuteStringRef i32 = cuteStringRef("i32");
    if (!cuteInfixTake(reader, cuteTypeGetForeign(reader->context, i32), &name))
      return false;
    CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
    if (!cuteTypeGetCoordinateWidth(cuteReaderResolve(reader, type)))
      return cuteReaderFail(
          reader, at,
          "an expression in a literal is of type i32, i64 or index");
  }
  return appendValue(reader, literal, name);
}

static bool isInWord(char c) { return isalnum((unsigned char)c) || c == '_'; }

// Appends the character that is next, with a space before it where the source
// has one between words.
static void appendCharacter(Template *literal, CuteLexer *lexer,
                            bool hasSpace) {
  CuteString *text = &literal->text;
  if (hasSpace && text->length && isInWord(*lexer->at) &&
      isInWord(text->data[text->length - 1]))
    cuteStringAppendChar(text, ' ');
  literal->hasColon |= *lexer->at == ':';
  literal->isInAngles |= *lexer->at == '<';
  literal->isInAngles &= *lexer->at != '>';
  cuteStringAppendChar(text, *lexer->at++);
}

// Tells whether a leaf begins after the text so far. The numbers of S<3,4,3>
// are none.
static bool isLeafNext(const Template *literal) {
  const CuteString *text = &literal->text;
  return !literal->isInAngles &&
         (!text->length || strchr("(,[;:", text->data[text->length - 1]));
}

// Takes the text up to one of the two characters that end the literal.
static bool takeTemplate(CuteReader *reader, Template *literal,
                         const char ends[2]) {
  CuteLexer *lexer = &reader->lexer;
  for (size_t depth = 0;;) {
    const char *before = lexer->at;
    char next = cuteLexerPeek(lexer);
    if (next == '\0' || next == '"')
      return cuteReaderFail(reader, literal->at,
                            ends[0] == ends[1]
                                ? "no '%c' ends this"
                                : "no '%c' or '%c' ends this literal",
                            ends[0], ends[1]);
    if (!depth && (next == ends[0] || next == ends[1]))
      return true;
    bool isTaken = false;
    if (isLeafNext(literal) && !takeLeaf(reader, literal, &isTaken))
      return false;
    if (isTaken)
      continue;
    if (next == '%')
      return cuteReaderFail(reader, lexer->at,
                            "expected ',' or '%c' before this", ends[1]);
    if (strchr("+*/", next))
      return cuteReaderFail(reader, lexer->at,
                            "expected ',': an expression in a tuple begins "
                            "with no parenthesis; name it before");
    depth += strchr("([<", next) != NULL;
    depth -= depth && strchr(")]>", next);
    appendCharacter(literal, lexer, lexer->at != before);
  }
}

//===-- Types -------------------------------------------------------------===//

// The kinds that the text of a literal may be of, the first that the operand
// admits first.
static CuteTypeKind kindOf(const Template *literal, const CuteValueDecl *decl) {
  static const CuteTypeKind tuples[] = {CUTE_TYPE_INT_TUPLE, CUTE_TYPE_SHAPE,
                                        CUTE_TYPE_COORD, CUTE_TYPE_STRIDE};
  const char *text = cuteStringGet(&literal->text);
  if (*text == '[' ||
      (!strcmp(text, "_") && !(decl->kinds & 1u << CUTE_TYPE_COORD)))
    return CUTE_TYPE_TILE;
  bool isTile = decl->kinds & 1u << CUTE_TYPE_TILE &&
                !(decl->kinds & 1u << CUTE_TYPE_LAYOUT);
  if (literal->hasColon && *text == 'S')
    return CUTE_TYPE_COMPOSED_LAYOUT;
  if (literal->hasColon)
    return isTile ? CUTE_TYPE_TILE : CUTE_TYPE_LAYOUT;
  if (*text == 'S')
    return CUTE_TYPE_SWIZZLE;
  bool hasUnderscore = strchr(text, '_');
  for (size_t i = hasUnderscore ? 2 : 0; i < sizeof tuples / sizeof *tuples;
       ++i)
    if (decl->kinds & 1u << tuples[i])
      return tuples[i];
  return hasUnderscore                          ? CUTE_TYPE_COORD
         : decl->kinds & 1u << CUTE_TYPE_LAYOUT ? CUTE_TYPE_LAYOUT
                                                : CUTE_TYPE_INT_TUPLE;
}

// Writes the tuple (_,8) as the tile [_;8] where it divides modes, as in CuTe.
// Tuples within it stay as they are: they would be layouts in a tile.
static bool writeTile(Template *literal) {
  char *text = literal->text.data;
  size_t length = literal->text.length;
  if (*text != '(' || text[length - 1] != ')' || strchr(text + 1, '('))
    return false;
  text[0] = '[';
  text[length - 1] = ']';
  for (char *comma = text; (comma = strchr(comma, ','));)
    *comma = ';';
  return true;
}

// The type whose text the literal is, of a kind that the operand admits.
static CuteType typeOf(CuteReader *reader, Template *literal,
                       const CuteValueDecl *decl) {
  CuteTypeKind kind = kindOf(literal, decl);
  if (kind == CUTE_TYPE_COORD && !(decl->kinds & 1u << kind) &&
      decl->kinds & 1u << CUTE_TYPE_TILE && writeTile(literal))
    kind = CUTE_TYPE_TILE;
  if (!(decl->kinds & 1u << kind)) {
    cuteReaderFail(
        reader, literal->at,
        "operand '%.*s' cannot be the %s '%s'; write a value such as %%x",
        CUTE_TEXT(decl->name), cuteTypeKindGetName(kind),
        cuteStringGet(&literal->text));
    return NULL;
  }
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "<\"%s\">", cuteStringGet(&literal->text));
  size_t length;
  CuteType type =
      cuteTypeCacheParseParameters(&reader->dialect->types, reader->context,
                                   kind, cuteStringGetRef(&text), &length);
  if (!type)
    cuteReaderFail(reader, literal->at, "%s",
                   cuteContextGetError(reader->context));
  return type;
}

//===-- The op that makes it ----------------------------------------------===//

CuteStringRef cuteReaderNewName(CuteReader *reader) {
  if (!reader->literalMark) {
    size_t run = 0;
    CuteStringRef source = reader->map.source;
    for (size_t i = 0; i < source.length; ++i) {
      run = source.data[i] == '$' ? run + 1 : 0;
      reader->literalMark =
          run > reader->literalMark ? run : reader->literalMark;
    }
    ++reader->literalMark;
  }
  CUTE_SCOPED(String) name = {0};
  cuteStringAppendChar(&name, '%');
  for (size_t i = 0; i < reader->literalMark; ++i)
    cuteStringAppendChar(&name, '$');
  cuteStringAppendInt(&name, (int64_t)reader->numLiterals++);
  return (CuteStringRef){
      cuteArenaCopyText(cuteTaskGetArena(), name.data, name.length),
      name.length};
}

// Chooses the op: one that makes the type of the values, or a static one.
static bool chooseMaker(CuteReader *reader, CuteReaderParts *parts,
                        CuteType type) {
  const CuteOpDecl *ops = reader->dialect->ops;
  size_t n = cuteTypeGetNumDynamic(type);
  if (parts->numOperands &&
      cuteOpIdGetMaker((CuteTypeKind)type->kind) == CUTE_NUM_OPS)
    return cuteReaderFail(reader, parts->start,
                          "a layout with values in it is made by make_layout");
  if (n != parts->numOperands ||
      (!n && !cuteTypeIsStatic(type) && type->kind != CUTE_TYPE_COPY_ATOM))
    return cuteReaderFail(
        reader, parts->start,
        "a literal has no '?'; write the value, such as %%n, in its place");
  parts->decl =
      &ops[n ? cuteOpIdGetMaker((CuteTypeKind)type->kind) : CUTE_OP_STATIC];
  parts->numResults = 1;
  parts->results = cuteScratch(reader->context, sizeof *parts->results);
  *parts->results = type;
  return true;
}

static CuteType takeLiteralType(CuteReader *reader, CuteReaderParts *parts,
                                const CuteValueDecl *decl) {
  if (cuteLexerPeek(&reader->lexer) == '!') {
    CuteType type = cuteReaderTakeType(reader);
    if (type && !(decl->kinds & 1u << type->kind)) {
      cuteReaderFail(reader, parts->start,
                     "operand '%.*s' cannot be of this type",
                     CUTE_TEXT(decl->name));
      return NULL;
    }
    return type;
  }
  Template literal = {.at = parts->start, .parts = parts};
  CuteType type = takeTemplate(reader, &literal, ",)")
                      ? typeOf(reader, &literal, decl)
                      : NULL;
  cuteStringDestroy(&literal.text);
  return type;
}

void cuteReaderNameLiteral(CuteReader *reader, CuteReaderLiteral *literal) {
  const CuteReaderParts *parts = &literal->parts;
  literal->name = cuteReaderNewName(reader);
  cuteValueTypesSet(&reader->values, literal->name,
                    cuteValueTypesAddTypes(parts->numResults, parts->results),
                    0);
  cuteReaderNoteShape(reader, parts, literal->name);
}

static bool finishLiteral(CuteReader *reader, CuteReaderLiteral *literal,
                          CuteType type) {
  bool ok = type && chooseMaker(reader, &literal->parts, type);
  if (ok)
    cuteReaderNameLiteral(reader, literal);
  return ok;
}

bool cuteReaderTakeLiteral(CuteReader *reader, const CuteValueDecl *decl,
                           CuteReaderLiteral *literal) {
  *literal = (CuteReaderLiteral){.parts = {.start = reader->lexer.at}};
  return finishLiteral(reader, literal,
                       takeLiteralType(reader, &literal->parts, decl));
}

bool cuteReaderHasSeveral(const char *text) {
  size_t depth = 0;
  for (; *text && (depth || *text != ','); ++text) {
    depth += strchr("([<", *text) != NULL;
    depth -= depth && strchr(")]>", *text);
  }
  return *text;
}

bool cuteReaderTakeIndex(CuteReader *reader, const CuteValueDecl *decl,
                         CuteReaderLiteral *literal) {
  *literal = (CuteReaderLiteral){.parts = {.start = reader->lexer.at}};
  CuteReaderParts *parts = &literal->parts;
  Template index = {.at = parts->start, .parts = parts}, coord = index;
  CuteType type = NULL;
  if (cuteReaderExpect(reader, '[', "before the coordinate") &&
      takeTemplate(reader, &index, "]]") &&
      cuteReaderExpect(reader, ']', "after the coordinate")) {
    const char *text = cuteStringGet(&index.text);
    cuteStringAppendFormat(&coord.text,
                           cuteReaderHasSeveral(text) ? "(%s)" : "%s", text);
    type = typeOf(reader, &coord, decl);
  }
  cuteStringDestroy(&index.text);
  cuteStringDestroy(&coord.text);
  return finishLiteral(reader, literal, type);
}

bool cuteReaderTakeLeaf(CuteReader *reader, const CuteValueDecl *decl,
                        CuteStringRef name, CuteReaderLiteral *literal) {
  *literal = (CuteReaderLiteral){.parts = {.start = reader->statement}};
  Template leaf = {.at = reader->statement, .parts = &literal->parts};
  CuteType type =
      appendValue(reader, &leaf, name) ? typeOf(reader, &leaf, decl) : NULL;
  cuteStringDestroy(&leaf.text);
  return finishLiteral(reader, literal, type);
}
