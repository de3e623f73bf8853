// cute-canonicalize: values that are equal become one, what types spell becomes
// static, chains get shorter (rewrites.c), ops leave loops that they do not
// depend on, and unused ops go. MLIR's own passes do not touch ops whose
// effects they cannot know.
//
// One round visits ops in order, so that operands are canonical before their
// users; rounds repeat until one changes nothing, which makes the pass
// idempotent. Nothing is erased before the end of a round: values are known by
// their addresses.
#include "IR/dominance.h"
#include "Support/growing_array.h"
#include "Transforms/rewrites.h"

#include <stdlib.h>

// A block; inside the frame of the block that dominates it, or of its region's
// operation.
typedef struct Frame {
  MlirBlock block;
  MlirOperation current; // the op being visited
  size_t entries;        // what is available in it and not outside
  size_t outside;        // + 1: the frame around the loop that runs the block
                         // in each trip; 0: none does
  bool isGraph;          // ops may come before what they use
} Frame;

typedef struct Canonicalizer {
  CuteRewriter rewriter;
  CuteAvailable available;
  CutePointerMap frameOf; // MlirBlock -> index of its frame + 1
  Frame *frames;
  size_t depth, capacity;
  size_t visible; // frames before this one are out of sight
  bool changed;
} Canonicalizer;

static Frame *top(Canonicalizer *c) { return &c->frames[c->depth - 1]; }

//===-- Replacing ---------------------------------------------------------===//

static bool isUsed(MlirValue value) {
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(value));
}

static void replace(Canonicalizer *c, MlirValue old, MlirValue new) {
  mlirValueReplaceAllUsesOfWith(old, new);
  c->changed = true;
}

// Memory is more than its type: two pointers of one type may differ, and so may
// the tensor maps and barriers of TMA atoms.
static bool isValue(CuteType bound) {
  return bound && !cuteTypeHasPointer(bound) && !cuteTypeIsBulkAtom(bound) &&
         bound->kind != CUTE_TYPE_FOREIGN;
}

// The frame of the block in which a value is defined: the innermost one where
// that block is not being visited, as for a dominating neighbour.
static size_t frameOfValue(const Canonicalizer *c, MlirValue value) {
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  size_t index = (size_t)(uintptr_t)cutePointerMapGet(&c->frameOf, block.ptr);
  return index && index <= c->depth &&
                 mlirBlockEqual(c->frames[index - 1].block, block)
             ? index - 1
             : c->depth - 1;
}

static void addValue(Canonicalizer *c, size_t frame, MlirValue value,
                     CuteType bound) {
  if (isValue(bound))
    cuteAvailableAddValue(&c->available, frame, &c->frames[frame].entries,
                          bound, value);
}

// Operands that no visited op defines are available, too.
static void addOperands(Canonicalizer *c, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (cuteNumberingKnows(&c->rewriter.numbering, operand))
      continue;
    size_t frame = frameOfValue(c, operand);
    addValue(c, frame, operand,
             cuteNumberingGet(&c->rewriter.numbering, operand));
  }
}

// Law: a result is any value of its type with the same bound type.
static void replaceByEqual(Canonicalizer *c, MlirOperation op,
                           const CuteOp *instance) {
  for (size_t i = 0; i < instance->numResults; ++i) {
    MlirValue result = mlirOperationGetResult(op, (intptr_t)i);
    if (!isUsed(result) || !isValue(instance->results[i]))
      continue;
    MlirValue equal =
        cuteAvailableFindValue(&c->available, c->visible,
                               mlirValueGetType(result), instance->results[i]);
    if (!mlirValueIsNull(equal) && !mlirValueEqual(equal, result))
      replace(c, result, equal);
  }
}

// Law: equal ops on equal operands have equal results. Needed where a bound
// type says too little: for memory, and for results of other dialects.
static void replaceBySame(Canonicalizer *c, MlirOperation op) {
  MlirOperation same = cuteAvailableFindOp(&c->available, c->visible, op);
  if (mlirOperationIsNull(same) || mlirOperationEqual(same, op))
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    replace(c, mlirOperationGetResult(op, i), mlirOperationGetResult(same, i));
}

