// The steps that make a kernel for Hopper out of a plain one, and the choices
// that they leave.
#pragma once

#include "Transforms/edit/kernel_edit.h"

// Choices; 0: the step chooses.
typedef struct CuteSchedule {
  int64_t stages;     // of the pipeline
  int64_t warpgroups; // that share the rows of a product
  int64_t group;      // rows of tiles that blocks go through column by column
  int64_t persist;    // whether blocks go from tile to tile: 1 or 2, not
  int64_t pingpong;   // whether two warpgroups take turns on tiles: 1 or 2, not
  int64_t overlap;    // whether products overlap: 1 or 2, not
  int64_t operands;   // whether stages bring tiles for sums: 1 or 2, not
  int64_t split;      // blocks of a cluster that share the rounds of a tile
  int64_t stream;     // whether the L2 cache lets tiles go first: 1 or 2, not
  int64_t cluster[2]; // blocks of a cluster along x and along y
  bool alternates;    // cute-pingpong follows, and doubles all but stages
  bool persists;      // blocks go from tile to tile, as they did in the text
  bool splits;        // cute-wgmma comes after cute-tma, and splits wide tiles
  const CuteArch *arch; // has tensor memory, for cuteTcgen05Edit; or null
} CuteSchedule;

// cuteSplitEdit has blocks make a part of a plain loop's rounds each, and
// cuteSplitAddEdit, once there are roles, add up their sums.
CuteKernelEdit cuteSplitEdit, cuteSplitAddEdit;

// Counts the bytes of shared memory for the sums of a block.
int64_t cuteSplitCountBytes(CuteKernel *kernel);

// Each takes a CuteSchedule, over which the kernel's attribute cute.schedule
// goes.
CuteKernelEdit cuteTmaEdit, cuteWgmmaEdit, cuteTmaOperandsEdit, cuteTcgen05Edit,
    cuteSpecializeEdit, cutePersistEdit, cutePingpongEdit, cuteOverlapEdit,
    cuteMulticastEdit, cutePairEdit;

// Gives the schedule with what the kernel's attribute says instead. False with
// the kernel's problem where that says something else than choices.
bool cuteScheduleRead(CuteKernel *kernel, const CuteSchedule *given,
                      CuteSchedule *schedule);

// Writes a choice to the kernel's attribute, where the steps leave what they
// chose; 0: takes it out.
void cuteScheduleSet(CuteKernel *kernel, const char *name, int64_t value);

// Has a remark say all choices, as the attribute is written.
void cuteScheduleNote(CuteKernel *kernel);

// Tells whether a vector is so long that the steps of a function of it need
// more registers than warpgroups with a tile each have beside their sums.
bool cutePingpongIsLong(MlirType vector);

// Tells whether two warpgroups are to take turns on the tiles of a plain
// kernel.
bool cutePingpongPays(CuteKernel *kernel, const CuteSchedule *schedule);

// Reads the pass's options that are choices; each may be 0. False with an error
// at a number that a choice cannot be.
bool cuteScheduleTakeOptions(const CutePass *pass, const char *passName,
                             CuteSchedule *schedule);

// Removes the loop over a block's tiles, and has cute.grid count the tiles.
// False without such a loop, or with the kernel's problem.
bool cuteTileLoopTake(CuteKernel *kernel);
