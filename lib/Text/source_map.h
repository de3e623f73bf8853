// Remembers where each piece of rewritten text came from, so that locations in
// it can be given as the user's line and column.
#pragma once

#include "Support/lines.h"
#include "Support/string_builder.h"

#include <mlir-c/IR.h>

typedef struct CuteSegment {
  unsigned line, column; // in the output, from 1, without the head
  size_t source; // twice the offset, plus 1 if positions advance together
} CuteSegment;

// A place in a text, and the beginning of its line.
typedef struct CuteTextCursor {
  size_t at, lineStart;
  unsigned line; // from 0
} CuteTextCursor;

// Columns of a line of the source that were others before parameters got their
// values (expansion.h); in the order of the text.
typedef struct CuteColumnShift {
  unsigned line, column, length; // from 1
  unsigned sourceColumn, sourceLength;
} CuteColumnShift;

// The output has the lines of the source, so that most positions are the same
// in both: segments tell the others. A map that is exact has segments for all
// that is rewritten, which errors of MLIR's parser need; any other one only for
// what ops, arguments and blocks have as their locations.
typedef struct CuteSourceMap {
  CuteStringRef source;
  MlirStringRef name; // of the source
  unsigned firstLine; // the number of the source's first line, from 1
  bool isExact;
  bool isOutOfStep; // the output has lines that the source has not
  bool isNamed;     // MLIR's parser gets the name, and no "-"
  CuteString output;
  unsigned holeLine; // of the output, from 1, where a hole is
  size_t headLength; // of the output's first line: before what segments tell
  const size_t *headSources; // offsets in the source for the head
  CuteTextCursor in, out;    // source and output where they are in step
  CuteSegment *segments;
  size_t numSegments, capacity;
  CuteLines sourceLines;         // found when first needed
  size_t numShifts;              // of what the user wrote to the source
  const CuteColumnShift *shifts; // the caller's
  // Called when the source will not be looked at for some time; may be null.
  void (*rest)(void *userData);
  void *restData;
  // Segment and line of the latest position: the next one is often near.
  size_t nearSegment, nearLine;
} CuteSourceMap;

void cuteSourceMapInit(CuteSourceMap *map, CuteStringRef source,
                       MlirStringRef name, unsigned firstLine);
void cuteSourceMapDestroy(CuteSourceMap *map);

// Appends source[from, to) verbatim, after the earlier line ends that the
// output still lacks.
void cuteSourceMapCopy(CuteSourceMap *map, const char *from, const char *to);

// Maps what the caller appends after this, up to the next call, to the source
// at `from`, which begins an op.
void cuteSourceMapBeginOp(CuteSourceMap *map, const char *from);

// Has the caller put text where the output ends, but later. Positions after it
// in its line will not be known: what has one there is out of step.
void cuteSourceMapLeaveHole(CuteSourceMap *map);

// The same for anything else, if the map is exact.
void cuteSourceMapReplace(CuteSourceMap *map, const char *from);

// Puts text before the output, in its first line. The n-th cuteSourceMapHeadEnd
// in it ends the part that has the n-th of these offsets in the source. The
// offsets stay the caller's. Call once, after all the rest.
void cuteSourceMapPrepend(CuteSourceMap *map, CuteStringRef text,
                          const size_t *sources);
enum { cuteSourceMapHeadEnd = '\r' };

// 1-based line and column of a place in the source.
void cuteSourceMapLocate(CuteSourceMap *map, const char *at, unsigned *line,
                         unsigned *column);

// A location in the output as one in the source; parts of other files stay.
// Locations under a name after cuteSourceMapEscape get that name back.
MlirLocation cuteSourceMapGetLocation(CuteSourceMap *map,
                                      MlirLocation location);

// MLIR names the text it parses as the source is named, or "-". Where the
// user's text names a file so, the reader writes this before the name.
enum { cuteSourceMapEscape = '\x02' };
