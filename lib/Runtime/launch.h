// A kernel ready to launch on the GPU with its arguments in device memory.
#ifndef CUTE_RUNTIME_LAUNCH_H
#define CUTE_RUNTIME_LAUNCH_H

#include "Runtime/cuda.h"
#include "Runtime/manifest.h"

//===-- Tensors on the device ---------------------------------------------===//

// Makes a copy of an array in device memory, with guards before and after it.
bool cuteDeviceArrayCreate(const CuteCuda *cuda, const CuteArray *array,
                           CuteDevicePointer *address);
void cuteDeviceArrayDestroy(const CuteCuda *cuda, CuteDevicePointer address);

// Writes it and the guards anew.
bool cuteDeviceArrayWrite(const CuteCuda *cuda, const CuteArray *array,
                          CuteDevicePointer address);

// Copies it back and checks that no byte around it changed; the message says
// which argument it is.
bool cuteDeviceArrayRead(const CuteCuda *cuda, CuteDevicePointer address,
                         size_t argument, const CuteArray *array);

//===-- Launches ----------------------------------------------------------===//

typedef struct CuteLaunch {
  const CuteCuda *cuda;
  const CuteKernel *kernel;
  CuteCudaModule module;
  CuteCudaFunction function;
  size_t numArguments;
  CuteArgument *arguments;
  bool *isOwned; // whether the launch has made the argument's copy
  CuteParameters parameters;
  void *pointers[CUTE_MAX_PARAMETERS];
  int64_t grid[3];
} CuteLaunch;

// Loads the code and copies the arguments that have no address on the device
// yet, and sets it. `grid` is null for the manifest's.
bool cuteLaunchCreate(CuteLaunch *launch, const CuteCuda *cuda,
                      const char *codePath, const CuteKernel *kernel,
                      size_t numArguments, CuteArgument *arguments,
                      const int64_t *grid);
void cuteLaunchDestroy(CuteLaunch *launch);

// Starts the kernel once; does not wait.
bool cuteLaunchStart(const CuteLaunch *launch);

// Waits, copies back the tensors that the launch has copied, and checks that no
// byte around them changed.
bool cuteLaunchFinish(const CuteLaunch *launch);

// Copies a tensor as it is now into an array of the same layout.
bool cuteLaunchRead(const CuteLaunch *launch, size_t argument,
                    const CuteArray *array);

//===-- Timing ------------------------------------------------------------===//

// Work to time, repeated: starts it once on the default stream.
typedef bool CuteTimedWork(void *data);

typedef struct CuteTimed {
  CuteTimedWork *work;
  void *data;
  double milliseconds; // result: the median
} CuteTimed;

// What is in the device's L2 cache when a timed run begins: CUTE_CACHE_COLD is
// other data, which is written there before each run, as Triton's do_bench and
// NVBench do; CUTE_CACHE_WARM what the run before left, as runs follow each
// other without a pause and are timed together.
typedef enum CuteCache { CUTE_CACHE_COLD, CUTE_CACHE_WARM } CuteCache;

// How long: in each round each work has the device for itself, so that the
// clock is the one that it brings about, and then the next one has its turn.
typedef struct CuteTiming {
  CuteCache cache;
  size_t rounds;
  double warmUp, timed; // milliseconds of a work in a round
} CuteTiming;

// For results that are to be told: three eighths of a second, of which four
// fifths are timed, with a cold cache.
extern const CuteTiming cuteTimingThorough;

// Times several works with device events.
bool cuteMeasure(const CuteCuda *cuda, size_t n, CuteTimed *timed,
                 const CuteTiming *timing);

//===-- Baselines ---------------------------------------------------------===//

// cuBLAS, found at run time, for C = A * transpose(B), the arguments, with any
// of two modes contiguous in each and a third for batches; types as blas_call.c
// says.
typedef struct CuteBlas CuteBlas;

enum { // cublasStatus_t
  CUTE_BLAS_ALLOC_FAILED = 3,
  CUTE_BLAS_NOT_SUPPORTED = 15,
};

// Null with what is wrong if the arguments are no such product, or if there is
// no library. One that refuses the product comes with its status.
CuteBlas *cuteBlasCreate(const CuteLaunch *launch, const char **problem);
void cuteBlasDestroy(CuteBlas *blas);
int cuteBlasGetStatus(const CuteBlas *blas);

// Starts it once; false if the status is not 0.
bool cuteBlasStart(void *blas);

// A copy on the device, as a measure of what its memory can do: of the largest
// tensor, into memory of its own. False if there is no tensor, or no memory.
typedef struct CuteDeviceCopy {
  const CuteCuda *cuda;
  CuteDevicePointer from, to;
  size_t bytes;
} CuteDeviceCopy;

bool cuteDeviceCopyCreate(CuteDeviceCopy *copy, const CuteLaunch *launch);
void cuteDeviceCopyDestroy(CuteDeviceCopy *copy);
bool cuteDeviceCopyStart(void *copy);

#endif
