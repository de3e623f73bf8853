// Diagnostics for other programs: the forms in which tools report besides text,
// and warnings that count as errors. The choice holds for the process; tools
// make it by options (command_line.h).
#pragma once

#include "Support/string_builder.h"

// In the order in which --diagnostics names them.
typedef enum CuteDiagnosticFormat {
  CUTE_DIAGNOSTICS_TEXT,
  CUTE_DIAGNOSTICS_JSON,
  CUTE_DIAGNOSTICS_SARIF,
  CUTE_DIAGNOSTICS_GITHUB,
} CuteDiagnosticFormat;

// In the order of CuteSeverity.
typedef enum CuteSaidKind {
  CUTE_SAID_ERROR,
  CUTE_SAID_WARNING,
  CUTE_SAID_REMARK,
  CUTE_SAID_NOTE, // belongs to the one before
} CuteSaidKind;

const char *cuteDiagnosticGetName(CuteSaidKind kind);

typedef struct CuteSaid {
  CuteSaidKind kind;
  CuteStringRef file;    // empty: no place
  unsigned line, column; // from 1, in bytes; 0: not known
  CuteStringRef message;
} CuteSaid;

void cuteDiagnosticSetFormat(CuteDiagnosticFormat format);

// Makes warnings count as errors.
void cuteDiagnosticSetStrict(void);

// Gives what a warning counts as, others as they are.
CuteSaidKind cuteDiagnosticGetKind(CuteSaidKind kind);

// Takes a diagnostic; false where it is to be printed as text.
bool cuteDiagnosticTake(CuteSaid said);

// Takes an error of a tool, whose lines may begin with places,
// FILE:LINE:COLUMN; false where it is to be printed as text.
bool cuteDiagnosticTakeError(const char *message);

// Writes to standard error what the format has at the end. To be called last.
void cuteDiagnosticFinish(const char *tool);
