// cute-lsp: the language server's documents, and its requests.
#pragma once

#include "IR/dialect.h"
#include "Support/lexer.h"
#include "Support/lines.h"

#include <jansson.h>

enum { CUTE_LSP_TYPES = 4, CUTE_LSP_NOWHERE = -1 };

//===-- Names, where each is defined, and their types ---------------------===//

// %name, @name, !name or #name in the text.
typedef struct CuteLspName {
  CuteToken kind;
  CuteStringRef text; // without #1, which is the number
  size_t number;
  int definition; // that of the definition; CUTE_LSP_NOWHERE
  // In a definition: where its scope ends (null: with the text), and its region
  // or it itself.
  const char *scopeEnd, *end;
  CuteStringRef op;               // of a symbol: the word before it
  CuteType types[CUTE_LSP_TYPES]; // of a value, the first ones; or null
} CuteLspName;

typedef struct CuteLspIndex {
  CuteLspName *names; // in the order of the text
  size_t count, capacity;
} CuteLspIndex;

// Finds the names of a text, which must outlive the index.
void cuteLspIndexBuild(CuteLspIndex *index, CuteStringRef text);
void cuteLspIndexDestroy(CuteLspIndex *index);

// The name that a place is in, or just after; null if there is none.
CuteLspName *cuteLspIndexFind(const CuteLspIndex *index, const char *at);

// Finds the definition of a name; null if it has none.
CuteLspName *cuteLspIndexResolve(const CuteLspIndex *index,
                                 const CuteLspName *name);

typedef struct CuteLspServer CuteLspServer;

// The cost of a line: that of its dearest op.
typedef struct CuteLspCost {
  int line; // after the kernel's first
  int64_t weight;
  CuteString text;
} CuteLspCost;

// A kernel, and what the lint found in it. That holds while the kernel, its
// lines and columns counted from its beginning, and all text outside kernels
// stay the same; comments and white space out there may change.
typedef struct CuteLspKernel {
  const char *from, *to; // in the text of the latest check
  size_t line;           // the first one, from 0
  uint64_t meaning;      // a hash of all that the findings depend on
  uint64_t places;       // a hash of where that is in the text
  bool isPlaced;         // the findings name such places
  bool isLinted;
  json_t *diagnostics;
  CuteLspCost *costs;
  size_t numCosts, costCapacity;
} CuteLspKernel;

// A text that the editor has open. Offsets are bytes of it.
typedef struct CuteLspDocument {
  CuteLspServer *server;
  char *uri;
  json_t *version; // as the editor gave it, or null
  CuteString text;
  CuteLines lines;
  CuteLspIndex index;
  bool isChecked; // what follows is that of the text
  // The latest check: its context, and the module where there is one.
  MlirContext context;
  unsigned numChecks; // in this context
  MlirModule module;
  json_t *diagnostics;
  // The kernels of the latest text that was linted.
  CuteLspKernel *kernels;
  size_t numKernels, kernelCapacity;
  bool isLinted; // this text is that one
} CuteLspDocument;

struct CuteLspServer {
  CuteString input; // read, and not yet handled
  bool isInitialized, isShutDown, isUtf8, hasRelated, lints;
  const char *arch; // that the lint takes; null: as the text says
  size_t numDocuments, capacity;
  CuteLspDocument **documents;
};

//===-- Messages (lsp_message.c) ------------------------------------------===//

typedef enum CuteLspRead {
  CUTE_LSP_MESSAGE,
  CUTE_LSP_BAD, // that is no JSON; it has been answered
  CUTE_LSP_END, // of the input, or of what can be read
} CuteLspRead;

// Reads the next message from standard input; it is the caller's.
CuteLspRead cuteLspReadMessage(CuteString *input, json_t **message);

// Tells whether more of a message is there, or comes within the time.
bool cuteLspAwaitMessage(const CuteString *input, int milliseconds);

// Writes a message, which it takes.
void cuteLspWriteMessage(json_t *message);
void cuteLspNotify(const char *method, json_t *params);

//===-- Documents (lsp_document.c) ----------------------------------------===//

CuteLspDocument *cuteLspDocumentCreate(CuteLspServer *server, const char *uri);
void cuteLspDocumentDestroy(CuteLspDocument *document);

// Applies the changes of didChange: each of the whole text, or of a range.
void cuteLspDocumentChange(CuteLspDocument *document, const json_t *changes);

// The offset of a position: the nearest one there is.
size_t cuteLspDocumentGetOffset(const CuteLspDocument *document,
                                const json_t *position);
// The offset of a line and a column, in bytes, both from 1.
size_t cuteLspDocumentLocate(const CuteLspDocument *document, unsigned line,
                             unsigned column);

json_t *cuteLspDocumentGetPosition(const CuteLspDocument *document,
                                   size_t offset);
json_t *cuteLspDocumentGetRange(const CuteLspDocument *document, size_t from,
                                size_t to);

//===-- Checks (lsp_check.c) ----------------------------------------------===//

// Reads, verifies and lints the text, and sends what was found, unless that was
// done.
void cuteLspCheckAndPublish(CuteLspDocument *document);

//===-- Lint (lsp_lint.c) -------------------------------------------------===//

// Lints the kernels of the text that have changed, and takes what was found in
// the others. The module has been verified; diagnostics come to its context.
void cuteLspLint(CuteLspDocument *document);

// Forgets the kernels.
void cuteLspLintClear(CuteLspDocument *document);

// The architecture in the first "--arch=sm_XX" of the text, as in a comment
// that says how it is compiled, or the one that its ops need.
const char *cuteLspLintGetArch(const CuteLspDocument *document);

//===-- Requests ----------------------------------------------------------===//

// Answer at a place in a text that has been checked; null: with null.
typedef json_t *CuteLspAnswer(CuteLspDocument *document, const char *at,
                              const json_t *params);

// lsp_hover.c
CuteLspAnswer cuteLspHover, cuteLspInlayHints;
// lsp_completion.c
CuteLspAnswer cuteLspComplete;
// lsp_navigation.c
CuteLspAnswer cuteLspDefinition, cuteLspReferences, cuteLspHighlights,
    cuteLspPrepareRename, cuteLspRename, cuteLspSymbols, cuteLspLenses;
