// Ops within statements: operands such as `cute.size(%A)`, and indices in
// brackets, `%A[%i,0]`.
#include "Text/foreign_op.h"
#include "Text/infix.h"
#include "Text/reader_parts.h"

//===-- Ops that are operands ---------------------------------------------===//

bool cuteReaderIsOp(CuteLexer lexer) {
  char next = cuteLexerPeek(&lexer);
  CuteStringRef rest = {lexer.at, (size_t)(lexer.end - lexer.at)};
  return next == 'c' && cuteTextStartsWith(rest, "cute.");
}

bool cuteReaderFinishNested(CuteReader *reader, CuteReaderParts *parts,
                            CuteStringRef *name) {
  CuteReaderLiteral op;
  if (!cuteReaderComplete(reader, parts))
    return false;
  if (parts->numResults != 1)
    return cuteReaderFail(
        reader, parts->start,
        parts->numResults ? "'cute.%.*s' gives %zu values; name them before "
                            "the expression"
                          : "'cute.%.*s' gives no value",
        CUTE_TEXT(parts->decl->name), parts->numResults);
  op.parts = *parts;
  cuteReaderNameLiteral(reader, &op);
  *name = op.name;
  return cuteReaderWriteBefore(reader, &op);
}

void cuteReaderTakeName(CuteLexer *lexer, CuteStringRef *name) {
  cuteLexerNext(lexer, name);
  for (size_t i = 1; i < name->length; ++i)
    if (name->data[i] == '.' && name->data[i - 1] == '.')
      name->length = i - 1;
  lexer->at = name->data + name->length;
}

bool cuteReaderTakeNested(CuteReader *reader, CuteStringRef *name) {
  CuteArena *scratch = &reader->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  CuteStringRef text;
  cuteReaderTakeName(&reader->lexer, &text);
  CuteStringRef opName = {text.data + 5, text.length - 5};
  CuteReaderParts parts = {.decl = cuteDialectFindOp(reader->dialect, opName),
                           .start = text.data};
  if (!parts.decl)
    return cuteReaderFailUnknownOp(reader, opName, text.data);
  return cuteReaderTakeParts(reader, &parts, true) &&
         cuteReaderFinishNested(reader, &parts, name);
}

bool cuteReaderTakeScalar(CuteReader *reader, const char *at,
                          CuteStringRef *name) {
  CuteStringRef operand = *name;
  CuteReaderParts parts = {.decl = &reader->dialect->ops[CUTE_OP_GET_SCALARS],
                           .start = at,
                           .operands = &operand,
                           .numOperands = 1};
  return cuteReaderFinishNested(reader, &parts, name);
}

//===-- Indices -----------------------------------------------------------===//

CuteReaderLiteral *cuteReaderAddLiteral(CuteReader *reader,
                                        CuteReaderParts *parts) {
  parts->literals = cuteArenaGrow(&reader->context->scratch, parts->literals,
                                  parts->numLiterals, sizeof *parts->literals);
  return &parts->literals[parts->numLiterals++];
}

// Tells whether the brackets that are next have a `_`.
static bool hasUnderscore(CuteLexer lexer) {
  const char *at = lexer.at;
  CuteStringRef text;
  cuteLexerSkipBracket(&lexer);
  CuteLexer inside = {at, lexer.at};
  while (cuteLexerNext(&inside, &text) != CUTE_TOKEN_END)
    if (cuteTextEquals(text, "_"))
      return true;
  return false;
}

// The op of the value and the coordinate in brackets.
static bool takeIndexed(CuteReader *reader, CuteReaderParts *parts, CuteOpId id,
                        CuteStringRef name) {
  const CuteOpDecl *decl = &reader->dialect->ops[id];
  const char *at = reader->lexer.at;
  CuteReaderLiteral *coord = cuteReaderAddLiteral(reader, parts);
  if (!cuteReaderTakeIndex(reader, &decl->operands[1], coord))
    return false;
  CuteStringRef *operands = cuteScratch(reader->context, 2 * sizeof *operands);
  operands[0] = name;
  operands[1] = coord->name;
  *cuteReaderAddLiteral(reader, parts) = (CuteReaderLiteral){
      .parts = {
          .decl = decl, .start = at, .operands = operands, .numOperands = 2}};
  return true;
}

bool cuteReaderTakeSlice(CuteReader *reader, CuteReaderParts *parts,
                         bool isNumber, CuteStringRef *name) {
  CuteOpId id =
      isNumber && !hasUnderscore(reader->lexer) ? CUTE_OP_LOAD : CUTE_OP_SLICE;
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, *name);
  bool ok = type && cuteTypeIsVector(cuteReaderResolve(reader, type))
                ? cuteReaderTakeElements(reader, *name,
                                         cuteReaderAddLiteral(reader, parts))
                : takeIndexed(reader, parts, id, *name);
  CuteReaderLiteral *slice = &parts->literals[parts->numLiterals - 1];
  if (!ok || !cuteReaderComplete(reader, &slice->parts))
    return false;
  cuteReaderNameLiteral(reader, slice);
  *name = slice->name;
  return true;
}

bool cuteReaderIsStore(const CuteReader *reader, CuteStringRef name,
                       char previous) {
  CuteLexer lexer = reader->lexer;
  return lexer.at < lexer.end && *lexer.at == '[' &&
         (strchr("{}", previous ? previous : 'x') ||
          cuteReaderIsFirstOnLine(reader, name.data)) &&
         cuteLexerSkipBracket(&lexer) && cuteLexerTake(&lexer, '=') &&
         cuteLexerPeek(&lexer) != '=';
}

CuteType cuteReaderGetElement(CuteReader *reader, CuteStringRef name) {
  CuteType type = cuteValueTypesGet(&reader->values, reader->context, name);
  type = type ? cuteReaderResolve(reader, type) : NULL;
  if (cuteTypeIsKind(type, CUTE_TYPE_TENSOR))
    return cuteTypeGetForeign(
        reader->context, cuteStringRef(cuteElementTypeGetName(type->element)));
  if (cuteTypeIsVector(type))
    return cuteForeignTypeGetElement(reader->context, type);
  return cuteTypeIsKind(type, CUTE_TYPE_FOREIGN) ? type : NULL;
}

bool cuteReaderTakeStore(CuteReader *reader, CuteStringRef tensor) {
  CuteArena *scratch = &reader->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  const CuteOpDecl *decl = &reader->dialect->ops[CUTE_OP_STORE];
  CuteStringRef operands[3] = {{0}, tensor, {0}};
  CuteReaderParts parts = {.decl = decl,
                           .start = tensor.data,
                           .operands = operands,
                           .numOperands = 3};
  CuteReaderLiteral *coord = cuteReaderAddLiteral(reader, &parts);
  reader->statement = tensor.data;
  bool ok =
      cuteReaderTakeIndex(reader, &decl->operands[2], coord) &&
      cuteReaderExpect(reader, '=', "after the element") &&
      cuteInfixTake(reader, cuteReaderGetElement(reader, tensor), &operands[0]);
  operands[2] = coord->name;
  ok = ok && cuteReaderComplete(reader, &parts) &&
       cuteReaderWriteOp(reader, &parts);
  return ok;
}
