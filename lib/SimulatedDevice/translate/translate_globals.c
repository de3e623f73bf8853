// Variables in global and constant memory: memory of the device.
#include "SimulatedDevice/translate/translate.h"
#include "Simulator/machine/device_memory.h"

// LLVM's names of its own begin so, as llvm.used, and numbers of kernels.
static bool isVariable(LLVMValueRef global) {
  return LLVMGetPointerAddressSpace(LLVMTypeOf(global)) != CUTE_SIM_SHARED &&
         LLVMGetInitializer(global) &&
         strncmp(cuteLlvmGetName(global), "llvm.", 5) != 0 &&
         strncmp(cuteLlvmGetName(global), "cute.shared.", 12) != 0;
}

// Lets code use memory of the device for a variable, whose own holds the
// initial value from then on.
static CuteStatus replace(CuteTranslation *t, LLVMValueRef global,
                          CuteSimVariable *variable) {
  variable->bytes =
      (size_t)LLVMABISizeOfType(t->layout, LLVMGlobalGetValueType(global));
  variable->address = cuteSimMemoryAllocate(variable->bytes);
  if (!variable->address)
    return cuteStatusCreate("no memory for a variable of %zu bytes",
                            variable->bytes);
  LLVMReplaceAllUsesWith(
      global, LLVMConstIntToPtr(LLVMConstInt(t->i64, variable->address, false),
                                LLVMTypeOf(global)));
  variable->initial =
      cuteArenaFormat(t->arena, "cute.initial.%s", cuteLlvmGetName(global));
  LLVMSetValueName2(global, variable->initial, strlen(variable->initial));
  LLVMSetLinkage(global, LLVMExternalLinkage);
  LLVMSetVisibility(global, LLVMDefaultVisibility);
  return NULL;
}

CuteStatus cuteTranslateGlobals(CuteTranslation *t) {
  size_t count = 0;
  CUTE_FOR_LLVM(Global, g, t->module)
    count += isVariable(g);
  t->variables = cuteArenaAllocate(t->arena, count * sizeof *t->variables);
  CUTE_FOR_LLVM(Global, g, t->module)
    if (isVariable(g))
      CUTE_TRY(replace(t, g, &t->variables[t->numVariables++]));
  return NULL;
}
