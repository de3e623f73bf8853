// Prints modules op by op: functions and the dialect's ops from what they are,
// the others as MLIR's text.
#include "Text/printer.h"

enum { INDENT = 2, ENOUGH = 1 << 16 };

static void appendSpaces(CutePrinterWalk *walk, size_t count) {
  for (; count; --count)
    cuteStringAppendChar(&walk->printer->output, ' ');
}

static void append(CutePrinterWalk *walk, const char *text) {
  cuteStringAppend(&walk->printer->output, text);
}

static void appendValue(CutePrinterWalk *walk, MlirValue value) {
  cutePrinterWalkValue(walk, value);
}

// False with a message in the context if it is malformed.
static bool appendType(CutePrinterWalk *walk, MlirType type) {
  CuteType found = cuteDialectGetType(walk->printer->dialect, type);
  if (found)
    cutePrinterWriteType(walk->printer, found);
  return found;
}

//===-- Names -------------------------------------------------------------===//

bool cutePrinterIsBare(MlirStringRef name) {
  for (size_t i = 0; i < name.length; ++i) {
    char c = name.data[i];
    bool isOther = (c >= '0' && c <= '9') || c == '$' || c == '.';
    if (!isLetter(c) && !(i && isOther))
      return false;
  }
  return name.length;
}

// "@name " of an op, with its visibility before; nothing where it has none.
static void appendSymbol(CutePrinterWalk *walk, MlirOperation op) {
  CuteString *output = &walk->printer->output;
  static const char *const names[] = {"sym_visibility", "sym_name"};
  for (int i = 0; i < 2; ++i) {
    MlirAttribute attribute =
        mlirOperationGetInherentAttributeByName(op, cuteMlirString(names[i]));
    if (mlirAttributeIsNull(attribute))
      continue;
    cuteStringAppend(output, i ? " @" : " ");
    cuteAppendMlirString(mlirStringAttrGetValue(attribute), output);
  }
}

static bool hasBareName(MlirOperation op, bool mayBeAbsent) {
  MlirAttribute name =
      mlirOperationGetInherentAttributeByName(op, cuteMlirString("sym_name"));
  return mlirAttributeIsNull(name)
             ? mayBeAbsent
             : cutePrinterIsBare(mlirStringAttrGetValue(name));
}

//===-- Ops of the dialect ------------------------------------------------===//

// "%3 = ", "%3:2 = "
static void appendResults(CutePrinterWalk *walk, MlirOperation op) {
  CuteString *output = &walk->printer->output;
  intptr_t n = getNumResults(op);
  if (!n)
    return;
  appendValue(walk, getResult(op, 0));
  if (n > 1) {
    output->length -= strlen("#0");
    cuteStringAppendChar(output, ':');
    cuteStringAppendInt(output, n);
  }
  cuteStringAppend(output, " = ");
}

static CuteType *takeTypes(CutePrinterWalk *walk, MlirOperation op,
                           bool ofResults, size_t *count) {
  CuteDialect *dialect = walk->printer->dialect;
  intptr_t n = ofResults ? getNumResults(op) : getNumOperands(op);
  *count = (size_t)n;
  CuteType *types = cuteScratch(dialect->context, (*count + 1) * sizeof *types);
  for (intptr_t i = 0; i < n; ++i) {
    MlirValue value = ofResults ? getResult(op, i) : getOperand(op, i);
    types[i] = cuteDialectGetValueType(dialect, value);
    if (!types[i])
      return NULL;
  }
  return types;
}

static bool takeAttributes(CutePrinterWalk *walk, MlirOperation op,
                           CutePrinterParts *parts) {
  CuteArena *scratch = &walk->printer->dialect->context->scratch;
  intptr_t n = mlirOperationGetNumAttributes(op);
  for (intptr_t i = 0; i < n; ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    MlirStringRef name = mlirIdentifierStr(attribute.name);
    CuteNamedText named = {.name = fromMlirString(name)};
    if (!mlirAttributeIsAUnit(attribute.attribute)) {
      CUTE_SCOPED(String) text = {0};
      mlirAttributePrint(attribute.attribute, cuteAppendMlirString, &text);
      named.value = cuteStringGetRef(&text);
      named.value.data = cuteArenaCopyText(scratch, text.data, text.length);
    }
    if (!cutePrinterIsBare(name) || !cutePrinterAddAttribute(parts, named))
      return false;
  }
  return true;
}

