// Pictures as a page that needs nothing else: the SVG, a line that says what is
// under the pointer, and marks on all cells of the same thread, bank or index.
#include "Calculator/pictures/picture.h"

static const char style[] =
    "<style>\n"
    "body{margin:0;background:#ffffff;color:#0f172a;font-family:system-ui,"
    "\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,\"DejaVu Sans\",sans-serif}\n"
    "header{position:sticky;top:0;background:#0f172a;color:#f8fafc;"
    "padding:12px 24px}\n"
    "h1{margin:0;font-size:16px;font-weight:600;overflow-wrap:anywhere}\n"
    "code{font-family:ui-monospace,\"SF Mono\",Menlo,Consolas,"
    "\"DejaVu Sans Mono\",monospace}\n"
    "p{margin:4px 0 0;font-size:14px;overflow-wrap:anywhere}\n"
    "#info{min-height:20px;color:#cbd5e1}\n"
    "main{overflow:auto}\n"
    "main svg{display:block}\n"
    "svg.fit{max-width:100%;height:auto}\n"
    "label{float:right;margin-left:16px;font-size:14px}\n"
    "@media (prefers-color-scheme:dark){body{background:#0f172a}"
    "g[data-coord]:hover rect,g.same rect{stroke:#f8fafc}}\n"
    "g[data-coord]:hover rect,g.same rect{stroke:#0f172a;stroke-width:3}\n"
    "svg.marks g:not(.same) rect{opacity:0.3}\n"
    "</style>\n";

static const char script[] =
    "<script>\n"
    "'use strict';\n"
    "const info = document.getElementById('info');\n"
    "const idle = info.textContent;\n"
    "const cells = [...document.querySelectorAll('g[data-coord]')];\n"
    "const keyOf = d => d.thread !== undefined ? 'thread ' + d.thread\n"
    "    : d.bank !== undefined ? 'bank ' + d.bank\n"
    "    : d.offset !== undefined ? 'index ' + d.offset : '';\n"
    "const same = new Map();\n"
    "for (const cell of cells) {\n"
    "  const key = keyOf(cell.dataset), title = "
    "cell.querySelector('title');\n"
    "  cell.dataset.says = title.textContent;\n"
    "  title.remove();\n"
    "  if (!same.has(key)) same.set(key, []);\n"
    "  same.get(key).push(cell);\n"
    "}\n"
    "let marked = [];\n"
    "function mark(cell) {\n"
    "  for (const other of marked) other.classList.remove('same');\n"
    "  marked = cell && keyOf(cell.dataset) "
    "? same.get(keyOf(cell.dataset)) : [];\n"
    "  for (const other of marked) other.classList.add('same');\n"
    "  document.querySelector('svg').classList.toggle('marks', "
    "marked.length > 1);\n"
    "  info.textContent = !cell ? idle : cell.dataset.says +\n"
    "      (marked.length > 1 ? ' — ' + marked.length + ' cells of ' +\n"
    "      keyOf(cell.dataset) : '');\n"
    "}\n"
    "const svg = document.querySelector('svg');\n"
    "const fit = document.getElementById('fit');\n"
    "fit.onchange = () => svg.classList.toggle('fit', fit.checked);\n"
    "fit.checked = true;\n"
    "fit.onchange();\n"
    "document.addEventListener('mouseover', event =>\n"
    "    mark(event.target.closest('g[data-coord]')));\n"
    "</script>\n";

bool cutePictureWriteHtml(CuteContext c, const CutePicture *picture,
                          CuteString *text) {
  cuteStringAppend(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                         "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
                         "content=\"width=device-width, initial-scale=1\">\n"
                         "<title>");
  cuteAppendXml(text, picture->expression);
  cuteStringAppend(text, "</title>\n");
  cuteStringAppend(text, style);
  cuteStringAppend(text, "</head>\n<body>\n<header>\n"
                         "<label><input type=\"checkbox\" id=\"fit\"> "
                         "fit</label>\n<h1><code>");
  cuteAppendXml(text, picture->expression);
  cuteStringAppend(text, "</code></h1>\n");
  if (strcmp(picture->expression, picture->value) != 0) {
    cuteStringAppend(text, "<p><code>");
    cuteAppendXml(text, picture->value);
    cuteStringAppend(text, "</code></p>\n");
  }
  cuteStringAppend(text, "<p id=\"info\" aria-live=\"polite\">"
                         "Point at a cell.</p>\n</header>\n<main>\n");
  if (!cutePictureWriteSvgBody(c, picture, text))
    return false;
  cuteStringAppend(text, "</main>\n");
  cuteStringAppend(text, script);
  cuteStringAppend(text, "</body>\n</html>\n");
  return true;
}
