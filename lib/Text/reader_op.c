// Translates single ops, from the pretty and from the generic form.
#include "Text/infix.h"
#include "Text/reader_parts.h"

//===-- Operands and types ------------------------------------------------===//

// The declaration of the operand that comes next; the last one that
// the op has where more come, as of a variadic one.
static const CuteValueDecl *nextOperand(const CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  size_t i = parts->numOperands;
  return &decl->operands[i < decl->numOperands ? i : decl->numOperands - 1];
}

// Tells whether the operand that comes next is a tuple and no number.
static bool wantsTuple(const CuteReaderParts *parts) {
  const CuteKindSet tuples =
      1u << CUTE_TYPE_INT_TUPLE | 1u << CUTE_TYPE_SHAPE | 1u << CUTE_TYPE_COORD;
  CuteKindSet kinds = parts->decl->numOperands ? nextOperand(parts)->kinds : 0;
  return kinds & tuples && !(kinds & 1u << CUTE_TYPE_FOREIGN);
}

static bool isInteger(CuteReader *reader, CuteStringRef name) {
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  return type && cuteTypeGetCoordinateWidth(cuteReaderResolve(reader, type));
}

// Tells whether the value that comes next is an integer where a tuple is
// wanted: it is a literal then, with nothing in it but the value.
static bool isLeaf(CuteReader *reader, const CuteReaderParts *parts) {
  CuteLexer ahead = reader->lexer;
  CuteStringRef name;
  return wantsTuple(parts) &&
         cuteLexerNext(&ahead, &name) == CUTE_TOKEN_VALUE &&
         cuteLexerPeek(&ahead) != '[' && isInteger(reader, name);
}

// The type of the elements of the operand after the next one, if it is a value.
static CuteType elementAfter(CuteReader *reader) {
  CuteLexer lexer = reader->lexer;
  CuteStringRef name;
  while (!strchr(",()", cuteLexerPeek(&lexer)))
    cuteLexerNext(&lexer, &name);
  return cuteLexerTake(&lexer, ',') &&
                 cuteLexerNext(&lexer, &name) == CUTE_TOKEN_VALUE
             ? cuteReaderGetElement(reader, name)
             : NULL;
}

// The type of a number that is the next operand: that of the elements of the
// operand beside it, or i32 where the op takes any integer; as a factor, that
// of the factor before it. Null if the op does not tell.
static CuteType typeOfNumber(CuteReader *reader, const CuteReaderParts *parts) {
  const CuteValueDecl *next = nextOperand(parts);
  CuteStringRef i32 = cuteStringRef("i32");
  bool isFactor = next->kinds == 1u << CUTE_TYPE_FOREIGN;
  CuteType factor = !isFactor ? NULL
                    : parts->numOperands
                        ? cuteValueTypesGet(&reader->values, reader->context,
                                            *parts->operands)
                        : elementAfter(reader);
  if ((CuteKindSet)~next->kinds)
    return cuteTypeIsKind(factor, CUTE_TYPE_FOREIGN)
               ? factor
               : cuteTypeGetForeign(reader->context, i32);
  if (next->variadicity != CUTE_SINGLE)
    return NULL;
  return parts->numOperands
             ? cuteReaderGetElement(reader,
                                    parts->operands[parts->numOperands - 1])
             : elementAfter(reader);
}

// Takes an index in brackets after the value.
static bool takeIndex(CuteReader *reader, CuteReaderParts *parts,
                      CuteStringRef *name) {
  bool isNumber = nextOperand(parts)->kinds & 1u << CUTE_TYPE_FOREIGN;
  return cuteReaderTakeSlice(reader, parts, isNumber, name);
}

// Takes an expression; an integer becomes a tuple where one is wanted.
static bool takeExpression(CuteReader *reader, CuteReaderParts *parts,
                           CuteStringRef *name) {
  if (!cuteInfixTake(reader, typeOfNumber(reader, parts), name) ||
      (cuteLexerPeek(&reader->lexer) == '[' && !takeIndex(reader, parts, name)))
    return false;
  if (!wantsTuple(parts) || !isInteger(reader, *name))
    return true;
  CuteReaderLiteral *literal = cuteReaderAddLiteral(reader, parts);
  bool ok = cuteReaderTakeLeaf(reader, nextOperand(parts), *name, literal);
  *name = literal->name;
  return ok;
}

