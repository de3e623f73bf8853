// What programs that embed the library share: a context, and what was reported.
#pragma once

#include "check.h"

#include <cute/Cute.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct Text {
  char *data;
  size_t length;
} Text;

static inline void appendText(MlirStringRef piece, void *userData) {
  Text *text = userData;
  text->data = realloc(text->data, text->length + piece.length + 1);
  memcpy(text->data + text->length, piece.data, piece.length);
  text->length += piece.length;
  text->data[text->length] = '\0';
}

static inline bool hasText(const Text *text, const char *part) {
  return text->data && strstr(text->data, part);
}

static inline MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// The diagnostics of a context, as "severity line:column: message" lines.
static inline void appendLocated(Text *text, const CuteDiagnostic *diagnostic) {
  char head[64];
  int line = -1, column = -1;
  if (mlirLocationIsAFileLineColRange(diagnostic->location)) {
    line = mlirLocationFileLineColRangeGetStartLine(diagnostic->location);
    column = mlirLocationFileLineColRangeGetStartColumn(diagnostic->location);
  }
  snprintf(head, sizeof head, "%d %d:%d: ", (int)diagnostic->severity, line,
           column);
  appendText(ref(head), text);
  appendText(diagnostic->message, text);
  appendText(ref("\n"), text);
}

static inline void collect(const CuteDiagnostic *diagnostic, size_t numNotes,
                           const CuteDiagnostic *notes, void *userData) {
  appendLocated(userData, diagnostic);
  for (size_t i = 0; i < numNotes; ++i)
    appendLocated(userData, &notes[i]);
}

// A context with all of MLIR's dialects, and this one if `load`.
static inline MlirContext createContext(bool load) {
  MlirContext context = {NULL};
  if (load) {
    context = cuteMlirContextCreate();
    assert_false(mlirContextIsNull(context));
  } else {
    MlirDialectRegistry registry = mlirDialectRegistryCreate();
    cuteRegisterDependencies(registry);
    context = mlirContextCreateWithRegistry(registry, false);
    mlirDialectRegistryDestroy(registry);
  }
  return context;
}

static inline void destroyContext(MlirContext context) {
  cuteMlirContextDestroy(context);
}

static inline MlirModule parse(MlirContext context, const char *text) {
  return cuteModuleParse(context, ref(text), ref("memory"));
}
