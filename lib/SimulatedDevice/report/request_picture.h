// Pictures of an access of a warp: which lane touches what.
#ifndef CUTE_SIMULATED_DEVICE_REQUEST_PICTURE_H
#define CUTE_SIMULATED_DEVICE_REQUEST_PICTURE_H

#include "Simulator/observe/statistics.h"
#include "Support/string_builder.h"

// Appends an SVG with a column for each bank of shared memory and a row for
// each wavefront; a cell has the lanes that its word goes to.
void cuteRequestDrawBanks(const CuteSimRequest *request, CuteString *text);

// Appends an SVG with a row for each 128 bytes of global memory that are
// touched, and a column for each 4 of them; 8 are a sector.
void cuteRequestDrawSectors(const CuteSimRequest *request, CuteString *text);

#endif