//===-- Loops -------------------------------------------------------------===//

// The outermost frame to which an op can move over loops only: to the end of
// the block before a loop of blocks, or before the operation of a region.
static size_t hoistedFrame(const Canonicalizer *c, MlirOperation op) {
  size_t least = 0, frame = c->depth - 1;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    size_t of = frameOfValue(c, mlirOperationGetOperand(op, i));
    least = of > least ? of : least;
  }
  least = least > c->visible ? least : c->visible;
  while (c->frames[frame].outside > least)
    frame = c->frames[frame].outside - 1;
  return frame;
}

// Law: an op without effects that cannot trap may run before a loop that does
// not run, and each of its runs inside gives the same.
static size_t hoist(Canonicalizer *c, MlirOperation op, bool mayTrap) {
  size_t frame = mayTrap ? c->depth - 1 : hoistedFrame(c, op);
  if (frame < c->depth - 1) {
    mlirOperationMoveBefore(op, c->frames[frame].current);
    c->changed = true;
  }
  return frame;
}

//===-- Visiting ----------------------------------------------------------===//

static void keep(Canonicalizer *c, MlirOperation op, const CuteOp *instance,
                 bool mayTrap) {
  size_t frame = hoist(c, op, mayTrap);
  for (size_t i = 0; instance && i < instance->numResults; ++i)
    addValue(c, frame, mlirOperationGetResult(op, (intptr_t)i),
             instance->results[i]);
  cuteAvailableAddOp(&c->available, frame, &c->frames[frame].entries, op);
  cuteRewriterMarkVisited(&c->rewriter, op);
}

// Returns the first op that was created in front of this one, or null.
static MlirOperation simplify(Canonicalizer *c, const CuteOpDecl *decl,
                              MlirOperation op) {
  MlirOperation created = {NULL};
  CuteOp instance;
  addOperands(c, op);
  bool known = cuteNumberingInfer(&c->rewriter.numbering, decl, op, &instance);
  bool mayTrap = c->rewriter.numbering.mayTrap;
  if (known) {
    replaceByEqual(c, op, &instance);
    created =
        cuteRewrite(&c->rewriter, &c->available, c->visible, op, &instance);
  }
  if (!mlirOperationIsNull(created)) {
    c->changed = true;
    return created; // the op is visited again, if it has uses left
  }
  if (cuteMlirIsUsed(op))
    replaceBySame(c, op);
  if (cuteMlirIsUsed(op))
    keep(c, op, known ? &instance : NULL, mayTrap);
  return created;
}

// Merges and does no more: no order of definition and use is known.
static void visitInGraph(Canonicalizer *c, MlirOperation op) {
  replaceBySame(c, op);
  if (cuteMlirIsUsed(op))
    cuteAvailableAddOp(&c->available, c->depth - 1, &top(c)->entries, op);
}

static void visitRegions(Canonicalizer *c, MlirOperation parent);

// Returns the op to be visited next.
static MlirOperation visitOp(Canonicalizer *c, MlirOperation op) {
  MlirOperation next = mlirOperationGetNextInBlock(op);
  CuteDialect *dialect = c->rewriter.numbering.dialect;
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  if (!decl)
    visitRegions(c, op);
  if (!decl || !decl->traits.isPure || !cuteMlirIsUsed(op))
    return next;
  if (top(c)->isGraph) {
    visitInGraph(c, op);
    return next;
  }
  CuteArena *scratch = &dialect->context->scratch;
  CuteArenaMark mark = cuteArenaGetMark(scratch);
  MlirOperation created = simplify(c, decl, op);
  cuteArenaReset(scratch, mark);
  return mlirOperationIsNull(created) ? next : created;
}

static void pushFrame(Canonicalizer *c, Frame frame) {
  CUTE_PUSH(c->frames, c->depth, c->capacity, frame);
  cutePointerMapSet(&c->frameOf, frame.block.ptr, (void *)c->depth);
}

static void popFrame(Canonicalizer *c) {
  cuteAvailableRemove(&c->available, top(c)->entries);
  --c->depth;
}

