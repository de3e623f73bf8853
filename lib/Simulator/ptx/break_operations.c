// Breakpoints: one thread, which cute.break finds, prints what it knows up to
// brkpt, without a look at what it reads.
#include "Simulator/machine/launch_run.h"
#include "Simulator/ptx/operation_table.h"

#include <unistd.h>

void cuteSimBreakBegin(CuteSimOp op, uint64_t *values) {
  CuteSimBreak at = op.thread->cluster->run->options->breakAt;
  CUTE_SCOPED(String) text = {0};
  values[0] = op.thread->block->number == at.block &&
              op.thread->index == (int)at.thread;
  if (!values[0])
    return;
  op.thread->isLooking = true;
  cuteSimAppendPlace(&text, op.site);
  cuteSimAppendThread(&text, op.thread);
  printf("%s\n", cuteStringGet(&text));
}

// Asks at a terminal whether to continue.
static bool goesOn(void) {
  char answer[16];
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    return false;
  printf("(enter: continue, q: stop) ");
  fflush(stdout);
  return fgets(answer, sizeof answer, stdin) && *answer != 'q';
}

void cuteSimBreakEnd(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  CuteSimRun *run = op.thread->cluster->run;
  fflush(stdout);
  op.thread->isLooking = false;
  if (++run->numBreaks >= run->options->breakAt.hits && !goesOn())
    cuteSimFail(op, "stopped at a breakpoint");
}
