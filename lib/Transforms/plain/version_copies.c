// cute-version-copies: copies of single elements, each with a predicate, get a
// second version of whole vectors, which runs where all predicates are true and
// the memory turns out to be aligned. Rounds of a loop that only load the same
// again are left out: LLVM, which does so with loads, does not see it in loads
// of either version.
#include "Hardware/atom.h"
#include "IR/effects.h"
#include "IR/loops.h"
#include "IR/views.h"
#include "Ops/copy_atoms.h"
#include "Transforms/edit/emit_ops.h"
#include "Transforms/transforms.h"

// More elements than a thread usually has would take as many registers.
enum { MOST_ELEMENTS = 64, MOST_BITS = 128 };

typedef struct Versioned {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation op;
  CuteCopyParts parts;
  CuteType copy, source, destination, predicate;
  int64_t count; // elements
  CuteRuns runs; // that whole vectors would take
} Versioned;

static CuteType typeOf(const Versioned *v, MlirValue value) {
  return mlirValueIsNull(value) ? NULL
                                : cuteDialectGetValueType(v->dialect, value);
}

//===-- Which copies ------------------------------------------------------===//

static bool isStaticTensor(CuteType type) {
  return type && type->kind == CUTE_TYPE_TENSOR &&
         !type->layout->shape->numDynamic;
}

// Tells whether it is between registers and global memory, by loads or stores
// of one element of whole bytes; basic_copy_if always is.
static bool isOfElements(const Versioned *v) {
  const CuteCopyAtom *atom = v->copy ? v->copy->atom : NULL;
  int64_t bits = cuteElementTypeGetBits(v->source->element);
  bool isLoad =
           v->source->space == CUTE_GMEM && v->destination->space == CUTE_RMEM,
       isStore =
           v->source->space == CUTE_RMEM && v->destination->space == CUTE_GMEM;
  return (isLoad || isStore) && bits >= 8 && bits < MOST_BITS &&
         (!atom || (atom->kind == &cuteCopyAtomKinds[CUTE_COPY_UNIVERSAL] &&
                    cuteCopyAtomValues(v->context, v->copy, CUTE_SOURCE) == 1));
}

static bool describe(Versioned *v) {
  cuteEffectGetCopy(v->dialect, v->op, &v->parts);
  v->copy = typeOf(v, v->parts.copy);
  v->source = typeOf(v, v->parts.source);
  v->destination = typeOf(v, v->parts.destination);
  v->predicate = typeOf(v, v->parts.predicate);
  if (!isStaticTensor(v->source) || !isStaticTensor(v->destination) ||
      !isStaticTensor(v->predicate) || !isOfElements(v))
    return false;
  v->count = cuteCopyCountElements(v->context, v->source);
  if (v->count > MOST_ELEMENTS ||
      cuteCopyCountElements(v->context, v->destination) != v->count ||
      cuteCopyCountElements(v->context, v->predicate) != v->count)
    return false;
  v->runs = cuteVectorCopyGetRuns(v->context, v->source, v->destination,
                                  MOST_BITS, true);
  return v->runs.length > 1;
}

//===-- Loops of loads ----------------------------------------------------===//

// Tells whether an op of a loop's body loads in each round the same to the same
// registers, which are not the predicates of a copy there.
static bool isRepeated(const Versioned *v, MlirOperation loop,
                       MlirOperation op) {
  CuteCopyParts parts;
  bool isLoad = cuteEffectGetCopy(v->dialect, op, &parts) &&
                cuteViewIsIn(v->dialect, parts.source, CUTE_GMEM) &&
                cuteViewIsIn(v->dialect, parts.destination, CUTE_RMEM);
  for (intptr_t i = 0; isLoad && i < getNumOperands(op); ++i)
    isLoad = !cuteMlirIsInside(cuteMlirGetScope(getOperand(op, i)), loop);
  return isLoad && !cuteViewIsOf(v->dialect, v->parts.predicate, CUTE_RMEM,
                                 cuteViewGetRoot(v->dialect, parts.destination,
                                                 CUTE_RMEM));
}

// Takes a load out of a loop in which there is nothing but such loads.
static void leaveLoop(const Versioned *v) {
  MlirOperation loop = mlirOperationGetParentOperation(v->op);
  int64_t trips = 0;
  if (!cuteMlirIs(loop, "scf.for") ||
      !cuteLoopGetTrips(v->dialect, loop, &trips) || trips < 1)
    return;
  MlirBlock body = cuteMlirGetBody(loop, 0);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  while (isRepeated(v, loop, op))
    op = mlirOperationGetNextInBlock(op);
  if (mlirOperationEqual(op, mlirBlockGetTerminator(body)))
    mlirOperationMoveBefore(v->op, loop);
}

