// find_program NAME: prints where cuteProgramFind finds it, or where it looked.
#include "Compile/program_folder.h"

#include <stdio.h>

int main(int argc, char **argv) {
  CuteString path = {0};
  bool found = argc == 2 && cuteProgramFind(&path, argv[1]);
  if (!found) {
    cuteStringClear(&path);
    cuteProgramAppendPlaces(&path);
  }
  printf("%s%s\n", found ? "" : "no program ", cuteStringGet(&path));
  cuteStringDestroy(&path);
  return !found;
}
