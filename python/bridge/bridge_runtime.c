// Devices, and kernels that a manifest describes, by libcute-run.
#include "bridge.h"

#include <cute/Run.h>
#include <stdlib.h>
#include <string.h>

typedef struct BridgeDevice {
  PyObject_HEAD CuteDevice *device;
} BridgeDevice;

typedef struct BridgeKernel {
  PyObject_HEAD PyObject *device; // which outlives the kernel
  CuteLoadedKernel *kernel;
} BridgeKernel;

typedef struct BridgeLaunch {
  PyObject_HEAD PyObject *kernel; // which outlives the launch
  CuteBoundLaunch *launch;
} BridgeLaunch;

static PyTypeObject *deviceType, *launchType;
enum { MAX_ARGUMENTS = 32 };

// Raises a status as bridge.error; true if there is none.
static bool isDone(CuteStatus status) {
  if (!status)
    return true;
  PyErr_SetString(bridge.error, cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return false;
}

static void destroyObject(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject *allocate(PyTypeObject *type) {
  return ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

//===-- Devices -----------------------------------------------------------===//

static PyObject *createDevice(PyTypeObject *type, PyObject *args,
                              PyObject *kwargs) {
  (void)kwargs;
  int ordinal = 0;
  if (!PyArg_ParseTuple(args, "|i", &ordinal))
    return NULL;
  PyObject *self = allocate(type);
  if (self &&
      isDone(cuteDeviceCreate(ordinal, &((BridgeDevice *)self)->device)))
    return self;
  Py_XDECREF(self);
  return NULL;
}

static void destroyDevice(PyObject *self) {
  cuteDeviceDestroy(((BridgeDevice *)self)->device);
  destroyObject(self);
}

static PyObject *getDeviceName(PyObject *self, void *closure) {
  (void)closure;
  return PyUnicode_FromString(
      cuteDeviceGetName(((BridgeDevice *)self)->device));
}

static PyObject *getDeviceArch(PyObject *self, void *closure) {
  (void)closure;
  return PyLong_FromLong(cuteDeviceGetArch(((BridgeDevice *)self)->device));
}

static PyObject *getDeviceMultiprocessors(PyObject *self, void *closure) {
  (void)closure;
  return PyLong_FromLong(
      cuteDeviceGetMultiprocessors(((BridgeDevice *)self)->device));
}

//===-- Kernels -----------------------------------------------------------===//

// Kernel(device, manifest, code, name or None)
static PyObject *createKernel(PyTypeObject *type, PyObject *args,
                              PyObject *kwargs) {
  (void)kwargs;
  PyObject *device, *code;
  const char *manifest, *name;
  if (!PyArg_ParseTuple(args, "O!sO!z", deviceType, &device, &manifest,
                        &PyBytes_Type, &code, &name))
    return NULL;
  BridgeKernel *self = (BridgeKernel *)allocate(type);
  if (!self)
    return NULL;
  self->device = Py_NewRef(device);
  if (isDone(cuteLoadedKernelCreateFromMemory(((BridgeDevice *)device)->device,
                                              manifest, PyBytes_AsString(code),
                                              name, &self->kernel)))
    return (PyObject *)self;
  Py_DECREF(self);
  return NULL;
}

static void destroyKernel(PyObject *object) {
  BridgeKernel *self = (BridgeKernel *)object;
  cuteLoadedKernelDestroy(self->kernel);
  Py_XDECREF(self->device);
  destroyObject(object);
}

// The integers of a tuple, at most as many as there is room for, into `to`.
static bool readIntegers(PyObject *tuple, int64_t *to, size_t room,
                         size_t *count) {
  Py_ssize_t n = PyTuple_Size(tuple);
  if (n < 0)
    return false;
  if ((size_t)n > room) {
    PyErr_Format(PyExc_ValueError, "at most %zu modes or numbers, not %zd",
                 room, n);
    return false;
  }
  for (Py_ssize_t i = 0; i < n; ++i) {
    to[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (to[i] == -1 && PyErr_Occurred())
      return false;
  }
  *count = (size_t)n;
  return true;
}

// (address, element, extents, strides)
static bool readTensor(PyObject *tuple, CuteArgument *argument) {
  unsigned long long address;
  const char *element;
  PyObject *extents, *strides;
  size_t numStrides;
  if (!PyArg_ParseTuple(tuple, "KsO!O!", &address, &element, &PyTuple_Type,
                        &extents, &PyTuple_Type, &strides))
    return false;
  argument->isTensor = true;
  argument->address = address;
  if (!cuteElementTypeFind((CuteStringRef){element, strlen(element)},
                           &argument->element)) {
    PyErr_Format(PyExc_ValueError, "'%s' is not an element type", element);
    return false;
  }
  if (!readIntegers(extents, argument->extents, CUTE_MAX_ARGUMENT_RANK,
                    &argument->rank) ||
      !readIntegers(strides, argument->strides, CUTE_MAX_ARGUMENT_RANK,
                    &numStrides))
    return false;
  if (numStrides == argument->rank)
    return true;
  PyErr_Format(PyExc_ValueError, "%zu extents and %zu strides", argument->rank,
               numStrides);
  return false;
}

static bool readNumber(PyObject *object, CuteArgument *argument) {
  CuteNumber *number = &argument->numbers[0];
  argument->numNumbers = 1;
  number->isInteger = PyLong_Check(object);
  if (number->isInteger) {
    number->integer = PyLong_AsLongLong(object);
    number->real = (double)number->integer;
  } else {
    number->real = PyFloat_AsDouble(object);
  }
  return !PyErr_Occurred();
}

// The arguments that a kernel is started with.
typedef struct Arguments {
  size_t count;
  CuteArgument values[MAX_ARGUMENTS];
  bool hasGrid;
  int64_t grid[3];
} Arguments;

static bool readArguments(PyObject *tuple, PyObject *grid,
                          Arguments *arguments) {
  Py_ssize_t count = PyTuple_Size(tuple);
  *arguments = (Arguments){
      .count = (size_t)count, .hasGrid = grid != Py_None, .grid = {1, 1, 1}};
  if (count > MAX_ARGUMENTS) {
    PyErr_Format(PyExc_ValueError, "at most %d arguments, not %zd",
                 MAX_ARGUMENTS, count);
    return false;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *item = PyTuple_GetItem(tuple, i);
    CuteArgument *value = &arguments->values[i];
    if (!(PyTuple_Check(item) ? readTensor(item, value)
                              : readNumber(item, value)))
      return false;
  }
  size_t rank;
  return !arguments->hasGrid || readIntegers(grid, arguments->grid, 3, &rank);
}

// launch(stream, arguments, grid or None)
static PyObject *launch(PyObject *self, PyObject *args) {
  Arguments arguments;
  unsigned long long stream;
  PyObject *tuple, *grid;
  if (!PyArg_ParseTuple(args, "KO!O", &stream, &PyTuple_Type, &tuple, &grid) ||
      !readArguments(tuple, grid, &arguments))
    return NULL;
  CuteStatus status = cuteLoadedKernelLaunch(
      ((BridgeKernel *)self)->kernel, (CuteCudaStream)(uintptr_t)stream,
      arguments.count, arguments.values,
      arguments.hasGrid ? arguments.grid : NULL);
  return isDone(status) ? Py_NewRef(Py_None) : NULL;
}

//===-- Bound launches ----------------------------------------------------===//

// bind(arguments, grid or None)
static PyObject *bind(PyObject *self, PyObject *args) {
  Arguments arguments;
  PyObject *tuple, *grid;
  if (!PyArg_ParseTuple(args, "O!O", &PyTuple_Type, &tuple, &grid) ||
      !readArguments(tuple, grid, &arguments))
    return NULL;
  BridgeLaunch *bound = (BridgeLaunch *)allocate(launchType);
  if (!bound)
    return NULL;
  bound->kernel = Py_NewRef(self);
  if (isDone(cuteBoundLaunchCreate(
          ((BridgeKernel *)self)->kernel, arguments.count, arguments.values,
          arguments.hasGrid ? arguments.grid : NULL, &bound->launch)))
    return (PyObject *)bound;
  Py_DECREF(bound);
  return NULL;
}

static void destroyLaunch(PyObject *object) {
  BridgeLaunch *self = (BridgeLaunch *)object;
  cuteBoundLaunchDestroy(self->launch);
  Py_XDECREF(self->kernel);
  destroyObject(object);
}

bool bridgeStart(PyObject *launch, uint64_t stream, size_t count,
                 const CuteDevicePointer *addresses) {
  if (Py_TYPE(launch) != launchType) {
    PyErr_SetString(PyExc_TypeError, "expected a launch");
    return false;
  }
  return isDone(cuteBoundLaunchStart(((BridgeLaunch *)launch)->launch,
                                     (CuteCudaStream)(uintptr_t)stream, count,
                                     addresses));
}

static PyGetSetDef deviceFields[] = {
    {"name", getDeviceName, NULL, "What the driver calls it.", NULL},
    {"arch", getDeviceArch, NULL, "XX of its architecture sm_XX.", NULL},
    {"multiprocessors", getDeviceMultiprocessors, NULL, "How many it has.",
     NULL},
    {0},
};

static PyMethodDef kernelMethods[] = {
    {"launch", launch, METH_VARARGS,
     "launch(stream, arguments, grid or None): starts the kernel. A tensor is "
     "(address, element type, extents, strides), other arguments are numbers."},
    {"bind", bind, METH_VARARGS,
     "bind(arguments, grid or None): a launch with these, to be started with "
     "tensors at any addresses."},
    {0},
};

bool bridgeAddRuntime(PyObject *module) {
  static PyType_Slot device[] = {{Py_tp_new, (void *)createDevice},
                                 {Py_tp_dealloc, (void *)destroyDevice},
                                 {Py_tp_getset, (void *)deviceFields},
                                 {0}};
  static PyType_Slot kernel[] = {{Py_tp_new, (void *)createKernel},
                                 {Py_tp_dealloc, (void *)destroyKernel},
                                 {Py_tp_methods, (void *)kernelMethods},
                                 {0}};
  static PyType_Slot bound[] = {{Py_tp_dealloc, (void *)destroyLaunch}, {0}};
  PyType_Spec devices = {"cute._bridge.Device", sizeof(BridgeDevice), 0,
                         Py_TPFLAGS_DEFAULT, device},
              kernels = {"cute._bridge.Kernel", sizeof(BridgeKernel), 0,
                         Py_TPFLAGS_DEFAULT, kernel},
              launches = {"cute._bridge.Launch", sizeof(BridgeLaunch), 0,
                          Py_TPFLAGS_DEFAULT |
                              Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          bound};
  deviceType = bridgeAddType(module, "Device", &devices);
  launchType = bridgeAddType(module, "Launch", &launches);
  return deviceType && launchType && bridgeAddType(module, "Kernel", &kernels);
}
