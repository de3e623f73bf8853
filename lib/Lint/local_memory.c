// Checks whether a thread's fragments fit into its registers.
//
// A fragment exists from the op that makes it to the last that uses it or a
// view of it; a use inside a loop or condition counts as one by all of that. It
// counts with the most that one op needs of it together: gemm goes through A
// and B one k after the other, and copies go access by access. Predicates count
// as nothing.
#include "IR/op_list.h"
#include "Lint/lint.h"

#include "Lowering/lowering.h"

// Registers are given to a thread by so many.
enum { REGISTER_UNIT = 8 };

typedef struct Fragment {
  MlirValue value;
  int64_t first, last; // ops, counted as they are written
  int64_t bytes;
} Fragment;

typedef struct Fragments {
  CuteLint *lint;
  Fragment *fragments;
  size_t count;
  CutePointerMap byValue; // index + 1
  CutePointerMap ends;    // MlirOperation -> number of the last op inside + 1
  int64_t number;
} Fragments;

//===-- Numbers -----------------------------------------------------------===//

static void numberOp(Fragments *f, MlirOperation op);

static void numberRegions(Fragments *f, MlirOperation op) {
  CUTE_FOR_INNER_BLOCKS(block, op)
    CUTE_FOR_OPS(inner, block)
      numberOp(f, inner);
}

// Counts the bytes of a type's elements, which need not lie side by side.
static int64_t bytesOf(CuteContext c, CuteType type) {
  CuteIntTuple size = cuteLayoutGetSize(c, type->layout);
  int64_t width = cuteElementTypeGetBits(type->element), bits;
  return !isStatic(size) || __builtin_mul_overflow(size->value, width, &bits)
             ? 0
             : bits / 8;
}

// Notes the op's result if it is new memory in registers.
static void noteFragment(Fragments *f, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(f->lint->kernel.dialect, op);
  if (!decl || getNumResults(op) != 1)
    return;
  MlirValue value = getResult(op, 0);
  const CuteFollowed *followed =
      cuteFollowGet(&f->lint->kernel.follow[0], value);
  if (!followed || !cuteTypeIsKind(followed->type, CUTE_TYPE_TENSOR) ||
      followed->type->space != CUTE_RMEM ||
      followed->type->element == CUTE_ELEMENT_I1 ||
      !mlirValueEqual(followed->root, value) || decl->id == CUTE_OP_MAKE_TENSOR)
    return;
  CUTE_ARENA_PUSH(cuteTaskGetArena(), f->fragments, f->count,
                  (Fragment){value, f->number, f->number, 0});
  cutePointerMapSet(&f->byValue, value.ptr, (void *)(uintptr_t)f->count);
}

static void numberOp(Fragments *f, MlirOperation op) {
  ++f->number;
  noteFragment(f, op);
  numberRegions(f, op);
  cutePointerMapSet(&f->ends, op.ptr, (void *)(uintptr_t)f->number);
}

//===-- Uses --------------------------------------------------------------===//

// Bytes of a view that the op needs together as operand i.
static int64_t neededBytes(CuteContext c, const CuteOpDecl *decl, intptr_t i,
                           CuteType view) {
  int64_t bytes = bytesOf(c, view);
  bool isInput = decl && decl->id == CUTE_OP_GEMM && i != 1 && i != 4;
  bool isInPieces =
      isInput || (decl && decl->traits.access == CUTE_ACCESS_ATOM);
  return isInPieces && bytes > 16 ? 16 : bytes;
}

static void visitUse(Fragments *f, MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(f->lint->kernel.dialect, op);
  for (intptr_t i = 0; i < getNumOperands(op); ++i) {
    const CuteFollowed *view =
        cuteFollowGet(&f->lint->kernel.follow[0], getOperand(op, i));
    size_t index =
        view ? (size_t)(uintptr_t)cutePointerMapGet(&f->byValue, view->root.ptr)
             : 0;
    if (!index)
      continue;
    Fragment *fragment = &f->fragments[index - 1];
    MlirBlock home =
        mlirOperationGetBlock(mlirOpResultGetOwner(fragment->value));
    int64_t end = (int64_t)(uintptr_t)cutePointerMapGet(
        &f->ends, cuteMlirGetAncestor(home, op).ptr);
    fragment->last = end > fragment->last ? end : fragment->last;
    bool isView = decl && getNumResults(op) > 0;
    int64_t bytes =
        isView ? 0 : neededBytes(f->lint->kernel.context, decl, i, view->type);
    fragment->bytes = bytes > fragment->bytes ? bytes : fragment->bytes;
  }
}

