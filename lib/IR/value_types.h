// What the text so far says about the types of SSA values, for ops whose types
// were left out. The latest definition of a name counts: MLIR checks the
// result, so a wrong guess is an error and never a wrong program.
#ifndef CUTE_IR_VALUE_TYPES_H
#define CUTE_IR_VALUE_TYPES_H

#include "IR/lexer.h"
#include "IR/type.h"

typedef struct CuteValueTypes {
  CuteArena arena;
  struct CuteValueEntry **slots;
  size_t count, capacity;
} CuteValueTypes;

void cuteValueTypesInit(CuteValueTypes *values);
void cuteValueTypesDestroy(CuteValueTypes *values);

// Names are as written, %x; results of one definition are %x#0, %x#1, ...
void cuteValueTypesSet(CuteValueTypes *values, CuteStringRef name, size_t n,
                       const CuteType *types);

// The value is result `index` of the op of another dialect that begins at
// `statement`; its type is looked for when it is asked for.
void cuteValueTypesSetForeign(CuteValueTypes *values, CuteStringRef name,
                              CuteStringRef statement, size_t index);

// `name` has the type of the value `other`.
void cuteValueTypesSetAlias(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef other);

// The type of %x or %x#2, or null.
CuteType cuteValueTypesGet(CuteValueTypes *values, CuteContext context,
                           CuteStringRef name);

#endif
