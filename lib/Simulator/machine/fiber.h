// Coroutines with stacks of their own, which change without system calls. A
// fiber stays on the thread of the host on which it was started.
#pragma once

#include <stddef.h>

// The place where a fiber resumes: its stack pointer, with all that a call
// preserves on the stack.
typedef struct CuteFiber {
  void *place;
#ifdef __SANITIZE_ADDRESS__
  void (*entry)(void);
  const void *stack; // null: that of the host's thread, until it is known
  size_t bytes;
#endif
} CuteFiber;

// Prepares a fiber to call `entry`, which must not return, on a stack of
// `bytes` bytes when it is first switched to.
void cuteFiberPrepare(CuteFiber *fiber, void *stack, size_t bytes,
                      void (*entry)(void));

// Goes on with `to`; returns when something switches back to `from`.
void cuteFiberSwitch(CuteFiber *from, const CuteFiber *to);
