// Contexts: what is made in them, and what the compiler reports.
#include "bridge.h"

#include <cute/Operation.h>

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

#include <stdlib.h>

//===-- Diagnostics -------------------------------------------------------===//

typedef struct BridgeDiagnostic {
  struct BridgeDiagnostic *next;
  CuteSeverity severity;
  char *message, *file;
  int line, column;
  struct BridgeDiagnostic *notes;
} BridgeDiagnostic;

static void destroyDiagnostics(BridgeDiagnostic *list) {
  while (list) {
    BridgeDiagnostic *next = list->next;
    destroyDiagnostics(list->notes);
    free(list->message);
    free(list->file);
    free(list);
    list = next;
  }
}

void bridgeClearDiagnostics(BridgeContext *context) {
  destroyDiagnostics(context->diagnostics);
  context->diagnostics = NULL;
}

static char *copyText(MlirStringRef text) {
  char *copy = malloc(text.length + 1);
  if (!copy)
    abort();
  memcpy(copy, text.data, text.length);
  copy[text.length] = '\0';
  return copy;
}

// The place in a file that a location comes down to.
static MlirLocation placeOf(MlirLocation location) {
  for (;;) {
    if (mlirLocationIsAName(location))
      location = mlirLocationNameGetChildLoc(location);
    else if (mlirLocationIsACallSite(location))
      location = mlirLocationCallSiteGetCallee(location);
    else
      return location;
  }
}

static BridgeDiagnostic *copyDiagnostic(const CuteDiagnostic *from) {
  BridgeDiagnostic *copy = calloc(1, sizeof *copy);
  if (!copy)
    abort();
  copy->severity = from->severity;
  copy->message = copyText(from->message);
  MlirLocation place = placeOf(from->location);
  if (mlirLocationIsAFileLineColRange(place)) {
    copy->file = copyText(
        mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(place)));
    copy->line = mlirLocationFileLineColRangeGetStartLine(place);
    copy->column = mlirLocationFileLineColRangeGetStartColumn(place);
  }
  return copy;
}

// Runs without the interpreter's lock.
static void take(const CuteDiagnostic *diagnostic, size_t numNotes,
                 const CuteDiagnostic *notes, void *userData) {
  BridgeContext *context = userData;
  BridgeDiagnostic *copy = copyDiagnostic(diagnostic);
  for (size_t i = numNotes; i--;) {
    BridgeDiagnostic *note = copyDiagnostic(&notes[i]);
    note->next = copy->notes;
    copy->notes = note;
  }
  copy->next = context->diagnostics;
  context->diagnostics = copy;
}

// A list of tuples, the earliest first if `reverse`.
static PyObject *listDiagnostics(const BridgeDiagnostic *first, bool reverse) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  PyObject *list = PyList_New(0);
  for (const BridgeDiagnostic *d = first; list && d; d = d->next) {
    PyObject *notes = listDiagnostics(d->notes, false);
    PyObject *tuple =
        notes ? Py_BuildValue("(sssiiN)", names[d->severity], d->message,
                              d->file, d->line, d->column, notes)
              : NULL;
    if (!tuple || PyList_Append(list, tuple) < 0)
      Py_CLEAR(list);
    Py_XDECREF(tuple);
  }
  if (list && reverse && PyList_Reverse(list) < 0)
    Py_CLEAR(list);
  return list;
}

PyObject *bridgeFail(BridgeContext *context, const char *text) {
  PyObject *list =
      context->diagnostics
          ? listDiagnostics(context->diagnostics, true)
          : Py_BuildValue("[(sszii[])]", "error", text, NULL, 0, 0);
  bridgeClearDiagnostics(context);
  if (list)
    PyErr_SetObject(bridge.error, list);
  Py_XDECREF(list);
  return NULL;
}

static PyObject *takeDiagnostics(PyObject *self, PyObject *unused) {
  (void)unused;
  BridgeContext *context = (BridgeContext *)self;
  PyObject *list = listDiagnostics(context->diagnostics, true);
  bridgeClearDiagnostics(context);
  return list;
}

//===-- Life --------------------------------------------------------------===//

static PyObject *createContext(PyTypeObject *type, PyObject *args,
                               PyObject *kwargs) {
  (void)kwargs;
  if (!PyArg_ParseTuple(args, ""))
    return NULL;
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  BridgeContext *self = (BridgeContext *)allocate(type, 0);
  if (!self)
    return NULL;
  self->mlir = cuteMlirContextCreate();
  if (mlirContextIsNull(self->mlir)) {
    Py_DECREF(self);
    PyErr_SetString(PyExc_RuntimeError, "the dialect could not be loaded");
    return NULL;
  }
  self->algebra = cuteContextCreate();
  mlirContextEnableMultithreading(self->mlir, false);
  mlirContextLoadAllAvailableDialects(self->mlir);
  cuteDiagnosticHandlerAttach(self->mlir, take, self);
  cuteDialectSetLawPolicy(self->mlir, CUTE_LAWS_WARN);
  return (PyObject *)self;
}

