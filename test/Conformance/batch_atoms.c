#include "Conformance/batch_atoms.h"
#include "Algebra/algebra.h"

#include <stdio.h>

//===-- Fields of a line --------------------------------------------------===//

// A field's text, "" with a message if it has none.
static CuteStringRef textField(CuteContext c, const json_t *line,
                               const char *name) {
  const json_t *json = json_object_get(line, name);
  if (json_is_string(json))
    return (CuteStringRef){json_string_value(json), json_string_length(json)};
  cuteFail(c, "the field \"%s\" must be a text", name);
  return (CuteStringRef){"", 0};
}

// The value of a field's text as an expression.
static CuteValue valueField(CuteContext c, const json_t *line,
                            const char *name) {
  CuteStringRef text = textField(c, line, name);
  if (!text.length)
    return (CuteValue){0};
  size_t at;
  CuteCalculator *calculator = cuteCalculatorCreate(c);
  CuteValue value = cuteCalculatorEvaluate(calculator, text, &at);
  cuteCalculatorDestroy(calculator);
  return value;
}

// A field that names a hardware thing of one kind.
static CuteValue hardwareField(CuteContext c, const json_t *line,
                               const char *name, CuteValueKind kind) {
  CuteStringRef text = textField(c, line, name);
  CuteValue value = cuteValueOfHardware(c, text);
  if (value.kind == kind)
    return value;
  if (text.length)
    cuteFail(c, "'%.*s' is not the name of %s", (int)text.length, text.data,
             cuteValueKindGetName(kind));
  return (CuteValue){0};
}

//===-- Computed fields ---------------------------------------------------===//

typedef struct Computed {
  const char *field, *operation;
  const char *input; // second operand: a field of the line, or null
} Computed;

static CuteValue apply(CuteContext c, const char *operation, size_t n,
                       const CuteValue *operands) {
  return cuteCalcApply(c, cuteStringRef(operation), n, operands);
}

static bool set(json_t *result, const char *field, CuteValue value) {
  return !cuteValueFailed(value) &&
         !json_object_set_new(result, field, cuteBatchTextOf(value));
}

// Sets the fields whose inputs are there. A thread is the last operand, if it
// is not null.
static bool compute(CuteContext c, const json_t *line, CuteValue what, size_t n,
                    const Computed *rows, const CuteValue *thread,
                    json_t *result) {
  bool ok = !cuteValueFailed(what);
  for (size_t i = 0; ok && i < n; ++i) {
    CuteValue operands[3] = {what};
    size_t count = 1;
    if (rows[i].input && !json_object_get(line, rows[i].input))
      continue;
    if (rows[i].input)
      operands[count++] = valueField(c, line, rows[i].input);
    if (thread)
      operands[count++] = *thread;
    ok = !cuteValueFailed(operands[1 < count ? 1 : 0]) &&
         set(result, rows[i].field,
             apply(c, rows[i].operation, count, operands));
  }
  return ok;
}

static bool computeThreads(CuteContext c, const json_t *line, CuteValue what,
                           size_t n, const Computed *rows, json_t *result) {
  const json_t *threads = json_object_get(line, "threads");
  if (!threads)
    return true;
  json_t *parts = json_array();
  bool ok = !json_object_set_new(result, "threads", parts);
  for (size_t i = 0; ok && i < json_array_size(threads); ++i) {
    const json_t *index = json_object_get(json_array_get(threads, i), "thr");
    if (!json_is_integer(index))
      return cuteFail(c, "\"threads\" is a list of {\"thr\": integer}");
    CuteValue thread =
        cuteValueOfTuple(staticInt(c, json_integer_value(index)));
    json_t *part = json_object();
    json_object_set_new(part, "thr", json_integer(json_integer_value(index)));
    json_array_append_new(parts, part);
    ok = compute(c, line, what, n, rows, &thread, part);
  }
  return ok;
}

//===-- Atoms -------------------------------------------------------------===//

