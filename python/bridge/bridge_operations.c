// Operations and blocks.
#include "bridge.h"

#include <cute/Assembly.h>
#include <cute/Operation.h>

#include <stdlib.h>

static MlirOperation operationOf(PyObject *self) {
  return (MlirOperation){((BridgeHandle *)self)->pointer};
}

static MlirBlock blockOf(PyObject *self) {
  return (MlirBlock){((BridgeHandle *)self)->pointer};
}

static PyObject *ownerOf(PyObject *self) {
  return ((BridgeHandle *)self)->owner;
}

//===-- Creation ----------------------------------------------------------===//

typedef struct Parts {
  MlirLocation location;
  MlirStringRef name;
  intptr_t numOperands, numResults, numAttributes;
  void **operands, **results; // results null: inferred
  MlirNamedAttribute *attributes;
  unsigned regions;
} Parts;

static void destroyParts(Parts *parts) {
  free(parts->operands);
  free(parts->results);
  free(parts->attributes);
}

static MlirOperation createForeign(const Parts *parts) {
  MlirOperationState state =
      mlirOperationStateGet(parts->name, parts->location);
  mlirOperationStateAddOperands(&state, parts->numOperands,
                                (MlirValue *)parts->operands);
  mlirOperationStateAddAttributes(&state, parts->numAttributes,
                                  parts->attributes);
  if (parts->results)
    mlirOperationStateAddResults(&state, parts->numResults,
                                 (MlirType *)parts->results);
  else
    mlirOperationStateEnableResultTypeInference(&state);
  for (unsigned i = 0; i < parts->regions; ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  return mlirOperationCreate(&state);
}

static MlirOperation createOperation(const Parts *parts) {
  if (parts->name.length > 5 && !memcmp(parts->name.data, "cute.", 5))
    return cuteOperationCreate(
        parts->location, parts->name, parts->numOperands,
        (MlirValue *)parts->operands, parts->numAttributes, parts->attributes,
        parts->numResults,
        parts->numResults ? (MlirType *)parts->results : NULL);
  return createForeign(parts);
}

// A value of another module would dangle once that is gone.
static bool areInModule(PyObject *values, PyObject *module) {
  Py_ssize_t n = values == Py_None ? 0 : PySequence_Size(values);
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject *value = PySequence_GetItem(values, i);
    if (!value)
      return false;
    bool isIn = ownerOf(value) == module;
    Py_DECREF(value);
    if (isIn)
      continue;
    PyErr_SetString(PyExc_ValueError,
                    "a value of another function is used: it is known only "
                    "while the function that made it is compiled");
    return false;
  }
  return true;
}

// block.create(name, operands, attributes, results, location, regions)
static PyObject *createInBlock(PyObject *self, PyObject *args) {
  PyObject *name, *operands, *dict, *results, *location;
  Parts parts = {0};
  if (!PyArg_ParseTuple(args, "UOOOO|I", &name, &operands, &dict, &results,
                        &location, &parts.regions))
    return NULL;
  BridgeContext *context = bridgeContextOf(self);
  void *at = bridgeUnwrap(bridge.location, location);
  parts.location.ptr = at;
  MlirOperation op = {NULL};
  if (at && bridgeGetText(name, &parts.name) &&
      bridgeGetPointers(bridge.value, operands, &parts.operands,
                        &parts.numOperands) &&
      areInModule(operands, ownerOf(self)) &&
      bridgeGetPointers(bridge.type, results, &parts.results,
                        &parts.numResults) &&
      bridgeGetAttributes(context->mlir, dict, &parts.attributes,
                          &parts.numAttributes))
    op = createOperation(&parts);
  destroyParts(&parts);
  if (PyErr_Occurred())
    return NULL;
  if (mlirOperationIsNull(op))
    return bridgeFail(context, "the operation cannot be created");
  mlirBlockAppendOwnedOperation(blockOf(self), op);
  return bridgeWrap(bridge.operation, ownerOf(self), op.ptr);
}

//===-- Operations --------------------------------------------------------===//

