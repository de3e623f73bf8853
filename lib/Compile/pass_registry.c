#include "Compile/pass_registry.h"

#include "Compile/upstream.h"
#include "Conversion/conversion.h"
#include "Lint/lint.h"
#include "Transforms/transforms.h"

static const CutePassRow rows[] = {
#define CUTE_PASS(argument, function, summary)                                 \
  {argument, summary, function, NULL},
#define CUTE_PIPELINE(argument, elements, summary)                             \
  {argument, summary, NULL, elements},
#include "passes.def"
};

static const CutePassOptionInfo optionRows[] = {
#define CUTE_PASS_OPTION(pass, name, value, summary)                           \
  {pass, name, value, summary},
#define CUTE_PIPELINE_OPTION(pipeline, name, value, summary)                   \
  {pipeline, name, value, summary},
#include "passes.def"
};

size_t cutePassGetNum(void) { return sizeof rows / sizeof *rows; }

CutePassInfo cutePassGet(size_t i) {
  if (i >= cutePassGetNum())
    return (CutePassInfo){NULL, NULL, false};
  return (CutePassInfo){rows[i].argument, rows[i].summary, !rows[i].run};
}

size_t cutePassOptionGetNum(void) {
  return sizeof optionRows / sizeof *optionRows;
}

CutePassOptionInfo cutePassOptionGetInfo(size_t i) {
  return i < cutePassOptionGetNum()
             ? optionRows[i]
             : (CutePassOptionInfo){NULL, NULL, NULL, NULL};
}

const CutePassRow *cutePassRowFind(CuteStringRef argument) {
  for (size_t i = 0; i < cutePassGetNum(); ++i)
    if (cuteTextEquals(argument, rows[i].argument))
      return &rows[i];
  return NULL;
}

// A manager without an anchor takes passes for all kinds of op. MLIR has no
// question for this, only a message.
bool cutePassIsUpstream(CuteStringRef name) {
  for (size_t i = 0; i < name.length; ++i)
    if (strchr(",(){} \t\n", name.data[i]))
      return false;
  cuteUpstreamRegisterPasses();
  MlirContext context = mlirContextCreateWithThreading(false);
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, cuteMlirString("any"));
  CUTE_SCOPED(String) message = {0};
  MlirLogicalResult result = mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(manager), toMlirString(name),
      cuteAppendMlirString, &message);
  bool isKnown = mlirLogicalResultIsSuccess(result) ||
                 !strstr(cuteStringGet(&message), "does not refer to");
  mlirPassManagerDestroy(manager);
  mlirContextDestroy(context);
  return name.length && isKnown;
}

const CutePassOptionInfo *cutePassRowGetOption(const CutePassRow *row,
                                               CuteStringRef name) {
  for (size_t i = 0; i < cutePassOptionGetNum(); ++i)
    if (!strcmp(optionRows[i].pass, row->argument) &&
        cuteTextEquals(name, optionRows[i].name))
      return &optionRows[i];
  return NULL;
}

//===-- Options as they are written ---------------------------------------===//

bool cutePassOptionTake(CuteStringRef *text, CutePassOption *option) {
  while (cuteTextTake(text, " "))
    continue;
  CuteStringRef word = cuteTextTakePart(text, ' ');
  bool hasValue = word.length && memchr(word.data, '=', word.length);
  option->name = cuteTextTakePart(&word, '=');
  option->value = hasValue ? word : cuteStringRef("true");
  return hasValue || option->name.length;
}

bool cutePassOptionFind(CuteStringRef text, CuteStringRef name,
                        CutePassOption *option) {
  while (cutePassOptionTake(&text, option))
    if (cuteTextIsSame(option->name, name))
      return true;
  return false;
}
