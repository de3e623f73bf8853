// cute-layout show: pictures of layouts.
#include "Calculator/commands.h"
#include "Calculator/picture.h"
#include "Support/output_file.h"
#include "Support/say_error.h"
#include "Support/terminal.h"
#include "Support/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Options {
  CutePictureFormat format; // text unless it is chosen
  const char *expression, *output, *tile, *element, *bits;
  bool elements;
} Options;

//===-- Arguments ---------------------------------------------------------===//

// One of --svg, --latex and --html.
static bool takeFormat(Options *options, const char *argument) {
  if (options->format || strncmp(argument, "--", 2) != 0)
    return false;
  for (int i = CUTE_PICTURE_SVG; i < CUTE_NUM_PICTURE_FORMATS; ++i)
    if (!strcmp(argument + 2, cutePictureFormatGetName((CutePictureFormat)i)))
      options->format = (CutePictureFormat)i;
  return options->format;
}

// The format that a file's name ends in: x.svg, unless there was an option.
static void takeFormatOf(Options *options, const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && !options->format)
    cutePictureFormatFindExtension(cuteStringRef(dot + 1), &options->format);
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

static bool takeElements(Options *options, const char *argument) {
  bool isThis = !strcmp(argument, "--elements");
  options->elements |= isThis;
  return isThis;
}

static bool takeOption(Options *options, const char *argument) {
  return takeElements(options, argument) || takeFormat(options, argument) ||
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
      cuteSayError("--element: '%s' is no element type", options->element);
    return *bits;
  }
  if (!options->bits)
    return true;
  char *rest;
  errno = 0;
  long long n = strtoll(options->bits, &rest, 10);
  if (*rest || errno || n < 1 || n > MAX_BITS) {
    cuteSayError("--bits: '%s' is no number from 1 to %d", options->bits,
                 MAX_BITS);
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
    cuteSayError("--tv: %s", cuteContextGetError(c));
  return *tile;
}

//===-- Output ------------------------------------------------------------===//

static bool writeOutput(const CuteString *text, const char *path) {
  int error = cuteOutputFileWrite(path ? path : "-", cuteStringGetRef(text));
  if (error)
    cuteSayError("cannot write %s: %s", path ? path : "standard output",
                 strerror(error));
  return !error;
}

static bool showPicture(CuteContext c, const CutePicture *picture,
                        const Options *options) {
  CuteString text = {0};
  bool ok = cutePictureWrite(c, picture, options->format, &text);
  if (!ok)
    cuteSayError("%s", cuteContextGetError(c));
  ok = ok && writeOutput(&text, options->output);
  cuteStringDestroy(&text);
  return ok;
}

static bool show(CuteSession session, const Options *options) {
  CutePictureOptions wanted = {
      .expression = options->expression,
      .elements = options->elements,
      .isColored = options->format == CUTE_PICTURE_TEXT && !options->output &&
                   cuteTerminalHasColors(stdout),
      .maxCells = cutePictureFormatGetMaxCells(options->format),
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
    cuteSayError("%s", cuteContextGetError(session.context));
  ok = ok && showPicture(session.context, &picture, options);
  cutePictureDestroy(&picture);
  return ok;
}

CuteExit cuteCommandShow(CuteSession session, int argc, char **argv) {
  Options options = {.format = CUTE_PICTURE_TEXT};
  if (!takeArguments(argc, argv, &options))
    return CUTE_EXIT_USAGE;
  return show(session, &options) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
