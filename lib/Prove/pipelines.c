#include "Prove/pipelines.h"

#include "Support/growing_array.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_BARRIERS = 16, MAX_FLIGHTS = 4, MAX_STATES = 1 << 17 };
enum { MAX_PLACES = 3072, MAX_THINGS = 128 };

// An mbarrier: the arrivals and bytes that its phase still waits for, and the
// places of the loads that are on their way.
typedef struct Mbarrier {
  int32_t count, pending, bytes; // a count of 0: not initialised
  uint8_t phase, numLoads;
  uint16_t loads[MAX_FLIGHTS], unused;
} Mbarrier;

// Something that a role has in flight: the node where it started plus one, the
// kind, and the groups that were committed since.
typedef struct Flight {
  uint16_t node;
  uint8_t kind, commits;
} Flight;

typedef struct State {
  uint16_t nodes[CUTE_MAX_ROLES];
  Flight flights[CUTE_MAX_ROLES][MAX_FLIGHTS];
  Mbarrier barriers[MAX_BARRIERS];
} State;

typedef struct Search {
  CutePipelines *pipelines;
  const CuteIntervals *intervals;
  State *states;
  size_t count, capacity;
  uint32_t *table; // hash -> number of a state plus one
  int64_t addresses[MAX_BARRIERS];
  size_t numAddresses;
  const char *reason;
} Search;

static void fail(Search *search, MlirOperation op, const char *reason) {
  if (search->reason)
    return;
  search->reason = reason;
  search->pipelines->op = op;
}

//===-- States ------------------------------------------------------------===//

static size_t hashOf(const State *state) {
  const unsigned char *bytes = (const unsigned char *)state;
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < sizeof *state; ++i)
    hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  return (size_t)(hash ^ hash >> 29);
}

// Adds a state that is new.
static void addState(Search *search, const State *state) {
  size_t size = 2 * MAX_STATES, at = hashOf(state) % size;
  for (; search->table[at]; at = (at + 1) % size)
    if (!memcmp(&search->states[search->table[at] - 1], state, sizeof *state))
      return;
  if (search->count == MAX_STATES) {
    fail(search, search->intervals->prover->kernel,
         "pipelines with many states");
    return;
  }
  CUTE_PUSH(search->states, search->count, search->capacity, *state);
  search->table[at] = (uint32_t)search->count;
}

static Mbarrier *barrierAt(Search *search, State *state, int64_t address,
                           MlirOperation op) {
  size_t i = 0;
  while (i < search->numAddresses && search->addresses[i] != address)
    ++i;
  if (address < 0 || i == MAX_BARRIERS) {
    fail(search, op, "an mbarrier that is not of the thread and a ring alone");
    return NULL;
  }
  if (i == search->numAddresses)
    search->addresses[search->numAddresses++] = address;
  return &state->barriers[i];
}

// Begins the next phase of mbarriers that have all arrivals and bytes and no
// loads on their way.
static void complete(Mbarrier *barrier) {
  if (!barrier->count || barrier->pending || barrier->bytes)
    return;
  *barrier = (Mbarrier){.count = barrier->count,
                        .pending = barrier->count,
                        .phase = !barrier->phase};
}

static void startLoad(Search *search, State *state, const CuteStart *load) {
  Mbarrier *barrier = barrierAt(search, state, load->barrier, load->op);
  uint16_t place =
      (uint16_t)(load->role * search->intervals->count + load->node);
  if (!barrier)
    return;
  barrier->bytes -= (int32_t)load->bytes;
  if (barrier->bytes < 0 || barrier->numLoads == MAX_FLIGHTS)
    fail(search, load->op, "more bytes than the mbarrier expects");
  else if (!barrier->numLoads || barrier->loads[barrier->numLoads - 1] != place)
    barrier->loads[barrier->numLoads++] = place;
}

// Adds to what is in flight, or starts the same anew.
static void startGroup(Search *search, State *state, const CuteStart *start) {
  Flight *flights = state->flights[start->role];
  Flight new = {(uint16_t)(start->node + 1), (uint8_t)start->flight, 0};
  size_t i = 0;
  while (i < MAX_FLIGHTS && flights[i].node &&
         (flights[i].node != new.node || flights[i].kind != new.kind))
    ++i;
  if (i == MAX_FLIGHTS)
    fail(search, start->op, "many groups in flight");
  else
    flights[i] = new;
}

// Starts what a role starts in its node.
static void start(Search *search, State *state, size_t role) {
  const CutePipelines *p = search->pipelines;
  for (size_t i = 0; i < p->numStarts; ++i) {
    const CuteStart *s = &p->starts[i];
    if (s->role == role && s->node == state->nodes[role])
      (s->flight == CUTE_FLIGHT_LOAD ? startLoad : startGroup)(search, state,
                                                               s);
  }
}

