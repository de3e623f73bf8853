// Parameters that a kernel reads in loops and never writes, while it writes
// others: only the author knows that these do not overlap.
#include "Lint/lint.h"

typedef struct Uses {
  bool isReadInLoop, isWritten;
} Uses;

// Notes that a parameter's address is given away: anything may be done by it.
static void findEscape(CuteLint *lint, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(lint->kernel.dialect, op);
  if (decl && !decl->traits.orders && decl->id != CUTE_OP_PTR_TO_INT)
    return;
  CUTE_FOR_OPERANDS(operand, op) {
    const CuteFollowed *value = cuteFollowGet(&lint->kernel.follow[0], operand);
    if (value)
      cutePointerMapSet(&lint->advised, value->memory.ptr, lint);
  }
}

static bool hasAttribute(MlirOperation function, intptr_t i, const char *name) {
  MlirAttribute all = cuteMlirGetAttribute(function, "arg_attrs");
  return !mlirAttributeIsNull(all) && i < mlirArrayAttrGetNumElements(all) &&
         !mlirAttributeIsNull(mlirDictionaryAttrGetElementByName(
             mlirArrayAttrGetElement(all, i), cuteMlirString(name)));
}

// Finds how the memory of a value is used; true if any other is written.
static bool findUses(const CuteLint *lint, MlirValue parameter, Uses *uses) {
  const CuteAccessList *list = &lint->kernel.accesses[0];
  bool isOtherWritten = false;
  for (size_t i = 0; i < list->count; ++i) {
    const CuteAccess *a = &list->accesses[i];
    bool isMine = mlirValueEqual(a->memory, parameter);
    uses->isWritten |= isMine && a->isStore;
    uses->isReadInLoop |=
        isMine && !a->isAsync && !a->isConditional &&
        (!mlirOperationIsNull(cuteMlirGetAround(a->op, "scf.for")) ||
         !mlirOperationIsNull(cuteMlirGetAround(a->op, "scf.while")));
    isOtherWritten |= !isMine && a->isStore && a->space == CUTE_GMEM;
  }
  return isOtherWritten;
}

void cuteLintReadOnly(CuteLint *lint) {
  MlirOperation function = lint->kernel.function;
  MlirBlock entry = cuteMlirGetBody(function, 0);
  if (mlirBlockIsNull(entry))
    return;
  CUTE_FOR_NESTED(op, function)
    findEscape(lint, op);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue parameter = mlirBlockGetArgument(entry, i);
    Uses uses = {.isWritten = false};
    if (!findUses(lint, parameter, &uses) || !uses.isReadInLoop ||
        uses.isWritten || hasAttribute(function, i, "llvm.readonly") ||
        cutePointerMapGet(&lint->advised, parameter.ptr))
      continue;
    cuteLintEmit(lint, function, CUTE_SEVERITY_REMARK,
                 "it is read by ld.global.nc then, and loads may come before "
                 "stores to others",
                 "only reads parameter %d, in a loop, and writes others: if "
                 "these do not overlap, promise it with {llvm.noalias, "
                 "llvm.readonly}",
                 (int)i);
  }
}
