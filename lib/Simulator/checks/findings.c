#include "Simulator/machine/launch_run.h"
#include "Support/arena.h"
#include "Support/growing_array.h"

//===-- Places ------------------------------------------------------------===//

void cuteSimAppendPlace(CuteString *text, const CuteSimSite *site) {
  if (site && site->file && site->line)
    cuteStringAppendFormat(text, "%s:%u:%u: ", site->file, site->line,
                           site->column);
}

// (x), (x, y) or (x, y, z): as many as the extents have beyond 1.
static void appendCoordinate(CuteString *text, const int32_t *x,
                             const int32_t *extents) {
  if (extents[1] == 1 && extents[2] == 1)
    cuteStringAppendFormat(text, "%d", x[0]);
  else if (extents[2] == 1)
    cuteStringAppendFormat(text, "(%d, %d)", x[0], x[1]);
  else
    cuteStringAppendFormat(text, "(%d, %d, %d)", x[0], x[1], x[2]);
}

void cuteSimAppendBlock(CuteString *text, const CuteSimBlock *block) {
  cuteStringAppend(text, "block ");
  appendCoordinate(text, &block->registers[CUTE_SIM_CTAID_X],
                   &block->registers[CUTE_SIM_NCTAID_X]);
}

void cuteSimAppendThread(CuteString *text, const CuteSimThread *thread) {
  cuteSimAppendBlock(text, thread->block);
  cuteStringAppend(text, ", thread ");
  appendCoordinate(text, &thread->registers[CUTE_SIM_TID_X],
                   &thread->block->registers[CUTE_SIM_NTID_X]);
}

//===-- Findings ----------------------------------------------------------===//

bool cuteSimFindIsOfPlace(const CuteSimSite *a, const CuteSimSite *b) {
  return a == b ||
         (a && b && a->line && a->line == b->line && a->column == b->column);
}

// The finding that is like this one; null if there is none. The caller has the
// lock.
static CuteSimFinding *findLike(CuteSimFindings *all, const CuteSimSite *site,
                                const CuteSimSite *other, const char *format) {
  for (size_t i = 0; i < all->count; ++i) {
    CuteSimFinding *f = &all->data[i];
    if (f->format == format && cuteSimFindIsOfPlace(f->site, site) &&
        cuteSimFindIsOfPlace(f->other, other))
      return f;
  }
  return NULL;
}

static void note(CuteSimRun *run, CuteSimFinding finding) {
  CuteSimFindings *all = &run->findings;
  pthread_mutex_lock(&run->lock);
  CuteSimFinding *like =
      findLike(all, finding.site, finding.other, finding.format);
  if (like) {
    int64_t count = like->count + 1;
    CUTE_FREED char *other = finding.text;
    if (finding.block < like->block)
      other = like->text, *like = finding;
    like->count = count;
  } else {
    CUTE_PUSH(all->data, all->count, all->capacity, finding);
  }
  pthread_mutex_unlock(&run->lock);
}

// Counts one more of a finding that is known, of this block or one before.
static bool isKnown(CuteSimRun *run, const CuteSimSite *site,
                    const CuteSimSite *other, const char *format,
                    int64_t block) {
  pthread_mutex_lock(&run->lock);
  CuteSimFinding *like = findLike(&run->findings, site, other, format);
  bool isOld = like && like->block <= block;
  if (isOld)
    ++like->count;
  pthread_mutex_unlock(&run->lock);
  return isOld;
}

void cuteSimFindV(CuteSimOp op, const CuteSimSite *other, CuteSimKind kind,
                  const char *format, va_list args) {
  CuteSimRun *run = op.thread->cluster->run;
  CuteString text = {0};
  if (isKnown(run, op.site, other, format, op.thread->block->number))
    return;
  cuteSimAppendPlace(&text, op.site);
  cuteSimAppendThread(&text, op.thread);
  cuteStringAppend(&text, ": ");
  if (*format == '$')
    cuteStringAppend(&text, cuteSimSiteGetName(op.site));
  cuteStringAppendFormatV(&text, format + (*format == '$'), args);
  note(run, (CuteSimFinding){op.site, other, format, kind, 1,
                             op.thread->block->number, text.data});
}

void cuteSimFind(CuteSimOp op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cuteSimFindV(op, NULL, CUTE_SIM_MISTAKE, format, args);
  va_end(args);
}

void cuteSimFindKind(CuteSimOp op, CuteSimKind kind, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cuteSimFindV(op, NULL, kind, format, args);
  va_end(args);
}

void cuteSimFindOfRun(CuteSimRun *run, CuteSimKind kind, const char *format,
                      ...) {
  CuteString text = {0};
  CUTE_APPEND_ARGUMENTS(&text, format);
  pthread_mutex_lock(&run->lock);
  CUTE_PUSH(run->findings.data, run->findings.count, run->findings.capacity,
            (CuteSimFinding){
                .format = format, .kind = kind, .count = 1, .text = text.data});
  pthread_mutex_unlock(&run->lock);
}

bool cuteSimFindingsHave(CuteSimRun *run, const char *start) {
  bool isFound = false;
  pthread_mutex_lock(&run->lock);
  for (size_t i = 0; i < run->findings.count; ++i)
    isFound |= !strncmp(run->findings.data[i].format, start, strlen(start));
  pthread_mutex_unlock(&run->lock);
  return isFound;
}