// Counts a group that is committed, or ends those that were waited for.
static void stepGroups(Flight *flights, const CuteStep *step) {
  size_t count = 0;
  for (size_t i = 0; i < MAX_FLIGHTS && flights[i].node; ++i) {
    Flight f = flights[i];
    bool isOfStep = f.kind == step->flight;
    if (isOfStep && step->kind == CUTE_STEP_COMMIT && f.commits < UINT8_MAX)
      ++f.commits;
    flights[i] = (Flight){0};
    if (!isOfStep || step->kind != CUTE_STEP_WAIT || f.commits <= step->number)
      flights[count++] = f;
  }
}

//===-- Steps -------------------------------------------------------------===//

// Follows a step of a role with an mbarrier; false where the role has to wait.
static bool stepAt(Search *search, State *state, const CuteEdge *edge,
                   size_t role) {
  const CuteStep *step = edge->step;
  int64_t threads = search->intervals->roles.sizes[role];
  Mbarrier *barrier = barrierAt(search, state, edge->barrier, step->op);
  if (!barrier)
    return false;
  if (step->kind == CUTE_STEP_INIT) {
    if (barrier->count || step->number < 1 || step->number > INT32_MAX)
      fail(search, step->op, "an mbarrier that is initialised twice");
    *barrier = (Mbarrier){.count = (int32_t)step->number,
                          .pending = (int32_t)step->number};
    return true;
  }
  if (!barrier->count) {
    fail(search, step->op, "an mbarrier that may not be initialised");
    return false;
  }
  if (step->kind == CUTE_STEP_TRY)
    return barrier->phase != edge->parity;
  barrier->pending -= (int32_t)threads;
  barrier->bytes += (int32_t)(threads * step->number);
  if (barrier->pending < 0)
    fail(search, step->op, "more arrivals than the mbarrier waits for");
  if (!barrier->numLoads)
    complete(barrier);
  return true;
}

static bool isSolo(const CuteStep *step, int64_t threads) {
  return step->kind != CUTE_STEP_MEET ||
         (step->id == CUTE_MEET_WARPGROUP && threads % step->number == 0);
}

// Follows an edge of one role.
static void walk(Search *search, const State *from, const CuteEdge *edge,
                 size_t role) {
  State state = *from;
  if (edge->step->kind >= CUTE_STEP_INIT && !stepAt(search, &state, edge, role))
    return;
  stepGroups(state.flights[role], edge->step);
  state.nodes[role] = (uint16_t)edge->to;
  start(search, &state, role);
  addState(search, &state);
}

// The edge of a role that meets others at a barrier; null: it is not there.
static const CuteEdge *meetingOf(const Search *search, const State *state,
                                 size_t role, const CuteStep *like) {
  const CuteIntervals *all = search->intervals;
  size_t node = state->nodes[role];
  const CuteEdge *edge = &all->edges[all->firstEdge[node]];
  return all->firstEdge[node] < all->firstEdge[node + 1] &&
                 edge->step->kind == CUTE_STEP_MEET &&
                 edge->step->id == like->id &&
                 edge->step->number == like->number &&
                 !isSolo(edge->step, all->roles.sizes[role])
             ? edge
             : NULL;
}

// Lets roles pass a barrier at which all threads of it are.
static void meet(Search *search, const State *from, const CuteStep *step) {
  State state = *from;
  int64_t threads = 0;
  for (size_t r = 0; r < search->intervals->roles.count; ++r) {
    const CuteEdge *edge = meetingOf(search, from, r, step);
    threads += edge ? search->intervals->roles.sizes[r] : 0;
    if (edge)
      state.nodes[r] = (uint16_t)edge->to;
  }
  bool isAll = step->id == CUTE_MEET_WARPGROUP ? threads % step->number == 0
                                               : threads == step->number;
  for (size_t r = 0; isAll && r < search->intervals->roles.count; ++r)
    if (state.nodes[r] != from->nodes[r])
      start(search, &state, r);
  if (isAll)
    addState(search, &state);
}

// Tells whether what a role does after a node concerns no other, so that the
// order makes no difference.
static bool isLocal(const Search *search, size_t role, size_t node) {
  const CuteIntervals *all = search->intervals;
  bool is = !search->pipelines->isTouched[role * all->count + node] &&
            all->firstEdge[node] < all->firstEdge[node + 1];
  for (size_t i = all->firstEdge[node]; is && i < all->firstEdge[node + 1]; ++i)
    is = all->edges[i].step->kind < CUTE_STEP_INIT &&
         all->edges[i].step->kind != CUTE_STEP_BACK &&
         all->edges[i].step->kind != CUTE_STEP_WAIT &&
         isSolo(all->edges[i].step, all->roles.sizes[role]);
  return is;
}

