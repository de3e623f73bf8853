// Fragments that are read before anything is written to them.
#include "IR/views.h"
#include "Lint/lint.h"

typedef struct Unwritten {
  CuteLint *lint;
  CutePointerMap
      written; // roots that something was or may have been written to
} Unwritten;

// The fragment that a value is a view of; null for what is not in registers.
static MlirValue rootOf(const CuteLint *lint, MlirValue value) {
  CuteDialect *dialect = lint->kernel.dialect;
  return cuteViewIsIn(dialect, value, CUTE_RMEM)
             ? cuteViewGetRoot(dialect, value, CUTE_RMEM)
             : (MlirValue){NULL};
}

// Tells whether a value is memory with nothing in it yet.
static bool isFresh(const CuteLint *lint, MlirValue root) {
  if (mlirValueIsNull(root) || mlirValueIsABlockArgument(root))
    return false;
  const CuteOpDecl *decl =
      cuteDialectGetDecl(lint->kernel.dialect, mlirOpResultGetOwner(root));
  return decl && decl->traits.allocates && decl->traits.space == CUTE_RMEM;
}

// Tells whether an op writes to operand i, or gives it to what may.
static bool mayWrite(const CuteOpDecl *decl, intptr_t i) {
  return !decl || decl->traits.orders || decl->traits.written == i;
}

// Products that may leave out C read it perhaps.
static bool mayLeaveOut(const CuteLint *lint, MlirOperation op) {
  intptr_t n = getNumOperands(op);
  MlirType last = cuteMlirGetOperandType(op, n - 1);
  return !cuteDialectGetDecl(lint->kernel.dialect, op) ||
         (mlirTypeIsAInteger(last) && mlirIntegerTypeGetWidth(last) == 1);
}

// Tells whether the op runs whenever its fragment was made: it is under no
// condition.
static bool isCertain(MlirOperation op, MlirValue root) {
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(root));
  while (!mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (!cuteMlirIs(op, "scf.for"))
      return false;
  }
  return true;
}

static void readOperand(Unwritten *u, MlirOperation op, MlirValue root) {
  if (!isFresh(u->lint, root) || cutePointerMapGet(&u->written, root.ptr) ||
      !isCertain(op, root))
    return;
  cutePointerMapSet(&u->written, root.ptr, u);
  cuteLintEmit(u->lint, op, CUTE_SEVERITY_WARNING,
               "cute.clear or cute.fill writes all of it",
               "reads a fragment that was never written");
}

static void visitOp(Unwritten *u, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(u->lint->kernel.dialect, op);
  intptr_t n = getNumOperands(op);
  for (intptr_t i = 0; i < n; ++i)
    if (decl && cuteOpTraitsReads(&decl->traits, i) && !mayWrite(decl, i) &&
        !mayLeaveOut(u->lint, op))
      readOperand(u, op, rootOf(u->lint, getOperand(op, i)));
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue root = rootOf(u->lint, getOperand(op, i));
    if (!mlirValueIsNull(root) && mayWrite(decl, i))
      cutePointerMapSet(&u->written, root.ptr, u);
  }
}

void cuteLintUnwritten(CuteLint *lint) {
  Unwritten u = {.lint = lint, .written = cuteTaskMap()};
  CUTE_FOR_NESTED(op, lint->kernel.function)
    visitOp(&u, op);
}
