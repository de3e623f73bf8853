// Reads modules: translation, MLIR's parser, then verification.

#include "Support/clock.h"
#include "Support/file.h"
#include "Text/expansion.h"
#include "Text/reader.h"

#include <errno.h>

//===-- Locations of the parsed module ------------------------------------===//

static void relocate(CuteSourceMap *map, MlirOperation op) {
  mlirOperationSetLocation(
      op, cuteSourceMapGetLocation(map, mlirOperationGetLocation(op)));
  CUTE_FOR_INNER_BLOCKS(block, op)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
      MlirValue argument = mlirBlockGetArgument(block, i);
      mlirBlockArgumentSetLocation(
          argument,
          cuteSourceMapGetLocation(map, mlirValueGetLocation(argument)));
    }
}

//===-- MLIR's diagnostics while it parses --------------------------------===//

// Without a handler of ours: MLIR's errors again, at the user's positions.
static MlirLogicalResult emitRelocated(MlirDiagnostic diagnostic,
                                       void *userData) {
  CuteParsing *parsing = cuteParsingGet(*(MlirContext *)userData);
  if (!parsing)
    return mlirLogicalResultFailure();
  bool isError = mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  parsing->failed |= parsing->isTrial || isError;
  if (parsing->isTrial)
    return mlirLogicalResultSuccess();
  MlirLocation location =
      parsing->relocate(parsing->map, mlirDiagnosticGetLocation(diagnostic));
  if (!isError ||
      mlirLocationEqual(location, mlirDiagnosticGetLocation(diagnostic)))
    return mlirLogicalResultFailure();
  CUTE_SCOPED(String) text = {0};
  mlirDiagnosticPrint(diagnostic, cuteAppendMlirString, &text);
  mlirEmitError(location, cuteStringGet(&text));
  return mlirLogicalResultSuccess();
}

static CuteParsing beginParsing(CuteDialect *dialect, CuteSourceMap *map) {
  return (CuteParsing){dialect->mlir, map, cuteSourceMapGetLocation,
                       .isTrial = !map->isExact};
}

// One op, which is a module, may be parsed under a name.
static MlirModule parseNamed(MlirContext context, MlirStringRef text,
                             MlirStringRef name) {
  MlirOperation op = mlirOperationCreateParse(context, text, name);
  return mlirOperationIsNull(op) ? (MlirModule){NULL}
                                 : mlirModuleFromOperation(op);
}

static MlirModule parseOutput(CuteReader *reader, CuteParsing *parsing) {
  CuteDialect *dialect = reader->dialect;
  const CuteSourceMap *map = parsing->map;
  MlirStringRef text = cuteMlirText(&map->output);
  MlirContext context = dialect->mlir;
  MlirDiagnosticHandlerID id = 0;
  if (!dialect->handler)
    id = mlirContextAttachDiagnosticHandler(context, emitRelocated, &context,
                                            NULL);
  cuteParsingSet(parsing);
  MlirModule module = map->isNamed ? parseNamed(context, text, map->name)
                                   : mlirModuleCreateParse(context, text);
  if (!mlirModuleIsNull(module))
    parsing->failed |= !cuteDirectOpsParseTypes(&reader->direct, dialect);
  cuteParsingSet(NULL);
  if (!dialect->handler)
    mlirContextDetachDiagnosticHandler(context, id);
  return module;
}

static void restSource(const CuteSourceMap *map) {
  if (map->rest)
    map->rest(map->restData);
}

static MlirModule parseTranslated(CuteReader *reader, CuteParsing *parsing,
                                  CuteParseTimes *times) {
  double start = cuteProcessorNow();
  restSource(parsing->map);
  MlirModule module = parseOutput(reader, parsing);
  cuteStringDestroy(&parsing->map->output); // positions are found without it
  cuteLap(&start, &times->parse);
  if (!mlirModuleIsNull(module) && parsing->isTrial && parsing->failed) {
    mlirModuleDestroy(module);
    module = (MlirModule){NULL};
  }
  if (!mlirModuleIsNull(module)) {
    CUTE_FOR_NESTED(op, mlirModuleGetOperation(module))
      relocate(parsing->map, op);
    cuteDirectOpsMake(&reader->direct, reader->dialect, module);
  }
  restSource(parsing->map);
  cuteLap(&start, &times->locate);
  return module;
}

//===-- Translation -------------------------------------------------------===//

// MLIR says nothing about an op of this dialect in a form that is not the
// generic one: a name alone that was taken for a unit attribute.
static bool failedSilently(CuteReader *reader, const CuteParsing *parsing,
                           MlirModule module) {
  if (!mlirModuleIsNull(module) || parsing->failed)
    return false;
  const char *at = reader->unitAt ? reader->unitAt : reader->map.source.data;
  cuteReaderFail(reader, at, "expected an operation with its operands");
  return true;
}

