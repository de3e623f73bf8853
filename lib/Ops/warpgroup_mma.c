// The instruction of MMA atoms that a warpgroup executes.
#include "Hardware/atom.h"
#include "Ops/descriptors.h"
#include "Ops/tied_registers.h"

// ", $8" or ", {$8, $9, $10, $11}" from number *next on.
static void appendInput(CuteString *text, bool isDescriptor, size_t *next) {
  cuteStringAppend(text, isDescriptor ? ", " : ", {");
  for (size_t i = 0; i < (isDescriptor ? 1 : 4); ++i)
    cuteStringAppendFormat(text, "%s$%zu", i ? ", " : "", (*next)++);
  cuteStringAppend(text, isDescriptor ? "" : "}");
}

// ", $9, 0": the metadata of a sparse A, which the instruction takes of the
// first of the threads that hold the same.
static void appendPlaces(CuteString *text, const CuteMmaAtom *atom,
                         size_t *next) {
  if (cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E))
    cuteStringAppendFormat(text, ", $%zu, 0", (*next)++);
}

// Appends what follows the inputs: whether C is added, then signs, and of
// elements of 16 bits which of the descriptors' operands have K contiguous (PTX
// ISA, "wgmma.mma_async").
static void appendTail(CuteString *text, const CuteMmaAtom *atom,
                       const char *scale) {
  cuteStringAppendFormat(text, ", %s", scale);
  if (cuteElementTypeIsFloat(atom->a))
    cuteStringAppend(text, ", 1, 1");
  if (cuteElementTypeGetBits(atom->a) != 16)
    return;
  if (atom->sourceA != CUTE_MMA_REGISTERS)
    cuteStringAppendFormat(text, ", %d", atom->majorA == CUTE_MAJOR_MN);
  cuteStringAppendFormat(text, ", %d", atom->majorB == CUTE_MAJOR_MN);
}

// The sums are $0 to $n-1, tied to the next n unless they are overwritten; then
// A, B, E and the condition.
static void appendInstruction(CuteString *text, const CuteMmaAtom *atom,
                              const CuteTied *sums, bool hasCondition) {
  bool isDescribed = cuteMmaAtomIsDescribed(atom, CUTE_OPERAND_A);
  size_t n = sums->count;
  size_t next = sums->isOverwritten ? n : 2 * n;
  size_t condition = next + (isDescribed ? 1 : 4) + 1 +
                     cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E);
  if (hasCondition)
    cuteStringAppendFormat(
        text, "{\n\t.reg .pred added;\n\tsetp.ne.b32 added, $%zu, 0;\n\t",
        condition);
  cuteStringAppendFormat(text, "%s {", atom->instruction);
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s$%zu", i ? ", " : "", i);
  cuteStringAppend(text, "}");
  appendInput(text, isDescribed, &next);
  appendInput(text, true, &next);
  appendPlaces(text, atom, &next);
  appendTail(text, atom,
             sums->isOverwritten ? "0" : (hasCondition ? "added" : "1"));
  cuteStringAppend(text, hasCondition ? ";\n\t}" : ";");
}

// The 32 bits of E that a thread has.
static MlirValue loadPlaces(CuteLowering *l, const CuteLowered *e) {
  int64_t n = cuteLayoutGetSize(l->context, e->type->layout)->value;
  return cuteLoweringLoadValues(l, e, 0, n, cuteIntType(&l->builder, 32));
}

bool cuteLowerWarpgroupMma(CuteLowering *lowering, const CuteMmaAtom *atom,
                           const CuteLowered *const *operands) {
  const CuteBuilder *b = &lowering->builder;
  CuteTied sums = cuteTiedGet(lowering, operands[0]);
  bool isSparse = cuteMmaAtomHasOperand(atom, CUTE_OPERAND_E);
  const CuteLowered *adds = operands[isSparse ? 5 : 4];
  sums.isOverwritten = adds && cuteMlirIsFalse(adds->pointer);
  MlirValue others[8];
  size_t n = 0;
  CUTE_SCOPED(String) text = {0}, constraints = {0};
  if (cuteMmaAtomIsDescribed(atom, CUTE_OPERAND_A)) {
    others[n++] = cuteLoweringGetDescriptor(lowering, operands[1]);
    cuteStringAppend(&constraints, ",l");
  } else {
    CuteTied a = cuteTiedGet(lowering, operands[1]);
    cuteTiedLoad(lowering, &a, others);
    n += a.count;
    cuteStringAppend(&constraints, ",r,r,r,r");
  }
  others[n++] = cuteLoweringGetDescriptor(lowering, operands[2]);
  cuteStringAppend(&constraints, ",l");
  if (isSparse) {
    others[n++] = loadPlaces(lowering, operands[4]);
    cuteStringAppend(&constraints, ",r");
  }
  bool hasCondition = adds && !sums.isOverwritten;
  if (hasCondition) {
    others[n++] = extui(b, adds->pointer, cuteIntType(b, 32));
    cuteStringAppend(&constraints, ",r");
  }
  appendInstruction(&text, atom, &sums, hasCondition);
  MlirOperation op =
      cuteBuildTied(lowering, cuteStringGet(&text), cuteStringGet(&constraints),
                    1, &sums, n, others);
  if (hasCondition)
    cuteMlirSetAttribute(op, CUTE_TIED_ADDS, cuteParsedAttr(b, "unit"));
  return true;
}
