#include "Ops/tensor_mma.h"
#include "Hardware/mma_family.h"
#include "IR/mlir.h"
#include "Ops/descriptors.h"

enum { MAX_VALUES = 10, KEEPS_NOTHING = 0 };

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

static MlirValue placeOf(CuteLowering *lowering, const CuteMmaAtom *atom,
                         CuteMmaOperand operand, const CuteLowered *tensor) {
  return cuteMmaAtomIsInTmem(atom, operand)
             ? cuteLoweringGetBytePointer(lowering, *tensor)
             : cuteLoweringGetDescriptor(lowering, tensor);
}

bool cuteLowerTensorMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands) {
  const CuteBuilder *b = &lowering->builder;
  const CuteLowered *adds = operands[4];
  const CuteMmaFamily *family = atom->family;
  Call call = {.n = 0};
  char name[64];
  snprintf(name, sizeof name, "llvm.nvvm.tcgen05.mma.%s%s",
           family->sourceA == CUTE_MMA_TMEM ? "tensor" : "shared",
           family->shiftsSums ? ".scale_d" : "");
  add(&call, cuteLoweringGetBytePointer(lowering, *operands[0]));
  add(&call, placeOf(lowering, atom, CUTE_OPERAND_A, operands[1]));
  add(&call, placeOf(lowering, atom, CUTE_OPERAND_B, operands[2]));
  add(&call, cuteBuildInt(b, 32, (int32_t)atom->descriptor));
  add(&call, adds ? adds->pointer : cuteBuildInt(b, 1, 1));
  if (family->shiftsSums)
    add(&call, cuteBuildConstant(b, 64, atom->sumShift));
  add(&call, cuteBuildConstant(b, 32, kindOf(family)));
  add(&call, cuteBuildConstant(b, 32, family->ctas));
  add(&call, cuteBuildConstant(b, 32, KEEPS_NOTHING));
  cuteBuildIntrinsic(b, name, call.n, call.values, (MlirType){NULL});
  return true;
}
