// Short names for the types in the text that MLIR parses: it parses each type
// once, in a list of aliases at the top.
#pragma once

#include "IR/type.h"
#include "Support/task.h"

typedef struct CuteTypeAliases {
  CutePointerMap numbers; // CuteType -> its number from 1, in disguise
  CuteString prefix;      // of the names, with "!"
  CuteString definitions; // a line for each alias
  size_t *sources;        // where in the source each was first used
  size_t count, capacity;
} CuteTypeAliases;

// Names that do not begin as any alias of the user's; a text with such aliases
// is "clashing", and needs names that nothing in the source begins with.
void cuteTypeAliasesInit(CuteTypeAliases *aliases, CuteStringRef source,
                         bool isClashing);
void cuteTypeAliasesDestroy(CuteTypeAliases *aliases);

// Tells whether the user's alias may be one of ours, in a text that was not
// known to be clashing.
bool cuteTypeAliasesClash(const CuteTypeAliases *aliases, CuteStringRef name);

// Appends the alias of a type; types of other dialects are themselves. `source`
// is an offset.
void cuteTypeAliasesAppend(CuteTypeAliases *aliases, CuteString *text,
                           CuteType type, size_t source);