// Explains a slice that is passed on, which MLIR reports as an undefined value.
static bool failedAtSlice(CuteReader *reader, MlirModule module) {
  CuteStringRef slice = reader->passedSlice;
  if (!mlirModuleIsNull(module) || !slice.length)
    return false;
  cuteReaderFail(reader, slice.data,
                 "'%.*s' is a name that cute.get_slice gives to a copy or MMA "
                 "and a thread, for ops that partition; pass these two on",
                 CUTE_TEXT(slice));
  return true;
}

// Tells whether the text can have a name between quotes as MLIR gets it.
static bool isPlain(MlirStringRef name) {
  for (size_t i = 0; i < name.length; ++i)
    if (name.data[i] < ' ' || name.data[i] == '"' || name.data[i] == '\\')
      return false;
  return name.length;
}

// Translates the text; false with the reader's error. A task of its own frees
// what only translation needs, so that MLIR's parser has the memory.
static bool translate(CuteReader *reader) {
  CUTE_SCOPED(Task) tables;
  cuteTaskBegin(&tables);
  CuteSourceMap *map = &reader->map;
  CuteStringRef source = map->source;
  reader->lexer = (CuteLexer){source.data, source.data + source.length};
  reader->copied = source.data;
  cuteValueTypesInit(&reader->values);
  cuteValueTypesInit(&reader->aliases);
  cuteTypeAliasesInit(&reader->names, source, reader->isClashing);
  bool ok = cuteReaderRewrite(reader);
  if (ok) {
    cuteReaderFlush(reader, source.data + source.length);
    cuteDirectOpsWrite(reader);
    cuteSourceMapPrepend(map, cuteStringGetRef(&reader->names.definitions),
                         reader->names.sources);
    cuteStringDestroy(&reader->names.definitions);
  }
  map->isNamed = reader->hasModule && !reader->hasMore && map->firstLine == 1 &&
                 isPlain(map->name);
  return ok;
}

static void destroyReader(CuteReader *reader) {
  cuteTypeAliasesDestroy(&reader->names);
  cutePointerMapDestroy(&reader->aliasWeights);
  cuteSourceMapDestroy(&reader->map);
  cuteDirectOpsDestroy(&reader->direct);
  cuteStringDestroy(&reader->error);
  free(reader->defined);
  free(reader->definedCounts);
  free(reader->attributeNames);
  free(reader->attributeValues);
}

// The attempts at translating a text: with other names for aliases, and
// exactly, so that what MLIR has to say has positions.
typedef struct Attempt {
  bool isClashing, isExact;
} Attempt;

// The module, or what to try next; with neither there has been an error.
static MlirModule attempt(CuteReader *reader, Attempt *next,
                          CuteParseTimes *times) {
  double start = cuteProcessorNow();
  CuteSourceMap *map = &reader->map;
  MlirModule module = {NULL};
  bool ok = translate(reader);
  cuteLap(&start, &times->read);
  next->isClashing = reader->isClashing;
  if (ok && (map->isExact || !map->isOutOfStep)) {
    CuteParsing parsing = beginParsing(reader->dialect, map);
    module = parseTranslated(reader, &parsing, times);
    ok = !map->isExact || (!failedSilently(reader, &parsing, module) &&
                           !failedAtSlice(reader, module));
  }
  next->isExact |= ok;
  if (!ok && reader->errorAt)
    cuteReaderEmitError(reader);
  return module;
}

// Reads a text whose parameters have their values.
static MlirModule parseExpanded(CuteDialect *dialect, CuteSourceMap start,
                                const CuteParseOptions *options,
                                CuteParseTimes *times) {
  Attempt now, next = {false, false};
  MlirModule module;
  do {
    CuteReader reader = {.dialect = dialect,
                         .context = dialect->context,
                         .map = start,
                         .isClashing = next.isClashing,
                         .listen = options->listen,
                         .listenData = options->listenData};
    reader.map.isExact = next.isExact;
    now = next;
    module = attempt(&reader, &next, times);
    destroyReader(&reader);
  } while (mlirModuleIsNull(module) &&
           (now.isClashing != next.isClashing || now.isExact != next.isExact));
  return module;
}

static void emitExpansionError(CuteDialect *dialect, CuteSourceMap *map,
                               const CuteExpansion *expansion) {
  unsigned line, column;
  cuteSourceMapLocate(map, map->source.data + expansion->errorAt, &line,
                      &column);
  cuteEmit(mlirLocationFileLineColGet(dialect->mlir, map->name, line, column),
           CUTE_SEVERITY_ERROR,
           cuteMlirString(cuteStringGet(&expansion->error)), NULL);
  cuteSourceMapDestroy(map);
}

