// The reader of inline PTX, which its files share.
#pragma once

#include "Simulator/ptx/ptx_program.h"

// Registers that the text declares, until their block ends: one, or `count`
// with numbers after their name. One of 128 bits has two slots; a vector has
// `lanes`, .x to .w, with so many slots each.
typedef struct CutePtxName {
  CuteStringRef text;
  int slot, slots, count, lanes, depth;
  int numWords, place; // slots in all; the first word in the function's scope
  bool isPredicate;
} CutePtxName;

// A label is known in its block in braces, by its number, and in those within.
typedef struct CutePtxJump {
  CuteStringRef label;
  size_t instruction, block;
} CutePtxJump;

typedef struct CutePtxLabel {
  CuteStringRef text;
  size_t place, block;
} CutePtxLabel;

typedef struct CutePtxParser {
  CuteStringRef text;
  size_t at;
  bool isCommentOpen; // at the end of the text
  CuteSimPtxOperations operations;
  CuteSimPtx *program;
  CutePtxName names[CUTE_PTX_MAX_NAMES];
  size_t numNames;
  int depth;
  CutePtxJump *jumps;
  CutePtxLabel *labels;
  size_t numJumps, numLabels, jumpCapacity, labelCapacity;
  size_t block, numBlocks, blockCapacity;
  size_t *parents; // of blocks from 1; 0 is the text
  size_t counted;  // characters in whose lines `line` is the last
  unsigned line;
  bool hasPlaces;          // of .loc
  bool hasProducts;        // of warpgroups
  int carry;               // the slot of add.cc's carry; -1 before the first
  CuteStringRef statement; // that is read, for messages
  CutePtxInstruction now;
} CutePtxParser;

//===-- Words -------------------------------------------------------------===//

// The next character that is not blank; a NUL at the end.
char cutePtxPeek(CutePtxParser *p);

// Takes the next character if it is this one.
bool cutePtxTake(CutePtxParser *p, char c);

// Takes the next character, or fails where it is another one.
CuteStatus cutePtxExpect(CutePtxParser *p, char c);

// A name, a mnemonic or a number; empty if there is none.
CuteStringRef cutePtxTakeWord(CutePtxParser *p);

// A number of decimal digits, at most `most`; -1 if there is none.
int cutePtxTakeCount(CutePtxParser *p, int most);

// A failure with the statement that is read.
CuteStatus cutePtxFail(const CutePtxParser *p, const char *what);

//===-- Registers and operands --------------------------------------------===//

// The first slot of a register that is declared, or -1. `name`, if not null,
// becomes that of its registers.
int cutePtxFindName(const CutePtxParser *p, CuteStringRef text,
                    const CutePtxName **name);

// The number of slots of the registers that the text names.
int cutePtxSpan(const CutePtxName *name, CuteStringRef text);

// A slot that nobody has.
CuteStatus cutePtxTakeSlots(CutePtxParser *p, int count, int *slot);

// ".reg .pred p, q;" or ".reg .v4 .f32 v;", after the first word, which may
// have the type.
CuteStatus cutePtxParseRegisters(CutePtxParser *p, CuteStringRef word);

// The slot of "$3" or "${3:r}"; the word has been read.
CuteStatus cutePtxParseValue(CutePtxParser *p, CuteStringRef word, int *slot);

// The rest of an instruction up to its semicolon, vectors and addresses flat.
CuteStatus cutePtxParseOperands(CutePtxParser *p, int numResults);

// Appends an instruction, whose operands are copied.
void cutePtxPushInstruction(CutePtxParser *p, CutePtxInstruction i);
