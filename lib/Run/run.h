// The command line of cute-run.
#pragma once

#include "Check/reference.h"
#include "Runtime/launch.h"
#include "cute/Host.h"

int cuteRunMain(int argc, char **argv);

//===-- Timing with device events -----------------------------------------===//

// Work to time, repeated: starts it once on the default stream.
typedef CuteStatus CuteTimedWork(void *data);

typedef struct CuteTimed {
  CuteTimedWork *work;
  void *data;
  double milliseconds; // result: the median
} CuteTimed;

// CuteCache says what the device's L2 cache has when a timed run begins:
// CUTE_CACHE_COLD is other data, which is written there before each run, as
// Triton's do_bench and NVBench do; CUTE_CACHE_WARM what the run before left,
// as runs follow each other without a pause and are timed together.
typedef enum CuteCache { CUTE_CACHE_COLD, CUTE_CACHE_WARM } CuteCache;

// CuteTiming says how long works are timed: in each round each work has the
// device for itself, so that the clock is the one that it brings about, and
// then the next one has its turn.
typedef struct CuteTiming {
  CuteCache cache;
  size_t rounds;
  double warmUp, timed; // milliseconds of a work in a round
} CuteTiming;

// The timing of results to be published: three eighths of a second, four fifths
// of it timed, with a cold cache.
extern const CuteTiming cuteTimingThorough;

CuteStatus cuteMeasure(const CuteDevice *device, size_t n, CuteTimed *timed,
                       const CuteTiming *timing);

//===-- Options -----------------------------------------------------------===//

enum {
  CUTE_RUN_MAX_ARGUMENTS = 32,
  CUTE_RUN_MAX_OUTPUTS = 32,
  CUTE_RUN_MAX_RUNS = 64
};

// The arguments of one run.
typedef struct CuteRunArguments {
  size_t count;
  const char *data[CUTE_RUN_MAX_ARGUMENTS];
} CuteRunArguments;

typedef struct CuteRunOptions {
  const char *manifest, *kernel, *check, *row, *flops;
  const char *lines; // a file of lines, or null
  const char *host;  // a function of the file that is called; null: a kernel
  const char *arch, *passes, *schedule, *timeout, *blocks, *checks; // or null
  bool reports;                                                     // of sim
  const char *trace;                         // a file, or null
  const char *breakAt;                       // LINE:BLOCK,THREAD, or null
  const char *reportFormat, *reportFile;     // null: text; to standard output
  int64_t schedules;                         // 0: one
  const char *outputs[CUTE_RUN_MAX_OUTPUTS]; // I=FILE
  const char *references[CUTE_RUN_MAX_OUTPUTS]; // I=FILE
  size_t numOutputs, numReferences;
  size_t numAgain; // runs after the first
  CuteRunArguments arguments[CUTE_RUN_MAX_RUNS];
  int64_t grid[3], block[3], sharedBytes;
  int64_t sample; // elements to check; 0: all
  uint64_t seed;  // of the sample
  double tolerance;
  bool unchanged;    // tensors that are not compared must stay as they are
  double benchTime;  // milliseconds of one round; 0: thoroughly
  bool copyBaseline; // time a copy of the largest tensor, too
  CuteCache cache;
  int device;
  bool hasGrid, hasBlock, bench, list, json, time;
  bool header, hasDevice, deviceArch, deviceName;
} CuteRunOptions;

// Fills in the options. *code is the exit code if one of them, such as --help,
// has been answered, or -1.
CuteStatus cuteRunOptionsTake(CuteRunOptions *options, int argc, char **argv,
                              int *code);

// Fails where a file that is written is one that is read, or written twice.
CuteStatus cuteRunFilesCheck(const CuteRunOptions *options);

//===-- Arguments of a kernel, with their memory on the device ------------===//

typedef struct CuteOperand {
  const char *text;
  CuteArray array; // of tensors; data is null for others
  CuteArgument argument;
} CuteOperand;

