#include "Prove/pipelines.h"

#include "Support/growing_array.h"
#include "Support/hash.h"

enum { MAX_BARRIERS = 16, MAX_FLIGHTS = 8, MAX_STATES = 1 << 17 };

// An mbarrier: the arrivals and bytes that its phase still waits for. A count
// of 0: not initialised.
typedef struct Mbarrier {
  int32_t count, pending, bytes, phase;
} Mbarrier;

// Something in flight: the node where it started plus one, a bit for each
// mbarrier that completes no sooner than it, and the number of groups that were
// committed since.
typedef struct Flight {
  uint16_t node, barriers;
  uint8_t kind, number;
} Flight;

typedef struct State {
  uint16_t nodes[CUTE_MAX_ROLES];
  Flight flights[CUTE_MAX_ROLES][MAX_FLIGHTS];
  Mbarrier barriers[MAX_BARRIERS];
} State;

// Actors are roles; or two, which are any threads of one role: they go the same
// way, together, until one goes ahead of the other up to the next barrier.
typedef struct Search {
  CutePipelines *pipelines;
  const CuteIntervals *intervals;
  size_t roles[CUTE_MAX_ROLES], numActors;
  bool isOneRole, *isReached; // by place
  State *states;
  size_t count, capacity;
  uint32_t *table; // hash -> number of a state plus one
  bool *isStale;   // of a state: it is to be walked, for the first time or anew
  uint64_t *before, *now; // bits of each state, and of the one that is made
  size_t words;           // 0: of one role
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

// Begins to make a state of another one.
static State makeOf(Search *search, size_t number) {
  if (search->words)
    memcpy(search->now, &search->before[number * search->words],
           search->words * sizeof *search->now);
  return search->states[number];
}

static void leave(Search *search, size_t place) {
  if (search->words)
    search->now[place / 64] |= UINT64_C(1) << place % 64;
}

// Takes from a set what is not in another. Tells whether there was something.
static bool meetSets(uint64_t *set, const uint64_t *other, size_t words) {
  bool is = false;
  for (size_t w = 0; w < words; ++w) {
    is |= set[w] & ~other[w];
    set[w] &= other[w];
  }
  return is;
}

// Adds a state that is new, or to which there is a way with less before.
static void addState(Search *search, const State *state) {
  size_t size = 2 * MAX_STATES;
  size_t at = cuteHashBytes((const char *)state, sizeof *state) % size;
  for (; search->table[at]; at = (at + 1) % size) {
    size_t number = search->table[at] - 1;
    if (memcmp(&search->states[number], state, sizeof *state))
      continue;
    search->isStale[number] |= meetSets(&search->before[number * search->words],
                                        search->now, search->words);
    return;
  }
  if (search->count == MAX_STATES) {
    fail(search, search->intervals->prover->kernel,
         "pipelines with many states");
    return;
  }
  if (search->words)
    memcpy(&search->before[search->count * search->words], search->now,
           search->words * sizeof *search->now);
  search->isStale[search->count] = true;
  CUTE_PUSH(search->states, search->count, search->capacity, *state);
  search->table[at] = (uint32_t)search->count;
}

static size_t placeOf(const Search *search, size_t actor, size_t node) {
  return search->roles[actor] * search->intervals->count + node;
}

//===-- Flights -----------------------------------------------------------===//

// The number of the mbarrier at an address.
static size_t barrierAt(Search *search, int64_t address, MlirOperation op) {
  size_t i = 0;
  while (i < search->numAddresses && search->addresses[i] != address)
    ++i;
  if (address < 0 || i == MAX_BARRIERS) {
    fail(search, op, "an mbarrier that is not of the thread and a ring alone");
    return 0;
  }
  search->addresses[i] = address;
  search->numAddresses += i == search->numAddresses;
  return i;
}

// Starts what an actor starts in its node, or the same anew.
static void start(Search *search, State *state, size_t actor) {
  for (size_t i = 0; i < search->pipelines->numStarts; ++i) {
    const CuteStart *s = &search->pipelines->starts[i];
    bool isLoad = s->flight == CUTE_FLIGHT_LOAD;
    bool isSole = isLoad || s->flight == CUTE_FLIGHT_TENSOR;
    if (s->role != search->roles[actor] || s->node != state->nodes[actor] ||
        (isSole && search->isOneRole))
      continue;
    if (isSole && search->intervals->roles.sizes[s->role] != 1)
      fail(search, s->op, "TMA or tcgen05 by one of many threads");
    size_t b = isLoad ? barrierAt(search, s->barrier, s->op) : 0;
    Flight new = {.node = (uint16_t)(s->node + 1),
                  .barriers = (uint16_t)(isLoad ? 1u << b : 0),
                  .kind = (uint8_t)s->flight};
    Flight *f = state->flights[actor], *end = f + MAX_FLIGHTS;
    while (f < end && f->node && (f->node != new.node || f->kind != new.kind))
      ++f;
    if (f == end)
      fail(search, s->op, "many groups in flight");
    else
      *f = new;
    state->barriers[b].bytes -= isLoad ? (int32_t)s->bytes : 0;
    if (state->barriers[b].bytes < 0)
      fail(search, s->op, "more bytes than the mbarrier expects");
  }
}

// Counts a committed group, or ends the flights that a wait or one of the
// mbarriers `barriers` completes.
static void stepFlights(Search *search, State *state, size_t actor,
                        CuteStepKind kind, CuteFlight flight, int64_t number,
                        unsigned barriers) {
  size_t count = 0;
  Flight *flights = state->flights[actor];
  for (size_t i = 0; i < MAX_FLIGHTS && flights[i].node; ++i) {
    Flight f = flights[i];
    bool isOfStep = f.kind == flight;
    bool ends = (isOfStep && kind == CUTE_STEP_WAIT && f.number > number) ||
                f.barriers & barriers;
    if (isOfStep && kind == CUTE_STEP_COMMIT && f.number < UINT8_MAX)
      ++f.number;
    flights[i] = (Flight){0};
    if (ends)
      leave(search,
            search->pipelines->places + placeOf(search, actor, f.node - 1u));
    else
      flights[count++] = f;
  }
}

static bool hasLoad(const Search *search, const State *state, size_t b) {
  for (size_t i = 0; i < search->numActors * MAX_FLIGHTS; ++i) {
    const Flight *f = &state->flights[i / MAX_FLIGHTS][i % MAX_FLIGHTS];
    if (f->barriers >> b & 1)
      return true;
  }
  return false;
}

// Begins the next phase of an mbarrier that has all arrivals and bytes, and of
// those for which no more is in flight then.
static void complete(Search *search, State *state, size_t b) {
  Mbarrier *barrier = &state->barriers[b];
  if (!barrier->count || barrier->pending || barrier->bytes)
    return;
  barrier->pending = barrier->count;
  barrier->phase = !barrier->phase;
  for (size_t a = 0; a < search->numActors; ++a)
    stepFlights(search, state, a, CUTE_STEP_FLOW, CUTE_FLIGHT_NONE, 0, 1u << b);
  for (size_t c = 0; c < search->numAddresses; ++c)
    if (!hasLoad(search, state, c))
      complete(search, state, c);
}

//===-- Steps -------------------------------------------------------------===//

// Has all that an actor's tensor core reads end before an mbarrier completes.
static void commit(Flight *flights, size_t b) {
  for (size_t i = 0; i < MAX_FLIGHTS; ++i)
    if (flights[i].kind == CUTE_FLIGHT_TENSOR)
      flights[i].barriers |= (uint16_t)(1u << b);
}

// Follows a step with an mbarrier; false where the actor has to wait.
static bool stepAt(Search *search, State *state, const CuteEdge *edge,
                   size_t actor, int64_t threads) {
  const CuteStep *step = edge->step;
  size_t b = barrierAt(search, edge->barrier, step->op);
  Mbarrier *barrier = &state->barriers[b];
  bool isInit = step->kind == CUTE_STEP_INIT;
  if (isInit ? barrier->count || step->number < 1 : !barrier->count)
    fail(search, step->op,
         isInit ? "an mbarrier that is initialised twice"
                : "an mbarrier that may not be initialised");
  if (step->kind == CUTE_STEP_TRY)
    return barrier->phase != edge->parity;
  if (isInit) {
    barrier->count = barrier->pending = (int32_t)step->number;
    return true;
  }
  if (step->flight == CUTE_FLIGHT_TENSOR)
    commit(state->flights[actor], b);
  barrier->pending -= (int32_t)threads;
  barrier->bytes += (int32_t)(threads * step->number);
  if (barrier->pending < 0)
    fail(search, step->op, "more arrivals than the mbarrier waits for");
  if (!hasLoad(search, state, b))
    complete(search, state, b);
  return true;
}

// Tells whether an actor meets no others at a step: a warpgroup of one role
// alone, or few of the threads of one.
static bool isSolo(const Search *search, const CuteStep *step, size_t actor) {
  int64_t threads = search->intervals->roles.sizes[search->roles[actor]];
  return step->kind != CUTE_STEP_MEET ||
         (search->isOneRole
              ? step->number < threads
              : step->id == CUTE_MEET_WARPGROUP && threads % step->number == 0);
}

static bool follow(Search *search, State *state, const CuteEdge *edge,
                   size_t actor) {
  int64_t threads = search->intervals->roles.sizes[search->roles[actor]];
  if (!cuteIntervalsHasNode(search->intervals, search->roles[actor],
                            edge->to) ||
      (edge->step->kind >= CUTE_STEP_INIT && !search->isOneRole &&
       !stepAt(search, state, edge, actor, threads)))
    return false;
  leave(search, placeOf(search, actor, state->nodes[actor]));
  stepFlights(search, state, actor, edge->step->kind, edge->step->flight,
              edge->step->number, 0);
  state->nodes[actor] = (uint16_t)edge->to;
  start(search, state, actor);
  return true;
}

// Lets actors pass a barrier at which all threads of it are.
static void meet(Search *search, size_t number, const CuteStep *step) {
  const CuteIntervals *all = search->intervals;
  State state = makeOf(search, number);
  int64_t threads = 0;
  for (size_t a = 0; a < search->numActors; ++a) {
    const CuteEdge *edge = &all->edges[all->firstEdge[state.nodes[a]]];
    const CuteEdge *end = &all->edges[all->firstEdge[state.nodes[a] + 1]];
    while (edge < end &&
           (edge->step->kind != CUTE_STEP_MEET || edge->step->id != step->id ||
            edge->step->number != step->number ||
            isSolo(search, edge->step, a)))
      ++edge;
    if (edge == end)
      continue;
    threads += all->roles.sizes[search->roles[a]];
    follow(search, &state, edge, a);
  }
  if (step->id == CUTE_MEET_WARPGROUP ? threads % step->number == 0
                                      : threads == step->number)
    addState(search, &state);
}

// Tells whether what an actor does next concerns no other, so that the order
// makes no difference.
static bool isLocal(const Search *search, const State *state, size_t actor) {
  const CuteIntervals *all = search->intervals;
  size_t node = state->nodes[actor], end = all->firstEdge[node + 1];
  bool is = !search->pipelines->isTouched[placeOf(search, actor, node)] &&
            all->firstEdge[node] < end;
  for (size_t i = all->firstEdge[node]; is && i < end; ++i) {
    const CuteStep *step = all->edges[i].step;
    is = (step->kind == CUTE_STEP_FLOW || step->kind == CUTE_STEP_COMMIT ||
          step->kind == CUTE_STEP_MEET) &&
         isSolo(search, step, actor);
  }
  return is;
}

static void walkActor(Search *search, size_t number, size_t actor) {
  const CuteIntervals *all = search->intervals;
  size_t node = search->states[number].nodes[actor];
  for (size_t i = all->firstEdge[node]; i < all->firstEdge[node + 1]; ++i) {
    const CuteEdge *edge = &all->edges[i];
    State state = makeOf(search, number);
    if (!isSolo(search, edge->step, actor))
      meet(search, number, edge->step);
    else if (follow(search, &state, edge, actor))
      addState(search, &state);
  }
}

// Advances two threads of a role together, or the first one ahead.
static void walkPair(Search *search, const State *from) {
  const CuteIntervals *all = search->intervals;
  size_t node = from->nodes[0];
  bool isTogether =
      from->nodes[1] == node &&
      !memcmp(from->flights[0], from->flights[1], sizeof from->flights[0]);
  for (size_t i = all->firstEdge[node]; i < all->firstEdge[node + 1]; ++i) {
    const CuteEdge *edge = &all->edges[i];
    State state = *from;
    if (!follow(search, &state, edge, 0))
      continue;
    if (isSolo(search, edge->step, 0))
      addState(search, &state);
    if (isTogether && follow(search, &state, edge, 1))
      addState(search, &state);
  }
}

// Fails if an actor ends while TMA may still read what it wrote.
static void checkEnd(Search *search, const State *state, size_t actor) {
  const CuteIntervals *all = search->intervals;
  const CuteStart *s = search->pipelines->starts;
  const Flight *flights = state->flights[actor];
  size_t node = state->nodes[actor];
  for (size_t i = 0; i < search->pipelines->numStarts; ++i, ++s)
    for (size_t f = 0; f < MAX_FLIGHTS; ++f)
      if (all->firstEdge[node] == all->firstEdge[node + 1] &&
          flights[f].kind == CUTE_FLIGHT_BULK &&
          s->flight == CUTE_FLIGHT_BULK && flights[f].node == s->node + 1)
        fail(search, s->op, "a copy that may be in flight when the block ends");
}

//===-- The search --------------------------------------------------------===//

// A place of an actor, of what is in flight if there is a kind.
typedef struct Thing {
  size_t actor, place;
  CuteFlight flight;
} Thing;

enum { MAX_THINGS = CUTE_MAX_ROLES * (MAX_FLIGHTS + 1) };

static size_t listThings(const Search *search, const State *state,
                         Thing *things) {
  size_t n = 0, nodes = search->intervals->count;
  for (size_t a = 0; a < search->numActors; ++a) {
    size_t first = search->roles[a] * nodes;
    const Flight *f = state->flights[a], *end = f + MAX_FLIGHTS;
    things[n++] = (Thing){a, first + state->nodes[a], CUTE_FLIGHT_NONE};
    for (; f < end && f->node; ++f)
      things[n++] = (Thing){a, search->pipelines->places + first + f->node - 1,
                            (CuteFlight)f->kind};
  }
  return n;
}

// Notes what is at once in a state. What an actor itself has in flight is, too,
// if others of its role may wait for it later, or if it ends with an mbarrier.
static void note(const Search *search, size_t number) {
  CutePipelines *p = search->pipelines;
  Thing things[MAX_THINGS];
  size_t n = listThings(search, &search->states[number], things);
  for (size_t i = 0; i < n; ++i)
    if (!things[i].flight) {
      search->isReached[things[i].place] = true;
      meetSets(&p->before[things[i].place * p->words],
               &search->before[number * search->words], search->words);
    }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      if (i != j && (things[i].actor != things[j].actor || search->isOneRole ||
                     things[i].flight >= CUTE_FLIGHT_LOAD ||
                     things[j].flight >= CUTE_FLIGHT_LOAD))
        p->isAtOnce[things[i].place * 2 * p->places + things[j].place] = true;
}

static void walkState(Search *search, size_t number) {
  State state = search->states[number];
  note(search, number);
  if (search->isOneRole) {
    walkPair(search, &state);
    return;
  }
  for (size_t a = 0; a < search->numActors; ++a)
    if (isLocal(search, &state, a)) {
      walkActor(search, number, a);
      return;
    }
  for (size_t a = 0; a < search->numActors; ++a) {
    checkEnd(search, &state, a);
    walkActor(search, number, a);
  }
  for (size_t b = 0; b < search->numAddresses; ++b) {
    State next = makeOf(search, number);
    complete(search, &next, b);
    if (hasLoad(search, &state, b))
      addState(search, &next);
  }
}

// Fails where roles never get to a node: what the search takes for a wait that
// does not end may be one that ends by what is not followed.
static void checkReached(Search *search) {
  const CuteIntervals *all = search->intervals;
  for (size_t p = 0; p < search->pipelines->places && !search->isOneRole; ++p)
    if (cuteIntervalsHasNode(all, p / all->count, p % all->count) &&
        !search->isReached[p])
      fail(search, all->prover->kernel, "a wait that may not end");
}

const char *cutePipelinesSearch(CutePipelines *pipelines, size_t role) {
  const CuteThreadRoles *roles = &pipelines->intervals->roles;
  bool isOneRole = role < roles->count;
  Search search = {.pipelines = pipelines,
                   .intervals = pipelines->intervals,
                   .isOneRole = isOneRole,
                   .numActors = isOneRole ? 2 : roles->count};
  for (size_t a = 0; a < search.numActors; ++a)
    search.roles[a] = isOneRole ? role : a;
  CUTE_FREED uint32_t *table = cuteAllocateZeros(2 * MAX_STATES, sizeof *table);
  CUTE_FREED bool *isReached = cuteAllocateZeros(pipelines->places + 1, 1);
  CUTE_FREED bool *isStale = cuteAllocateZeros(MAX_STATES, 1);
  search.words = isOneRole ? 0 : pipelines->words;
  CUTE_FREED uint64_t *before =
      cuteAllocateZeros(MAX_STATES + 1, (search.words + 1) * sizeof *before);
  search.table = table;
  search.isReached = isReached;
  search.isStale = isStale;
  search.before = before;
  search.now = before + MAX_STATES * search.words;
  State first;
  memset(&first, 0, sizeof first);
  for (size_t a = 0; a < search.numActors; ++a)
    start(&search, &first, a);
  addState(&search, &first);
  for (bool any = true; any && !search.reason;) {
    any = false;
    for (size_t i = 0; !search.reason && i < search.count; ++i)
      if (isStale[i]) {
        any = true;
        isStale[i] = false;
        walkState(&search, i);
      }
  }
  checkReached(&search);
  free(search.states);
  return search.reason;
}
