// Passes of this library as MLIR passes.
#include "Compile/pass_registry.h"

#include <mlir-c/Dialect/Arith.h>
#include <mlir-c/Dialect/Func.h>
#include <mlir-c/Dialect/GPU.h>
#include <mlir-c/Dialect/LLVM.h>
#include <mlir-c/Dialect/Math.h>
#include <mlir-c/Dialect/NVVM.h>
#include <mlir-c/Dialect/SCF.h>
#include <mlir-c/Dialect/Vector.h>

#include <stdalign.h>

typedef struct PassData {
  const CutePassRow *row;           // a pass of passes.def,
  const CutePassObserver *observer; // or an observer
  bool after;
  char *name, *options; // options: "a=b c=d"
} PassData;

static PassData *createData(PassData data, CuteStringRef name,
                            CuteStringRef options) {
  PassData *copy = cuteAllocate(sizeof *copy);
  *copy = data;
  copy->name = strndup(name.data, name.length);
  copy->options = strndup(options.data, options.length);
  return copy;
}

static void destruct(void *userData) {
  PassData *data = userData;
  free(data->name);
  free(data->options);
  free(data);
}

static void *cloneData(void *userData) {
  const PassData *data = userData;
  return createData(*data, cuteStringRef(data->name),
                    cuteStringRef(data->options));
}

//===-- Running -----------------------------------------------------------===//

// Sets the options, pairs of strings, which live in the arena.
static void cutOptions(CuteArena *arena, CuteStringRef text, CutePass *pass) {
  CutePassOption option;
  const char **names = NULL, **values = NULL;
  size_t n = 0;
  while (cutePassOptionTake(&text, &option)) {
    names = cuteArenaGrow(arena, names, n, sizeof *names);
    values = cuteArenaGrow(arena, values, n, sizeof *values);
    names[n] = cuteArenaCopyText(arena, option.name.data, option.name.length);
    values[n++] =
        cuteArenaCopyText(arena, option.value.data, option.value.length);
  }
  pass->numOptions = n;
  pass->names = names;
  pass->values = values;
}

static bool runRow(const PassData *data, MlirOperation op) {
  CUTE_LOCKED *dialect = cuteDialectLock(mlirOperationGetContext(op));
  if (!dialect)
    return true;
  CUTE_SCOPED(Task) task;
  cuteTaskBegin(&task);
  CutePass pass = {.dialect = dialect, .root = op};
  cutOptions(&task.arena, cuteStringRef(data->options), &pass);
  return data->row->run(&pass);
}

static void run(MlirOperation op, MlirExternalPass pass, void *userData) {
  const PassData *data = userData;
  const CutePassObserver *observer = data->observer;
  bool ok = data->row ? runRow(data, op)
            : data->after
                ? observer->after(data->name, op, observer->userData)
                : observer->before(data->name, op, observer->userData);
  if (!ok)
    mlirExternalPassSignalFailure(pass);
}

static MlirPass createPass(PassData *data, const char *summary,
                           const void *typeId) {
  MlirDialectHandle dialects[] = {
      mlirGetDialectHandle__arith__(), mlirGetDialectHandle__gpu__(),
      mlirGetDialectHandle__llvm__(),  mlirGetDialectHandle__math__(),
      mlirGetDialectHandle__nvvm__(),  mlirGetDialectHandle__scf__(),
      mlirGetDialectHandle__func__(),  mlirGetDialectHandle__vector__()};
  MlirExternalPassCallbacks callbacks = {
      .destruct = destruct, .clone = cloneData, .run = run};
  MlirStringRef name = cuteMlirString(data->row     ? data->name
                                      : data->after ? "(verify)"
                                                    : "(look)");
  return mlirCreateExternalPass(
      mlirTypeIDCreate(typeId), name, name, cuteMlirString(summary),
      cuteMlirString(""), data->row ? sizeof dialects / sizeof *dialects : 0,
      dialects, callbacks, data);
}

// Any address that lives long enough and is aligned is an identity: a row's.
MlirPass cutePassRowCreate(const CutePassRow *row, CuteStringRef options) {
  PassData *data =
      createData((PassData){.row = row}, cuteStringRef(row->argument), options);
  return createPass(data, row->summary, row);
}

MlirPass cuteObserverPassCreate(const CutePassObserver *observer,
                                CuteStringRef pass, bool after) {
  alignas(8) static char identity[8];
  PassData *data = createData((PassData){.observer = observer, .after = after},
                              pass, cuteStringRef(""));
  return createPass(data, "Look at the IR", identity);
}