// Takes a value with, perhaps, an index or an operator after it.
static bool takeValue(CuteReader *reader, CuteReaderParts *parts,
                      CuteStringRef *name) {
  CuteLexer start = reader->lexer;
  cuteLexerNext(&reader->lexer, name);
  CuteLexer after = reader->lexer;
  bool isIndexed = cuteLexerPeek(&after) == '[';
  if (isIndexed)
    cuteLexerSkipBracket(&after);
  if (cuteInfixContinues(after)) {
    reader->lexer = start;
    return takeExpression(reader, parts, name);
  }
  return !isIndexed || takeIndex(reader, parts, name);
}

// Tells whether a number or `(` begins an expression instead of a tuple
// operand.
static bool isExpression(CuteReader *reader, const CuteReaderParts *parts) {
  if (cuteInfixIsNext(reader->lexer))
    return true;
  char next = cuteLexerPeek(&reader->lexer);
  if (!next || !strchr("(-0123456789", next))
    return false;
  const CuteValueDecl *decl = nextOperand(parts);
  return decl->kinds == 1u << CUTE_TYPE_FOREIGN ||
         (next != '(' && !(CuteKindSet)~decl->kinds &&
          typeOfNumber(reader, parts));
}

// A value, or a literal in place of one.
static bool takeOperand(CuteReader *reader, CuteReaderParts *parts,
                        CuteStringRef *name) {
  cuteLexerSkipTrivia(&reader->lexer);
  const char *at = reader->lexer.at;
  bool isValue = at < reader->lexer.end && *at == '%';
  if (isValue && !isLeaf(reader, parts))
    return takeValue(reader, parts, name);
  if (!isValue && parts->decl->numOperands && isExpression(reader, parts))
    return takeExpression(reader, parts, name);
  bool mayBegin = at < reader->lexer.end && (isValue || strchr("([-!_S", *at) ||
                                             (*at >= '0' && *at <= '9'));
  if (at < reader->lexer.end && *at == '"' && parts->decl->numAttributes)
    return cuteReaderFail(reader, at,
                          "texts go in angle brackets before the operands, "
                          "as in cute.%.*s<\"...\"> (...)",
                          CUTE_TEXT(parts->decl->name));
  if (!mayBegin || !parts->decl->numOperands)
    return cuteReaderFail(reader, at,
                          "expected an operand: a value such as %%x, or a "
                          "literal such as 8 or (4,%%x)");
  CuteReaderLiteral *literal = cuteReaderAddLiteral(reader, parts);
  bool ok = cuteReaderTakeLiteral(reader, nextOperand(parts), literal);
  *name = literal->name;
  return ok;
}

static void pushOperand(CuteReader *reader, CuteReaderParts *parts,
                        CuteStringRef name) {
  CUTE_ARENA_PUSH(&reader->context->scratch, parts->operands,
                  parts->numOperands, name);
}

static bool takeOperands(CuteReader *reader, CuteReaderParts *parts) {
  if (!cuteReaderExpect(reader, '(', "before the operands"))
    return false;
  while (cuteLexerPeek(&reader->lexer) != ')') {
    if (parts->numOperands &&
        !cuteReaderExpect(reader, ',', "between operands"))
      return false;
    CuteStringRef text;
    if (!takeOperand(reader, parts, &text))
      return false;
    pushOperand(reader, parts, cuteReaderGetWhole(reader, parts, text));
  }
  if (cuteReaderWantsThread(parts))
    pushOperand(reader, parts, parts->thread);
  return cuteReaderExpect(reader, ')', "after the operands");
}

static int onlyKind(CuteKindSet kinds) {
  return kinds && !(kinds & (kinds - 1)) ? __builtin_ctz(kinds) : -1;
}

