// Text of the attributes #cute.layout<"..."> and the like: values that belong
// to no type, and are not verified as types are.
#pragma once

#include "IR/type.h"

// Reads an attribute at the beginning of the text, "#cute." included, appends
// it in its canonical spelling, and sets `length` to what was read. False with
// a message in the context.
bool cuteAttributeParsePrefix(CuteContext context, CuteStringRef text,
                              size_t *length, CuteString *canonical);
