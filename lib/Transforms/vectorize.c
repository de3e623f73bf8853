// cute-vectorize: copies by atoms of few bits take the widest atom of the same
// kind that their tensors admit.
#include "Transforms/vectorize.h"
#include "IR/views.h"

#include "Hardware/atom.h"
#include "Ops/copy_atoms.h"
#include "Transforms/transforms.h"

typedef struct Vectorizer {
  CuteDialect *dialect;
  CuteContext context;
  MlirOperation op;
  CuteCopyParts parts;
  CuteType copy, tensors[2]; // source, destination
  bool isMemory[2];          // not registers
  int64_t values;            // of an access as it is
  CuteVectorModes modes;
} Vectorizer;

//===-- Modes -------------------------------------------------------------===//

// Tells whether leaf i continues what lies side by side in memory.
static bool continues(const Vectorizer *v, size_t i, int64_t stride) {
  for (int side = 0; side < 2; ++side)
    if (v->isMemory[side] &&
        !isStaticValue(v->modes.leaves[side].strides[i], stride))
      return false;
  return true;
}

// False if the two have not the same extents in the same order.
static bool findModes(Vectorizer *v) {
  CuteVectorModes *modes = &v->modes;
  bool isTaken[CUTE_MAX_VECTOR_MODES] = {false};
  for (int side = 0; side < 2; ++side)
    if (!cuteLeavesCollect(v->context, v->tensors[side]->layout,
                           &modes->leaves[side]))
      return false;
  if (!cuteVectorModesMatch(v->context, modes))
    return false;
  size_t count = modes->leaves[0].count;
  int64_t stride = 1; // 0: after a dynamic extent
  for (size_t i = 0; i < count;) {
    if (isTaken[i] || !stride || !continues(v, i, stride)) {
      ++i;
      continue;
    }
    isTaken[i] = true;
    modes->order[modes->count++] = i;
    stride *= modes->leaves[0].extents[i];
    i = 0;
  }
  modes->numTogether = modes->count;
  for (size_t i = 0; i < count; ++i)
    if (!isTaken[i])
      modes->order[modes->count++] = i;
  return true;
}

//===-- The wide copy -----------------------------------------------------===//

static MlirValue viewOf(Vectorizer *v, CuteRebuild *r, int side,
                        MlirValue tensor, int64_t values) {
  return cuteVectorView(r, &v->modes, &v->modes.leaves[side], tensor, values);
}

// The copy by accesses of that many elements in front of the one there is;
// false, with r->failed, if it is not possible.
static bool buildWide(Vectorizer *v, CuteRebuild *r, const CuteCopyAtom *atom,
                      int64_t values) {
  CuteType type = cuteTypeGetCopyAtom(v->context, atom, v->copy->element);
  MlirValue operands[] = {cuteBuildStatic(r->builder, v->dialect, type),
                          viewOf(v, r, 0, v->parts.source, values),
                          viewOf(v, r, 1, v->parts.destination, values),
                          {NULL}};
  bool hasPredicate = !mlirValueIsNull(v->parts.predicate);
  if (hasPredicate && !cuteLeavesAreStatic(&v->modes.leaves[0])) {
    cuteFail(v->context, "it has a predicate and a dynamic number of accesses");
    r->failed = true;
  } else if (hasPredicate && !r->failed) {
    operands[3] = cuteVectorizePredicate(r, v->parts.predicate, &v->modes,
                                         v->values, values);
    if (mlirValueIsNull(operands[3])) {
      cuteFail(v->context, "its predicate may differ between them");
      r->failed = true;
    }
  }
  cuteRebuildCreate(r, CUTE_OP_COPY, hasPredicate ? 4 : 3, operands, 0, NULL);
  return !r->failed;
}

//===-- One copy ----------------------------------------------------------===//

// Removes what lies between an op (null: the start of the block) and
// another one.
static void eraseBetween(MlirOperation before, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  for (;;) {
    MlirOperation last = {NULL}, at = mlirOperationIsNull(before)
                                          ? mlirBlockGetFirstOperation(block)
                                          : mlirOperationGetNextInBlock(before);
    for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
      last = at;
    if (mlirOperationIsNull(last))
      return;
    mlirOperationDestroy(last);
  }
}

static MlirOperation opBefore(MlirOperation op) {
  MlirOperation before = {NULL},
                at = mlirBlockGetFirstOperation(mlirOperationGetBlock(op));
  for (; !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at))
    before = at;
  return before;
}

