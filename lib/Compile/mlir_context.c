#include "cute/MlirContext.h"

#include <mlir-c/RegisterEverything.h>

void cuteRegisterDependencies(MlirDialectRegistry registry) {
  mlirRegisterAllDialects(registry);
}

MlirContext cuteMlirContextCreate(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  cuteRegisterDependencies(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  if (mlirLogicalResultIsSuccess(cuteDialectLoad(context)))
    return context;
  mlirContextDestroy(context);
  return (MlirContext){NULL};
}

void cuteMlirContextDestroy(MlirContext context) {
  if (mlirContextIsNull(context))
    return;
  cuteDialectUnload(context);
  mlirContextDestroy(context);
}
