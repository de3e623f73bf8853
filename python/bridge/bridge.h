// The Python extension module cute._bridge: MLIR and libcute by handles.
#pragma once

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <cute/Diagnostics.h>
#include <cute/MlirContext.h>
#include <cute/Run.h>

// An MLIR context; it belongs to one thread at a time.
typedef struct BridgeContext {
  PyObject_HEAD MlirContext mlir;
  CuteContext algebra;                  // of types that are asked what they are
  struct BridgeDiagnostic *diagnostics; // the latest first
} BridgeContext;

// A module. Values and operations in it keep it.
typedef struct BridgeModule {
  PyObject_HEAD BridgeContext *context;
  MlirModule module, scratch;
} BridgeModule;

// A type, attribute, location, value, operation or block: all are one pointer.
// Its owner is a context, or the module that it is in.
typedef struct BridgeHandle {
  PyObject_HEAD PyObject *owner;
  void *pointer;
} BridgeHandle;

typedef struct BridgeTypes {
  PyTypeObject *context, *module, *type, *attribute, *location, *value,
      *operation, *block;
  PyObject *error;
} BridgeTypes;

extern BridgeTypes bridge;

// Adds the types to the module, false with an exception.
bool bridgeAddContext(PyObject *module);
bool bridgeAddHandles(PyObject *module);
bool bridgeAddOperations(PyObject *module);
bool bridgeAddModules(PyObject *module);
bool bridgeAddRuntime(PyObject *module);
bool bridgeAddHostModules(PyObject *module);
bool bridgeAddCalculator(PyObject *module);
bool bridgeAddCache(PyObject *module);
bool bridgeAddCalls(PyObject *module);

// The type of a spec as `name` of the module, borrowed; null with an exception.
PyTypeObject *bridgeAddType(PyObject *module, const char *name,
                            PyType_Spec *spec);

// Starts a Launch with tensors at other addresses; false with an exception.
bool bridgeStart(PyObject *launch, uint64_t stream, size_t count,
                 const CuteDevicePointer *addresses);

// A new handle; null with an exception, also for a null pointer after which
// something was reported.
PyObject *bridgeWrap(PyTypeObject *type, PyObject *owner, const void *pointer);

// The pointer of a handle of this type; null with a TypeError.
void *bridgeUnwrap(PyTypeObject *type, PyObject *object);

// The context of an owner or handle.
BridgeContext *bridgeContextOf(PyObject *owner);

// Raises the errors that were reported, or one of this text, as bridge.error
// with a list of (severity, message, file, line, column, notes).
PyObject *bridgeFail(BridgeContext *context, const char *text);

// Drops what was reported.
void bridgeClearDiagnostics(BridgeContext *context);

// Text that callbacks append to.
typedef struct BridgeText {
  char *data;
  size_t length;
} BridgeText;

void bridgeAppend(MlirStringRef piece, void *text);

// A str, or bytes, of the text, which is freed.
PyObject *bridgeTakeStr(BridgeText *text);
PyObject *bridgeTakeBytes(BridgeText *text);

// The UTF-8 of a str; false with an exception. It lives as long as the str.
bool bridgeGetText(PyObject *str, MlirStringRef *text);

// The pointers of a sequence of handles of this type, to be freed; false with
// an exception. None is no pointers.
bool bridgeGetPointers(PyTypeObject *type, PyObject *sequence, void ***pointers,
                       intptr_t *count);

// The pairs of a dict from names to attributes, or None, to be freed.
bool bridgeGetAttributes(MlirContext context, PyObject *dict,
                         MlirNamedAttribute **attributes, intptr_t *count);