//===-- The condition -----------------------------------------------------===//

static MlirValue both(const CuteBuilder *b, const char *name, MlirValue x,
                      MlirValue y) {
  return mlirValueIsNull(x) ? y : cuteBuildBinary(b, name, x, y);
}

static CuteIntTuple coordOf(const Versioned *v, CuteType tensor, int64_t i) {
  return cuteIdx2Crd(v->context, staticInt(v->context, i),
                     tensor->layout->shape);
}

static MlirValue allPredicates(const Versioned *v, CuteRebuild *r) {
  MlirValue all = {NULL};
  for (int64_t i = 0; i < v->count && !r->failed; ++i) {
    CuteType coord = cuteTypeGetTuple(v->context, CUTE_TYPE_COORD,
                                      coordOf(v, v->predicate, i));
    MlirValue one = cuteEmit2(r, CUTE_OP_LOAD, v->parts.predicate,
                              cuteEmitStatic(r, coord));
    if (!r->failed)
      all = both(&r->builder, "arith.andi", all, one);
  }
  return all;
}

// The addresses at which vectors begin, any of whose low bits is in the result.
static MlirValue allAddresses(const Versioned *v, CuteRebuild *r) {
  bool isLoad = v->source->space == CUTE_GMEM;
  MlirValue tensor = isLoad ? v->parts.source : v->parts.destination;
  CuteType type = isLoad ? v->source : v->destination;
  MlirValue all = {NULL};
  for (int64_t i = 0; i < v->count && !r->failed; i += v->runs.length) {
    int64_t first = cuteRunsGetElement(v->context, v->runs, i);
    MlirValue at = cuteRebuildSlice(r, tensor, coordOf(v, type, first));
    at = cuteEmit1(r, CUTE_OP_PTR_TO_INT, cuteEmit1(r, CUTE_OP_GET_ITER, at));
    if (!r->failed)
      all = both(&r->builder, "arith.ori", all, at);
  }
  return all;
}

static MlirValue condition(const Versioned *v, CuteRebuild *r) {
  const CuteBuilder *b = &r->builder;
  MlirValue predicates = allPredicates(v, r), addresses = allAddresses(v, r);
  if (r->failed)
    return predicates;
  int64_t bits = cuteElementTypeGetBits(v->source->element);
  MlirValue low =
      cuteBuildWith(b, "arith.andi", addresses, v->runs.length * bits / 8 - 1);
  MlirValue isAligned = cuteBuildTest(b, CUTE_CMPI_EQ, low, 0);
  return cuteBuildBinary(b, "arith.andi", predicates, isAligned);
}

//===-- Both versions -----------------------------------------------------===//

static bool build(const Versioned *v, CuteRebuild *r) {
  static const char name[] = "AutoVectorizingCopyWithAssumedAlignment<128>";
  CuteType copy = cuteTypeGetCopyAtom(
      v->context, cuteCopyAtomFind(cuteStringRef(name)), v->source->element);
  MlirValue isWhole = condition(v, r);
  if (r->failed)
    return false;
  MlirBlock otherwise, then = cuteBuildIfElse(&r->builder, isWhole, &otherwise);
  CuteBuilder inner = cuteBuilderAtStart(then, r->builder.location);
  MlirValue operands[] = {cuteBuildStatic(&inner, v->dialect, copy),
                          v->parts.source, v->parts.destination};
  if (mlirOperationIsNull(
          cuteBuildOp(&inner, v->dialect, CUTE_OP_COPY, 3, operands, 0, NULL)))
    return false;
  mlirOperationMoveBefore(v->op, mlirBlockGetFirstOperation(otherwise));
  return true;
}

static bool version(CuteDialect *dialect, MlirOperation op) {
  CuteArena *scratch = &dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  Versioned v = {.dialect = dialect, .context = dialect->context, .op = op};
  if (!describe(&v))
    return true;
  leaveLoop(&v);
  CuteRebuild r = cuteRebuildBefore(dialect, op);
  return build(&v, &r) ||
         cuteEmitOpError(op, "%s", cuteContextGetError(dialect->context));
}

bool cuteRunVersionCopies(const CutePass *pass) {
  CuteOpList list = cuteOpListCollect(pass->dialect, pass->root);
  for (size_t i = 0; i < list.count; ++i)
    if ((list.decls[i]->id == CUTE_OP_COPY ||
         list.decls[i]->id == CUTE_OP_BASIC_COPY_IF) &&
        !version(pass->dialect, list.ops[i]))
      return false;
  return true;
}
