// Saves what the calling convention has a function preserve, writes the stack pointer to the
// first argument and resumes at the second.
#if defined(__x86_64__)
.text
.hidden cuteFiberSwap
.globl cuteFiberSwap
.type cuteFiberSwap, @function
cuteFiberSwap:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cuteFiberSwap, . - cuteFiberSwap
#elif defined(__aarch64__)
.text
.hidden cuteFiberSwap
.globl cuteFiberSwap
.type cuteFiberSwap, %function
cuteFiberSwap:
  sub sp, sp, #160
  stp x19, x20, [sp]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size cuteFiberSwap, . - cuteFiberSwap
#endif
.section .note.GNU-stack,"",%progbits
