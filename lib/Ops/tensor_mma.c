#include "Hardware/mma_family.h"
#include "Ops/descriptors.h"
#include "Ops/lower_ops.h"

enum { MAX_VALUES = 13, KEEPS_NOTHING = 0, FIRST_BUFFER = 0 };

// The operands of a call of LLVM's intrinsic.
typedef struct Call {
  MlirValue values[MAX_VALUES];
  size_t n;
} Call;

static void add(Call *call, MlirValue value) {
  call->values[call->n++] = value;
}

// Numbers of kinds in LLVM's intrinsic.
static int64_t kindOf(const CuteMmaFamily *family) {
  static const char *const kinds[] = {"f16", "tf32", "f8f6f4", "i8"};
  int64_t i = 0;
  while (strcmp(family->kind, kinds[i]))
    ++i;
  return i;
}

static MlirValue placeOf(CuteLowering *l, const CuteMmaAtom *atom,
                         CuteMmaOperand operand, const CuteLowered *tensor) {
  return cuteMmaAtomIsInTmem(atom, operand)
             ? cuteLoweringGetBytePointer(l, *tensor)
             : cuteLoweringGetDescriptor(l, tensor);
}

// The address of factors, whose words have four each, and the number of the
// first in its word.
static MlirValue factorsOf(CuteLowering *l, const CuteLowered *tensor,
                           MlirValue *first) {
  CuteContext c = l->context;
  CuteIntTuple four = staticInt(c, 4);
  CuteIntTuple start = tensor->start ? tensor->start : staticInt(c, 0);
  CuteLowered words = *tensor;
  words.start = cuteLeafMul(c, cuteLeafDiv(c, start, four), four);
  *first = cuteLoweringGetInteger(l, cuteLeafMod(c, start, four), 32);
  return cuteLoweringGetBytePointer(l, words);
}

// Adds the factors, and their numbers to the instruction descriptor: of A in
// bits 29 and 30, of B in 4 and 5 (PTX ISA, "Instruction descriptor").
static void addFactors(CuteLowering *l, const CuteLowered *const *factors,
                       Call *call, MlirValue *descriptor) {
  static const int places[] = {29, 4};
  const CuteBuilder *b = &l->builder;
  for (int i = 0; i < 2; ++i) {
    MlirValue first;
    add(call, factorsOf(l, factors[i], &first));
    first = shliWith(b, first, places[i]);
    *descriptor = ori(b, *descriptor, first);
  }
}

// Writes "llvm.nvvm.tcgen05.mma.shared.mxf4.block_scale.block32", whose end is
// that of "tcgen05.mma.cta_group::1.kind::mxf4.block_scale.block32".
static void nameIntrinsic(const CuteMmaAtom *atom, bool hasLanes, char *name,
                          size_t size) {
  const CuteMmaFamily *family = atom->family;
  const char *kind = strstr(atom->instruction, "kind::") + strlen("kind::");
  int n =
      snprintf(name, size, "llvm.nvvm.tcgen05.mma%s%s.%s%s%s%s",
               family->isStationary ? ".ws" : "", family->isSparse ? ".sp" : "",
               family->sourceA == CUTE_MMA_TMEM ? "tensor" : "shared",
               family->shiftsSums ? ".scale_d" : "", family->scales ? "." : "",
               family->scales ? kind : "");
  if (hasLanes)
    snprintf(name + n, size - (size_t)n, ".disable_output_lane.cg%d",
             family->ctas);
}

bool cuteLowerTensorMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands) {
  const CuteBuilder *b = &lowering->builder;
  const CuteMmaFamily *family = atom->family;
  const CuteLowered *const *more = operands + 4;
  const CuteLowered *metadata = family->isSparse ? *more++ : NULL;
  const CuteLowered *const *others = more + (family->scales ? 2 : 0);
  Call call = {.n = 0};
  char name[96];
  nameIntrinsic(atom, others[1], name, sizeof name);
  add(&call, cuteLoweringGetBytePointer(lowering, *operands[0]));
  add(&call, placeOf(lowering, atom, CUTE_OPERAND_A, operands[1]));
  add(&call, placeOf(lowering, atom, CUTE_OPERAND_B, operands[2]));
  size_t descriptor = call.n;
  add(&call, cuteBuildInt(b, 32, (int32_t)atom->descriptor));
  add(&call, others[0] ? others[0]->pointer : cuteBuildInt(b, 1, 1));
  if (metadata)
    add(&call, cuteLoweringGetBytePointer(lowering, *metadata));
  if (family->shiftsSums)
    add(&call, cuteBuildConstant(b, 64, atom->sumShift));
  if (others[1])
    add(&call, others[1]->pointer);
  if (family->scales)
    addFactors(lowering, more, &call, &call.values[descriptor]);
  else
    add(&call, cuteBuildConstant(b, 32, kindOf(family)));
  if (!others[1])
    add(&call, cuteBuildConstant(
                   b, 32, family->isStationary ? FIRST_BUFFER : family->ctas));
  add(&call, cuteBuildConstant(b, 32, KEEPS_NOTHING));
  cuteBuildIntrinsic(b, name, call.n, call.values, (MlirType){NULL});
  return true;
}
