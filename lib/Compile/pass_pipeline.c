// Textual pipelines that mix passes of this library with MLIR's.
#include "Codegen/codegen.h"
#include "Compile/pass_registry.h"
#include "Compile/upstream.h"
#include "Support/suggest.h"

typedef struct Parser {
  MlirContext context;
  const CutePassObserver *observer;
  const char *arch;   // of options that are not given; or null
  CuteStringRef skip; // names of passes that are left out
  CuteString error;
  int depth;
} Parser;

enum { MAX_NESTING = 32 };

static bool fail(Parser *parser, const char *format, CuteStringRef text) {
  if (!parser->error.length)
    cuteStringAppendFormat(&parser->error, format,
                           (int)(text.length > 200 ? 200 : text.length),
                           text.data);
  return false;
}

static CuteStringRef trim(CuteStringRef text) {
  while (text.length && strchr(" \t\n", text.data[0]))
    text = (CuteStringRef){text.data + 1, text.length - 1};
  while (text.length && strchr(" \t\n", text.data[text.length - 1]))
    --text.length;
  return text;
}

// Takes the text up to a comma outside brackets off the front.
static CuteStringRef takeElement(CuteStringRef *rest) {
  size_t i = 0;
  int depth = 0;
  for (; i < rest->length; ++i) {
    char c = rest->data[i];
    if (strchr("({[", c))
      ++depth;
    else if (strchr(")}]", c))
      --depth;
    else if (c == ',' && depth <= 0)
      break;
  }
  CuteStringRef element = {rest->data, i};
  size_t skip = i < rest->length ? i + 1 : i;
  *rest = (CuteStringRef){rest->data + skip, rest->length - skip};
  return trim(element);
}

// name, then {options} or (elements), both without their brackets.
typedef struct Element {
  CuteStringRef text, name, options, nested;
  bool isNested;
} Element;

static bool splitElement(Parser *parser, CuteStringRef text, Element *element) {
  *element = (Element){.text = text};
  size_t n = 0;
  while (n < text.length && !strchr("({", text.data[n]))
    ++n;
  element->name = trim((CuteStringRef){text.data, n});
  if (!element->name.length)
    return fail(parser, "expected the name of a pass, found '%.*s'", text);
  if (n == text.length)
    return true;
  char close = text.data[n] == '(' ? ')' : '}';
  if (text.data[text.length - 1] != close)
    return fail(parser, "missing closing bracket in '%.*s'", text);
  CuteStringRef inside = {text.data + n + 1, text.length - n - 2};
  element->isNested = close == ')';
  if (element->isNested)
    element->nested = inside;
  else
    element->options = inside;
  return true;
}

//===-- Passes ------------------------------------------------------------===//

static bool addElements(Parser *parser, MlirOpPassManager manager,
                        CuteStringRef text);

static void observe(Parser *parser, MlirOpPassManager manager,
                    CuteStringRef pass, bool after) {
  const CutePassObserver *observer = parser->observer;
  if (observer && (after ? observer->after : observer->before))
    mlirOpPassManagerAddOwnedPass(
        manager, cuteObserverPassCreate(observer, pass, after));
}

// Fails with the row's options, if it has some.
static bool failOption(Parser *parser, const CutePassRow *row,
                       const char *problem, CuteStringRef name) {
  const char *before = "; it has";
  if (parser->error.length)
    return false;
  cuteStringAppendFormat(&parser->error, problem, row->argument,
                         CUTE_TEXT(name));
  for (size_t i = 0; i < cutePassOptionGetNum(); ++i)
    if (!strcmp(cutePassOptionGetInfo(i).pass, row->argument)) {
      cuteStringAppendFormat(&parser->error, "%s %s", before,
                             cutePassOptionGetInfo(i).name);
      before = ",";
    }
  return false;
}