static void visitOps(Canonicalizer *c) {
  MlirOperation op = mlirBlockGetFirstOperation(top(c)->block);
  while (!mlirOperationIsNull(op)) {
    top(c)->current = op;
    op = visitOp(c, op);
  }
}

// A block sees what is in the blocks that dominate it; those that cannot be
// reached are not visited. The region may be the body of a loop.
static void visitRegion(Canonicalizer *c, MlirRegion region, bool isLoopBody,
                        bool isGraph) {
  CuteDominance dominance = cuteDominanceCompute(region);
  size_t outside = c->depth;
  for (size_t i = 0; i < dominance.count; ++i) {
    while (c->depth > outside + dominance.depths[i])
      popFrame(c);
    size_t depth = dominance.depths[i], loop = dominance.loops[i];
    Frame inner = {.block = dominance.blocks[i], .isGraph = isGraph};
    if (loop || (isLoopBody && !depth))
      inner.outside = outside + loop;
    pushFrame(c, inner);
    visitOps(c);
  }
  while (c->depth > outside)
    popFrame(c);
  cuteDominanceDestroy(&dominance);
}

// Ops whose regions see no values from outside.
static bool isIsolated(MlirOperation op) {
  return cuteMlirIs(op, "builtin.module") || cuteMlirIs(op, "gpu.module") ||
         cuteMlirHasAttribute(op, "function_type");
}

static bool hasGraphRegions(MlirOperation op) {
  return cuteMlirIs(op, "builtin.module") || cuteMlirIs(op, "gpu.module") ||
         !mlirContextIsRegisteredOperation(mlirOperationGetContext(op),
                                           cuteMlirGetName(op));
}

// Ops that run their regions any number of times, of which one could be before
// them. What a thread of a gpu.launch computes stays on its device.
static bool isLoop(MlirOperation op) {
  static const char *const names[] = {"scf.for",      "scf.while",
                                      "scf.parallel", "scf.forall",
                                      "affine.for",   "affine.parallel"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (cuteMlirIs(op, names[i]))
      return true;
  return false;
}

static void visitRegions(Canonicalizer *c, MlirOperation parent) {
  intptr_t n = mlirOperationGetNumRegions(parent);
  if (!n)
    return;
  size_t visible = c->visible;
  if (isIsolated(parent))
    c->visible = c->depth;
  bool isLoopBody = isLoop(parent), isGraph = hasGraphRegions(parent);
  for (intptr_t r = 0; r < n; ++r)
    visitRegion(c, mlirOperationGetRegion(parent, r), isLoopBody, isGraph);
  c->visible = visible;
}

//===-- The pass ----------------------------------------------------------===//

// The number of pure ops that stay.
static size_t eraseUnused(CuteDialect *dialect, MlirOperation root) {
  CuteOpList list = cuteOpListCollect(dialect, root);
  size_t kept = list.count;
  for (size_t i = list.count; i-- > 0;)
    if (list.decls[i]->traits.isPure && !cuteMlirIsUsed(list.ops[i])) {
      mlirOperationDestroy(list.ops[i]);
      --kept;
    }
  cuteOpListDestroy(&list);
  return kept;
}

// Returns whether anything changed.
static bool runRound(CuteDialect *dialect, MlirOperation root, size_t numOps) {
  Canonicalizer c = {0};
  cuteRewriterInit(&c.rewriter, dialect);
  cuteAvailableInit(&c.available, numOps * 2);
  visitRegions(&c, root);
  cuteRewriterDestroy(&c.rewriter);
  cuteAvailableDestroy(&c.available);
  cutePointerMapDestroy(&c.frameOf);
  free(c.frames);
  return c.changed;
}

// Two rounds do, the second to see that there is nothing left.
enum { MAX_ROUNDS = 16 };

bool cuteRunCanonicalize(CuteDialect *dialect, MlirOperation root,
                         const CutePassOptions *options) {
  (void)options;
  size_t numOps = eraseUnused(dialect, root);
  for (int i = 0; i < MAX_ROUNDS && runRound(dialect, root, numOps); ++i)
    numOps = eraseUnused(dialect, root);
  eraseUnused(dialect, root);
  return true;
}
