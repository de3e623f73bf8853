// Handles of one pointer, and the types Type, Attribute, Location and Value.
#include "bridge.h"

#include <cute/Dialect.h>

#include <stdlib.h>

PyObject *bridgeWrap(PyTypeObject *type, PyObject *owner, const void *pointer) {
  if (!pointer)
    return bridgeFail(bridgeContextOf(owner), "the compiler gave nothing");
  allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
  BridgeHandle *handle = (BridgeHandle *)allocate(type, 0);
  if (!handle)
    return NULL;
  handle->owner = Py_NewRef(owner);
  handle->pointer = (void *)(uintptr_t)pointer;
  return (PyObject *)handle;
}

void *bridgeUnwrap(PyTypeObject *type, PyObject *object) {
  if (Py_TYPE(object) == type)
    return ((BridgeHandle *)object)->pointer;
  PyErr_Format(PyExc_TypeError, "a %R was expected, not %R", type, object);
  return NULL;
}

BridgeContext *bridgeContextOf(PyObject *owner) {
  if (Py_TYPE(owner) == bridge.context)
    return (BridgeContext *)owner;
  if (Py_TYPE(owner) == bridge.module)
    return ((BridgeModule *)owner)->context;
  return bridgeContextOf(((BridgeHandle *)owner)->owner);
}

bool bridgeGetPointers(PyTypeObject *type, PyObject *sequence, void ***pointers,
                       intptr_t *count) {
  *pointers = NULL;
  *count = 0;
  if (!sequence || sequence == Py_None)
    return true;
  Py_ssize_t n = PySequence_Size(sequence);
  if (n < 0)
    return false;
  *pointers = malloc(((size_t)n + 1) * sizeof **pointers);
  for (Py_ssize_t i = 0; *pointers && i < n; ++i) {
    PyObject *item = PySequence_GetItem(sequence, i);
    void *pointer = item ? bridgeUnwrap(type, item) : NULL;
    Py_XDECREF(item);
    if (!pointer) {
      free(*pointers);
      *pointers = NULL;
      return false;
    }
    (*pointers)[(*count)++] = pointer;
  }
  return *pointers || PyErr_NoMemory();
}

