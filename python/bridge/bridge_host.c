// Host functions that were compiled in memory or exported, and the kernels that
// they launch.
#define _GNU_SOURCE // dladdr
#include "bridge.h"

#include <cute/Jit.h>
#include <cute/Simulator.h>

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

// A compiled module and one function of it.
typedef struct HostModule {
  PyObject_HEAD CuteHostModule *module; // null: a library has it
  const CuteExportedModule *table;
  CuteHostFunction function;
  CuteKernelSet *kernels; // null until they are loaded
  bool isSimulated;
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
  enum { CU_MEMHOSTREGISTER_READ_ONLY = 8 };
  unsigned long long address, bytes;
  int isReadOnly = 0;
  if (!PyArg_ParseTuple(args, "KK|p", &address, &bytes, &isReadOnly))
    return NULL;
  int (*function)(void *, size_t, unsigned);
  void *found = cuteSimulatorFind("cuMemHostRegister_v2");
  memcpy(&function, &found, sizeof found);
  if (found)
    function((void *)(uintptr_t)address, (size_t)bytes,
             isReadOnly ? CU_MEMHOSTREGISTER_READ_ONLY : 0);
  return Py_NewRef(Py_None);
}

//===-- Modules -----------------------------------------------------------===//

static HostModule *allocateHostModule(PyTypeObject *type) {
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  return (HostModule *)allocate(type, 0);
}

// HostModule(module, function, arch, emit, opt level of kernels, options of
// ptxas, line info)
static PyObject *createHostModule(PyTypeObject *type, PyObject *args,
                                  PyObject *kwargs) {
  (void)kwargs;
  PyObject *module;
  const char *name;
  int emit, lineInfo = 0;
  CuteCompileOptions kernels = {.size = sizeof kernels};
  CuteHostOptions options = {
      .size = sizeof options, .kernels = &kernels, .optLevel = 2};
  if (!PyArg_ParseTuple(args, "O!ssiIz|p", bridge.module, &module, &name,
                        &kernels.arch, &emit, &kernels.optLevel, &kernels.ptxas,
                        &lineInfo))
    return NULL;
  kernels.lineInfo = lineInfo;
  kernels.emit = (CuteEmit)emit;
  options.symbols = cuteHostGetSymbols(&options.numSymbols);
  HostModule *self = allocateHostModule(type);
  if (!self)
    return NULL;
  MlirModule from = ((BridgeModule *)module)->module;
  Py_BEGIN_ALLOW_THREADS;
  self->module = cuteHostModuleCreate(from, &options);
  Py_END_ALLOW_THREADS;
  void *address = self->module ? cuteHostModuleFind(self->module, name) : NULL;
  self->table = self->module ? cuteHostModuleGetExported(self->module) : NULL;
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

// from_object(bytes, prefix)
static PyObject *loadObject(PyObject *type, PyObject *args) {
  const char *object, *prefix;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "y#s", &object, &size, &prefix))
    return NULL;
  HostModule *self = allocateHostModule((PyTypeObject *)type);
  if (!self)
    return NULL;
  CuteHostOptions options = {.size = sizeof options, .seesProcess = true};
  options.symbols = cuteHostGetSymbols(&options.numSymbols);
  CuteStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = cuteHostModuleCreateFromObject(object, (size_t)size, prefix,
                                          &options, &self->module);
  Py_END_ALLOW_THREADS;
  if (isDone(status)) {
    self->table = cuteHostModuleGetExported(self->module);
    self->function = self->table->functions[0];
    return (PyObject *)self;
  }
  Py_DECREF(self);
  return NULL;
}