static void setType(json_t *result, char operand, CuteElementType type) {
  char field[32];
  snprintf(field, sizeof field, "ValType%c", operand);
  json_object_set_new(result, field, json_string(cuteElementTypeGetName(type)));
  snprintf(field, sizeof field, "ValType%c_bits", operand);
  json_object_set_new(result, field,
                      json_integer(cuteElementTypeGetBits(type)));
}

// SM80, or universal; wgmma has a name of its own.
static void setArch(json_t *result, int arch, const char *instruction) {
  char text[32] = "universal";
  bool isGmma = !strncmp(instruction, "wgmma", strlen("wgmma"));
  if (arch)
    snprintf(text, sizeof text, "SM%d%s", arch, isGmma ? "_GMMA" : "");
  json_object_set_new(result, "arch", json_string(text));
}

// Layouts are the row's texts: CUTLASS's own, where shape and stride need not
// be congruent.
static bool describeMma(CuteContext c, const json_t *line, json_t *result) {
  CuteValue value = hardwareField(c, line, "name", CUTE_VALUE_MMA_ATOM);
  if (cuteValueFailed(value))
    return false;
  const CuteMmaAtom *atom = value.mma.atom;
  const CuteElementType types[] = {atom->a, atom->b, atom->c, atom->d};
  setArch(result, atom->arch, atom->instruction);
  json_object_set_new(result, "ThrID", json_string(atom->kind->thrId));
  json_object_set_new(result, "ALayout", json_string(atom->layoutA));
  json_object_set_new(result, "BLayout", json_string(atom->layoutB));
  json_object_set_new(result, "CLayout", json_string(atom->layoutC));
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
    setType(result, "ABCD"[i], types[i]);
  return set(result, "Shape_MNK", apply(c, "shape_mnk", 1, &value));
}

static bool describeCopy(CuteContext c, const json_t *line, json_t *result) {
  static const Computed rows[] = {{"ThrID", "thr_id", NULL},
                                  {"SrcLayout", "layout_src", NULL},
                                  {"DstLayout", "layout_dst", NULL},
                                  {"RefLayout", "layout_ref", NULL}};
  CuteValue value = hardwareField(c, line, "name", CUTE_VALUE_COPY_ATOM);
  if (cuteValueFailed(value))
    return false;
  setArch(result, value.copy.atom->arch, value.copy.atom->instruction);
  return compute(c, line, value, sizeof rows / sizeof *rows, rows, NULL,
                 result);
}

static CuteValue copyAtomOf(CuteContext c, const json_t *line,
                            const char *name) {
  CuteValue operands[] = {
      hardwareField(c, line, name, CUTE_VALUE_COPY_ATOM),
      hardwareField(c, line, "ValType", CUTE_VALUE_ELEMENT)};
  if (cuteValueFailed(operands[0]) || cuteValueFailed(operands[1]))
    return (CuteValue){0};
  return apply(c, "make_copy_atom", 2, operands);
}

static void setNumValues(CuteContext c, json_t *result, const char *field,
                         const char *operation, CuteValue atom) {
  CuteIntTuple count = apply(c, operation, 1, &atom).tuple;
  json_object_set_new(result, field, json_integer(count->value));
}

static bool describeCopyAtom(CuteContext c, const json_t *line,
                             json_t *result) {
  static const Computed rows[] = {{"ThrID", "thr_id", NULL},
                                  {"ValLayoutSrc", "layout_src", NULL},
                                  {"ValLayoutDst", "layout_dst", NULL},
                                  {"ValLayoutRef", "layout_ref", NULL}};
  CuteValue atom = copyAtomOf(c, line, "name");
  if (!compute(c, line, atom, sizeof rows / sizeof *rows, rows, NULL, result))
    return false;
  json_object_set_new(result, "ValBits",
                      json_integer(cuteElementTypeGetBits(atom.copy.element)));
  setNumValues(c, result, "NumValSrc", "num_val_src", atom);
  setNumValues(c, result, "NumValDst", "num_val_dst", atom);
  return true;
}

