// Arguments of a kernel as texts say them, with their memory on the device.
#pragma once

#include "Check/array.h"
#include "Runtime/launch.h"

typedef struct CuteOperand {
  const char *text;
  CuteArray array; // of tensors; data is null for others
  CuteArgument argument;
} CuteOperand;

// Numbers, a tensor (Check/array.h), which has no memory on the device yet, or
// pointers(3,4,5): an i64 tensor of the addresses of other operands, by number.
// `text` must outlive the operand.
CuteStatus cuteOperandParse(CuteOperand *operand, const char *text);
void cuteOperandDestroy(CuteOperand *operand);

// Tells whether the text is a tensor's, of a file, a generator or pointers.
bool cuteOperandIsTensorText(const char *text);

// True of a tensor from this generator, as "poison", whose values before a
// kernel runs mean nothing.
bool cuteOperandIsFrom(const CuteOperand *operand, const char *generator);

// Checks them against a kernel before there is a device. The number that are
// its arguments goes to `numArguments`: after these there may be tensors to
// which pointers(...) point.
CuteStatus cuteOperandsCheck(const CuteKernel *kernel, size_t n,
                             const CuteOperand *operands, size_t *numArguments);

// cuteLaunchPrepare for operands.
CuteStatus cuteOperandsPrepare(CuteLaunch *launch,
                               const CuteDeviceModule *module,
                               const CuteKernel *kernel, size_t n,
                               const CuteOperand *operands,
                               const int64_t *grid);

//===-- Memory ------------------------------------------------------------===//

// Makes a copy of a tensor in device memory, with guards before and after it.
// Nothing is to do for other operands, here and below.
CuteStatus cuteOperandSend(CuteOperand *operand, const CuteDevice *device);
void cuteOperandRelease(CuteOperand *operand, const CuteDevice *device);

// Gives tensors of pointers the addresses, once all operands were sent.
CuteStatus cuteOperandsLink(size_t n, CuteOperand *operands,
                            const CuteDevice *device);

// Writes it and the guards anew.
CuteStatus cuteOperandRestore(const CuteOperand *operand,
                              const CuteDevice *device);

// Copies it back into an array of the same layout and checks that no byte
// around it changed.
CuteStatus cuteOperandRead(const CuteOperand *operand, const CuteDevice *device,
                           const CuteArray *array);
