// Copies of whole tensors: element by element, and by the widest accesses that
// they allow.
#include "Ops/copy_atoms.h"

#include "Support/gcd.h"

enum {
  MAX_VECTOR = 128,            // of elements of 1 bit
  MAX_UNROLLED_IN_MEMORY = 512 // elements
};

//===-- Element by element ------------------------------------------------===//

static void copyAt(CuteLowering *l, CuteElements e, CuteIntTuple i) {
  MlirValue value =
      e.source ? cuteLoweringLoadElement(l, e.source, i) : e.value;
  if (!mlirValueIsNull(value))
    cuteLoweringStoreElement(l, e.destination, i, value);
}

static void copyElement(CuteLowering *l, CuteElements e, CuteIntTuple i) {
  if (!e.predicate) {
    copyAt(l, e, i);
    return;
  }
  MlirValue condition =
      cuteLoweringLoad(l, cuteLoweringGetAddress(l, *e.predicate, i),
                       cuteIntType(&l->builder, 1), 1);
  CuteBuilder outer = l->builder;
  l->builder = cuteBuildIf(&outer, condition);
  copyAt(l, e, i);
  l->builder = outer;
}

static bool isInRegisters(const CuteLowered *tensor) {
  return tensor && tensor->type->space == CUTE_RMEM;
}

// Registers have no addresses that a loop could compute.
static int64_t mostUnrolled(CuteElements e) {
  return isInRegisters(e.source) || isInRegisters(e.destination) ||
                 isInRegisters(e.predicate)
             ? CUTE_MAX_UNROLLED
             : MAX_UNROLLED_IN_MEMORY;
}

static int64_t sizeOf(CuteContext c, CuteLayout layout) {
  CuteIntTuple size = layout ? cuteLayoutGetSize(c, layout) : NULL;
  return isStatic(size) ? size->value : 0;
}

// All elements of a copy, in runs that strides of 0 read from one place: LLVM
// joins branches with one condition, and loads it once.
static CuteLayout orderBySource(CuteContext c, CuteElements e, int64_t n) {
  CuteIntTuple all = staticInt(c, n);
  CuteLayout same = NULL, rest = NULL;
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(c, NULL, NULL);
  if (e.predicate && e.source && !cuteLayoutIsComposed(e.source->type->layout))
    same = cuteLayoutNullspace(c, e.source->type->layout);
  if (same)
    rest = cuteLayoutComplement(c, same, all);
  CuteLayout order = rest
                         ? cuteInternLayout(c, cuteModePair(c, layoutMode(same),
                                                            layoutMode(rest)))
                         : NULL;
  return sizeOf(c, order) == n ? order : cuteLayoutGet(c, all, NULL);
}

bool cuteLowerElements(CuteLowering *lowering, CuteElements e) {
  CuteContext c = lowering->context;
  const CuteLowered *counted = e.source ? e.source : e.destination;
  CuteIntTuple size = cuteLayoutGetSize(c, counted->type->layout);
  if (!size)
    return false;
  bool isUnrolled = isStatic(size) && size->value <= mostUnrolled(e);
  CuteLayout order = isUnrolled ? orderBySource(c, e, size->value) : NULL;
  for (int64_t i = 0; isUnrolled && i < size->value; ++i)
    copyElement(lowering, e,
                cuteEvalMode(c, staticInt(c, i), layoutMode(order)));
  if (isUnrolled)
    return true;
  MlirValue count = cuteLoweringGetInteger(lowering, size, 0);
  CuteBuilder outer = lowering->builder;
  MlirBlock body = cuteBuildFor(&outer, count);
  lowering->builder = cuteBuilderAtStart(body, outer.location);
  CuteIntTuple i =
      cuteLoweringGetLeaf(lowering, mlirBlockGetArgument(body, 0), 1);
  copyElement(lowering, e, i);
  lowering->builder = outer;
  return true;
}

//===-- Which accesses ----------------------------------------------------===//

// Access r of a copy moves the elements order(r * width + i), i < width,
// counted colexicographically. They are side by side, and aligned to their
// size, on each side that is in memory.
typedef struct VectorPlan {
  CuteLayout order;
  int64_t width;
} VectorPlan;

typedef struct Side {
  CuteType type;
  CuteLayout outer;
  int64_t block; // elements from here on that may be taken apart by a swizzle
} Side;

// A side in registers takes any order; it has no layout.
static Side sideOf(CuteContext c, CuteType type) {
  CuteLayout layout = type->layout;
  bool isFree = type->space == CUTE_RMEM;
  Side side = {type, isFree ? NULL : cuteLayoutGetOuter(c, layout), MAX_VECTOR};
  if (!isFree && cuteLayoutIsComposed(layout)) {
    bool isSwizzle = cuteLayoutHasSwizzle(layout) && layout->swizzle.base < 7;
    side.block = isSwizzle ? INT64_C(1) << layout->swizzle.base : MAX_VECTOR;
    if (layout->innerKind == INNER_LAYOUT)
      side.block = 1;
  }
  return side;
}

