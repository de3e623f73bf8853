// What an architecture has not enough of for a kernel.
#include "Conversion/conversion.h"
#include "Target/target.h"

typedef struct Check {
  CuteDialect *dialect;
  const CuteArch *arch;
  bool failed;
} Check;

static MlirWalkResult visit(MlirOperation op, void *userData) {
  Check *check = userData;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (!mlirStringRefEqual(name, mlirStringRefCreateFromCString("gpu.func")))
    return MlirWalkResultAdvance;
  CuteSharedPlan plan;
  if (!cuteSharedPlanMake(check->dialect, op, NULL, &plan)) {
    check->failed = true;
  } else if (plan.bytes > (int64_t)check->arch->sharedKib * 1024) {
    check->failed = true;
    cuteEmitError(mlirOperationGetLocation(op),
                  "the function needs %lld bytes of shared memory; a block on "
                  "%s has at most %d",
                  (long long)plan.bytes, check->arch->name,
                  check->arch->sharedKib * 1024);
  }
  return MlirWalkResultSkip;
}

bool cuteCheckLimits(MlirModule module, const CuteArch *arch) {
  CuteDialect *dialect = cuteDialectLock(mlirModuleGetContext(module));
  if (!dialect)
    return false;
  Check check = {dialect, arch, false};
  mlirOperationWalk(mlirModuleGetOperation(module), visit, &check,
                    MlirWalkPreOrder);
  cuteDialectUnlock(dialect);
  return !check.failed;
}
