// Inlines a module's functions into its kernels.
#include "Prove/prove.h"

// Calls in all; what is beyond is not followed, such as recursion.
enum { MOST_CALLS = 100 };

// Gives the function of the module that an op calls, where it is one block.
static MlirOperation calleeOf(MlirOperation op, MlirSymbolTable symbols) {
  MlirOperation none = {NULL}, callee = none;
  if (cuteMlirIs(op, "func.call"))
    callee = mlirSymbolTableLookup(
        symbols,
        mlirFlatSymbolRefAttrGetValue(cuteMlirGetAttribute(op, "callee")));
  MlirBlock body = mlirOperationIsNull(callee) ? (MlirBlock){NULL}
                                               : cuteMlirGetBody(callee, 0);
  return !mlirBlockIsNull(body) &&
                 mlirBlockIsNull(mlirBlockGetNextInRegion(body))
             ? callee
             : none;
}

// Moves the ops of a copy of the function before the call.
static void inlineCall(MlirOperation call, MlirOperation callee) {
  MlirOperation copy = mlirOperationClone(callee);
  MlirBlock body = cuteMlirGetBody(copy, 0);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(body, i),
                                  mlirOperationGetOperand(call, i));
  MlirOperation last = mlirBlockGetTerminator(body);
  for (MlirOperation op = mlirBlockGetFirstOperation(body), next;
       !mlirOperationEqual(op, last); op = next) {
    next = mlirOperationGetNextInBlock(op);
    mlirOperationMoveBefore(op, call);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); ++i)
    cuteMlirReplace(call, i, mlirOperationGetOperand(last, i));
  mlirOperationDestroy(call);
  mlirOperationDestroy(copy);
}

// Inlines the first call of a kernel; false where there is none.
static bool inlineFirst(MlirOperation kernel, MlirSymbolTable symbols) {
  CUTE_FOR_NESTED(op, kernel) {
    MlirOperation callee = calleeOf(op, symbols);
    if (mlirOperationIsNull(callee))
      continue;
    inlineCall(op, callee);
    return true;
  }
  return false;
}

void cuteInlineCalls(MlirOperation module) {
  MlirSymbolTable symbols = mlirSymbolTableCreate(module);
  if (mlirSymbolTableIsNull(symbols))
    return;
  CUTE_FOR_OPS(op, cuteMlirGetBody(module, 0))
    for (int n = 0; cuteMlirIs(op, "gpu.func") && n < MOST_CALLS &&
                    inlineFirst(op, symbols);
         ++n)
      ;
  mlirSymbolTableDestroy(symbols);
}
