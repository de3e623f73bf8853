// Results of compiling, on disk.
#include "bridge.h"

#include <cute/Cache.h>

enum { MAX_MIB = 512 };

static void append(CuteStringRef piece, void *text) {
  bridgeAppend(mlirStringRefCreate(piece.data, piece.length), text);
}

static void take(CuteStringRef value, void *bytes) {
  *(PyObject **)bytes =
      PyBytes_FromStringAndSize(value.data, (Py_ssize_t)value.length);
}

static CuteCache *openCache(const char *folder) {
  return cuteCacheCreate(folder, (uint64_t)MAX_MIB << 20);
}

// cache_find(folder, key)
static PyObject *find(PyObject *module, PyObject *args) {
  (void)module;
  const char *folder, *key;
  Py_ssize_t size;
  if (!PyArg_ParseTuple(args, "sy#", &folder, &key, &size))
    return NULL;
  PyObject *bytes = NULL;
  CuteCache *cache = openCache(folder);
  cuteCacheFind(cache, (CuteStringRef){key, (size_t)size}, take, &bytes);
  cuteCacheDestroy(cache);
  return bytes || PyErr_Occurred() ? bytes : Py_NewRef(Py_None);
}

// cache_keep(folder, key, value)
static PyObject *keep(PyObject *module, PyObject *args) {
  (void)module;
  const char *folder, *key, *value;
  Py_ssize_t size, valueSize;
  if (!PyArg_ParseTuple(args, "sy#y#", &folder, &key, &size, &value,
                        &valueSize))
    return NULL;
  CuteCache *cache = openCache(folder);
  bool done = cuteCacheKeep(cache, (CuteStringRef){key, (size_t)size},
                            (CuteStringRef){value, (size_t)valueSize});
  cuteCacheDestroy(cache);
  return PyBool_FromLong(done);
}

// describe_library()
static PyObject *describeLibrary(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  BridgeText text = {0};
  cuteCacheDescribeLibrary(append, &text);
  return bridgeTakeBytes(&text);
}

bool bridgeAddCache(PyObject *module) {
  static PyMethodDef methods[] = {
      {"cache_find", find, METH_VARARGS,
       "cache_find(folder, key): the bytes that were kept, or None."},
      {"cache_keep", keep, METH_VARARGS,
       "cache_keep(folder, key, value): False where that is impossible."},
      {"describe_library", describeLibrary, METH_NOARGS,
       "describe_library(): what tells this build from others."},
      {0},
  };
  return PyModule_AddFunctions(module, methods) == 0;
}
