// Tensor memory (sm_100): allocation, order of operations on it, and the tiled
// copies that move it.
#include "Ops/copy_atoms.h"
#include "Ops/ops.h"
#include "Ops/tied_registers.h"

//===-- Checks ------------------------------------------------------------===//

static bool inferAlloc(CuteOp *op) {
  CuteType slot = op->operands[0];
  if (slot->space == CUTE_SMEM && slot->element == CUTE_ELEMENT_I32)
    return true;
  return cuteFail(op->context,
                  "the address is written to an i32 in smem, not to %s",
                  cuteTypeText(op->context, slot));
}

static bool inferPointer(CuteOp *op) {
  if (op->operands[0]->space == CUTE_TMEM)
    return true;
  return cuteFail(op->context, "the pointer must be in tmem, not in %s",
                  cuteTypeGetSpaceName((CuteSpace)op->operands[0]->space));
}

static bool inferCommit(CuteOp *op) { return cuteMbarrierCheck(op, 0); }

// Kinds of waits, as their words are declared.
enum { LOADS, STORES };

static bool inferWait(CuteOp *op) {
  if (cuteOpGetWord(op, "kind") == LOADS || !op->numOperands)
    return cuteCheckTiedOperands(op);
  return cuteFail(
      op->context,
      "only loads fill registers: a wait of kind \"st\" has no operands");
}

static bool inferMakeTmemCopy(CuteOp *op) {
  CuteType tensor = op->operands[1];
  if (tensor->space == CUTE_TMEM)
    return cuteOpReturnTiledCopy(
        op, cuteTiledCopyGetTmem(op->context, ATOM, LAYOUT(1)));
  return cuteFail(op->context, "the tensor must be in tmem, not in %s",
                  cuteTypeGetSpaceName((CuteSpace)tensor->space));
}

// The type of what is compared, in PTX; null where nothing is.
static const char *comparedType(CuteElementType element) {
  return element == CUTE_ELEMENT_F32    ? "f32"
         : element == CUTE_ELEMENT_I32  ? "s32"
         : element == CUTE_ELEMENT_UI32 ? "u32"
                                        : NULL;
}

// PTX ISA, "tcgen05.ld.red".
static bool inferLoadReduce(CuteOp *op) {
  CuteContext c = op->context;
  CuteCopyOperands copy = {.copy = op->operands[0],
                           .source = op->operands[1],
                           .destination = op->operands[2]};
  const CuteCopyAtom *atom = copy.copy->atom;
  CuteElementType element = (CuteElementType)copy.copy->element;
  bool isShape = strstr(atom->instruction, "tcgen05.ld.sync.aligned.") &&
                 (strstr(atom->instruction, ".32x32b.") ||
                  strstr(atom->instruction, ".16x32bx2."));
  bool isPlain = cuteOpGetAttribute(op, "kind")->text.length == 3;
  if (!isShape || atom->packs || atom->bits < 64)
    return cuteFail(c,
                    "%s does not compare what it loads; valid are "
                    "SM100_TMEM_LOAD_32dp32b2x to 128x and 16dp32b2x to 128x",
                    atom->name);
  if (!comparedType(element) || (!isPlain && element != CUTE_ELEMENT_F32))
    return cuteFail(c, "%s need elements of f32%s, not %s",
                    isPlain ? "values" : "magnitudes and NaN",
                    isPlain ? ", i32 or ui32" : "",
                    cuteElementTypeGetName(element));
  return cuteCopyCheckAccess(c, copy) &&
         cuteOpReturnForeign(op, element == CUTE_ELEMENT_F32 ? "f32" : "i32");
}

//===-- Lowering ----------------------------------------------------------===//

// llvm.nvvm.tcgen05.NAME.cgN
static bool build(CuteLowering *l, const char *name, size_t n,
                  const MlirValue *operands) {
  char text[64];
  snprintf(text, sizeof text, "llvm.nvvm.tcgen05.%s.cg%d", name,
           (int)cuteOpGetAttribute(l->op, "ctas")->value);
  cuteBuildIntrinsic(&l->builder, text, n, operands, (MlirType){NULL});
  return true;
}

// With the pointer and the columns that an op has.
static bool lowerPlain(CuteLowering *l) {
  const CuteAttribute *columns = cuteOpGetAttribute(l->op, "columns");
  MlirValue operands[2];
  size_t n = 0;
  if (l->op->numOperands)
    operands[n++] = cuteLoweringGetPointer(l, 0);
  if (columns)
    operands[n++] = cuteBuildInt(&l->builder, 32, columns->value);
  return build(l, l->op->decl->hooks->target, n, operands);
}

