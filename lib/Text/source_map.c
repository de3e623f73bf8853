#include "Text/source_map.h"

#include "IR/mlir.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

void cuteSourceMapInit(CuteSourceMap *map, CuteStringRef source,
                       MlirStringRef name, unsigned firstLine) {
  *map =
      (CuteSourceMap){.source = source, .name = name, .firstLine = firstLine};
}

void cuteSourceMapDestroy(CuteSourceMap *map) {
  cuteStringDestroy(&map->output);
  free(map->segments);
  cuteLinesDestroy(&map->sourceLines);
}

//===-- Writing -----------------------------------------------------------===//

static void advance(CuteTextCursor *cursor, const char *text, size_t to) {
  const char *at = text + cursor->at, *end = text + to;
  while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
    ++cursor->line;
    cursor->lineStart = (size_t)(++at - text);
  }
  cursor->at = to;
}

static void advanceOutput(CuteSourceMap *map) {
  if (map->out.at < map->output.length)
    advance(&map->out, map->output.data, map->output.length);
}

// The source to the offset has the lines of the output.
static void keepInStep(CuteSourceMap *map, size_t offset) {
  advanceOutput(map);
  if (offset < map->in.at)
    return;
  advance(&map->in, map->source.data, offset);
  while (map->out.line < map->in.line) {
    cuteStringAppendChar(&map->output, '\n');
    advanceOutput(map);
  }
  map->isOutOfStep |= map->out.line > map->in.line;
}

static bool isLineOfLatest(const CuteSourceMap *map) {
  return map->numSegments &&
         map->segments[map->numSegments - 1].line == map->out.line + 1;
}

static bool hasSamePosition(const CuteSourceMap *map, size_t offset) {
  return map->in.at == offset && map->in.line == map->out.line &&
         offset - map->in.lineStart == map->out.at - map->out.lineStart;
}

static void pushSegment(CuteSourceMap *map, size_t offset, bool verbatim) {
  if (!map->isExact && hasSamePosition(map, offset) && !isLineOfLatest(map))
    return;
  unsigned column = (unsigned)(map->out.at - map->out.lineStart) + 1;
  CUTE_PUSH(map->segments, map->numSegments, map->capacity,
            (CuteSegment){map->out.line + 1, column, offset * 2 + verbatim});
}

// Tells whether something on the first line may have a location.
static bool hasPlace(const char *from, const char *to) {
  while (from < to && strchr(" ,()->{}\r", *from))
    ++from;
  return from < to && *from != '\n';
}

static bool isInHole(const CuteSourceMap *map) {
  return map->holeLine == map->out.line + 1;
}

// The same, also across comments.
static bool hasPlaceInHole(const CuteSourceMap *map, const char *from,
                           const char *to) {
  while (from < to && strchr(" ,()->{}\r", *from))
    ++from;
  bool isComment = to - from > 1 && from[0] == '/' && from[1] == '/';
  return isInHole(map) && !isComment && from < to && *from != '\n';
}

void cuteSourceMapCopy(CuteSourceMap *map, const char *from, const char *to) {
  if (from >= to)
    return;
  size_t offset = (size_t)(from - map->source.data);
  keepInStep(map, offset);
  map->isOutOfStep |= hasPlaceInHole(map, from, to);
  if (map->isExact || hasPlace(from, to))
    pushSegment(map, offset, true);
  cuteStringAppendBytes(&map->output, from, (size_t)(to - from));
}

void cuteSourceMapBeginOp(CuteSourceMap *map, const char *from) {
  size_t offset = (size_t)(from - map->source.data);
  keepInStep(map, offset);
  map->isOutOfStep |= isInHole(map);
  pushSegment(map, offset, false);
}

void cuteSourceMapLeaveHole(CuteSourceMap *map) {
  advanceOutput(map);
  map->holeLine = map->out.line + 1;
}

void cuteSourceMapReplace(CuteSourceMap *map, const char *from) {
  if (map->isExact) {
    advanceOutput(map);
    pushSegment(map, (size_t)(from - map->source.data), false);
  }
}

void cuteSourceMapPrepend(CuteSourceMap *map, CuteStringRef text,
                          const size_t *sources) {
  CuteString *output = &map->output;
  size_t length = output->length;
  cuteStringAppendBytes(output, text.data, text.length);
  if (!text.length)
    return;
  memmove(output->data + text.length, output->data, length);
  memcpy(output->data, text.data, text.length);
  map->headLength = text.length;
  map->headSources = sources;
}

//===-- Positions ---------------------------------------------------------===//

static bool isAfter(CuteSegment segment, unsigned line, unsigned column) {
  return segment.line > line ||
         (segment.line == line && segment.column > column);
}

// Counts the segments that begin before the position or at it.
static size_t countSegments(CuteSourceMap *map, unsigned line,
                            unsigned column) {
  enum { FEW = 8 };
  size_t low = 0, high = map->numSegments, near = map->nearSegment;
  if (near <= high &&
      (!near || !isAfter(map->segments[near - 1], line, column)))
    for (size_t i = near; i < near + FEW; ++i)
      if (i == high || isAfter(map->segments[i], line, column))
        return map->nearSegment = i;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (isAfter(map->segments[middle], line, column))
      high = middle;
    else
      low = middle + 1;
  }
  return map->nearSegment = low;
}