static bool takeParts(CutePrinterWalk *walk, MlirOperation op,
                      CutePrinterParts *parts) {
  CuteString *text = &walk->printer->text;
  cuteStringClear(text);
  cuteStringAppendChar(text, '(');
  for (intptr_t i = 0; i < getNumOperands(op); ++i) {
    if (i)
      cuteStringAppend(text, ", ");
    mlirValuePrintAsOperand(getOperand(op, i), walk->state,
                            cuteAppendMlirString, text);
  }
  cuteStringAppendChar(text, ')');
  parts->operands = cuteStringGetRef(text);
  parts->types = takeTypes(walk, op, false, &parts->numTypes);
  parts->results = takeTypes(walk, op, true, &parts->numResults);
  return parts->types && parts->results && takeAttributes(walk, op, parts);
}

// False with nothing written if the op has no pretty form.
static bool printOwn(CutePrinterWalk *walk, const CuteOpDecl *decl,
                     MlirOperation op) {
  CutePrinter *printer = walk->printer;
  CuteArena *scratch = &printer->dialect->context->scratch;
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(scratch);
  size_t length = printer->output.length;
  CutePrinterParts parts = {.decl = decl};
  appendResults(walk, op);
  bool ok = takeParts(walk, op, &parts) && cutePrinterWriteOp(printer, &parts);
  if (!ok)
    printer->output.length = length;
  return ok;
}

//===-- Ops of other dialects ---------------------------------------------===//

// Indents what was written since `start`, except its first line.
static void indentSince(CutePrinter *printer, size_t start, size_t indent) {
  CuteString *output = &printer->output;
  if (!indent || !memchr(output->data + start, '\n', output->length - start))
    return;
  CuteString *text = &printer->text;
  cuteStringClear(text);
  cuteStringAppendBytes(text, output->data + start, output->length - start);
  output->length = start;
  for (const char *at = text->data, *end = at + text->length; at < end;) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *to = newline ? newline + 1 : end;
    cuteStringAppendBytes(output, at, (size_t)(to - at));
    for (size_t i = 0; newline && i < indent; ++i)
      cuteStringAppendChar(output, ' ');
    at = to;
  }
}

static void printForeign(CutePrinterWalk *walk, MlirOperation op,
                         size_t indent) {
  CutePrinter *printer = walk->printer;
  size_t start = printer->output.length;
  cuteStringClear(&printer->text);
  mlirOperationPrintWithState(op, walk->state, cuteAppendMlirString,
                              &printer->text);
  cutePrinterTranslate(printer, printer->text.length);
  indentSince(printer, start, indent);
}

// "return %a, %b : T, T"
static bool printReturn(CutePrinterWalk *walk, MlirOperation op) {
  size_t length = walk->printer->output.length;
  intptr_t n = getNumOperands(op);
  append(walk, "return");
  for (intptr_t i = 0; i < n; ++i) {
    append(walk, i ? ", " : " ");
    appendValue(walk, getOperand(op, i));
  }
  bool ok = !mlirOperationGetNumDiscardableAttributes(op);
  for (intptr_t i = 0; ok && i < n; ++i) {
    append(walk, i ? ", " : " : ");
    ok = appendType(walk, cuteMlirGetOperandType(op, i));
  }
  if (!ok)
    walk->printer->output.length = length;
  return ok;
}

//===-- Functions ---------------------------------------------------------===//

