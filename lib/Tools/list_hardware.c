// cutec --list-hardware=json: all that dialect/hardware says.
#include "Hardware/arch.h"
#include "Hardware/atom.h"
#include "Hardware/element.h"
#include "Hardware/mma_family.h"
#include "Ops/ops.h"
#include "Support/say_error.h"
#include "Tools/driver.h"

#include <jansson.h>

static json_t *jsonSuffix(char suffix) {
  return json_stringn(&suffix, suffix ? 1 : 0);
}

// The names of the architectures whose code runs on this one.
static json_t *jsonRuns(const CuteArch *arch) {
  json_t *names = json_array();
  for (size_t i = 0; i < cuteArchGetNum(); ++i) {
    const CuteArch *other = cuteArchGet(i);
    if (cuteArchHas(arch, other->number, other->suffix))
      json_array_append_new(names, json_string(other->name));
  }
  return names;
}

static json_t *jsonArch(size_t i) {
  const CuteArch *a = cuteArchGet(i);
  return json_pack(
      "{ss si so si si si si si si si si si si si sb sb sb so}", "name",
      a->name, "number", a->number, "suffix", jsonSuffix(a->suffix), "ptx",
      a->ptx, "shared_kib", a->sharedKib, "static_kib", a->staticKib,
      "total_shared_kib", a->totalSharedKib, "reserved_kib", a->reservedKib,
      "warps", a->warps, "blocks", a->blocks, "max_threads", a->maxThreads,
      "registers", a->registers, "max_registers", a->maxRegisters,
      "cluster_size", a->clusterSize, "has_tma", a->hasTma, "has_wgmma",
      a->hasWgmma, "has_tcgen05", a->hasTcgen05, "runs", jsonRuns(a));
}

static json_t *jsonNeed(CuteElementNeed need) {
  return json_pack("{si si}", "arch", need.arch, "ptx", need.ptx);
}

static json_t *jsonElement(size_t i) {
  const CuteElementInfo *e = cuteElementGetInfo((CuteElementType)i);
  static const char *const beyond[] = {[CUTE_BEYOND_INFINITY] = "infinity",
                                       [CUTE_BEYOND_NAN] = "nan",
                                       [CUTE_BEYOND_NOTHING] = "nothing"};
  json_t *cpp = json_array();
  for (int j = 0; j < CUTE_MAX_CPP_NAMES && e->cpp[j]; ++j)
    json_array_append_new(cpp, json_string(e->cpp[j]));
  return json_pack(
      "{ss si sb sb sb sb sb si si ss so ss? ss? so so}", "name", e->name,
      "bits", (int)e->bits, "is_float", e->isFloat, "is_unsigned",
      e->isUnsigned, "is_plain", e->isPlain, "in_tensors",
      cuteElementTypeIsTensorElement((CuteElementType)i), "in_vectors",
      e->inVectors, "exponent_bits", e->exponentBits, "mantissa_bits",
      e->mantissaBits, "beyond", e->isFloat ? beyond[e->beyond] : "", "cpp",
      cpp, "ptx", e->ptx, "npy", e->npy, "to", jsonNeed(e->to), "from",
      jsonNeed(e->from));
}

//===-- MMA ---------------------------------------------------------------===//

static json_t *jsonMmaKind(size_t i) {
  const CuteMmaKind *kind = &cuteMmaAtomKinds[i];
  return json_pack("{ss ss}", "name", kind->name, "thr_id", kind->thrId);
}

static const char *nameOfMajor(CuteMajor major) {
  return major == CUTE_MAJOR_K ? "k" : "mn";
}

static const char *nameOfSource(CuteMmaSource source) {
  return source == CUTE_MMA_REGISTERS ? "rmem"
         : source == CUTE_MMA_SMEM    ? "smem"
                                      : "tmem";
}

