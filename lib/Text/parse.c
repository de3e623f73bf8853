// Reads modules: translation, MLIR's parser, then verification.
#include "Text/parse.h"

#include "Support/clock.h"
#include "Text/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

//===-- Locations of the parsed module ------------------------------------===//

static void relocateArguments(const CuteParsing *to, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
        MlirValue argument = mlirBlockGetArgument(block, i);
        mlirBlockArgumentSetLocation(
            argument, cuteSourceMapGetLocation(
                          to->map, mlirValueGetLocation(argument), to->name));
      }
  }
}

static MlirWalkResult relocate(MlirOperation op, void *userData) {
  const CuteParsing *to = userData;
  mlirOperationSetLocation(
      op, cuteSourceMapGetLocation(to->map, mlirOperationGetLocation(op),
                                   to->name));
  relocateArguments(to, op);
  return MlirWalkResultAdvance;
}

//===-- MLIR's diagnostics while it parses --------------------------------===//

// Without a handler of ours: MLIR's errors again, at the user's positions.
static MlirLogicalResult emitRelocated(MlirDiagnostic diagnostic,
                                       void *userData) {
  CuteParsing *parsing = cuteParsingGet(*(MlirContext *)userData);
  if (!parsing)
    return mlirLogicalResultFailure();
  parsing->failed |=
      mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError;
  MlirLocation location = parsing->relocate(
      parsing->map, mlirDiagnosticGetLocation(diagnostic), parsing->name);
  if (mlirDiagnosticGetSeverity(diagnostic) != MlirDiagnosticError ||
      mlirLocationEqual(location, mlirDiagnosticGetLocation(diagnostic)))
    return mlirLogicalResultFailure();
  CuteString text = {0};
  mlirDiagnosticPrint(diagnostic, cuteAppendMlirString, &text);
  mlirEmitError(location, cuteStringGet(&text));
  cuteStringDestroy(&text);
  return mlirLogicalResultSuccess();
}

static CuteParsing beginParsing(CuteDialect *dialect, const CuteSourceMap *map,
                                MlirStringRef name) {
  return (CuteParsing){dialect->mlir, name, map, cuteSourceMapGetLocation,
                       false};
}

static MlirModule parseTranslated(CuteDialect *dialect, CuteSourceMap *map,
                                  CuteParsing *parsing, CuteParseTimes *times) {
  double start = cuteProcessorNow();
  MlirContext context = dialect->mlir;
  MlirDiagnosticHandlerID id = 0;
  if (!dialect->handler)
    id = mlirContextAttachDiagnosticHandler(context, emitRelocated, &context,
                                            NULL);
  cuteParsingSet(parsing);
  MlirModule module =
      mlirModuleCreateParse(context, cuteMlirText(&map->output));
  cuteParsingSet(NULL);
  if (!dialect->handler)
    mlirContextDetachDiagnosticHandler(context, id);
  cuteStringDestroy(&map->output); // positions are found without it
  cuteLap(&start, &times->parse);
  if (!mlirModuleIsNull(module))
    mlirOperationWalk(mlirModuleGetOperation(module), relocate, parsing,
                      MlirWalkPreOrder);
  cuteLap(&start, &times->locate);
  return module;
}

//===-- Translation -------------------------------------------------------===//

static void emitReaderError(CuteReader *reader, MlirStringRef name) {
  unsigned line, column;
  cuteSourceMapLocate(&reader->map, reader->errorAt, &line, &column);
  MlirLocation location =
      mlirLocationFileLineColGet(reader->dialect->mlir, name, line, column);
  cuteEmit(location, CUTE_SEVERITY_ERROR,
           cuteMlirString(cuteStringGet(&reader->error)), NULL);
}

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

// Frees what only translation needs, so that MLIR's parser has the memory.
static void freeTables(CuteReader *reader) {
  cuteValueTypesDestroy(&reader->values);
  cuteValueTypesDestroy(&reader->aliases);
}

// Translates the text; false with the reader's error.
static bool translate(CuteReader *reader, MlirStringRef source,
                      unsigned firstLine) {
  reader->lexer = (CuteLexer){source.data, source.data + source.length};
  reader->copied = source.data;
  cuteSourceMapInit(&reader->map, fromMlirString(source), firstLine);
  cuteValueTypesInit(&reader->values);
  cuteValueTypesInit(&reader->aliases);
  cuteTypeAliasesInit(&reader->names, fromMlirString(source),
                      reader->isClashing);
  bool ok = cuteReaderRewrite(reader);
  if (ok) {
    cuteReaderFlush(reader, source.data + source.length);
    cuteSourceMapPrepend(&reader->map,
                         cuteStringGetRef(&reader->names.definitions),
                         reader->names.count, reader->names.sources);
    cuteStringDestroy(&reader->names.definitions);
    cutePointerMapDestroy(&reader->names.numbers);
  }
  cuteSourceMapFinish(&reader->map);
  freeTables(reader);
  return ok;
}

