#include "Calculator/batch.h"
#include "Algebra/algebra.h"
#include "Algebra/tiled.h"
#include "Calculator/batch_atoms.h"
#include "Calculator/calculator.h"

#include <stdlib.h>

enum { MAX_ARGS = 8 };

static CuteValue named(CuteContext c, const char *name, size_t n,
                       const CuteValue *v) {
  return cuteCalcApply(c, cuteStringRef(name), n, v);
}

//===-- Operations that are several ---------------------------------------===//

static CuteValue second(CuteContext c, const char *name, CuteValue a,
                        CuteValue b) {
  CuteValue operands[] = {a, b};
  return named(c, name, 2, operands);
}

static CuteValue compRightInverse(CuteContext c, const CuteValue *v) {
  return second(c, "composition", v[0], named(c, "right_inverse", 1, v));
}

static CuteValue compLeftInverse(CuteContext c, const CuteValue *v) {
  return second(c, "composition", named(c, "left_inverse", 1, v), v[0]);
}

static CuteValue identityEval(CuteContext c, const CuteValue *v) {
  CuteValue identity = named(c, "make_identity_layout", 1, v);
  return named(c, "eval", 1, &identity);
}

static CuteValue swizzleLayoutEval(CuteContext c, const CuteValue *v) {
  CuteValue composed = second(c, "composition", v[0], v[1]);
  return named(c, "eval", 1, &composed);
}

static CuteValue composedEval(CuteContext c, const CuteValue *v) {
  CuteValue composed = named(c, "make_composed_layout", 3, v);
  return named(c, "eval", 1, &composed);
}

// [coord, swizzle, offset, layout]
static CuteValue composedSliceEval(CuteContext c, const CuteValue *v) {
  CuteValue composed = named(c, "make_composed_layout", 3, v + 1);
  CuteValue slice = second(c, "slice_and_offset", v[0], composed);
  CuteValue part = cuteValueOfLayout(slice.layout);
  return named(c, "eval", 1, &part);
}

// CuTe C++ gives stride 0 to every extent of 1 that a divide leaves; the data
// for composed layouts, which the open dialect does not divide, has it so.
static CuteValue cppNormalForm(CuteContext c, CuteValue value) {
  if (value.kind == CUTE_VALUE_LAYOUT)
    value = cuteValueOfLayout(cuteZeroUnitStrides(c, value.layout));
  return value;
}

static CuteValue composedLogicalDivide(CuteContext c, const CuteValue *v) {
  return cppNormalForm(c, named(c, "logical_divide", 2, v));
}
static CuteValue composedZippedDivide(CuteContext c, const CuteValue *v) {
  return cppNormalForm(c, named(c, "zipped_divide", 2, v));
}
// From ((tiles), (rests)) to the tiled and flat forms, in which CuTe C++ does
// not unpack a single mode.
static CuteValue unpackZipped(CuteContext c, CuteValue zipped, bool isFlat) {
  if (zipped.kind != CUTE_VALUE_LAYOUT)
    return zipped;
  CuteArenaMark mark = cuteArenaGetMark(&c->scratch);
  Modes modes = {0};
  for (size_t i = 0; i < 2; ++i) {
    Mode part = modeElement(layoutMode(zipped.layout), i);
    if ((i || isFlat) && part.shape->rank > 1)
      modesPushModes(c, &modes, part);
    else
      modesPush(c, &modes, part);
  }
  CuteLayout result =
      cuteLayoutWithOuter(c, zipped.layout, modesGetTuple(c, &modes));
  cuteArenaReset(&c->scratch, mark);
  return cuteValueOfLayout(result);
}

static CuteValue composedTiledDivide(CuteContext c, const CuteValue *v) {
  return unpackZipped(c, composedZippedDivide(c, v), false);
}
static CuteValue composedFlatDivide(CuteContext c, const CuteValue *v) {
  return unpackZipped(c, composedZippedDivide(c, v), true);
}

// A swizzle that has lost its bits stays in CuTe C++'s result.
static CuteValue composedUpcast(CuteContext c, const CuteValue *v) {
  CuteValue result = named(c, "upcast", 2, v);
  CuteLayout whole = v[0].layout;
  if (result.kind != CUTE_VALUE_LAYOUT || v[0].kind != CUTE_VALUE_LAYOUT ||
      !cuteLayoutHasSwizzle(whole) || cuteLayoutIsComposed(result.layout))
    return result;
  result.kind = CUTE_VALUE_COMPOSED;
  result.tuple = staticInt(c, 0);
  return cuteSwizzleUpcast(c, whole->swizzle, v[1].tuple->value,
                           &result.swizzle)
             ? result
             : (CuteValue){0};
}

