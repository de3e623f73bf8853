// Pictures as a page that needs nothing else: the SVG, a line that says what is
// under the pointer, and marks on all cells of the same thread, bank or index.
#include "Calculator/pictures/picture.h"

extern const char cutePageStyle[], cutePageScript[]; // picture_page.*

bool cutePictureWriteHtml(CuteContext c, const CutePicture *picture,
                          CuteString *text) {
  cuteStringAppend(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                         "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                         "content=\"width=device-width, initial-scale=1\">\n"
                         "<title>");
  cuteAppendXml(text, picture->expression);
  cuteStringAppend(text, "</title>\n<style>\n");
  cuteStringAppend(text, cutePageStyle);
  cuteStringAppend(text, "</style>\n</head>\n<body>\n<header>\n"
                         "<label><input type=\"checkbox\" id=\"fit\"> "
                         "fit</label>\n<label hidden><input type=\"checkbox\" "
                         "id=\"warps\"> colour by warp</label>\n<h1><code>");
  cuteAppendXml(text, picture->expression);
  cuteStringAppend(text, "</code></h1>\n");
  if (strcmp(picture->expression, picture->value) != 0) {
    cuteStringAppend(text, "<p><code>");
    cuteAppendXml(text, picture->value);
    cuteStringAppend(text, "</code></p>\n");
  }
  cuteStringAppend(
      text,
      "<p id=\"info\" aria-live=\"polite\">"
      "Point at a cell; Ctrl and the wheel zoom.</p>\n</header>\n<main>\n");
  if (!cutePictureWriteSvgBody(c, picture, text))
    return false;
  cuteStringAppend(text, "</main>\n<script>\n");
  cuteStringAppend(text, cutePageScript);
  cuteStringAppend(text, "</script>\n</body>\n</html>\n");
  return true;
}
