#include "IR/irdl_reader.h"

#include "IR/builder.h"
#include "IR/irdl_parts.h"
#include "Support/lexer.h"
#include "Support/text.h"

#include <mlir-c/Dialect/IRDL.h>

#include <stdlib.h>

enum { MAX_NAMED = 64, MAX_BASES = 64 };

// A type or attribute of IRDL, @dialect::@name.
typedef struct Base {
  CuteStringRef name;
  MlirAttribute reference;
  CuteKindSet kinds;
  MlirValue first; // the constraint built of it first; null before
} Base;

// A constraint of the body that is read.
typedef struct Named {
  CuteStringRef name;
  MlirValue value;
  CuteKindSet kinds;
} Named;

typedef struct Reader {
  CuteIrdlReading reading;
  CuteLexer lexer;
  MlirModule module; // that is built
  CuteBuilder at;
  CuteIrdlParts parts;
  bool failed;
  CuteIrdlOperation op; // the one that is read
  Named named[MAX_NAMED];
  size_t numNamed;
  MlirValue any;         // the irdl.any built first; null before
  Base bases[MAX_BASES]; // those seen so far
  size_t numBases;
  MlirModule types;      // the types and attributes, once they are loaded
  CuteStringRef dialect; // its name
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

// Takes a string and gives what is between its quotes, as it is written.
static CuteStringRef takeString(Reader *reader) {
  CuteStringRef text = take(reader, CUTE_TOKEN_STRING);
  return reader->failed ? text
                        : (CuteStringRef){text.data + 1, text.length - 2};
}

//===-- Attributes --------------------------------------------------------===//

static MlirAttribute makeAttribute(const Reader *reader, CuteStringRef value,
                                   bool isString) {
  if (!isString)
    return cuteIntAttr(&reader->at, 64, atoi(value.data));
  if (!memchr(value.data, '\\', value.length))
    return stringAttribute(reader, value);
  return mlirAttributeParseGet(
      reader->at.context,
      mlirStringRefCreate(value.data - 1, value.length + 2));
}

// name = value
static void takeAttribute(Reader *reader, MlirOperation op) {
  CuteStringRef name = take(reader, CUTE_TOKEN_IDENTIFIER);
  expect(reader, '=');
  bool isString = cuteLexerPeek(&reader->lexer) == '"';
  CuteStringRef value =
      isString ? takeString(reader) : take(reader, CUTE_TOKEN_NUMBER);
  if (reader->failed)
    return;
  if (reader->reading.isDocumented)
    mlirOperationSetAttributeByName(op,
                                    mlirStringRefCreate(name.data, name.length),
                                    makeAttribute(reader, value, isString));
  CuteIrdlOperation *read = &reader->op;
  if (read->numAttributes == CUTE_MAX_IRDL_ATTRIBUTES)
    fail(reader);
  else
    read->attributes[read->numAttributes++] = (CuteIrdlAttribute){name, value};
}

// [attributes {name = value, ...}]
static void takeAttributes(Reader *reader, MlirOperation op) {
  reader->op.numAttributes = 0;
  if (cuteLexerPeek(&reader->lexer) == '{')
    return;
  if (!cuteTextEquals(take(reader, CUTE_TOKEN_IDENTIFIER), "attributes"))
    fail(reader);
  expect(reader, '{');
  do
    takeAttribute(reader, op);
  while (cuteLexerTake(&reader->lexer, ',') && !reader->failed);
  expect(reader, '}');
}

CuteStringRef cuteIrdlGetAttribute(const CuteIrdlOperation *op,
                                   const char *name) {
  for (size_t i = 0; i < op->numAttributes; ++i)
    if (cuteTextEquals(op->attributes[i].name, name))
      return op->attributes[i].value;
  return (CuteStringRef){"", 0};
}

//===-- Constraints -------------------------------------------------------===//

static CuteKindSet kindBit(CuteTypeKind kind) { return (CuteKindSet)1 << kind; }

static const Named *takeOperand(Reader *reader) {
  static const Named none = {0};
  CuteStringRef name = takeMarked(reader, CUTE_TOKEN_VALUE);
  for (size_t i = 0; i < reader->numNamed; ++i)
    if (cuteTextIsSame(reader->named[i].name, name))
      return &reader->named[i];
  fail(reader);
  return &none;
}

static MlirValue buildAny(Reader *reader) {
  if (!mlirValueIsNull(reader->any))
    return cuteIrdlPartsRepeat(reader->any, reader->at.block);
  reader->any = cuteBuildResult(&reader->at, "irdl.any", 0, NULL,
                                reader->parts.constraint);
  return reader->any;
}

static void takeAnyOf(Reader *reader, Named *made) {
  MlirValue values[MAX_NAMED];
  size_t n = 0;
  expect(reader, '(');
  do {
    const Named *alternative = takeOperand(reader);
    made->kinds |= alternative->kinds;
    values[n++] = alternative->value;
  } while (n < MAX_NAMED && cuteLexerTake(&reader->lexer, ','));
  expect(reader, ')');
  if (!reader->failed)
    made->value = cuteBuildResult(&reader->at, "irdl.any_of", n, values,
                                  reader->parts.constraint);
}

static Base makeBase(const Reader *reader, const CuteStringRef names[2]) {
  MlirContext context = reader->at.context;
  MlirAttribute leaf = mlirFlatSymbolRefAttrGet(
      context, mlirStringRefCreate(names[1].data, names[1].length));
  CuteTypeKind kind;
  return (Base){
      names[1],
      mlirSymbolRefAttrGet(context,
                           mlirStringRefCreate(names[0].data, names[0].length),
                           1, &leaf),
      cuteTypeKindFind(names[1], &kind) ? kindBit(kind) : 0,
      {NULL}};
}

// Takes @dialect::@name; the file has one dialect. Null after a failure.
static Base *takeBase(Reader *reader) {
  CuteStringRef names[2] = {takeMarked(reader, CUTE_TOKEN_SYMBOL)};
  expect(reader, ':');
  expect(reader, ':');
  names[1] = takeMarked(reader, CUTE_TOKEN_SYMBOL);
  for (size_t i = 0; i < reader->numBases; ++i)
    if (cuteTextIsSame(reader->bases[i].name, names[1]))
      return &reader->bases[i];
  if (reader->numBases == MAX_BASES)
    fail(reader);
  if (reader->failed)
    return NULL;
  reader->bases[reader->numBases] = makeBase(reader, names);
  return &reader->bases[reader->numBases++];
}

// Tells whether operations are read, whose types are loaded.
static bool hasTypes(const Reader *reader) {
  return !mlirModuleIsNull(reader->types);
}

static MlirValue buildBase(const Reader *reader, const char *name,
                           MlirAttribute value) {
  CuteNamedAttribute attribute = {name, value};
  return cuteBuildValue(&reader->at,
                        (CuteOpSpec){.name = "irdl.base",
                                     .numResults = 1,
                                     .results = &reader->parts.constraint,
                                     .numAttributes = 1,
                                     .attributes = &attribute});
}

// By name where the type is loaded, which saves a search for its declaration.
static MlirValue buildFirst(const Reader *reader, const Base *base) {
  if (!hasTypes(reader))
    return buildBase(reader, "base_ref", base->reference);
  CuteString name = {0};
  cuteStringAppendFormat(&name, "!%.*s.%.*s", (int)reader->dialect.length,
                         reader->dialect.data, (int)base->name.length,
                         base->name.data);
  MlirAttribute attribute = stringAttribute(reader, cuteStringGetRef(&name));
  cuteStringDestroy(&name);
  return buildBase(reader, "base_name", attribute);
}

// irdl.base @dialect::@name, or irdl.base "!dialect.name".
static void takeBaseOp(Reader *reader, Named *made) {
  if (cuteLexerPeek(&reader->lexer) == '"') {
    MlirAttribute name = stringAttribute(reader, takeString(reader));
    made->kinds = kindBit(CUTE_TYPE_FOREIGN);
    if (!reader->failed)
      made->value = buildBase(reader, "base_name", name);
    return;
  }
  Base *base = takeBase(reader);
  if (!base)
    return;
  made->kinds = base->kinds;
  if (mlirValueIsNull(base->first))
    base->first = made->value = buildFirst(reader, base);
  else
    made->value = cuteIrdlPartsRepeat(base->first, reader->at.block);
}

// %name = constraint
static void takeConstraint(Reader *reader) {
  Named made = {.name = takeMarked(reader, CUTE_TOKEN_VALUE)};
  expect(reader, '=');
  CuteStringRef op = take(reader, CUTE_TOKEN_IDENTIFIER);
  if (cuteTextEquals(op, "irdl.any")) {
    made.value = buildAny(reader);
    made.kinds = ~(CuteKindSet)0;
  } else if (cuteTextEquals(op, "irdl.any_of")) {
    takeAnyOf(reader, &made);
  } else if (cuteTextEquals(op, "irdl.base")) {
    takeBaseOp(reader, &made);
  }
  if (mlirValueIsNull(made.value) || reader->numNamed == MAX_NAMED)
    fail(reader);
  else
    reader->named[reader->numNamed++] = made;
}

//===-- Operands, results and parameters ----------------------------------===//

// [optional|variadic]
static CuteVariadicity takeVariadicity(Reader *reader) {
  if (cuteLexerPeek(&reader->lexer) == '%')
    return CUTE_SINGLE;
  CuteStringRef word = take(reader, CUTE_TOKEN_IDENTIFIER);
  if (cuteTextEquals(word, "variadic"))
    return CUTE_VARIADIC;
  if (!cuteTextEquals(word, "optional"))
    fail(reader);
  return CUTE_OPTIONAL;
}

static void buildList(const Reader *reader, const char *op, size_t n,
                      const MlirValue *values, MlirAttribute names,
                      MlirAttribute variadicities) {
  CuteNamedAttribute attributes[] = {{"names", names},
                                     {"variadicity", variadicities}};
  cuteBuild(&reader->at, (CuteOpSpec){.name = op,
                                      .numOperands = n,
                                      .operands = values,
                                      .numAttributes = 2,
                                      .attributes = attributes});
}

// Many variadic values of any type, whose names are numbered, for the one that
// is mixed.
static void buildSplit(Reader *reader, const char *op, CuteStringRef name) {
  CuteIrdlParts *parts = &reader->parts;
  MlirValue values[CUTE_NUM_MIXED];
  cuteIrdlPartsAddAnys(parts, reader->at.block, values);
  buildList(reader, op, CUTE_NUM_MIXED, values,
            reader->reading.isLoaded ? parts->noNames
                                     : cuteIrdlPartsNumberName(parts, name),
            parts->allVariadic);
}

static MlirAttribute makeNames(const Reader *reader,
                               const CuteIrdlValues *read) {
  MlirAttribute names[CUTE_MAX_DECLARED];
  for (size_t i = 0; i < read->n; ++i)
    names[i] = stringAttribute(reader, read->values[i].name);
  return mlirArrayAttrGet(reader->at.context, (intptr_t)read->n, names);
}

// Those who load the module read no names of values.
static void buildValues(Reader *reader, const char *op,
                        const CuteIrdlValues *read, const MlirValue *values,
                        bool isTyped) {
  if (read->isMixed && reader->reading.splitsMixed) {
    buildSplit(reader, op, read->values[0].name);
    return;
  }
  CuteVariadicity list[CUTE_MAX_DECLARED];
  for (size_t i = 0; i < read->n; ++i)
    list[i] = read->values[i].variadicity;
  bool isNamed = !reader->reading.isLoaded || !isTyped;
  buildList(reader, op, read->n, values,
            isNamed ? makeNames(reader, read) : reader->parts.noNames,
            isTyped
                ? cuteIrdlPartsGetVariadicities(&reader->parts, read->n, list)
                : (MlirAttribute){NULL});
}

// (name: [optional|variadic] %constraint, ...)
static void takeValues(Reader *reader, const char *op, CuteIrdlValues *read,
                       bool isTyped) {
  MlirValue values[CUTE_MAX_DECLARED];
  *read = (CuteIrdlValues){0};
  expect(reader, '(');
  do {
    CuteValueDecl *value = &read->values[read->n];
    value->name = take(reader, CUTE_TOKEN_IDENTIFIER);
    expect(reader, ':');
    value->variadicity = takeVariadicity(reader);
    const Named *constraint = takeOperand(reader);
    value->kinds = constraint->kinds;
    values[read->n++] = constraint->value;
  } while (read->n < CUTE_MAX_DECLARED && cuteLexerTake(&reader->lexer, ','));
  expect(reader, ')');
  CuteStringRef mixed = cuteIrdlGetAttribute(&reader->op, "mixed");
  read->isMixed = read->n == 1 && cuteTextHasWord(mixed, read->values[0].name);
  if (!reader->failed)
    buildValues(reader, op, read, values, isTyped);
}

//===-- Bodies ------------------------------------------------------------===//

static void takeBody(Reader *reader);

// name [@symbol] [attributes {...}] {...}
static void takeDefinition(Reader *reader, const char *name) {
  CuteNamedAttribute symbol = {"sym_name", {NULL}};
  reader->op = (CuteIrdlOperation){0};
  if (strcmp(name, "builtin.module")) {
    reader->op.name = takeMarked(reader, CUTE_TOKEN_SYMBOL);
    symbol.value = stringAttribute(reader, reader->op.name);
  }
  if (reader->failed)
    return;
  MlirOperation op = cuteBuild(&reader->at, (CuteOpSpec){.name = name,
                                                         .numAttributes = 1,
                                                         .attributes = &symbol,
                                                         .numRegions = 1});
  takeAttributes(reader, op);
  reader->at.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  reader->numNamed = 0;
  expect(reader, '{');
  takeBody(reader);
  expect(reader, '}');
  // Goes on in the module that is built now: types may have been loaded.
  reader->at.block =
      mlirOperationGetBlock(mlirBlockGetParentOperation(reader->at.block));
}

// Loads the types and attributes read so far, and goes on in another module,
// with a dialect of that name: it gets more ops when that is loaded.
static void loadTypes(Reader *reader) {
  MlirOperation dialect = mlirBlockGetParentOperation(reader->at.block);
  MlirAttribute name =
      mlirOperationGetAttributeByName(dialect, cuteMlirString("sym_name"));
  MlirStringRef text = mlirStringAttrGetValue(name);
  if (mlirLogicalResultIsFailure(mlirLoadIRDLDialects(reader->module)))
    reader->failed = true;
  reader->types = reader->module;
  reader->module = mlirModuleCreateEmpty(reader->at.location);
  reader->at.block = mlirModuleGetBody(reader->module);
  MlirOperation op = cuteBuild(
      &reader->at,
      (CuteOpSpec){.name = "irdl.dialect",
                   .numAttributes = 1,
                   .attributes = &(CuteNamedAttribute){"sym_name", name},
                   .numRegions = 1});
  reader->at.block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  reader->dialect = (CuteStringRef){text.data, text.length};
  reader->any = (MlirValue){NULL};
  reader->numBases = 0;
}

static void takeOperation(Reader *reader) {
  if (reader->reading.isLoaded && !hasTypes(reader))
    loadTypes(reader);
  takeDefinition(reader, "irdl.operation");
  const CuteIrdlReading *reading = &reader->reading;
  if (!reader->failed && reading->take &&
      !reading->take(&reader->op, reader->at.location, reading->userData))
    reader->failed = true;
}

static void takeOp(Reader *reader) {
  static const char *const definitions[] = {"irdl.type", "irdl.attribute",
                                            "irdl.dialect"};
  CuteIrdlValues parameters;
  CuteStringRef name = take(reader, CUTE_TOKEN_IDENTIFIER);
  if (cuteTextEquals(name, "irdl.operation")) {
    takeOperation(reader);
    return;
  }
  if (cuteTextEquals(name, "irdl.operands")) {
    takeValues(reader, "irdl.operands", &reader->op.operands, true);
    return;
  }
  if (cuteTextEquals(name, "irdl.results")) {
    takeValues(reader, "irdl.results", &reader->op.results, true);
    return;
  }
  if (cuteTextEquals(name, "irdl.parameters")) {
    takeValues(reader, "irdl.parameters", &parameters, false);
    return;
  }
  for (size_t i = 0; i < sizeof definitions / sizeof *definitions; ++i)
    if (cuteTextEquals(name, definitions[i])) {
      takeDefinition(reader, definitions[i]);
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

static void destroyModule(MlirModule module) {
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
}

MlirModule cuteIrdlRead(MlirContext context, CuteStringRef text,
                        CuteIrdlReading reading) {
  MlirLocation location = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateEmpty(location);
  Reader reader = {.reading = reading,
                   .lexer = {text.data, text.data + text.length},
                   .module = module,
                   .at = {context, location, mlirModuleGetBody(module), {NULL}},
                   .parts = cuteIrdlPartsCreate(context)};
  takeBody(&reader);
  if (!reader.failed && cuteLexerPeek(&reader.lexer))
    fail(&reader);
  destroyModule(reader.types);
  cuteIrdlPartsDestroy(&reader.parts);
  if (!reader.failed)
    return reader.module;
  mlirModuleDestroy(reader.module);
  return (MlirModule){NULL};
}
