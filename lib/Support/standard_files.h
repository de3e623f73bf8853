// Standard input, output and error of a tool.
#ifndef CUTE_SUPPORT_STANDARD_FILES_H
#define CUTE_SUPPORT_STANDARD_FILES_H

// To be called first: opens those that are closed, so that no file that the
// tool opens takes their place. Reading and writing them fails as before.
void cuteStandardFilesOpen(void);

// To be called last: writes what standard output has left. Returns the exit
// code, which becomes 1, with a message, if something could not be written.
int cuteStandardFilesFinish(int code);

#endif
