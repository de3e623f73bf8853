// Stages of compilation after MLIR.
#ifndef CUTE_COMPILE_COMPILE_H
#define CUTE_COMPILE_COMPILE_H

#include "Compile/product_places.h"
#include "Hardware/arch.h"
#include "IR/dialect.h"
#include "Support/clock.h"
#include "cute/Target.h"

// As cutePipelineRun, and lets the observer, which may be null, see the
// operation around each pass.
MlirLogicalResult cutePipelineRunObserved(MlirOperation operation,
                                          MlirStringRef pipeline,
                                          const CutePassObserver *observer,
                                          MlirStringCallback callback,
                                          void *userData);

// Writes the file that options.reproducer names: the command of cutec, and the
// module. False with a diagnostic.
bool cuteReproducerWrite(MlirModule module, const CuteCompileOptions *options);

// Checks what kernels are on any architecture: their names, also that no two of
// the module have one, the types of their values, and how they are launched.
// False with diagnostics.
bool cuteCheckKernels(MlirModule module);

// Checks the size of a kernel's blocks and the formulas of its grid. False with
// diagnostics.
bool cuteCheckLaunch(CuteDialect *dialect, MlirOperation kernel);

// Checks that a loop's counter goes up and stays in its type, and that constant
// coordinates of type index fit into the 32 bits that they have. Emits an error
// and returns false otherwise.
bool cuteCheckCounters(CuteDialect *dialect, MlirOperation op);

// Appends a manifest with the functions of the host that have a public name and
// a body in the place of kernels. False with a diagnostic.
bool cuteManifestDescribeFunctions(MlirModule module, CuteString *text);

// Checks that the kernels of a module, which has not been lowered, can run on
// the architecture. False with a diagnostic at each that cannot. `ptx` becomes
// the least PTX version, times 10, that its atoms need, 0 if they need none.
bool cuteCheckLimits(MlirModule module, const CuteArch *arch, int *ptx);

// Gives each kernel an attribute that says which tensors its arguments and its
// shared memory are, in lines "argument N PART TYPE" and "shared OFFSET LINE
// TYPE", and which of them the lines of its source touch (describe_memory.h).
// False with a diagnostic.
bool cuteDescribeMemory(MlirModule module);

// Translates lowered gpu.modules to LLVM IR, optimizes it and generates code;
// appends LLVM IR or PTX to the output. False with a diagnostic.
bool cuteCodegenModule(MlirModule module, const CuteArch *arch,
                       CuteCompileOptions options, CuteString *output,
                       CuteCompileTimes *times);

// Assembles PTX with ptxas, which also gets `options` unless they are null, and
// whose statistics become `messages` unless that is null. What ptxas says of
// products of warpgroups is a warning at the place that `places`, unless null,
// has for the kernel. False with a diagnostic.
bool cuteAssemble(MlirLocation location, const CuteProductPlaces *places,
                  const CuteArch *arch, const char *options,
                  const CuteString *ptx, CuteString *cubin,
                  CuteString *messages);

// The part of a fat binary for an architecture: a cubin, or PTX for later ones.
typedef struct CuteImage {
  const CuteArch *arch;
  bool isPtx;
  const CuteString *code;
} CuteImage;

// Puts images, no more than CUTE_MAX_IMAGES, into one fat binary by the CUDA
// Toolkit's fatbinary. False with a diagnostic.
bool cuteAssembleFatbin(MlirLocation location, size_t n,
                        const CuteImage *images, CuteString *fatbin);

// Tells whether there is a ptxas.
bool cuteCanAssemble(void);

// The instructions of a cubin as nvdisasm writes them; false, quietly, where
// there is no nvdisasm or it fails.
bool cuteDisassemble(const CuteString *cubin, CuteString *text);

#endif
