#include "Run/tune.h"
#include "Support/standard_files.h"

int main(int argc, char **argv) {
  cuteStandardFilesOpen();
  return cuteStandardFilesFinish(cuteTuneMain(argc, argv));
}
