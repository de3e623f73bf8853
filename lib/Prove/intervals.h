// Tells where the threads of a role may be, for any trip counts.
//
// The kernel is cut into segments. A loop whose body has several is followed
// for the rounds in which it does different things: a ring of stages comes
// again after its period. A segment in such rounds is a node; steps are its
// edges.
#pragma once

#include "Prove/walk.h"

enum { CUTE_MAX_ROLES = 8 };

// Roles: threads of a block that take the same way through the kernel.
typedef struct CuteThreadRoles {
  int *ofThread;
  int64_t sizes[CUTE_MAX_ROLES], firstThread[CUTE_MAX_ROLES];
  size_t count;
} CuteThreadRoles;

typedef struct CuteEdge {
  size_t from, to;
  const CuteStep *step;
  int64_t barrier; // where the mbarrier is; -1: not known
  int64_t parity;
} CuteEdge;

typedef struct CuteIntervals {
  CuteProver *prover;
  CuteThreadRoles roles;
  size_t *first; // node of each segment
  size_t *owner; // segment of each node
  size_t count;
  bool *hasNode;   // a role gets to a node: [role * count + node]
  CuteEdge *edges; // sorted by the node that they are from; to be freed
  size_t numEdges, edgeCapacity;
  size_t *firstEdge; // of each node, and the end
} CuteIntervals;

// Tells whether the rounds of a loop are counted.
typedef bool CuteRoundCounts(const CuteRound *round);

// Counts the rounds of loops that are counted, all together; 0: more than
// `most`.
int64_t cuteIntervalsCountRounds(const CuteRound *rounds,
                                 CuteRoundCounts *counts, int64_t most);

// Sets the indices of a block's thread and the counted rounds (if any) by one
// number; nothing else has a value.
void cuteIntervalsSetCase(CuteValues *values, const CuteProver *prover,
                          const CuteRound *rounds, CuteRoundCounts *counts,
                          int64_t number);

// Tells whether each comparison in a condition is of the thread alone or the
// same in all threads, so that it parts them into roles.
bool cuteIntervalsPart(CuteCondition condition);

// Makes the nodes. Gives the reason where there are too many, or null.
const char *cuteIntervalsMake(CuteIntervals *intervals, CuteProver *prover);

// Tells whether the threads of a role get to a node.
static inline bool cuteIntervalsHasNode(const CuteIntervals *intervals,
                                        size_t role, size_t node) {
  return intervals->hasNode[role * intervals->count + node];
}

// The number of the round of a loop that a node is in: the least one of all
// that do the same.
int64_t cuteIntervalsGetRound(const CuteIntervals *intervals, size_t node,
                              const CuteRound *round);

// A table for cuteTermRename that replaces the numbers of loops' rounds: of one
// that a node is in by its number, of those a period apart by all of them.
CuteRenaming cuteIntervalsGetRounds(const CuteIntervals *intervals,
                                    size_t node);
