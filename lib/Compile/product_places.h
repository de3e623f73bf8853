// Finds where kernels have their products of warpgroups, for what ptxas says of
// them.
#pragma once

#include "IR/dialect.h"

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
