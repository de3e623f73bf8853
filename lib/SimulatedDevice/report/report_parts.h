// Files of reports, and the pictures in them.
#pragma once

#include "SimulatedDevice/report/simulated_report.h"
#include "Simulator/checks/tensor_names.h"
#include "cute/Atom.h"

//===-- The page ----------------------------------------------------------===//

// Appends, for each kind of memory that a line accesses, the request that takes
// most, the tensor in shared memory that it goes to, and where it takes more
// than it need the tiled copy that makes it. They are open where that is so.
void cuteReportAppendFigures(const CuteSimReport *report,
                             const CuteSimReportLine *line, CuteString *text);

//===-- Files -------------------------------------------------------------===//

// Writes what a report on the latest launch says, for CUTE_ARCH or the default
// architecture, in the format that the end of the path names, or as a timeline.
// "%k" in the path becomes the kernel's name. Nothing where the path is
// null.
CuteStatus cuteSimReportFileWrite(const char *path, bool isTrace,
                                  const char *kernel);

// Fails where the end of the path names no format.
CuteStatus cuteSimReportFileCheck(const char *path);

//===-- Layouts -----------------------------------------------------------===//

// Appends an SVG of the part of a tensor in shared memory around a request, or
// of its first part where that is null. A cell is as many bytes as a lane
// accesses, where the layout has them side by side; cells that lanes of the
// request touch have their names, all others are faint. False where the layout
// is not known, or the request is elsewhere.
bool cuteLayoutPictureDrawTensor(CuteContext c, const CuteSimTensor *tensor,
                                 const CuteSimRequest *request,
                                 CuteString *text);

// Appends an SVG that shows which thread holds which value of a tiled copy.
// False if it would be too large.
bool cuteLayoutPictureDrawCopy(CuteContext c, CuteTiledCopy copy,
                               CuteString *text);

//===-- Requests ----------------------------------------------------------===//

// Appends an SVG: of shared memory with a column for each bank and a row for
// each wavefront, of global memory with a row for each 128 bytes that are
// touched and a column for each 4 bytes; 8 columns are a sector. A cell has the
// first byte of its word, and the lanes that this goes to.
void cuteRequestDraw(CuteContext c, const CuteSimRequest *request,
                     bool isShared, CuteString *text);
