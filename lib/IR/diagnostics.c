#include "IR/dialect.h"

enum { MAX_NOTES = 16 };

//===-- While parsing -----------------------------------------------------===//

static _Thread_local CuteParsing *current;

void cuteParsingSet(CuteParsing *parsing) { current = parsing; }

CuteParsing *cuteParsingGet(MlirContext context) {
  return current && mlirContextEqual(current->context, context) ? current
                                                                : NULL;
}

//===-- From MLIR ---------------------------------------------------------===//

static CuteSeverity severityOf(MlirDiagnostic diagnostic) {
  switch (mlirDiagnosticGetSeverity(diagnostic)) {
  case MlirDiagnosticError:
    return CUTE_SEVERITY_ERROR;
  case MlirDiagnosticWarning:
    return CUTE_SEVERITY_WARNING;
  case MlirDiagnosticRemark:
    return CUTE_SEVERITY_REMARK;
  case MlirDiagnosticNote:
    return CUTE_SEVERITY_NOTE;
  }
  return CUTE_SEVERITY_ERROR;
}

// Types of the dialect in MLIR's messages, in the pretty form. They are read in
// a context of their own: that of the dialect may belong to another thread, or
// to a pass that emits what is computed in it.
static void appendMessage(CuteString *text, CuteDialect *dialect,
                          CuteStringRef message) {
  const char *at = message.data, *end = at + message.length;
  if (!dialect->messages)
    dialect->messages = cuteContextCreate();
  while (at < end) {
    const char *found = strstr(at, "!cute.");
    const char *stop = found ? found : end;
    cuteStringAppendBytes(text, at, (size_t)(stop - at));
    if (!found)
      return;
    size_t length = 0;
    CuteType type = cuteTypeParsePrefix(
        dialect->messages, (CuteStringRef){found, (size_t)(end - found)},
        &length);
    if (type)
      cuteAppendType(text, type, CUTE_FORM_PRETTY);
    else
      cuteStringAppendBytes(text, found, length = 1);
    at = found + length;
  }
}

// The name in MLIR's message of an op that it does not know; empty for other
// messages.
static CuteStringRef unknownOp(CuteStringRef message) {
  static const char *const before[] = {"Dialect `' not found for custom op '",
                                       "custom op '"};
  for (size_t i = 0; i < 2; ++i)
    if (cuteTextStartsWith(message, before[i])) {
      const char *begin = message.data + strlen(before[i]);
      const char *end = memchr(begin, '\'', message.length - strlen(before[i]));
      const char unknown[] = "' is unknown";
      if (end && (!i || !strncmp(end, unknown, sizeof unknown - 1)))
        return (CuteStringRef){begin, (size_t)(end - begin)};
    }
  return (CuteStringRef){"", 0};
}

// The dialect's own op whose name has that of an op of another dialect in it,
// as cute.vote_ballot_sync has that of gpu.ballot.
static void appendOwn(CuteString *text, const CuteDialect *dialect,
                      CuteStringRef name) {
  const char *dot = memchr(name.data, '.', name.length);
  CuteStringRef last = {dot + 1, (size_t)(name.data + name.length - dot - 1)};
  for (size_t i = 0; last.length > 3 && i < CUTE_NUM_OPS; ++i) {
    CuteStringRef own = dialect->ops[i].name;
    if (!cuteTextHas(own, last))
      continue;
    cuteStringAppendFormat(text, "; did you mean 'cute.%.*s'?", CUTE_TEXT(own));
    return;
  }
}

// Ops of MLIR have the type of their operands at the end of their names.
static void appendSimilar(CuteString *text, CuteDialect *dialect,
                          CuteStringRef name) {
  static const char *const ends[] = {"f", "i", "si", "ui", "imumf", "numf"};
  bool isFound = false;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
    CUTE_SCOPED(String) longer = {0};
    cuteStringAppendFormat(&longer, "%.*s%s", CUTE_TEXT(name), ends[i]);
    if (mlirContextIsRegisteredOperation(dialect->mlir,
                                         cuteMlirText(&longer))) {
      cuteStringAppendFormat(text, "%s'%s'",
                             isFound ? " or " : "; did you mean ",
                             cuteStringGet(&longer));
      isFound = true;
    }
  }
  if (isFound)
    cuteStringAppend(text, "?");
  else
    appendOwn(text, dialect, name);
}

