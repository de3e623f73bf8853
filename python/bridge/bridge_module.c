// The module cute._bridge: its types and its exception.
#include "bridge.h"

#include <cute/Version.h>

#include <stdlib.h>

BridgeTypes bridge;

PyTypeObject *bridgeAddType(PyObject *module, const char *name,
                            PyType_Spec *spec) {
  PyObject *type = PyType_FromSpec(spec);
  if (type && PyModule_AddObjectRef(module, name, type) < 0)
    Py_CLEAR(type);
  Py_XDECREF(type);
  return (PyTypeObject *)type;
}

//===-- Text --------------------------------------------------------------===//

void bridgeAppend(MlirStringRef piece, void *userData) {
  BridgeText *text = userData;
  char *data = realloc(text->data, text->length + piece.length + 1);
  if (!data)
    abort();
  memcpy(data + text->length, piece.data, piece.length);
  text->data = data;
  text->length += piece.length;
}

PyObject *bridgeTakeStr(BridgeText *text) {
  PyObject *str = PyUnicode_DecodeUTF8(text->data ? text->data : "",
                                       (Py_ssize_t)text->length, "replace");
  free(text->data);
  *text = (BridgeText){0};
  return str;
}

PyObject *bridgeTakeBytes(BridgeText *text) {
  PyObject *bytes =
      PyBytes_FromStringAndSize(text->data, (Py_ssize_t)text->length);
  free(text->data);
  *text = (BridgeText){0};
  return bytes;
}

bool bridgeGetText(PyObject *str, MlirStringRef *text) {
  Py_ssize_t length;
  const char *data = PyUnicode_AsUTF8AndSize(str, &length);
  *text = (MlirStringRef){data, (size_t)length};
  return data;
}

//===-- The module --------------------------------------------------------===//

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "cute._bridge",
    .m_doc = "MLIR and libcute by handles. A context and all that is in it "
             "belong to one thread at a time.",
    .m_size = -1,
};

static bool addError(PyObject *module) {
  bridge.error = PyErr_NewExceptionWithDoc(
      "cute._bridge.Error",
      "Errors of the compiler: a list of (severity, message, file, line, "
      "column, notes).",
      NULL, NULL);
  return bridge.error &&
         PyModule_AddObjectRef(module, "Error", bridge.error) == 0;
}

PyMODINIT_FUNC PyInit__bridge(void);

PyMODINIT_FUNC PyInit__bridge(void) {
  PyObject *module = PyModule_Create(&definition);
  if (!module)
    return NULL;
  if (addError(module) && bridgeAddContext(module) &&
      bridgeAddHandles(module) && bridgeAddOperations(module) &&
      bridgeAddModules(module) && bridgeAddRuntime(module) &&
      bridgeAddHostModules(module) && bridgeAddCalculator(module) &&
      bridgeAddCache(module) && bridgeAddCalls(module) &&
      PyModule_AddStringConstant(module, "version", cuteVersion()) == 0)
    return module;
  Py_DECREF(module);
  return NULL;
}
