#include "Calculator/tool/commands.h"

int main(int argc, char **argv) { return cuteLayoutMain(argc, argv); }