// All elements, first the neighbours on both sides; their number
// goes to `common`.
static CuteLayout orderOf(CuteContext c, Side a, Side b, int64_t n,
                          int64_t *common) {
  CuteIntTuple all = staticInt(c, n);
  CuteLayout first = a.outer ? a.outer : b.outer;
  CuteLayout second = b.outer ? b.outer : a.outer;
  CuteLayout run = first ? cuteLayoutMaxCommonLayout(c, first, second) : NULL;
  CuteLayout rest = run ? cuteLayoutComplement(c, run, all) : NULL;
  CuteLayout order = rest ? cuteInternLayout(c, cuteModePair(c, layoutMode(run),
                                                             layoutMode(rest)))
                          : NULL;
  bool covers = order && sizeOf(c, order) == n;
  *common = covers ? sizeOf(c, run) : 1;
  return covers ? order : cuteLayoutGet(c, all, NULL);
}

// Tells whether elements order(r * width) begin at multiples of the width.
static bool areStartsAligned(CuteContext c, Side side, VectorPlan plan,
                             int64_t n, bool assumed) {
  int64_t divisor = 0;
  for (int64_t i = 0; i < n; i += plan.width) {
    CuteIntTuple at = cuteEvalMode(c, staticInt(c, i), layoutMode(plan.order));
    CuteIntTuple index = cuteEvalMode(c, at, layoutMode(side.outer));
    if (!index || isTuple(index))
      return false;
    if (isStatic(index) || !assumed)
      divisor = cuteGcd(divisor, cuteLeafDivisor(index));
  }
  CuteLayout layout = side.type->layout;
  if (cuteLayoutIsComposed(layout) && (isStatic(layout->offset) || !assumed))
    divisor = cuteGcd(divisor, cuteLeafDivisor(layout->offset));
  return divisor % plan.width == 0;
}

static bool allows(CuteContext c, Side side, VectorPlan plan, int64_t n,
                   bool assumed) {
  int64_t bits = cuteElementTypeGetBits(side.type->element);
  if (!side.outer)
    return true;
  if (plan.width > side.block || plan.width * bits % 8 ||
      (!assumed && side.type->align * 8 < plan.width * bits))
    return false;
  return areStartsAligned(c, side, plan, n, assumed);
}

static VectorPlan makePlan(CuteContext c, CuteType source, CuteType destination,
                           int64_t maxBits, bool assumed) {
  int64_t bits = cuteElementTypeGetBits(source->element);
  int64_t n = sizeOf(c, source->layout), common;
  Side a = sideOf(c, source), b = sideOf(c, destination);
  VectorPlan plan = {orderOf(c, a, b, n, &common), 1};
  while (plan.width * 2 * bits <= maxBits && common % (plan.width * 2) == 0)
    plan.width *= 2;
  while (plan.width > 1 &&
         !(allows(c, a, plan, n, assumed) && allows(c, b, plan, n, assumed)))
    plan.width /= 2;
  return plan;
}

// Plans on types without bound leaves, so that nothing is emitted.
static VectorPlan planOf(CuteContext c, CuteType source, CuteType destination,
                         int64_t maxBits, bool assumed) {
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(c, NULL, NULL);
  bool tracked = cuteContextTrackDivisors(c, true);
  VectorPlan plan = makePlan(c, source, destination, maxBits, assumed);
  cuteContextTrackDivisors(c, tracked);
  return plan;
}

CuteRuns cuteVectorCopyGetRuns(CuteContext c, CuteType source,
                               CuteType destination, int64_t maxBits,
                               bool assumed) {
  VectorPlan plan = planOf(c, source, destination, maxBits, assumed);
  return (CuteRuns){plan.order, plan.width};
}

CuteRuns cuteTensorGetRuns(CuteContext c, CuteType tensor) {
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(c, NULL, NULL);
  Side side = sideOf(c, tensor);
  CuteRuns runs;
  runs.order = orderOf(c, side, side, sizeOf(c, tensor->layout), &runs.length);
  if (cuteLayoutIsComposed(tensor->layout))
    runs.length = cuteGcd(runs.length, side.block);
  return runs;
}

CuteRuns cuteBulkCopyGetRuns(CuteContext c, CuteType source,
                             CuteType destination) {
  CUTE_SCOPED(Arithmetic) inference = cuteArithmeticBegin(c, NULL, NULL);
  bool tracked = cuteContextTrackDivisors(c, true);
  Side a = sideOf(c, source), b = sideOf(c, destination);
  int64_t n = sizeOf(c, source->layout);
  int64_t unit = 128 / cuteElementTypeGetBits(source->element);
  CuteRuns runs;
  runs.order = orderOf(c, a, b, n, &runs.length);
  if (cuteLayoutIsComposed(source->layout))
    runs.length = cuteGcd(runs.length, a.block);
  if (cuteLayoutIsComposed(destination->layout))
    runs.length = cuteGcd(runs.length, b.block);
  VectorPlan plan = {runs.order, unit};
  if (runs.length % unit || !allows(c, a, plan, n, false) ||
      !allows(c, b, plan, n, false))
    runs.length = 0;
  cuteContextTrackDivisors(c, tracked);
  return runs;
}

