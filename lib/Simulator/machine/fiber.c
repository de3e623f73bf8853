#include "Simulator/machine/fiber.h"

#include <stdint.h>
#include <string.h>

// Saves what the calling convention has a function preserve, writes the stack
// pointer to the first argument and resumes at the second.
void cuteFiberSwap(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n"
        ".hidden cuteFiberSwap\n"
        ".globl cuteFiberSwap\n"
        ".type cuteFiberSwap, @function\n"
        "cuteFiberSwap:\n"
        "  pushq %rbp\n"
        "  pushq %rbx\n"
        "  pushq %r12\n"
        "  pushq %r13\n"
        "  pushq %r14\n"
        "  pushq %r15\n"
        "  movq %rsp, (%rdi)\n"
        "  movq %rsi, %rsp\n"
        "  popq %r15\n"
        "  popq %r14\n"
        "  popq %r13\n"
        "  popq %r12\n"
        "  popq %rbx\n"
        "  popq %rbp\n"
        "  ret\n"
        ".size cuteFiberSwap, . - cuteFiberSwap\n");
// Registers, the address to return to, and one that keeps the stack aligned as
// after a call.
enum { SAVED = 8, RETURN = 6 };
#elif defined(__aarch64__)
__asm__(".text\n"
        ".hidden cuteFiberSwap\n"
        ".globl cuteFiberSwap\n"
        ".type cuteFiberSwap, %function\n"
        "cuteFiberSwap:\n"
        "  sub sp, sp, #160\n"
        "  stp x19, x20, [sp]\n"
        "  stp x21, x22, [sp, #16]\n"
        "  stp x23, x24, [sp, #32]\n"
        "  stp x25, x26, [sp, #48]\n"
        "  stp x27, x28, [sp, #64]\n"
        "  stp x29, x30, [sp, #80]\n"
        "  stp d8, d9, [sp, #96]\n"
        "  stp d10, d11, [sp, #112]\n"
        "  stp d12, d13, [sp, #128]\n"
        "  stp d14, d15, [sp, #144]\n"
        "  mov x9, sp\n"
        "  str x9, [x0]\n"
        "  mov sp, x1\n"
        "  ldp x19, x20, [sp]\n"
        "  ldp x21, x22, [sp, #16]\n"
        "  ldp x23, x24, [sp, #32]\n"
        "  ldp x25, x26, [sp, #48]\n"
        "  ldp x27, x28, [sp, #64]\n"
        "  ldp x29, x30, [sp, #80]\n"
        "  ldp d8, d9, [sp, #96]\n"
        "  ldp d10, d11, [sp, #112]\n"
        "  ldp d12, d13, [sp, #128]\n"
        "  ldp d14, d15, [sp, #144]\n"
        "  add sp, sp, #160\n"
        "  ret\n"
        ".size cuteFiberSwap, . - cuteFiberSwap\n");
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
