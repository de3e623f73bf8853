// Arrays of torch, read by DLPack's exchange API, which makes no Python
// objects, and made; for its ABI see dlpack.h, version 1.3.
#include "bridge_arrays.h"

enum { MAX_TYPES = 4 };

//===-- Types -------------------------------------------------------------===//

// Types whose tensors certainly have memory, torch's Tensor and Parameter;
// derived types may have none.
static struct {
  PyTypeObject *type;
  const DlExchange *api;
} known[MAX_TYPES];

static bool hasText(PyTypeObject *type, const char *name, const char *text) {
  PyObject *value = PyObject_GetAttrString((PyObject *)type, name);
  bool same = value && PyUnicode_Check(value) &&
              PyUnicode_CompareWithASCIIString(value, text) == 0;
  Py_XDECREF(value);
  PyErr_Clear();
  return same;
}

static const DlExchange *readApi(PyTypeObject *type) {
  bool isPlain = (hasText(type, "__module__", "torch") &&
                  hasText(type, "__name__", "Tensor")) ||
                 hasText(type, "__qualname__", "Parameter");
  PyObject *capsule = isPlain
                          ? PyObject_GetAttrString((PyObject *)type,
                                                   "__dlpack_c_exchange_api__")
                          : NULL;
  const DlExchange *api =
      capsule ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api") : NULL;
  Py_XDECREF(capsule);
  PyErr_Clear();
  return api && api->major == 1 && api->view ? api : NULL;
}

CuteDevicePointer bridgeGetAddress(const DlTensor *tensor) {
  return (CuteDevicePointer)(uintptr_t)tensor->data + tensor->byteOffset;
}

const DlExchange *bridgeGetExchange(PyObject *array) {
  PyTypeObject *type = Py_TYPE(array);
  size_t i = 0;
  for (; i < MAX_TYPES && known[i].type; ++i)
    if (known[i].type == type)
      return known[i].api;
  const DlExchange *api = readApi(type);
  if (api && i < MAX_TYPES) {
    known[i].type = (PyTypeObject *)Py_NewRef((PyObject *)type);
    known[i].api = api;
  }
  return api;
}

//===-- Addresses ---------------------------------------------------------===//

// Reads an array's address: by its API, or as its `data_ptr` says.
static bool bridgeReadAddress(PyObject *array, CuteDevicePointer *address) {
  const DlExchange *api = bridgeGetExchange(array);
  DlTensor t;
  if (api) {
    bool fails = api->view(array, &t);
    if (fails && !PyErr_Occurred())
      PyErr_SetString(PyExc_RuntimeError, "an array has no memory to read");
    *address = fails ? 0 : bridgeGetAddress(&t);
    return !fails;
  }
  PyObject *number = PyObject_CallMethod(array, "data_ptr", NULL);
  if (!number)
    return false;
  *address = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  return !PyErr_Occurred();
}

bool bridgeReadAddresses(PyObject *arrays, CuteDevicePointer *addresses,
                         size_t *count) {
  Py_ssize_t size = PyTuple_Size(arrays);
  *count = 0;
  for (Py_ssize_t i = 0; i < size; ++i) {
    PyObject *array = PyTuple_GetItem(arrays, i);
    if (array == Py_None)
      continue;
    if (*count == BRIDGE_MAX_ARRAYS) {
      PyErr_Format(PyExc_ValueError, "at most %d arrays", BRIDGE_MAX_ARRAYS);
      return false;
    }
    if (!bridgeReadAddress(array, &addresses[(*count)++]))
      return false;
  }
  return true;
}

//===-- New arrays --------------------------------------------------------===//

// Makes an array by (function, its arguments, another function): by the second
// where the first makes it elsewhere than on the device.
static PyObject *makeOne(PyObject *maker, int ordinal,
                         CuteDevicePointer *address) {
  PyObject *fast, *arguments, *other;
  DlTensor t;
  if (!PyTuple_Check(maker))
    return PyErr_Format(PyExc_TypeError, "expected a maker of arrays");
  if (!PyArg_ParseTuple(maker, "OO!O", &fast, &PyTuple_Type, &arguments,
                        &other))
    return NULL;
  PyObject *made = PyObject_CallObject(fast, arguments);
  const DlExchange *api = made ? bridgeGetExchange(made) : NULL;
  if (api && !api->view(made, &t) && t.deviceId == ordinal) {
    *address = bridgeGetAddress(&t);
    return made;
  }
  Py_XDECREF(made);
  PyErr_Clear();
  made = PyObject_CallNoArgs(other);
  if (made && !bridgeReadAddress(made, address))
    Py_CLEAR(made);
  return made;
}

// Makes arrays by a tuple of such: one array, or a tuple.
static PyObject *makeEach(PyObject *makers, int ordinal, size_t *count,
                          CuteDevicePointer *addresses) {
  Py_ssize_t n = PyTuple_Size(makers);
  if (n > BRIDGE_MAX_ARRAYS)
    return PyErr_Format(PyExc_ValueError, "at most %d arrays",
                        BRIDGE_MAX_ARRAYS);
  *count = (size_t)n;
  if (n == 1)
    return makeOne(PyTuple_GetItem(makers, 0), ordinal, addresses);
  PyObject *all = PyTuple_New(n);
  for (Py_ssize_t i = 0; all && i < n; ++i) {
    PyObject *made =
        makeOne(PyTuple_GetItem(makers, i), ordinal, &addresses[i]);
    if (!made)
      Py_CLEAR(all);
    else
      PyTuple_SetItem(all, i, made);
  }
  return all;
}

PyObject *bridgeMakeArrays(PyObject *make, int ordinal, size_t *count,
                           CuteDevicePointer *addresses) {
  if (PyTuple_Check(make))
    return makeEach(make, ordinal, count, addresses);
  PyObject *made = PyObject_CallNoArgs(make);
  PyObject *all =
      !made || PyTuple_Check(made) ? Py_XNewRef(made) : PyTuple_Pack(1, made);
  if (!all || !bridgeReadAddresses(all, addresses, count))
    Py_CLEAR(made);
  Py_XDECREF(all);
  return made;
}
