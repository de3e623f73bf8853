#include "Lowering/shared_plan.h"
#include "Lowering/lowering.h"

bool cuteSharedBytesOf(CuteContext c, CuteType type, int64_t *bytes) {
  int64_t elements = cuteMemoryCountElements(c, type->layout), bits;
  int64_t width = cuteElementTypeGetBits(type->element);
  if (width < 8 && !cuteElementGetPackedBits(type->element))
    width = 8;
  if (elements < 0 || __builtin_mul_overflow(elements, width, &bits) ||
      __builtin_add_overflow(bits, 7, &bits))
    return false;
  *bytes = bits / 8;
  return true;
}

bool cuteSharedFits(int64_t bytes, const CuteArch *arch, CuteString *problem) {
  int kib = arch ? arch->sharedKib : cuteArchGetMostSharedKib();
  int64_t most = INT64_C(1024) * kib;
  if (bytes <= most)
    return true;
  cuteStringAppendFormat(
      problem,
      "needs %jd bytes of shared memory; a block on %s has at most "
      "%jd\nnote: take smaller tiles or fewer stages",
      bytes, arch ? arch->name : "any architecture", most);
  return false;
}

typedef struct Placing {
  CuteDialect *dialect;
  CutePointerMap *offsets;
  CuteSharedPlan *plan;
  bool sharesBranches;
  int round; // 1: wide alignments alone, 2: the others, 0: all
} Placing;

static bool place(const Placing *p, MlirOperation op) {
  CuteSharedPlan *plan = p->plan;
  CuteType type = cuteDialectGetResultType(p->dialect, op, 0);
  int64_t bytes, offset;
  if (type && p->round && (type->align >= 128) != (p->round == 1))
    return true;
  if (!type || !cuteSharedBytesOf(p->dialect->context, type, &bytes) ||
      __builtin_add_overflow(plan->bytes, type->align - 1, &offset) ||
      __builtin_add_overflow(offset -= offset % type->align, bytes, &bytes))
    return cuteEmitOpError(op, "the size of the allocation cannot be computed");
  if (p->offsets)
    cutePointerMapSet(p->offsets, op.ptr, (void *)(uintptr_t)(offset + 1));
  plan->bytes = bytes;
  plan->align = type->align > plan->align ? type->align : plan->align;
  return true;
}

static bool placeNested(const Placing *p, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(p->dialect, op);
  if (decl && decl->traits.allocates && decl->traits.space == CUTE_SMEM)
    return place(p, op);
  int64_t first = p->plan->bytes, most = first;
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    if (p->sharesBranches && cuteMlirIs(op, "scf.if"))
      p->plan->bytes = first;
    CUTE_FOR_BLOCKS(block, mlirOperationGetRegion(op, i))
      CUTE_FOR_OPS(inner, block)
        if (!placeNested(p, inner))
          return false;
    most = p->plan->bytes > most ? p->plan->bytes : most;
  }
  p->plan->bytes = most;
  return true;
}

// Tries again, wide alignments first and thus without gaps, if it is too much.
bool cuteSharedPlanMake(CuteDialect *dialect, MlirOperation function,
                        CutePointerMap *offsets, CuteSharedPlan *plan) {
  *plan = (CuteSharedPlan){.align = 16};
  bool shares = cuteMlirHasAttribute(function, CUTE_SHARES_BRANCHES);
  Placing p = {dialect, offsets, plan, shares, 0};
  bool ok = placeNested(&p, function);
  bool fits = plan->bytes <= INT64_C(1024) * cuteArchGetMostSharedKib();
  plan->bytes = fits ? plan->bytes : 0;
  while (ok && !fits && p.round++ < 2)
    ok = placeNested(&p, function);
  plan->isDynamic = plan->bytes > CUTE_STATIC_SHARED_BYTES;
  return ok;
}
