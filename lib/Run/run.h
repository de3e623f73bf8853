// The command line of cute-run.
#ifndef CUTE_RUN_RUN_H
#define CUTE_RUN_RUN_H

int cuteRunMain(int argc, char **argv);

#endif
