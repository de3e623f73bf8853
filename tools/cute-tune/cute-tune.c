#include "Runtime/tune.h"

int main(int argc, char **argv) { return cuteTuneMain(argc, argv); }
