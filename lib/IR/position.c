#include "IR/dialect.h"

CutePosition cutePositionGet(MlirLocation location) {
  CutePosition position = {0};
  if (mlirLocationIsAFileLineColRange(location))
    return (CutePosition){
        fromMlirString(mlirIdentifierStr(
            mlirLocationFileLineColRangeGetFilename(location))),
        (unsigned)mlirLocationFileLineColRangeGetStartLine(location),
        (unsigned)mlirLocationFileLineColRangeGetStartColumn(location)};
  if (mlirLocationIsAName(location))
    return cutePositionGet(mlirLocationNameGetChildLoc(location));
  if (mlirLocationIsACallSite(location))
    return cutePositionGet(mlirLocationCallSiteGetCallee(location));
  if (!mlirLocationIsAFused(location))
    return position;
  unsigned n = mlirLocationFusedGetNumLocations(location);
  CUTE_FREED MlirLocation *parts = cuteAllocate((n + 1) * sizeof *parts);
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < n && !position.file.data; ++i)
    position = cutePositionGet(parts[i]);
  return position;
}

CutePosition cutePositionOf(MlirOperation op) {
  return cutePositionGet(mlirOperationGetLocation(op));
}
