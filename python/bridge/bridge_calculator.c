// The calculator: values of expressions, and pictures of layouts and atoms.
#include "bridge.h"

#include <cute/Arch.h>
#include <cute/Calculator.h>
#include <cute/ElementType.h>

#include <string.h>

static void append(CuteStringRef piece, void *text) {
  bridgeAppend((MlirStringRef){piece.data, piece.length}, text);
}

typedef struct Calculation {
  CuteContext context;
  CuteCalculator *calculator;
  BridgeText text;
} Calculation;

static Calculation begin(void) {
  CuteContext context = cuteContextCreate();
  return (Calculation){.context = context,
                       .calculator = cuteCalculatorCreate(context)};
}

// The text that was written, or a ValueError.
static PyObject *end(Calculation *calculation, bool done) {
  PyObject *text = bridgeTakeStr(&calculation->text);
  if (!done) {
    Py_CLEAR(text);
    PyErr_SetString(PyExc_ValueError,
                    cuteContextGetError(calculation->context));
  }
  cuteCalculatorDestroy(calculation->calculator);
  cuteContextDestroy(calculation->context);
  return text;
}

static CuteStringRef refOf(const char *text) {
  return (CuteStringRef){text, strlen(text)};
}

// calculate(expression)
static PyObject *calculate(PyObject *module, PyObject *args) {
  (void)module;
  const char *expression;
  if (!PyArg_ParseTuple(args, "s", &expression))
    return NULL;
  Calculation c = begin();
  return end(&c, cuteCalculatorEvaluateText(c.calculator, refOf(expression),
                                            NULL, append, &c.text));
}

// draw(expression, format, tile or None, bits)
static PyObject *draw(PyObject *module, PyObject *args) {
  (void)module;
  const char *expression;
  int format;
  long long bits;
  CuteDrawing drawing = {0};
  if (!PyArg_ParseTuple(args, "sizL", &expression, &format, &drawing.tile,
                        &bits))
    return NULL;
  drawing.format = (CutePictureFormat)format;
  drawing.bits = bits;
  Calculation c = begin();
  return end(&c, cuteCalculatorDraw(c.calculator, refOf(expression), drawing,
                                    NULL, append, &c.text));
}

//===-- Hardware ----------------------------------------------------------===//

// architectures()
static PyObject *listArchitectures(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  size_t n = cuteArchGetNum();
  PyObject *list = PyList_New((Py_ssize_t)n);
  for (size_t i = 0; list && i < n; ++i) {
    const CuteArch *arch = cuteArchGet(i);
    const char suffix[] = {arch->suffix, '\0'};
    PyObject *row = Py_BuildValue(
        "{sssisssisisisisi}", "name", arch->name, "number", arch->number,
        "suffix", suffix, "shared_kib", arch->sharedKib, "static_kib",
        arch->staticKib, "total_shared_kib", arch->totalSharedKib, "warps",
        arch->warps, "registers", arch->registers);
    if (!row || PyList_SetItem(list, (Py_ssize_t)i, row) < 0)
      Py_CLEAR(list);
  }
  return list;
}

// float_formats()
static PyObject *listFormats(PyObject *module, PyObject *unused) {
  (void)module, (void)unused;
  PyObject *dict = PyDict_New();
  for (int i = 0; dict && i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i) {
    CuteElementType type = (CuteElementType)i;
    CuteFloatFormat f;
    if (!cuteElementTypeGetFormat(type, &f))
      continue;
    PyObject *row = Py_BuildValue(
        "(IiiNN)", f.bits, f.exponentBits, f.mantissaBits,
        PyBool_FromLong(f.hasInfinity), PyBool_FromLong(f.hasNan));
    if (!row ||
        PyDict_SetItemString(dict, cuteElementTypeGetName(type), row) < 0)
      Py_CLEAR(dict);
    Py_XDECREF(row);
  }
  return dict;
}

bool bridgeAddCalculator(PyObject *module) {
  static PyMethodDef methods[] = {
      {"calculate", calculate, METH_VARARGS,
       "calculate(expression): the text of what the calculator makes of it."},
      {"draw", draw, METH_VARARGS,
       "draw(expression, format, tile or None, bits of an element): the "
       "picture of what the calculator makes of an expression. format is 0 for "
       "text, 1 SVG, 2 LaTeX, 3 HTML."},
      {"architectures", listArchitectures, METH_NOARGS,
       "architectures(): each that is known, the oldest first, as a row of "
       "`cutec --list-hardware=json`: its name and limits."},
      {"float_formats", listFormats, METH_NOARGS,
       "float_formats(): for the name of each float (bits, bits of the "
       "exponent and of the mantissa, has infinities, has NaN)."},
      {0},
  };
  return PyModule_AddFunctions(module, methods) == 0;
}