static const char *nameOfBitOp(CuteBitOp op) {
  static const char *const names[] = {
      [CUTE_BITS_NONE] = "", [CUTE_BITS_AND] = "and", [CUTE_BITS_XOR] = "xor"};
  return names[op];
}

static json_t *jsonOperand(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  return json_pack("{ss s[ii] ss}", "element",
                   cuteElementTypeGetName(cuteMmaAtomGetElement(atom, operand)),
                   "tile", cuteMmaAtomGetExtent(atom, operand, 0),
                   cuteMmaAtomGetExtent(atom, operand, 1), "layout",
                   cuteMmaAtomGetLayoutText(atom, operand));
}

static json_t *jsonOperands(const CuteMmaAtom *atom) {
  json_t *all = json_object();
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    if (cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i))
      json_object_set_new(all, cuteMmaOperandGetName((CuteMmaOperand)i),
                          jsonOperand(atom, (CuteMmaOperand)i));
  return all;
}

static json_t *jsonMmaAtom(const CuteMmaAtom *a) {
  return json_pack("{ss ss ss sb si so si si si si ss so ss ss ss ss sb ss sb}",
                   "name", a->name, "kind", a->kind->name, "instruction",
                   a->instruction, "compiles", cuteMmaAtomIsCompiled(a), "arch",
                   a->arch, "suffix", jsonSuffix(a->feature ? 'a' : a->suffix),
                   "ptx", a->ptx, "m", a->m, "n", a->n, "k", a->k, "d",
                   cuteElementTypeGetName(a->d), "operands", jsonOperands(a),
                   "source_a", nameOfSource(a->sourceA), "source_b",
                   nameOfSource(a->sourceB), "major_a", nameOfMajor(a->majorA),
                   "major_b", nameOfMajor(a->majorB), "saturates", a->saturates,
                   "bit_op", nameOfBitOp(a->bitOp), "spreads", a->spreads);
}

static json_t *jsonMma(size_t i) { return jsonMmaAtom(cuteMmaAtomGet(i)); }

static json_t *jsonMmaFamily(size_t i) {
  const CuteMmaFamily *f = cuteMmaFamilyGet(i);
  return json_pack("{ss ss ss si ss si sb sb}", "name", f->name, "kind",
                   f->ctas == 1 ? "TENSOR" : "TENSOR_PAIR", "ptx_kind", f->kind,
                   "ctas", f->ctas, "source_a", nameOfSource(f->sourceA), "k",
                   f->k, "is_sparse", f->isSparse, "has_scales",
                   f->scales != 0);
}

//===-- Copies ------------------------------------------------------------===//

static json_t *jsonSpaces(int spaces) {
  json_t *all = json_array();
  for (int i = 0; i < CUTE_NUM_SPACES; ++i)
    if (spaces >> i & 1)
      json_array_append_new(all,
                            json_string(cuteTypeGetSpaceName((CuteSpace)i)));
  return all;
}

static json_t *jsonCopyKind(size_t i) {
  const CuteCopyKind *k = &cuteCopyAtomKinds[i];
  return json_pack("{ss so so ss sb sb sb sb sb sb sb sb}", "name", k->name,
                   "from", jsonSpaces(k->from), "to", jsonSpaces(k->to),
                   "thr_id", k->thrId, "is_async", k->isAsync, "is_tma",
                   k->isTma, "is_bulk", k->isBulk, "is_matrix", k->isMatrix,
                   "moves_registers", k->movesRegisters, "adds", k->adds,
                   "is_elementwise", k->isElementwise, "is_tmem", k->isTmem);
}