// Lets libraries that are opened from now on find libcute-run.
static void showRuntime(void) {
  Dl_info info;
  CuteStatus (*function)(CuteHostFunction, void **, const CuteHostContext *) =
      cuteHostCall;
  void *address;
  memcpy(&address, &function, sizeof address);
  if (dladdr(address, &info))
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

// The table of a library, which stays open; null with an exception.
static const CuteExportedModule *openTable(const char *path,
                                           const char *symbol) {
  showRuntime();
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  const CuteExportedModule *table = library ? dlsym(library, symbol) : NULL;
  if (!table)
    PyErr_SetString(PyExc_OSError, dlerror());
  else if (table->version != CUTE_EXPORT_VERSION)
    PyErr_Format(PyExc_OSError, "%s has version %d; this package loads %d",
                 path, (int)table->version, CUTE_EXPORT_VERSION);
  else
    return table;
  return NULL;
}

// from_library(path, name of the table)
static PyObject *loadLibrary(PyObject *type, PyObject *args) {
  const char *path, *symbol;
  if (!PyArg_ParseTuple(args, "ss", &path, &symbol))
    return NULL;
  const CuteExportedModule *table = openTable(path, symbol);
  HostModule *self = table ? allocateHostModule((PyTypeObject *)type) : NULL;
  if (self) {
    self->table = table;
    self->function = table->functions[0];
  }
  return (PyObject *)self;
}

// load(number of a device[, a cubin in place of the module's code])
static PyObject *loadKernels(PyObject *object, PyObject *args) {
  HostModule *self = (HostModule *)object;
  int ordinal;
  const char *code = NULL;
  Py_ssize_t size = 0;
  if (!PyArg_ParseTuple(args, "i|y#", &ordinal, &code, &size))
    return NULL;
  if (!self->table->manifest || self->kernels)
    return Py_NewRef(Py_None);
  const CuteDevice *device = deviceOf(ordinal);
  if (!device)
    return NULL;
  self->isSimulated = ordinal == CUTE_DEVICE_SIMULATED;
  CuteStatus status;
  Py_BEGIN_ALLOW_THREADS;
  status = code ? cuteKernelSetCreate(device, self->table->manifest, code,
                                      &self->kernels)
                : cuteExportedModuleLoad(self->table, device, &self->kernels);
  Py_END_ALLOW_THREADS;
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

static PyObject *getCode(PyObject *object, void *closure) {
  (void)closure;
  const CuteExportedModule *table = ((HostModule *)object)->table;
  return table->code ? PyBytes_FromStringAndSize(table->code,
                                                 (Py_ssize_t)table->codeSize)
                     : Py_NewRef(Py_None);
}

static PyObject *getNote(PyObject *object, void *closure) {
  (void)closure;
  const char *text = ((HostModule *)object)->table->note;
  return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None);
}

static PyObject *getManifest(PyObject *object, void *closure) {
  (void)closure;
  const char *text = ((HostModule *)object)->table->manifest;
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
    PyObject *item = PyList_GetItem(list, i);
    addresses[i] =
        PyBytes_Check(item) ? PyBytes_AsString(item) : PyLong_AsVoidPtr(item);
    if (!addresses[i] && PyErr_Occurred())
      return false;
  }
  return true;
}

// Python's handler of SIGINT, which notes the signal, while ours is in its
// place.
static struct sigaction noted;

static void interrupt(int number) {
  cuteSimulatorInterrupt();
  noted.sa_handler(number);
}

// Lets Ctrl-C end what is simulated, if it comes to this thread, which is the
// main one, and Python has a handler for it. True if it does.
static bool beginInterruptible(void) {
  struct sigaction ours;
  if (gettid() != getpid() || sigaction(SIGINT, NULL, &ours) ||
      ours.sa_flags & SA_SIGINFO || ours.sa_handler == SIG_DFL ||
      ours.sa_handler == SIG_IGN || ours.sa_handler == interrupt)
    return false;
  noted = ours;
  ours.sa_handler = interrupt;
  return !sigaction(SIGINT, &ours, NULL);
}

// Calls the function, which Ctrl-C ends; what is raised then is the caller's to
// ask.
static CuteStatus callSimulated(HostModule *self, void **addresses,
                                CuteHostContext *context) {
  CuteStatus status;
  bool isInterruptible = beginInterruptible();
  Py_BEGIN_ALLOW_THREADS;
  status = cuteHostCall(self->function, addresses, context);
  Py_END_ALLOW_THREADS;
  if (isInterruptible)
    sigaction(SIGINT, &noted, NULL);
  return status;
}

// call([address of argument, or bytes that are it, ...])
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
  if (self->isSimulated) {
    status = callSimulated(self, addresses, &context);
  } else {
    Py_BEGIN_ALLOW_THREADS;
    status = cuteHostCall(self->function, addresses, &context);
    Py_END_ALLOW_THREADS;
  }
  if (PyErr_CheckSignals() < 0) {
    cuteStatusDestroy(status);
    return NULL;
  }
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

//===-- The type ----------------------------------------------------------===//

static PyMethodDef methods[] = {
    {"from_object", loadObject, METH_VARARGS | METH_CLASS,
     "from_object(bytes, prefix): what Module.export wrote."},
    {"from_library", loadLibrary, METH_VARARGS | METH_CLASS,
     "from_library(path, PREFIX_module): the same, linked to a shared "
     "library."},
    {"load", loadKernels, METH_VARARGS,
     "load(ordinal): brings its kernels to a device, once."},
    {"call", callFunction, METH_O,
     "call([address, ...]): runs the function with the arguments that lie at "
     "these addresses; bytes stand for the address of what they hold."},
    {0},
};

static PyGetSetDef fields[] = {
    {"code", getCode, NULL, "The code of the kernels, or None.", NULL},
    {"note", getNote, NULL, "What was given to Module.export, or None.", NULL},
    {"manifest", getManifest, NULL, "What describes them, or None.", NULL},
    {0},
};

static PyMethodDef functions[] = {
    {"register_host", registerHost, METH_VARARGS,
     "register_host(address, bytes, is read-only = False): kernels on the "
     "simulator may access this memory."},
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
