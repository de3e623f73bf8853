// Values written as types of the dialect, as messages of the compiler have
// them.
#ifndef CUTE_CALCULATOR_TYPE_VALUE_H
#define CUTE_CALCULATOR_TYPE_VALUE_H

#include "Calculator/value.h"

// The length of the text up to the end of the type that it begins with,
// !cute.NAME<...>; 0 if it begins with none.
size_t cuteTypeTextGetLength(CuteStringRef text);

// The value that the type holds: of a tensor the layout, of coordinates the
// layout from their origin on. Failed with a message for others, and for what
// is dynamic where that cannot be.
CuteValue cuteValueOfType(CuteContext c, CuteStringRef text);

#endif
