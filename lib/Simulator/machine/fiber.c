#include "Simulator/machine/fiber.h"

#include <stdint.h>
#include <string.h>

// Saves what a function preserves, writes the stack pointer to the first
// argument and resumes at the second: fiber_swap.S.
void cuteFiberSwap(void **from, void *to);

#if defined(__x86_64__)
// Registers, the address to return to, and one that keeps the stack aligned as
// after a call.
enum { SAVED = 8, RETURN = 6 };
#elif defined(__aarch64__)
enum { SAVED = 20, RETURN = 11 };
#else
#error "fibers are written for x86-64 and AArch64"
#endif

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>

// AddressSanitizer is told of each change of stacks, and where the one before
// lies.
static _Thread_local CuteFiber *left;
static _Thread_local const CuteFiber *entered;

static void arrive(void *fake) {
  __sanitizer_finish_switch_fiber(fake, &left->stack, &left->bytes);
}

static void begin(void) {
  arrive(NULL);
  entered->entry();
}

static void change(CuteFiber *from, const CuteFiber *to) {
  void *fake;
  left = from;
  entered = to;
  __sanitizer_start_switch_fiber(&fake, to->stack, to->bytes);
  cuteFiberSwap(&from->place, to->place);
  arrive(fake);
}
#else
static void change(CuteFiber *from, const CuteFiber *to) {
  cuteFiberSwap(&from->place, to->place);
}
#endif

void cuteFiberPrepare(CuteFiber *fiber, void *stack, size_t bytes,
                      void (*entry)(void)) {
  uintptr_t end = ((uintptr_t)stack + bytes) & ~(uintptr_t)15;
  void **frame = (void **)end - SAVED;
#ifdef __SANITIZE_ADDRESS__
  __asan_unpoison_memory_region(stack, bytes); // of one that was abandoned
  *fiber = (CuteFiber){NULL, entry, stack, bytes};
  entry = begin;
#endif
  memset(frame, 0, SAVED * sizeof *frame);
  memcpy(&frame[RETURN], &entry, sizeof entry);
  fiber->place = frame;
}

void cuteFiberSwitch(CuteFiber *from, const CuteFiber *to) { change(from, to); }
