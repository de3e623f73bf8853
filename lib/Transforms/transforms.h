// Passes from the cute dialect to itself.
#pragma once

#include "IR/op_list.h"
#include "IR/pass.h"

// Tells whether there is an op below the root that cute-expand-tiles replaces.
bool cuteExpandTilesIsNeeded(CuteDialect *dialect, MlirOperation root);

// Replaces one, predicated_tile_s or predicated_tile_d. False with an error.
bool cuteExpandTile(CuteDialect *dialect, MlirOperation op);
