// Values as types of the dialect, and back.
#pragma once

#include "Calculator/language/value.h"
#include "IR/op.h"

// The type of a value that an operand of these kinds takes. Null with a
// message.
CuteType cuteTypeOfValue(CuteContext c, CuteValue value, CuteKindSet kinds);

// The value that a type holds: of a tensor its layout, of coordinates the part
// from their origin on. Failed with a message for kinds that hold none.
CuteValue cuteValueOfType(CuteContext c, CuteType type);
