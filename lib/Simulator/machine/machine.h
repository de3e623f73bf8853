// The machine that is simulated: clusters of blocks of threads, which are
// fibers of one thread of the host, and the sites of a program that call it.
#pragma once

#include "Simulator/machine/fiber.h"
#include "Support/status.h"
#include "Support/string_builder.h"

#include <setjmp.h>

enum {
  CUTE_SIM_WARP = 32,
  CUTE_SIM_MAX_THREADS = 1024,
  CUTE_SIM_MAX_CLUSTER = 16,
  CUTE_SIM_BARRIERS = 16,
  CUTE_SIM_MAX_LOCAL = 1 << 19, // most bytes of a thread's local memory
  CUTE_SIM_WINDOW = 1 << 18,    // bytes of addresses of a block's shared memory
};

// Shared-memory addresses from here on belong to blocks that do not exist.
#define CUTE_SIM_NO_BLOCKS UINT64_C(0xf0000000)

typedef struct CuteSimThread CuteSimThread;
typedef struct CuteSimWarp CuteSimWarp;
typedef struct CuteSimBlock CuteSimBlock;
typedef struct CuteSimCluster CuteSimCluster;
typedef struct CuteSimRun CuteSimRun;
typedef struct CuteSimSite CuteSimSite;
typedef struct CuteSimStep CuteSimStep;
typedef struct CuteSimObserver CuteSimObserver;
struct CuteSimStatistics;

//===-- Sites -------------------------------------------------------------===//

// Names what is done by a thread at a site. Compiled code passes it as two
// pointers, as the calling conventions of x86-64 and AArch64 do.
typedef struct CuteSimOp {
  CuteSimThread *thread;
  const CuteSimSite *site; // null: not known
} CuteSimOp;

// Does an operation for one thread: the values are its results, which it
// writes, and after them its operands, each in 64 bits. It may let other
// threads run.
typedef void CuteSimFunction(CuteSimOp op, uint64_t *values);

// Does an operation once for lanes that have come to it.
typedef struct CuteSimGroup CuteSimGroup;
typedef void CuteSimGroupFunction(CuteSimGroup *group);

// Address spaces of PTX, as LLVM numbers them.
typedef enum CuteSimSpace {
  CUTE_SIM_GENERIC,
  CUTE_SIM_GLOBAL,
  CUTE_SIM_SHARED = 3,
  CUTE_SIM_CONSTANT,
  CUTE_SIM_LOCAL,
  CUTE_SIM_CLUSTER = 7,
  CUTE_SIM_PARAMETER = 101,
} CuteSimSpace;

// Atomic accesses change what is there; volatile ones and those with an order
// count as ordered.
typedef enum CuteSimAccess {
  CUTE_SIM_READ,
  CUTE_SIM_WRITE,
  CUTE_SIM_ATOMIC,
  CUTE_SIM_ORDERED_READ,
  CUTE_SIM_ORDERED_WRITE, // atomic exchanges, too
} CuteSimAccess;

// Gives "reads", "writes" or "changes".
static inline const char *cuteSimAccessGetVerb(CuteSimAccess access) {
  return access == CUTE_SIM_ATOMIC ? "changes"
         : access == CUTE_SIM_READ || access == CUTE_SIM_ORDERED_READ
             ? "reads"
             : "writes";
}

// Tells whether an access orders what is around it.
static inline bool cuteSimAccessIsOrdered(CuteSimAccess access) {
  return access >= CUTE_SIM_ATOMIC;
}

// Tensors by their numbers in a launch.
typedef struct CuteSimTensorList {
  size_t count; // 0: which ones is not known
  const uint16_t *numbers;
} CuteSimTensorList;

// A place of the program that calls the machine: an operation with the name
// that it has in LLVM IR or PTX, or an access to memory.
// Parts of a name that say how an operation works, which are looked for once.
enum {
#define WORD(word) CUTE_SIM_BIT_##word,
#include "hardware/operation_word.def"
};
typedef enum CuteSimWords {
#define WORD(word) CUTE_SIM_##word = 1 << CUTE_SIM_BIT_##word,
#include "hardware/operation_word.def"
} CuteSimWords;

// Tell apart what operations of one function do (operation.def): directions of
// shuffles; what is asked of predicates or values; shapes of matrices; what an
// arrival at a barrier does, in bits.
enum {
  CUTE_SIM_UP,
  CUTE_SIM_DOWN,
  CUTE_SIM_BUTTERFLY,
  CUTE_SIM_INDEX,
  CUTE_SIM_ALL = 0,
  CUTE_SIM_ANY,
  CUTE_SIM_UNIFORM,
  CUTE_SIM_BALLOT,
  CUTE_SIM_COUNT,
  CUTE_SIM_M8N8 = 0,
  CUTE_SIM_M16N8,
  CUTE_SIM_M16N16,
  CUTE_SIM_ARRIVES = 1 << 0,
  CUTE_SIM_EXPECTS = 1 << 1,
  CUTE_SIM_DROPS = 1 << 2,
};

