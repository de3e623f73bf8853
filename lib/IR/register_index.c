#include "IR/unrolling.h"

#include "IR/effects.h"
#include "IR/views.h"

typedef struct Search {
  CuteDialect *dialect;
  CuteRegisterIndex *index;
  CutePointerMap seen; // values
} Search;

static void visitValue(Search *s, MlirValue value);

static void addLoop(CuteRegisterIndex *index, MlirOperation loop) {
  for (size_t i = 0; i < index->count; ++i)
    if (mlirOperationEqual(index->loops[i], loop))
      return;
  CUTE_ARENA_PUSH(cuteTaskGetArena(), index->loops, index->count, loop);
}

// The counter of a loop, or what it carries: that is known in each round if the
// loop is unrolled, and the first value and how the next follows are known.
static void visitArgument(Search *s, MlirValue argument) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  MlirOperation loop = mlirBlockGetParentOperation(block);
  if (!cuteMlirIs(loop, "scf.for")) {
    s->index->isRunTime = true;
    return;
  }
  addLoop(s->index, loop);
  intptr_t i = mlirBlockArgumentGetArgNumber(argument);
  for (intptr_t bound = 0; i == 0 && bound < 3; bound += 2)
    visitValue(s, getOperand(loop, bound));
  if (i == 0)
    return;
  visitValue(s, getOperand(loop, 2 + i));
  visitValue(s, getOperand(mlirBlockGetTerminator(block), i - 1));
}

static void visitResult(Search *s, MlirOperation op) {
  intptr_t n = getNumOperands(op);
  if (cuteMlirIs(op, "arith.constant"))
    return;
  s->index->isRunTime |=
      !n || cuteEffectGet(s->dialect, op) != CUTE_EFFECT_NONE;
  for (intptr_t i = 0; i < n; ++i)
    visitValue(s, getOperand(op, i));
}

static void visitValue(Search *s, MlirValue value) {
  if (s->index->isRunTime || cutePointerMapGet(&s->seen, value.ptr))
    return;
  cutePointerMapSet(&s->seen, value.ptr, s);
  CuteType type = cuteDialectGetValueType(s->dialect, value);
  if (type && type->kind != CUTE_TYPE_FOREIGN && cuteTypeIsStatic(type))
    return;
  if (mlirValueIsABlockArgument(value))
    visitArgument(s, value);
  else
    visitResult(s, mlirOpResultGetOwner(value));
}

// Gives the operand in which the op chooses a place, or -1, and the one that
// says which; -1 for all others.
static int baseOf(const CuteOpTraits *traits, int *coord) {
  *coord = CUTE_NO_OPERAND;
  if (traits->view >= 0)
    return traits->view;
  if (traits->access != CUTE_ACCESS_AT)
    return CUTE_NO_OPERAND;
  *coord = traits->coord;
  return cuteOpTraitsGetTensor(traits);
}

bool cuteRegisterIndexFind(CuteDialect *dialect, MlirOperation op,
                           CuteRegisterIndex *index) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  int coord, base = decl ? baseOf(&decl->traits, &coord) : CUTE_NO_OPERAND;
  if (base < 0 || base >= getNumOperands(op) ||
      !cuteViewIsIn(dialect, getOperand(op, base), CUTE_RMEM))
    return false;
  *index = (CuteRegisterIndex){.base = getOperand(op, base)};
  Search s = {dialect, index, cuteTaskMap()};
  for (intptr_t i = 0; i < getNumOperands(op); ++i)
    if (i != base && (coord < 0 || i == coord))
      visitValue(&s, getOperand(op, i));
  return index->isRunTime || index->count;
}
