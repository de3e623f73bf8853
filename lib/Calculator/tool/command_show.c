// cute-layout show: pictures of layouts.
#include "Calculator/pictures/picture.h"
#include "Calculator/tool/commands.h"
#include "Support/output_file.h"
#include "Support/say_error.h"
#include "Support/terminal.h"
#include "Support/text.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

const char cuteShowHelp[] =
    "OPTIONS OF show:\n"
    "  --svg, --latex, --html        draw; without one of these, text\n"
    "  -o FILE                       write to a file; .svg, .tex and .html "
    "draw\n"
    "  --title=TEXT                  above it, instead of the expression\n"
    "  --element=f16, --bits=16      size of an element: colours are banks\n"
    "  --elements                    of a copy, not vectors but each element\n"
    "  --tv=(16,8)                   a (thread,value) layout into a tile\n";

typedef struct Options {
  CutePictureFormat format; // text unless it is chosen
  const char *expression, *output, *title, *tile, *element, *bits;
  bool elements;
} Options;

//===-- Arguments ---------------------------------------------------------===//

static const struct {
  const char *name;
  size_t offset; // of its text
} valued[] = {{"o", offsetof(Options, output)},
              {"title", offsetof(Options, title)},
              {"tv", offsetof(Options, tile)},
              {"element", offsetof(Options, element)},
              {"bits", offsetof(Options, bits)}};

enum { NUM_VALUED = sizeof valued / sizeof *valued };

// The row of an option with a value; NUM_VALUED if it is none.
static size_t findValued(const char *argument) {
  CuteStringRef name = cuteSuggestionNameOf(argument);
  size_t row = 0;
  while (row < NUM_VALUED && !cuteTextEquals(name, valued[row].name))
    ++row;
  return row;
}

bool cuteShowTakesNext(const char *argument) {
  return *argument == '-' && !strchr(argument, '=') &&
         findValued(argument) < NUM_VALUED;
}

// --name=value, or --name with the next argument.
static bool takeValued(Options *options, int argc, char **argv, int *i) {
  const char *argument = argv[*i], *equals = strchr(argument, '=');
  const char **text =
      (const char **)((char *)options + valued[findValued(argument)].offset);
  if (!equals && *i + 1 == argc)
    return cuteSayError("%s needs a value; see --help", argument);
  if (*text)
    return cuteSayError("%s is given twice", argument);
  *text = equals ? equals + 1 : argv[++*i];
  return true;
}

// Fails at a format of pictures that is not written here; true for other words.
static bool checkFormat(const char *argument, const char *format) {
  static const char *const others[] = {"png", "jpg", "jpeg", "gif", "webp",
                                       "bmp", "pdf", "eps",  "ps"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (!strcmp(format, others[i]))
      return cuteSayError(
          "'%s': pictures are .svg, .html, .tex or .txt; others are made from "
          ".svg, as by 'rsvg-convert -f %s', or by a browser",
          argument, strcmp(format, "pdf") ? "png" : "pdf");
  return true;
}

// One of --svg, --latex and --html.
static bool takeFormat(Options *options, const char *argument) {
  CuteStringRef name = cuteSuggestionNameOf(argument);
  CutePictureFormat format = CUTE_PICTURE_TEXT;
  for (int i = CUTE_PICTURE_SVG; i < CUTE_NUM_PICTURE_FORMATS; ++i)
    if (cuteTextEquals(name, cutePictureFormatGetName((CutePictureFormat)i)))
      format = (CutePictureFormat)i;
  if (!format)
    return checkFormat(argument, name.data) &&
           cuteSuggestionFailOption(NULL, argument, cuteShowHelp);
  if (options->format && options->format != format)
    return cuteSayError("%s and --%s do not go together", argument,
                        cutePictureFormatGetName(options->format));
  options->format = format;
  return true;
}

// The format that a file's name ends in: x.svg, unless there was an option.
static bool takeFormatOf(Options *options, const char *path) {
  const char *dot = strrchr(path, '.');
  return !dot || options->format ||
         cutePictureFormatFindExtension(cuteStringRef(dot + 1),
                                        &options->format) ||
         checkFormat(path, dot + 1);
}

static bool takeExpression(Options *options, const char *argument) {
  if (options->expression)
    return cuteSayError("more than one expression: '%s' and '%s'",
                        options->expression, argument);
  options->expression = argument;
  return true;
}

static bool takeArgument(Options *options, int argc, char **argv, int *i) {
  const char *argument = argv[*i];
  if (*argument != '-')
    return takeExpression(options, argument);
  if (findValued(argument) < NUM_VALUED)
    return takeValued(options, argc, argv, i);
  options->elements |= !strcmp(argument, "--elements");
  return !strcmp(argument, "--elements") || takeFormat(options, argument);
}

// Negative integers are no layouts: what begins with a dash is an option, up to
// "--".
static bool takeArguments(int argc, char **argv, Options *options) {
  bool ok = true;
  int i = 1;
  for (; i < argc && ok && strcmp(argv[i], "--"); ++i)
    ok = takeArgument(options, argc, argv, &i);
  for (++i; i < argc && ok; ++i)
    ok = takeExpression(options, argv[i]);
  if (ok && options->element && options->bits)
    return cuteSayError("--element and --bits do not go together");
  return ok && (!options->output || takeFormatOf(options, options->output));
}

//===-- Values of options -------------------------------------------------===//

enum { MAX_BITS = 1024 };

static void failElement(const char *name) {
  CuteString known = {0};
  for (int i = 0; i < CUTE_NUM_TENSOR_ELEMENT_TYPES; ++i)
    cuteStringAppendFormat(&known, "%s%s", i ? ", " : "",
                           cuteElementTypeGetName((CuteElementType)i));
  cuteSayError("--element: '%s' is no element type; known: %s", name,
               cuteStringGet(&known));
  cuteStringDestroy(&known);
}

static bool readBits(const Options *options, int64_t *bits) {
  CuteElementType element;
  *bits = 0;
  if (options->element) {
    if (cuteElementTypeFind(cuteStringRef(options->element), &element))
      *bits = cuteElementTypeGetBits(element);
    else
      failElement(options->element);
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
    cuteSayError("cannot write %s%s%s: %s", path ? "'" : "",
                 path ? path : "standard output", path ? "'" : "",
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
      .expression = options->title ? options->title : options->expression,
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
    return CUTE_EXIT_FAILED;
  if (!options.expression)
    return CUTE_EXIT_USAGE;
  return show(session, &options) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
