#include "Lint/async.h"
#include "IR/op_list.h"

// The ops that only code for Hopper has.
bool cuteAsyncIsUsed(CuteDialect *dialect, MlirOperation kernel) {
  CuteOpList list = cuteOpListCollect(dialect, kernel);
  bool found = false;
  for (size_t i = 0; !found && i < list.count; ++i) {
    const CuteOpTraits *traits = &list.decls[i]->traits;
    found = traits->arch >= 90 || list.decls[i]->id == CUTE_OP_WITH_BARRIER ||
            list.decls[i]->id == CUTE_OP_CONSUMER_WAIT;
  }
  cuteOpListDestroy(&list);
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
