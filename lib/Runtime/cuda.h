// The CUDA driver, found at run time: the few functions that are needed, with
// the names and types of NVIDIA's Driver API.
#ifndef CUTE_RUNTIME_CUDA_H
#define CUTE_RUNTIME_CUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t CuteDevicePointer;
typedef struct CuteCudaModule *CuteCudaModule;
typedef struct CuteCudaFunction *CuteCudaFunction;
typedef struct CuteCudaEvent *CuteCudaEvent;

// All return 0 on success.
typedef struct CuteCuda {
  void *library;
  void *context;
  char deviceName[128];
  size_t cacheBytes; // of the device's L2
  int (*getErrorString)(int error, const char **text);
  int (*synchronize)(void);
  int (*allocate)(CuteDevicePointer *pointer, size_t bytes);
  int (*release)(CuteDevicePointer pointer);
  int (*copyToDevice)(CuteDevicePointer to, const void *from, size_t bytes);
  int (*copyToHost)(void *to, CuteDevicePointer from, size_t bytes);
  int (*copyOnDevice)(CuteDevicePointer to, CuteDevicePointer from,
                      size_t bytes, void *stream);
  int (*fill)(CuteDevicePointer to, unsigned char value, size_t bytes);
  int (*loadModule)(CuteCudaModule *module, const void *image, unsigned n,
                    int *options, void **values);
  int (*unloadModule)(CuteCudaModule module);
  int (*getFunction)(CuteCudaFunction *function, CuteCudaModule module,
                     const char *name);
  int (*setAttribute)(CuteCudaFunction function, int attribute, int value);
  int (*launch)(CuteCudaFunction function, unsigned gridX, unsigned gridY,
                unsigned gridZ, unsigned blockX, unsigned blockY,
                unsigned blockZ, unsigned sharedBytes, void *stream,
                void **parameters, void **extra);
  int (*createEvent)(CuteCudaEvent *event, unsigned flags);
  int (*recordEvent)(CuteCudaEvent event, void *stream);
  int (*synchronizeEvent)(CuteCudaEvent event);
  int (*elapsed)(float *milliseconds, CuteCudaEvent start, CuteCudaEvent end);
  int (*destroyEvent)(CuteCudaEvent event);
} CuteCuda;

// Whether a driver with a device is there; quietly.
bool cuteCudaIsPresent(void);

// XX of the device's architecture sm_XX; 0 where there is none, quietly.
int cuteCudaGetArch(void);

// Finds libcuda.so.1, initializes it and makes the primary context of device 0
// current. False, with a message, where there is none.
bool cuteCudaOpen(CuteCuda *cuda);
void cuteCudaClose(CuteCuda *cuda);

// Prints what failed; true if nothing did.
bool cuteCudaCheck(const CuteCuda *cuda, int error, const char *what);

// Loads PTX or cubin from a file; the JIT compiler's log goes into the message.
bool cuteCudaLoadFile(const CuteCuda *cuda, const char *path,
                      CuteCudaModule *module);

#endif
