// C source with compiled kernels in it: cutec --emit=c.
#pragma once

#include "Support/string_builder.h"

#include <jansson.h>

typedef struct CuteCSource {
  CuteString header, source;
} CuteCSource;

// Writes functions that load the kernels of a manifest and launch them, each
// with its arguments' types, by libcute-run. `name` begins the module's
// functions, and is that of the header. False with a message where names of
// kernels do not fit C.
bool cuteCSourceWrite(const json_t *manifest, const CuteString *code,
                      const char *name, CuteCSource *out, CuteString *message);

// Appends the text with what C does not take in a name made _.
void cuteCSourceAppendName(CuteString *name, const char *text);
