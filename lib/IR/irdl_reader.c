#include "IR/irdl_reader.h"

#include "IR/builder.h"
#include "Support/lexer.h"
#include "Support/text.h"

#include <mlir-c/Dialect/IRDL.h>

#include <stdlib.h>

enum { MAX_NAMED = 64 };

typedef struct Reader {
  CuteLexer lexer;
  CuteBuilder at;
  MlirType constraint; // !irdl.attribute
  bool failed;
  struct Named {
    CuteStringRef name;
    MlirValue value;
  } named[MAX_NAMED]; // the constraints of one body
  size_t numNamed;
} Reader;

//===-- Tokens ------------------------------------------------------------===//

static void fail(Reader *reader) {
  if (!reader->failed)
    cuteEmitError(reader->at.location,
                  "the declaration of the dialect has something in it that its "
                  "reader does not know, before '%.20s'",
                  reader->lexer.at);
  reader->failed = true;
}

static void expect(Reader *reader, char c) {
  if (!cuteLexerTake(&reader->lexer, c))
    fail(reader);
}

// The token; empty, after a failure, if it is of another kind.
static CuteStringRef take(Reader *reader, CuteToken kind) {
  CuteStringRef text;
  if (cuteLexerNext(&reader->lexer, &text) == kind)
    return text;
  fail(reader);
  return (CuteStringRef){"", 0};
}

// A name after the character that marks it: %name, @name.
static CuteStringRef takeMarked(Reader *reader, CuteToken kind) {
  CuteStringRef text = take(reader, kind);
  return text.length ? (CuteStringRef){text.data + 1, text.length - 1} : text;
}

static MlirAttribute stringAttribute(const Reader *reader, CuteStringRef text) {
  return mlirStringAttrGet(reader->at.context,
                           mlirStringRefCreate(text.data, text.length));
}

// "text", which may have escapes in it.
static MlirAttribute takeString(Reader *reader) {
  CuteStringRef text = take(reader, CUTE_TOKEN_STRING);
  if (reader->failed)
    return mlirAttributeGetNull();
  if (memchr(text.data, '\\', text.length))
    return mlirAttributeParseGet(reader->at.context,
                                 mlirStringRefCreate(text.data, text.length));
  return stringAttribute(reader,
                         (CuteStringRef){text.data + 1, text.length - 2});
}

//===-- Attributes --------------------------------------------------------===//

static MlirAttribute takeValue(Reader *reader) {
  if (cuteLexerPeek(&reader->lexer) == '"')
    return takeString(reader);
  CuteStringRef digits = take(reader, CUTE_TOKEN_NUMBER);
  return reader->failed ? mlirAttributeGetNull()
                        : cuteIntAttr(&reader->at, 64, atoi(digits.data));
}

// [attributes {name = value, ...}]
static void takeAttributes(Reader *reader, MlirOperation op) {
  if (cuteLexerPeek(&reader->lexer) == '{')
    return;
  if (!cuteTextEquals(take(reader, CUTE_TOKEN_IDENTIFIER), "attributes"))
    fail(reader);
  expect(reader, '{');
  do {
    CuteStringRef name = take(reader, CUTE_TOKEN_IDENTIFIER);
    expect(reader, '=');
    if (cuteTextEquals(name, "description") || cuteTextEquals(name, "example"))
      take(reader, CUTE_TOKEN_STRING);
    else if (!reader->failed)
      mlirOperationSetAttributeByName(
          op, mlirStringRefCreate(name.data, name.length), takeValue(reader));
  } while (cuteLexerTake(&reader->lexer, ',') && !reader->failed);
  expect(reader, '}');
}

// @name or @dialect::@name.
static MlirAttribute takeSymbol(Reader *reader) {
  CuteStringRef names[2];
  names[0] = takeMarked(reader, CUTE_TOKEN_SYMBOL);
  MlirContext context = reader->at.context;
  if (!cuteLexerTake(&reader->lexer, ':'))
    return mlirFlatSymbolRefAttrGet(
        context, mlirStringRefCreate(names[0].data, names[0].length));
  expect(reader, ':');
  names[1] = takeMarked(reader, CUTE_TOKEN_SYMBOL);
  MlirAttribute leaf = mlirFlatSymbolRefAttrGet(
      context, mlirStringRefCreate(names[1].data, names[1].length));
  return mlirSymbolRefAttrGet(
      context, mlirStringRefCreate(names[0].data, names[0].length), 1, &leaf);
}

//===-- Constraints -------------------------------------------------------===//

static MlirValue takeOperand(Reader *reader) {
  CuteStringRef name = takeMarked(reader, CUTE_TOKEN_VALUE);
  for (size_t i = 0; i < reader->numNamed; ++i)
    if (cuteTextIsSame(reader->named[i].name, name))
      return reader->named[i].value;
  fail(reader);
  return (MlirValue){NULL};
}

static MlirValue takeAnyOf(Reader *reader) {
  MlirValue values[MAX_NAMED];
  size_t n = 0;
  expect(reader, '(');
  do
    values[n++] = takeOperand(reader);
  while (n < MAX_NAMED && cuteLexerTake(&reader->lexer, ','));
  expect(reader, ')');
  if (reader->failed)
    return (MlirValue){NULL};
  return cuteBuildResult(&reader->at, "irdl.any_of", n, values,
                         reader->constraint);
}

// irdl.base @dialect::@name, or irdl.base "!dialect.name".
static MlirValue takeBase(Reader *reader) {
  bool isName = cuteLexerPeek(&reader->lexer) == '"';
  CuteNamedAttribute attribute = {isName ? "base_name" : "base_ref",
                                  isName ? takeString(reader)
                                         : takeSymbol(reader)};
  return cuteBuildValue(&reader->at,
                        (CuteOpSpec){.name = "irdl.base",
                                     .numResults = 1,
                                     .results = &reader->constraint,
                                     .numAttributes = 1,
                                     .attributes = &attribute});
}

