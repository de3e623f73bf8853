// The text of a PTX module, its declarations and functions: shared by the files
// that make LLVM IR of it.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"

enum { CUTE_PTX_MAX_DEPTH = 32 }; // of calls within calls

typedef enum CutePtxSymbolKind {
  CUTE_PTX_PARAMETER,       // a number, of an LLVM type
  CUTE_PTX_PARAMETER_ARRAY, // bytes
  CUTE_PTX_SHARED,
  CUTE_PTX_LOCAL,   // also .param of a body, which a call passes
  CUTE_PTX_GLOBAL,  // also constant memory
  CUTE_PTX_UNKNOWN, // variables of other modules, or with addresses
  CUTE_PTX_ALIAS,   // a function's parameter: the caller's
} CutePtxSymbolKind;

typedef struct CutePtxSymbol {
  CuteStringRef name;
  CutePtxSymbolKind kind;
  unsigned long bytes, align;
  unsigned bits; // of an element
  unsigned line;
  bool isHidden;        // its block has ended
  int target;           // of an alias
  CuteStringRef kernel; // of a shared variable that it declares
} CutePtxSymbol;

// The file with a number, as .loc names it.
typedef struct CutePtxFile {
  unsigned long number;
  CuteStringRef path;
} CutePtxFile;

// A place that .loc names, by the number of its file, and where the function
// that has it was called.
typedef struct CutePtxPlace {
  unsigned long file, line, column;
} CutePtxPlace;

typedef struct CutePtxInlining {
  CutePtxPlace place, caller;
} CutePtxInlining;

// A function: its results, parameters and body, each after its bracket; null
// where it has none.
typedef struct CutePtxFunction {
  CuteStringRef name;
  const char *results, *parameters, *body;
} CutePtxFunction;

typedef struct CutePtxText {
  const char *text, *at;
  CuteString *ir;
  CuteStringRef kernel;              // whose body is copied
  size_t numSymbols, symbolCapacity; // the module's come first
  CutePtxSymbol *symbols;
  size_t numFiles, fileCapacity;
  CutePtxFile *files;
  size_t numInlinings, inliningCapacity;
  CutePtxInlining *inlinings; // in the order of the text
  size_t numFunctions, functionCapacity;
  CutePtxFunction *functions;
  unsigned long line, column; // of the last .loc, and its file
  CuteStringRef path;
  CuteStringRef callers[CUTE_PTX_MAX_DEPTH]; // whose bodies are being copied
  unsigned depth;                            // their number
  unsigned call, numCalls; // the innermost one, and all so far
} CutePtxText;

unsigned cutePtxLineAt(const CutePtxText *m, const char *at);
CuteStatus cutePtxTextFail(const CutePtxText *m, const char *at,
                           const char *what);

//===-- Words -------------------------------------------------------------===//

// Gives the end of a comment or a string that begins here, else the place.
const char *cutePtxSkipQuoted(const char *at);

bool cutePtxIsNameCharacter(char c);

// A word after blanks and comments; empty if none follows.
CuteStringRef cutePtxTextWord(CutePtxText *m);
bool cutePtxTextTake(CutePtxText *m, char c);

// Goes past the next `c` outside of comments and strings.
void cutePtxSkipPast(CutePtxText *m, char c);

// Goes past the brace that ends the block around; to the end without one.
void cutePtxSkipBlock(CutePtxText *m);

//===-- Declarations ------------------------------------------------------===//

// Reads ".align 8 .b8 name[24]" after the space, up to what follows.
CuteStatus cutePtxTakeVariable(CutePtxText *m, CutePtxSymbolKind kind,
                               CutePtxSymbol *symbol);

// Reads " = {1, 2};" or ";" after a variable, and appends as many bytes as it
// has, zeros where nothing is given. With addresses among its values the
// variable becomes unknown.
CuteStatus cutePtxTakeInitializer(CutePtxText *m, CutePtxSymbol *symbol,
                                  CuteString *bytes);

void cutePtxPushSymbol(CutePtxText *m, CutePtxSymbol symbol);

// The last symbol with the name; -1 if there is none.
int cutePtxFindSymbol(const CutePtxText *m, CuteStringRef name);

//===-- Bodies ------------------------------------------------------------===//

// Notes all functions of the module.
void cutePtxReadFunctions(CutePtxText *m);

// Goes past a function, or its declaration, after ".func". `function` may be
// null.
void cutePtxTakeFunction(CutePtxText *m, CutePtxFunction *function);

// Appends ".line N;", with the line in the module of what is copied next.
void cutePtxAppendLine(const CutePtxText *m, CuteString *body);

// Copies a body up to `end`, a brace. Variables become operands $0, $1, ...; a
// call of a function of the module becomes its body in braces, where `ret`
// branches to the end, and of another one "call.NAME results, parameters;".
CuteStatus cutePtxCopyBody(CutePtxText *m, const char *end, CuteString *body);