static void destroyHandle(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  Py_CLEAR(((BridgeHandle *)self)->owner);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static PyObject *compareHandles(PyObject *a, PyObject *b, int op) {
  if (Py_TYPE(a) != Py_TYPE(b) || (op != Py_EQ && op != Py_NE))
    return Py_NewRef(Py_NotImplemented);
  bool same = ((BridgeHandle *)a)->pointer == ((BridgeHandle *)b)->pointer;
  return PyBool_FromLong(same == (op == Py_EQ));
}

static Py_hash_t hashHandle(PyObject *self) {
  Py_hash_t hash = (Py_hash_t)((uintptr_t)((BridgeHandle *)self)->pointer >> 4);
  return hash == -1 ? -2 : hash;
}

static PyObject *getContext(PyObject *self, void *closure) {
  (void)closure;
  return Py_NewRef(bridgeContextOf(self));
}

//===-- Text --------------------------------------------------------------===//

static PyObject *printType(PyObject *self) {
  BridgeText text = {0};
  cuteTypePrintMlir((MlirType){((BridgeHandle *)self)->pointer}, bridgeAppend,
                    &text);
  return bridgeTakeStr(&text);
}

// (kind, whether a value is known from the type alone)
static PyObject *describeType(PyObject *self, void *closure) {
  (void)closure;
  BridgeContext *context = bridgeContextOf(self);
  CuteType type = cuteTypeFromMlir(context->algebra,
                                   (MlirType){((BridgeHandle *)self)->pointer});
  if (!type)
    return bridgeFail(context, cuteContextGetError(context->algebra));
  return Py_BuildValue("(sN)", cuteTypeKindGetName(cuteTypeGetKind(type)),
                       PyBool_FromLong(cuteTypeIsStatic(type)));
}

static PyObject *printAttribute(PyObject *self) {
  BridgeText text = {0};
  mlirAttributePrint((MlirAttribute){((BridgeHandle *)self)->pointer},
                     bridgeAppend, &text);
  return bridgeTakeStr(&text);
}

static PyObject *printLocation(PyObject *self) {
  BridgeText text = {0};
  mlirLocationPrint((MlirLocation){((BridgeHandle *)self)->pointer},
                    bridgeAppend, &text);
  return bridgeTakeStr(&text);
}

//===-- Values ------------------------------------------------------------===//

static MlirValue valueOf(PyObject *self) {
  return (MlirValue){((BridgeHandle *)self)->pointer};
}

static PyObject *getValueType(PyObject *self, void *closure) {
  (void)closure;
  return bridgeWrap(bridge.type, (PyObject *)bridgeContextOf(self),
                    mlirValueGetType(valueOf(self)).ptr);
}

static PyObject *getModule(PyObject *self, void *closure) {
  (void)closure;
  return Py_NewRef(((BridgeHandle *)self)->owner);
}

static PyObject *setValueType(PyObject *self, PyObject *type) {
  void *pointer = bridgeUnwrap(bridge.type, type);
  if (!pointer)
    return NULL;
  mlirValueSetType(valueOf(self), (MlirType){pointer});
  return Py_NewRef(Py_None);
}

static PyObject *replaceValue(PyObject *self, PyObject *other) {
  void *pointer = bridgeUnwrap(bridge.value, other);
  if (!pointer)
    return NULL;
  mlirValueReplaceAllUsesOfWith(valueOf(self), (MlirValue){pointer});
  return Py_NewRef(Py_None);
}

//===-- Types of Python ---------------------------------------------------===//

static PyGetSetDef handleFields[] = {
    {"context", getContext, NULL, "The context that it is of.", NULL},
    {0},
};

static PyGetSetDef typeFields[] = {
    {"context", getContext, NULL, "The context that it is of.", NULL},
    {"description", describeType, NULL,
     "Its kind, \"foreign\" in other dialects, and whether a value is known "
     "from the type alone.",
     NULL},
    {0},
};

static PyGetSetDef valueFields[] = {
    {"context", getContext, NULL, "The context that it is of.", NULL},
    {"type", getValueType, NULL, "The type of the value.", NULL},
    {"module", getModule, NULL, "The module that it is in.", NULL},
    {0},
};

static PyMethodDef valueMethods[] = {
    {"set_type", setValueType, METH_O, "Changes the type of the value."},
    {"replace_all_uses", replaceValue, METH_O,
     "Puts another value in its place wherever it is an operand."},
    {0},
};

#define HANDLE_SLOTS                                                           \
  {Py_tp_dealloc, (void *)destroyHandle},                                      \
      {Py_tp_richcompare, (void *)compareHandles}, {                           \
    Py_tp_hash, (void *)hashHandle                                             \
  }

static PyType_Spec specOf(const char *name, PyType_Slot *slots) {
  return (PyType_Spec){name, sizeof(BridgeHandle), 0,
                       Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                       slots};
}

bool bridgeAddHandles(PyObject *module) {
  static PyType_Slot type[] = {HANDLE_SLOTS,
                               {Py_tp_str, (void *)printType},
                               {Py_tp_getset, (void *)typeFields},
                               {0}};
  static PyType_Slot attribute[] = {HANDLE_SLOTS,
                                    {Py_tp_str, (void *)printAttribute},
                                    {Py_tp_getset, (void *)handleFields},
                                    {0}};
  static PyType_Slot location[] = {HANDLE_SLOTS,
                                   {Py_tp_str, (void *)printLocation},
                                   {Py_tp_getset, (void *)handleFields},
                                   {0}};
  static PyType_Slot value[] = {HANDLE_SLOTS,
                                {Py_tp_getset, (void *)valueFields},
                                {Py_tp_methods, (void *)valueMethods},
                                {0}};
  PyType_Spec types = specOf("cute._bridge.Type", type),
              attributes = specOf("cute._bridge.Attribute", attribute),
              locations = specOf("cute._bridge.Location", location),
              values = specOf("cute._bridge.Value", value);
  bridge.type = bridgeAddType(module, "Type", &types);
  bridge.attribute = bridgeAddType(module, "Attribute", &attributes);
  bridge.location = bridgeAddType(module, "Location", &locations);
  bridge.value = bridgeAddType(module, "Value", &values);
  return bridge.type && bridge.attribute && bridge.location && bridge.value;
}