static bool tryBits(Vectorizer *v, int64_t bits) {
  int64_t width = cuteElementTypeGetBits(v->copy->element);
  const CuteCopyAtom *atom = cuteCopyAtomOfBits(v->copy->atom, bits);
  if (!atom)
    return false; // one of fewer bits says why
  if (!cuteVectorModesDivide(&v->modes, v->isMemory, bits / width))
    return cuteFail(v->context,
                    "the extents of the modes side by side are no multiples "
                    "of %lld, nor multiply to it",
                    (long long)(bits / width)) != NULL;
  CuteBuilder builder = cuteBuilderBefore(v->op);
  CutePointerMap none = {0};
  CuteRebuild r = {.dialect = v->dialect, .builder = &builder, .moves = &none};
  MlirOperation before = opBefore(v->op);
  bool ok = buildWide(v, &r, atom, bits / width);
  if (!ok)
    eraseBetween(before, v->op);
  return ok;
}

static void report(const Vectorizer *v, int64_t bits, const char *reason) {
  MlirLocation location = mlirOperationGetLocation(v->op);
  if (reason)
    cuteEmitRemark(location, "keeps its accesses of %lld bits: %s",
                   (long long)bits, reason);
  else
    cuteEmitRemark(location, "accesses %lld bits at a time", (long long)bits);
}

enum { MOST_BITS = 128 };

static bool widen(Vectorizer *v, int64_t now) {
  if (!v->modes.numTogether)
    return cuteFail(v->context,
                    "no mode of both tensors has stride 1 in memory");
  for (int64_t bits = MOST_BITS; bits > now; bits /= 2)
    if (tryBits(v, bits)) {
      report(v, bits, NULL);
      mlirOperationDestroy(v->op);
      return true;
    }
  return false;
}

static bool describe(Vectorizer *v) {
  cuteEffectGetCopy(v->dialect, v->op, &v->parts);
  v->copy = cuteDialectGetValueType(v->dialect, v->parts.copy);
  v->tensors[0] = cuteDialectGetValueType(v->dialect, v->parts.source);
  v->tensors[1] = cuteDialectGetValueType(v->dialect, v->parts.destination);
  for (int side = 0; side < 2; ++side)
    v->isMemory[side] = v->tensors[side]->space != CUTE_RMEM;
  if (!v->copy || !((const CuteCopyAtom *)v->copy->atom)->kind->widens ||
      (!v->isMemory[0] && !v->isMemory[1]))
    return false;
  v->values = cuteCopyAtomValues(v->context, v->copy, CUTE_SOURCE);
  return true;
}

// Tells whether a fragment is an operand of products, or is like one that is.
static bool isOfMma(CuteDialect *dialect, MlirValue fragment) {
  MlirValue root = cuteViewGetRoot(dialect, fragment, CUTE_RMEM);
  CUTE_FOR_USES(use, root) {
    const CuteOpDecl *decl =
        cuteDialectGetDecl(dialect, mlirOpOperandGetOwner(use));
    if (decl && decl->id == CUTE_OP_GEMM)
      return true;
  }
  if (mlirValueIsABlockArgument(root))
    return false;
  MlirOperation op = mlirOpResultGetOwner(root);
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl && decl->id == CUTE_OP_MAKE_FRAGMENT_LIKE &&
         isOfMma(dialect, mlirOperationGetOperand(op, 0));
}

// Tells whether an MMA says which values a thread has, fewer side by side than
// the next wider access takes: there is nothing to do about it.
static bool isBoundByMma(const Vectorizer *v) {
  return !cuteVectorModesDivide(&v->modes, v->isMemory, 2 * v->values) &&
         (isOfMma(v->dialect, v->parts.source) ||
          isOfMma(v->dialect, v->parts.destination));
}

static void vectorize(CuteDialect *dialect, MlirOperation op) {
  Vectorizer v = {.dialect = dialect, .context = dialect->context, .op = op};
  if (!describe(&v))
    return;
  int64_t now = v.values * cuteElementTypeGetBits(v.copy->element);
  if (now >= MOST_BITS || !cuteCopyAtomOfBits(v.copy->atom, 2 * now))
    return;
  if (!findModes(&v))
    report(&v, now,
           "the modes of source and destination cannot be divided into "
           "the same ones");
  else if (!widen(&v, now) && !isBoundByMma(&v))
    report(&v, now, cuteContextGetError(v.context));
}

bool cuteRunVectorize(CuteDialect *dialect, MlirOperation root,
                      const CutePassOptions *options) {
  if (!cuteRunExpandTiles(dialect, root, options))
    return false;
  CUTE_SCOPED(OpList) list = cuteOpListCollect(dialect, root);
  CuteArenaMark mark = cuteArenaGetMark(&dialect->context->scratch);
  for (size_t i = 0; i < list.count; ++i)
    if (list.decls[i]->id == CUTE_OP_COPY) {
      vectorize(dialect, list.ops[i]);
      cuteArenaReset(&dialect->context->scratch, mark);
    }
  return true;
}
