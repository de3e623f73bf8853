// Mistakes that a run finds, with the place in the kernel's source.
#pragma once

#include "Simulator/machine/machine.h"

// Mistakes are always reported, notes only if the result is wrong, and doubts,
// which most kernels have, only at sites without a mistake.
typedef enum CuteSimKind {
  CUTE_SIM_MISTAKE,
  CUTE_SIM_NOTE,
  CUTE_SIM_DOUBT,
  CUTE_SIM_KINDS
} CuteSimKind;

// The same mistake at one site is counted, not repeated.
typedef struct CuteSimFinding {
  const CuteSimSite *site, *other;
  const char *format;
  CuteSimKind kind;
  int64_t count;
  int64_t block; // the first that makes it, whichever runs first
  char *text;
} CuteSimFinding;

// A plain read, and the compare-and-swap of the same word by the same thread
// after it.
typedef struct CuteSimGuess {
  const CuteSimSite *read, *swap;
} CuteSimGuess;

typedef struct CuteSimFindings {
  size_t count, capacity;
  size_t mistakes;  // which come first in the end
  bool dropsDoubts; // nothing doubtful has come into the results
  CuteSimFinding *data;
  CuteSimGuess *guesses;
  size_t numGuesses, guessCapacity;
} CuteSimFindings;

// Tells whether two sites are of one place in the source: compilers unroll.
bool cuteSimFindIsOfPlace(const CuteSimSite *a, const CuteSimSite *b);

// Notes what a thread does wrong at a site, null if it has none. The format
// tells one kind from another; the operation's name replaces a '$' that begins
// it.
void cuteSimFind(CuteSimOp op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cuteSimFindV(CuteSimOp op, const CuteSimSite *other, CuteSimKind kind,
                  const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

// The same of two sites that belong together.
void cuteSimFindPair(CuteSimOp op, const CuteSimSite *other, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

// Makes races between the two accesses of a guess notes: a swap that follows a
// wrong one fails.
void cuteSimFindGuess(CuteSimRun *run, CuteSimGuess guess);

// Notes a finding of a kind.
void cuteSimFindKind(CuteSimOp op, CuteSimKind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same of a run as a whole, whose other notes say where it comes from.
void cuteSimFindOfRun(CuteSimRun *run, CuteSimKind kind, const char *format,
                      ...) __attribute__((format(printf, 3, 4)));

// Tells whether the format of a finding so far begins with a text.
bool cuteSimFindingsHave(CuteSimRun *run, const char *start);

// Notes who waits where in a cluster that is stuck; nothing where
// all threads have ended.
void cuteSimFindStuck(CuteSimCluster *cluster);

// Fails: a thread has got to where the program says that none comes.
void cuteSimFindUnreachable(const CuteSimSite *site);

// Appends "file:line:column: " of a site, where it is known.
void cuteSimAppendPlace(CuteString *text, const CuteSimSite *site);

// Appends "block 1".
void cuteSimAppendBlock(CuteString *text, const CuteSimBlock *block);

// Appends "block 1, thread 2".
void cuteSimAppendThread(CuteString *text, const CuteSimThread *thread);

// All that was found as one failure; null where that is nothing but notes,
// which become the text `notes`.
CuteStatus cuteSimFindingsTake(CuteSimFindings *findings, CuteString *notes);
