// Remembers where each piece of rewritten text came from, so that locations in
// it can be given as the user's line and column.
#ifndef CUTE_TEXT_SOURCE_MAP_H
#define CUTE_TEXT_SOURCE_MAP_H

#include "Support/lines.h"
#include "Support/string_builder.h"

#include <mlir-c/IR.h>

typedef struct CuteSegment {
  size_t output;
  size_t source; // twice the offset, plus 1 if positions advance together
} CuteSegment;

typedef struct CuteSourceMap {
  CuteStringRef source;
  unsigned firstLine; // the number of the source's first line, from 1
  CuteString output;
  size_t headLines, headLength; // that stand before what the segments tell
  const size_t *headSources;    // offsets in the source for each such line
  CuteSegment *segments;
  size_t numSegments, capacity;
  CuteLines outputLines, sourceLines;
  // Segment and line of the latest position: the next one is often near.
  struct CuteSourceHint *hint;
} CuteSourceMap;

void cuteSourceMapInit(CuteSourceMap *map, CuteStringRef source,
                       unsigned firstLine);
void cuteSourceMapDestroy(CuteSourceMap *map);

// Appends source[from, to) as it stands.
void cuteSourceMapCopy(CuteSourceMap *map, const char *from, const char *to);

// Appends new text that stands for the source at `from`, as does what the
// caller appends to the output after it.
void cuteSourceMapReplace(CuteSourceMap *map, const char *from,
                          CuteStringRef text);

// Puts lines of text before the output, which stand for those offsets in the
// source. The offsets stay the caller's. Call once, after all the rest.
void cuteSourceMapPrepend(CuteSourceMap *map, CuteStringRef text,
                          size_t numLines, const size_t *sources);

// Call once the output is complete and before asking for positions.
void cuteSourceMapFinish(CuteSourceMap *map);

// 1-based line and column in the source for a position in the output.
void cuteSourceMapGetPosition(const CuteSourceMap *map, unsigned line,
                              unsigned column, unsigned *sourceLine,
                              unsigned *sourceColumn);

// 1-based line and column of a place in the source.
void cuteSourceMapLocate(const CuteSourceMap *map, const char *at,
                         unsigned *line, unsigned *column);

// A location in the output as one in the source named `name`; parts of other
// files stay. Locations under cuteSourceMapEscapedName get the name "-" back.
MlirLocation cuteSourceMapGetLocation(const CuteSourceMap *map,
                                      MlirLocation location,
                                      MlirStringRef name);

// MLIR names the text it parses "-". Where the user's text names a file "-"
// itself, the reader writes this instead.
#define cuteSourceMapEscapedName "\x02-"

#endif