// Each option is one of the row's, and given once.
static bool checkOptions(Parser *parser, const CutePassRow *row,
                         CuteStringRef options) {
  CutePassOption option, again;
  while (cutePassOptionTake(&options, &option)) {
    if (!cutePassRowGetOption(row, option.name))
      return failOption(parser, row, "'%s' has no option '%.*s'", option.name);
    if (cutePassOptionFind(options, option.name, &again))
      return failOption(parser, row, "'%s' is given its option '%.*s' twice",
                        option.name);
  }
  return true;
}

// The value of an option: given, or the default of its row.
static CuteStringRef optionValue(const Parser *parser, const CutePassRow *row,
                                 CuteStringRef options, CuteStringRef name) {
  CutePassOption option;
  if (cutePassOptionFind(options, name, &option))
    return option.value;
  if (parser->arch && cuteTextEquals(name, "arch"))
    return cuteStringRef(parser->arch);
  const CutePassOptionInfo *info = cutePassRowGetOption(row, name);
  return cuteStringRef(info ? info->defaultValue : "");
}

static bool addPipelineRow(Parser *parser, MlirOpPassManager manager,
                           const CutePassRow *row, CuteStringRef options) {
  CUTE_SCOPED(String) text = {0};
  for (const char *at = row->elements; *at;) {
    const char *close = !strncmp(at, "${", 2) ? strchr(at, '}') : NULL;
    if (!close) {
      cuteStringAppendChar(&text, *at++);
      continue;
    }
    CuteStringRef name = {at + 2, (size_t)(close - at) - 2};
    CuteStringRef value = optionValue(parser, row, options, name);
    cuteStringAppendBytes(&text, value.data, value.length);
    at = close + 1;
  }
  return addElements(parser, manager, cuteStringGetRef(&text));
}

// A pass with its options as they are written, and the architecture.
static void addPassRow(Parser *parser, MlirOpPassManager manager,
                       const CutePassRow *row, CuteStringRef options) {
  CuteStringRef name = cuteStringRef("arch");
  CutePassOption option;
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendBytes(&text, options.data, options.length);
  if (parser->arch && cutePassRowGetOption(row, name) &&
      !cutePassOptionFind(options, name, &option))
    cuteStringAppendFormat(&text, " arch=%s", parser->arch);
  mlirOpPassManagerAddOwnedPass(
      manager, cutePassRowCreate(row, cuteStringGetRef(&text)));
}

// The name of ours that is most like an unknown one, after ";", or nothing.
static void appendSuggestion(CuteString *text, CuteStringRef name) {
  CuteSuggestion suggestion = cuteSuggestionBegin(name);
  for (size_t i = 0; i < cutePassGetNum(); ++i)
    cuteSuggestionOffer(&suggestion, cuteStringRef(cutePassGet(i).argument));
  if (suggestion.best.length)
    cuteStringAppendFormat(text, "; did you mean '%.*s'?",
                           CUTE_TEXT(suggestion.best));
}

static bool addUpstream(Parser *parser, MlirOpPassManager manager,
                        const Element *element) {
  CUTE_SCOPED(String) message = {0};
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      manager, toMlirString(element->text), cuteAppendMlirString, &message);
  bool ok = mlirLogicalResultIsSuccess(result);
  if (!ok && !parser->error.length) {
    bool isUnknown = strstr(cuteStringGet(&message), "does not refer to");
    if (isUnknown) {
      fail(parser, "unknown pass or pipeline '%.*s'", element->name);
      appendSuggestion(&parser->error, element->name);
    } else
      cuteStringAppendFormat(&parser->error, "%s", cuteStringGet(&message));
  }
  return ok;
}

static bool addElement(Parser *parser, MlirOpPassManager manager,
                       CuteStringRef text) {
  Element element;
  if (!splitElement(parser, text, &element))
    return false;
  if (element.isNested)
    return addElements(
        parser,
        mlirOpPassManagerGetNestedUnder(manager, toMlirString(element.name)),
        element.nested);
  if (cuteTextListHas(parser->skip, element.name))
    return true;
  const CutePassRow *row = cutePassRowFind(element.name);
  if (row && !checkOptions(parser, row, element.options))
    return false;
  if (row && !row->run)
    return addPipelineRow(parser, manager, row, element.options);
  observe(parser, manager, element.name, false);
  if (row)
    addPassRow(parser, manager, row, element.options);
  else if (!addUpstream(parser, manager, &element))
    return false;
  observe(parser, manager, element.name, true);
  return true;
}

