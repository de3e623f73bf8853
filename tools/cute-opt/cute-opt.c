#include "cute/Assembly.h"
#include <mlir-c/RegisterEverything.h>
#include <stdio.h>
static void pr(MlirStringRef s, void *u) { (void)u; fwrite(s.data, 1, s.length, stdout); }
int main(int argc, char **argv) {
  MlirDialectRegistry r = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(r);
  MlirContext ctx = mlirContextCreateWithRegistry(r, false);
  if (mlirLogicalResultIsFailure(cuteDialectLoad(ctx))) return 1;
  MlirModule m = cuteModuleParseFile(ctx, mlirStringRefCreateFromCString(argv[1]));
  if (mlirModuleIsNull(m)) return 1;
  cuteOperationPrint(mlirModuleGetOperation(m), (CutePrintOptions){.generic = argc > 2}, pr, NULL);
}
