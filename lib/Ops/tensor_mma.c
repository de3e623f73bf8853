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
  const CuteMmaFamily *f = atom->family;
  const CuteLowered *adds = operands[4];
  bool isShared = f->sourceA == CUTE_MMA_SMEM;
  MlirValue values[9] = {
      cuteLoweringGetBytePointer(lowering, *operands[0]),
      isShared ? cuteLoweringGetDescriptor(lowering, operands[1])
               : cuteLoweringGetBytePointer(lowering, *operands[1]),
      cuteLoweringGetDescriptor(lowering, operands[2]),
      cuteBuildInt(b, 32, (int32_t)atom->descriptor),
      adds ? adds->pointer : cuteBuildInt(b, 1, 1)};
  size_t n = 5;
  if (f->shiftsSums)
    values[n++] = cuteBuildConstant(b, 64, atom->sumShift);
  values[n++] = cuteBuildConstant(b, 32, kindOf(f));
  values[n++] = cuteBuildConstant(b, 32, f->ctas);
  values[n++] = cuteBuildConstant(b, 32, 0); // the collector discards A
  cuteBuildIntrinsic(
      b,
      isShared ? (f->shiftsSums ? "llvm.nvvm.tcgen05.mma.shared.scale_d"
                                : "llvm.nvvm.tcgen05.mma.shared")
               : (f->shiftsSums ? "llvm.nvvm.tcgen05.mma.tensor.scale_d"
                                : "llvm.nvvm.tcgen05.mma.tensor"),
      n, values, (MlirType){NULL});
  return true;
}