void cuteSimFindPair(CuteSimOp op, const CuteSimSite *other, const char *format,
                     ...) {
  va_list args;
  va_start(args, format);
  cuteSimFindV(op, other, CUTE_SIM_MISTAKE, format, args);
  va_end(args);
}

//===-- Guesses -----------------------------------------------------------===//

static bool isGuess(const CuteSimFindings *all, const CuteSimSite *a,
                    const CuteSimSite *b) {
  bool isKnown = false;
  for (size_t i = 0; a && b && i < all->numGuesses; ++i) {
    const CuteSimGuess *g = &all->guesses[i];
    isKnown |=
        (cuteSimFindIsOfPlace(a, g->read) &&
         cuteSimFindIsOfPlace(b, g->swap)) ||
        (cuteSimFindIsOfPlace(b, g->read) && cuteSimFindIsOfPlace(a, g->swap));
  }
  return isKnown;
}

void cuteSimFindGuess(CuteSimRun *run, CuteSimGuess guess) {
  CuteSimFindings *all = &run->findings;
  pthread_mutex_lock(&run->lock);
  if (!isGuess(all, guess.read, guess.swap))
    CUTE_PUSH(all->guesses, all->numGuesses, all->guessCapacity, guess);
  pthread_mutex_unlock(&run->lock);
}

// Makes races of guesses notes, which say how to write the read.
static void excuseGuesses(CuteSimFindings *all) {
  for (size_t i = 0; i < all->count; ++i) {
    CuteSimFinding *f = &all->data[i];
    if (strncmp(f->format, "race:", 5) || !isGuess(all, f->site, f->other))
      continue;
    CuteString text = {0};
    cuteStringAppendFormat(&text,
                           "%s; the compare-and-swap tests what was read: a "
                           "volatile or relaxed read needs no order",
                           f->text);
    free(f->text);
    f->text = text.data;
    f->kind = CUTE_SIM_NOTE;
  }
  free(all->guesses);
}

//===-- The end -----------------------------------------------------------===//

void cuteSimFindUnreachable(const CuteSimSite *site) {
  cuteSimFail((CuteSimOp){cuteSimGetThread(), site},
              "the program says that no thread gets here");
}

static void appendFinding(CuteString *text, const CuteSimFinding *f) {
  cuteStringAppendFormat(text, "%s%s", text->length ? "\n" : "", f->text);
  if (f->count > 1)
    cuteStringAppendFormat(text, " (and %jd times more)", f->count - 1);
}

// Tells whether a finding is a read before any write, at a place where a race
// says who writes.
static bool isRead(const CuteSimFindings *all, const CuteSimFinding *f) {
  bool races = false;
  for (size_t i = 0; i < all->count; ++i)
    races |= !strncmp(all->data[i].format, "race:", 5) &&
             (cuteSimFindIsOfPlace(all->data[i].site, f->site) ||
              cuteSimFindIsOfPlace(all->data[i].other, f->site));
  return races && !strncmp(f->format, "uninitialised: reads", 20);
}

// Puts mistakes before notes, and those before doubts, each in the order of
// time; drops doubts where there are mistakes at sites, or no results of them,
// and reads that race.
static void sort(CuteSimFindings *findings) {
  size_t n = findings->count, count = 0;
  bool hasSite = findings->dropsDoubts;
  CuteSimFinding *sorted = cuteAllocate(n * sizeof *sorted + 1);
  for (size_t i = 0; i < n; ++i)
    hasSite |=
        findings->data[i].kind == CUTE_SIM_MISTAKE && findings->data[i].site;
  for (CuteSimKind kind = CUTE_SIM_MISTAKE; kind < CUTE_SIM_KINDS; ++kind) {
    bool dropsAll = kind == CUTE_SIM_DOUBT && hasSite;
    for (size_t i = 0; i < n; ++i)
      if (findings->data[i].kind == kind &&
          (dropsAll || isRead(findings, &findings->data[i])))
        free(findings->data[i].text);
      else if (findings->data[i].kind == kind)
        sorted[count++] = findings->data[i];
    findings->mistakes = kind ? findings->mistakes : count;
  }
  free(findings->data);
  findings->data = sorted;
  findings->count = count;
}

// The first ones, and the last mistake, which may have ended the run.
CuteStatus cuteSimFindingsTake(CuteSimFindings *findings, CuteString *notes) {
  enum { MOST = 8 };
  CUTE_SCOPED(String) text = {0};
  excuseGuesses(findings);
  sort(findings);
  size_t n = findings->count, mistakes = findings->mistakes, shown = 0;
  for (size_t i = 0; i < n; ++i) {
    if (i < MOST || i + 1 == mistakes)
      appendFinding(&text, &findings->data[i]), ++shown;
    free(findings->data[i].text);
  }
  if (shown < n)
    cuteStringAppendFormat(&text, "\n%zu more are not shown", n - shown);
  free(findings->data);
  *findings = (CuteSimFindings){0};
  cuteStringClear(notes);
  if (mistakes)
    return cuteStatusCreate("%s", cuteStringGet(&text));
  cuteStringAppend(notes, cuteStringGet(&text));
  return NULL;
}
