// A module that is accepted prints, in the pretty and in the generic form, as
// text that reads as the same module; one that is not has an error.
#include "cute/Assembly.h"
#include "Tools/driver.h"
#include "cute/MlirContext.h"
#include "fuzz.h"

#include <string.h>

enum { LIVES = 500 }; // inputs for which a context remembers types and text

static MlirContext context;
static size_t numErrors;

static void countErrors(const CuteDiagnostic *diagnostic, size_t numNotes,
                        const CuteDiagnostic *notes, void *userData) {
  (void)numNotes, (void)notes, (void)userData;
  numErrors += diagnostic->severity == CUTE_SEVERITY_ERROR;
}

static void renewContext(void) {
  static unsigned lives;
  if (lives-- > 0)
    return;
  lives = LIVES;
  if (!mlirContextIsNull(context))
    cuteMlirContextDestroy(context);
  context = cuteDriverCreateContext();
  CHECK(!mlirContextIsNull(context));
  mlirContextSetAllowUnregisteredDialects(context, true);
  cuteDiagnosticHandlerAttach(context, countErrors, NULL);
}

static MlirModule parse(MlirStringRef source) {
  return cuteModuleParse(context, source,
                         mlirStringRefCreateFromCString("input"));
}

static MlirModule parseAgain(const CuteString *text) {
  MlirModule module =
      parse(mlirStringRefCreate(cuteStringGet(text), text->length));
  if (mlirModuleIsNull(module))
    fprintf(stderr, "does not parse:\n%s\n", cuteStringGet(text));
  CHECK(!mlirModuleIsNull(module));
  return module;
}

static void print(MlirModule module, bool generic, CuteString *text) {
  CutePrintOptions options = {.generic = generic};
  cuteStringClear(text);
  cuteOperationPrint(mlirModuleGetOperation(module), options,
                     cuteAppendMlirString, text);
}

static void checkSame(const CuteString *a, const CuteString *b) {
  bool same = a->length == b->length &&
              !memcmp(cuteStringGet(a), cuteStringGet(b), a->length);
  if (!same)
    fprintf(stderr, "first:\n%s\nthen:\n%s\n", cuteStringGet(a),
            cuteStringGet(b));
  CHECK(same);
}

static void checkForm(MlirModule module, bool generic,
                      const CuteString *pretty) {
  CuteString text = {0}, again = {0};
  print(module, generic, &text);
  MlirModule second = parseAgain(&text);
  print(second, false, &again);
  checkSame(pretty, &again);
  mlirModuleDestroy(second);
  cuteStringDestroy(&text);
  cuteStringDestroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  renewContext();
  numErrors = 0;
  MlirModule module = parse(mlirStringRefCreate((const char *)data, size));
  if (mlirModuleIsNull(module)) {
    CHECK(numErrors);
    return 0;
  }
  CuteString pretty = {0};
  print(module, false, &pretty);
  checkForm(module, false, &pretty);
  checkForm(module, true, &pretty);
  cuteStringDestroy(&pretty);
  mlirModuleDestroy(module);
  return 0;
}
