// State of printing a module op by op: private to the printer.
#pragma once

#include "Text/printer.h"

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
