// Host functions that were compiled in memory, and the kernels that they
// launch.
#include "bridge.h"

#include <cute/Jit.h>
#include <cute/Simulator.h>

#include <stdlib.h>

// A compiled module and one function of it.
typedef struct HostModule {
  PyObject_HEAD CuteHostModule *module;
  CuteHostFunction function;
  CuteKernelSet *kernels; // null until they are loaded
} HostModule;

enum { MAX_ARGUMENTS = 4096 };

// Raises a status as bridge.error; true if there is none.
static bool isDone(CuteStatus status) {
  if (!status)
    return true;
  PyObject *list = Py_BuildValue("[(sszii[])]", "error",
                                 cuteStatusGetMessage(status), NULL, 0, 0);
  cuteStatusDestroy(status);
  if (list)
    PyErr_SetObject(bridge.error, list);
  Py_XDECREF(list);
  return false;
}

//===-- Devices -----------------------------------------------------------===//

// Devices stay open until the process ends.
typedef struct OpenDevice {
  struct OpenDevice *next;
  int ordinal;
  CuteDevice *device;
} OpenDevice;

static OpenDevice *devices;

// Called with the interpreter's lock.
static CuteDevice *deviceOf(int ordinal) {
  for (OpenDevice *open = devices; open; open = open->next)
    if (open->ordinal == ordinal)
      return open->device;
  CuteDevice *device;
  if (!isDone(cuteDeviceCreate(ordinal, &device)))
    return NULL;
  OpenDevice *open = malloc(sizeof *open);
  if (!open)
    abort();
  *open = (OpenDevice){devices, ordinal, device};
  devices = open;
  return device;
}

static PyObject *describeDevice(PyObject *module, PyObject *args) {
  (void)module;
  int ordinal;
  if (!PyArg_ParseTuple(args, "i", &ordinal))
    return NULL;
  const CuteDevice *device = deviceOf(ordinal);
  return device ? Py_BuildValue("(si)", cuteDeviceGetName(device),
                                cuteDeviceGetArch(device))
                : NULL;
}

