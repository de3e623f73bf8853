// The formats of pictures, and expressions as text and pictures for users of
// the library.
#include "Algebra/algebra.h"
#include "Calculator/language/calculator.h"
#include "Calculator/pictures/picture.h"
#include "Support/text.h"

typedef bool WritePicture(CuteContext c, const CutePicture *picture,
                          CuteString *text);

static const struct {
  const char *name, *extension;
  WritePicture *write;
  int64_t maxCells;
} formats[] = {
    [CUTE_PICTURE_TEXT] = {"text", "txt", cutePictureWriteText, 512 * 512},
    [CUTE_PICTURE_SVG] = {"svg", "svg", cutePictureWriteSvg, 256 * 128},
    [CUTE_PICTURE_HTML] = {"html", "htm", cutePictureWriteHtml, 256 * 128},
};

const char *cutePictureFormatGetName(CutePictureFormat format) {
  return formats[format].name;
}

int64_t cutePictureFormatGetMaxCells(CutePictureFormat format) {
  return formats[format].maxCells;
}

bool cutePictureFormatFindExtension(CuteStringRef extension,
                                    CutePictureFormat *format) {
  for (int i = 0; i < CUTE_NUM_PICTURE_FORMATS; ++i)
    if (cuteTextEquals(extension, formats[i].name) ||
        cuteTextEquals(extension, formats[i].extension)) {
      *format = (CutePictureFormat)i;
      return true;
    }
  return false;
}

bool cutePictureWrite(CuteContext c, const CutePicture *picture,
                      CutePictureFormat format, CuteString *text) {
  return formats[format].write(c, picture, text);
}

//===-- For users of the library ------------------------------------------===//

static CuteValue evaluate(CuteCalculator *calculator, CuteStringRef expression,
                          size_t *errorAt) {
  size_t at;
  return cuteCalculatorEvaluate(calculator, expression,
                                errorAt ? errorAt : &at);
}

bool cuteCalculatorEvaluateText(CuteCalculator *calculator,
                                CuteStringRef expression, size_t *errorAt,
                                CuteStringCallback callback, void *userData) {
  CuteValue value = evaluate(calculator, expression, errorAt);
  if (cuteValueFailed(value))
    return false;
  CUTE_SCOPED(String) text = {0};
  cuteAppendValue(&text, value);
  callback(cuteStringGetRef(&text), userData);
  return true;
}

// Draws a value; the errors of that are nowhere in the expression.
static bool draw(CuteContext c, CuteValue value, CutePictureOptions options,
                 CutePictureFormat format, CuteString *text) {
  CUTE_SCOPED(Picture) picture = {0};
  return cutePictureCreate(c, value, options, &picture) &&
         cutePictureWrite(c, &picture, format, text);
}

bool cuteCalculatorDraw(CuteCalculator *calculator, CuteStringRef expression,
                        CuteDrawing drawing, size_t *errorAt,
                        CuteStringCallback callback, void *userData) {
  CuteContext c = calculator->context;
  if ((unsigned)drawing.format >= CUTE_NUM_PICTURE_FORMATS)
    return cuteFail(c, "show: there is no picture format %d",
                    (int)drawing.format);
  CuteValue value = evaluate(calculator, expression, errorAt);
  if (cuteValueFailed(value))
    return false;
  CUTE_SCOPED(String) name = {0}, text = {0};
  cuteStringAppendBytes(&name, expression.data, expression.length);
  CutePictureOptions options = {
      .expression = cuteStringGet(&name),
      .bits = drawing.bits,
      .elements = drawing.elements,
      .maxCells = cutePictureFormatGetMaxCells(drawing.format)};
  if (drawing.tile)
    options.tile =
        cuteIntTupleParse(c, cuteStringRef(drawing.tile), CUTE_SYNTAX_SHAPE);
  bool ok = (!drawing.tile || options.tile) &&
            draw(c, value, options, drawing.format, &text);
  if (errorAt && !ok)
    *errorAt = 0;
  if (ok)
    callback(cuteStringGetRef(&text), userData);
  return ok;
}
