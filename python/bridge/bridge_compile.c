// Modules: verification, pipelines, PTX.
#include "bridge.h"

#include <cute/Assembly.h>
#include <cute/Jit.h>
#include <cute/Passes.h>
#include <cute/Target.h>

static MlirModule moduleOf(PyObject *self) {
  return ((BridgeModule *)self)->module;
}

// The module of a text; null with an exception or diagnostics. The values of
// its parameters are a dict of str, or null.
static MlirModule parseText(MlirContext context, MlirStringRef source,
                            MlirStringRef file, PyObject *values) {
  enum { MAX_PARAMETERS = 64 };
  CuteParameter parameters[MAX_PARAMETERS];
  size_t n = 0;
  Py_ssize_t i = 0;
  PyObject *name, *value;
  while (values && PyDict_Next(values, &i, &name, &value)) {
    if (n == MAX_PARAMETERS) {
      PyErr_Format(PyExc_ValueError, "at most %d parameters", MAX_PARAMETERS);
      return (MlirModule){0};
    }
    if (!bridgeGetText(name, &parameters[n].name) ||
        !bridgeGetText(value, &parameters[n].value))
      return (MlirModule){0};
    ++n;
  }
  return cuteModuleParseWith(context, source, file, n, parameters);
}

static PyObject *createModule(PyTypeObject *type, PyObject *args,
                              PyObject *kwargs) {
  (void)kwargs;
  PyObject *context, *location, *text = NULL, *name = NULL, *values = NULL;
  MlirStringRef source, file;
  if (!PyArg_ParseTuple(args, "O!O|UUO!", bridge.context, &context, &location,
                        &text, &name, &PyDict_Type, &values))
    return NULL;
  if (text &&
      (!name || !bridgeGetText(text, &source) || !bridgeGetText(name, &file)))
    return PyErr_Occurred()
               ? NULL
               : PyErr_Format(PyExc_TypeError, "a text needs a file's name");
  void *at = bridgeUnwrap(bridge.location, location);
  if (!at)
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  BridgeModule *self = (BridgeModule *)allocate(type, 0);
  if (!self)
    return NULL;
  self->context = (BridgeContext *)Py_NewRef(context);
  self->module = text ? parseText(self->context->mlir, source, file, values)
                      : mlirModuleCreateEmpty((MlirLocation){at});
  self->scratch = mlirModuleCreateEmpty((MlirLocation){at});
  if (!mlirModuleIsNull(self->module))
    return (PyObject *)self;
  BridgeContext *reporter = (BridgeContext *)Py_NewRef(context);
  Py_DECREF(self);
  if (!PyErr_Occurred())
    bridgeFail(reporter, "the text cannot be read");
  Py_DECREF(reporter);
  return NULL;
}