static PyObject *getResults(PyObject *self, void *closure) {
  (void)closure;
  intptr_t n = mlirOperationGetNumResults(operationOf(self));
  PyObject *tuple = PyTuple_New(n);
  for (intptr_t i = 0; tuple && i < n; ++i) {
    PyObject *value =
        bridgeWrap(bridge.value, ownerOf(self),
                   mlirOperationGetResult(operationOf(self), i).ptr);
    if (!value || PyTuple_SetItem(tuple, i, value) < 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *getName(PyObject *self, void *closure) {
  (void)closure;
  MlirStringRef name =
      mlirIdentifierStr(mlirOperationGetName(operationOf(self)));
  return PyUnicode_FromStringAndSize(name.data, (Py_ssize_t)name.length);
}

static PyObject *printOperation(PyObject *self) {
  BridgeText text = {0};
  cuteOperationPrint(operationOf(self), (CutePrintOptions){0}, bridgeAppend,
                     &text);
  return bridgeTakeStr(&text);
}

static PyObject *setAttribute(PyObject *self, PyObject *args) {
  const char *name;
  PyObject *attribute;
  if (!PyArg_ParseTuple(args, "sO", &name, &attribute))
    return NULL;
  void *pointer = bridgeUnwrap(bridge.attribute, attribute);
  if (!pointer)
    return NULL;
  mlirOperationSetAttributeByName(operationOf(self),
                                  mlirStringRefCreateFromCString(name),
                                  (MlirAttribute){pointer});
  return Py_NewRef(Py_None);
}

static PyObject *getAttribute(PyObject *self, PyObject *name) {
  MlirStringRef text;
  if (!bridgeGetText(name, &text))
    return NULL;
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(operationOf(self), text);
  return mlirAttributeIsNull(attribute)
             ? Py_NewRef(Py_None)
             : bridgeWrap(bridge.attribute, (PyObject *)bridgeContextOf(self),
                          attribute.ptr);
}

static bool checkRegion(PyObject *self, Py_ssize_t region) {
  if (region >= 0 && region < mlirOperationGetNumRegions(operationOf(self)))
    return true;
  PyErr_Format(PyExc_IndexError, "the operation has no region %zd", region);
  return false;
}

// operation.add_block(region, argument types, location)
static PyObject *addBlock(PyObject *self, PyObject *args) {
  Py_ssize_t region;
  PyObject *types, *location;
  if (!PyArg_ParseTuple(args, "nOO", &region, &types, &location) ||
      !checkRegion(self, region))
    return NULL;
  void *at = bridgeUnwrap(bridge.location, location), **pointers;
  intptr_t n;
  if (!at || !bridgeGetPointers(bridge.type, types, &pointers, &n))
    return NULL;
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  for (intptr_t i = 0; i < n; ++i)
    mlirBlockAddArgument(block, (MlirType){pointers[i]}, (MlirLocation){at});
  free(pointers);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(operationOf(self), region),
                             block);
  return bridgeWrap(bridge.block, ownerOf(self), block.ptr);
}

// operation.take_region(i, other, k): the blocks of the other's region k
static PyObject *takeRegion(PyObject *self, PyObject *args) {
  Py_ssize_t i, k;
  PyObject *other;
  if (!PyArg_ParseTuple(args, "nOn", &i, &other, &k) ||
      !bridgeUnwrap(bridge.operation, other) || !checkRegion(self, i) ||
      !checkRegion(other, k))
    return NULL;
  mlirRegionTakeBody(mlirOperationGetRegion(operationOf(self), i),
                     mlirOperationGetRegion(operationOf(other), k));
  return Py_NewRef(Py_None);
}

static PyObject *getBlock(PyObject *self, PyObject *argument) {
  Py_ssize_t region = PyLong_AsSsize_t(argument);
  if (PyErr_Occurred() || !checkRegion(self, region))
    return NULL;
  MlirBlock block = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(operationOf(self), region));
  return mlirBlockIsNull(block)
             ? Py_NewRef(Py_None)
             : bridgeWrap(bridge.block, ownerOf(self), block.ptr);
}

static PyObject *erase(PyObject *self, PyObject *unused) {
  (void)unused;
  mlirOperationDestroy(operationOf(self));
  return Py_NewRef(Py_None);
}

//===-- Blocks ------------------------------------------------------------===//

static PyObject *getArguments(PyObject *self, void *closure) {
  (void)closure;
  intptr_t n = mlirBlockGetNumArguments(blockOf(self));
  PyObject *tuple = PyTuple_New(n);
  for (intptr_t i = 0; tuple && i < n; ++i) {
    PyObject *value = bridgeWrap(bridge.value, ownerOf(self),
                                 mlirBlockGetArgument(blockOf(self), i).ptr);
    if (!value || PyTuple_SetItem(tuple, i, value) < 0)
      Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject *addArgument(PyObject *self, PyObject *args) {
  PyObject *type, *location;
  if (!PyArg_ParseTuple(args, "OO", &type, &location))
    return NULL;
  void *pointer = bridgeUnwrap(bridge.type, type);
  void *at = pointer ? bridgeUnwrap(bridge.location, location) : NULL;
  if (!at)
    return NULL;
  MlirValue value = mlirBlockAddArgument(blockOf(self), (MlirType){pointer},
                                         (MlirLocation){at});
  return bridgeWrap(bridge.value, ownerOf(self), value.ptr);
}

static PyObject *takeOperations(PyObject *self, PyObject *other) {
  void *from = bridgeUnwrap(bridge.block, other);
  if (!from)
    return NULL;
  MlirOperation op = mlirBlockGetFirstOperation((MlirBlock){from});
  while (!mlirOperationIsNull(op)) {
    MlirOperation next = mlirOperationGetNextInBlock(op);
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(blockOf(self), op);
    op = next;
  }
  return Py_NewRef(Py_None);
}

static PyObject *getOperations(PyObject *self, void *closure) {
  (void)closure;
  PyObject *list = PyList_New(0);
  MlirOperation op = mlirBlockGetFirstOperation(blockOf(self));
  for (; list && !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    PyObject *handle = bridgeWrap(bridge.operation, ownerOf(self), op.ptr);
    if (!handle || PyList_Append(list, handle) < 0)
      Py_CLEAR(list);
    Py_XDECREF(handle);
  }
  return list;
}

static PyObject *getLast(PyObject *self, void *closure) {
  (void)closure;
  MlirOperation last = {NULL}, op = mlirBlockGetFirstOperation(blockOf(self));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    last = op;
  return mlirOperationIsNull(last)
             ? Py_NewRef(Py_None)
             : bridgeWrap(bridge.operation, ownerOf(self), last.ptr);
}

//===-- The types ---------------------------------------------------------===//

static void destroyHandle(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_CLEAR(((BridgeHandle *)self)->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyMethodDef operationMethods[] = {
    {"set_attribute", setAttribute, METH_VARARGS,
     "set_attribute(name, attribute)"},
    {"attribute", getAttribute, METH_O, "The attribute of a name, or None."},
    {"add_block", addBlock, METH_VARARGS,
     "add_block(region, argument types, location): a new last block."},
    {"block", getBlock, METH_O, "The first block of a region, or None."},
    {"take_region", takeRegion, METH_VARARGS,
     "take_region(i, other, k): moves the blocks of another operation's "
     "region k to region i."},
    {"erase", erase, METH_NOARGS,
     "Ends the operation, whose results must have no uses. Neither it nor "
     "they may be used after that."},
    {0},
};

static PyGetSetDef operationFields[] = {
    {"results", getResults, NULL, "A tuple of the results.", NULL},
    {"name", getName, NULL, "The name with that of the dialect.", NULL},
    {0},
};

static PyMethodDef blockMethods[] = {
    {"create", createInBlock, METH_VARARGS,
     "create(name, operands, {name: attribute}, result types or None, "
     "location, number of regions = 0): a new operation at the end. None: the "
     "results are inferred."},
    {"add_argument", addArgument, METH_VARARGS, "add_argument(type, location)"},
    {"take_operations", takeOperations, METH_O,
     "Moves the operations of another block to the end of this one."},
    {0},
};

static PyGetSetDef blockFields[] = {
    {"arguments", getArguments, NULL, "A tuple of the arguments.", NULL},
    {"last", getLast, NULL, "The last operation, or None.", NULL},
    {"operations", getOperations, NULL, "A list of its operations.", NULL},
    {0},
};

bool bridgeAddOperations(PyObject *module) {
  static PyType_Slot operation[] = {{Py_tp_dealloc, (void *)destroyHandle},
                                    {Py_tp_str, (void *)printOperation},
                                    {Py_tp_methods, (void *)operationMethods},
                                    {Py_tp_getset, (void *)operationFields},
                                    {0}};
  static PyType_Slot block[] = {{Py_tp_dealloc, (void *)destroyHandle},
                                {Py_tp_methods, (void *)blockMethods},
                                {Py_tp_getset, (void *)blockFields},
                                {0}};
  unsigned flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION;
  PyType_Spec operations = {"cute._bridge.Operation", sizeof(BridgeHandle), 0,
                            flags, operation},
              blocks = {"cute._bridge.Block", sizeof(BridgeHandle), 0, flags,
                        block};
  bridge.operation = bridgeAddType(module, "Operation", &operations);
  bridge.block = bridgeAddType(module, "Block", &blocks);
  return bridge.operation && bridge.block;
}