// A type, or <"..."> alone where the declaration leaves one kind.
static CuteType takeOpType(CuteReader *reader, const CuteValueDecl *values,
                           size_t count, size_t index) {
  if (cuteLexerPeek(&reader->lexer) != '<')
    return cuteReaderTakeType(reader);
  const char *at = reader->lexer.at;
  const CuteValueDecl *value =
      count ? &values[index < count ? index : count - 1] : NULL;
  int kind = value ? onlyKind(value->kinds) : -1;
  if (kind < 0 || kind == CUTE_TYPE_FOREIGN) {
    cuteReaderFail(reader, at,
                   "expected a type; only the parameters do not tell which");
    return NULL;
  }
  size_t length;
  CuteType type = cuteTypeCacheParseParameters(
      &reader->dialect->types, reader->context, (CuteTypeKind)kind,
      (CuteStringRef){at, (size_t)(reader->lexer.end - at)}, &length);
  reader->lexer.at += length;
  if (!type)
    cuteReaderFail(reader, at, "%s", cuteContextGetError(reader->context));
  return type;
}

static bool pushType(CuteReader *reader, CuteType **types, size_t *count,
                     CuteType type) {
  if (!type)
    return false;
  CUTE_ARENA_PUSH(&reader->context->scratch, *types, *count, type);
  return true;
}

// "(T, T)" or "T, T" (the latter only up to one type if `single`).
static bool takeTypeList(CuteReader *reader, const CuteValueDecl *values,
                         size_t numValues, bool single, CuteType **types,
                         size_t *count) {
  bool inParentheses = cuteLexerTake(&reader->lexer, '(');
  if (inParentheses && cuteLexerTake(&reader->lexer, ')'))
    return true;
  do {
    if (!pushType(reader, types, count,
                  takeOpType(reader, values, numValues, *count)))
      return false;
  } while ((inParentheses || !single) && cuteLexerTake(&reader->lexer, ','));
  return !inParentheses || cuteReaderExpect(reader, ')', "after the types");
}

static bool takeArrow(CuteReader *reader) {
  CuteLexer lexer = reader->lexer;
  CuteStringRef text;
  if (cuteLexerNext(&lexer, &text) != CUTE_TOKEN_ARROW)
    return false;
  reader->lexer = lexer;
  return true;
}

// "-> types", if an arrow is next.
static bool takeResultTypes(CuteReader *reader, CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  parts->hasResults = takeArrow(reader);
  return !parts->hasResults ||
         takeTypeList(reader, decl->results, decl->numResults, true,
                      &parts->results, &parts->numResults);
}

static bool takeTypes(CuteReader *reader, CuteReaderParts *parts,
                      CuteTypeSyntax syntax) {
  const CuteOpDecl *decl = parts->decl;
  if (syntax == CUTE_TYPES_NONE)
    return true;
  if (!cuteLexerTake(&reader->lexer, ':'))
    return syntax == CUTE_TYPES_RESULT || takeResultTypes(reader, parts);
  if (syntax == CUTE_TYPES_RESULT) {
    parts->hasTypes = parts->hasResults = true;
    return takeTypeList(reader, decl->results, decl->numResults, true,
                        &parts->results, &parts->numResults);
  }
  parts->hasTypes = true;
  if (!takeTypeList(reader, decl->operands, decl->numOperands, false,
                    &parts->types, &parts->numTypes))
    return false;
  return takeResultTypes(reader, parts);
}

//===-- Types that were left out ------------------------------------------===//

bool cuteReaderFailUnknownValue(CuteReader *reader, CuteStringRef name,
                                const char *advice) {
  CuteSuggestion nearest =
      cuteSuggestionBegin((CuteStringRef){name.data + 1, name.length - 1});
  if (cuteValueTypesHas(&reader->values, name, &nearest))
    return cuteReaderFail(reader, name.data,
                          "the type of '%.*s' is not known here%s",
                          CUTE_TEXT(name), advice);
  CuteStringRef best = nearest.best;
  return cuteReaderFail(
      reader, name.data,
      best.length ? "'%.*s' is not defined above; did you mean '%%%.*s'?"
                  : "'%.*s' is not defined above%.*s",
      CUTE_TEXT(name), (int)best.length, best.length ? best.data : "");
}

