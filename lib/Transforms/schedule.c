// Reads the choices that an author makes for kernels on Hopper.
#include "Transforms/sm90.h"

typedef struct Choice {
  const char *name;
  int64_t least, most;
  size_t offset; // of its int64_t in a CuteSchedule
} Choice;

static const Choice choices[] = {
    {"stages", 2, 16, offsetof(CuteSchedule, stages)},
    {"warpgroups", 1, 3, offsetof(CuteSchedule, warpgroups)},
    {"rows", 1, 64, offsetof(CuteSchedule, group)},
    {"persist", 1, 2, offsetof(CuteSchedule, persist)},
    {"pingpong", 1, 2, offsetof(CuteSchedule, pingpong)},
    {"overlap", 1, 2, offsetof(CuteSchedule, overlap)},
    {"operands", 1, 2, offsetof(CuteSchedule, operands)},
    {"split", 1, 8, offsetof(CuteSchedule, split)},
    {"stream", 1, 2, offsetof(CuteSchedule, stream)},
    {"cluster_x", 1, 8, offsetof(CuteSchedule, cluster[0])},
    {"cluster_y", 1, 8, offsetof(CuteSchedule, cluster[1])},
};

static int64_t *valueOf(CuteSchedule *schedule, const Choice *choice) {
  return (int64_t *)(void *)((char *)schedule + choice->offset);
}

static const Choice *findChoice(CuteStringRef name) {
  for (size_t i = 0; i < sizeof choices / sizeof *choices; ++i)
    if (cuteTextEquals(name, choices[i].name))
      return &choices[i];
  return NULL;
}

static bool readChoice(CuteKernel *kernel, MlirNamedAttribute named,
                       CuteSchedule *schedule) {
  CuteStringRef name = fromMlirString(mlirIdentifierStr(named.name));
  const Choice *choice = findChoice(name);
  if (!choice)
    return cuteKernelFail(
        kernel, kernel->function,
        "has a cute.schedule with '%.*s'; there are stages, warpgroups, rows, "
        "persist, pingpong, overlap, operands, split, stream, cluster_x and "
        "cluster_y",
        CUTE_TEXT(name));
  int64_t value = mlirAttributeIsAInteger(named.attribute)
                      ? mlirIntegerAttrGetValueInt(named.attribute)
                      : 0;
  if (value < choice->least || value > choice->most)
    return cuteKernelFail(
        kernel, kernel->function,
        "has a cute.schedule whose %s is not a number from %jd to %jd",
        choice->name, choice->least, choice->most);
  *valueOf(schedule, choice) = value;
  return true;
}

// Checks that a cluster has no more than 8 blocks, which share either loads or
// the rounds of a tile.
static bool checkCluster(CuteKernel *kernel, const CuteSchedule *schedule) {
  enum { MOST = 8 }; // of any device
  const int64_t *cluster = schedule->cluster;
  if (schedule->split > 1 && (cluster[0] > 1 || cluster[1] > 1))
    return cuteKernelFail(kernel, kernel->function,
                          "has a cute.schedule with both split and a cluster "
                          "that shares loads");
  return cluster[0] * cluster[1] <= MOST ||
         cuteKernelFail(kernel, kernel->function,
                        "has a cute.schedule with clusters of %jd x %jd "
                        "blocks; there may be %d in all",
                        cluster[0], cluster[1], MOST);
}

bool cuteScheduleRead(CuteKernel *kernel, const CuteSchedule *given,
                      CuteSchedule *schedule) {
  MlirAttribute all = cuteMlirGetAttribute(kernel->function, "cute.schedule");
  *schedule = *given;
  if (mlirAttributeIsNull(all))
    return checkCluster(kernel, schedule);
  if (!mlirAttributeIsADictionary(all))
    return cuteKernelFail(kernel, kernel->function,
                          "has a cute.schedule that is not {stages = 4, ...}");
  for (intptr_t i = 0; i < mlirDictionaryAttrGetNumElements(all); ++i)
    if (!readChoice(kernel, mlirDictionaryAttrGetElement(all, i), schedule))
      return false;
  return checkCluster(kernel, schedule);
}

enum { NUM_CHOICES = sizeof choices / sizeof *choices };

void cuteScheduleSet(CuteKernel *kernel, const char *name, int64_t value) {
  MlirContext context = mlirOperationGetContext(kernel->function);
  MlirAttribute old = cuteMlirGetAttribute(kernel->function, "cute.schedule");
  MlirNamedAttribute all[NUM_CHOICES];
  intptr_t n = 0;
  for (size_t i = 0; i < NUM_CHOICES; ++i) {
    MlirAttribute number = {NULL};
    if (!strcmp(choices[i].name, name) && value)
      number = mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), value);
    else if (strcmp(choices[i].name, name) && !mlirAttributeIsNull(old))
      number = mlirDictionaryAttrGetElementByName(
          old, cuteMlirString(choices[i].name));
    if (!mlirAttributeIsNull(number))
      all[n++] = mlirNamedAttributeGet(
          mlirIdentifierGet(context, cuteMlirString(choices[i].name)), number);
  }
  cuteMlirSetAttribute(kernel->function, "cute.schedule",
                       mlirDictionaryAttrGet(context, n, all));
}

void cuteScheduleNote(CuteKernel *kernel) {
  CuteSchedule none = {0}, chosen;
  CUTE_SCOPED(String) text = {0};
  if (!cuteScheduleRead(kernel, &none, &chosen))
    return;
  for (size_t i = 0; i < NUM_CHOICES; ++i)
    if (*valueOf(&chosen, &choices[i]))
      cuteStringAppendFormat(&text, "%s%s = %jd", text.length ? ", " : "",
                             choices[i].name, *valueOf(&chosen, &choices[i]));
  cuteKernelNote(kernel, mlirOperationGetLocation(kernel->function),
                 "cute.schedule = {%s} gives these choices",
                 cuteStringGet(&text));
}

bool cuteScheduleTakeOptions(const CutePass *pass, const char *passName,
                             CuteSchedule *schedule) {
  for (size_t i = 0; i < pass->numOptions; ++i) {
    const Choice *choice = findChoice(cuteStringRef(pass->names[i]));
    const char *text = pass->values[i];
    char *end;
    if (!choice)
      continue;
    int64_t value = *valueOf(schedule, choice) = strtoll(text, &end, 10);
    if (*text && !*end &&
        (!value || (value >= choice->least && value <= choice->most)))
      continue;
    return CUTE_ERROR_AT(pass->root,
                         "%s: %s=%.40s must be a number from %jd to %jd, or 0 "
                         "to leave the choice to the pass",
                         passName, choice->name, text, choice->least,
                         choice->most);
  }
  return true;
}

//===-- Passes that edit kernels ------------------------------------------===//

static bool run(const CutePass *pass, const char *name, CuteKernelEdit *edit,
                const char *prefix) {
  CuteSchedule schedule = {0};
  return cuteScheduleTakeOptions(pass, name, &schedule) &&
         cuteRunExpandTiles(pass) &&
         cuteKernelsEdit(pass, prefix, NULL, edit, &schedule);
}

#define CUTE_EDIT_PASS(argument, function, edit, prefix, summary)              \
  bool function(const CutePass *pass) {                                        \
    return run(pass, argument, edit, prefix);                                  \
  }
#include "passes.def"
