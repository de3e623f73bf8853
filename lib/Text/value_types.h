// The types of SSA values, as the text so far says them, for ops whose types
// were left out. The latest definition of a name counts: MLIR checks the
// result, so a wrong guess is an error and never a wrong program.
#pragma once

#include "IR/type.h"
#include "Support/suggest.h"
#include "Support/task.h"
#include "Support/text.h"

// Everything is in memory of the task.
typedef struct CuteValueTypes {
  CuteHashTable entries;
} CuteValueTypes;

void cuteValueTypesInit(CuteValueTypes *values);

// The definition of values: an op of this dialect, whose result types are
// known; an op of another dialect, whose text begins with `statement`; an
// argument, whose type the text begins with. Texts are looked at when a type is
// asked for, and stay the caller's.
typedef struct CuteDefinition CuteDefinition;
CuteDefinition *cuteValueTypesAddTypes(size_t n, const CuteType *types);
CuteDefinition *cuteValueTypesAddForeign(CuteStringRef statement);
CuteDefinition *cuteValueTypesAddArgument(CuteStringRef text);

// The values of a name begin at number `index` of those defined. Names are as
// written, %x; the values of one name are %x#0, %x#1, ...
void cuteValueTypesSet(CuteValueTypes *values, CuteStringRef name,
                       CuteDefinition *definition, size_t index);

// `name` has the type of the value `other`.
void cuteValueTypesSetAlias(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef other);

// Says the CuTe shape of the vector `name`.
void cuteValueTypesSetShape(CuteValueTypes *values, CuteStringRef name,
                            CuteIntTuple shape);

// The shape of a vector: as it was said, or that of an operand of the op of
// arith or math that makes it. Null where it is not known.
CuteIntTuple cuteValueTypesGetShape(CuteValueTypes *values, CuteContext context,
                                    CuteStringRef name);

// `name` is a thread's part of the value `whole`.
void cuteValueTypesSetSlice(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef whole, CuteStringRef thread);

// False if the name is not such a part.
bool cuteValueTypesGetSlice(CuteValueTypes *values, CuteStringRef name,
                            CuteStringRef *whole, CuteStringRef *thread);

// Tells whether %x or %x#2 is defined in the text so far. If not, offers the
// defined names, without their %, to the suggestion, unless that is null.
bool cuteValueTypesHas(const CuteValueTypes *values, CuteStringRef name,
                       CuteSuggestion *suggestion);

// Splits %x#2 into %x and 2, or as many as nobody has; the number is 0 for %x.
enum { CUTE_MANY_VALUES = 1000000 };
CuteStringRef cuteValueSplit(CuteStringRef name, size_t *number);

// The type of %x or %x#2, or null.
CuteType cuteValueTypesGet(CuteValueTypes *values, CuteContext context,
                           CuteStringRef name);