struct CuteSimSite {
  CuteSimFunction *function;
  CuteSimGroupFunction *group; // of lanes that do it together
  unsigned variant;
  const char *name;
  uint32_t words;   // CuteSimWords
  const char *file; // of the source; null: not known
  unsigned line, column;
  uint16_t number; // among the program's sites; 0: one of too many
  uint32_t place;  // of its line, for statistics; 0: not known
  CuteSimTensorList shared, global; // in which its line has business
  unsigned numResults, numOperands, numAddresses; // in brackets, of PTX
  CuteSimAccess access;                           // the rest are of accesses
  CuteSimSpace space;
  unsigned bytes, align;
  struct CuteSimResources *resources;
  void **prepared; // what the function makes of it, at first null
};

// The name for messages, as PTX has it.
static inline const char *cuteSimSiteGetName(const CuteSimSite *site) {
  enum { PREFIX = sizeof "llvm.nvvm." - 1 };
  return strncmp(site->name, "llvm.nvvm.", PREFIX) ? site->name
                                                   : site->name + PREFIX;
}

// Tells whether an atomic operation is a compare-and-swap.
static inline bool cuteSimSiteIsSwap(const CuteSimSite *site) {
  return strstr(site->name, ".cas") != NULL;
}

//===-- Special registers -------------------------------------------------===//

// By name; a thread's registers come before its block's.
typedef enum CuteSimRegister {
#define REGISTER(name, text) CUTE_SIM_##name,
#define REGISTER_BY_MODE(name, text)                                           \
  CUTE_SIM_##name##_X, CUTE_SIM_##name##_Y, CUTE_SIM_##name##_Z,
#define FIRST_OF_BLOCK                                                         \
  CUTE_SIM_THREAD_REGISTERS,                                                   \
      CUTE_SIM_LAST_OF_THREAD = CUTE_SIM_THREAD_REGISTERS - 1,
#include "hardware/special_register.def"
  CUTE_SIM_REGISTERS
} CuteSimRegister;

//===-- Threads -----------------------------------------------------------===//

typedef enum CuteSimState {
  CUTE_SIM_READY,
  CUTE_SIM_WAITING, // until another thread or a copy wakes it
  CUTE_SIM_DONE,
} CuteSimState;

// Compiled code reads the first three members.
struct CuteSimThread {
  int32_t registers[CUTE_SIM_THREAD_REGISTERS + 1];
  CuteSimBlock *block;
  char *sharedBase; // the block's window
  CuteSimWarp *warp;
  CuteSimCluster *cluster;
  CuteFiber fiber;
  char *stack;
  CuteSimState state;
  bool isLooking;              // at a breakpoint: what it reads is not checked
  bool isMultiplying;          // reads for a product of its warpgroup
  bool isSpinning;             // yields without waiting for anything
  const CuteSimSite *waitsAt;  // of one that waits
  uint64_t waitsFor[2];        // numbers for messages, by the operation
  const CuteSimSite *meetsAt;  // of a thread that does it for others
  const void *waitsOn;         // a barrier, if it waits at one
  int64_t clusterPhase;        // after that of the cluster's barrier at which
                               // it arrived; 0: it waits for none
  struct CuteSimClock *fenced; // what its last fence for the cluster releases
  struct CuteSimClock *seen; // by relaxed waits, which its next fence acquires
  bool hasFenced;            // in any scope
  // Its time, plus one, when it knew that the grids before this one have ended;
  // 0: it does not.
  uint32_t awaited;
  int index, lane; // in the block, in the warp
  // Groups of products that its warpgroup has committed, and that it has waited
  // for.
  uint32_t committed, waited;
  uint32_t products;      // of its warpgroup that it has come to
  uint32_t number, epoch; // in the cluster; its own time
  struct CuteSimClock *clock;
  // For an observer: the basic block that it waits to enter, the number of its
  // current one, and the lanes that are there with it.
  const CuteSimStep *parkedAt;
  uint64_t step;
  uint32_t stepLanes;
  // By the clock: its time, when what it publishes arrives, and where it
  // waited.
  double time, arrival;
  const CuteSimSite *waitedAt;
};

// Lanes that have come to an operation which they do together.
struct CuteSimGroup {
  CuteSimWarp *warp;
  const CuteSimSite *site; // null: the slot is free
  uint32_t mask, arrived;
  CuteSimGroupFunction *function;
  uint64_t *values[CUTE_SIM_WARP];
};

