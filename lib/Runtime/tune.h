// The command line of cute-tune.
#ifndef CUTE_RUNTIME_TUNE_H
#define CUTE_RUNTIME_TUNE_H

int cuteTuneMain(int argc, char **argv);

#endif