bool cutePrinterDependsOnPlace(CutePrinterWalk *walk, MlirOperation op) {
  MlirIdentifier identifier = mlirOperationGetName(op);
  if (mlirIdentifierEqual(identifier, walk->returns))
    return mlirOperationGetNumDiscardableAttributes(op);
  MlirStringRef name = mlirIdentifierStr(identifier);
  return cuteMlirStartsWith(name, "func.") ||
         cuteMlirStartsWith(name, "builtin.");
}

static bool hasInherent(MlirOperation op, const char *name) {
  return !mlirAttributeIsNull(
      mlirOperationGetInherentAttributeByName(op, cuteMlirString(name)));
}

// A function of one block without attributes.
static bool isPlainFunction(CutePrinterWalk *walk, MlirOperation op) {
  if (!mlirIdentifierEqual(mlirOperationGetName(op), walk->function))
    return false;
  MlirBlock block = cuteMlirGetBody(op, 0);
  if (mlirBlockIsNull(block) ||
      !mlirBlockIsNull(mlirBlockGetNextInRegion(block)) ||
      mlirOperationGetNumDiscardableAttributes(op) ||
      hasInherent(op, "arg_attrs") || hasInherent(op, "res_attrs") ||
      hasInherent(op, "no_inline") || !hasBareName(op, false))
    return false;
  CUTE_FOR_OPS(inside, block)
    if (!cuteDialectGetDecl(walk->printer->dialect, inside) &&
        cutePrinterDependsOnPlace(walk, inside))
      return false;
  return true;
}

static bool appendArguments(CutePrinterWalk *walk, MlirBlock block) {
  bool ok = true;
  append(walk, "(");
  for (intptr_t i = 0; ok && i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    append(walk, i ? ", " : "");
    appendValue(walk, argument);
    append(walk, ": ");
    ok = appendType(walk, mlirValueGetType(argument));
  }
  append(walk, ")");
  return ok;
}

static bool appendFunctionResults(CutePrinterWalk *walk, MlirOperation op) {
  MlirType type = mlirTypeAttrGetValue(mlirOperationGetInherentAttributeByName(
      op, cuteMlirString("function_type")));
  intptr_t n = mlirFunctionTypeGetNumResults(type);
  bool ok = true;
  if (!n)
    return true;
  bool inParentheses =
      n > 1 || mlirTypeIsAFunction(mlirFunctionTypeGetResult(type, 0));
  append(walk, inParentheses ? " -> (" : " -> ");
  for (intptr_t i = 0; ok && i < n; ++i) {
    append(walk, i ? ", " : "");
    ok = appendType(walk, mlirFunctionTypeGetResult(type, i));
  }
  append(walk, inParentheses ? ")" : "");
  return ok;
}

// False with nothing written if MLIR's printer has to print it.
static bool printFunction(CutePrinterWalk *walk, MlirOperation op,
                          size_t indent) {
  size_t length = walk->printer->output.length;
  if (!isPlainFunction(walk, op))
    return false;
  MlirBlock block = cuteMlirGetBody(op, 0);
  append(walk, "func.func");
  appendSymbol(walk, op);
  if (!appendArguments(walk, block) || !appendFunctionResults(walk, op)) {
    walk->printer->output.length = length;
    return false;
  }
  append(walk, " ");
  cutePrinterWalkBlock(walk, block, indent);
  return true;
}

//===-- Modules -----------------------------------------------------------===//

static void printOp(CutePrinterWalk *walk, MlirOperation op, size_t indent) {
  const CuteOpDecl *decl = cuteDialectGetDecl(walk->printer->dialect, op);
  bool isReturn = mlirIdentifierEqual(mlirOperationGetName(op), walk->returns);
  bool done = decl       ? printOwn(walk, decl, op)
              : isReturn ? printReturn(walk, op)
                         : printFunction(walk, op, indent) ||
                               cutePrinterWalkLlvm(walk, op, indent);
  if (!done)
    printForeign(walk, op, indent);
}

