#include "Compile/report.h"
#include "Compile/listing.h"
#include "Compile/options.h"
#include "Hardware/occupancy.h"

#include <jansson.h>

enum { MAX_SETS = 4 };

// A kernel, and what its code says.
typedef struct Kernel {
  const CuteKernelInfo *info;
  const CuteArch *arch;
  CuteKernelResources resources;
  int sets[MAX_SETS]; // registers by setmaxnreg, each number once; 0: no more
  bool hasLoop;
  CuteMix loop;
} Kernel;

//===-- What ptxas says ---------------------------------------------------===//

// The number before a text, in what follows `from` up to the next function. A
// function may have the text's name.
static int numberBefore(const char *from, const char *text) {
  const char *next = strstr(from + 1, "Compiling entry function");
  const char *at = strstr(from + 1, text);
  while (at && !isDigit(at[-1]))
    at = strstr(at + 1, text);
  if (!at || (next && at > next))
    return 0;
  while (at > from && isDigit(at[-1]))
    --at;
  return atoi(at);
}

static void readMessages(const CuteString *messages, Kernel *kernel) {
  char start[300];
  snprintf(start, sizeof start, "Compiling entry function '%s'",
           kernel->info->name);
  const char *at = strstr(cuteStringGet(messages), start);
  if (!at)
    return;
  CuteKernelResources *r = &kernel->resources;
  r->isAssembled = true;
  r->registers = numberBefore(at, " registers");
  r->stackBytes = numberBefore(at, " bytes stack frame");
  r->spillStoreBytes = numberBefore(at, " bytes spill stores");
  r->spillLoadBytes = numberBefore(at, " bytes spill loads");
}

//===-- What the PTX says -------------------------------------------------===//

static void addSet(Kernel *kernel, int registers) {
  int i = 0;
  while (i < MAX_SETS && kernel->sets[i] && kernel->sets[i] != registers)
    ++i;
  if (i < MAX_SETS)
    kernel->sets[i] = registers;
}

// Reads what warpgroups set their registers to: setmaxnreg.dec.sync.aligned.u32
// 40;
static void readSets(const CuteString *ptx, Kernel *kernel) {
  static const char mark[] = "setmaxnreg.";
  char start[300];
  snprintf(start, sizeof start, ".entry %s(", kernel->info->name);
  const char *at = strstr(cuteStringGet(ptx), start);
  const char *end = at ? strstr(at + 1, ".entry ") : NULL;
  while (at && (at = strstr(at + 1, mark)) && (!end || at < end)) {
    const char *number = at + strcspn(at, " \t;\n");
    addSet(kernel, atoi(number));
  }
}

//===-- All of it ---------------------------------------------------------===//

// 0: not known.
static int countThreads(const CuteKernelInfo *info) {
  return (int)(info->block[0] * info->block[1] * info->block[2]);
}

static void measureOccupancy(Kernel *kernel) {
  CuteKernelResources *r = &kernel->resources;
  int threads = countThreads(kernel->info);
  if (!r->isAssembled || !threads)
    return;
  CuteOccupancy occupancy = cuteArchGetOccupancy(
      kernel->arch, threads, r->registers,
      (int)(kernel->info->staticShared + kernel->info->dynamicShared));
  r->blocks = occupancy.blocks;
  r->warps = occupancy.warps;
  r->limit = occupancy.limit;
}

// The compiled code of kernels, and what ptxas says of it.
typedef struct Code {
  CuteString ptx, cubin, messages, sass; // empty where the tool is not found
} Code;

static Kernel measure(const CuteKernelInfo *info, const CuteArch *arch,
                      const Code *code) {
  Kernel kernel = {.info = info, .arch = arch};
  CuteKernelResources *r = &kernel.resources;
  readMessages(&code->messages, &kernel);
  readSets(&code->ptx, &kernel);
  measureOccupancy(&kernel);
  r->isLoopSass = code->sass.length;
  CuteStringRef text =
      cuteStringGetRef(r->isLoopSass ? &code->sass : &code->ptx);
  cuteListingCountLocal(text, r->isLoopSass, info->name, &r->localLoads,
                        &r->localStores);
  kernel.hasLoop =
      cuteListingCountLoop(text, r->isLoopSass, info->name, &kernel.loop);
  r->loopInstructions = kernel.loop.total;
  return kernel;
}

