// cutec --list-atoms: the rows of dialect/hardware, and which of them compile.
#include "Hardware/mma_family.h"
#include "Ops/ops.h"
#include "Support/say_error.h"
#include "Tools/driver.h"

#include <jansson.h>
#include <stdlib.h>

// The suffix with which architectures have an atom.
static char suffixOf(char suffix, CuteArchFeature feature) {
  return feature ? 'a' : suffix;
}

// The lowest architecture that cutec compiles for and that has the atom.
static void appendArch(CuteString *text, int arch, char suffix) {
  enum { LOWEST = 70 };
  cuteStringAppendFormat(text, "sm_%d%s", arch < LOWEST ? LOWEST : arch,
                         suffix ? "a" : "");
}

static void setText(json_t *object, const char *field, const char *text) {
  json_object_set_new(object, field, json_string(text));
}

static void setCommon(json_t *object, const char *kind, const char *name,
                      int arch, char suffix, const char *instruction,
                      bool isCompiled) {
  CuteString text = {0};
  appendArch(&text, arch, suffix);
  setText(object, "name", name);
  setText(object, "kind", kind);
  setText(object, "arch", cuteStringGet(&text));
  setText(object, "instruction", instruction);
  json_object_set_new(object, "compiles", json_boolean(isCompiled));
  cuteStringDestroy(&text);
}

static void setElement(json_t *object, const char *operand,
                       CuteElementType type) {
  char field[32];
  snprintf(field, sizeof field, "ValType%s", operand);
  setText(object, field, cuteElementTypeGetName(type));
  snprintf(field, sizeof field, "ValType%s_bits", operand);
  json_object_set_new(object, field,
                      json_integer(cuteElementTypeGetBits(type)));
}

static void setType(json_t *object, const CuteMmaAtom *atom,
                    CuteMmaOperand operand) {
  if (cuteMmaAtomHasOperand(atom, operand))
    setElement(object, cuteMmaOperandGetName(operand),
               cuteMmaAtomGetElement(atom, operand));
}

static void setLayout(json_t *object, const CuteMmaAtom *atom,
                      CuteMmaOperand operand) {
  char field[32], tile[64];
  if (!cuteMmaAtomHasOperand(atom, operand))
    return;
  snprintf(field, sizeof field, "%sLayout", cuteMmaOperandGetName(operand));
  setText(object, field, cuteMmaAtomGetLayoutText(atom, operand));
  snprintf(field, sizeof field, "%sTile", cuteMmaOperandGetName(operand));
  snprintf(tile, sizeof tile, "(%d,%d)", cuteMmaAtomGetExtent(atom, operand, 0),
           cuteMmaAtomGetExtent(atom, operand, 1));
  setText(object, field, tile);
}

static json_t *jsonMma(const CuteMmaAtom *atom) {
  json_t *object = json_object();
  char shape[64];
  snprintf(shape, sizeof shape, "(%d,%d,%d)", atom->m, atom->n, atom->k);
  setCommon(object, "mma", atom->name, atom->arch,
            suffixOf(atom->suffix, atom->feature), atom->instruction,
            cuteMmaAtomIsCompiled(atom));
  setText(object, "class", atom->kind->name);
  setText(object, "shape_mnk", shape);
  setText(object, "Shape_MNK", shape);
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    setType(object, atom, (CuteMmaOperand)i);
  setElement(object, "D", atom->d);
  setText(object, "thr_id", atom->kind->thrId);
  setText(object, "ThrID", atom->kind->thrId);
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    setLayout(object, atom, (CuteMmaOperand)i);
  if (atom->family)
    json_object_set_new(object, "idesc", json_integer(atom->descriptor));
  return object;
}

static json_t *jsonCopy(const CuteCopyAtom *atom) {
  json_t *object = json_object();
  setCommon(object, "copy", atom->name, atom->arch,
            suffixOf('\0', atom->feature), atom->instruction,
            cuteCopyAtomIsCompiled(atom));
  setText(object, "class", atom->kind->name);
  if (atom->kind->adds)
    setElement(object, "", atom->element);
  json_object_set_new(object, "bits", json_integer(atom->bits));
  setText(object, "thr_id", atom->kind->thrId);
  setText(object, "ThrID", atom->kind->thrId);
  setText(object, "SrcLayout", atom->source);
  setText(object, "DstLayout", atom->destination);
  setText(object, "RefLayout", atom->reference);
  setText(object, "ValID", atom->tmem ? atom->tmem : "");
  return object;
}

