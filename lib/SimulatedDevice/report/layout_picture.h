// Pictures of the layouts that a line of a kernel has to do with.
#ifndef CUTE_SIMULATED_DEVICE_LAYOUT_PICTURE_H
#define CUTE_SIMULATED_DEVICE_LAYOUT_PICTURE_H

#include "Simulator/checks/tensor_names.h"
#include "Simulator/observe/statistics.h"
#include "Support/string_builder.h"
#include "cute/Atom.h"

// Appends an SVG of the part of a tensor in shared memory around a request, or
// of its first part where that is null. A cell is as many bytes as a lane
// accesses, where the layout has them side by side; cells that lanes of the
// request touch have their names, all others are faint. False where the layout
// is not known, or the request is elsewhere.
bool cuteLayoutPictureDrawTensor(CuteContext c, const CuteSimTensor *tensor,
                                 const CuteSimRequest *request,
                                 CuteString *text);

// Appends an SVG of which thread holds which value of a tiled copy. False where
// it would be too large.
bool cuteLayoutPictureDrawCopy(CuteContext c, CuteTiledCopy copy,
                               CuteString *text);

#endif