static void destroyContext(PyObject *object) {
  BridgeContext *self = (BridgeContext *)object;
  PyTypeObject *type = Py_TYPE(object);
  cuteMlirContextDestroy(self->mlir);
  if (self->algebra)
    cuteContextDestroy(self->algebra);
  bridgeClearDiagnostics(self);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

//===-- Types, attributes, locations --------------------------------------===//

static MlirContext mlirOf(PyObject *self) {
  return ((BridgeContext *)self)->mlir;
}

static PyObject *parseType(PyObject *self, PyObject *argument) {
  MlirStringRef text;
  if (!bridgeGetText(argument, &text))
    return NULL;
  MlirType type = cuteTypeParseMlir(mlirLocationUnknownGet(mlirOf(self)), text);
  return bridgeWrap(bridge.type, self, type.ptr);
}

static PyObject *parseAttribute(PyObject *self, PyObject *argument) {
  MlirStringRef text;
  if (!bridgeGetText(argument, &text))
    return NULL;
  return bridgeWrap(bridge.attribute, self,
                    mlirAttributeParseGet(mlirOf(self), text).ptr);
}

static PyObject *makeString(PyObject *self, PyObject *argument) {
  MlirStringRef text;
  if (!bridgeGetText(argument, &text))
    return NULL;
  return bridgeWrap(bridge.attribute, self,
                    mlirStringAttrGet(mlirOf(self), text).ptr);
}

static PyObject *makeTypeAttribute(PyObject *self, PyObject *argument) {
  void *type = bridgeUnwrap(bridge.type, argument);
  return type ? bridgeWrap(bridge.attribute, self,
                           mlirTypeAttrGet((MlirType){type}).ptr)
              : NULL;
}

static PyObject *makeInteger(PyObject *self, PyObject *args) {
  PyObject *type;
  long long value;
  if (!PyArg_ParseTuple(args, "OL", &type, &value))
    return NULL;
  void *pointer = bridgeUnwrap(bridge.type, type);
  return pointer
             ? bridgeWrap(bridge.attribute, self,
                          mlirIntegerAttrGet((MlirType){pointer}, value).ptr)
             : NULL;
}

static PyObject *makeFloat(PyObject *self, PyObject *args) {
  PyObject *type;
  double value;
  if (!PyArg_ParseTuple(args, "Od", &type, &value))
    return NULL;
  void *pointer = bridgeUnwrap(bridge.type, type);
  if (!pointer)
    return NULL;
  return bridgeWrap(
      bridge.attribute, self,
      mlirFloatAttrDoubleGet(mlirOf(self), (MlirType){pointer}, value).ptr);
}

static PyObject *makeFunctionType(PyObject *self, PyObject *args) {
  PyObject *from, *to;
  void **inputs, **results;
  intptr_t numInputs, numResults;
  if (!PyArg_ParseTuple(args, "OO", &from, &to) ||
      !bridgeGetPointers(bridge.type, from, &inputs, &numInputs))
    return NULL;
  PyObject *type = NULL;
  if (bridgeGetPointers(bridge.type, to, &results, &numResults)) {
    MlirType function =
        mlirFunctionTypeGet(mlirOf(self), numInputs, (MlirType *)inputs,
                            numResults, (MlirType *)results);
    type = bridgeWrap(bridge.type, self, function.ptr);
    free(results);
  }
  free(inputs);
  return type;
}

static PyObject *makeLocation(PyObject *self, PyObject *args) {
  const char *file;
  unsigned line, column;
  if (!PyArg_ParseTuple(args, "sII", &file, &line, &column))
    return NULL;
  MlirLocation location = mlirLocationFileLineColGet(
      mlirOf(self), mlirStringRefCreateFromCString(file), line, column);
  return bridgeWrap(bridge.location, self, location.ptr);
}

//===-- Inference ---------------------------------------------------------===//

bool bridgeGetAttributes(MlirContext context, PyObject *dict,
                         MlirNamedAttribute **attributes, intptr_t *count) {
  *attributes = NULL;
  *count = 0;
  if (!dict || dict == Py_None)
    return true;
  PyObject *key, *value;
  Py_ssize_t place = 0, size = PyDict_Size(dict);
  if (size < 0)
    return false;
  *attributes = malloc(((size_t)size + 1) * sizeof **attributes);
  while (*attributes && PyDict_Next(dict, &place, &key, &value)) {
    MlirStringRef name;
    void *attribute = bridgeGetText(key, &name)
                          ? bridgeUnwrap(bridge.attribute, value)
                          : NULL;
    if (!attribute) {
      free(*attributes);
      *attributes = NULL;
      return false;
    }
    (*attributes)[(*count)++] = mlirNamedAttributeGet(
        mlirIdentifierGet(context, name), (MlirAttribute){attribute});
  }
  return *attributes || PyErr_NoMemory();
}

typedef struct Inferred {
  PyObject *context, *tuple;
} Inferred;

static void takeTypes(intptr_t n, MlirType *types, void *userData) {
  Inferred *inferred = userData;
  PyObject *tuple = PyTuple_New(n);
  for (intptr_t i = 0; tuple && i < n; ++i) {
    PyObject *type = bridgeWrap(bridge.type, inferred->context, types[i].ptr);
    if (!type || PyTuple_SetItem(tuple, i, type) < 0)
      Py_CLEAR(tuple);
  }
  inferred->tuple = tuple;
}

static PyObject *infer(PyObject *self, PyObject *args) {
  PyObject *name, *types, *dict, *location;
  if (!PyArg_ParseTuple(args, "UOOO", &name, &types, &dict, &location))
    return NULL;
  void *at = bridgeUnwrap(bridge.location, location), **operands;
  MlirStringRef text;
  intptr_t n, numAttributes;
  MlirNamedAttribute *attributes;
  if (!at || !bridgeGetText(name, &text) ||
      !bridgeGetPointers(bridge.type, types, &operands, &n))
    return NULL;
  if (!bridgeGetAttributes(mlirOf(self), dict, &attributes, &numAttributes)) {
    free(operands);
    return NULL;
  }
  Inferred inferred = {self, NULL};
  MlirLogicalResult done =
      cuteOperationInfer((MlirLocation){at}, text, n, (MlirType *)operands,
                         numAttributes, attributes, takeTypes, &inferred);
  free(operands);
  free(attributes);
  if (mlirLogicalResultIsFailure(done))
    return bridgeFail((BridgeContext *)self, "the op cannot be inferred");
  return inferred.tuple;
}

static PyObject *declaresResults(PyObject *self, PyObject *name) {
  MlirStringRef text;
  return bridgeGetText(name, &text)
             ? PyBool_FromLong(cuteOperationDeclaresResults(mlirOf(self), text))
             : NULL;
}

static PyObject *onlyComputes(PyObject *self, PyObject *name) {
  MlirStringRef text;
  return bridgeGetText(name, &text)
             ? PyBool_FromLong(cuteOperationOnlyComputes(mlirOf(self), text))
             : NULL;
}

static PyObject *listOps(PyObject *self, PyObject *unused) {
  (void)unused;
  PyObject *list = PyList_New(0);
  intptr_t n = cuteDialectGetNumOps(mlirOf(self));
  for (intptr_t i = 0; list && i < n; ++i) {
    MlirStringRef name = cuteDialectGetOpName(mlirOf(self), i);
    PyObject *str =
        PyUnicode_FromStringAndSize(name.data, (Py_ssize_t)name.length);
    if (!str || PyList_Append(list, str) < 0)
      Py_CLEAR(list);
    Py_XDECREF(str);
  }
  return list;
}

//===-- The type ----------------------------------------------------------===//

static PyMethodDef methods[] = {
    {"type", parseType, METH_O, "The type of a text, pretty or generic."},
    {"attribute", parseAttribute, METH_O, "The attribute of a text."},
    {"string", makeString, METH_O, "A string attribute."},
    {"type_attribute", makeTypeAttribute, METH_O, "A type as an attribute."},
    {"integer", makeInteger, METH_VARARGS,
     "integer(type, value): an integer attribute."},
    {"float", makeFloat, METH_VARARGS,
     "float(type, value): a float attribute."},
    {"function_type", makeFunctionType, METH_VARARGS,
     "function_type(inputs, results)"},
    {"location", makeLocation, METH_VARARGS,
     "location(file, line, column), counted from 1."},
    {"infer", infer, METH_VARARGS,
     "infer(name, operand types, {name: attribute}, location): the result "
     "types of an op, without an op."},
    {"declares_results", declaresResults, METH_O,
     "Tells whether the result types of an op have to be given."},
    {"only_computes", onlyComputes, METH_O,
     "Tells whether an op of the dialect may run where its results are not "
     "used."},
    {"ops", listOps, METH_NOARGS, "The names of all ops of the dialect."},
    {"take_diagnostics", takeDiagnostics, METH_NOARGS,
     "What was reported since the last call: a list of (severity, message, "
     "file, line, column, notes)."},
    {0},
};

bool bridgeAddContext(PyObject *module) {
  static PyType_Slot slots[] = {{Py_tp_new, (void *)createContext},
                                {Py_tp_dealloc, (void *)destroyContext},
                                {Py_tp_methods, (void *)methods},
                                {0}};
  PyType_Spec spec = {"cute._bridge.Context", sizeof(BridgeContext), 0,
                      Py_TPFLAGS_DEFAULT, slots};
  bridge.context = bridgeAddType(module, "Context", &spec);
  return bridge.context;
}