int64_t cuteRunsGetElement(CuteContext c, CuteRuns runs, int64_t i) {
  return cuteEvalMode(c, staticInt(c, i), layoutMode(runs.order))->value;
}

//===-- Accesses ----------------------------------------------------------===//

typedef struct Access {
  int64_t n, at[MAX_VECTOR]; // elements, counted colexicographically
  MlirType element, vector;
} Access;

static bool isRun(const Access *access) {
  for (int64_t i = 1; i < access->n; ++i)
    if (access->at[i] != access->at[0] + i)
      return false;
  return true;
}

// Tells whether the elements of an access are side by side in memory, by the
// plan, which may trust more than the tensor's type says.
static bool isMemoryRun(const CuteLowered *tensor, const Access *access) {
  return tensor->type->space != CUTE_RMEM && access->n > 1;
}

static MlirValue load(CuteLowering *l, const CuteLowered *tensor,
                      const Access *access) {
  const CuteBuilder *b = &l->builder;
  if (isMemoryRun(tensor, access))
    return cuteLoweringLoadRun(l, tensor, access->at[0], access->n,
                               access->vector);
  if (isRun(access))
    return cuteLoweringLoadValues(l, tensor, access->at[0], access->n,
                                  access->vector);
  MlirValue vector =
      cuteBuildResult(b, "llvm.mlir.poison", 0, NULL, access->vector);
  for (int64_t i = 0; i < access->n; ++i) {
    MlirValue parts[] = {
        vector,
        cuteLoweringLoadValues(l, tensor, access->at[i], 1, access->element),
        cuteBuildInt(b, 32, i)};
    vector = cuteBuildResult(b, "llvm.insertelement", 3, parts, access->vector);
  }
  return vector;
}

static void store(CuteLowering *l, const CuteLowered *tensor,
                  const Access *access, MlirValue vector) {
  const CuteBuilder *b = &l->builder;
  if (isMemoryRun(tensor, access)) {
    cuteLoweringStoreRun(l, tensor, access->at[0], access->n, vector);
    return;
  }
  if (isRun(access)) {
    cuteLoweringStoreValues(l, tensor, access->at[0], access->n, vector);
    return;
  }
  for (int64_t i = 0; i < access->n; ++i) {
    MlirValue parts[] = {vector, cuteBuildInt(b, 32, i)};
    MlirValue single =
        cuteBuildResult(b, "llvm.extractelement", 2, parts, access->element);
    cuteLoweringStoreValues(l, tensor, access->at[i], 1, single);
  }
}

static Access accessOf(CuteLowering *l, CuteType type, VectorPlan plan) {
  Access access = {.n = plan.width};
  access.element = access.vector =
      cuteElementRawType(&l->builder, type->element);
  if (plan.width > 1)
    access.vector = mlirVectorTypeGet(1, &plan.width, access.element);
  return access;
}

static void moveTo(CuteContext c, Access *access, VectorPlan plan,
                   int64_t first) {
  for (int64_t i = 0; i < plan.width; ++i)
    access->at[i] =
        cuteEvalMode(c, staticInt(c, first + i), layoutMode(plan.order))->value;
}

static void copyBy(CuteLowering *l, const CuteLowered *source,
                   const CuteLowered *destination, VectorPlan plan) {
  CuteContext c = l->context;
  int64_t n = cuteCopyCountElements(c, source->type);
  Access access = accessOf(l, source->type, plan);
  for (int64_t first = 0; first < n; first += plan.width) {
    moveTo(c, &access, plan, first);
    store(l, destination, &access, load(l, source, &access));
  }
}

void cuteLowerVectorCopy(CuteLowering *lowering, MlirOperation op,
                         intptr_t first, int64_t maxBits, bool assumed) {
  MlirValue source = getOperand(op, first);
  MlirValue destination = getOperand(op, first + 1);
  VectorPlan plan = planOf(
      lowering->context, cuteDialectGetValueType(lowering->dialect, source),
      cuteDialectGetValueType(lowering->dialect, destination), maxBits,
      assumed);
  copyBy(lowering, cuteLoweringGet(lowering, source),
         cuteLoweringGet(lowering, destination), plan);
}

bool cuteElementsFill(CuteLowering *lowering, MlirValue tensor, MlirValue raw) {
  CuteContext c = lowering->context;
  const CuteLowered *filled = cuteLoweringGet(lowering, tensor);
  CuteType type = cuteDialectGetValueType(lowering->dialect, tensor);
  bool isLoop = type->layout->shape->numDynamic;
  int64_t n = isLoop ? 0 : cuteCopyCountElements(c, type);
  if (isLoop || n > CUTE_MAX_UNROLLED)
    return cuteLowerElements(
        lowering, (CuteElements){.destination = filled, .value = raw});
  VectorPlan plan = planOf(c, type, type, 128, false);
  Access access = accessOf(lowering, type, plan);
  MlirValue vector =
      plan.width > 1 ? cuteBuildUnary(&lowering->builder, "vector.broadcast",
                                      raw, access.vector)
                     : raw;
  for (int64_t first = 0; first < n; first += plan.width) {
    moveTo(c, &access, plan, first);
    store(lowering, filled, &access, vector);
  }
  return true;
}
