#include "Calculator/tool/tool.h"

int main(int argc, char **argv) { return cuteLayoutMain(argc, argv); }
