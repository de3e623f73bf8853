#include "IR/views.h"

#include "IR/effects.h"

bool cuteViewIsIn(CuteDialect *dialect, MlirValue value, CuteSpace space) {
  CuteType type = cuteDialectGetValueType(dialect, value);
  return type && cuteTypeHasPointer(type) && cuteTypeGetMemory(type) == space;
}

MlirValue cuteViewGetBase(CuteDialect *dialect, MlirOperation op,
                          CuteSpace space) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  const MlirValue none = {NULL};
  if (!decl || decl->traits.view < 0 || getNumResults(op) != 1 ||
      !cuteViewIsIn(dialect, getResult(op, 0), space))
    return none;
  MlirValue base = getOperand(op, decl->traits.view);
  return cuteViewIsIn(dialect, base, space) ? base : none;
}

MlirValue cuteViewGetRoot(CuteDialect *dialect, MlirValue value,
                          CuteSpace space) {
  while (!mlirValueIsABlockArgument(value)) {
    MlirValue base =
        cuteViewGetBase(dialect, mlirOpResultGetOwner(value), space);
    if (mlirValueIsNull(base))
      break;
    value = base;
  }
  return value;
}

bool cuteViewIsOf(CuteDialect *dialect, MlirValue value, CuteSpace space,
                  MlirValue root) {
  return cuteViewIsIn(dialect, value, space) &&
         mlirValueEqual(cuteViewGetRoot(dialect, value, space), root);
}

bool cuteViewIsAccessed(CuteDialect *dialect, MlirOperation op, CuteSpace space,
                        MlirValue root) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl || decl->traits.effect != CUTE_EFFECT_ACCESS)
    return false;
  CUTE_FOR_OPERANDS(operand, op)
    if (mlirValueIsNull(root) ? cuteViewIsIn(dialect, operand, space)
                              : cuteViewIsOf(dialect, operand, space, root))
      return true;
  return false;
}

MlirValue cuteViewGetWritten(CuteDialect *dialect, MlirOperation op,
                             CuteSpace space) {
  intptr_t written = cuteEffectGetWritten(dialect, op);
  if (written < 0 || !cuteViewIsIn(dialect, getOperand(op, written), space))
    return (MlirValue){NULL};
  return cuteViewGetRoot(dialect, getOperand(op, written), space);
}

bool cuteViewIsCounted(CuteDialect *dialect, MlirOperation op) {
  return cuteDialectIsOp(dialect, op, CUTE_OP_ATOMIC_RMW) &&
         cuteMlirHasAttribute(op, "sem") &&
         !cuteMlirAttributeHas(op, "sem", "relaxed") &&
         cuteViewIsIn(dialect, getOperand(op, 1), CUTE_GMEM);
}
