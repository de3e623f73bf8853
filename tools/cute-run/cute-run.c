#include "Runtime/run.h"

int main(int argc, char **argv) { return cuteRunMain(argc, argv); }