struct CuteSimWarp {
  CuteSimThread *threads; // of its lanes
  uint32_t lanes, done;   // that exist, and that have ended
  uint32_t busy, parked;  // that can run; that wait at basic blocks
  uint64_t steps;         // basic blocks that were entered
  double time;            // of the clock
  size_t latestEvent;     // of a trace, from 1; 0: none
  CuteSimGroup groups[CUTE_SIM_WARP];
};

// Goes through the lanes of a mask.
#define CUTE_SIM_FOR_LANES(i, lanes)                                           \
  for (int i = 0; i < CUTE_SIM_WARP; ++i)                                      \
    if ((lanes) >> i & 1)

static inline CuteSimOp cuteSimGroupGetOp(const CuteSimGroup *group, int lane) {
  return (CuteSimOp){&group->warp->threads[lane], group->site};
}

// Lanes of a warp that have come to a barrier in its phase by its last
// operation, and where.
typedef struct CuteSimBarrierLanes {
  const CuteSimSite *site; // null: none has
  uint32_t lanes;
} CuteSimBarrierLanes;

typedef struct CuteSimBarrier {
  // Lanes at operations that arrive and at operations that wait: a warp may
  // arrive in a phase, and wait for its end.
  CuteSimBarrierLanes warps[2][CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP];
  int arrived, expected; // threads; expected counts where it is not of all
  bool isOfAll;
  int64_t phase;
  int64_t count[2];           // of predicates in this phase and the one before
  struct CuteSimClock *clock; // of all that have arrived
} CuteSimBarrier;

enum { CUTE_SIM_SUMS = 64 };

// Threads of a warpgroup that have come to a product.
typedef struct CuteSimWarpgroup {
  const CuteSimSite *site;
  int arrived;
  uint64_t *values[4 * CUTE_SIM_WARP];
  // Its latest products with the groups that they are in, a ring.
  struct CuteSimSums {
    const CuteSimSite *product;
    uint32_t group;
  } sums[CUTE_SIM_SUMS];
  double ends[CUTE_SIM_SUMS]; // of its latest groups, by the clock
  unsigned numSums;           // so far
} CuteSimWarpgroup;

struct CuteSimBlock {
  int32_t registers[CUTE_SIM_REGISTERS];
  CuteSimCluster *cluster;
  char *shared; // its window
  int rank, numThreads, numDone;
  int64_t number; // in the grid
  CuteSimThread *threads;
  CuteSimWarp warps[CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP];
  CuteSimWarpgroup warpgroups[CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP / 4];
  CuteSimBarrier barriers[CUTE_SIM_BARRIERS];
  struct CuteSimClock *arrivals; // at the cluster's barrier, that it waited for
  double copiesEnd, productsEnd; // of the clock
  struct CuteSimTensorMemory *tensorMemory; // null: not used yet
  const CuteSimSite *refusedAt; // has read there that no cluster is left
  // The registers that setmaxnreg has given a thread of each warp; 0: not yet.
  int maxRegisters[CUTE_SIM_MAX_THREADS / CUTE_SIM_WARP];
  const CuteSimSite *maxRegistersAt; // the last; null: none
};

// A thread of the host with the blocks that it runs at a time.
struct CuteSimCluster {
  CuteSimRun *run;
  bool checks;    // of accesses
  int64_t number; // in the grid
  int numBlocks;
  CuteSimBlock *blocks;
  CuteSimThread *threads; // of all blocks, one after another
  char *windows;          // of their shared memory, one after another
  char *stacks;
  size_t stackBytes, stackSize; // of all, of one thread
  int *freeStacks, numFree;
  CuteFiber scheduler;
  CuteSimThread *current;           // null: the scheduler itself
  jmp_buf escape;                   // of what fails there
  bool isArriving;                  // a copy arrives
  int *ready, firstReady, numReady; // a ring of threads by number
  CuteSimBarrier barrier;           // of the cluster
  struct CuteSimClock *lastClock;   // of its last phase
  // Clocks of all arrivals, relaxed ones too, in this phase
  // and the last.
  struct CuteSimClock *arrivals, *lastArrivals;
  uint64_t numClocks;           // states of clocks so far
  uint64_t seed, random, ticks; // of the schedule; 0: threads in order
  int numPending;               // copies that have not arrived
  struct CuteSimPending *pending;
  struct CuteSimShadow *shadow;
  struct CutePointerMap *variables; // for synchronization; null: no checks
  struct CutePointerMap *phases;    // of mbarriers; null: no checks
  struct CuteSimTouch *touches;     // of other blocks' shared memory; or null
  bool hasFencedGlobal;             // by a proxy fence of global memory alone
  CuteSimObserver *observer;        // null: nothing is observed
};

