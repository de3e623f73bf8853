#include "Compile/report.h"
#include "Compile/listing.h"
#include "Compile/options.h"
#include "Hardware/occupancy.h"
#include "cute/Kernels.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_SETS = 4 };

typedef struct Kernel {
  char name[256];
  int threads; // 0: not known
  int sharedStatic, sharedDynamic;
  bool isAssembled; // the following are known
  int registers, stack, spillStores, spillLoads;
  int sets[MAX_SETS]; // registers by setmaxnreg, each number once; 0: no more
  int maps;           // tensor maps among the parameters
  int localLoads, localStores;
  const char *loopIn; // "sass" or "ptx"; null: there is no loop
  CuteMix loop;
} Kernel;

//===-- What ptxas says ---------------------------------------------------===//

static bool isDigit(char c) { return c >= '0' && c <= '9'; }

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
  snprintf(start, sizeof start, "Compiling entry function '%s'", kernel->name);
  const char *at = strstr(cuteStringGet(messages), start);
  if (!at)
    return;
  kernel->isAssembled = true;
  kernel->registers = numberBefore(at, " registers");
  kernel->stack = numberBefore(at, " bytes stack frame");
  kernel->spillStores = numberBefore(at, " bytes spill stores");
  kernel->spillLoads = numberBefore(at, " bytes spill loads");
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
  snprintf(start, sizeof start, ".entry %s(", kernel->name);
  const char *at = strstr(cuteStringGet(ptx), start);
  const char *end = at ? strstr(at + 1, ".entry ") : NULL;
  while (at && (at = strstr(at + 1, mark)) && (!end || at < end)) {
    const char *number = at + strcspn(at, " \t;\n");
    addSet(kernel, atoi(number));
  }
}

//===-- Occupancy ---------------------------------------------------------===//

static CuteOccupancy occupancyOf(const Kernel *kernel, const CuteArch *arch) {
  return cuteArchGetOccupancy(arch, kernel->threads, kernel->registers,
                              kernel->sharedStatic + kernel->sharedDynamic);
}

//===-- Text --------------------------------------------------------------===//

static void printAssembled(const Kernel *kernel, const CuteArch *arch,
                           CuteString *out) {
  if (!kernel->isAssembled) {
    cuteStringAppend(out, "  registers      not known without ptxas\n");
    return;
  }
  cuteStringAppendFormat(out, "  registers      %d a thread",
                         kernel->registers);
  for (int i = 0; i < MAX_SETS && kernel->sets[i]; ++i)
    cuteStringAppendFormat(out, "%s%d", i ? ", " : "; warpgroups set them to ",
                           kernel->sets[i]);
  cuteStringAppend(out, "\n");
  cuteStringAppendFormat(
      out, "  spills         %d bytes stored, %d loaded; stack of %d\n",
      kernel->spillStores, kernel->spillLoads, kernel->stack);
  if (!kernel->threads)
    return;
  CuteOccupancy o = occupancyOf(kernel, arch);
  cuteStringAppendFormat(
      out, "  occupancy      %d block%s, %d of %d warps, limited by %s\n",
      o.blocks, o.blocks == 1 ? "" : "s", o.warps, arch->warps, o.limit);
}

static void printLocal(const Kernel *kernel, CuteString *out) {
  if (kernel->localLoads || kernel->localStores)
    cuteStringAppendFormat(out, "  local memory   %d loads, %d stores\n",
                           kernel->localLoads, kernel->localStores);
}

static void printLoop(const Kernel *kernel, CuteString *out) {
  if (!kernel->loopIn) {
    cuteStringAppend(out, "  main loop      none\n");
    return;
  }
  const CuteMix *mix = &kernel->loop;
  cuteStringAppendFormat(out, "  main loop      %d instructions of %s\n",
                         mix->total,
                         strcmp(kernel->loopIn, "ptx") ? "SASS" : "PTX");
  for (size_t i = 0; i < mix->numRows; ++i)
    cuteStringAppendFormat(out, "    %6d  %.*s\n", mix->rows[i].count,
                           (int)mix->rows[i].name.length,
                           mix->rows[i].name.data);
}

static void printKernel(const Kernel *kernel, const CuteArch *arch,
                        CuteString *out) {
  cuteStringAppendFormat(out, "kernel %s for %s\n", kernel->name, arch->name);
  if (kernel->threads)
    cuteStringAppendFormat(out, "  block          %d threads\n",
                           kernel->threads);
  cuteStringAppendFormat(out,
                         "  shared memory  %d bytes: %d static, %d dynamic\n",
                         kernel->sharedStatic + kernel->sharedDynamic,
                         kernel->sharedStatic, kernel->sharedDynamic);
  if (kernel->maps)
    cuteStringAppendFormat(out, "  tensor maps    %d\n", kernel->maps);
  printAssembled(kernel, arch, out);
  printLocal(kernel, out);
  printLoop(kernel, out);
}