static bool buildPlain(CuteLowering *l, const char *name) {
  cuteBuildIntrinsic(&l->builder, name, 0, NULL, (MlirType){NULL});
  return true;
}

static bool lowerCommit(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  MlirValue operands[2] = {cuteLoweringGetPointer(l, 0)};
  if (l->op->numOperands == 1)
    return build(l, "commit.shared", 1, operands);
  MlirType i16 = cuteIntType(b, 16);
  operands[1] = cuteLoweringGetOperand(l, 1);
  unsigned width = mlirIntegerTypeGetWidth(mlirValueGetType(operands[1]));
  if (width != 16)
    operands[1] = cuteBuildUnary(b, width > 16 ? "arith.trunci" : "arith.extui",
                                 operands[1], i16);
  return build(l, "commit.mc.shared", 2, operands);
}

static bool lowerWait(CuteLowering *l) {
  if (l->op->numOperands)
    return cuteLowerTied(l, "tcgen05.wait::ld.sync.aligned;");
  return buildPlain(l, cuteOpGetWord(l->op, "kind") == STORES
                           ? "llvm.nvvm.tcgen05.wait.st"
                           : "llvm.nvvm.tcgen05.wait.ld");
}

// "tcgen05.ld.red.sync.aligned.32x32b.x2.max.f32 {$0, $1}, $2, [$3];" of
// "tcgen05.ld.sync.aligned.32x32b.x2.b32"
static void writeLoadReduce(CuteLowering *l, const CuteCopyAtom *atom,
                            CuteString *text) {
  static const char prefix[] = "tcgen05.ld.", suffix[] = "b32";
  const char *form = atom->instruction + strlen(prefix);
  int n = (int)atom->bits / 32;
  cuteStringAppendFormat(
      text, "tcgen05.ld.red.%.*s%.*s.%s {",
      (int)(strlen(form) - strlen(suffix)), form,
      CUTE_TEXT(cuteOpGetAttribute(l->op, "kind")->text),
      comparedType((CuteElementType)l->op->operands[0]->element));
  for (int i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s$%d", i ? ", " : "", i);
  cuteStringAppendFormat(text, "}, $%d, [$%d]", n, n + 1);
  if (strstr(form, ".16x32bx2."))
    cuteStringAppendFormat(text, ", %d", n);
  cuteStringAppend(text, ";");
}

static bool lowerLoadReduce(CuteLowering *l) {
  const CuteBuilder *b = &l->builder;
  const CuteCopyAtom *atom = l->op->operands[0]->atom;
  CuteTied tied = cuteTiedGet(l, cuteLoweringGetLowered(l, 2));
  MlirValue address =
      cuteLoweringGetBytePointer(l, *cuteLoweringGetLowered(l, 1));
  address = cuteBuildUnary(b, "llvm.ptrtoint", address, cuteIntType(b, 32));
  CUTE_SCOPED(String) text = {0};
  writeLoadReduce(l, atom, &text);
  return cuteLoweringReturn(
      l, cuteTiedFill(l, &tied, cuteStringGet(&text), address));
}

static bool lowerFence(CuteLowering *l) {
  return buildPlain(l, cuteOpGetWord(l->op, "kind") // before, after
                           ? "llvm.nvvm.tcgen05.fence.after.thread.sync"
                           : "llvm.nvvm.tcgen05.fence.before.thread.sync");
}

const CuteOpHooks cuteTmemOps[] = {
    CUTE_HOOKS("make_tmem_copy", inferMakeTmemCopy),
    CUTE_HOOKS("tmem_load_reduce", inferLoadReduce, lowerLoadReduce),
    CUTE_HOOKS("tmem_alloc", inferAlloc, lowerPlain, .target = "alloc.shared"),
    CUTE_HOOKS("tmem_dealloc", inferPointer, lowerPlain, .target = "dealloc"),
    CUTE_HOOKS("tmem_relinquish", cuteOpInferNothing, lowerPlain,
               .target = "relinq.alloc.permit"),
    CUTE_HOOKS("tmem_shift", inferPointer, lowerPlain, .target = "shift.down"),
    CUTE_HOOKS("tmem_wait", inferWait, lowerWait),
    CUTE_HOOKS("tcgen05_fence", cuteOpInferNothing, lowerFence),
    CUTE_HOOKS("tcgen05_commit", inferCommit, lowerCommit),
    {.name = NULL},
};