// False with a diagnostic if ptxas refuses the PTX. The code is to be destroyed
// either way.
static bool assemble(MlirLocation location, const CuteArch *arch,
                     const char *options, MlirStringRef ptx, Code *code) {
  *code = (Code){0};
  cuteAppendMlirString(ptx, &code->ptx);
  bool ok = !cuteCanAssemble() ||
            cuteAssemble(location, NULL, arch, options, &code->ptx,
                         &code->cubin, &code->messages);
  if (ok && code->cubin.length && !cuteDisassemble(&code->cubin, &code->sass))
    cuteStringClear(&code->sass);
  return ok;
}

static void destroyCode(Code *code) {
  cuteStringDestroy(&code->ptx);
  cuteStringDestroy(&code->cubin);
  cuteStringDestroy(&code->messages);
  cuteStringDestroy(&code->sass);
}

//===-- Text --------------------------------------------------------------===//

static void printAssembled(const Kernel *kernel, CuteString *out) {
  const CuteKernelResources *r = &kernel->resources;
  if (!r->isAssembled) {
    cuteStringAppend(out, "  registers      not known without ptxas\n");
    return;
  }
  cuteStringAppendFormat(out, "  registers      %d a thread", r->registers);
  for (int i = 0; i < MAX_SETS && kernel->sets[i]; ++i)
    cuteStringAppendFormat(out, "%s%d", i ? ", " : "; warpgroups set them to ",
                           kernel->sets[i]);
  cuteStringAppend(out, "\n");
  cuteStringAppendFormat(
      out, "  spills         %d bytes stored, %d loaded; stack of %d\n",
      r->spillStoreBytes, r->spillLoadBytes, r->stackBytes);
  if (r->limit)
    cuteStringAppendFormat(
        out, "  occupancy      %d block%s, %d of %d warps, limited by %s\n",
        r->blocks, r->blocks == 1 ? "" : "s", r->warps, kernel->arch->warps,
        r->limit);
}

static void printLoop(const Kernel *kernel, CuteString *out) {
  const CuteMix *mix = &kernel->loop;
  if (!kernel->hasLoop) {
    cuteStringAppend(out, "  main loop      none\n");
    return;
  }
  cuteStringAppendFormat(out, "  main loop      %d instructions of %s\n",
                         mix->total,
                         kernel->resources.isLoopSass ? "SASS" : "PTX");
  for (size_t i = 0; i < mix->numRows; ++i)
    cuteStringAppendFormat(out, "    %6d  %.*s\n", mix->rows[i].count,
                           CUTE_TEXT(mix->rows[i].name));
}

static int countMaps(const CuteKernelInfo *info) {
  int count = 0;
  for (size_t i = 0; i < info->numParameters; ++i)
    count += info->parameters[i].isHidden;
  return count;
}

static void printKernel(const Kernel *kernel, CuteString *out) {
  const CuteKernelInfo *info = kernel->info;
  const CuteKernelResources *r = &kernel->resources;
  long long fixed = info->staticShared, dynamic = info->dynamicShared;
  cuteStringAppendFormat(out, "kernel %s for %s\n", info->name,
                         kernel->arch->name);
  if (countThreads(info))
    cuteStringAppendFormat(out, "  block          %d threads\n",
                           countThreads(info));
  if (info->roles)
    cuteStringAppendFormat(out, "  roles          %s\n", info->roles);
  if (info->tensorColumns)
    cuteStringAppendFormat(out, "  tensor memory  %jd of 512 columns, for %s\n",
                           info->tensorColumns,
                           info->tensorBlocks == 2
                               ? "pairs of blocks that multiply together"
                               : "each block alone");
  cuteStringAppendFormat(
      out, "  shared memory  %lld bytes: %lld static, %lld dynamic\n",
      fixed + dynamic, fixed, dynamic);
  if (countMaps(info))
    cuteStringAppendFormat(out, "  tensor maps    %d\n", countMaps(info));
  printAssembled(kernel, out);
  if (r->localLoads || r->localStores)
    cuteStringAppendFormat(out, "  local memory   %d loads, %d stores\n",
                           r->localLoads, r->localStores);
  printLoop(kernel, out);
}

//===-- JSON --------------------------------------------------------------===//

static json_t *integerOrNull(int64_t value, bool isKnown) {
  return isKnown ? json_integer(value) : json_null();
}

