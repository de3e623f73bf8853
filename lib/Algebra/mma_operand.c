// The operands of an MMA atom: A, B and C, and those beside them that some
// instructions take.
#include "Algebra/tiled.h"

static const char *const operandNames[CUTE_NUM_MMA_OPERANDS] = {
    [CUTE_OPERAND_A] = "A",     [CUTE_OPERAND_B] = "B",
    [CUTE_OPERAND_C] = "C",     [CUTE_OPERAND_E] = "E",
    [CUTE_OPERAND_SFA] = "SFA", [CUTE_OPERAND_SFB] = "SFB"};

const char *cuteMmaOperandGetName(CuteMmaOperand operand) {
  return operandNames[operand];
}

bool cuteMmaOperandFind(CuteStringRef name, CuteMmaOperand *operand) {
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    if (strlen(operandNames[i]) == name.length &&
        !memcmp(operandNames[i], name.data, name.length)) {
      *operand = (CuteMmaOperand)i;
      return true;
    }
  return false;
}

// The layout of a sparse A covers the stored half, except for tcgen05.mma,
// where it counts the zeros, too, as in CuTe.
static bool storesHalf(const CuteMmaAtom *atom) {
  return atom->e.layout && !atom->family;
}

// All operands as the extra ones are described.
static CuteMmaExtra describe(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  switch (operand) {
  case CUTE_OPERAND_A:
    return (CuteMmaExtra){atom->a, storesHalf(atom) ? atom->k / 2 : atom->k,
                          atom->layoutA};
  case CUTE_OPERAND_B:
    return (CuteMmaExtra){atom->b, atom->k, atom->layoutB};
  case CUTE_OPERAND_C:
    return (CuteMmaExtra){atom->c, atom->n, atom->layoutC};
  case CUTE_OPERAND_E:
    return atom->e;
  case CUTE_OPERAND_SFA:
    return atom->sfa;
  default:
    return atom->sfb;
  }
}

const char *cuteMmaAtomGetLayoutText(const CuteMmaAtom *atom,
                                     CuteMmaOperand operand) {
  return describe(atom, operand).layout;
}

bool cuteMmaAtomHasOperand(const CuteMmaAtom *atom, CuteMmaOperand operand) {
  return cuteMmaAtomGetLayoutText(atom, operand);
}

CuteElementType cuteMmaAtomGetElement(const CuteMmaAtom *atom,
                                      CuteMmaOperand operand) {
  return describe(atom, operand).element;
}

int cuteMmaAtomGetExtent(const CuteMmaAtom *atom, CuteMmaOperand operand,
                         int mode) {
  bool isOfB = operand == CUTE_OPERAND_B || operand == CUTE_OPERAND_SFB;
  return mode ? describe(atom, operand).k : isOfB ? atom->n : atom->m;
}

CuteLayout cuteMmaAtomGetLayout(CuteContext context, const CuteMmaAtom *atom,
                                CuteMmaOperand operand) {
  const char *text = cuteMmaAtomGetLayoutText(atom, operand);
  if (text)
    return cuteParseRow(context, text);
  CuteString has = {0};
  for (int i = 0; i < CUTE_NUM_MMA_OPERANDS; ++i)
    if (cuteMmaAtomHasOperand(atom, (CuteMmaOperand)i))
      cuteStringAppendFormat(&has, "%s%s", i ? ", " : "", operandNames[i]);
  return cuteFail(context, "%s has no operand %s; it has %s", atom->name,
                  operandNames[operand],
                  cuteArenaTakeString(&context->scratch, &has));
}
