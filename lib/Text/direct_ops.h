// Ops of the dialect that are not written for MLIR's parser, but made by its C
// API. The parser gets one op for a run of adjacent ops, which are made after
// it. That op takes the outside values that the run uses and gives the run's
// values that other ops use, so that MLIR resolves names and reports errors in
// them.
#pragma once

#include "IR/dialect.h"
#include "Support/lexer.h"
#include "Text/source_map.h"

struct CuteReader;
struct CuteReaderParts;
typedef struct CuteDirectRun CuteDirectRun;

typedef struct CuteDirectOps {
  CuteArena arena;
  CuteHashTable names; // the latest definition of each
  size_t numRuns, runCapacity;
  CuteDirectRun **runs;
  // Types, parsed by MLIR before ops are made.
  CutePointerMap typeNumbers; // CuteType -> its number from 1, in disguise
  size_t numTypes, typeCapacity;
  CuteType *types;
  MlirType *mlirTypes;
  // The braces that are open, by depth: each has a number.
  size_t numBraces;
  size_t braces[CUTE_MAX_NESTING + 1];
} CuteDirectOps;

void cuteDirectOpsDestroy(CuteDirectOps *direct);

// Tells whether an op whose text ends at the lexer can be made directly: it has
// no attributes in braces, and no location after it.
bool cuteDirectOpsAllow(struct CuteReader *reader,
                        const struct CuteReaderParts *parts);

// Takes an op whose results have these names, each for some values, and whose
// statement begins at `statement`.
void cuteDirectOpsTake(struct CuteReader *reader,
                       const struct CuteReaderParts *parts, size_t numNames,
                       const CuteStringRef *names, const size_t *counts,
                       const char *statement);

// Has MLIR parse the type with the ops' types, so that it is known.
void cuteDirectOpsNoteType(CuteDirectOps *direct, CuteType type);

// Notes that other text uses a name, or gives it to another value.
void cuteDirectOpsUse(struct CuteReader *reader, CuteStringRef name);
void cuteDirectOpsDefine(struct CuteReader *reader, CuteStringRef name);

// Tells whether a user's attribute has the name of the op that replaces a run.
bool cuteDirectOpsClash(CuteStringRef name);

// Notes that a bracket has been opened.
void cuteDirectOpsEnter(struct CuteReader *reader);

// Writes the ops that replace the runs to the output, for MLIR's parser.
// Nothing may be written after it.
void cuteDirectOpsWrite(struct CuteReader *reader);

// Has MLIR parse the types; false where one is none.
bool cuteDirectOpsParseTypes(CuteDirectOps *direct, CuteDialect *dialect);

// Makes the ops of all runs in the module that MLIR has parsed.
void cuteDirectOpsMake(CuteDirectOps *direct, CuteDialect *dialect,
                       MlirModule module);
