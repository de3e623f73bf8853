// State of printing operations: private to the printer.
#pragma once

#include "IR/dialect.h"
#include "Support/lexer.h"

typedef struct CutePrinter {
  CuteDialect *dialect;
  bool generic;
  MlirStringCallback callback;
  void *userData;
  CuteString text; // of MLIR, not translated yet
  CuteLexer lexer;
  const char *copied; // the text before it has been written
  CuteString output;
  CutePointerMap types; // CuteType -> its pretty text
  CuteArena texts;      // of the types
} CutePrinter;

typedef struct CuteNamedText {
  CuteStringRef name, value; // value is empty for a unit attribute
} CuteNamedText;

enum { CUTE_PRINTER_MAX_ATTRIBUTES = 32 };

// One op of the dialect.
typedef struct CutePrinterParts {
  const CuteOpDecl *decl;
  CuteStringRef operands; // with their parentheses
  CuteNamedText attributes[CUTE_PRINTER_MAX_ATTRIBUTES];
  size_t numAttributes;
  size_t numTypes, numResults;
  CuteType *types, *results;
} CutePrinterParts;

// Notes an attribute, unless it is one that the pretty form leaves out. False
// if there are too many.
bool cutePrinterAddAttribute(CutePrinterParts *parts, CuteNamedText named);

// Writes a type in the pretty form.
void cutePrinterWriteType(CutePrinter *printer, CuteType type);

// Writes "cute.name..." in the pretty form; false with nothing written if
// attributes that it needs are missing.
bool cutePrinterWriteOp(CutePrinter *printer, const CutePrinterParts *parts);

// Writes the op's declared attributes, or the others, between the brackets.
void cutePrinterWriteAttributes(CuteString *output,
                                const CutePrinterParts *parts, bool isInherent,
                                const char *open, const char *close);

// Gives what has been written to the callback.
void cutePrinterEmit(CutePrinter *printer);

// Translates the first `length` bytes of the text that wait, at the end of the
// output.
void cutePrinterTranslate(CutePrinter *printer, size_t length);

// Tells whether the text of each op of the module is the same alone as in it.
bool cutePrinterIsPlain(CutePrinter *printer, MlirOperation module);

// Prints a verified module without asking MLIR for the text of its functions
// and of the dialect's ops, as MLIR would. False with nothing printed where
// that text may depend on the module as a whole.
bool cutePrinterWalk(CutePrinter *printer, MlirOperation module,
                     MlirOpPrintingFlags flags);

//===-- Op by op ----------------------------------------------------------===//

// A part of the module is printed by MLIR's printer with the names that values
// have where MLIR prints the module as a whole.
typedef struct CutePrinterWalk {
  CutePrinter *printer;
  MlirAsmState state; // of the function, or of the module
  MlirIdentifier function, returns;
  bool hasLlvm; // the dialect is loaded
  MlirIdentifier llvmFunction, insert, extract, poison;
  MlirAttribute linkage, convention; // of functions that state none
  CutePointerMap typeTexts;          // of types of other dialects
} CutePrinterWalk;

static inline void cutePrinterWalkValue(CutePrinterWalk *walk,
                                        MlirValue value) {
  mlirValuePrintAsOperand(value, walk->state, cuteAppendMlirString,
                          &walk->printer->output);
}

// Tells whether a name needs no quotes.
bool cutePrinterIsBare(MlirStringRef name);

// Tells whether MLIR leaves out the dialect's name in the text of this op,
// which depends on what is around it.
bool cutePrinterDependsOnPlace(CutePrinterWalk *walk, MlirOperation op);

// Prints the ops of a block, a line each.
void cutePrinterWalkOps(CutePrinterWalk *walk, MlirBlock block, size_t indent);

// Prints "{", the ops, and "}".
void cutePrinterWalkBlock(CutePrinterWalk *walk, MlirBlock block,
                          size_t indent);

// Finds what cutePrinterWalkLlvm compares with.
void cutePrinterWalkLlvmBegin(CutePrinterWalk *walk);

// Prints a function of the llvm dialect, or an op of it that has a struct;
// false with nothing written for others.
bool cutePrinterWalkLlvm(CutePrinterWalk *walk, MlirOperation op,
                         size_t indent);
