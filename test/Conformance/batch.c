#include "Conformance/batch.h"
#include "Algebra/algebra.h"
#include "Calculator/language/calculator.h"
#include "Conformance/batch_atoms.h"

#include <stdlib.h>

enum { MAX_ARGS = 8 };

//===-- JSON to values and back -------------------------------------------===//

static CuteValue readArgument(CuteCalculator *calculator, CuteContext c,
                              const json_t *json) {
  if (json_is_integer(json))
    return cuteValueOfTuple(staticInt(c, json_integer_value(json)));
  if (json_is_string(json)) {
    size_t at;
    CuteStringRef text = {json_string_value(json), json_string_length(json)};
    return cuteCalculatorEvaluate(calculator, text, &at);
  }
  if (!json_is_array(json))
    return cuteValueOfTuple(
        cuteFail(c, "an argument is a text, an integer or a list"));
  size_t n = json_array_size(json);
  CuteIntTuple *elements = cuteAllocate((n + 1) * sizeof *elements);
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i) {
    CuteValue value = readArgument(calculator, c, json_array_get(json, i));
    ok = value.kind == CUTE_VALUE_TUPLE;
    elements[i] = value.tuple;
  }
  CuteValue list = {0};
  if (ok)
    list = cuteValueOfTuple(cuteIntTupleGetTuple(c, n, elements));
  else
    cuteFail(c, "a list holds integers and int tuples only");
  free(elements);
  return list;
}

json_t *cuteBatchTextOf(CuteValue value) {
  CuteString text = {0};
  cuteAppendValue(&text, value);
  json_t *json = json_stringn(cuteStringGet(&text), text.length);
  cuteStringDestroy(&text);
  return json;
}

static json_t *jsonOf(CuteValue value) {
  if (value.kind != CUTE_VALUE_LIST)
    return cuteBatchTextOf(value);
  json_t *list = json_array();
  for (size_t i = 0; i < value.tuple->rank; ++i) {
    CuteIntTuple leaf = value.tuple->elements[i];
    json_array_append_new(list, isStatic(leaf)
                                    ? json_integer(leaf->value)
                                    : cuteBatchTextOf(cuteValueOfTuple(leaf)));
  }
  return list;
}

static CuteValue evaluateCase(CuteContext c, const json_t *json) {
  const char *op = json_string_value(json_object_get(json, "op"));
  const json_t *args = json_object_get(json, "args");
  size_t n = json_array_size(args);
  if (!op || !json_is_array(args) || n > MAX_ARGS)
    return cuteValueOfTuple(cuteFail(
        c, "a line is {\"id\", \"op\", \"args\"} with at most %d arguments",
        MAX_ARGS));
  CuteValue values[MAX_ARGS];
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  bool ok = true;
  for (size_t i = 0; ok && i < n; ++i) {
    values[i] = readArgument(calculator, c, json_array_get(args, i));
    ok = !cuteValueFailed(values[i]);
  }
  cuteCalculatorDestroy(calculator);
  return ok ? cuteCalcApply(c, cuteStringRef(op), n, values) : (CuteValue){0};
}

//===-- Lines -------------------------------------------------------------===//

// Messages quote what they are about, which may end in half a character.
static json_t *messageOf(const char *text) {
  json_t *json = json_string(text);
  if (json)
    return json;
  CuteString ascii = {0};
  for (; *text; ++text)
    cuteStringAppendChar(&ascii, (unsigned char)*text < 0x80 ? *text : '?');
  json = json_string(cuteStringGet(&ascii));
  cuteStringDestroy(&ascii);
  return json;
}

// The warnings, "; " between them; null without any.
static json_t *warningsOf(CuteContext c) {
  CuteString text = {0};
  for (size_t i = 0; i < cuteContextGetNumWarnings(c); ++i) {
    cuteStringAppend(&text, i ? "; " : "");
    cuteStringAppend(&text, cuteContextGetWarning(c, i));
  }
  json_t *json = text.length ? messageOf(cuteStringGet(&text)) : NULL;
  cuteStringDestroy(&text);
  return json;
}

static json_t *answer(CuteContext c, const char *line) {
  json_error_t error;
  json_t *json = json_loads(line, 0, &error), *result = json_object();
  if (!json_is_object(json)) {
    json_object_set_new(result, "error",
                        messageOf(json ? "a line is an object" : error.text));
    json_decref(json);
    return result;
  }
  json_t *id = json_object_get(json, "id");
  if (id)
    json_object_set(result, "id", id);
  cuteContextClearWarnings(c);
  json_t *found = NULL;
  if (json_object_get(json, "kind")) {
    found = cuteBatchDescribeAtom(c, json);
  } else {
    CuteValue value = evaluateCase(c, json);
    found = cuteValueFailed(value) ? NULL : jsonOf(value);
  }
  if (found)
    json_object_set_new(result, "result", found);
  else
    json_object_set_new(result, "error", messageOf(cuteContextGetError(c)));
  json_t *warnings = found ? warningsOf(c) : NULL;
  if (warnings)
    json_object_set_new(result, "warning", warnings);
  json_decref(json);
  return result;
}

// A context is renewed before it grows large.
enum { MAX_CONTEXT_BYTES = 64 << 20 };

static CuteContext createContext(CuteLawPolicy policy) {
  CuteContext c = cuteContextCreate();
  cuteContextSetLawPolicy(c, policy);
  return c;
}

bool cuteBatchRun(FILE *in, FILE *out, CuteLawPolicy policy) {
  CuteContext c = createContext(policy);
  char *line = NULL;
  size_t capacity = 0;
  bool ok = true;
  while (ok && getline(&line, &capacity, in) >= 0) {
    if (!line[strspn(line, " \t\r\n")])
      continue;
    json_t *result = answer(c, line);
    ok = json_dumpf(result, out, JSON_COMPACT | JSON_ENSURE_ASCII) == 0 &&
         putc('\n', out) != EOF;
    json_decref(result);
    if (cuteContextGetBytes(c) > MAX_CONTEXT_BYTES) {
      cuteContextDestroy(c);
      c = createContext(policy);
    }
  }
  free(line);
  cuteContextDestroy(c);
  return ok && !fflush(out);
}
