// Follows pointers in a module of LLVM to what they are made of.
#include "SimulatedDevice/translate/translate.h"

enum { MOST_CHOICES = 32 };

// The root that was found, and the choices between pointers that were seen.
typedef struct Search {
  LLVMValueRef root; // null: none yet
  size_t numChoices;
  LLVMValueRef choices[MOST_CHOICES];
} Search;

static bool isPointer(LLVMValueRef value) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

// The pointer without offsets and casts.
static LLVMValueRef withoutOffset(LLVMValueRef pointer) {
  for (;;) {
    bool isMade = LLVMIsAGetElementPtrInst(pointer) ||
                  LLVMIsACastInst(pointer) || LLVMIsAConstantExpr(pointer);
    if (!isMade || !isPointer(LLVMGetOperand(pointer, 0)))
      return pointer;
    pointer = LLVMGetOperand(pointer, 0);
  }
}

// Tells whether the choice is a new one; not where there are too many.
static bool addChoice(Search *s, LLVMValueRef choice, bool *isSeen) {
  for (size_t i = 0; i < s->numChoices; ++i)
    if (s->choices[i] == choice)
      return *isSeen = true;
  *isSeen = false;
  if (s->numChoices == MOST_CHOICES)
    return false;
  s->choices[s->numChoices++] = choice;
  return true;
}

// Follows the pointer to its roots; false at the second.
static bool follow(Search *s, LLVMValueRef pointer) {
  pointer = withoutOffset(pointer);
  bool isPhi = LLVMIsAPHINode(pointer), isSeen;
  if (!isPhi && !LLVMIsASelectInst(pointer)) {
    bool isOther = s->root && s->root != pointer;
    s->root = pointer;
    return !isOther;
  }
  if (!addChoice(s, pointer, &isSeen) || isSeen)
    return isSeen;
  unsigned n = isPhi ? LLVMCountIncoming(pointer) : 2;
  for (unsigned i = 0; i < n; ++i)
    if (!follow(s, isPhi ? LLVMGetIncomingValue(pointer, i)
                         : LLVMGetOperand(pointer, i + 1)))
      return false;
  return true;
}

bool cuteTranslateHasSingleRoots(LLVMValueRef instruction) {
  for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, i);
    Search s = {0};
    if (!LLVMIsABasicBlock(operand) && isPointer(operand) &&
        !follow(&s, operand))
      return false;
  }
  return true;
}
