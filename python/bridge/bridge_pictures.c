// Pictures of layouts and atoms, by the calculator.
#include "bridge.h"

#include <cute/Calculator.h>

#include <string.h>

static void append(CuteStringRef piece, void *text) {
  bridgeAppend((MlirStringRef){piece.data, piece.length}, text);
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
  CuteContext context = cuteContextCreate();
  CuteCalculator *calculator = cuteCalculatorCreate(context);
  BridgeText text = {0};
  bool done = cuteCalculatorDraw(
      calculator, (CuteStringRef){expression, strlen(expression)}, drawing,
      NULL, append, &text);
  PyObject *picture = bridgeTakeStr(&text);
  if (!done) {
    Py_CLEAR(picture);
    PyErr_SetString(PyExc_ValueError, cuteContextGetError(context));
  }
  cuteCalculatorDestroy(calculator);
  cuteContextDestroy(context);
  return picture;
}

bool bridgeAddPictures(PyObject *module) {
  static PyMethodDef methods[] = {
      {"draw", draw, METH_VARARGS,
       "draw(expression, format, tile or None, bits of an element): the "
       "picture of what the calculator makes of an expression. format is 0 for "
       "text, 1 SVG, 2 LaTeX, 3 HTML."},
      {0},
  };
  return PyModule_AddFunctions(module, methods) == 0;
}
