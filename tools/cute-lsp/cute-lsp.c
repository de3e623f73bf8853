#include "cute/Driver.h"

int main(int argc, char **argv) { return cuteLspMain(argc, argv); }