// Forgets the texts of types once they take much memory; they are spelled
// again.
static void forgetTypes(CutePrinterWalk *walk) {
  enum { MOST = 1 << 20 };
  CutePrinter *printer = walk->printer;
  if (printer->texts.bytes < MOST)
    return;
  cutePointerMapClear(&printer->types);
  cutePointerMapClear(&walk->typeTexts);
  cuteArenaDestroy(&printer->texts);
}

static void printLine(CutePrinterWalk *walk, MlirOperation op, size_t indent) {
  appendSpaces(walk, indent + INDENT);
  printOp(walk, op, indent + INDENT);
  append(walk, "\n");
  if (walk->printer->output.length >= ENOUGH) {
    cutePrinterEmit(walk->printer);
    forgetTypes(walk);
  }
}

void cutePrinterWalkOps(CutePrinterWalk *walk, MlirBlock block, size_t indent) {
  CUTE_FOR_OPS(op, block)
    printLine(walk, op, indent);
}

void cutePrinterWalkBlock(CutePrinterWalk *walk, MlirBlock block,
                          size_t indent) {
  append(walk, "{\n");
  cutePrinterWalkOps(walk, block, indent);
  appendSpaces(walk, indent);
  append(walk, "}");
}

static bool isPlainModule(MlirOperation op) {
  MlirStringRef name = cuteMlirGetName(op);
  return mlirStringRefEqual(name, cuteMlirString("builtin.module")) &&
         mlirBlockIsNull(mlirOperationGetBlock(op)) &&
         !mlirOperationGetNumDiscardableAttributes(op) &&
         !hasInherent(op, "sym_visibility") && hasBareName(op, true);
}

// Numbers that values of the module itself have are not used in its functions.
static bool hasValues(MlirBlock block) {
  MlirOperation op = mlirBlockGetFirstOperation(block);
  while (!mlirOperationIsNull(op) && !getNumResults(op))
    op = mlirOperationGetNextInBlock(op);
  return !mlirOperationIsNull(op);
}

static bool isFunction(const CutePrinterWalk *walk, MlirOperation op) {
  MlirIdentifier name = mlirOperationGetName(op);
  return mlirIdentifierEqual(name, walk->function) ||
         (walk->hasLlvm && mlirIdentifierEqual(name, walk->llvmFunction));
}

// A function sees no values around it, so it starts its own names: a whole
// module's names take as much memory as its text.
static void printModuleOps(CutePrinterWalk *walk, MlirOperation module,
                           MlirBlock block, MlirOpPrintingFlags flags) {
  MlirAsmState whole = {NULL};
  bool isWhole = hasValues(block);
  mlirOpPrintingFlagsUseLocalScope(flags);
  CUTE_FOR_OPS(op, block) {
    bool isAlone = !isWhole && isFunction(walk, op);
    if (!isAlone && !whole.ptr)
      whole = mlirAsmStateCreateForOperation(module, flags);
    walk->state = isAlone ? mlirAsmStateCreateForOperation(op, flags) : whole;
    printLine(walk, op, 0);
    if (isAlone)
      mlirAsmStateDestroy(walk->state);
  }
  if (whole.ptr)
    mlirAsmStateDestroy(whole);
}

bool cutePrinterWalk(CutePrinter *printer, MlirOperation module,
                     MlirOpPrintingFlags flags) {
  if (!isPlainModule(module) || !cutePrinterIsPlain(printer, module))
    return false;
  MlirContext context = printer->dialect->mlir;
  CutePrinterWalk walk = {
      .printer = printer,
      .function = mlirIdentifierGet(context, cuteMlirString("func.func")),
      .returns = mlirIdentifierGet(context, cuteMlirString("func.return"))};
  cutePrinterWalkLlvmBegin(&walk);
  append(&walk, "module");
  appendSymbol(&walk, module);
  append(&walk, " {\n");
  printModuleOps(&walk, module, cuteMlirGetBody(module, 0), flags);
  append(&walk, "}\n");
  cutePrinterEmit(printer);
  cutePointerMapDestroy(&walk.typeTexts);
  return true;
}
