// Standard input, output and error of a tool.
#pragma once

// Opens the closed ones, so that no file of the tool takes their
// place. Reading and writing them fails as before. To be called first.
void cuteStandardFilesOpen(void);

// Writes what standard output has left. Returns the exit code, which becomes 1,
// with a message, if something could not be written. To be called last.
int cuteStandardFilesFinish(int code);