// The first operand is the shape of an identity tensor.
static CuteValue onIdentity(CuteContext c, const char *name,
                            const CuteValue *v) {
  CuteValue operands[] = {named(c, "make_identity_layout", 1, v), v[1], v[2]};
  return named(c, name, 3, operands);
}

static CuteValue localTileIdentity(CuteContext c, const CuteValue *v) {
  return onIdentity(c, "local_tile", v);
}

static CuteValue localPartitionIdentity(CuteContext c, const CuteValue *v) {
  return onIdentity(c, "local_partition", v);
}

//===-- Names of the reference data ---------------------------------------===//

typedef struct Alias {
  const char *name, *operation; // the same under another name ...
  size_t numOperands;
  CuteValue (*several)(CuteContext, const CuteValue *); // ... or more than one
} Alias;

static const Alias aliases[] = {
    {"idx2crd_stride", "idx2crd", 3, NULL},
    {"crd2idx_shape", "crd2idx", 2, NULL},
    {"coalesce_profile", "coalesce", 2, NULL},
    {"filter_profile", "filter", 2, NULL},
    {"composition_tiler", "composition", 2, NULL},
    {"composition_identity_lhs", "composition", 2, NULL},
    {"composition_basis_rhs", "composition", 2, NULL},
    {"complement_shape", "complement", 2, NULL},
    {"comp_right_inverse", NULL, 1, compRightInverse},
    {"comp_left_inverse", NULL, 1, compLeftInverse},
    {"tile_to_shape_order", "tile_to_shape", 3, NULL},
    {"append_n", "append", 2, NULL},
    {"append_n_x", "append", 3, NULL},
    {"prepend_n", "prepend", 2, NULL},
    {"zip2", "zip", 2, NULL},
    {"swizzle_eval", "apply", 2, NULL},
    {"swizzle_layout", "composition", 2, NULL},
    {"swizzle_layout_eval", NULL, 2, swizzleLayoutEval},
    {"swizzle_upcast", "upcast", 2, NULL},
    {"swizzle_downcast", "downcast", 2, NULL},
    {"swizzle_compose", "composition", 2, NULL},
    {"composed_eval", NULL, 3, composedEval},
    {"composed_slice_eval", NULL, 4, composedSliceEval},
    {"composed_composition", "composition", 2, NULL},
    {"composed_logical_divide", NULL, 2, composedLogicalDivide},
    {"composed_zipped_divide", NULL, 2, composedZippedDivide},
    {"composed_tiled_divide", NULL, 2, composedTiledDivide},
    {"composed_flat_divide", NULL, 2, composedFlatDivide},
    {"composed_tile_to_shape", "tile_to_shape", 3, NULL},
    {"composed_upcast", NULL, 2, composedUpcast},
    {"composed_downcast", "downcast", 2, NULL},
    {"composed_max_common_vector", "max_common_vector", 2, NULL},
    {"identity_layout", "make_identity_layout", 1, NULL},
    {"identity_eval", NULL, 1, identityEval},
    {"identity_logical_divide", "logical_divide", 2, NULL},
    {"identity_zipped_divide", "zipped_divide", 2, NULL},
    {"basis_eval", "eval", 1, NULL},
    {"basis_coalesce", "coalesce", 1, NULL},
    {"local_tile_identity", NULL, 3, localTileIdentity},
    {"local_tile_proj", "local_tile", 4, NULL},
    {"local_partition_identity", NULL, 3, localPartitionIdentity},
    {"local_partition_proj", "local_partition", 4, NULL},
};

static CuteValue evaluate(CuteContext c, const char *op, size_t n,
                          const CuteValue *v) {
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; ++i) {
    const Alias *alias = &aliases[i];
    if (strcmp(alias->name, op))
      continue;
    if (alias->numOperands != n)
      return cuteValueOfTuple(cuteFail(c, "%s: takes %zu operands, not %zu", op,
                                       alias->numOperands, n));
    return alias->several ? alias->several(c, v)
                          : named(c, alias->operation, n, v);
  }
  return named(c, op, n, v);
}

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
  return ok ? evaluate(c, op, n, values) : (CuteValue){0};
}

//===-- Lines -------------------------------------------------------------===//

// The warnings, "; " between them; null without any.
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
