// Copies that arrive later than they start: what a cluster has pending.
#pragma once

#include "Simulator/machine/machine.h"

typedef struct CuteSimPending CuteSimPending;

void cuteSimPendingCreate(CuteSimCluster *cluster);
void cuteSimPendingDestroy(CuteSimCluster *cluster);

// Forgets pending copies, before the cluster's next blocks.
void cuteSimPendingReset(CuteSimCluster *cluster);

// A thread has ended: its own copies arrive.
void cuteSimPendingLeave(CuteSimThread *thread);

// Lets one of the copies arrive that no thread waits for by number; false where
// there is none.
bool cuteSimPendingProgress(CuteSimCluster *cluster);

// Starts something that the function ends later, with a copy of the data.
typedef void CuteSimPendingFunction(CuteSimCluster *cluster, void *data);
void cuteSimPendingStart(CuteSimCluster *cluster,
                         CuteSimPendingFunction *arrive, const void *data,
                         size_t size);
