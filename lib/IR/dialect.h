// The dialect's state in one MLIR context.
#pragma once

#include "IR/emit.h"
#include "IR/mlir.h"
#include "IR/op.h"
#include "Support/task.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Diagnostics.h>

#include <pthread.h>

// Types by the text that they were read from: code repeats its types, and an
// entry is found faster than a type is parsed.
typedef struct CuteTypeCache {
  CuteArena arena;
  CuteHashTable entries;
} CuteTypeCache;

void cuteTypeCacheDestroy(CuteTypeCache *cache);

// Forgets all if that gives back much memory.
void cuteTypeCacheTrim(CuteTypeCache *cache);

// cuteTypeParsePrefix and cuteTypeParseParameters: the same results, kept.
CuteType cuteTypeCacheParsePrefix(CuteTypeCache *cache, CuteContext context,
                                  CuteStringRef text, size_t *length);
CuteType cuteTypeCacheParseParameters(CuteTypeCache *cache, CuteContext context,
                                      CuteTypeKind kind, CuteStringRef text,
                                      size_t *length);

// Results that are known of ops that differ in nothing but their operands'
// values: verification and the laws depend on the name, the types and the
// attributes alone, and code repeats its ops.
typedef struct CuteOpFacts {
  bool verifies;
  bool lawsChecked; // with these warnings
  size_t numWarnings;
  const char **warnings;
} CuteOpFacts;

typedef struct CuteOpMemo {
  CuteArena arena;
  CuteHashTable entries;
} CuteOpMemo;

void cuteOpMemoDestroy(CuteOpMemo *memo);

// The facts of all ops like this one, at first none. Valid until the next call.
CuteOpFacts *cuteOpMemoGet(CuteOpMemo *memo, MlirOperation op);

// Keeps the context's warnings, which an inference under CUTE_LAWS_WARN left.
void cuteOpMemoNoteLaws(CuteOpMemo *memo, CuteOpFacts *facts,
                        CuteContext context);

// The rows of all op groups, ended by a null list.
typedef const CuteOpHooks *const *CuteOpTable;

enum { CUTE_MAX_HOST_CALLS = 8 };

// Remembers what a module being lowered has for its code on the host.
typedef struct CuteHostModuleState {
  MlirOperation module; // null: none is being lowered
  bool callsRuntime;    // for launches and failed assertions
  bool areTextsCounted;
  size_t numTexts; // printfFormat_N exist up to this N at most
  const char *declared[CUTE_MAX_HOST_CALLS]; // functions of C, then nulls
} CuteHostModuleState;

typedef struct CuteDialect {
  struct CuteDialect *next; // in the registry of all contexts
  MlirContext mlir;
  CuteContext context;
  pthread_mutex_t lock;  // recursive
  unsigned locks;        // that its thread has taken
  CuteTask task;         // of the thread, since the first
  CuteOpDecl *ops;       // by number, and so by name
  CutePointerMap byName; // MlirIdentifier -> CuteOpDecl, for names seen so far
  CutePointerMap toCute; // MlirType -> CuteType
  CutePointerMap toMlir; // CuteType -> MlirType
  CuteTypeCache types;   // by their text
  CuteHashTable parsed;  // types and attributes that builders have named
  CuteArena parsedTexts;
  CuteOpMemo memo;
  bool notesLaws; // verification tests the laws, too, for who asks next
  CuteDiagnosticHandler handler; // null: MLIR's own
  void *handlerData;
  MlirDiagnosticHandlerID handlerId;
  // Taken last, also under a lock of MLIR's, by whoever calls the handler.
  pthread_mutex_t handlerLock; // recursive
  CuteContext messages;        // of types in MLIR's messages, under that lock
  CuteHostModuleState host;
  CuteLawPolicy inferenceLaws;
  const CuteArch *arch; // of the code that is being lowered; null: any
} CuteDialect;

// The text that this thread parses.
typedef struct CuteParsing {
  MlirContext context;
  struct CuteSourceMap *map;
  // Leads a location in the text that MLIR gets to the source.
  MlirLocation (*relocate)(struct CuteSourceMap *map, MlirLocation location);
  bool isTrial; // what MLIR says is not passed on
  bool failed;  // with an error of MLIR's own; a trial, with anything it said
} CuteParsing;

// Attributes MLIR's diagnostics in this thread to a text; null ends that.
void cuteParsingSet(CuteParsing *parsing);

