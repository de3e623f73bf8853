// Command lines of the tools as rows: parsing, --help, manual pages and
// completions of shells all come from them.
#pragma once

#include "Support/status.h"
#include "Support/string_builder.h"
#include "Support/suggest.h"

typedef enum CuteOptionKind {
  CUTE_OPTION_FLAG,     // --name
  CUTE_OPTION_BOOL,     // --name, --name=true, --name=false, as MLIR's
  CUTE_OPTION_VALUE,    // --name=VALUE, --name VALUE
  CUTE_OPTION_LETTER,   // -nVALUE as well
  CUTE_OPTION_NUMBER,   // --name=N, kept as an int64_t
  CUTE_OPTION_OPTIONAL, // --name, --name=VALUE
  CUTE_OPTION_TEXT // a line of --help alone: a command, an option of a pass
} CuteOptionKind;

typedef struct CuteOption CuteOption;

struct CuteOption {
  const char *names; // with their dashes: "-g, --line-info"
  const char *more;  // other spellings, which --help leaves out, or null
  CuteOptionKind kind;
  const char *value;             // what --help calls the value: "FILE"
  const char *help;              // null: left out of --help
  const char *words;             // all values: "ptx cubin"; null: any
  const char *(*word)(size_t i); // instead: the i-th value, null after them
  const char *needs;   // "a file, as in ...", for the error; null: "a value"
  int64_t least, most; // of a number; most 0: as it fits
  // Takes the value, "" without one; or null, and a flag is set, or a text
  // kept, at the offset in the options.
  CuteStatus (*take)(void *options, const char *value);
  size_t offset;
  // For what only prints something: the process ends with this code.
  int (*answer)(const char *value);
};

// A part of --help: rows, or what gives the i-th, false after the last.
typedef struct CuteOptionSection {
  const char *title;   // in capital letters
  const char *text;    // below the title, or null
  const char *command; // that has these options; null: the tool itself
  const CuteOption *rows;
  size_t numRows;
  bool (*get)(size_t i, CuteOption *row);
} CuteOptionSection;

enum { CUTE_TOOL_SECTIONS = 6 };

typedef struct CuteTool {
  const char *name, *version;
  const char *overview;
  const char *usage;   // without the tool's name
  const char *details; // text before the sections, or null
  const char *notes;   // and after them
  size_t column;       // where the text of --help begins
  CuteOptionSection sections[CUTE_TOOL_SECTIONS];
  CuteStatus (*takeInput)(void *options, const char *argument);
  // Takes an option that no row has; *isTaken tells. Or null.
  CuteStatus (*takeOther)(void *options, const char *argument, bool *isTaken);
  void (*offer)(CuteSuggestion *suggestion); // names that such options have
  // The i-th word that an argument of a command may be, "" for none, null after
  // them; or null.
  const char *(*getArgument)(const char *command, size_t i);
} CuteTool;

// Reads a command line; after "--" all are inputs. *code is the exit code if an
// option has answered a question, such as --help, or -1.
CuteStatus cuteOptionsTake(const CuteTool *tool, void *options, int argc,
                           char **argv, int *code);

// Reads the options and inputs of a command of the tool; argv[0] is its name.
CuteStatus cuteOptionsTakeCommand(const CuteTool *tool, void *options,
                                  CuteStatus (*takeInput)(void *options,
                                                          const char *argument),
                                  int argc, char **argv);

// Tells whether an option of a command has its value in the next argument.
bool cuteOptionsTakeNext(const CuteTool *tool, const char *command,
                         const char *argument);

// Tells whether an option has its value in the next argument if not in its own.
bool cuteOptionNeedsValue(const CuteOption *option);

// Gives the i-th row of a section; false after the last.
bool cuteOptionGet(const CuteOptionSection *section, size_t i, CuteOption *row);

// Gives the next of names with commas between them, and moves on; false after
// the last.
bool cuteOptionNextName(const char **names, CuteStringRef *name);

// Gives the i-th value that an option may have; empty after the last.
CuteStringRef cuteOptionGetWord(const CuteOption *option, size_t i);

// The rows of --diagnostics and --werror (diagnostic_format.h).
enum { CUTE_NUM_DIAGNOSTIC_OPTIONS = 2 };
extern const CuteOption cuteDiagnosticOptions[CUTE_NUM_DIAGNOSTIC_OPTIONS];

//===-- Texts -------------------------------------------------------------===//

// Writes a row of --help, whose second column begins at the column.
void cuteOptionWriteRow(const CuteOption *row, size_t column, CuteString *text);

void cuteOptionWriteHelp(const CuteTool *tool, CuteString *text);
void cuteOptionWriteSection(const CuteTool *tool,
                            const CuteOptionSection *section, CuteString *text);

// Writes a manual page, for man.
void cuteOptionWriteManual(const CuteTool *tool, CuteString *text);

// Writes a script that completes command lines in "bash", "zsh" or "fish" by
// TOOL --completions=words -- WORD ...; false for another shell.
bool cuteOptionWriteCompletions(const CuteTool *tool, const char *shell,
                                CuteString *text);

// Writes what the last of the words may be, a line each, after which there may
// be a tab and an explanation.
void cuteOptionsComplete(const CuteTool *tool, int n, char **words,
                         CuteString *text);

// Prints the message of a status, which it takes, as an error of the tool;
// true, and nothing, where nothing failed.
bool cuteCommandSucceeds(CuteStatus status);
