#include "cute/MlirContext.h"

#include "Compile/upstream.h"

void cuteRegisterDependencies(MlirDialectRegistry registry) {
  cuteUpstreamAddDialects(registry);
}

MlirContext cuteMlirContextCreate(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  cuteRegisterDependencies(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  cuteUpstreamAddTranslations(context);
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