// Numbers, a tensor (Check/array.h), which has no memory on the device yet, or
// pointers(3,4,5): an i64 tensor of the addresses of other operands, by number.
// `text` must outlive the operand.
CuteStatus cuteOperandParse(CuteOperand *operand, const char *text);
void cuteOperandDestroy(CuteOperand *operand);

// Tells whether the text is a tensor's, of a file, a generator or pointers.
bool cuteOperandIsTensorText(const char *text);

// True of a tensor from this generator, as "poison", whose values before a
// kernel runs mean nothing.
bool cuteOperandIsFrom(const CuteOperand *operand, const char *generator);

// Checks them against a kernel before there is a device. The number that are
// its arguments goes to `numArguments`: after these there may be tensors to
// which pointers(...) point.
CuteStatus cuteOperandsCheck(const CuteKernel *kernel, size_t n,
                             const CuteOperand *operands, size_t *numArguments);

// cuteLaunchPrepare for operands.
CuteStatus cuteOperandsPrepare(CuteLaunch *launch,
                               const CuteDeviceModule *module,
                               const CuteKernel *kernel, size_t n,
                               const CuteOperand *operands,
                               const int64_t *grid);

//===-- Memory ------------------------------------------------------------===//

// Makes a copy of a tensor in device memory, with guards before and after it.
// Nothing is to do for other operands, here and below.
CuteStatus cuteOperandSend(CuteOperand *operand, const CuteDevice *device);
void cuteOperandRelease(CuteOperand *operand, const CuteDevice *device);

// Gives tensors of pointers the addresses, once all operands were sent.
CuteStatus cuteOperandsLink(size_t n, CuteOperand *operands,
                            const CuteDevice *device);

// Writes it and the guards anew.
CuteStatus cuteOperandRestore(const CuteOperand *operand,
                              const CuteDevice *device);

// Copies it back into an array of the same layout and checks that no byte
// around it changed.
CuteStatus cuteOperandRead(const CuteOperand *operand, const CuteDevice *device,
                           const CuteArray *array);

//===-- Generated tensors and references that runs share ------------------===//

enum {
  CUTE_KEPT_TENSORS = 2 * CUTE_RUN_MAX_ARGUMENTS,
  CUTE_KEPT_REFERENCES = 8
};

typedef struct CuteKept {
  size_t numTensors, numReferences, bytes;
  CuteOperand tensors[CUTE_KEPT_TENSORS];
  char *texts[CUTE_KEPT_TENSORS];
  CuteReference references[CUTE_KEPT_REFERENCES];
  char *keys[CUTE_KEPT_REFERENCES]; // null: not to be found again
} CuteKept;

// Frees everything that no run uses any more.
void cuteKeptDestroy(CuteKept *kept);

// Parses the arguments of a run, at most CUTE_RUN_MAX_ARGUMENTS, into
// `operands`; `*count` were made. Tensors stay in `kept`, which forgets earlier
// ones once it has many: operands of earlier runs are gone.
CuteStatus cuteKeptParse(CuteKept *kept, const CuteRunArguments *arguments,
                         CuteOperand *operands, size_t *count);

// Evaluates --check on the operands, or finds what an earlier run evaluated on
// equal ones. The reference lives as long as the operands.
CuteStatus cuteKeptEvaluate(CuteKept *kept, const CuteRunOptions *options,
                            size_t n, const CuteOperand *operands,
                            const CuteReference **reference);

//===-- Runs that are lines of a file -------------------------------------===//

typedef CuteStatus (*CuteRunFunction)(const CuteRunOptions *options,
                                      CuteKept *kept);

// Runs each line of the file options->lines, arguments of cute-run with tabs
// between, and prints "ok" or "error: ..." for each when it has ended. The
// device is opened once; lines that name none run on it. They do not see other
// options beside --lines.
CuteStatus cuteRunLines(const CuteRunOptions *options, CuteRunFunction run,
                        CuteKept *kept);