static json_t *jsonCopyAtom(const CuteCopyAtom *a) {
  return json_pack(
      "{ss ss ss sb si si sb sb si sb sb sb ss? ss* ss ss ss si sb ss? sb so}",
      "name", a->name, "kind", a->kind->name, "instruction", a->instruction,
      "compiles", cuteCopyAtomIsCompiled(a), "arch", a->arch, "bits", a->bits,
      "zero_fill", a->zeroFill, "bypasses_l1", a->bypassesL1, "prefetch_bytes",
      a->prefetchBytes, "transposes", a->transposes, "is_multicast",
      a->isMulticast, "is_im2col", a->isIm2col, "reduction", a->reduction,
      "element", a->kind->adds ? cuteElementTypeGetName(a->element) : NULL,
      "source", a->source, "destination", a->destination, "reference",
      a->reference, "max_bits", a->maxBits, "assumes_alignment",
      a->assumesAlignment, "tmem", a->tmem, "packs", a->packs, "suffix",
      jsonSuffix(a->feature ? 'a' : '\0'));
}

static json_t *jsonCopy(size_t i) { return jsonCopyAtom(cuteCopyAtomGet(i)); }

static json_t *jsonSmem(size_t i) {
  const CuteSmemAtom *a = cuteSmemAtomGet(i);
  return json_pack("{ss ss si sb}", "name", a->name, "major",
                   nameOfMajor(a->major), "swizzle_bits", (int)a->swizzleBits,
                   "is_wide", a->isWide);
}

//===-- All ---------------------------------------------------------------===//

// Takes a row.
static void appendRow(CuteString *output, json_t *row) {
  CUTE_FREED char *text = json_dumps(row, JSON_COMPACT);
  cuteStringAppend(output, text);
  json_decref(row);
}

// "NAME": [rows], a row to a line.
static void appendRows(CuteString *output, const char *name, size_t n,
                       json_t *row(size_t i)) {
  cuteStringAppendFormat(output, "%s\"%s\": [",
                         cuteStringGetRef(output).length ? ",\n" : "{", name);
  for (size_t i = 0; i < n; ++i) {
    cuteStringAppend(output, i ? ",\n" : "\n");
    appendRow(output, row(i));
  }
  cuteStringAppend(output, "]");
}

int cuteDriverListHardware(const char *format) {
  if (strcmp(format, "json")) {
    cuteSayError("--list-hardware=json is the only form; see --help");
    return 1;
  }
  CUTE_SCOPED(String) output = {0};
  appendRows(&output, "archs", cuteArchGetNum(), jsonArch);
  appendRows(&output, "elements", CUTE_NUM_ELEMENT_TYPES, jsonElement);
  appendRows(&output, "mma_kinds", CUTE_NUM_MMA_KINDS, jsonMmaKind);
  appendRows(&output, "mma", cuteMmaAtomGetNum(), jsonMma);
  appendRows(&output, "mma_families", cuteMmaFamilyGetNum(), jsonMmaFamily);
  appendRows(&output, "copy_kinds", CUTE_NUM_COPY_KINDS, jsonCopyKind);
  appendRows(&output, "copy", cuteCopyAtomGetNum(), jsonCopy);
  appendRows(&output, "smem", cuteSmemAtomGetNum(), jsonSmem);
  cuteStringAppend(&output, "}\n");
  fputs(cuteStringGet(&output), stdout);
  return 0;
}

int cuteDriverListAtom(const char *name) {
  const CuteMmaAtom *mma = cuteMmaAtomFind(cuteStringRef(name));
  const CuteCopyAtom *copy = cuteCopyAtomFind(cuteStringRef(name));
  char problem[256];
  if (mma || copy) {
    json_t *row = mma ? jsonMmaAtom(mma) : jsonCopyAtom(copy);
    CUTE_SCOPED(String) output = {0};
    if (mma && mma->family)
      json_object_set_new(row, "idesc", json_integer(mma->descriptor));
    appendRow(&output, row);
    puts(cuteStringGet(&output));
    return 0;
  }
  if (cuteMmaFamilyExplain(cuteStringRef(name), problem, sizeof problem))
    cuteSayError("--list-atoms: %s: %s", name, problem);
  else
    cuteSayError("--list-atoms takes no value, or the name of an atom, not "
                 "'%s'; --list-hardware=json has all atoms",
                 name);
  return 1;
}