static PyObject *synchronizeDevice(PyObject *module, PyObject *args) {
  (void)module;
  int ordinal;
  if (!PyArg_ParseTuple(args, "i", &ordinal))
    return NULL;
  const CuteDevice *device = deviceOf(ordinal);
  if (!device)
    return NULL;
  CuteStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = cuteDeviceSynchronize(device);
  Py_END_ALLOW_THREADS;
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

// Lets kernels on the simulator access memory of the host.
static PyObject *registerHost(PyObject *module, PyObject *args) {
  (void)module;
  unsigned long long address, bytes;
  if (!PyArg_ParseTuple(args, "KK", &address, &bytes))
    return NULL;
  int (*function)(void *, size_t, unsigned);
  void *found = cuteSimulatorFind("cuMemHostRegister_v2");
  memcpy(&function, &found, sizeof found);
  if (found)
    function((void *)(uintptr_t)address, (size_t)bytes, 0);
  return Py_NewRef(Py_None);
}

//===-- Modules -----------------------------------------------------------===//

// HostModule(module, function, arch, emit, opt level of kernels, options of
// ptxas, line info)
static PyObject *createHostModule(PyTypeObject *type, PyObject *args,
                                  PyObject *kwargs) {
  (void)kwargs;
  PyObject *module;
  const char *name;
  int emit, lineInfo = 0;
  CuteHostOptions options = {.optLevel = 2};
  if (!PyArg_ParseTuple(args, "O!ssiIz|p", bridge.module, &module, &name,
                        &options.kernels.arch, &emit, &options.kernels.optLevel,
                        &options.kernels.ptxas, &lineInfo))
    return NULL;
  options.kernels.lineInfo = lineInfo;
  options.kernels.emit = (CuteEmit)emit;
  options.symbols = cuteHostGetSymbols(&options.numSymbols);
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  HostModule *self = (HostModule *)allocate(type, 0);
  if (!self)
    return NULL;
  MlirModule from = ((BridgeModule *)module)->module;
  Py_BEGIN_ALLOW_THREADS;
  self->module = cuteHostModuleCreate(from, options);
  Py_END_ALLOW_THREADS;
  void *address = self->module ? cuteHostModuleFind(self->module, name) : NULL;
  memcpy(&self->function, &address, sizeof address);
  if (address)
    return (PyObject *)self;
  Py_DECREF(self);
  return bridgeFail(((BridgeModule *)module)->context,
                    "the module has no such function");
}

static void destroyHostModule(PyObject *object) {
  HostModule *self = (HostModule *)object;
  PyTypeObject *type = Py_TYPE(object);
  cuteKernelSetDestroy(self->kernels);
  cuteHostModuleDestroy(self->module);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static PyObject *loadKernels(PyObject *object, PyObject *args) {
  HostModule *self = (HostModule *)object;
  int ordinal;
  if (!PyArg_ParseTuple(args, "i", &ordinal))
    return NULL;
  const char *manifest = cuteHostModuleGetManifest(self->module);
  if (!manifest || self->kernels)
    return Py_NewRef(Py_None);
  const CuteDevice *device = deviceOf(ordinal);
  if (!device)
    return NULL;
  const void *code = cuteHostModuleGetCode(self->module, NULL);
  CuteStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = cuteKernelSetCreate(device, manifest, code, &self->kernels);
  Py_END_ALLOW_THREADS;
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *getCode(PyObject *object, void *closure) {
  size_t size = 0;
  (void)closure;
  const char *code =
      cuteHostModuleGetCode(((HostModule *)object)->module, &size);
  return code ? PyBytes_FromStringAndSize(code, (Py_ssize_t)size)
              : Py_NewRef(Py_None);
}

static PyObject *getManifest(PyObject *object, void *closure) {
  (void)closure;
  const char *text = cuteHostModuleGetManifest(((HostModule *)object)->module);
  return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

//===-- Calls -------------------------------------------------------------===//

// Writes to sys.stdout, so that what Python prints keeps its place.
static void printText(const char *text, size_t length, void *userData) {
  (void)userData;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *out = PySys_GetObject("stdout");
  PyObject *str = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  PyObject *done =
      out && str ? PyObject_CallMethod(out, "write", "O", str) : NULL;
  if (!done)
    PyErr_WriteUnraisable(out);
  Py_XDECREF(done);
  Py_XDECREF(str);
  PyGILState_Release(state);
}

static bool readAddresses(PyObject *list, Py_ssize_t n, void **addresses) {
  for (Py_ssize_t i = 0; i < n; ++i) {
    addresses[i] = PyLong_AsVoidPtr(PyList_GetItem(list, i));
    if (!addresses[i] && PyErr_Occurred())
      return false;
  }
  return true;
}

// call([address of argument, ...])
static PyObject *callFunction(PyObject *object, PyObject *list) {
  HostModule *self = (HostModule *)object;
  void *addresses[MAX_ARGUMENTS];
  Py_ssize_t n = PyList_Size(list);
  if (n < 0)
    return NULL;
  if (n > MAX_ARGUMENTS)
    return PyErr_Format(PyExc_ValueError, "%zd are too many arguments", n);
  if (!readAddresses(list, n, addresses))
    return NULL;
  CuteHostContext context = {.kernels = self->kernels, .print = printText};
  CuteStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = cuteHostCall(self->function, addresses, &context);
  Py_END_ALLOW_THREADS;
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

//===-- The type ----------------------------------------------------------===//

static PyMethodDef methods[] = {
    {"load", loadKernels, METH_VARARGS,
     "load(ordinal): brings its kernels to a device, once."},
    {"call", callFunction, METH_O,
     "call([address, ...]): runs the function with the arguments that lie at "
     "these addresses."},
    {0},
};

static PyGetSetDef fields[] = {
    {"code", getCode, NULL, "The code of the kernels, or None.", NULL},
    {"manifest", getManifest, NULL, "What describes them, or None.", NULL},
    {0},
};

static PyMethodDef functions[] = {
    {"register_host", registerHost, METH_VARARGS,
     "register_host(address, bytes): kernels on the simulator may access this "
     "memory."},
    {"describe_device", describeDevice, METH_VARARGS,
     "describe_device(ordinal): its name, and XX of sm_XX."},
    {"synchronize_device", synchronizeDevice, METH_VARARGS,
     "synchronize_device(ordinal): waits for all that runs there."},
    {0},
};

bool bridgeAddHostModules(PyObject *module) {
  static PyType_Slot slots[] = {{Py_tp_new, (void *)createHostModule},
                                {Py_tp_dealloc, (void *)destroyHostModule},
                                {Py_tp_methods, (void *)methods},
                                {Py_tp_getset, (void *)fields},
                                {0}};
  PyType_Spec spec = {"cute._bridge.HostModule", sizeof(HostModule), 0,
                      Py_TPFLAGS_DEFAULT, slots};
  return bridgeAddType(module, "HostModule", &spec) &&
         PyModule_AddIntConstant(module, "SIMULATED", CUTE_DEVICE_SIMULATED) ==
             0 &&
         PyModule_AddFunctions(module, functions) == 0;
}
