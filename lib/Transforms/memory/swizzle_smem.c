// cute-swizzle: allocations of shared memory with plain layouts get the swizzle
// that has the fewest bank conflicts in all accesses to them.
#include "IR/views.h"
#include "Transforms/edit/retype.h"
#include "Transforms/memory/swizzle_search.h"
#include "Transforms/transforms.h"

//===-- Allocations -------------------------------------------------------===//

// The i-th allocation of a function, or null.
static MlirOperation allocAt(CuteDialect *dialect, MlirOperation function,
                             size_t i) {
  CUTE_FOR_NESTED(op, function)
    if (cuteDialectIsOp(dialect, op, CUTE_OP_ALLOC_SMEM) && !i--)
      return op;
  return (MlirOperation){NULL};
}

// A pointer to the memory knows nothing of a swizzle of the layout. Returns an
// op that takes one, or null.
static MlirOperation pointerTo(CuteDialect *dialect, MlirValue value,
                               CutePointerMap *seen) {
  CUTE_FOR_USES(use, value) {
    MlirOperation user = mlirOpOperandGetOwner(use), found = {NULL};
    const CuteOpDecl *decl = cuteDialectGetDecl(dialect, user);
    if (!decl || decl->id == CUTE_OP_GET_ITER)
      return user;
    if (!decl->traits.isPure || cutePointerMapGet(seen, user.ptr))
      continue;
    cutePointerMapSet(seen, user.ptr, user.ptr);
    for (intptr_t i = 0; mlirOperationIsNull(found) && i < getNumResults(user);
         ++i)
      if (cuteViewIsIn(dialect, getResult(user, i), CUTE_SMEM))
        found = pointerTo(dialect, getResult(user, i), seen);
    if (!mlirOperationIsNull(found))
      return found;
  }
  return (MlirOperation){NULL};
}

//===-- The choice --------------------------------------------------------===//

typedef struct Choice {
  MlirOperation alloc;
  bool isKnown; // all accesses are of the allocation's type
  CuteSwizzleChoice swizzle;
} Choice;

// Follows the kernel and chooses by all accesses to the allocation.
static void choose(CuteDialect *dialect, MlirOperation function,
                   Choice *choice) {
  CuteInterpreter kernel;
  cuteInterpreterRun(&kernel, dialect, function);
  MlirValue root = getResult(choice->alloc, 0);
  CuteType type = cuteDialectGetValueType(dialect, root);
  const CuteAccess *like = NULL;
  choice->isKnown = true;
  for (size_t i = 0; i < kernel.accesses[0].count; ++i) {
    const CuteAccess *a = &kernel.accesses[0].accesses[i];
    if (!mlirValueEqual(a->root, root))
      continue;
    choice->isKnown &= a->type->element == type->element;
    like = a;
  }
  if (like && choice->isKnown)
    choice->swizzle = cuteSwizzleChoose(&kernel, like);
  cuteInterpreterDestroy(&kernel);
}

// Tells whether there is something to be done; says so if not.
static bool reportChoice(const Choice *choice) {
  const CuteSwizzleChoice *s = &choice->swizzle;
  int n = (int)s->accesses;
  if (!choice->isKnown)
    CUTE_REMARK_AT(choice->alloc,
                   "gets no swizzle: it is accessed with another element type");
  else if (!n)
    CUTE_REMARK_AT(choice->alloc,
                   "gets no swizzle: no access to it has a known address");
  else if (!s->now)
    CUTE_REMARK_AT(choice->alloc,
                   "needs no swizzle: %d access%s without bank conflicts", n,
                   n == 1 ? "" : "es");
  else if (!s->found)
    CUTE_REMARK_AT(
        choice->alloc,
        "gets no swizzle: none has fewer than the %jd bank conflicts of "
        "its %d access%s",
        s->now, n, n == 1 ? "" : "es");
  return n && s->found;
}

//===-- Rewriting ---------------------------------------------------------===//

// The function with the swizzle in its allocation, in place of the one
// given; null after a remark, with nothing changed, if an op does not take it.
static MlirOperation rewrite(CuteDialect *dialect, MlirOperation function,
                             size_t index, CuteLayout layout, int64_t align) {
  MlirOperation copy = mlirOperationClone(function);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(function), function,
                                      copy);
  MlirOperation alloc = allocAt(dialect, copy, index);
  CuteRetype retype = cuteRetypeBegin(dialect);
  bool ok = cuteRetypeAlloc(&retype, alloc, layout, align) &&
            cuteRetypeRun(&retype, copy);
  if (ok)
    mlirOperationDestroy(alloc);
  else
    CUTE_REMARK_AT(allocAt(dialect, function, index), "gets no swizzle: %s",
                   retype.problem);
  mlirOperationDestroy(ok ? function : copy);
  return ok ? copy : (MlirOperation){NULL};
}

//===-- The pass ----------------------------------------------------------===//

// Looks at one allocation; returns the function, which may be another then.
static MlirOperation swizzle(CuteDialect *dialect, MlirOperation function,
                             size_t index) {
  Choice choice = {.alloc = allocAt(dialect, function, index)};
  MlirValue memory = getResult(choice.alloc, 0);
  CuteType type = cuteDialectGetValueType(dialect, memory);
  if (!type || cuteLayoutIsComposed(type->layout))
    return function;
  CUTE_SCOPED(PointerMap) seen = {0};
  MlirOperation user = pointerTo(dialect, memory, &seen);
  if (!mlirOperationIsNull(user)) {
    MlirStringRef name = cuteMlirGetName(user);
    CUTE_REMARK_AT(choice.alloc,
                   "gets no swizzle: '%.*s' needs its layout as it is",
                   CUTE_TEXT(name));
    return function;
  }
  choose(dialect, function, &choice);
  if (!reportChoice(&choice))
    return function;
  CuteContext c = dialect->context;
  MlirLocation location = mlirOperationGetLocation(choice.alloc);
  CuteSwizzle s = choice.swizzle.swizzle;
  CuteLayout layout =
      cuteLayoutGetSwizzled(c, s, staticInt(c, 0), type->layout);
  MlirOperation result =
      layout ? rewrite(dialect, function, index, layout, type->align)
             : (MlirOperation){NULL};
  if (mlirOperationIsNull(result))
    return function;
  cuteEmitRemark(
      location,
      "gets the swizzle S<%d,%d,%d>: %jd bank conflicts of %jd remain", s.bits,
      s.base, s.shift, choice.swizzle.left, choice.swizzle.now);
  return result;
}

bool cuteRunSwizzle(const CutePass *pass) {
  if (cuteMlirIs(pass->root, "gpu.func"))
    return true;
  CuteOps functions = cuteOpsFind(pass->root, "gpu.func");
  for (size_t i = 0; i < functions.count; ++i) {
    MlirOperation function = functions.data[i];
    for (size_t j = 0;
         !mlirOperationIsNull(allocAt(pass->dialect, function, j)); ++j)
      function = swizzle(pass->dialect, function, j);
  }
  return true;
}
