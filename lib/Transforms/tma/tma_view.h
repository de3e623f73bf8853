// Parts of a kernel's parameter whose tiles TMA can load or store.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Gives the parameter that a tensor is a part of, by slices, other orders or
// groups of modes, and an offset after them, or another tensor where it is none
// of one. An offset before them has other bounds than the parameter.
MlirValue cuteTmaViewGetParameter(CuteDialect *dialect, MlirValue tensor);

// Takes the offset off a tensor that is another one, seen from a coordinate on;
// sets that coordinate, or leaves it as it was.
MlirValue cuteTmaViewDropOrigin(CuteDialect *dialect, MlirValue tensor,
                                MlirValue *origin);

// Rebuilds the part on the value that replaces the parameter.
void cuteTmaViewEmit(CuteRebuild *r, MlirValue tensor);

// Gives a tile of a part by the parameter's modes: its shape is what the tile
// has of each, and its values number the tile's elements. Sets the tiler that
// makes it of the parameter: a shape, or a tile where it takes not each
// element. Null where a tiler does not say what it takes of each mode.
CuteLayout cuteTmaViewGetTile(CuteDialect *dialect, MlirValue tensor,
                              CuteType *tiler);
