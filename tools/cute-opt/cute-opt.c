#include "cute/Driver.h"

int main(int argc, char **argv) { return cuteOptMain(argc, argv); }