static void destroyModule(PyObject *object) {
  BridgeModule *self = (BridgeModule *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (!mlirModuleIsNull(self->scratch))
    mlirModuleDestroy(self->scratch);
  if (!mlirModuleIsNull(self->module))
    mlirModuleDestroy(self->module);
  Py_CLEAR(self->context);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static PyObject *getBody(PyObject *self, void *closure) {
  (void)closure;
  return bridgeWrap(bridge.block, self, mlirModuleGetBody(moduleOf(self)).ptr);
}

static PyObject *getScratch(PyObject *self, void *closure) {
  (void)closure;
  return bridgeWrap(bridge.block, self,
                    mlirModuleGetBody(((BridgeModule *)self)->scratch).ptr);
}

static PyObject *getOperation(PyObject *self, void *closure) {
  (void)closure;
  return bridgeWrap(bridge.operation, self,
                    mlirModuleGetOperation(moduleOf(self)).ptr);
}

static PyObject *printModule(PyObject *self) {
  BridgeText text = {0};
  cuteOperationPrint(mlirModuleGetOperation(moduleOf(self)),
                     (CutePrintOptions){0}, bridgeAppend, &text);
  return bridgeTakeStr(&text);
}

static PyObject *printWithLocations(PyObject *self, PyObject *unused) {
  (void)unused;
  BridgeText text = {0};
  cuteOperationPrint(mlirModuleGetOperation(moduleOf(self)),
                     (CutePrintOptions){.debugInfo = true}, bridgeAppend,
                     &text);
  return bridgeTakeStr(&text);
}

static PyObject *verify(PyObject *self, PyObject *unused) {
  (void)unused;
  MlirOperation op = mlirModuleGetOperation(moduleOf(self));
  if (!mlirOperationVerify(op) ||
      mlirLogicalResultIsFailure(cuteOperationVerify(op)))
    return bridgeFail(((BridgeModule *)self)->context,
                      "the module does not verify");
  return Py_NewRef(Py_None);
}

//===-- Compiling ---------------------------------------------------------===//

// A copy, which compiling may take apart while values of the module live on.
static MlirModule copyOf(PyObject *self) {
  return mlirModuleFromOperation(
      mlirOperationClone(mlirModuleGetOperation(moduleOf(self))));
}

// compile(arch, emit, opt level, ptxas, line info)
static PyObject *compile(PyObject *self, PyObject *args) {
  CuteCompileOptions options = {.size = sizeof options};
  int emit, lineInfo = 0;
  if (!PyArg_ParseTuple(args, "siIz|p", &options.arch, &emit, &options.optLevel,
                        &options.ptxas, &lineInfo))
    return NULL;
  options.lineInfo = lineInfo;
  options.emit = (CuteEmit)emit;
  BridgeText text = {0};
  MlirLogicalResult done;
  Py_BEGIN_ALLOW_THREADS;
  MlirModule copy = copyOf(self);
  done = cuteModuleCompile(copy, &options, bridgeAppend, &text, NULL);
  mlirModuleDestroy(copy);
  Py_END_ALLOW_THREADS;
  PyObject *bytes = bridgeTakeBytes(&text);
  if (mlirLogicalResultIsSuccess(done))
    return bytes;
  Py_XDECREF(bytes);
  return bridgeFail(((BridgeModule *)self)->context,
                    "the module cannot be compiled");
}

typedef struct Exported {
  BridgeText object, header;
} Exported;

static void takeObject(MlirStringRef piece, void *exported) {
  bridgeAppend(piece, &((Exported *)exported)->object);
}

static void takeHeader(MlirStringRef piece, void *exported) {
  bridgeAppend(piece, &((Exported *)exported)->header);
}

// export(prefix, note, arch, emit, opt level, ptxas, line info)
static PyObject *export(PyObject *self, PyObject *args) {
  CuteCompileOptions kernels = {.size = sizeof kernels};
  CuteHostOptions options = {
      .size = sizeof options, .kernels = &kernels, .optLevel = 2};
  const char *prefix;
  int emit, lineInfo;
  if (!PyArg_ParseTuple(args, "sssiIzp", &prefix, &options.note, &kernels.arch,
                        &emit, &kernels.optLevel, &kernels.ptxas, &lineInfo))
    return NULL;
  kernels.lineInfo = lineInfo;
  kernels.emit = (CuteEmit)emit;
  Exported exported = {0};
  MlirLogicalResult done;
  Py_BEGIN_ALLOW_THREADS;
  done = cuteModuleExport(moduleOf(self), &options, prefix, takeObject,
                          takeHeader, &exported);
  Py_END_ALLOW_THREADS;
  PyObject *object = bridgeTakeBytes(&exported.object);
  PyObject *header = bridgeTakeStr(&exported.header);
  if (mlirLogicalResultIsSuccess(done))
    return Py_BuildValue("(NN)", object, header);
  Py_XDECREF(object);
  Py_XDECREF(header);
  return bridgeFail(((BridgeModule *)self)->context,
                    "the module cannot be exported");
}

// manifest(arch, file)
static PyObject *printManifest(PyObject *self, PyObject *args) {
  CuteCompileOptions options = {
      .size = sizeof options, .emit = CUTE_EMIT_PTX, .optLevel = 2};
  const char *file;
  if (!PyArg_ParseTuple(args, "ss", &options.arch, &file))
    return NULL;
  BridgeText text = {0};
  MlirLogicalResult done = cuteModulePrintManifest(moduleOf(self), &options,
                                                   file, bridgeAppend, &text);
  PyObject *str = bridgeTakeStr(&text);
  if (mlirLogicalResultIsSuccess(done))
    return str;
  Py_XDECREF(str);
  return bridgeFail(((BridgeModule *)self)->context, "there is no manifest");
}

// run_pipeline(text)
static PyObject *runPipeline(PyObject *self, PyObject *argument) {
  MlirStringRef pipeline;
  if (!bridgeGetText(argument, &pipeline))
    return NULL;
  BridgeText text = {0};
  MlirLogicalResult done = cutePipelineRun(
      mlirModuleGetOperation(moduleOf(self)), pipeline, bridgeAppend, &text);
  bridgeAppend(mlirStringRefCreate("", 1), &text);
  PyObject *result =
      mlirLogicalResultIsSuccess(done)
          ? Py_NewRef(Py_None)
          : bridgeFail(((BridgeModule *)self)->context, text.data);
  Py_XDECREF(bridgeTakeBytes(&text));
  return result;
}

// explain()
static PyObject *explain(PyObject *self, PyObject *unused) {
  (void)unused;
  cuteOperationExplain(mlirModuleGetOperation(moduleOf(self)), 0);
  Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"text_with_locations", printWithLocations, METH_NOARGS,
     "The text of the module, with locations."},
    {"verify", verify, METH_NOARGS, "Raises Error where the module is wrong."},
    {"compile", compile, METH_VARARGS,
     "compile(arch, emit, opt level, options of ptxas or None, line info = "
     "False): bytes. emit is "
     "0 for MLIR, 1 NVVM, 2 LLVM IR, 3 PTX, 4 a cubin. The module stays as it "
     "is."},
    {"export", export, METH_VARARGS,
     "export(prefix, note, arch, emit, opt level, options of ptxas or None, "
     "line info): an object with its functions and kernels, as bytes, and a "
     "header of C, as str."},
    {"explain", explain, METH_NOARGS,
     "Leaves a remark at each operation whose result the algebra computes."},
    {"manifest", printManifest, METH_VARARGS,
     "manifest(arch, file): how to launch its kernels, in JSON."},
    {"run_pipeline", runPipeline, METH_O,
     "Runs a pipeline of passes on the module. Operations and values in it "
     "must not be used after that."},
    {0},
};

static PyGetSetDef fields[] = {
    {"body", getBody, NULL, "The block of the module.", NULL},
    {"scratch", getScratch, NULL,
     "A block outside of the module, for operations whose regions it takes "
     "later.",
     NULL},
    {"operation", getOperation, NULL, "builtin.module itself.", NULL},
    {0},
};

bool bridgeAddModules(PyObject *module) {
  static PyType_Slot slots[] = {
      {Py_tp_new, (void *)createModule}, {Py_tp_dealloc, (void *)destroyModule},
      {Py_tp_str, (void *)printModule},  {Py_tp_methods, (void *)methods},
      {Py_tp_getset, (void *)fields},    {0}};
  PyType_Spec spec = {"cute._bridge.Module", sizeof(BridgeModule), 0,
                      Py_TPFLAGS_DEFAULT, slots};
  bridge.module = bridgeAddType(module, "Module", &spec);
  return bridge.module;
}