//===-- Messages ----------------------------------------------------------===//

static int64_t liveAt(const Fragments *f, int64_t number,
                      const Fragment **largest) {
  int64_t bytes = 0;
  *largest = NULL;
  for (size_t i = 0; i < f->count; ++i) {
    const Fragment *fragment = &f->fragments[i];
    if (fragment->first > number || fragment->last < number)
      continue;
    bytes += fragment->bytes;
    if (!*largest || fragment->bytes > (*largest)->bytes)
      *largest = fragment;
  }
  return bytes;
}

// The most that set_registers gives a thread; 0 without one.
static int64_t setRegisters(const CuteLint *lint) {
  CuteDialect *dialect = lint->kernel.dialect;
  CuteOpList list = cuteOpListCollect(dialect, lint->kernel.function);
  int64_t most = 0;
  for (size_t i = 0; i < list.count; ++i)
    if (list.decls[i]->id == CUTE_OP_SET_REGISTERS) {
      int64_t n = cuteMlirGetInteger(list.ops[i], "n");
      most = n > most ? n : most;
    }
  return most;
}

// Registers that a thread can have in a block of so many.
static int64_t mostRegisters(const CuteLint *lint) {
  int64_t set = setRegisters(lint), all = lint->arch->maxRegisters;
  if (set)
    return set < all ? set : all;
  int64_t warps =
      (lint->kernel.follow[0].threads.count + CUTE_WARP - 1) / CUTE_WARP;
  int64_t most = lint->arch->registers / (warps * CUTE_WARP);
  most -= most % REGISTER_UNIT;
  return lint->kernel.isBlockKnown && most < all ? most : all;
}

static void tell(const Fragments *f, int64_t bytes, const Fragment *largest) {
  CUTE_SCOPED(String) note = {0};
  cuteStringAppendFormat(&note, "the largest, of %jd bytes, is ",
                         largest->bytes);
  cuteAppendType(
      &note, cuteFollowGet(&f->lint->kernel.follow[0], largest->value)->type,
      CUTE_FORM_PRETTY);
  cuteStringAppend(&note, "; take smaller tiles, or more threads");
  cuteLintEmit(f->lint, f->lint->kernel.function, CUTE_SEVERITY_WARNING,
               cuteStringGet(&note),
               "fragments take %jd bytes of each thread at once, %jd "
               "registers, but it has at most %jd; the rest is spilled to "
               "memory",
               bytes, (bytes + 3) / 4, mostRegisters(f->lint));
}

static void tellListener(const CuteLint *lint, int64_t bytes) {
  CUTE_SCOPED(String) text = {0};
  cuteStringAppendFormat(&text, "fragments: %jd of %jd registers",
                         (bytes + 3) / 4, mostRegisters(lint));
  lint->listen(lint->listenData, lint->kernel.function, bytes,
               cuteStringGet(&text));
}

void cuteLintRegisters(CuteLint *lint) {
  Fragments f = {.lint = lint, .byValue = cuteTaskMap(), .ends = cuteTaskMap()};
  numberRegions(&f, lint->kernel.function);
  CUTE_FOR_NESTED(op, lint->kernel.function)
    visitUse(&f, op);
  int64_t most = 0;
  const Fragment *largest = NULL;
  for (size_t i = 0; i < f.count; ++i) {
    const Fragment *candidate;
    int64_t bytes = liveAt(&f, f.fragments[i].first, &candidate);
    if (bytes > most) {
      most = bytes;
      largest = candidate;
    }
  }
  if (lint->listen && most)
    tellListener(lint, most);
  if (most > mostRegisters(lint) * 4)
    tell(&f, most, largest);
}
