// The command line of cute-run.
#pragma once

int cuteRunMain(int argc, char **argv);
