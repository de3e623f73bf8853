// The command line of cute-layout.
#ifndef CUTE_CALCULATOR_TOOL_H
#define CUTE_CALCULATOR_TOOL_H

int cuteLayoutMain(int argc, char **argv);

#endif