static bool addElements(Parser *parser, MlirOpPassManager manager,
                        CuteStringRef text) {
  if (++parser->depth > MAX_NESTING)
    return fail(parser, "pipeline is nested too deeply at '%.*s'", text);
  text = trim(text);
  bool ok = true;
  while (ok && text.length)
    ok = addElement(parser, manager, takeElement(&text));
  --parser->depth;
  return ok;
}

static MlirLogicalResult add(Parser *parser, MlirOpPassManager manager,
                             MlirStringRef pipeline,
                             MlirStringCallback callback, void *userData) {
  cuteUpstreamRegisterPasses();
  CuteStringRef text = trim(fromMlirString(pipeline));
  if (text.length && text.data[text.length - 1] == ')' &&
      cuteTextTake(&text, "builtin.module("))
    --text.length;
  bool ok = addElements(parser, manager, text);
  if (!ok && callback)
    callback(cuteMlirText(&parser->error), userData);
  cuteStringDestroy(&parser->error);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

MlirLogicalResult cutePipelineAdd(MlirContext context,
                                  MlirOpPassManager manager,
                                  MlirStringRef pipeline,
                                  const CutePassObserver *observer,
                                  MlirStringCallback callback, void *userData) {
  Parser parser = {.context = context, .observer = observer};
  return add(&parser, manager, pipeline, callback, userData);
}

MlirLogicalResult cutePipelineRunWithout(MlirOperation operation,
                                         MlirStringRef pipeline,
                                         const CutePassObserver *observer,
                                         const char *arch, const char *skip,
                                         MlirStringCallback callback,
                                         void *userData) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, cuteMlirGetName(operation));
  mlirPassManagerEnableVerifier(manager, false);
  Parser parser = {.context = context,
                   .observer = observer,
                   .arch = arch,
                   .skip = cuteStringRef(skip ? skip : "")};
  MlirLogicalResult result =
      add(&parser, mlirPassManagerGetAsOpPassManager(manager), pipeline,
          callback, userData);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, operation);
  if (mlirLogicalResultIsSuccess(result) && !mlirOperationVerify(operation))
    result = mlirLogicalResultFailure();
  mlirPassManagerDestroy(manager);
  return result;
}

MlirLogicalResult cutePipelineRun(MlirOperation operation,
                                  MlirStringRef pipeline,
                                  MlirStringCallback callback, void *userData) {
  return cutePipelineRunFor(operation, pipeline, NULL, callback, userData);
}

MlirLogicalResult cutePipelineRunFor(MlirOperation operation,
                                     MlirStringRef pipeline, const char *arch,
                                     MlirStringCallback callback,
                                     void *userData) {
  const char *unknown = arch ? cuteArchCheck(arch) : NULL;
  if (unknown) {
    CUTE_SCOPED(String) message = {0};
    cuteStringAppendFormat(&message, "unknown architecture '%s'; %s", arch,
                           unknown);
    if (callback)
      callback(cuteMlirText(&message), userData);
    return mlirLogicalResultFailure();
  }
  cuteUpstreamLoadDialects(mlirOperationGetContext(operation));
  return cutePipelineRunWithout(operation, pipeline, NULL, arch, NULL, callback,
                                userData);
}

bool cutePassesCheckNames(MlirLocation location, const char *names) {
  CuteStringRef rest = cuteStringRef(names ? names : "");
  while (rest.length) {
    CuteStringRef name = takeElement(&rest);
    if (cuteCodegenHasPass(name) || cutePassRowFind(name) ||
        cutePassIsUpstream(name))
      continue;
    CUTE_SCOPED(String) question = {0};
    appendSuggestion(&question, name);
    return cuteEmitError(location, "no pass '%.*s' to leave out%s",
                         CUTE_TEXT(name), cuteStringGet(&question));
  }
  return true;
}