static void destroyReader(CuteReader *reader) {
  cuteTypeAliasesDestroy(&reader->names);
  cutePointerMapDestroy(&reader->aliasWeights);
  cuteSourceMapDestroy(&reader->map);
  cuteStringDestroy(&reader->error);
  free(reader->defined);
  free(reader->definedCounts);
  free(reader->attributeNames);
  free(reader->attributeValues);
}

static MlirModule parseText(CuteDialect *dialect, MlirStringRef source,
                            MlirStringRef name, unsigned firstLine,
                            CuteParseTimes *times) {
  double start = cuteProcessorNow();
  const CuteReader fresh = {.dialect = dialect, .context = dialect->context};
  CuteReader reader = fresh;
  bool translated = translate(&reader, source, firstLine);
  if (!translated && reader.isClashing && !reader.errorAt) {
    destroyReader(&reader);
    reader = fresh;
    reader.isClashing = true;
    translated = translate(&reader, source, firstLine);
  }
  cuteLap(&start, &times->read);
  MlirModule module = {NULL};
  if (translated) {
    CuteParsing parsing = beginParsing(dialect, &reader.map, name);
    module = parseTranslated(dialect, &reader.map, &parsing, times);
    translated = !failedSilently(&reader, &parsing, module);
  }
  if (!translated)
    emitReaderError(&reader, name);
  destroyReader(&reader);
  return module;
}

bool cuteParseIsBytecode(MlirStringRef source) {
  return source.length >= 4 && !memcmp(source.data, "ML\xefR", 4);
}

// Errors name the file, and have no position.
static MlirModule parseBytecode(CuteDialect *dialect, MlirStringRef source,
                                MlirStringRef name) {
  const CuteSourceMap map = {.firstLine = 1};
  CuteParsing parsing = beginParsing(dialect, &map, name);
  cuteParsingSet(&parsing);
  MlirModule module = mlirModuleCreateParse(dialect->mlir, source);
  cuteParsingSet(NULL);
  return module;
}

static CuteDialect *lockDialect(MlirContext context, MlirStringRef name) {
  CuteDialect *dialect = cuteDialectLock(context);
  if (!dialect)
    mlirEmitError(mlirLocationFileLineColGet(context, name, 1, 1),
                  "the cute dialect is not loaded");
  return dialect;
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
  return cuteModuleParseFrom(context, source, name, 1, NULL);
}

MlirModule cuteModuleParseFrom(MlirContext context, MlirStringRef source,
                               MlirStringRef name, unsigned firstLine,
                               CuteParseTimes *times) {
  CuteParseTimes ignored = {0};
  MlirModule module = {NULL};
  CuteDialect *dialect = lockDialect(context, name);
  if (!dialect)
    return module;
  times = times ? times : &ignored;
  if (cuteParseIsBytecode(source))
    refuse(context, name,
           "this is MLIR bytecode, which is read only when asked for, as MLIR "
           "does not check it: cute-opt --read-bytecode makes text of it (in "
           "C, cuteModuleParseBytecode); do so if you trust where it is from");
  else
    module =
        verified(parseText(dialect, source, name, firstLine, times), times);
  cuteDialectUnlock(dialect);
  return module;
}

MlirModule cuteModuleParseBytecode(MlirContext context, MlirStringRef bytes,
                                   MlirStringRef name) {
  CuteParseTimes ignored = {0};
  MlirModule module = {NULL};
  CuteDialect *dialect = lockDialect(context, name);
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

bool cuteParseReadFile(const char *path, CuteString *text) {
  FILE *file = strcmp(path, "-") ? fopen(path, "rb") : stdin;
  if (!file)
    return false;
  char buffer[1 << 16];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file));)
    cuteStringAppendBytes(text, buffer, n);
  bool ok = !ferror(file);
  if (file != stdin)
    fclose(file);
  return ok;
}

MlirModule cuteModuleParseFile(MlirContext context, MlirStringRef path) {
  CuteString text = {0}, name = {0};
  cuteStringAppendBytes(&name, path.data, path.length);
  bool isStdin = !strcmp(cuteStringGet(&name), "-");
  MlirModule module = {NULL};
  MlirStringRef shown = isStdin ? cuteMlirString("<stdin>") : path;
  if (cuteParseReadFile(cuteStringGet(&name), &text)) {
    module = cuteModuleParse(context, cuteMlirText(&text), shown);
  } else {
    cuteEmitError(mlirLocationUnknownGet(context),
                  "cannot open input file '%s': %s", cuteStringGet(&name),
                  strerror(errno));
  }
  cuteStringDestroy(&text);
  cuteStringDestroy(&name);
  return module;
}
