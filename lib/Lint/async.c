#include "Lint/async.h"
#include "IR/op_list.h"

bool cuteAsyncFail(MlirOperation op, const char *note, const char *format,
                   ...) {
  CUTE_SCOPED(String) text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  cuteEmitAtOp(op, CUTE_SEVERITY_ERROR, cuteStringGet(&text), note);
  return true;
}

bool cuteAsyncIsKept(CuteDialect *dialect, MlirValue value) {
  MlirOperation owner = cuteMlirGetOwner(value);
  if (!cuteDialectGetDecl(dialect, owner))
    return false;
  CUTE_FOR_USES(use, value)
    if (!cuteDialectGetDecl(dialect, mlirOpOperandGetOwner(use)))
      return false;
  return true;
}

// The ops that only code for Hopper has.
bool cuteAsyncIsUsed(CuteDialect *dialect, MlirOperation kernel) {
  CuteOpList list = cuteOpListCollect(dialect, kernel);
  bool found = false;
  for (size_t i = 0; !found && i < list.count; ++i) {
    const CuteOpTraits *traits = &list.decls[i]->traits;
    found = traits->arch >= 90 || list.decls[i]->id == CUTE_OP_WITH_BARRIER ||
            list.decls[i]->id == CUTE_OP_CONSUMER_WAIT;
  }
  return found;
}

bool cuteAsyncCheck(CuteDialect *dialect, MlirOperation kernel,
                    const CuteArch *arch) {
  if (!cuteAsyncIsUsed(dialect, kernel))
    return true;
  bool ok = cuteAsyncCheckProducts(dialect, kernel);
  ok &= cuteAsyncCheckStages(dialect, kernel);
  return cuteAsyncCheckRoles(dialect, kernel, arch) && ok;
}
