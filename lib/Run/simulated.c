#include "Hardware/arch.h"
#include "Run/run.h"
#include "Support/output_file.h"

static CuteStatus set(const CuteDevice *device, const char *name,
                      const char *value) {
  const CuteCuda *cuda = &device->cuda;
  if (!value)
    return NULL;
  if (!cuda->isSimulated)
    return cuteStatusCreate("--%s needs --device=sim", name);
  return cuteCudaCheck(cuda, cuda->setOption(name, value), name);
}

CuteStatus cuteSimulatedOpen(CuteDevice *device, int ordinal) {
  CuteStatus status = cuteDeviceOpen(device, ordinal);
  if (!status || cuteDeviceIsSimulated(ordinal))
    return status;
  CuteStatus longer = cuteStatusCreate(
      "%s; to run without a GPU, give the .mlir file and --device=sim",
      cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return longer;
}

CuteStatus cuteSimulatedConfigure(const CuteDevice *device,
                                  const CuteRunOptions *options) {
  if (options->schedules && !device->cuda.isSimulated)
    return cuteStatusCreate("--schedules needs --device=sim");
  if (options->schedules && options->schedule)
    return cuteStatusCreate("--schedule is one order, --schedules=N are orders "
                            "0 to N - 1: give one of the two");
  if (options->breakAt &&
      (options->host || !cuteSimulatedIsSource(options->manifest)))
    return cuteStatusCreate(
        "--break needs a .mlir file with a kernel, and no --host");
  if (options->trace && !*options->trace)
    return cuteStatusCreate("--trace needs the name of a file");
  if (options->trace && options->checks && !strcmp(options->checks, "off"))
    return cuteStatusCreate(
        "--trace needs checks: they know who waits for whom");
  CUTE_TRY(set(device, "schedule", options->schedule));
  CUTE_TRY(set(device, "timeout", options->timeout));
  CUTE_TRY(set(device, "blocks", options->blocks));
  CUTE_TRY(set(device, "break", options->breakAt));
  if (device->cuda.isSimulated)
    CUTE_TRY(set(device, "arch", options->arch));
  CUTE_TRY(set(device, "report", options->reports ? "on" : NULL));
  CUTE_TRY(set(device, "trace", options->trace ? "on" : NULL));
  return set(device, "checks", options->checks);
}

CuteStatus cuteSimulatedSetSchedule(const CuteDevice *device, int64_t seed) {
  char text[24];
  snprintf(text, sizeof text, "%jd", seed);
  return set(device, "schedule", text);
}

static const char *archOf(const CuteRunOptions *options) {
  return options->arch ? options->arch : CUTE_DEFAULT_ARCH;
}

// Writes a report of a format to a file, "-" for standard output.
static CuteStatus writeReport(const CuteDevice *device,
                              const CuteRunOptions *options, const char *format,
                              const char *path) {
  const CuteCuda *cuda = &device->cuda;
  const char *text = "";
  CUTE_TRY(cuteCudaCheck(cuda, cuda->getReport(format, archOf(options), &text),
                         "report"));
  int error = cuteOutputFileWrite(path, cuteStringRef(text));
  return error ? cuteStatusCreate("%s: %s", path, strerror(error)) : NULL;
}

static CuteStatus writeReports(const CuteDevice *device,
                               const CuteRunOptions *options) {
  if (options->reports)
    CUTE_TRY(writeReport(device, options,
                         options->reportFormat ? options->reportFormat : "text",
                         options->reportFile ? options->reportFile : "-"));
  return options->trace ? writeReport(device, options, "trace", options->trace)
                        : NULL;
}

CuteStatus cuteSimulatedReport(const CuteDevice *device,
                               const CuteRunOptions *options,
                               CuteStatus status) {
  CuteStatus other =
      device->cuda.isSimulated ? writeReports(device, options) : NULL;
  if (!status)
    return other;
  cuteStatusDestroy(other);
  return status;
}

CuteStatus cuteSimulatedAddNotes(const CuteDevice *device, CuteStatus status) {
  const char *notes = "";
  if (!status || !device->cuda.isSimulated || device->cuda.getNotes(&notes) ||
      !*notes)
    return status;
  CuteStatus longer =
      cuteStatusCreate("%s\nif the reference is right, this may be why:\n%s",
                       cuteStatusGetMessage(status), notes);
  cuteStatusDestroy(status);
  return longer;
}

bool cuteSimulatedIsSource(const char *path) {
  const char *dot = strrchr(path, '.');
  return !strcmp(path, "-") || (dot && !strcmp(dot, ".mlir"));
}

CuteStatus cuteSimulatedCompile(const CuteDevice *device,
                                const CuteRunOptions *options,
                                CuteManifest *manifest, char **code) {
  const CuteCuda *cuda = &device->cuda;
  char *text = NULL;
  CUTE_TRY(cuteCudaCheck(cuda,
                         cuda->compile(options->manifest, archOf(options),
                                       options->passes, &text, code),
                         "compiling"));
  CuteStatus status = cuteManifestParse(manifest, text);
  free(text);
  return status;
}
