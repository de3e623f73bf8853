// cute-pipeline: a loop that copies tiles to shared memory by cp.async, waits
// for them and computes with them becomes a pipeline of `stages` tiles, which
// loads stages-1 tiles ahead, and fragments one k-block ahead (docs/passes.md).
#include "Transforms/pipeline/pipeline.h"

enum { MAX_STAGES = 16 };

static const char stagesAttribute[] = "cute.stages";

// A loop that this pass made.
static bool isDone(MlirOperation loop) {
  return !mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(
      loop, cuteMlirString(stagesAttribute)));
}

// Tells whether the body copies tiles itself, and not in front of a pipelined
// loop.
static bool hasFetch(CuteDialect *dialect, MlirOperation loop) {
  MlirBlock body = cuteMlirGetBody(loop, 0);
  bool has = false;
  CUTE_FOR_OPS(op, body) {
    if (cuteMlirIs(op, "scf.for") && isDone(op))
      return false;
    has |= cutePipelineIsFetch(dialect, op);
  }
  return has;
}

static void reportDone(MlirLocation location, const CutePipelineLoop *p,
                       int64_t asked, const CuteArch *arch) {
  if (p->stages < asked)
    cuteEmitRemark(location,
                   "%jd stages do not fit into the shared memory of %s", asked,
                   arch ? arch->name : "any architecture");
  if (p->blocks > 1)
    cuteEmitRemark(location,
                   "the loop has %jd stages, and loads fragments one of %jd "
                   "k-blocks ahead",
                   p->stages, p->blocks);
  else
    cuteEmitRemark(location, "the loop has %jd stages", p->stages);
}

static void reportObstacle(const CutePipelineLoop *p) {
  MlirStringRef name = cuteMlirGetName(p->culprit);
  CUTE_REMARK_AT(p->culprit, "the loop is not pipelined: '%.*s' %s",
                 CUTE_TEXT(name), p->obstacle);
}

static void pipeline(CuteDialect *dialect, MlirOperation loop, int64_t stages,
                     bool withFragments, const CuteArch *arch) {
  CutePipelineLoop p = {.dialect = dialect, .loop = loop, .stages = stages};
  MlirLocation location = mlirOperationGetLocation(loop);
  bool ok = cutePipelineMatch(&p) && (!arch || cutePipelineFitBytes(&p, arch));
  if (ok && withFragments)
    cutePipelineMatchFragments(&p);
  if (ok && cutePipelineBuild(&p))
    reportDone(location, &p, stages, arch);
  else
    reportObstacle(&p);
}

//===-- The pass ----------------------------------------------------------===//

typedef struct Search {
  CuteDialect *dialect;
  CuteOps loops;
} Search;

static MlirWalkResult findLoop(MlirOperation op, void *userData) {
  Search *search = userData;
  if (cuteMlirIs(op, "scf.for") && !isDone(op) && hasFetch(search->dialect, op))
    cuteOpsPush(&search->loops, op);
  return MlirWalkResultAdvance;
}

static bool takeStages(MlirOperation root, const char *text, int64_t *stages) {
  char *end;
  *stages = strtoll(text, &end, 10);
  if (*text && !*end && *stages >= 2 && *stages <= MAX_STAGES)
    return true;
  return CUTE_ERROR_AT(
      root, "cute-pipeline: stages=%.40s must be a number from 2 to %d", text,
      MAX_STAGES);
}

static bool takeFragments(MlirOperation root, const char *text, bool *is) {
  *is = !strcmp(text, "true");
  if (*is || !strcmp(text, "false"))
    return true;
  return CUTE_ERROR_AT(
      root, "cute-pipeline: fragments=%.40s must be true or false", text);
}

bool cuteRunPipeline(const CutePass *pass) {
  int64_t stages;
  bool withFragments;
  if (!takeStages(pass->root, cutePassGetOption(pass, "stages", "3"),
                  &stages) ||
      !takeFragments(pass->root, cutePassGetOption(pass, "fragments", "true"),
                     &withFragments) ||
      !cuteRunExpandTiles(pass))
    return false;
  Search search = {.dialect = pass->dialect};
  mlirOperationWalk(pass->root, findLoop, &search, MlirWalkPostOrder);
  for (size_t i = 0; i < search.loops.count; ++i)
    pipeline(pass->dialect, search.loops.data[i], stages, withFragments,
             cuteArchFind(cutePassGetOption(pass, "arch", "")));
  return true;
}