static void appendJson(CuteString *output, json_t *object) {
  char *text = json_dumps(object, JSON_COMPACT);
  cuteStringAppend(output, text);
  cuteStringAppend(output, "\n");
  free(text);
  json_decref(object);
}

static void appendRow(CuteString *output, const char *name, int arch,
                      char suffix, bool isCompiled, const char *instruction) {
  CuteString text = {0};
  appendArch(&text, arch, suffix);
  cuteStringAppendFormat(output, "%-56s %-8s %-8s %s\n", name,
                         cuteStringGet(&text), isCompiled ? "yes" : "no",
                         instruction);
  cuteStringDestroy(&text);
}

// One row for all atoms of a family, with the arguments that its name takes.
static void appendFamily(CuteString *output, const CuteMmaFamily *family) {
  CuteString name = {0}, instruction = {0};
  bool hasVector = family->scales && !strcmp(family->kind, "mxf4");
  cuteStringAppendFormat(&name, "%s<A,B,C,%sM,N,%sK|MN,K|MN>", family->name,
                         family->scales ? "SF," : "", hasVector ? "VS," : "");
  cuteStringAppendFormat(&instruction, "tcgen05.mma%s.cta_group::%d.kind::%s",
                         family->isSparse ? ".sp" : "", family->ctas,
                         family->kind);
  appendRow(output, cuteStringGet(&name), family->isOnlySm103 ? 103 : 100, 'a',
            cuteMmaFamilyIsCompiled(family), cuteStringGet(&instruction));
  cuteStringDestroy(&name);
  cuteStringDestroy(&instruction);
}

static void appendTable(CuteString *output) {
  cuteStringAppendFormat(output, "%-56s %-8s %-8s %s\n", "atom", "since",
                         "compiles", "instruction");
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    appendRow(output, atom->name, atom->arch,
              suffixOf(atom->suffix, atom->feature),
              cuteMmaAtomIsCompiled(atom), atom->instruction);
  }
  for (size_t i = 0; i < cuteMmaFamilyGetNum(); ++i)
    appendFamily(output, cuteMmaFamilyGet(i));
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    appendRow(output, atom->name, atom->arch, suffixOf('\0', atom->feature),
              cuteCopyAtomIsCompiled(atom),
              *atom->instruction ? atom->instruction : "ld, st");
  }
}

// Prints the one atom of a name.
static int listAtom(const char *name) {
  const CuteMmaAtom *mma = cuteMmaAtomFind(cuteStringRef(name));
  const CuteCopyAtom *copy = cuteCopyAtomFind(cuteStringRef(name));
  char problem[256];
  if (mma || copy) {
    CuteString output = {0};
    appendJson(&output, mma ? jsonMma(mma) : jsonCopy(copy));
    fputs(cuteStringGet(&output), stdout);
    cuteStringDestroy(&output);
    return 0;
  }
  if (cuteMmaFamilyExplain(cuteStringRef(name), problem, sizeof problem))
    cuteSayError("--list-atoms: %s: %s", name, problem);
  else
    cuteSayError("--list-atoms takes no value, json, or the name of an atom, "
                 "not '%s'; see --help",
                 name);
  return 1;
}

int cuteDriverListAtoms(const char *format) {
  CuteString output = {0};
  bool isJson = !strcmp(format, "json");
  if (*format && !isJson)
    return listAtom(format);
  if (!isJson)
    appendTable(&output);
  for (size_t i = 0; isJson && i < cuteMmaAtomGetNum(); ++i)
    appendJson(&output, jsonMma(cuteMmaAtomGet(i)));
  for (size_t i = 0; isJson && i < cuteCopyAtomGetNum(); ++i)
    appendJson(&output, jsonCopy(cuteCopyAtomGet(i)));
  fputs(cuteStringGet(&output), stdout);
  cuteStringDestroy(&output);
  return 0;
}
