#include "Compile/upstream.h"

#include "IR/dialect.h"

#ifndef CUTE_LLVM_STATIC

#include <mlir-c/RegisterEverything.h>

void cuteUpstreamAddDialects(MlirDialectRegistry registry) {
  mlirRegisterAllDialects(registry);
}

void cuteUpstreamAddTranslations(MlirContext context) {
  mlirRegisterAllLLVMTranslations(context);
}

static void registerPasses(void) { mlirRegisterAllPasses(); }

#else

#include <mlir-c/Conversion.h>
#include <mlir-c/Dialect/Affine.h>
#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Complex.h>
#include <mlir-c/Dialect/ControlFlow.h>
#include <mlir-c/Dialect/DLTI.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/GPU.h>
#include <mlir-c/Dialect/IRDL.h>
#include <mlir-c/Dialect/Index.h>
#include <mlir-c/Dialect/LLVM.h>
#include <mlir-c/Dialect/Math.h>
#include <mlir-c/Dialect/MemRef.h>
#include <mlir-c/Dialect/NVVM.h>
#include <mlir-c/Dialect/SCF.h>
#include <mlir-c/Dialect/Tensor.h>
#include <mlir-c/Dialect/UB.h>
#include <mlir-c/Dialect/Vector.h>
#include <mlir-c/Transforms.h>
#include <mlir/Dialect/Arith/Transforms/Passes.capi.h.inc>
#include <mlir/Dialect/GPU/Transforms/Passes.capi.h.inc>
#include <mlir/Dialect/LLVMIR/Transforms/Passes.capi.h.inc>
#include <mlir/Dialect/Math/Transforms/Passes.capi.h.inc>

//===-- Dialects ----------------------------------------------------------===//

static void addHandles(MlirDialectRegistry registry) {
  const MlirDialectHandle handles[] = {
      mlirGetDialectHandle__affine__(), mlirGetDialectHandle__arith__(),
      mlirGetDialectHandle__cf__(),     mlirGetDialectHandle__complex__(),
      mlirGetDialectHandle__dlti__(),   mlirGetDialectHandle__func__(),
      mlirGetDialectHandle__gpu__(),    mlirGetDialectHandle__index__(),
      mlirGetDialectHandle__irdl__(),   mlirGetDialectHandle__llvm__(),
      mlirGetDialectHandle__math__(),   mlirGetDialectHandle__memref__(),
      mlirGetDialectHandle__nvvm__(),   mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__tensor__(), mlirGetDialectHandle__ub__(),
      mlirGetDialectHandle__vector__()};
  for (size_t i = 0; i < sizeof handles / sizeof *handles; ++i)
    mlirDialectHandleInsertDialect(handles[i], registry);
}

#define CUTE_INTERFACE(function, name)                                         \
  void function(void *registry) __asm__("_ZN4mlir" name                        \
                                        "ERNS_15DialectRegistryE");
#define CUTE_TRANSLATION CUTE_INTERFACE
#include "Compile/upstream.def"

typedef void AddInterface(void *registry);

static AddInterface *const interfaces[] = {
#define CUTE_INTERFACE(function, name) function,
#include "Compile/upstream.def"
};

static AddInterface *const translations[] = {
#define CUTE_TRANSLATION(function, name) function,
#include "Compile/upstream.def"
};

void cuteUpstreamAddDialects(MlirDialectRegistry registry) {
  addHandles(registry);
  for (size_t i = 0; i < sizeof interfaces / sizeof *interfaces; ++i)
    interfaces[i](registry.ptr);
}

void cuteUpstreamAddTranslations(MlirContext context) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  for (size_t i = 0; i < sizeof translations / sizeof *translations; ++i)
    translations[i](registry.ptr);
  mlirContextAppendDialectRegistry(context, registry);
  mlirDialectRegistryDestroy(registry);
}

//===-- Passes ------------------------------------------------------------===//

static void registerPasses(void) {
  mlirRegisterTransformsPasses();
  mlirRegisterArithArithExpandOpsPass();
  mlirRegisterMathMathExpandOpsPass();
  mlirRegisterGPUGpuKernelOutliningPass();
  mlirRegisterGPUGpuModuleToBinaryPass();
  mlirRegisterGPUGpuNVVMAttachTarget();
  mlirRegisterLLVMDIScopeForLLVMFuncOpPass();
  mlirRegisterConversionArithToLLVMConversionPass();
  mlirRegisterConversionConvertComplexToLLVMPass();
  mlirRegisterConversionConvertComplexToStandardPass();
  mlirRegisterConversionConvertControlFlowToLLVMPass();
  mlirRegisterConversionConvertFuncToLLVMPass();
  mlirRegisterConversionConvertGpuOpsToNVVMOps();
  mlirRegisterConversionConvertIndexToLLVMPass();
  mlirRegisterConversionConvertMathToFuncs();
  mlirRegisterConversionConvertMathToLLVMPass();
  mlirRegisterConversionConvertMathToLibmPass();
  mlirRegisterConversionConvertNVVMToLLVMPass();
  mlirRegisterConversionConvertToLLVMPass();
  mlirRegisterConversionConvertVectorToLLVMPass();
  mlirRegisterConversionConvertVectorToSCF();
  mlirRegisterConversionFinalizeMemRefToLLVMConversionPass();
  mlirRegisterConversionGpuToLLVMConversionPass();
  mlirRegisterConversionLowerAffinePass();
  mlirRegisterConversionReconcileUnrealizedCastsPass();
  mlirRegisterConversionSCFToControlFlowPass();
  mlirRegisterConversionUBToLLVMConversionPass();
}

#endif

void cuteUpstreamLoadDialects(MlirContext context) {
  static const char *const names[] = {
      "affine", "arith", "cf",   "complex", "dlti", "func",   "gpu",    "index",
      "llvm",   "math",  "nvvm", "memref",  "scf",  "tensor", "vector", "ub"};
  CUTE_LOCKED *dialect = cuteDialectLock(context);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    mlirContextGetOrLoadDialect(context, cuteMlirString(names[i]));
}

void cuteUpstreamRegisterPasses(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registerPasses);
}
