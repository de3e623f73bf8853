// The device that is simulated, as cute-run asks for it.
#pragma once

#include "Run/run_options.h"
#include "Runtime/manifest.h"

// Opens a device; where there is none, the failure says how to run without.
CuteStatus cuteSimulatedOpen(CuteDevice *device, int ordinal);

// Hands the options of the simulator on. Fails where there are some and the
// device is none.
CuteStatus cuteSimulatedConfigure(const CuteDevice *device,
                                  const CuteRunOptions *options);
CuteStatus cuteSimulatedSetSchedule(const CuteDevice *device, int64_t seed);

// Takes how a run ended, and writes the report and the timeline of what ran up
// to there, where they are asked for. Fails as the run did, or in writing.
CuteStatus cuteSimulatedReport(const CuteDevice *device,
                               const CuteRunOptions *options,
                               CuteStatus status);

// Takes a failure of a comparison and adds what the simulator noted of the run.
CuteStatus cuteSimulatedAddNotes(const CuteDevice *device, CuteStatus status);

// Tells whether a path is that of a .mlir file, or "-" for standard input.
bool cuteSimulatedIsSource(const char *path);

// Compiles the kernels of a .mlir file; the caller frees the code.
CuteStatus cuteSimulatedCompile(const CuteDevice *device,
                                const CuteRunOptions *options,
                                CuteManifest *manifest, char **code);
