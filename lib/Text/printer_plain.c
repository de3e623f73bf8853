// Tells whether the text of a module's parts depends on the module as a whole,
// as it does where MLIR names attributes and types at its top.
#include "Text/printer.h"

typedef struct Plainness {
  CutePrinter *printer;
  CutePointerMap known; // types and attributes that are plain
  CutePointerMap names; // of ops, with the address of a map for an answer
  bool fails;
} Plainness;

static bool isPlainType(MlirType type);

static bool isPlainFunctionType(MlirType type) {
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i)
    if (!isPlainType(mlirFunctionTypeGetInput(type, i)))
      return false;
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i)
    if (!isPlainType(mlirFunctionTypeGetResult(type, i)))
      return false;
  return true;
}

// A type for which no dialect has an alias.
static bool isPlainType(MlirType type) {
  if (mlirTypeIsAInteger(type) || mlirTypeIsAFloat(type) ||
      mlirTypeIsAIndex(type))
    return true;
  if (mlirTypeIsAVector(type))
    return isPlainType(mlirShapedTypeGetElementType(type));
  if (mlirTypeIsAFunction(type))
    return isPlainFunctionType(type);
  return CUTE_TEXT_IS_ANY(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                          "cute", "llvm");
}

static bool isPlainAttribute(MlirAttribute attribute);

static bool isPlainArray(MlirAttribute attribute) {
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(attribute); ++i)
    if (!isPlainAttribute(mlirArrayAttrGetElement(attribute, i)))
      return false;
  return true;
}

static bool isPlainAttribute(MlirAttribute attribute) {
  if (mlirAttributeIsAType(attribute))
    return isPlainType(mlirTypeAttrGetValue(attribute));
  if (mlirAttributeIsAArray(attribute))
    return isPlainArray(attribute);
  return mlirAttributeIsAInteger(attribute) ||
         mlirAttributeIsAFloat(attribute) ||
         mlirAttributeIsAString(attribute) || mlirAttributeIsAUnit(attribute) ||
         mlirAttributeIsAFlatSymbolRef(attribute) ||
         mlirAttributeIsADenseI32Array(attribute) ||
         mlirAttributeIsADenseI64Array(attribute) ||
         CUTE_TEXT_IS_ANY(
             mlirDialectGetNamespace(mlirAttributeGetDialect(attribute)),
             "arith", "cf", "math", "scf");
}

// Attributes of the llvm dialect that ops print as words.
static bool isWord(MlirNamedAttribute named) {
  return CUTE_TEXT_IS_ANY(mlirIdentifierStr(named.name), "CConv",
                          "fastmathFlags", "linkage", "overflowFlags",
                          "TailCallKind") &&
         mlirStringRefEqual(
             mlirDialectGetNamespace(mlirAttributeGetDialect(named.attribute)),
             cuteMlirString("llvm"));
}

static bool knows(Plainness *plainness, const void *key) {
  if (cutePointerMapGet(&plainness->known, key))
    return true;
  cutePointerMapSet(&plainness->known, key, plainness);
  return false;
}

static void lookAtType(Plainness *plainness, MlirType type) {
  if (!knows(plainness, type.ptr))
    plainness->fails |= !isPlainType(type);
}

static void lookAtAttributes(Plainness *plainness, MlirOperation op) {
  intptr_t n = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute named = mlirOperationGetAttribute(op, i);
    if (!knows(plainness, named.attribute.ptr))
      plainness->fails |= !isPlainAttribute(named.attribute) && !isWord(named);
  }
}

static void lookAtValues(Plainness *plainness, MlirOperation op) {
  for (intptr_t i = 0; i < getNumResults(op); ++i)
    lookAtType(plainness, cuteMlirGetResultType(op, i));
  CUTE_FOR_INNER_BLOCKS(block, op)
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
      lookAtType(plainness, mlirValueGetType(mlirBlockGetArgument(block, i)));
}

// Tells whether ops of that name have plain attributes of their own.
static bool isPlainName(Plainness *plainness, MlirIdentifier name) {
  void *found = cutePointerMapGet(&plainness->names, name.ptr);
  if (!found) {
    bool isPlain = CUTE_TEXT_IS_ANY(
        mlirIdentifierStr(name), "llvm.add", "llvm.and", "llvm.extractvalue",
        "llvm.icmp", "llvm.mul", "llvm.insertvalue", "llvm.mlir.poison",
        "llvm.sdiv", "llvm.select", "llvm.sub");
    found = isPlain ? &plainness->names : &plainness->known;
    cutePointerMapSet(&plainness->names, name.ptr, found);
  }
  return found == &plainness->names;
}

static void lookAt(Plainness *plainness, MlirOperation op) {
  if (mlirOperationGetNumDiscardableAttributes(op) ||
      !isPlainName(plainness, mlirOperationGetName(op)))
    lookAtAttributes(plainness, op);
  if (!cuteDialectGetDecl(plainness->printer->dialect, op))
    lookAtValues(plainness, op);
}

bool cutePrinterIsPlain(CutePrinter *printer, MlirOperation module) {
  Plainness plainness = {.printer = printer};
  CUTE_FOR_NESTED(op, module)
    if (!plainness.fails)
      lookAt(&plainness, op);
  cutePointerMapDestroy(&plainness.known);
  cutePointerMapDestroy(&plainness.names);
  return !plainness.fails;
}
