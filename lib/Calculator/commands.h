// The commands of cute-layout, one file each: command_eval.c and so on.
#ifndef CUTE_CALCULATOR_COMMANDS_H
#define CUTE_CALCULATOR_COMMANDS_H

#include "Calculator/calculator.h"
#include "cute/Laws.h"

// What a command gives to the shell.
typedef enum CuteExit {
  CUTE_EXIT_OK,
  CUTE_EXIT_FAILED,
  CUTE_EXIT_USAGE
} CuteExit;

// argv[0] is the command's name.
typedef CuteExit CuteCommand(int argc, char **argv);

CuteCommand cuteCommandBatch;
CuteCommand cuteCommandEval;
CuteCommand cuteCommandInteractive;
CuteCommand cuteCommandExplain;
CuteCommand cuteCommandOperations;
CuteCommand cuteCommandShow;

// Takes "--strict" out of the arguments, after the command's name: the policy
// for laws that fail.
CuteLawPolicy cuteTakeStrict(int *argc, char **argv);

// Evaluates a program for a command: reports what fails, with the place in the
// text, and where a law fails, on standard error.
typedef struct CuteSession {
  CuteContext context;
  CuteCalculator *calculator;
} CuteSession;

// Under the policy CUTE_LAWS_WARN, which a command may change.
CuteSession cuteSessionCreate(void);
void cuteSessionDestroy(CuteSession session);
CuteValue cuteSessionEvaluate(CuteSession session, const char *text);

// A line on standard output.
void cuteValuePrint(CuteValue value);
void cuteOperationPrint(const CuteOperation *row);

#endif
