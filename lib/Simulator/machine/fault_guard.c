#define _GNU_SOURCE
#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"

#include <signal.h>
#include <ucontext.h>

enum { STACK = 1 << 16 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNALS = sizeof signals / sizeof *signals };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users; // under the lock, as what follows
static struct sigaction before[SIGNALS];

//===-- Signals -----------------------------------------------------------===//

static uint64_t stackPointerOf(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uint64_t)context->uc_mcontext.gregs[REG_RSP];
#else
  return (uint64_t)context->uc_mcontext.sp;
#endif
}

// Tells whether a thread of a kernel runs, or a copy of one arrives.
static bool isInKernel(const CuteSimCluster *cluster, uint64_t stackPointer) {
  const CuteSimThread *thread = cluster ? cluster->current : NULL;
  if (!thread)
    return cluster && cluster->isArriving;
  return stackPointer - (uint64_t)(uintptr_t)cluster->stacks <
         cluster->stackBytes;
}

static _Noreturn void failAt(const CuteSimCluster *cluster, int number,
                             uint64_t address) {
  CuteSimThread *thread =
      cluster->current ? cluster->current : cluster->threads;
  const char *advice =
      cluster->checks ? "" : "; with checks the simulator says where";
  if (number == SIGFPE)
    cuteSimFail((CuteSimOp){thread, NULL},
                "an integer is divided by zero, or the least one by -1%s",
                advice);
  if (number == SIGILL)
    cuteSimFail((CuteSimOp){thread, NULL},
                "reaches code that the compiler took for unreachable, as after "
                "an undefined operation%s",
                advice);
  if (address - (uint64_t)(uintptr_t)cluster->stacks < cluster->stackBytes)
    cuteSimFail((CuteSimOp){thread, NULL},
                "a thread needs more than %zu bytes of local memory; a "
                "function may call itself without end",
                cluster->stackSize);
  cuteSimFail((CuteSimOp){thread, NULL},
              "out of bounds: %s memory at 0x%jx, where there is none%s",
              cluster->current ? "touches" : "a copy touches", address, advice);
}

static void handle(int number, siginfo_t *info, void *context) {
  const CuteSimCluster *cluster = cuteSimGetCluster();
  if (isInKernel(cluster, stackPointerOf(context)))
    failAt(cluster, number, (uint64_t)(uintptr_t)info->si_addr);
  for (int i = 0; i < SIGNALS; ++i)
    if (signals[i] == number)
      sigaction(number, &before[i], NULL);
}

void cuteSimGuardBegin(void) {
  struct sigaction action = {.sa_sigaction = handle,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  pthread_mutex_lock(&lock);
  for (int i = 0; i < SIGNALS && !users; ++i)
    sigaction(signals[i], &action, &before[i]);
  ++users;
  pthread_mutex_unlock(&lock);
}

void cuteSimGuardEnd(void) {
  pthread_mutex_lock(&lock);
  --users;
  for (int i = 0; i < SIGNALS && !users; ++i)
    sigaction(signals[i], &before[i], NULL);
  pthread_mutex_unlock(&lock);
}

//===-- Stacks ------------------------------------------------------------===//

typedef struct SignalStack {
  stack_t before;
  char memory[STACK];
} SignalStack;

void *cuteSimGuardEnter(void) {
  SignalStack *stack = cuteAllocate(sizeof *stack);
  stack_t ours = {.ss_sp = stack->memory, .ss_size = sizeof stack->memory};
  sigaltstack(&ours, &stack->before);
  return stack;
}

void cuteSimGuardLeave(void *data) {
  CUTE_FREED SignalStack *stack = data;
  if (stack->before.ss_flags & SS_ONSTACK)
    stack->before.ss_flags = 0;
  sigaltstack(&stack->before, NULL);
}
