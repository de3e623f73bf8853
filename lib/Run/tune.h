// The command line of cute-tune.
#ifndef CUTE_RUN_TUNE_H
#define CUTE_RUN_TUNE_H

int cuteTuneMain(int argc, char **argv);

#endif
