//===- cute/Calculator.h - Expressions and pictures ------------*- C -*-===//
//
// Part of the open CuTe compiler, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of cute-layout: they evaluate expressions of the algebra and
// draw the resulting layouts (docs/learning.md, docs/pictures.md).
//
// Thread-safety: as the context's.
//
//===----------------------------------------------------------------------===//
#ifndef CUTE_CALCULATOR_H
#define CUTE_CALCULATOR_H

#include "cute/Context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The variables set by `let`, and a context.
typedef struct CuteCalculator CuteCalculator;

/// The context must outlive the calculator.
CUTE_API CuteCalculator *cuteCalculatorCreate(CuteContext context);
CUTE_API void cuteCalculatorDestroy(CuteCalculator *calculator);

/// Gives the canonical text of the last statement's value, such as
/// "((2,4),8):((1,16),2)" for "zipped_divide((8,8), 2)", in one piece. On
/// failure, false with a message in the context, and `errorAt`, unless it is
/// null, is the position in the expression, in bytes from 0. Laws are checked
/// as the context's policy says (cute/Laws.h).
CUTE_API bool cuteCalculatorEvaluateText(CuteCalculator *calculator,
                                         CuteStringRef expression,
                                         size_t *errorAt,
                                         CuteStringCallback callback,
                                         void *userData);

typedef enum CutePictureFormat {
  CUTE_PICTURE_TEXT,
  CUTE_PICTURE_SVG,
  CUTE_PICTURE_HTML, ///< a page that needs nothing else
  CUTE_NUM_PICTURE_FORMATS
} CutePictureFormat;

/// Says how to draw; all zeros are valid.
typedef struct CuteDrawing {
  CutePictureFormat format;
  const char
      *tile;     ///< draws a (thread,value) layout into a tile of this shape,
                 ///< "(16,8)"; null: not such a layout
  int64_t bits;  ///< of an element in shared memory, whose banks are the
                 ///< colours; 0: not said
  bool elements; ///< of a copy, each element instead of vectors
} CuteDrawing;

/// Draws the value of an expression, a static layout, an atom, a tiled MMA or a
/// tiled copy, and gives the picture in one piece. Fails as the function above,
/// and if there would be too many cells.
CUTE_API bool cuteCalculatorDraw(CuteCalculator *calculator,
                                 CuteStringRef expression, CuteDrawing drawing,
                                 size_t *errorAt, CuteStringCallback callback,
                                 void *userData);

#ifdef __cplusplus
}
#endif

#endif