static bool findOperandTypes(CuteReader *reader, CuteReaderParts *parts) {
  for (size_t i = 0; i < parts->numOperands; ++i) {
    CuteStringRef name = parts->operands[i];
    CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
    if (!type)
      return cuteReaderFailUnknownValue(reader, name,
                                        "; write the operand types after ':'");
    type = cuteReaderResolve(reader, type);
    pushType(reader, &parts->types, &parts->numTypes, type);
  }
  return true;
}

static CuteOp opOf(CuteReader *reader, const CuteReaderParts *parts) {
  return (CuteOp){.context = reader->context,
                  .decl = parts->decl,
                  .numOperands = parts->numTypes,
                  .operands = parts->types,
                  .numAttributes = parts->numKnown,
                  .attributes = parts->attributes,
                  .numWritten = parts->numResults,
                  .written = parts->results};
}

static bool failOp(CuteReader *reader, const CuteReaderParts *parts) {
  CuteStringRef name = parts->decl->name;
  return cuteReaderFail(reader, parts->start, "'cute.%.*s' op %s",
                        CUTE_TEXT(name), cuteContextGetError(reader->context));
}

static bool inferResults(CuteReader *reader, CuteReaderParts *parts) {
  const CuteOpDecl *decl = parts->decl;
  if (decl->declaresResults)
    return cuteReaderFail(
        reader, parts->start,
        "'cute.%.*s' cannot infer its result type; write it after '%s'",
        CUTE_TEXT(decl->name), decl->types == CUTE_TYPES_RESULT ? ":" : "->");
  if (!cuteReaderTakeNamed(reader, parts))
    return false;
  CuteOp op = opOf(reader, parts);
  if (!cuteOpInfer(&op))
    return failOp(reader, parts);
  parts->results = op.results;
  parts->numResults = op.numResults;
  return true;
}

// Operands and numbers of results that the declaration does not allow are named
// here: MLIR's own check comes first otherwise, and says neither the op nor the
// operand.
static bool checkWritten(CuteReader *reader, const CuteReaderParts *parts) {
  CuteOp op = opOf(reader, parts);
  return (cuteOpCheckOperands(&op) && cuteOpCheckResultCount(&op)) ||
         failOp(reader, parts);
}

static const CuteReaderLiteral *literalAt(const CuteReaderParts *parts,
                                          size_t operand) {
  for (size_t i = 0; i < parts->numLiterals; ++i)
    if (parts->literals[i].name.data == parts->operands[operand].data)
      return &parts->literals[i];
  return NULL;
}

// Checks the types after ':' of operands that are literals, which have types of
// their own.
static bool checkLiterals(CuteReader *reader, const CuteReaderParts *parts) {
  for (size_t i = 0; parts->hasTypes && i < parts->numTypes; ++i) {
    const CuteReaderLiteral *literal = literalAt(parts, i);
    if (literal && !literal->parts.numOperands &&
        literal->parts.results[0] != parts->types[i])
      return cuteReaderFail(
          reader, literal->parts.start,
          "this literal is %s, not %s: name a value before, such as '%%x = 1 : "
          "i32'",
          cuteTypeText(reader->context, literal->parts.results[0]),
          cuteTypeText(reader->context, parts->types[i]));
  }
  return true;
}

bool cuteReaderComplete(CuteReader *reader, CuteReaderParts *parts) {
  if (!parts->hasTypes && !findOperandTypes(reader, parts))
    return false;
  if (parts->numTypes != parts->numOperands)
    return cuteReaderFail(reader, parts->start,
                          "'cute.%.*s' has %zu operands, but %zu operand types",
                          CUTE_TEXT(parts->decl->name), parts->numOperands,
                          parts->numTypes);
  if (!checkLiterals(reader, parts))
    return false;
  return parts->hasResults ? checkWritten(reader, parts)
                           : inferResults(reader, parts);
}

//===-- Entry points ------------------------------------------------------===//

