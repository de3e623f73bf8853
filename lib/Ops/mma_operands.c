// The operands of an MMA atom that an op takes or names.
#include "Ops/ops.h"

size_t cuteMmaAtomGetInputs(const CuteMmaAtom *atom,
                            CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS]) {
  size_t n = 0;
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    if (cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i))
      inputs[n++] = (CuteMmaOperand)i;
  return n;
}

void cuteMmaAtomAppendInputs(CuteString *text, const CuteMmaAtom *atom) {
  CuteMmaOperand inputs[CUTE_NUM_MMA_OPERANDS];
  size_t n = cuteMmaAtomGetInputs(atom, inputs);
  for (size_t i = 0; i < n; ++i)
    cuteStringAppendFormat(text, "%s%s", i ? ", " : "",
                           cuteMmaOperandGetName(inputs[i]));
}

bool cuteOpGetMmaOperand(CuteOp *op, const CuteMmaAtom *atom,
                         CuteMmaOperand *operand) {
  CuteStringRef name = cuteOpGetAttribute(op, "operand")->text;
  if (cuteMmaOperandFind(name, operand) &&
      cuteMmaAtomHasOperand(atom, *operand))
    return true;
  CuteString has = {0};
  cuteMmaAtomAppendInputs(&has, atom);
  return cuteFail(op->context, "%s has no operand '%.*s'; it has %s",
                  atom->name, CUTE_TEXT(name),
                  cuteArenaTakeString(&op->context->scratch, &has));
}