static MlirModule parseText(CuteDialect *dialect, MlirStringRef source,
                            MlirStringRef name, CuteParseOptions options,
                            CuteParseTimes *times) {
  CUTE_SCOPED(Expansion) expansion = {0};
  CuteSourceMap map;
  MlirModule module = {NULL};
  cuteSourceMapInit(&map, fromMlirString(source), name, options.firstLine);
  if (cuteExpansionExpand(&expansion, map.source, options.numParameters,
                          options.parameters)) {
    if (expansion.isNeeded)
      map.source = cuteStringGetRef(&expansion.text);
    map.shifts = expansion.shifts;
    map.numShifts = expansion.numShifts;
    map.rest = options.rest;
    map.restData = options.restData;
    module = parseExpanded(dialect, map, &options, times);
  } else {
    emitExpansionError(dialect, &map, &expansion);
  }
  return module;
}

bool cuteParseIsBytecode(MlirStringRef source) {
  return source.length >= 4 && !memcmp(source.data, "ML\xefR", 4);
}

// Errors name the file, and have no position.
static MlirModule parseBytecode(CuteDialect *dialect, MlirStringRef source,
                                MlirStringRef name) {
  CuteSourceMap map = {.name = name, .firstLine = 1, .isExact = true};
  CuteParsing parsing = beginParsing(dialect, &map);
  cuteParsingSet(&parsing);
  MlirModule module = mlirModuleCreateParse(dialect->mlir, source);
  cuteParsingSet(NULL);
  return module;
}

static void refuse(MlirContext context, MlirStringRef name,
                   const char *message) {
  cuteEmit(mlirLocationFileLineColGet(context, name, 1, 1), CUTE_SEVERITY_ERROR,
           cuteMlirString(message), NULL);
}

// The module if it verifies, otherwise null.
static MlirModule verified(MlirModule module, CuteParseTimes *times) {
  double start = cuteProcessorNow();
  if (!mlirModuleIsNull(module) &&
      mlirLogicalResultIsFailure(
          cuteOperationVerify(mlirModuleGetOperation(module)))) {
    mlirModuleDestroy(module);
    module = (MlirModule){NULL};
  }
  cuteLap(&start, &times->verify);
  return module;
}

MlirModule cuteModuleParse(MlirContext context, MlirStringRef source,
                           MlirStringRef name) {
  return cuteModuleParseWith(context, source, name, 0, NULL);
}

MlirModule cuteModuleParseWith(MlirContext context, MlirStringRef source,
                               MlirStringRef name, size_t numParameters,
                               const CuteParameter *parameters) {
  return cuteModuleParseFrom(context, source, name,
                             (CuteParseOptions){.firstLine = 1,
                                                .numParameters = numParameters,
                                                .parameters = parameters},
                             NULL);
}

MlirModule cuteModuleParseFrom(MlirContext context, MlirStringRef source,
                               MlirStringRef name, CuteParseOptions options,
                               CuteParseTimes *times) {
  CuteParseTimes ignored = {0};
  MlirModule module = {NULL};
  CuteDialect *dialect =
      cuteDialectLockAt(mlirLocationFileLineColGet(context, name, 1, 1));
  if (!dialect)
    return module;
  times = times ? times : &ignored;
  if (cuteParseIsBytecode(source))
    refuse(context, name,
           "this is MLIR bytecode, which is read only when asked for, as MLIR "
           "does not check it: cute-opt --read-bytecode makes text of it (in "
           "C, cuteModuleParseBytecode); do so if you trust where it is from");
  else
    module = parseText(dialect, source, name, options, times);
  dialect->notesLaws = options.notesLaws;
  module = verified(module, times);
  dialect->notesLaws = false;
  cuteTypeCacheTrim(&dialect->types); // all of the module's are known by now
  cuteDialectUnlock(dialect);
  return module;
}

MlirModule cuteModuleParseBytecode(MlirContext context, MlirStringRef bytes,
                                   MlirStringRef name) {
  CuteParseTimes ignored = {0};
  MlirModule module = {NULL};
  CuteDialect *dialect =
      cuteDialectLockAt(mlirLocationFileLineColGet(context, name, 1, 1));
  if (!dialect)
    return module;
  if (cuteParseIsBytecode(bytes))
    module = verified(parseBytecode(dialect, bytes, name), &ignored);
  else
    refuse(context, name, "this is not MLIR bytecode");
  cuteDialectUnlock(dialect);
  return module;
}

//===-- Files -------------------------------------------------------------===//

MlirModule cuteModuleParseFile(MlirContext context, MlirStringRef path) {
  CUTE_SCOPED(String) text = {0}, name = {0};
  cuteStringAppendBytes(&name, path.data, path.length);
  bool isStdin = !strcmp(cuteStringGet(&name), "-");
  if (cuteFileAppend(cuteStringGet(&name), &text))
    return cuteModuleParse(context, cuteMlirText(&text),
                           isStdin ? cuteMlirString("<stdin>") : path);
  cuteEmitError(mlirLocationUnknownGet(context),
                "cannot open input file '%s': %s", cuteStringGet(&name),
                strerror(errno));
  return (MlirModule){NULL};
}