// The column that the user wrote, for one of the source; lines are from 1.
static unsigned unshift(const CuteSourceMap *map, unsigned line,
                        unsigned column) {
  size_t low = 0, high = map->numShifts;
  while (low < high) {
    size_t middle = (low + high) / 2;
    CuteColumnShift s = map->shifts[middle];
    if (s.line > line || (s.line == line && s.column > column))
      high = middle;
    else
      low = middle + 1;
  }
  if (!low || map->shifts[low - 1].line != line)
    return column;
  CuteColumnShift s = map->shifts[low - 1];
  unsigned end = s.column + s.length;
  return column < end ? s.sourceColumn
                      : s.sourceColumn + s.sourceLength + (column - end);
}

static void locateOffset(CuteSourceMap *map, size_t offset, unsigned *line,
                         unsigned *column) {
  if (!map->sourceLines.count)
    cuteLinesInit(&map->sourceLines, map->source);
  if (offset > map->source.length)
    offset = map->source.length;
  map->nearLine = cuteLinesFindNear(&map->sourceLines, offset, map->nearLine);
  *line = (unsigned)map->nearLine + map->firstLine;
  *column = (unsigned)(offset - map->sourceLines.starts[map->nearLine]) + 1;
}

void cuteSourceMapLocate(CuteSourceMap *map, const char *at, unsigned *line,
                         unsigned *column) {
  locateOffset(map, (size_t)(at - map->source.data), line, column);
  *column = unshift(map, *line - map->firstLine + 1, *column);
}

static void locateInHead(CuteSourceMap *map, unsigned column, unsigned *line,
                         unsigned *sourceColumn) {
  size_t number = 0;
  for (size_t i = 0; i + 1 < column && i < map->output.length; ++i)
    number += map->output.data[i] == cuteSourceMapHeadEnd;
  locateOffset(map, map->headSources[number], line, sourceColumn);
}

// The position by the segment that it is in.
static void locateInSegment(CuteSourceMap *map, CuteSegment segment,
                            unsigned line, unsigned column,
                            unsigned *sourceLine, unsigned *sourceColumn) {
  locateOffset(map, segment.source / 2, sourceLine, sourceColumn);
  if (segment.source % 2 == 0)
    return;
  *sourceColumn =
      line == segment.line ? *sourceColumn + (column - segment.column) : column;
  *sourceLine += line - segment.line;
}

// The position in the source, before parameters.
static void locateInSource(CuteSourceMap *map, unsigned line, unsigned column,
                           unsigned *sourceLine, unsigned *sourceColumn) {
  if (line == 1 && column <= map->headLength) {
    locateInHead(map, column, sourceLine, sourceColumn);
    return;
  }
  column -= line == 1 ? (unsigned)map->headLength : 0;
  size_t n = countSegments(map, line, column);
  if (n && (map->isExact || map->segments[n - 1].line == line)) {
    locateInSegment(map, map->segments[n - 1], line, column, sourceLine,
                    sourceColumn);
    return;
  }
  *sourceLine = line ? line - 1 + map->firstLine : 0;
  *sourceColumn = column;
}

//===-- Locations ---------------------------------------------------------===//

static MlirLocation mapFile(CuteSourceMap *map, MlirLocation location) {
  MlirContext context = mlirLocationGetContext(location);
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  unsigned line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
  unsigned column =
      (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
  if (file.length && *file.data == cuteSourceMapEscape)
    return mlirLocationFileLineColGet(
        context, mlirStringRefCreate(file.data + 1, file.length - 1), line,
        column);
  if (!mlirStringRefEqual(file, map->isNamed ? map->name : cuteMlirString("-")))
    return location;
  unsigned sourceLine, sourceColumn;
  locateInSource(map, line, column, &sourceLine, &sourceColumn);
  sourceColumn = unshift(map, sourceLine - map->firstLine + 1, sourceColumn);
  if (map->isNamed && sourceLine == line && sourceColumn == column)
    return location;
  return mlirLocationFileLineColGet(context, map->name, sourceLine,
                                    sourceColumn);
}

static MlirLocation mapFused(CuteSourceMap *map, MlirLocation location) {
  unsigned n = mlirLocationFusedGetNumLocations(location);
  CUTE_FREED MlirLocation *parts = cuteAllocate(n * sizeof *parts);
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < n; ++i)
    parts[i] = cuteSourceMapGetLocation(map, parts[i]);
  return mlirLocationFusedGet(mlirLocationGetContext(location), n, parts,
                              mlirLocationFusedGetMetadata(location));
}

MlirLocation cuteSourceMapGetLocation(CuteSourceMap *map,
                                      MlirLocation location) {
  if (mlirLocationIsAFileLineColRange(location))
    return mapFile(map, location);
  if (mlirLocationIsAFused(location))
    return mapFused(map, location);
  if (mlirLocationIsAName(location))
    return mlirLocationNameGet(
        mlirLocationGetContext(location),
        mlirIdentifierStr(mlirLocationNameGetName(location)),
        cuteSourceMapGetLocation(map, mlirLocationNameGetChildLoc(location)));
  if (mlirLocationIsACallSite(location))
    return mlirLocationCallSiteGet(
        cuteSourceMapGetLocation(map, mlirLocationCallSiteGetCallee(location)),
        cuteSourceMapGetLocation(map, mlirLocationCallSiteGetCaller(location)));
  return location;
}
