#include "Ops/tensor_mma.h"
#include "Hardware/mma_family.h"
#include "IR/mlir.h"
#include "Ops/descriptors.h"

// Numbers of kinds in LLVM's intrinsic.
static int64_t kindOf(const CuteMmaFamily *family) {
  static const char *const kinds[] = {"f16", "tf32", "f8f6f4", "i8"};
  int64_t i = 0;
  while (strcmp(family->kind, kinds[i]))
    ++i;
  return i;
}

bool cuteLowerTensorMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                        const CuteLowered *const *operands) {
  const CuteBuilder *b = &lowering->builder;
  const CuteLowered *adds = operands[4];
  MlirValue values[] = {cuteLoweringGetBytePointer(lowering, *operands[0]),
                        cuteLoweringGetDescriptor(lowering, operands[1]),
                        cuteLoweringGetDescriptor(lowering, operands[2]),
                        cuteBuildInt(b, 32, (int32_t)atom->descriptor),
                        adds ? adds->pointer : cuteBuildInt(b, 1, 1),
                        cuteBuildConstant(b, 32, kindOf(atom->family)),
                        cuteBuildConstant(b, 32, atom->family->ctas),
                        cuteBuildConstant(b, 32, 0)}; // nothing is kept of A
  cuteBuildIntrinsic(b, "llvm.nvvm.tcgen05.mma.shared",
                     sizeof values / sizeof *values, values, (MlirType){NULL});
  return true;
}