static void appendUnknownOp(CuteString *text, CuteDialect *dialect,
                            CuteStringRef name) {
  int length = (int)name.length;
  if (memchr(name.data, '.', name.length)) {
    cuteStringAppendFormat(text, "unknown operation '%.*s'", length, name.data);
    appendSimilar(text, dialect, name);
  } else if (cuteTextEquals(name, "return")) {
    cuteStringAppend(
        text, "'return' ends a func.func; a gpu.func ends with gpu.return");
  } else {
    cuteStringAppendFormat(text,
                           "'%.*s' is not an operation: operation names begin "
                           "with their dialect, as in gpu.barrier",
                           length, name.data);
  }
}

// A loop whose yield, which may be left out if there is nothing to give, has
// other values than it carries.
static bool appendYield(CuteString *text, CuteStringRef message) {
  CUTE_SCOPED(String) copy = {0};
  cuteStringAppendBytes(&copy, message.data, message.length);
  const char *counts = strstr(cuteStringGet(&copy), "region branch point has ");
  unsigned given, carried;
  bool isKnown =
      cuteTextStartsWith(message, "'scf.for' op along control flow edge") &&
      counts &&
      sscanf(counts,
             "region branch point has %u operands, but region successor needs "
             "%u inputs",
             &given, &carried) == 2;
  if (isKnown)
    cuteStringAppendFormat(text,
                           "'scf.for' op carries %u values, and scf.yield at "
                           "the end of its body gives %u",
                           carried, given);
  return isKnown;
}

// Explains bytecode of the open tool, whose ops have properties; a dialect in
// IRDL has none.
static bool appendProperties(CuteString *text, CuteStringRef message) {
  CuteStringRef name = message;
  if (!cuteTextTake(&name,
                    "has properties but missing BytecodeOpInterface for cute."))
    return false;
  cuteStringAppendFormat(
      text,
      "'cute.%.*s' has properties in this bytecode, which the open cute "
      "dialect's own tool wrote; let it write text, which both read",
      CUTE_TEXT(name));
  return true;
}

// MLIR shows the last op of a block that lacks its end, in the generic form.
static void appendKnown(CuteString *text, CuteDialect *dialect,
                        CuteStringRef message) {
  CuteStringRef op = unknownOp(message);
  if (op.length)
    appendUnknownOp(text, dialect, op);
  else if (cuteTextStartsWith(message, "block with no terminator"))
    cuteStringAppend(text,
                     "the block lacks its last op: gpu.return in a gpu.func, "
                     "return in a func.func, scf.yield in a region of scf");
  else if (!appendYield(text, message) && !appendProperties(text, message))
    appendMessage(text, dialect, message);
}

static CuteDiagnostic convert(CuteDialect *dialect, const CuteParsing *parsing,
                              MlirDiagnostic diagnostic, CuteString *text) {
  CUTE_SCOPED(String) message = {0};
  mlirDiagnosticPrint(diagnostic, cuteAppendMlirString, &message);
  appendKnown(text, dialect, cuteStringGetRef(&message));
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  if (parsing)
    location = parsing->relocate(parsing->map, location);
  return (CuteDiagnostic){severityOf(diagnostic), location, cuteMlirText(text)};
}

// "see current operation" shows an op in the generic form that nobody wrote,
// the list of all dialects does not say which op was meant, a place in a loop
// has been said, and a version of bytecode says nothing of the program.
static bool isWorthwhile(const CuteString *note) {
  static const char *const prefixes[] = {
      "see current operation", "Available dialects: ", "region branch point",
      "in bytecode version "};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (!strncmp(cuteStringGet(note), prefixes[i], strlen(prefixes[i])))
      return false;
  return true;
}

