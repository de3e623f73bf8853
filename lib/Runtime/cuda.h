// The CUDA driver, found at run time: the few functions that are needed, with
// the types of NVIDIA's Driver API.
#pragma once

#include "Support/status.h"
#include "cute/Run.h"

typedef struct CuteCudaContext *CuteCudaContext;
typedef struct CuteCudaModule *CuteCudaModule;
typedef struct CuteCudaFunction *CuteCudaFunction;
typedef struct CuteCudaEvent *CuteCudaEvent;

// CUlaunchAttributeID; the kinds that are needed.
typedef enum CuteCudaAttributeId {
  CUTE_CUDA_COOPERATIVE = 2,
  CUTE_CUDA_CLUSTER = 4,
  CUTE_CUDA_PDL = 6,
  CUTE_CUDA_TRIGGERED = 7,          // CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT
  CUTE_CUDA_PREFERRED_CLUSTER = 11, // ..._PREFERRED_CLUSTER_DIMENSION
  CUTE_CUDA_STARTED = 12 // CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT
} CuteCudaAttributeId;

// CUlaunchAttribute.
typedef struct CuteCudaAttribute {
  CuteCudaAttributeId id;
  int unused;
  union {
    unsigned cluster[3];
    int pdl;
    int cooperative;
    struct {
      void *handle;
      int flags, atBlockStart;
    } event;
    char bytes[64];
  };
} CuteCudaAttribute;

// CUlaunchConfig.
typedef struct CuteCudaLaunch {
  unsigned grid[3], block[3], sharedBytes;
  CuteCudaStream stream;
  CuteCudaAttribute *attributes;
  unsigned numAttributes;
} CuteCudaLaunch;

enum { // CUdevice_attribute
  CUTE_CUDA_MULTIPROCESSORS = 16,
  CUTE_CUDA_L2_BYTES = 38,
  CUTE_CUDA_MAJOR = 75,
  CUTE_CUDA_MINOR = 76,
};

enum { // CUfunction_attribute
  CUTE_CUDA_MAX_DYNAMIC_SHARED = 8,
  CUTE_CUDA_LARGE_CLUSTER_ALLOWED = 14, // of more than 8 blocks
};

typedef struct CuteCuda {
  void *library;
  bool isSimulated; // the library is libcute
#define CUTE_CUDA_FUNCTION(symbol, name, parameters) int(*name) parameters;
#include "Runtime/cuda_functions.def"
} CuteCuda;

// Finds libcuda.so.1, or the simulator, and initializes it.
CuteStatus cuteCudaOpen(CuteCuda *cuda, bool isSimulated);
void cuteCudaClose(CuteCuda *cuda);

// Turns the driver's error into a status: "WHAT: CUDA error 1: ...", or what
// the simulator says; null for 0.
CuteStatus cuteCudaCheck(const CuteCuda *cuda, int error, const char *what);
