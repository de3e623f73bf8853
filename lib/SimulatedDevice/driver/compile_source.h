// Kernels from .mlir files, for the simulator.
#pragma once

// Compiles a file for an architecture after the passes, null for none: JSON
// with the manifest and LLVM IR with places in the source, which the caller
// frees. The result is 0 or an error of the simulator's driver.
int cuteSimDriverCompile(const char *path, const char *arch, const char *passes,
                         char **manifest, char **code);