// MLIR calls this under a lock of its engine, and passes emit errors while they
// hold the dialect's: so that one must not be taken here.
static MlirLogicalResult handleMlir(MlirDiagnostic diagnostic, void *userData) {
  CuteDialect *dialect = userData;
  CuteParsing *parsing = cuteParsingGet(dialect->mlir);
  if (parsing)
    parsing->failed |=
        parsing->isTrial || severityOf(diagnostic) == CUTE_SEVERITY_ERROR;
  if (parsing && parsing->isTrial)
    return mlirLogicalResultSuccess();
  CUTE_SCOPED(String) text = {0};
  CuteString noteTexts[MAX_NOTES] = {0};
  CuteDiagnostic notes[MAX_NOTES];
  pthread_mutex_lock(&dialect->handlerLock);
  CuteDiagnostic main = convert(dialect, parsing, diagnostic, &text);
  size_t n = 0, used = 0;
  intptr_t numNotes = mlirDiagnosticGetNumNotes(diagnostic);
  for (intptr_t i = 0; i < numNotes && used < MAX_NOTES; ++i, ++used) {
    notes[n] = convert(dialect, parsing, mlirDiagnosticGetNote(diagnostic, i),
                       &noteTexts[used]);
    n += isWorthwhile(&noteTexts[used]);
  }
  dialect->handler(&main, n, notes, dialect->handlerData);
  pthread_mutex_unlock(&dialect->handlerLock);
  for (size_t i = 0; i < used; ++i)
    cuteStringDestroy(&noteTexts[i]);
  return mlirLogicalResultSuccess();
}

void cuteDiagnosticHandlerDetach(MlirContext context) {
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  if (!dialect)
    return;
  if (dialect->handler)
    mlirContextDetachDiagnosticHandler(context, dialect->handlerId);
  dialect->handler = NULL;
}

void cuteDiagnosticHandlerAttach(MlirContext context,
                                 CuteDiagnosticHandler handler,
                                 void *userData) {
  cuteDiagnosticHandlerDetach(context);
  CUTE_LOCKED *dialect = handler ? cuteDialectLock(context) : NULL;
  if (!dialect)
    return;
  dialect->handler = handler;
  dialect->handlerData = userData;
  dialect->handlerId =
      mlirContextAttachDiagnosticHandler(context, handleMlir, dialect, NULL);
}

//===-- From this library -------------------------------------------------===//

// Cuts a note off the message that it follows.
static const char *cutNote(MlirStringRef *message, CuteString *copy) {
  const char separator[] = "\nnote: ";
  cuteStringAppendBytes(copy, message->data, message->length);
  const char *at = strstr(cuteStringGet(copy), separator);
  if (!at)
    return NULL;
  message->length = (size_t)(at - cuteStringGet(copy));
  return at + sizeof separator - 1;
}

void cuteEmit(MlirLocation location, CuteSeverity severity,
              MlirStringRef message, const char *note) {
  CUTE_SCOPED(String) copy = {0};
  if (!note)
    note = cutNote(&message, &copy);
  CuteDialect *dialect = cuteDialectFind(mlirLocationGetContext(location));
  if (dialect && dialect->handler) {
    CuteDiagnostic main = {severity, location, message};
    CuteDiagnostic second = {CUTE_SEVERITY_NOTE, location,
                             cuteMlirString(note ? note : "")};
    pthread_mutex_lock(&dialect->handlerLock);
    dialect->handler(&main, note ? 1 : 0, &second, dialect->handlerData);
    pthread_mutex_unlock(&dialect->handlerLock);
  } else if (severity == CUTE_SEVERITY_ERROR) {
    CUTE_SCOPED(String) text = {0};
    cuteStringAppendBytes(&text, message.data, message.length);
    if (note)
      cuteStringAppendFormat(&text, "\nnote: %s", note);
    mlirEmitError(location, cuteStringGet(&text));
  }
}
