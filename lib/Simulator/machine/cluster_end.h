// Blocks that end while others of their cluster still use their shared memory
// (PTX ISA, "Shared State Space": it must exist at every access).
#pragma once

#include "Simulator/machine/machine.h"

// Fails where the launch has no clusters: an H200 ends stores to the shared
// memory of another block with "illegal instruction" then, even of a block to
// itself, but runs them in clusters of one block.
void cuteSimClusterCheckLaunch(CuteSimOp op);

// Tells whether a block of the thread's cluster, by its rank, is there; if not,
// that is a mistake of what the thread does, or has started.
bool cuteSimClusterReaches(CuteSimOp op, int rank);

// A thread touches shared memory of a block of its cluster: a mistake where
// that is another one that has ended.
void cuteSimClusterTouch(CuteSimOp op, int rank);

// A block has ended: who touched its shared memory must have told one of its
// threads since, or it might have ended before.
void cuteSimClusterBlockEnds(const CuteSimBlock *block);

// Forgets who touched what, before the cluster's next blocks; with checks.
void cuteSimClusterForgetTouches(CuteSimCluster *cluster);
void cuteSimClusterDropTouches(CuteSimCluster *cluster);
