// Fragments whose elements are chosen by numbers that are not known when code
// is generated: registers have no addresses, so that they are in memory.
#include "IR/op_list.h"
#include "IR/unrolling.h"
#include "IR/views.h"
#include "Lint/lint.h"

static int64_t bytesOf(CuteContext c, CuteType type) {
  if (!cuteTypeIsKind(type, CUTE_TYPE_TENSOR))
    return 0;
  int64_t bits = cuteElementTypeGetBits(type->element), all;
  CuteIntTuple cosize = cuteLayoutGetCosize(c, type->layout);
  return !cosize || __builtin_mul_overflow(cosize->value, bits, &all)
             ? 0
             : (all + 7) / 8;
}

static void tell(CuteLint *lint, MlirOperation op, MlirValue fragment,
                 bool isRunTime) {
  CuteType type = cuteDialectGetValueType(lint->kernel.dialect, fragment);
  cuteLintEmit(lint, op, CUTE_SEVERITY_WARNING,
               isRunTime ? "the index depends on a value that no unrolling "
                           "makes constant; choose the element by conditions, "
                           "or keep the elements in shared memory"
                         : NULL,
               "indexes a fragment at run time: %jd bytes go to local "
               "memory%s",
               bytesOf(lint->kernel.context, type),
               isRunTime ? "" : "; unroll the loop (cute.unroll = \"full\")");
}

static void checkOp(CuteLint *lint, MlirOperation op) {
  CuteDialect *dialect = lint->kernel.dialect;
  CuteRegisterIndex index;
  if (!cuteRegisterIndexFind(dialect, op, &index))
    return;
  MlirValue fragment = cuteViewGetRoot(dialect, index.base, CUTE_RMEM);
  if (!cuteIndexIsUnrolled(dialect, &index) &&
      !cutePointerMapGet(&lint->advised, fragment.ptr)) {
    cutePointerMapSet(&lint->advised, fragment.ptr, lint);
    tell(lint, op, fragment, index.isRunTime);
  }
}

void cuteLintRegisterPlaces(CuteLint *lint) {
  CuteOpList list =
      cuteOpListCollect(lint->kernel.dialect, lint->kernel.function);
  for (size_t i = 0; i < list.count; ++i)
    checkOp(lint, list.ops[i]);
}
