// Shared by the tools.
#pragma once

#include "IR/dialect.h"
#include "Support/command_line.h"
#include "Support/file.h"
#include "Support/lines.h"
#include "Support/output_file.h"
#include "cute/Assembly.h"
#include "cute/Driver.h"
#include "cute/MlirContext.h"

// A context without threads, with all of MLIR's dialects registered and this
// one loaded. The context is null, with a message on standard error, where that
// fails; cuteMlirContextDestroy ends it.
MlirContext cuteDriverCreateContext(void);

// The version, as --version prints it after a tool's name: "0.1.0,
// LLVM/MLIR 22.1.8".
extern const char cuteDriverVersion[];

// A file and its name in diagnostics.
typedef struct CuteSource {
  const char *name;
  CuteFileText file;
  CuteStringRef text;    // of the file
  CuteLines lines;       // found for the first diagnostic
  unsigned line, column; // of the latest diagnostic
} CuteSource;

// Reads the file ("-": standard input); false with a message in `said`.
bool cuteSourceRead(CuteSource *source, const char *path, FILE *said);
void cuteSourceDestroy(CuteSource *source);

// Tells whether it is an error, as warnings are with --werror.
bool cuteDriverIsError(CuteSeverity severity);

// In the form that --diagnostics names, or as text:
// "file:1:2: error: message", the source line and a caret. Lines of files other
// than the source are not shown, nor lines of notes that follow a diagnostic at
// the same place.
void cuteDriverPrintDiagnostic(FILE *stream, const CuteDiagnostic *diagnostic,
                               CuteSource *source);

// The same with its notes.
void cuteDriverPrintAll(FILE *stream, const CuteDiagnostic *diagnostic,
                        size_t numNotes, const CuteDiagnostic *notes,
                        CuteSource *source);

// Does the rest of the work with a module; false where it has said why not.
typedef bool CuteDriverCompile(MlirModule module, const CuteSource *source,
                               FILE *said, void *data);

// Reads a module from a file into a context, which it destroys, runs the passes
// for `arch` on it, unless these are null, and calls `compile`. Fails with all
// that was said, for programs that know nothing of MLIR.
CuteStatus cuteDriverCompileFile(MlirContext context, const char *path,
                                 const char *arch, const char *passes,
                                 CuteDriverCompile *compile, void *data);

// An MlirStringCallback with a CuteOutputFile.
void cuteDriverAppend(MlirStringRef piece, void *output);

// Says that the file could not be written; false.
bool cuteDriverCannotWrite(const char *path, int error);

// False, with a message that ends in the advice, if writing the output would
// replace the input.
bool cuteDriverMayReplace(const char *output, const char *input,
                          const char *advice);

// Values for parameters, from -D name=value.
typedef struct CuteDriverParameters {
  CuteParameter *list;
  size_t count, capacity;
} CuteDriverParameters;

// Takes the value of -D: NAME=VALUE.
CuteStatus cuteDriverTakeParameter(CuteDriverParameters *parameters,
                                   const char *text);

// Prints all atoms as a table, or the row of one in JSON. Returns the exit
// code.
int cuteDriverListAtoms(const char *name);
int cuteDriverListAtom(const char *name);

// Prints all rows of dialect/hardware as one JSON object; "json" is the only
// format. Returns the exit code.
int cuteDriverListHardware(const char *format);

//===-- Expected diagnostics ----------------------------------------------===//

typedef struct CuteExpectation {
  CuteSeverity severity;
  unsigned line; // 0: any place without a line
  CuteStringRef message;
  bool isRegex, isMet;
  unsigned at; // the line of the comment
} CuteExpectation;

typedef struct CuteExpectations {
  CuteExpectation *list;
  size_t count, capacity;
  bool failed;
} CuteExpectations;

// Reads the expected-... comments of a text whose first line has the number
// `firstLine`. False with a message for a malformed one.
bool cuteExpectationsRead(CuteExpectations *expectations, CuteStringRef text,
                          unsigned firstLine);
void cuteExpectationsDestroy(CuteExpectations *expectations);

// Ticks off the first expectation that the diagnostic meets.
bool cuteExpectationsMeet(CuteExpectations *expectations,
                          const CuteDiagnostic *diagnostic);