//===-- Tiles in shared memory --------------------------------------------===//

static CuteLayout tiled(CuteContext c, const json_t *line, CuteLayout tile) {
  CuteValue shape = valueField(c, line, "target_shape");
  CuteValue order = valueField(c, line, "order");
  CuteValue operands[] = {cuteValueOfLayout(tile), shape, order};
  return cuteValueFailed(shape) || cuteValueFailed(order)
             ? NULL
             : apply(c, "tile_to_shape", 3, operands).layout;
}

// CuTe prints the swizzle, which acts on addresses, with a mark for the pointer
// between it and the layout.
static void setPointerText(json_t *result, CuteSwizzle swizzle, unsigned bits,
                           CuteLayout plain) {
  CuteString text = {0};
  char mark[48];
  cuteAppendValue(&text, cuteValueOfSwizzle(swizzle));
  snprintf(mark, sizeof mark, " o smem_ptr[%ub](unset) o ", bits);
  cuteStringAppend(&text, mark);
  cuteAppendLayout(&text, plain);
  json_object_set_new(result, "text", json_string(cuteStringGet(&text)));
  cuteStringDestroy(&text);
}

static bool describeSmem(CuteContext c, const json_t *line, json_t *result,
                         bool isTile) {
  CuteStringRef name = textField(c, line, "name");
  const CuteSmemAtom *atom = cuteSmemAtomFind(name);
  if (!atom && name.length)
    cuteFail(c, "no tile in shared memory is named '%.*s'", (int)name.length,
             name.data);
  CuteValue type = hardwareField(c, line, "ValType", CUTE_VALUE_ELEMENT);
  if (!atom || cuteValueFailed(type))
    return false;
  unsigned bits = cuteElementTypeGetBits(type.element);
  CuteLayout plain = cuteSmemAtomGetPlainLayout(c, atom, bits);
  CuteLayout layout = cuteSmemAtomGetLayout(c, atom, bits);
  if (isTile && layout) {
    plain = tiled(c, line, plain);
    layout = tiled(c, line, layout);
  }
  if (!plain || !layout)
    return false;
  CuteSwizzle swizzle = cuteSmemAtomGetByteSwizzle(atom);
  setPointerText(result, swizzle, bits, plain);
  return set(result, "byte_swizzle", cuteValueOfSwizzle(swizzle)) &&
         set(result, "layout", cuteValueOfLayout(plain)) &&
         set(result, "element_text", cuteValueOfLayout(layout));
}

static bool describeSmemAtom(CuteContext c, const json_t *line,
                             json_t *result) {
  return describeSmem(c, line, result, false);
}

static bool describeSmemTile(CuteContext c, const json_t *line,
                             json_t *result) {
  return describeSmem(c, line, result, true);
}

//===-- Tiled MMA and copy ------------------------------------------------===//

static CuteValue tiledMmaOf(CuteContext c, const json_t *line) {
  CuteValue operands[] = {hardwareField(c, line, "atom", CUTE_VALUE_MMA_ATOM),
                          valueField(c, line, "atom_layout"),
                          valueField(c, line, "permutation")};
  for (size_t i = 0; i < 3; ++i)
    if (cuteValueFailed(operands[i]))
      return operands[i];
  return apply(c, "make_tiled_mma", 3, operands);
}