static inline int cuteSimClusterGetThreads(const CuteSimCluster *cluster) {
  return cluster->numBlocks * cluster->blocks->numThreads;
}

// The rank of the block in whose shared memory an address lies; -1: of none.
static inline int cuteSimClusterGetRank(const CuteSimCluster *cluster,
                                        uint64_t address) {
  uint64_t offset = address - (uint64_t)(uintptr_t)cluster->windows;
  return offset < (uint64_t)cluster->numBlocks * CUTE_SIM_WINDOW
             ? (int)(offset / CUTE_SIM_WINDOW)
             : -1;
}

// The place that an address has in a block's shared memory, in another's.
static inline uint64_t cuteSimClusterGetPlace(const CuteSimCluster *cluster,
                                              int rank, uint64_t address) {
  return (uint64_t)(uintptr_t)cluster->windows +
         (uint64_t)rank * CUTE_SIM_WINDOW + address % CUTE_SIM_WINDOW;
}

// Tells whether an address lies in the local memory of a thread.
static inline bool cuteSimThreadHasLocal(const CuteSimThread *thread,
                                         uint64_t address) {
  return address - (uint64_t)(uintptr_t)thread->stack <
         thread->cluster->stackSize;
}

//===-- Runs --------------------------------------------------------------===//

// The thread that breaks, and how often it does until it stops.
typedef struct CuteSimBreak {
  int64_t block, thread, hits; // hits 0: no breakpoint
} CuteSimBreak;

typedef struct CuteSimOptions {
  uint64_t schedule; // 0: threads in their order
  double timeout;    // seconds; 0: none
  bool checks, seeksNan;
  bool wantsWhole;    // a tensor that is written in part is a mistake
  int arch;           // whose tensor cores it has: 90 for sm_90
  const char *blocks; // null: all
  CuteSimBreak breakAt;
} CuteSimOptions;

typedef struct CuteSimLaunch {
  void (*kernel)(void **parameters);
  void **parameters;
  unsigned grid[3], block[3], cluster[3];
  bool hasClusters;   // said by the launch or the kernel, of one block or more
  bool isCooperative; // all blocks run at once
  uint64_t meeting;   // memory in which such blocks wait for each other
  bool mayOverlap;    // begins before the grids before it have ended
  // Earlier grids that may not have ended; the launch adds its own. Null: not
  // tracked.
  struct CuteSimGlobalShadow **earlier;
  unsigned staticShared, dynamicShared;
  size_t localBytes; // that the kernel asks for of a thread's local memory
  size_t numTensors;
  const struct CuteSimTensor *tensors;  // that messages speak of
  struct CuteSimStatistics *statistics; // that it adds to; null: none
} CuteSimLaunch;

// Runs a kernel to its end. Fails with what stopped it, and with what was found
// on the way. Findings that matter only if the result is wrong become the
// notes.
CuteStatus cuteSimRun(const CuteSimLaunch *launch,
                      const CuteSimOptions *options, CuteString *notes);

// Ends the runs of all threads, as failures. For handlers of signals, too.
void cuteSimInterruptRuns(void);

//===-- For operations ----------------------------------------------------===//

// The thread that runs; null outside of threads.
CuteSimThread *cuteSimGetThread(void);

// Lets others run; a thread that only looks whether something has come.
void cuteSimYield(CuteSimThread *thread);

// Waits until it is woken; on a barrier, if not null.
void cuteSimWait(CuteSimOp op, const void *barrier);
void cuteSimWake(CuteSimThread *thread);

// Ends the run with a message on the running thread's place. Does not return.
// The operation's name replaces a '$' that begins the format.
_Noreturn void cuteSimFail(CuteSimOp op, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// The same for an operation whose name the simulator does not know; and the
// failure before the run.
_Noreturn void cuteSimFailUnknown(CuteSimOp op);
CuteStatus cuteSimUnknown(const CuteSimSite *site);

// Waits for the lanes of the mask that have not ended; the last of them calls
// the function for the group, with the values of all. Lanes meet at the same
// site.
void cuteSimTogether(CuteSimOp op, uint64_t *values, uint32_t mask,
                     CuteSimGroupFunction *function);

// The same for all lanes; none may have ended.
void cuteSimTogetherAll(CuteSimOp op, uint64_t *values,
                        CuteSimGroupFunction *function);

// A thread has ended: who waited for it need not any more.
void cuteSimWarpLeave(CuteSimThread *thread);
void cuteSimBarriersLeave(CuteSimThread *thread);

// A pseudo-random number below n, of the schedule.
uint32_t cuteSimRandom(CuteSimCluster *cluster, uint32_t n);
