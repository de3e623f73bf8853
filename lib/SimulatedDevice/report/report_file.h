// Files that reports are written to without a program that asks for them.
#ifndef CUTE_SIMULATED_DEVICE_REPORT_FILE_H
#define CUTE_SIMULATED_DEVICE_REPORT_FILE_H

#include "Support/status.h"

// Writes what a report on the latest launch says, for CUTE_ARCH or the default
// architecture, in the format that the end of the path names, or as a timeline.
// "%k" in the path stands for the kernel's name. Nothing where the path is
// null.
CuteStatus cuteSimReportFileWrite(const char *path, bool isTrace,
                                  const char *kernel);

// Fails where the end of the path names no format.
CuteStatus cuteSimReportFileCheck(const char *path);

#endif
