#include "Run/run.h"
#include "Support/standard_files.h"

int main(int argc, char **argv) {
  cuteStandardFilesOpen();
  return cuteStandardFilesFinish(cuteRunMain(argc, argv));
}