static json_t *loopToJson(const Kernel *kernel) {
  if (!kernel->hasLoop)
    return json_null();
  json_t *mix = json_object();
  for (size_t i = 0; i < kernel->loop.numRows; ++i) {
    CuteStringRef name = kernel->loop.rows[i].name;
    json_object_setn_new(mix, name.data, name.length,
                         json_integer(kernel->loop.rows[i].count));
  }
  return json_pack("{s:s, s:i, s:o}", "in",
                   kernel->resources.isLoopSass ? "sass" : "ptx",
                   "instructions", kernel->loop.total, "mix", mix);
}

static json_t *occupancyToJson(const Kernel *kernel) {
  const CuteKernelResources *r = &kernel->resources;
  return r->limit ? json_pack("{s:i, s:i, s:i, s:s}", "blocks", r->blocks,
                              "warps", r->warps, "of_warps",
                              kernel->arch->warps, "limit", r->limit)
                  : json_null();
}

static json_t *kernelToJson(const Kernel *kernel) {
  const CuteKernelInfo *info = kernel->info;
  const CuteKernelResources *r = &kernel->resources;
  bool known = r->isAssembled;
  int threads = countThreads(info);
  json_t *sets = json_array();
  for (int i = 0; i < MAX_SETS && kernel->sets[i]; ++i)
    json_array_append_new(sets, json_integer(kernel->sets[i]));
  return json_pack(
      "{s:s, s:o, s:s?, s:I, s:b, s:I, s:I, s:o, s:o, s:i, s:o, s:o, s:o, s:i, "
      "s:i, s:o, s:o}",
      "name", info->name, "threads", integerOrNull(threads, threads), "roles",
      info->roles, "tensor_columns", (json_int_t)info->tensorColumns, "pairs",
      info->tensorBlocks == 2, "static_shared_bytes",
      (json_int_t)info->staticShared, "dynamic_shared_bytes",
      (json_int_t)info->dynamicShared, "registers",
      integerOrNull(r->registers, known), "warpgroup_registers", sets,
      "tensor_maps", countMaps(info), "stack_bytes",
      integerOrNull(r->stackBytes, known), "spill_store_bytes",
      integerOrNull(r->spillStoreBytes, known), "spill_load_bytes",
      integerOrNull(r->spillLoadBytes, known), "local_loads", r->localLoads,
      "local_stores", r->localStores, "occupancy", occupancyToJson(kernel),
      "main_loop", loopToJson(kernel));
}

//===-- Entry -------------------------------------------------------------===//

static void appendReport(const CuteKernelList *kernels, const CuteArch *arch,
                         const Code *code, bool isJson, CuteString *report) {
  json_t *list = json_array();
  for (size_t i = 0; i < cuteKernelListGetNum(kernels); ++i) {
    Kernel kernel = measure(cuteKernelListGet(kernels, i), arch, code);
    if (isJson)
      json_array_append_new(list, kernelToJson(&kernel));
    else
      printKernel(&kernel, report);
  }
  json_t *root = json_pack("{s:s, s:o}", "arch", arch->name, "kernels", list);
  char *text = isJson ? json_dumps(root, JSON_INDENT(2)) : NULL;
  if (text)
    cuteStringAppendFormat(report, "%s\n", text);
  free(text);
  json_decref(root);
}

bool cuteReport(MlirLocation location, const CuteArch *arch,
                const char *options, const CuteString *ptx,
                const CuteKernelList *kernels, bool isJson,
                CuteString *report) {
  Code code;
  bool ok = assemble(location, arch, options, cuteMlirText(ptx), &code);
  if (ok)
    appendReport(kernels, arch, &code, isJson, report);
  destroyCode(&code);
  return ok;
}

MlirLogicalResult cuteKernelListMeasure(const CuteKernelList *list,
                                        MlirLocation location,
                                        const CuteCompileOptions *given,
                                        MlirStringRef ptx,
                                        CuteKernelResources *resources) {
  CuteCompileOptions options;
  if (!cuteEmitStatus(location,
                      cuteOptionsRead(&options, sizeof options, given)))
    return mlirLogicalResultFailure();
  const CuteArch *arch = cuteArchFind(options.arch);
  if (!arch) {
    cuteEmitError(location, "unknown architecture '%s'; %s",
                  options.arch ? options.arch : "",
                  cuteArchCheck(options.arch));
    return mlirLogicalResultFailure();
  }
  Code code;
  bool ok = assemble(location, arch, options.ptxas, ptx, &code);
  for (size_t i = 0; ok && i < cuteKernelListGetNum(list); ++i)
    resources[i] = measure(cuteKernelListGet(list, i), arch, &code).resources;
  destroyCode(&code);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
