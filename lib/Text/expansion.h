// Parameters of a text: a module declares them, with the values that they have
// if nobody gives others,
//   gpu.module @m attributes {cute.parameters = {BM = 128, T = f16}} {
// and the text uses them as $BM, ${BM} and ${BM*BK/2}.
#pragma once

#include "Text/source_map.h"
#include "cute/Assembly.h"

// A text with values in place of its parameters, on the same lines.
typedef struct CuteExpansion {
  bool isNeeded; // otherwise the text is the source
  CuteString text;
  CuteColumnShift *shifts;
  size_t numShifts, shiftCapacity;
  size_t errorAt; // in the source
  CuteString error;
} CuteExpansion;

void cuteExpansionDestroy(CuteExpansion *expansion);

// Replaces the uses of parameters by their values, and the declared values by
// the values in force. A use is $name without a word before it; $$, $0 and
// ${0:n} are left to inline assembly. Strings have their quotes, but not within
// another string. The rest of a line after //$name, a comment otherwise, is
// text if the parameter is not 0 or false. A text that declares no parameters
// is itself. False with an error: a value that is not declared, missing, or of
// another kind than declared; a name that is not declared; a formula without a
// value.
bool cuteExpansionExpand(CuteExpansion *expansion, CuteStringRef source,
                         size_t numValues, const CuteParameter *values);
