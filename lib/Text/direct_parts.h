// Ops that are made directly, between reading and making: private to them.
#pragma once

#include "IR/builder.h"
#include "Text/reader_parts.h"

// A value that an op of a run uses: result `index` of op `op` of the run, or
// operand `index` of the op in its place.
typedef struct ValueRef {
  uint32_t op, index;
} ValueRef;
enum { CUTE_DIRECT_OUTSIDE = INT32_MAX }; // the latter

typedef struct DirectOp {
  const CuteOpDecl *decl;
  MlirLocation location;
  size_t numOperands, numResults, numAttributes;
  ValueRef *operands;
  const CuteType *results;
  CuteNamedAttribute *attributes;
} DirectOp;

// The latest definition of a name, or its use before any.
typedef struct Name {
  CuteStringRef name;
  CuteDirectRun *run; // null: other text has it
  uint32_t op, first; // the values: results of an op of the run
  size_t count;
  size_t depth, brace; // of the region
  bool isExported;
  struct Name *nextExported;
  CuteDirectRun *user; // the latest run that has it as its operand `index`
  CuteType usedAs;
  uint32_t index;
} Name;

typedef struct Outside {
  CuteStringRef name;
  CuteType type;
} Outside;

struct CuteDirectRun {
  size_t at; // in the output
  const char *start;
  size_t numOps, numOutside;
  DirectOp *ops;
  Outside *outside;
  Name *exported; // the last one first
};

// The op that MLIR gets in place of a run, and its attribute with the run's
// number.
#define CUTE_DIRECT_CONVERSION "builtin.unrealized_conversion_cast"
#define CUTE_DIRECT_NUMBER "cute.run"
