// NVIDIA's programs: ptxas, fatbinary, nvdisasm.
#pragma once

#include "Hardware/arch.h"
#include "IR/dialect.h"

// Places of products of warpgroups in kernels, for what ptxas says of them.
typedef struct CuteProductPlace {
  CuteStringRef kernel;
  MlirLocation location; // of the innermost loop around its first product, or
                         // of the product
} CuteProductPlace;

typedef struct CuteProductPlaces {
  CuteProductPlace *places;
  size_t count, capacity;
  CuteArena arena;
} CuteProductPlaces;

// Collects the places of a module that has not been lowered.
void cuteProductPlacesCollect(CuteProductPlaces *places, MlirModule module);
void cuteProductPlacesDestroy(CuteProductPlaces *places);

// Gives the place of the kernel that a message of ptxas names, "in function
// 'NAME'"; `otherwise` where it names none or one without products.
MlirLocation cuteProductPlacesFind(const CuteProductPlaces *places,
                                   CuteStringRef message,
                                   MlirLocation otherwise);

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

// The instructions of a cubin as nvdisasm writes them; false, quietly, if
// nvdisasm is missing or fails.
bool cuteDisassemble(const CuteString *cubin, CuteString *text);