static void walkRole(Search *search, const State *state, size_t role) {
  const CuteIntervals *all = search->intervals;
  size_t node = state->nodes[role];
  for (size_t i = all->firstEdge[node]; i < all->firstEdge[node + 1]; ++i) {
    const CuteEdge *edge = &all->edges[i];
    if (!isSolo(edge->step, all->roles.sizes[role]))
      meet(search, state, edge->step);
    else if (cuteIntervalsHasNode(all, role, edge->to))
      walk(search, state, edge, role);
  }
}

static void walkLoads(Search *search, const State *from) {
  for (size_t b = 0; b < search->numAddresses; ++b) {
    State state = *from;
    complete(&state.barriers[b]);
    if (from->barriers[b].numLoads)
      addState(search, &state);
  }
}

//===-- The search --------------------------------------------------------===//

// A place, of what is in flight if there is a kind.
typedef struct Thing {
  size_t role, node;
  CuteFlight flight;
} Thing;

static size_t listThings(const Search *search, const State *state,
                         Thing *things) {
  size_t n = 0, nodes = search->intervals->count;
  for (size_t r = 0; r < search->intervals->roles.count; ++r) {
    things[n++] = (Thing){r, state->nodes[r], CUTE_FLIGHT_NONE};
    for (size_t i = 0; i < MAX_FLIGHTS && state->flights[r][i].node; ++i)
      things[n++] = (Thing){r, state->flights[r][i].node - 1u,
                            (CuteFlight)state->flights[r][i].kind};
  }
  for (size_t b = 0; b < search->numAddresses; ++b)
    for (size_t l = 0; l < state->barriers[b].numLoads; ++l)
      things[n++] =
          (Thing){state->barriers[b].loads[l] / nodes,
                  state->barriers[b].loads[l] % nodes, CUTE_FLIGHT_LOAD};
  return n;
}

// Notes what is at once in a state.
static void note(const Search *search, const State *state) {
  CutePipelines *p = search->pipelines;
  Thing things[MAX_THINGS];
  size_t n = listThings(search, state, things), at[MAX_THINGS];
  for (size_t i = 0; i < n; ++i)
    at[i] = things[i].role * search->intervals->count + things[i].node +
            (things[i].flight ? p->places : 0);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i != j && (things[i].role != things[j].role ||
                     things[i].flight == CUTE_FLIGHT_LOAD ||
                     things[j].flight == CUTE_FLIGHT_LOAD))
        p->isAtOnce[at[i] * 2 * p->places + at[j]] = true;
}

// Fails if a role ends while TMA may still read what it wrote.
static void checkEnd(Search *search, const State *state, size_t role) {
  const CuteIntervals *all = search->intervals;
  size_t node = state->nodes[role];
  for (size_t i = 0; i < search->pipelines->numStarts; ++i) {
    const CuteStart *s = &search->pipelines->starts[i];
    for (size_t f = 0; f < MAX_FLIGHTS; ++f)
      if (all->firstEdge[node] == all->firstEdge[node + 1] && s->role == role &&
          s->flight == CUTE_FLIGHT_BULK &&
          state->flights[role][f].node == s->node + 1)
        fail(search, s->op, "a copy that may be in flight when the block ends");
  }
}

static void walkState(Search *search, size_t number) {
  State state = search->states[number];
  size_t roles = search->intervals->roles.count;
  note(search, &state);
  for (size_t r = 0; r < roles; ++r)
    if (isLocal(search, r, state.nodes[r])) {
      walkRole(search, &state, r);
      return;
    }
  for (size_t r = 0; r < roles; ++r) {
    checkEnd(search, &state, r);
    walkRole(search, &state, r);
  }
  walkLoads(search, &state);
}

const char *cutePipelinesSearch(CutePipelines *pipelines) {
  Search search = {.pipelines = pipelines, .intervals = pipelines->intervals};
  size_t places = search.intervals->count * search.intervals->roles.count;
  if (places > MAX_PLACES)
    return "pipelines with many states";
  pipelines->places = places;
  pipelines->isAtOnce = cuteAllocate(4 * places * places);
  memset(pipelines->isAtOnce, 0, 4 * places * places);
  search.table = cuteAllocate(2 * MAX_STATES * sizeof *search.table);
  memset(search.table, 0, 2 * MAX_STATES * sizeof *search.table);
  State start;
  memset(&start, 0, sizeof start);
  addState(&search, &start);
  for (size_t i = 0; !search.reason && i < search.count; ++i)
    walkState(&search, i);
  free(search.states);
  free(search.table);
  return search.reason;
}

void cutePipelinesDestroy(CutePipelines *pipelines) {
  free(pipelines->isAtOnce);
}
