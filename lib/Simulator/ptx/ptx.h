// Inline PTX as LLVM has it, interpreted for one thread: text with operands $0,
// $1, ... Arithmetic, conversions, predicates and branches are evaluated here
// (PTX ISA, "Instruction Set"); what touches memory or other threads is an
// operation of whoever runs the program.
#pragma once

#include "Support/status.h"

// Immutable: threads may share it.
typedef struct CuteSimPtx CuteSimPtx;

// Counts what an instruction has: `addresses` of its operands are in brackets.
typedef struct CuteSimPtxOperands {
  unsigned results, operands, addresses;
  bool hasPredicate; // among the operands
} CuteSimPtxOperands;

// The operations of the machine. Each has values of 64 bits: its results, and
// after them its operands in the order of the text, vectors flat, addresses
// with their offsets added. A special register is an operation named "%tid.x"
// with one result.
typedef struct CuteSimPtxOperations {
  // A handle for the mnemonic, or null if there is no such operation. An empty
  // mnemonic reports a register that is used too early: its operands are a
  // CuteSimEarly and the product's own handle for that.
  void *(*find)(void *data, CuteStringRef mnemonic, CuteSimPtxOperands count);
  void *data;
  void (*tick)(void); // called by branches backwards, which may be endless
  // Tells whether there is such an operation, whatever its operands; null: not
  // known before these were read.
  bool (*knows)(CuteStringRef mnemonic);
  // Says where the statements that follow are; null: not asked for. Without a
  // file, by .loc, the line is that of the text.
  void (*locate)(void *data, CuteStringRef file, unsigned line,
                 unsigned column);
} CuteSimPtxOperations;

// The registers that inline PTX of a function declares outside of braces: they
// live until the function ends, and all text after them knows them. Zeros at
// first; `names` are freed by whoever has it.
typedef struct CuteSimPtxScope {
  struct CutePtxName *names;
  size_t count, capacity;
  int numWords;
} CuteSimPtxScope;

// Executes an operation for a thread.
typedef void CuteSimPtxCall(void *handle, void *thread, uint64_t *values);

// Reads the text and LLVM's constraints. Fails on what it does not know, with
// the instruction. The scope is that of the text before; null: there is none.
CuteStatus cuteSimPtxParse(CuteStringRef text, const char *constraints,
                           CuteSimPtxOperations operations,
                           CuteSimPtxScope *scope, CuteSimPtx **program);
// Counts the bytes of a thread's stack that its registers take.
size_t cuteSimPtxGetFrame(const CuteSimPtx *program);

void cuteSimPtxDestroy(CuteSimPtx *program);

// Runs it on the values of $0, $1, ...: outputs first, then inputs, each in the
// lowest bits of 64. Inputs may change. Where the scope has registers, the
// address of their `numWords` words follows the values.
void cuteSimPtxRun(const CuteSimPtx *program, CuteSimPtxCall *call,
                   void *thread, uint64_t *values);
