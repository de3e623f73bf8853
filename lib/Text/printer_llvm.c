// Prints what lowering leaves most of as MLIR does: functions of the llvm
// dialect, and parts of structs, whose types are spelled once.
#include "Text/printer.h"

#include "Support/sort.h"

#include <mlir-c/Dialect/LLVM.h>

void cutePrinterWalkLlvmBegin(CutePrinterWalk *walk) {
  MlirContext context = walk->printer->dialect->mlir;
  const struct {
    MlirIdentifier *identifier;
    const char *name;
  } rows[] = {{&walk->llvmFunction, "llvm.func"},
              {&walk->insert, "llvm.insertvalue"},
              {&walk->extract, "llvm.extractvalue"},
              {&walk->poison, "llvm.mlir.poison"}};
  walk->hasLlvm =
      mlirContextIsRegisteredOperation(context, cuteMlirString("llvm.func"));
  if (!walk->hasLlvm)
    return;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    *rows[i].identifier =
        mlirIdentifierGet(context, cuteMlirString(rows[i].name));
  walk->linkage = mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageExternal);
  walk->convention = mlirLLVMCConvAttrGet(context, MlirLLVMCConvC);
}

static void append(CutePrinterWalk *walk, const char *text) {
  cuteStringAppend(&walk->printer->output, text);
}

static void appendSpaces(CutePrinterWalk *walk, size_t count) {
  for (; count; --count)
    append(walk, " ");
}

static void appendType(CutePrinterWalk *walk, MlirType type) {
  const char *text = cutePointerMapGet(&walk->typeTexts, type.ptr);
  if (!text) {
    CUTE_SCOPED(String) spelled = {0};
    mlirTypePrint(type, cuteAppendMlirString, &spelled);
    text = cuteArenaCopyText(&walk->printer->texts, cuteStringGet(&spelled),
                             spelled.length + 1);
    cutePointerMapSet(&walk->typeTexts, type.ptr, (void *)text);
  }
  append(walk, text);
}

static MlirType typeOf(MlirValue value) { return mlirValueGetType(value); }

//===-- Parts of structs --------------------------------------------------===//

// "[0, 1]"
static void appendPosition(CutePrinterWalk *walk, MlirOperation op) {
  MlirAttribute position =
      mlirOperationGetInherentAttributeByName(op, cuteMlirString("position"));
  intptr_t n = mlirDenseArrayGetNumElements(position);
  append(walk, "[");
  for (intptr_t i = 0; i < n; ++i) {
    append(walk, i ? ", " : "");
    cuteStringAppendInt(&walk->printer->output,
                        mlirDenseI64ArrayGetElement(position, i));
  }
  append(walk, "]");
}

// "%2 = llvm.insertvalue %1, %0[0] : T "
static bool printPart(CutePrinterWalk *walk, MlirOperation op) {
  MlirIdentifier name = mlirOperationGetName(op);
  bool isInsert = mlirIdentifierEqual(name, walk->insert);
  bool isExtract = mlirIdentifierEqual(name, walk->extract);
  bool isPoison = mlirIdentifierEqual(name, walk->poison);
  if ((!isInsert && !isExtract && !isPoison) ||
      mlirOperationGetNumDiscardableAttributes(op))
    return false;
  MlirValue result = getResult(op, 0);
  cutePrinterWalkValue(walk, result);
  append(walk, isInsert    ? " = llvm.insertvalue "
               : isExtract ? " = llvm.extractvalue "
                           : " = llvm.mlir.poison : ");
  if (isInsert) {
    cutePrinterWalkValue(walk, getOperand(op, 1));
    append(walk, ", ");
  }
  if (isPoison) {
    appendType(walk, typeOf(result));
    return true;
  }
  MlirValue container = getOperand(op, 0);
  cutePrinterWalkValue(walk, container);
  appendPosition(walk, op);
  append(walk, " : ");
  appendType(walk, typeOf(container));
  append(walk, " ");
  return true;
}

//===-- Functions ---------------------------------------------------------===//

// Tells whether the attribute is one that every function has, with the value
// that is not printed.
static bool isPlainAttribute(const CutePrinterWalk *walk,
                             MlirNamedAttribute named) {
  MlirStringRef name = mlirIdentifierStr(named.name);
  if (mlirStringRefEqual(name, cuteMlirString("sym_name")))
    return cutePrinterIsBare(mlirStringAttrGetValue(named.attribute));
  if (mlirStringRefEqual(name, cuteMlirString("CConv")))
    return mlirAttributeEqual(named.attribute, walk->convention);
  if (mlirStringRefEqual(name, cuteMlirString("linkage")))
    return mlirAttributeEqual(named.attribute, walk->linkage);
  return mlirStringRefEqual(name, cuteMlirString("function_type")) ||
         ((mlirStringRefEqual(name, cuteMlirString("visibility_")) ||
           mlirStringRefEqual(name, cuteMlirString("unnamed_addr"))) &&
          mlirAttributeIsAInteger(named.attribute) &&
          !mlirIntegerAttrGetValueInt(named.attribute));
}

