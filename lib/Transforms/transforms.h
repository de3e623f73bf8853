// Passes from the cute dialect to itself.
#pragma once

#include "IR/op_list.h"
#include "IR/pass.h"

CutePassFunction cuteRunFoldStatic, cuteRunCanonicalize, cuteRunExpandAtoms,
    cuteRunExpandOps, cuteRunExpandTiles, cuteRunJoinLoops, cuteRunOverlap,
    cuteRunPair, cuteRunPersist, cuteRunMulticast, cuteRunPingpong,
    cuteRunPipeline, cuteRunRasterize, cuteRunShareSmem, cuteRunSm100,
    cuteRunSm90, cuteRunSpecialize, cuteRunSwizzle, cuteRunTcgen05, cuteRunTma,
    cuteRunTmaOperands, cuteRunVersionCopies, cuteRunWgmma;

// Tells whether there is an op below the root that cute-expand-tiles replaces.
bool cuteExpandTilesIsNeeded(CuteDialect *dialect, MlirOperation root);

// Replaces one, predicated_tile_s or predicated_tile_d. False with an error.
bool cuteExpandTile(CuteDialect *dialect, MlirOperation op);