//===-- JSON --------------------------------------------------------------===//

static void setInteger(json_t *object, const char *name, int value,
                       bool isKnown) {
  json_object_set_new(object, name,
                      isKnown ? json_integer(value) : json_null());
}

static json_t *loopToJson(const Kernel *kernel) {
  if (!kernel->loopIn)
    return json_null();
  json_t *loop = json_object(), *mix = json_object();
  for (size_t i = 0; i < kernel->loop.numRows; ++i) {
    char name[64];
    CuteStringRef text = kernel->loop.rows[i].name;
    snprintf(name, sizeof name, "%.*s", (int)text.length, text.data);
    setInteger(mix, name, kernel->loop.rows[i].count, true);
  }
  json_object_set_new(loop, "in", json_string(kernel->loopIn));
  setInteger(loop, "instructions", kernel->loop.total, true);
  json_object_set_new(loop, "mix", mix);
  return loop;
}

static json_t *occupancyToJson(const Kernel *kernel, const CuteArch *arch) {
  if (!kernel->isAssembled || !kernel->threads)
    return json_null();
  CuteOccupancy o = occupancyOf(kernel, arch);
  json_t *object = json_object();
  setInteger(object, "blocks", o.blocks, true);
  setInteger(object, "warps", o.warps, true);
  setInteger(object, "of_warps", arch->warps, true);
  json_object_set_new(object, "limit", json_string(o.limit));
  return object;
}

static json_t *kernelToJson(const Kernel *kernel, const CuteArch *arch) {
  json_t *object = json_object();
  bool known = kernel->isAssembled;
  json_object_set_new(object, "name", json_string(kernel->name));
  setInteger(object, "threads", kernel->threads, kernel->threads);
  setInteger(object, "static_shared_bytes", kernel->sharedStatic, true);
  setInteger(object, "dynamic_shared_bytes", kernel->sharedDynamic, true);
  setInteger(object, "registers", kernel->registers, known);
  json_t *sets = json_array();
  for (int i = 0; i < MAX_SETS && kernel->sets[i]; ++i)
    json_array_append_new(sets, json_integer(kernel->sets[i]));
  json_object_set_new(object, "warpgroup_registers", sets);
  setInteger(object, "tensor_maps", kernel->maps, true);
  setInteger(object, "stack_bytes", kernel->stack, known);
  setInteger(object, "spill_store_bytes", kernel->spillStores, known);
  setInteger(object, "spill_load_bytes", kernel->spillLoads, known);
  setInteger(object, "local_loads", kernel->localLoads, true);
  setInteger(object, "local_stores", kernel->localStores, true);
  json_object_set_new(object, "occupancy", occupancyToJson(kernel, arch));
  json_object_set_new(object, "main_loop", loopToJson(kernel));
  return object;
}

//===-- Entry -------------------------------------------------------------===//

// The manifest is the text that cuteModulePrintManifest writes, one value a
// line and the kernels' by six spaces; reading it as JSON needs a jansson that
// can be in shared libraries.
static const char keyIndent[] = "\n      \"";

// Finds what follows the key of a kernel, before the next kernel; null if it
// has none.
static const char *findValue(const char *kernel, const char *key) {
  char text[64];
  snprintf(text, sizeof text, "%s%s\": ", keyIndent, key);
  const char *at = strstr(kernel, text), *next = strstr(kernel + 1, "\n    {");
  return at && (!next || at < next) ? at + strlen(text) : NULL;
}

static int integerOf(const char *kernel, const char *key) {
  const char *value = findValue(kernel, key);
  return value ? atoi(value) : 0;
}

static int threadsOf(const char *kernel) {
  const char *at = findValue(kernel, "block");
  int threads = at && *at == '[';
  for (int i = 0; i < 3 && threads; ++i) {
    at = strpbrk(at, "0123456789");
    threads *= at ? atoi(at) : 0;
    at = at ? at + strspn(at, "0123456789") : "";
  }
  return threads;
}

static Kernel readKernel(const char *text) {
  const char *name = findValue(text, "name");
  Kernel kernel = {.threads = threadsOf(text),
                   .sharedStatic = integerOf(text, "static_shared_bytes"),
                   .sharedDynamic = integerOf(text, "dynamic_shared_bytes")};
  const char *next = strstr(text + 1, "\n    {"), *map = text;
  while ((map = strstr(map + 1, "\"tensor_map\"")) && (!next || map < next))
    ++kernel.maps;
  snprintf(kernel.name, sizeof kernel.name, "%.*s",
           name ? (int)strcspn(name + 1, "\"") : 0, name ? name + 1 : "");
  return kernel;
}

// The compiled code of kernels, and what ptxas says of it.
typedef struct Code {
  const CuteString *ptx;
  CuteString cubin, messages, sass; // empty where the tool is not found
} Code;

