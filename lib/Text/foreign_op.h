// Reads the types of results from the text of another dialect's op.
#pragma once

#include "IR/type.h"

// Tells whether a word is the name of an op, as far as words tell.
bool cuteForeignOpIsName(CuteStringRef word);

// The result types of the op whose text begins with `statement`, its name
// first, as an array in the arena; none if the text does not tell. The text may
// continue after the op.
size_t cuteForeignOpGetTypes(CuteContext context, CuteArena *arena,
                             CuteStringRef statement, CuteType **types);

// The type of operand i in the list after the op's colon, the last one for what
// is after it; null without a list.
CuteType cuteForeignOpGetOperandType(CuteContext context,
                                     CuteStringRef statement, size_t i);

// The element of a vector, memref or tensor; null for other types.
CuteType cuteForeignTypeGetElement(CuteContext context, CuteType type);

// The same vector of other elements; the element for types that have none.
CuteType cuteForeignTypeWithElement(CuteContext context, CuteType type,
                                    CuteStringRef element);
