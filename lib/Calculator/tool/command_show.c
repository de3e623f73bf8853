// cute-layout show: pictures of layouts.
#include "Calculator/pictures/picture.h"
#include "Calculator/tool/commands.h"
#include "Hardware/element.h"
#include "Support/output_file.h"
#include "Support/say_error.h"
#include "Support/terminal.h"

enum { MAX_BITS = 1024 };

typedef struct Options {
  const char *expression;
  CutePictureFormat format; // text unless it is chosen
  const char *output, *title, *tile, *element;
  int64_t bits; // 0: not given
  bool elements;
} Options;

//===-- Arguments ---------------------------------------------------------===//

static CuteStatus takeFormat(void *data, CutePictureFormat format) {
  Options *options = data;
  if (options->format && options->format != format)
    return cuteStatusCreate("--%s and --%s do not go together",
                            cutePictureFormatGetName(format),
                            cutePictureFormatGetName(options->format));
  options->format = format;
  return NULL;
}

static CuteStatus takeSvg(void *data, CUTE_UNUSED const char *value) {
  return takeFormat(data, CUTE_PICTURE_SVG);
}

static CuteStatus takeHtml(void *data, CUTE_UNUSED const char *value) {
  return takeFormat(data, CUTE_PICTURE_HTML);
}

#define TEXT(name, called, member, text)                                       \
  {                                                                            \
    name, .kind = CUTE_OPTION_VALUE, .value = called, .help = text,            \
          .offset = offsetof(Options, member)                                  \
  }

static const char *elementWord(size_t i) {
  return i < CUTE_NUM_TENSOR_ELEMENT_TYPES
             ? cuteElementTypeGetName((CuteElementType)i)
             : NULL;
}

const CuteOption cuteShowOptions[CUTE_NUM_SHOW_OPTIONS] = {
    {"--svg", .help = "draw as SVG; without a format, print text",
     .take = takeSvg},
    {"--html", .help = "draw as HTML", .take = takeHtml},
    TEXT("-o", "FILE", output,
         "write to FILE; the extensions .svg and .html choose a format"),
    TEXT("--title", "TEXT", title,
         "print this above the picture, instead of the expression"),
    {"--element", .kind = CUTE_OPTION_VALUE, .value = "TYPE",
     .word = elementWord,
     .help = "colour memory banks, for elements of this type, such as f16",
     .offset = offsetof(Options, element)},
    {"--bits", .kind = CUTE_OPTION_NUMBER, .value = "N", .least = 1,
     .most = MAX_BITS, .help = "the same for elements of N bits",
     .offset = offsetof(Options, bits)},
    {"--elements",
     .help = "show single elements instead of vectors of copies and wgmma",
     .offset = offsetof(Options, elements)},
    TEXT("--tv", "SHAPE", tile,
         "show a (thread,value) layout into a tile, such as (16,8)"),
};

// Fails at a format of pictures that is not written here; true for other words.
static bool checkFormat(const char *argument, const char *format) {
  static const char *const others[] = {"png", "jpg", "jpeg", "gif", "webp",
                                       "bmp", "pdf", "eps",  "ps"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i)
    if (!strcmp(format, others[i]))
      return cuteSayError(
          "'%s': pictures are .svg, .html or .txt; others are made from "
          ".svg, as by 'rsvg-convert -f %s', or by a browser",
          argument, strcmp(format, "pdf") ? "png" : "pdf");
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

static bool takeArguments(int argc, char **argv, Options *options) {
  for (int i = 1; i < argc; ++i)
    if (!strncmp(argv[i], "--", 2) && !checkFormat(argv[i], argv[i] + 2))
      return false;
  if (!cuteCommandTakeOptions(options, argc, argv))
    return false;
  if (options->element && options->bits)
    return cuteSayError("--element and --bits do not go together");
  return !options->output || takeFormatOf(options, options->output);
}

//===-- Values of options -------------------------------------------------===//

static void failElement(const char *name) {
  CUTE_SCOPED(String) text = {0};
  cuteElementAppendUnknown(&text, cuteStringRef(name));
  cuteSayError("--element: %s", cuteStringGet(&text));
}

static bool readBits(const Options *options, int64_t *bits) {
  CuteElementType element;
  *bits = options->bits;
  if (!options->element)
    return true;
  if (cuteElementTypeFind(cuteStringRef(options->element), &element))
    *bits = cuteElementTypeGetBits(element);
  else
    failElement(options->element);
  return *bits;
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
  CUTE_SCOPED(String) text = {0};
  return cutePictureWrite(c, picture, options->format, &text)
             ? writeOutput(&text, options->output)
             : cuteSayError("%s", cuteContextGetError(c));
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
  CUTE_SCOPED(Picture) picture = {0};
  if (!cutePictureCreate(session.context, value, wanted, &picture))
    return cuteSayError("%s", cuteContextGetError(session.context));
  return showPicture(session.context, &picture, options);
}

CuteExit cuteCommandShow(CuteSession session, int argc, char **argv) {
  Options options = {.format = CUTE_PICTURE_TEXT};
  if (!takeArguments(argc, argv, &options))
    return CUTE_EXIT_FAILED;
  if (!options.expression)
    return CUTE_EXIT_USAGE;
  return show(session, &options) ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
