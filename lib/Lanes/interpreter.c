#include "Lanes/interpreter.h"

static void visit(CuteFollow *follow, CuteOp *op, MlirOperation source) {
  CuteInterpreter *interpreter = follow->userData;
  cuteAccessListAdd(&interpreter->accesses[follow->threads.sample], follow, op,
                    source);
}

static void leave(CuteFollow *follow, MlirOperation op, int time) {
  CuteInterpreter *interpreter = follow->userData;
  cuteOrderAdd(&interpreter->order, follow, op, time);
}

static void followSample(CuteInterpreter *interpreter, const int64_t block[3],
                         int sample) {
  CuteFollow *follow = &interpreter->follow[sample];
  *follow = (CuteFollow){.dialect = interpreter->dialect,
                         .context = interpreter->context,
                         .function = interpreter->function,
                         .visit = visit,
                         .leave = sample ? NULL : leave,
                         .userData = interpreter};
  cuteThreadsInit(&follow->threads, interpreter->context, block, sample);
  cuteFollowRun(follow);
}

void cuteInterpreterRun(CuteInterpreter *interpreter, CuteDialect *dialect,
                        MlirOperation function) {
  *interpreter = (CuteInterpreter){.dialect = dialect,
                                   .context = dialect->context,
                                   .function = function,
                                   .numSamples = CUTE_UNIT_SAMPLE};
  int64_t block[3];
  interpreter->isBlockKnown = cuteFollowGetBlock(function, block);
  for (int sample = 0; sample < interpreter->numSamples; ++sample) {
    followSample(interpreter, block, sample);
    if (interpreter->follow[sample].hasOpenStrides)
      interpreter->numSamples = CUTE_NUM_SAMPLES;
  }
}

void cuteInterpreterDestroy(CuteInterpreter *interpreter) {
  for (int sample = 0; sample < interpreter->numSamples; ++sample) {
    CuteFollow *follow = &interpreter->follow[sample];
    cuteThreadsDestroy(&follow->threads);
    cutePointerMapDestroy(&follow->values);
    cutePointerMapDestroy(&follow->integers);
  }
}