//===-- Manifests for kernels of PTX files that have none -----------------===//

// Tells whether a path is one of PTX.
bool cutePtxIsFile(const char *path);

// Makes one of the kernel that --kernel names, which is launched with --block
// and --shared; arguments with brackets are tensors, by their addresses, and
// others numbers. Fails where the file has no such kernel, or the kernel other
// parameters.
CuteStatus cutePtxManifestRead(CuteManifest *manifest,
                               const CuteRunOptions *options);

//===-- The simulated device ----------------------------------------------===//

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

//===-- Functions on the host ---------------------------------------------===//

typedef struct CuteHostRun {
#define CUTE_HOST_FUNCTION(symbol, name, result, parameters)                   \
  result(*name) parameters;
#include "Run/host_library.def"
  CuteHostModule *module;
  CuteKernelSet *kernels;
  CuteHostFunction function;
  CuteHostSignature signature;
  CuteParameters parameters;
  uint64_t *results;
  void **arguments;
} CuteHostRun;

// Compiles the file of the options; the manifest describes its functions. A
// file without kernels needs no device but the simulator's memory.
CuteStatus cuteHostRunCompile(CuteHostRun *run, const CuteRunOptions *options,
                              CuteManifest *manifest);
void cuteHostRunDestroy(CuteHostRun *run);

// Tells whether there are kernels, which need the device of the options.
bool cuteHostRunHasKernels(const CuteHostRun *run);

// Loads the kernels, and binds the arguments to the function that `kernel`
// describes.
CuteStatus cuteHostRunPrepare(CuteHostRun *run, const CuteDevice *device,
                              const CuteKernel *kernel, size_t numArguments,
                              const CuteArgument *arguments);

// Calls the function and prints its results, one a line.
CuteStatus cuteHostRunCall(CuteHostRun *run);

//===-- A copy on the device, as a measure of its memory ------------------===//

// A copy of the largest tensor into separate memory.
typedef struct CuteCopyBaseline {
  const CuteDevice *device;
  CuteDevicePointer from, to;
  size_t bytes;
} CuteCopyBaseline;

// Fails if there is no tensor, or no memory.
CuteStatus cuteCopyBaselineCreate(CuteCopyBaseline *copy,
                                  const CuteDevice *device, size_t n,
                                  const CuteOperand *operands);
void cuteCopyBaselineDestroy(CuteCopyBaseline *copy);
CuteStatus cuteCopyBaselineStart(void *copy);

//===-- Manifests and comparisons in words --------------------------------===//

// Prints the kernels with their parameters to standard output; control
// characters are escaped.
CuteStatus cuteDescribeManifest(const CuteManifest *manifest);

// Prints a line about argument `index`; `sample` is null for all elements.
void cuteDescribeComparison(size_t index, const CuteComparison *c,
                            const CuteSample *sample, const CuteArray *array);

// Fails, as the argument differs.
CuteStatus cuteDescribeDifference(size_t index, const CuteComparison *c);

//===-- Results -----------------------------------------------------------===//

typedef struct CuteRunResults {
  double error;      // the largest of all comparisons; -1: nothing compared
  bool isSampled;    // not all elements were compared: in rows a ~
  double operations; // of --flops, or of the reference
  double bytes;      // of all tensors
  double milliseconds, baseline; // 0: not measured
  double baselineBytes;          // that a copy reads and writes
  char baselineNote[160];        // why there is none
} CuteRunResults;

// The head of the table whose lines cuteRunReport prints for --row.
void cuteRunPrintHeader(void);

// Prints the results as a sentence, a line of a table or JSON.
void cuteRunReport(const CuteRunOptions *options,
                   const CuteRunResults *results);

// Tells whether standard output is the simulator's report alone.
bool cuteRunReportIsAlone(const CuteRunOptions *options);
