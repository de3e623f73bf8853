#include "Text/source_map.h"

#include "IR/mlir.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

#include <stdlib.h>

typedef struct CuteSourceHint {
  size_t segment, line;
} CuteSourceHint;

void cuteSourceMapInit(CuteSourceMap *map, CuteStringRef source,
                       unsigned firstLine) {
  *map = (CuteSourceMap){.source = source, .firstLine = firstLine};
}

void cuteSourceMapDestroy(CuteSourceMap *map) {
  cuteStringDestroy(&map->output);
  free(map->segments);
  free(map->hint);
  cuteLinesDestroy(&map->outputLines);
  cuteLinesDestroy(&map->sourceLines);
}

static void pushSegment(CuteSourceMap *map, const char *from, bool verbatim) {
  size_t offset = (size_t)(from - map->source.data);
  size_t source = offset * 2 + verbatim;
  CuteSegment *last =
      map->numSegments ? &map->segments[map->numSegments - 1] : NULL;
  size_t advance = last && verbatim ? map->output.length - last->output : 0;
  if (last && last->source + advance * 2 == source)
    return;
  CUTE_PUSH(map->segments, map->numSegments, map->capacity,
            (CuteSegment){map->output.length, source});
}

void cuteSourceMapCopy(CuteSourceMap *map, const char *from, const char *to) {
  if (from >= to)
    return;
  pushSegment(map, from, true);
  cuteStringAppendBytes(&map->output, from, (size_t)(to - from));
}

void cuteSourceMapReplace(CuteSourceMap *map, const char *from,
                          CuteStringRef text) {
  pushSegment(map, from, false);
  cuteStringAppendBytes(&map->output, text.data, text.length);
}

void cuteSourceMapPrepend(CuteSourceMap *map, CuteStringRef text,
                          size_t numLines, const size_t *sources) {
  CuteString *output = &map->output;
  size_t length = output->length;
  cuteStringAppendBytes(output, text.data, text.length);
  if (!text.length)
    return;
  memmove(output->data + text.length, output->data, length);
  memcpy(output->data, text.data, text.length);
  map->headLines = numLines;
  map->headLength = text.length;
  map->headSources = sources;
}

//===-- Positions ---------------------------------------------------------===//

void cuteSourceMapFinish(CuteSourceMap *map) {
  map->hint = cuteAllocate(sizeof *map->hint);
  *map->hint = (CuteSourceHint){0};
  cuteLinesInit(&map->outputLines, cuteStringGetRef(&map->output));
  cuteLinesInit(&map->sourceLines, map->source);
}

static size_t searchSegment(const CuteSourceMap *map, size_t output) {
  size_t low = 0, high = map->numSegments;
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (map->segments[middle].output <= output)
      low = middle;
    else
      high = middle;
  }
  return low;
}

// The segment that the position is in, or the first one.
static size_t findSegment(const CuteSourceMap *map, size_t output) {
  enum { FEW = 16 };
  size_t near = map->hint->segment;
  if (near < map->numSegments && map->segments[near].output <= output)
    for (size_t i = near; i < near + FEW; ++i)
      if (i + 1 == map->numSegments || map->segments[i + 1].output > output)
        return i;
  return searchSegment(map, output);
}

static size_t sourceOffset(const CuteSourceMap *map, size_t output) {
  if (!map->numSegments)
    return 0;
  map->hint->segment = findSegment(map, output);
  CuteSegment segment = map->segments[map->hint->segment];
  size_t source =
      segment.source / 2 + (segment.source % 2 ? output - segment.output : 0);
  return source < map->source.length ? source : map->source.length;
}

static void locateOffset(const CuteSourceMap *map, size_t offset,
                         unsigned *line, unsigned *column) {
  size_t number = cuteLinesFindNear(&map->sourceLines, offset, map->hint->line);
  map->hint->line = number;
  *line = (unsigned)number + map->firstLine;
  *column = (unsigned)(offset - map->sourceLines.starts[number]) + 1;
}

void cuteSourceMapLocate(const CuteSourceMap *map, const char *at,
                         unsigned *line, unsigned *column) {
  locateOffset(map, (size_t)(at - map->source.data), line, column);
}

void cuteSourceMapGetPosition(const CuteSourceMap *map, unsigned line,
                              unsigned column, unsigned *sourceLine,
                              unsigned *sourceColumn) {
  if (!line || line > map->outputLines.count) {
    *sourceLine = line;
    *sourceColumn = column;
    return;
  }
  if (line <= map->headLines) {
    locateOffset(map, map->headSources[line - 1], sourceLine, sourceColumn);
    return;
  }
  size_t output = map->outputLines.starts[line - 1] + (column ? column - 1 : 0);
  locateOffset(map, sourceOffset(map, output - map->headLength), sourceLine,
               sourceColumn);
}

//===-- Locations ---------------------------------------------------------===//

static bool isFile(MlirStringRef file, const char *name) {
  return mlirStringRefEqual(file, cuteMlirString(name));
}

static MlirLocation mapFile(const CuteSourceMap *map, MlirLocation location,
                            MlirStringRef name) {
  MlirContext context = mlirLocationGetContext(location);
  MlirStringRef file =
      mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  unsigned line = (unsigned)mlirLocationFileLineColRangeGetStartLine(location);
  unsigned column =
      (unsigned)mlirLocationFileLineColRangeGetStartColumn(location);
  if (isFile(file, cuteSourceMapEscapedName))
    return mlirLocationFileLineColGet(context, cuteMlirString("-"), line,
                                      column);
  if (!isFile(file, "-"))
    return location;
  cuteSourceMapGetPosition(map, line, column, &line, &column);
  return mlirLocationFileLineColGet(context, name, line, column);
}

static MlirLocation mapFused(const CuteSourceMap *map, MlirLocation location,
                             MlirStringRef name) {
  unsigned n = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = cuteAllocate(n * sizeof *parts);
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < n; ++i)
    parts[i] = cuteSourceMapGetLocation(map, parts[i], name);
  MlirLocation fused =
      mlirLocationFusedGet(mlirLocationGetContext(location), n, parts,
                           mlirLocationFusedGetMetadata(location));
  free(parts);
  return fused;
}

MlirLocation cuteSourceMapGetLocation(const CuteSourceMap *map,
                                      MlirLocation location,
                                      MlirStringRef name) {
  if (mlirLocationIsAFileLineColRange(location))
    return mapFile(map, location, name);
  if (mlirLocationIsAFused(location))
    return mapFused(map, location, name);
  if (mlirLocationIsAName(location))
    return mlirLocationNameGet(
        mlirLocationGetContext(location),
        mlirIdentifierStr(mlirLocationNameGetName(location)),
        cuteSourceMapGetLocation(map, mlirLocationNameGetChildLoc(location),
                                 name));
  if (mlirLocationIsACallSite(location))
    return mlirLocationCallSiteGet(
        cuteSourceMapGetLocation(map, mlirLocationCallSiteGetCallee(location),
                                 name),
        cuteSourceMapGetLocation(map, mlirLocationCallSiteGetCaller(location),
                                 name));
  return location;
}