// False with a diagnostic if ptxas refuses the PTX.
static bool assemble(MlirLocation location, const CuteArch *arch,
                     const char *options, Code *code) {
  bool ok = !cuteCanAssemble() ||
            cuteAssemble(location, NULL, arch, options, code->ptx, &code->cubin,
                         &code->messages);
  if (ok && code->cubin.length && !cuteDisassemble(&code->cubin, &code->sass))
    cuteStringClear(&code->sass);
  return ok;
}

static void destroyCode(Code *code) {
  cuteStringDestroy(&code->cubin);
  cuteStringDestroy(&code->messages);
  cuteStringDestroy(&code->sass);
}

// Fills in what the code says of the kernel.
static void readCode(const Code *code, Kernel *kernel) {
  readMessages(&code->messages, kernel);
  readSets(code->ptx, kernel);
  bool isSass = code->sass.length;
  CuteStringRef text = cuteStringGetRef(isSass ? &code->sass : code->ptx);
  cuteListingCountLocal(text, isSass, kernel->name, &kernel->localLoads,
                        &kernel->localStores);
  if (cuteListingCountLoop(text, isSass, kernel->name, &kernel->loop))
    kernel->loopIn = isSass ? "sass" : "ptx";
}

static void appendReport(const CuteArch *arch, const CuteString *manifest,
                         const Code *code, bool isJson, CuteString *report) {
  json_t *root = json_object(), *list = json_array();
  json_object_set_new(root, "arch", json_string(arch->name));
  json_object_set_new(root, "kernels", list);
  const char *at = cuteStringGet(manifest);
  while ((at = strstr(at, "\n    {"))) {
    Kernel kernel = readKernel(at++);
    readCode(code, &kernel);
    if (isJson)
      json_array_append_new(list, kernelToJson(&kernel, arch));
    else
      printKernel(&kernel, arch, report);
  }
  char *text = isJson ? json_dumps(root, JSON_INDENT(2)) : NULL;
  if (text)
    cuteStringAppendFormat(report, "%s\n", text);
  free(text);
  json_decref(root);
}

bool cuteReport(MlirLocation location, const CuteArch *arch,
                const char *options, const CuteString *ptx,
                const CuteString *manifest, bool isJson, CuteString *report) {
  Code code = {.ptx = ptx};
  bool ok = assemble(location, arch, options, &code);
  if (ok)
    appendReport(arch, manifest, &code, isJson, report);
  destroyCode(&code);
  return ok;
}

//===-- As structs --------------------------------------------------------===//

static CuteKernelResources resourcesOf(const CuteKernelInfo *info,
                                       const CuteArch *arch, const Code *code) {
  Kernel kernel = {.threads =
                       (int)(info->block[0] * info->block[1] * info->block[2]),
                   .sharedStatic = (int)info->staticShared,
                   .sharedDynamic = (int)info->dynamicShared};
  snprintf(kernel.name, sizeof kernel.name, "%s", info->name);
  readCode(code, &kernel);
  CuteKernelResources resources = {.isAssembled = kernel.isAssembled,
                                   .registers = kernel.registers,
                                   .stackBytes = kernel.stack,
                                   .spillStoreBytes = kernel.spillStores,
                                   .spillLoadBytes = kernel.spillLoads,
                                   .localLoads = kernel.localLoads,
                                   .localStores = kernel.localStores,
                                   .loopInstructions = kernel.loop.total,
                                   .isLoopSass = code->sass.length};
  if (!kernel.isAssembled || !kernel.threads)
    return resources;
  CuteOccupancy occupancy = occupancyOf(&kernel, arch);
  resources.blocks = occupancy.blocks;
  resources.warps = occupancy.warps;
  resources.limit = occupancy.limit;
  return resources;
}

MlirLogicalResult cuteKernelListMeasure(const CuteKernelList *list,
                                        MlirLocation location,
                                        const CuteCompileOptions *given,
                                        MlirStringRef ptx,
                                        CuteKernelResources *resources) {
  CuteCompileOptions options;
  CuteStatus status = cuteOptionsRead(&options, sizeof options, given);
  if (status) {
    cuteEmitError(location, "%s", cuteStatusGetMessage(status));
    cuteStatusDestroy(status);
    return mlirLogicalResultFailure();
  }
  const CuteArch *arch = cuteArchFind(options.arch);
  if (!arch) {
    cuteEmitError(location, "unknown architecture '%s'; %s",
                  options.arch ? options.arch : "",
                  cuteArchCheck(options.arch));
    return mlirLogicalResultFailure();
  }
  CuteString text = {0};
  cuteAppendMlirString(ptx, &text);
  Code code = {.ptx = &text};
  bool ok = assemble(location, arch, options.ptxas, &code);
  for (size_t i = 0; ok && i < cuteKernelListGetNum(list); ++i)
    resources[i] = resourcesOf(cuteKernelListGet(list, i), arch, &code);
  destroyCode(&code);
  cuteStringDestroy(&text);
  return ok ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
