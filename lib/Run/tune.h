// The command line of cute-tune.
#pragma once

int cuteTuneMain(int argc, char **argv);
