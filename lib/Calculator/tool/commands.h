// The commands of cute-layout, one file each: command_eval.c and so on.
#pragma once

#include "Calculator/language/calculator.h"
#include "Support/command_line.h"
#include "cute/Laws.h"

// The session in which commands evaluate: variables stay from one to the next.
typedef struct CuteSession {
  CuteContext context;
  CuteCalculator *calculator;
  CuteLawPolicy policy; // for laws that fail
} CuteSession;

CuteSession cuteSessionCreate(CuteLawPolicy policy);
void cuteSessionDestroy(CuteSession session);

// The value of a program. What fails, with the place in the text, and which
// laws fail, goes to standard error.
CuteValue cuteSessionEvaluate(CuteSession session, const char *text);

// A line on standard output.
void cuteValuePrint(CuteValue value);
void cuteCalcPrint(const CuteCalcOperation *row);

// The exit code of a command.
typedef enum CuteExit {
  CUTE_EXIT_OK,
  CUTE_EXIT_FAILED,
  CUTE_EXIT_USAGE
} CuteExit;

// argv[0] is the command's name.
typedef CuteExit CuteCommand(CuteSession session, int argc, char **argv);

CuteCommand cuteCommandAtoms;
CuteCommand cuteCommandEval;
CuteCommand cuteCommandExplain;
CuteCommand cuteCommandInteractive;
CuteCommand cuteCommandOperations;
CuteCommand cuteCommandShow;

// Options of commands, for --help.
enum { CUTE_NUM_SHOW_OPTIONS = 8 };
extern const CuteOption cuteShowOptions[CUTE_NUM_SHOW_OPTIONS];
extern const CuteOption cuteEvalOptions[1], cuteExplainOptions[1];

// Reads the arguments of a command that has one expression. The options begin
// with a pointer to its text, null if it is missing. False, after a message.
bool cuteCommandTakeOptions(void *options, int argc, char **argv);

// Tells whether an option of a command has its value in the next argument.
bool cuteCommandTakesNext(const char *command, const char *argument);

// The command argv[0]; CUTE_EXIT_USAGE if there is none of that name.
CuteCommand cuteCommandRun;

bool cuteCommandIsKnown(CuteStringRef name);

// Gives the i-th name that an expression of a command may begin with: of an
// operation, or "" for another row of it, or of an atom, the only names for
// "atoms". Null after them, and then *i counts on from 0.
const char *cuteCommandGetName(const char *command, size_t *i);

void cuteCommandOffer(CuteSuggestion *suggestion);

// The tool itself.
int cuteLayoutMain(int argc, char **argv);
