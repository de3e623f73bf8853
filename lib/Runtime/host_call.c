#include "Runtime/kernel_set.h"
#include "Support/status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

// A call of a host function; calls may be nested. Compiled code has nothing to
// clean up, so that a failure leaves it by a jump.
typedef struct HostCall {
  jmp_buf start;
  struct HostCall *outer;
  const CuteHostContext *context;
  CuteStatus status;
  CuteLaunchEvents events; // of the next launch
  bool printsToStdout;
} HostCall;

static _Thread_local HostCall *current;

CuteStatus cuteHostCall(CuteHostFunction function, void **arguments,
                        const CuteHostContext *context) {
  static const CuteHostContext nothing;
  HostCall call = {.outer = current, .context = context ? context : &nothing};
  current = &call;
  if (!setjmp(call.start))
    function(arguments);
  current = call.outer;
  if (call.printsToStdout)
    fflush(stdout);
  return call.status;
}

// Takes the status.
static void leave(CuteStatus status) {
  if (!current) {
    fprintf(stderr, "error: %s\n", cuteStatusGetMessage(status));
    abort();
  }
  current->status = status;
  longjmp(current->start, 1);
}

void cuteHostFail(const char *format, ...) {
  char text[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  leave(cuteStatusCreate("%s", text));
}

void cuteHostRecord(int64_t started, int64_t triggered, int32_t atBlockStart) {
  if (current)
    current->events =
        (CuteLaunchEvents){(void *)(uintptr_t)started,
                           (void *)(uintptr_t)triggered, atBlockStart != 0};
}

void cuteHostLaunch(int32_t number, const int64_t *words, void **parameters) {
  CuteKernelSet *kernels = current ? current->context->kernels : NULL;
  CuteLaunchEvents events = {0};
  if (current) {
    events = current->events;
    current->events = (CuteLaunchEvents){0};
  }
  CuteStatus status =
      kernels ? cuteKernelSetLaunch(kernels, number, words, parameters, events)
              : cuteStatusCreate("a kernel is launched, but none are loaded on "
                                 "a device");
  if (status)
    leave(status);
}

//===-- Printing ----------------------------------------------------------===//

// Gives the text to the context's function in one piece.
static int printTo(const CuteHostContext *context, const char *format,
                   va_list values) {
  char text[512], *all = text;
  va_list again;
  va_copy(again, values);
  int length = vsnprintf(text, sizeof text, format, values);
  if (length >= (int)sizeof text) {
    all = malloc((size_t)length + 1);
    length = all ? vsnprintf(all, (size_t)length + 1, format, again) : -1;
  }
  va_end(again);
  if (length > 0)
    context->print(all, (size_t)length, context->userData);
  if (all != text)
    free(all);
  return length;
}

int cuteHostPrintf(const char *format, ...) {
  va_list values;
  va_start(values, format);
  bool isTaken = current && current->context->print;
  int length = isTaken ? printTo(current->context, format, values)
                       : vprintf(format, values);
  if (current && !isTaken)
    current->printsToStdout = true;
  va_end(values);
  return length;
}

const CuteHostSymbol *cuteHostGetSymbols(size_t *count) {
  static const CuteHostSymbol symbols[] = {
      {"cuteHostLaunch", (void *)cuteHostLaunch},
      {"cuteHostRecord", (void *)cuteHostRecord},
      {"cuteHostFail", (void *)cuteHostFail},
      {"cuteHostPrintf", (void *)cuteHostPrintf}};
  *count = sizeof symbols / sizeof *symbols;
  return symbols;
}
