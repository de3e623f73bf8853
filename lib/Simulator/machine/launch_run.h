// A launch that is simulated, as the parts of the simulator see it.
#pragma once

#include "Simulator/checks/findings.h"
#include "Support/progress.h"

#include <pthread.h>
#include <stdatomic.h>

// Rounds of a loop before other threads get a turn, and how many turns may pass
// while nothing else happens.
enum { CUTE_SIM_TICKS = 1 << 12, CUTE_SIM_PATIENCE = 1 << 20 };

struct CuteSimRun {
  const CuteSimLaunch *launch;
  const CuteSimOptions *options;
  int64_t numClusters;
  atomic_bool isOver; // something failed: all stop
  int interruptions;  // before the run
  double deadline;    // milliseconds, as cuteNow counts them
  struct CuteSimGlobalShadow *globalShadow; // null: without checks
  pthread_mutex_t lock;
  CuteSimFindings findings; // under the lock, as what follows
  int64_t first, end;       // of the clusters that have not begun
  CuteProgress progress;
  int64_t numDone;   // clusters
  int64_t numBreaks; // of the one thread that may
};

void cuteSimClusterCreate(CuteSimCluster *cluster, CuteSimRun *run,
                          char *windows);

// Tells how the threads of a cluster fared: they have ended, or are stuck;
// they did something, or only looked whether another cluster has done
// something.
typedef enum CuteSimTurn {
  CUTE_SIM_ENDED,
  CUTE_SIM_MOVED,
  CUTE_SIM_SPUN,
} CuteSimTurn;

// Begins a cluster, continues it until its threads have ended or are stuck, and
// tells who is stuck. A cluster that is not alone returns when all its threads
// only poll.
void cuteSimClusterBegin(CuteSimCluster *cluster, int64_t number);
CuteSimTurn cuteSimClusterGoOn(CuteSimCluster *cluster, bool isAlone);
void cuteSimClusterEnd(CuteSimCluster *cluster);
void cuteSimClusterDestroy(CuteSimCluster *cluster);

// Takes a cluster that has not begun; -1: there is none. One that is taken by a
// cluster instead of its own is the first or the last where the schedule has a
// seed, or sometimes refused.
int64_t cuteSimRunTake(CuteSimCluster *cluster, bool instead);

bool cuteSimRunIsInterrupted(const CuteSimRun *run);

// The cluster that this thread of the host runs; null: none.
CuteSimCluster *cuteSimGetCluster(void);

// Called by loops of compiled code.
void cuteSimTick(void);

// Between the two, signals of faults in kernels of any thread of the host (an
// address where nothing is, an integer divided by zero) end their runs; others
// go to who had them before. Runs may overlap.
void cuteSimGuardBegin(void);
void cuteSimGuardEnd(void);

// A thread of the host that runs kernels has a stack for signals.
void *cuteSimGuardEnter(void);
void cuteSimGuardLeave(void *stack);
