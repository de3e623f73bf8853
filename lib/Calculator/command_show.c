// cute-layout show: pictures of layouts.
#include "Calculator/commands.h"
#include "Calculator/picture.h"
#include "Support/output_file.h"
#include "Support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef bool WriteDrawing(CuteContext c, const CutePicture *picture,
                          CuteString *text);

typedef struct Options {
  WriteDrawing *draw; // null: text
  int64_t maxCells;
  const char *expression, *output, *tile, *element, *bits;
} Options;

//===-- Arguments ---------------------------------------------------------===//

static const struct {
  const char *name;
  WriteDrawing *draw;
  int64_t maxCells;
  const char *extension; // beside the name
} formats[] = {
    {"--svg", cutePictureWriteSvg, CUTE_MAX_SVG_CELLS, "svg"},
    {"--latex", cutePictureWriteLatex, CUTE_MAX_LATEX_CELLS, "tex"},
    {"--html", cutePictureWriteHtml, CUTE_MAX_SVG_CELLS, "htm"},
};

static bool takeFormat(Options *options, const char *argument) {
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!strcmp(argument, formats[i].name) && !options->draw) {
      options->draw = formats[i].draw;
      options->maxCells = formats[i].maxCells;
      return true;
    }
  return false;
}

// The format that a file's name ends in: x.svg, unless there was an option.
static void takeFormatOf(Options *options, const char *path) {
  const char *dot = strrchr(path, '.');
  CuteStringRef extension = cuteStringRef(dot ? dot + 1 : "");
  for (size_t i = 0; i < sizeof formats / sizeof *formats; ++i)
    if (!options->draw && (cuteTextEquals(extension, formats[i].name + 2) ||
                           cuteTextEquals(extension, formats[i].extension)))
      takeFormat(options, formats[i].name);
}

// --name=value
static bool takeValued(const char *argument, const char *name,
                       const char **value) {
  size_t n = strlen(name);
  if (strncmp(argument, name, n) != 0 || argument[n] != '=' || *value)
    return false;
  *value = argument + n + 1;
  return true;
}

static bool takeOption(Options *options, const char *argument) {
  return takeFormat(options, argument) ||
         takeValued(argument, "--tv", &options->tile) ||
         takeValued(argument, "--element", &options->element) ||
         takeValued(argument, "--bits", &options->bits);
}

// Negative integers are no layouts: what begins with a dash is an option.
static bool takeArguments(int argc, char **argv, Options *options) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "-o")) {
      if (options->output || ++i == argc)
        return false;
      options->output = argv[i];
    } else if (argv[i][0] == '-') {
      if (!takeOption(options, argv[i]))
        return false;
    } else {
      if (options->expression)
        return false;
      options->expression = argv[i];
    }
  }
  if (options->output)
    takeFormatOf(options, options->output);
  return options->expression && !(options->element && options->bits);
}

//===-- Values of options -------------------------------------------------===//

enum { MAX_BITS = 1024 };

static bool readBits(const Options *options, int64_t *bits) {
  CuteElementType element;
  *bits = 0;
  if (options->element) {
    if (cuteElementTypeFind(cuteStringRef(options->element), &element))
      *bits = cuteElementTypeGetBits(element);
    else
      fprintf(stderr, "error: --element: '%s' is no element type\n",
              options->element);
    return *bits;
  }
  if (!options->bits)
    return true;
  char *rest;
  errno = 0;
  long long n = strtoll(options->bits, &rest, 10);
  if (*rest || errno || n < 1 || n > MAX_BITS) {
    fprintf(stderr, "error: --bits: '%s' is no number from 1 to %d\n",
            options->bits, MAX_BITS);
    return false;
  }
  *bits = n;
  return true;
}

static bool readTile(CuteContext c, const Options *options,
                     CuteIntTuple *tile) {
  *tile = NULL;
  if (!options->tile)
    return true;
  *tile = cuteIntTupleParse(c, cuteStringRef(options->tile), CUTE_SYNTAX_SHAPE);
  if (!*tile)
    fprintf(stderr, "error: --tv: %s\n", cuteContextGetError(c));
  return *tile;
}

//===-- Output ------------------------------------------------------------===//

static bool writeOutput(const CuteString *text, const char *path) {
  int error = cuteOutputFileWrite(path ? path : "-", cuteStringGetRef(text));
  if (error)
    fprintf(stderr, "error: cannot write %s: %s\n",
            path ? path : "standard output", strerror(error));
  return !error;
}

static bool showPicture(CuteContext c, const CutePicture *picture,
                        const Options *options) {
  CuteString text = {0};
  bool ok = true;
  if (options->draw)
    ok = options->draw(c, picture, &text);
  else
    cutePictureWriteText(picture, &text);
  if (!ok)
    fprintf(stderr, "error: %s\n", cuteContextGetError(c));
  ok = ok && writeOutput(&text, options->output);
  cuteStringDestroy(&text);
  return ok;
}

static bool show(CuteSession session, const Options *options) {
  CutePictureOptions wanted = {
      .expression = options->expression,
      .maxCells = options->maxCells,
  };
  if (!readBits(options, &wanted.bits) ||
      !readTile(session.context, options, &wanted.tile))
    return false;
  CuteValue value = cuteSessionEvaluate(session, options->expression);
  if (cuteValueFailed(value))
    return false;
  CutePicture picture;
  bool ok = cutePictureCreate(session.context, value, wanted, &picture);
  if (!ok)
    fprintf(stderr, "error: %s\n", cuteContextGetError(session.context));
  ok = ok && showPicture(session.context, &picture, options);
  cutePictureDestroy(&picture);
  return ok;
}

CuteExit cuteCommandShow(CuteSession session, int argc, char **argv) {
  Options options = {.maxCells = CUTE_MAX_TEXT_CELLS};
  if (!takeArguments(argc, argv, &options))
    return CUTE_EXIT_USAGE;
  return show(session, &options) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