void cuteReaderTellOfValues(CuteReader *reader, CuteStringRef name,
                            size_t count) {
  unsigned line, column;
  if (!reader->listen || !cuteReaderIsInSource(reader, name))
    return;
  cuteSourceMapLocate(&reader->map, name.data, &line, &column);
  for (size_t i = 0; i < count; ++i) {
    CUTE_SCOPED(String) numbered = {0};
    cuteStringAppendFormat(&numbered, "%.*s#%zu", CUTE_TEXT(name), i);
    CuteType type = cuteValueTypesGet(&reader->values, reader->context,
                                      cuteStringGetRef(&numbered));
    if (!type)
      count = 0;
    else
      reader->listen(reader->listenData, line, column, i,
                     cuteReaderResolve(reader, type));
  }
}

static void defineResults(CuteReader *reader, const CuteReaderParts *parts) {
  size_t index = 0;
  CuteDefinition *op =
      reader->numDefined
          ? cuteValueTypesAddTypes(parts->numResults, parts->results)
          : NULL;
  for (size_t i = 0; i < reader->numDefined; ++i) {
    cuteValueTypesSet(&reader->values, reader->defined[i], op, index);
    index += reader->definedCounts[i];
    cuteReaderTellOfValues(reader, reader->defined[i],
                           reader->definedCounts[i]);
  }
  if (reader->numDefined)
    cuteReaderNoteShape(reader, parts, reader->defined[0]);
  reader->numDefined = 0;
}

static bool finishOp(CuteReader *reader, CuteReaderParts *parts) {
  if (!cuteReaderComplete(reader, parts) || !cuteReaderWriteOp(reader, parts))
    return false;
  defineResults(reader, parts);
  return true;
}

static CuteReaderParts beginOp(CuteReader *reader, const CuteOpDecl *decl,
                               const char *start) {
  reader->statement = reader->numDefined ? reader->defined[0].data : start;
  return (CuteReaderParts){.decl = decl, .start = start};
}

bool cuteReaderTakeParts(CuteReader *reader, CuteReaderParts *parts,
                         bool isNested) {
  const CuteOpDecl *decl = parts->decl;
  if (!cuteReaderTakeAngle(reader, parts) ||
      (decl->hasOperandList && !takeOperands(reader, parts)) ||
      !cuteReaderFillShape(reader, parts))
    return false;
  if (isNested)
    return !decl->declaresResults || takeTypes(reader, parts, decl->types);
  return cuteReaderTakeDictionary(reader, &parts->dictionaries[0]) &&
         takeTypes(reader, parts, decl->types) &&
         (!decl->attrDictLast ||
          cuteReaderTakeDictionary(reader, &parts->dictionaries[1]));
}

bool cuteReaderTakeOp(CuteReader *reader, const CuteOpDecl *decl,
                      const char *start) {
  CuteReaderParts parts = beginOp(reader, decl, start);
  CuteArena *scratch = &reader->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  bool ok = cuteReaderTakeParts(reader, &parts, false);
  if (ok && reader->numDefined && cuteInfixContinues(reader->lexer))
    ok = cuteInfixTakeDefinition(reader, &parts);
  else
    ok = ok && finishOp(reader, &parts);
  return ok;
}

// "<{" properties "}>"
static bool takeProperties(CuteReader *reader, CuteReaderParts *parts) {
  if (!cuteLexerTake(&reader->lexer, '<'))
    return true;
  return cuteReaderTakeDictionary(reader, &parts->dictionaries[0]) &&
         cuteReaderExpect(reader, '>', "after the properties");
}

bool cuteReaderTakeGenericOp(CuteReader *reader, const CuteOpDecl *decl,
                             const char *start) {
  CuteReaderParts parts = beginOp(reader, decl, start);
  CuteArena *scratch = &reader->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  return takeOperands(reader, &parts) && takeProperties(reader, &parts) &&
         cuteReaderTakeDictionary(reader, &parts.dictionaries[1]) &&
         takeTypes(reader, &parts, CUTE_TYPES_FUNCTIONAL) &&
         (parts.hasResults ||
          cuteReaderFail(reader, reader->lexer.at,
                         "expected ': (operand types) -> (result types)' after "
                         "an operation in generic form")) &&
         finishOp(reader, &parts);
}