// %name = constraint
static void takeConstraint(Reader *reader) {
  CuteStringRef name = takeMarked(reader, CUTE_TOKEN_VALUE);
  expect(reader, '=');
  CuteStringRef op = take(reader, CUTE_TOKEN_IDENTIFIER);
  MlirValue value = {NULL};
  if (cuteTextEquals(op, "irdl.any"))
    value =
        cuteBuildResult(&reader->at, "irdl.any", 0, NULL, reader->constraint);
  else if (cuteTextEquals(op, "irdl.any_of"))
    value = takeAnyOf(reader);
  else if (cuteTextEquals(op, "irdl.base"))
    value = takeBase(reader);
  if (mlirValueIsNull(value) || reader->numNamed == MAX_NAMED)
    fail(reader);
  else
    reader->named[reader->numNamed++] = (struct Named){name, value};
}

// [optional|variadic]
static MlirAttribute takeVariadicity(Reader *reader) {
  static const char *const words[] = {"optional", "variadic"};
  const char *found = "single";
  if (cuteLexerPeek(&reader->lexer) != '%') {
    CuteStringRef word = take(reader, CUTE_TOKEN_IDENTIFIER);
    found = NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
      if (cuteTextEquals(word, words[i]))
        found = words[i];
  }
  if (found)
    return mlirIRDLVariadicityAttrGet(reader->at.context,
                                      cuteMlirString(found));
  fail(reader);
  return mlirAttributeGetNull();
}

// (name: [optional|variadic] %constraint, ...)
static void takeValues(Reader *reader, const char *op) {
  MlirContext context = reader->at.context;
  MlirValue values[CUTE_MAX_DECLARED];
  MlirAttribute names[CUTE_MAX_DECLARED], kinds[CUTE_MAX_DECLARED];
  intptr_t n = 0;
  expect(reader, '(');
  do {
    names[n] = stringAttribute(reader, take(reader, CUTE_TOKEN_IDENTIFIER));
    expect(reader, ':');
    kinds[n] = takeVariadicity(reader);
    values[n++] = takeOperand(reader);
  } while (n < CUTE_MAX_DECLARED && cuteLexerTake(&reader->lexer, ','));
  expect(reader, ')');
  if (reader->failed)
    return;
  CuteNamedAttribute attributes[] = {
      {"names", mlirArrayAttrGet(context, n, names)},
      {"variadicity", mlirIRDLVariadicityArrayAttrGet(context, n, kinds)}};
  cuteBuild(&reader->at,
            (CuteOpSpec){.name = op,
                         .numOperands = (size_t)n,
                         .operands = values,
                         .numAttributes = strcmp(op, "irdl.parameters") ? 2 : 1,
                         .attributes = attributes});
}

//===-- Bodies
//------------------------------------------------------------===//

static void takeBody(Reader *reader);

// name [@symbol] [attributes {...}] {...}
static void takeDefinition(Reader *reader, const char *name) {
  CuteNamedAttribute symbol = {"sym_name", {NULL}};
  if (strcmp(name, "builtin.module"))
    symbol.value =
        stringAttribute(reader, takeMarked(reader, CUTE_TOKEN_SYMBOL));
  if (reader->failed)
    return;
  MlirOperation op = cuteBuild(&reader->at, (CuteOpSpec){.name = name,
                                                         .numAttributes = 1,
                                                         .attributes = &symbol,
                                                         .numRegions = 1});
  takeAttributes(reader, op);
  MlirBlock outside = reader->at.block;
  reader->at.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  reader->numNamed = 0;
  expect(reader, '{');
  takeBody(reader);
  expect(reader, '}');
  reader->at.block = outside;
}

static void takeOp(Reader *reader) {
  static const char *const definitions[] = {"irdl.operation", "irdl.type",
                                            "irdl.attribute", "irdl.dialect"};
  static const char *const lists[] = {"irdl.operands", "irdl.results",
                                      "irdl.parameters"};
  CuteStringRef name = take(reader, CUTE_TOKEN_IDENTIFIER);
  for (size_t i = 0; i < sizeof definitions / sizeof *definitions; ++i)
    if (cuteTextEquals(name, definitions[i])) {
      takeDefinition(reader, definitions[i]);
      return;
    }
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
    if (cuteTextEquals(name, lists[i])) {
      takeValues(reader, lists[i]);
      return;
    }
  if (cuteTextEquals(name, "module"))
    takeDefinition(reader, "builtin.module");
  else
    fail(reader);
}

// Ops up to a closing bracket or the end.
static void takeBody(Reader *reader) {
  for (char c = cuteLexerPeek(&reader->lexer); c && c != '}' && !reader->failed;
       c = cuteLexerPeek(&reader->lexer)) {
    if (c == '%')
      takeConstraint(reader);
    else
      takeOp(reader);
  }
}

MlirModule cuteIrdlRead(MlirContext context, CuteStringRef text) {
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(location);
  Reader reader = {.lexer = {text.data, text.data + text.length},
                   .at = {context, location, mlirModuleGetBody(module), {NULL}},
                   .constraint = mlirTypeParseGet(
                       context, cuteMlirString("!irdl.attribute"))};
  takeBody(&reader);
  if (cuteLexerPeek(&reader.lexer))
    fail(&reader);
  if (!reader.failed)
    return module;
  mlirModuleDestroy(module);
  return (MlirModule){NULL};
}
