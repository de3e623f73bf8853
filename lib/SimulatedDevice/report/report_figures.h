// Pictures for the report as a page.
#ifndef CUTE_SIMULATED_DEVICE_REPORT_FIGURES_H
#define CUTE_SIMULATED_DEVICE_REPORT_FIGURES_H

#include "SimulatedDevice/report/simulated_report.h"

// Appends, for each kind of memory that a line accesses, the request that takes
// most, the tensor in shared memory that it goes to, and where it takes more
// than it need the tiled copy that makes it. They are open where that is so.
void cuteReportAppendFigures(const CuteSimReport *report,
                             const CuteSimReportLine *line, CuteString *text);

#endif