static MlirType typeOfFunction(MlirOperation function) {
  return mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      function, cuteMlirString("function_type")));
}

// The C API does not tell it.
static bool isVariadic(MlirType functionType) {
  CUTE_SCOPED(String) text = {0};
  mlirTypePrint(functionType, cuteAppendMlirString, &text);
  return strstr(cuteStringGet(&text), "...");
}

static bool isPlainBlock(CutePrinterWalk *walk, MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !cutePrinterDependsOnPlace(walk, op))
    op = mlirOperationGetNextInBlock(op);
  return mlirOperationIsNull(op);
}

static bool isPlainFunction(CutePrinterWalk *walk, MlirOperation op) {
  MlirBlock block = cuteMlirGetBody(op, 0);
  bool ok = !mlirBlockIsNull(block) && !isVariadic(typeOfFunction(op));
  for (intptr_t i = 0; ok && i < mlirOperationGetNumAttributes(op); ++i)
    ok = isPlainAttribute(walk, mlirOperationGetAttribute(op, i));
  for (; ok && !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    ok = isPlainBlock(walk, block);
  return ok;
}

// "(%0: T, %1: T)"
static void appendArguments(CutePrinterWalk *walk, MlirBlock block) {
  append(walk, "(");
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    append(walk, i ? ", " : "");
    cutePrinterWalkValue(walk, mlirBlockGetArgument(block, i));
    append(walk, ": ");
    appendType(walk, typeOf(mlirBlockGetArgument(block, i)));
  }
  append(walk, ")");
}

// Numbers blocks in order, from 1.
static int64_t numberOf(const CutePointerMap *numbers, MlirBlock block) {
  return (intptr_t)cutePointerMapGet(numbers, block.ptr);
}

static void appendBlockName(CutePrinterWalk *walk, int64_t number) {
  append(walk, "^bb");
  cuteStringAppendInt(&walk->printer->output, number - 1);
}

// "  // 2 preds: ^bb1, ^bb2"
static void appendPredecessors(CutePrinterWalk *walk, MlirBlock block,
                               const CutePointerMap *numbers) {
  intptr_t n = mlirBlockGetNumPredecessors(block);
  CUTE_FREED int64_t *all = cuteAllocate(((size_t)n + 1) * sizeof *all);
  for (intptr_t i = 0; i < n; ++i)
    all[i] = numberOf(numbers, mlirBlockGetPredecessor(block, i));
  cuteSortNumbers(all, (size_t)n);
  append(walk, "  // ");
  if (n > 1)
    cuteStringAppendInt(&walk->printer->output, n);
  append(walk, n > 1 ? " preds: " : n ? "pred: " : "no predecessors");
  for (intptr_t i = 0; i < n; ++i) {
    append(walk, i ? ", " : "");
    appendBlockName(walk, all[i]);
  }
}

static CutePointerMap numberBlocks(MlirBlock block) {
  CutePointerMap numbers = {0};
  for (uintptr_t i = 1; !mlirBlockIsNull(block); ++i) {
    cutePointerMapSet(&numbers, block.ptr, (void *)i);
    block = mlirBlockGetNextInRegion(block);
  }
  return numbers;
}

// The blocks after the first, with their names.
static void printBlocks(CutePrinterWalk *walk, MlirBlock first, size_t indent) {
  MlirBlock block = mlirBlockGetNextInRegion(first);
  CUTE_SCOPED(PointerMap) numbers = {0};
  if (!mlirBlockIsNull(block))
    numbers = numberBlocks(first);
  for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    appendSpaces(walk, indent);
    appendBlockName(walk, numberOf(&numbers, block));
    if (mlirBlockGetNumArguments(block))
      appendArguments(walk, block);
    append(walk, ":");
    appendPredecessors(walk, block, &numbers);
    append(walk, "\n");
    cutePrinterWalkOps(walk, block, indent);
  }
}

static bool printFunction(CutePrinterWalk *walk, MlirOperation op,
                          size_t indent) {
  if (!mlirIdentifierEqual(mlirOperationGetName(op), walk->llvmFunction) ||
      !isPlainFunction(walk, op))
    return false;
  MlirBlock block = cuteMlirGetBody(op, 0);
  MlirType result = mlirLLVMFunctionTypeGetReturnType(typeOfFunction(op));
  append(walk, "llvm.func @");
  cuteAppendMlirString(
      mlirStringAttrGetValue(mlirOperationGetInherentAttributeByName(
          op, cuteMlirString("sym_name"))),
      &walk->printer->output);
  appendArguments(walk, block);
  if (!mlirTypeEqual(result,
                     mlirLLVMVoidTypeGet(walk->printer->dialect->mlir))) {
    append(walk, " -> ");
    appendType(walk, result);
  }
  append(walk, " {\n");
  cutePrinterWalkOps(walk, block, indent);
  printBlocks(walk, block, indent);
  appendSpaces(walk, indent);
  append(walk, "}");
  return true;
}

bool cutePrinterWalkLlvm(CutePrinterWalk *walk, MlirOperation op,
                         size_t indent) {
  return walk->hasLlvm &&
         (printPart(walk, op) || printFunction(walk, op, indent));
}
