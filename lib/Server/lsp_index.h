// The names in a text: where each is defined, and its types.
#pragma once

#include "IR/type.h"
#include "Support/lexer.h"

enum { CUTE_LSP_TYPES = 4, CUTE_LSP_NOWHERE = -1 };

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