static bool describeTiledMma(CuteContext c, const json_t *line,
                             json_t *result) {
  static const Computed rows[] = {
      {"thr_layout_vmnk", "thr_layout_vmnk", NULL},
      {"num_threads", "num_threads", NULL},
      {"tile_shape_mnk", "tile_shape_mnk", NULL},
      {"layoutA_TV", "layoutA_TV", NULL},
      {"layoutB_TV", "layoutB_TV", NULL},
      {"layoutC_TV", "layoutC_TV", NULL},
      {"thrfrg_A", "thrfrg_A", "inputA"},
      {"thrfrg_B", "thrfrg_B", "inputB"},
      {"thrfrg_C", "thrfrg_C", "inputC"},
      {"partition_shape_A", "partition_shape_A", "inputA"},
      {"partition_shape_B", "partition_shape_B", "inputB"},
      {"partition_shape_C", "partition_shape_C", "inputC"},
  };
  static const Computed ofThread[] = {{"thr_vmnk", "thr_vmnk", NULL},
                                      {"A", "partition_A", "inputA"},
                                      {"B", "partition_B", "inputB"},
                                      {"C", "partition_C", "inputC"}};
  CuteValue mma = tiledMmaOf(c, line);
  return compute(c, line, mma, sizeof rows / sizeof *rows, rows, NULL,
                 result) &&
         computeThreads(c, line, mma, sizeof ofThread / sizeof *ofThread,
                        ofThread, result);
}

static bool computeCopy(CuteContext c, const json_t *line, CuteValue copy,
                        json_t *result) {
  static const Computed rows[] = {
      {"Tiler_MN", "tiler_mn", NULL},
      {"TiledLayout_TV", "layout_tv", NULL},
      {"num_threads", "num_threads", NULL},
      {"layoutS_TV", "layoutS_TV", NULL},
      {"layoutD_TV", "layoutD_TV", NULL},
      {"tidfrg_S", "tidfrg_S", "input"},
      {"tidfrg_D", "tidfrg_D", "input"},
  };
  static const Computed ofThread[] = {{"S", "partition_S", "input"},
                                      {"D", "partition_D", "input"}};
  return compute(c, line, copy, sizeof rows / sizeof *rows, rows, NULL,
                 result) &&
         computeThreads(c, line, copy, sizeof ofThread / sizeof *ofThread,
                        ofThread, result);
}

static bool describeTiledCopy(CuteContext c, const json_t *line,
                              json_t *result) {
  CuteValue operands[] = {copyAtomOf(c, line, "copy_op"),
                          valueField(c, line, "thr_layout"),
                          valueField(c, line, "val_layout")};
  for (size_t i = 0; i < 3; ++i)
    if (cuteValueFailed(operands[i]))
      return false;
  return computeCopy(c, line, apply(c, "make_tiled_copy", 3, operands), result);
}

static bool describeCopyFromMma(CuteContext c, const json_t *line,
                                json_t *result) {
  CuteStringRef operand = textField(c, line, "operand");
  if (operand.length != 1 || !strchr("ABC", *operand.data))
    return cuteFail(c, "the field \"operand\" must be A, B or C");
  char operation[] = "make_tiled_copy_?";
  operation[sizeof operation - 2] = *operand.data;
  CuteValue operands[] = {copyAtomOf(c, line, "copy_op"), tiledMmaOf(c, line)};
  if (cuteValueFailed(operands[0]) || cuteValueFailed(operands[1]))
    return false;
  return computeCopy(c, line, apply(c, operation, 2, operands), result);
}

//===-- Kinds -------------------------------------------------------------===//

json_t *cuteBatchDescribeAtom(CuteContext c, const json_t *line) {
  static const struct {
    const char *kind;
    bool (*describe)(CuteContext, const json_t *, json_t *);
  } kinds[] = {
      {"mma", describeMma},
      {"copy", describeCopy},
      {"copy_atom", describeCopyAtom},
      {"gmma_smem_atom", describeSmemAtom},
      {"gmma_smem_tile", describeSmemTile},
      {"tiled_mma", describeTiledMma},
      {"tiled_copy", describeTiledCopy},
      {"tiled_copy_from_mma", describeCopyFromMma},
  };
  CuteStringRef kind = textField(c, line, "kind");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(kinds[i].kind, kind.data))
      continue;
    json_t *result = json_object();
    if (kinds[i].describe(c, line, result))
      return result;
    json_decref(result);
    return NULL;
  }
  if (kind.length)
    cuteFail(c, "no kind of line is named '%s'", kind.data);
  return NULL;
}