// The text that this thread parses in the context, or null.
CuteParsing *cuteParsingGet(MlirContext context);

// Loads the dialect with these rows for its declarations.
MlirLogicalResult cuteDialectLoadOps(MlirContext context, CuteOpTable table);

// The context's dialect with its lock taken, or null if none is loaded. Locks
// nest within a thread. What it does until the last is given back is a task.
CuteDialect *cuteDialectLock(MlirContext context);

// The same, with an error if it is null.
CuteDialect *cuteDialectLockAt(MlirLocation location);

// The dialect without its lock: for what other locks protect.
CuteDialect *cuteDialectFind(MlirContext context);
void cuteDialectUnlock(CuteDialect *dialect);

// Begins the declaration of one that is locked up to the end of the block:
// CUTE_LOCKED *dialect = cuteDialectLock(context); it may be null.
#define CUTE_LOCKED                                                            \
  __attribute__((cleanup(cuteDialectLeave), unused)) CuteDialect

static inline void cuteDialectLeave(CuteDialect **dialect) {
  if (*dialect)
    cuteDialectUnlock(*dialect);
}

// Loads the types, attributes and ops into MLIR, with mixed groups of values
// split. The IRDL dialect is loaded. False with a diagnostic.
bool cuteDialectDeclare(MlirContext context);

// The declaration of an op name without "cute.", or null.
const CuteOpDecl *cuteDialectFindOp(const CuteDialect *dialect,
                                    CuteStringRef name);

// The declaration of an operation; null if it is null or not of this dialect.
const CuteOpDecl *cuteDialectGetDecl(CuteDialect *dialect, MlirOperation op);

// Gives the number of an op of the dialect; CUTE_NUM_OPS for others and null.
static inline CuteOpId cuteDialectGetOpId(CuteDialect *dialect,
                                          MlirOperation op) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl ? decl->id : CUTE_NUM_OPS;
}

// Tells whether an operation, which may be null, is this one of the dialect.
static inline bool cuteDialectIsOp(CuteDialect *dialect, MlirOperation op,
                                   CuteOpId id) {
  const CuteOpDecl *decl = cuteDialectGetDecl(dialect, op);
  return decl && decl->id == id;
}

//===-- Types -------------------------------------------------------------===//

// The dialect's type behind an MLIR type, or a foreign one; null with
// a message for a malformed type of the dialect.
CuteType cuteDialectGetType(CuteDialect *dialect, MlirType type);

static inline CuteType cuteDialectGetValueType(CuteDialect *dialect,
                                               MlirValue value) {
  return cuteDialectGetType(dialect, mlirValueGetType(value));
}

static inline CuteType cuteDialectGetOperandType(CuteDialect *dialect,
                                                 MlirOperation op, intptr_t i) {
  return cuteDialectGetValueType(dialect, getOperand(op, i));
}

static inline CuteType cuteDialectGetResultType(CuteDialect *dialect,
                                                MlirOperation op, intptr_t i) {
  return cuteDialectGetValueType(dialect, getResult(op, i));
}

// Tells whether a type is one of the dialect.
bool cuteDialectHasType(CuteDialect *dialect, MlirType type);

// The MLIR type; dynamic leaves become anonymous. Null type with a message in
// the context if a foreign type does not parse.
MlirType cuteDialectGetMlirType(CuteDialect *dialect, CuteType type);

// Notes that these two are the same.
void cuteDialectKnowType(CuteDialect *dialect, CuteType type, MlirType mlir);

//===-- Operations --------------------------------------------------------===//

// The op as an instance; memory comes from the context's scratch arena.
// Malformed operand types are null, with the message in the context.
CuteOp cuteDialectGetOp(CuteDialect *dialect, const CuteOpDecl *decl,
                        MlirOperation op);

// The same for an op that does not exist yet, of operand types and attributes;
// undeclared attributes are left out.
CuteOp cuteDialectMakeOp(CuteDialect *dialect, const CuteOpDecl *decl,
                         size_t numOperands, const MlirType *operands,
                         size_t numAttributes,
                         const MlirNamedAttribute *attributes);

//===-- Text --------------------------------------------------------------===//

static inline MlirStringRef toMlirString(CuteStringRef text) {
  return mlirStringRefCreate(text.data, text.length);
}
static inline CuteStringRef fromMlirString(MlirStringRef text) {
  return (CuteStringRef){text.data, text.length};
}
