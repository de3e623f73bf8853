// Dialect types as text, in the pretty and in the generic form.
#include "IR/type.h"
#include "Support/text.h"

//===-- Names -------------------------------------------------------------===//

static const char *const kindNames[] = {
    [CUTE_TYPE_INT_TUPLE] = "int_tuple",
    [CUTE_TYPE_SHAPE] = "shape",
    [CUTE_TYPE_STRIDE] = "stride",
    [CUTE_TYPE_COORD] = "coord",
    [CUTE_TYPE_TILE] = "tile",
    [CUTE_TYPE_LAYOUT] = "layout",
    [CUTE_TYPE_COMPOSED_LAYOUT] = "composed_layout",
    [CUTE_TYPE_SWIZZLE] = "swizzle",
    [CUTE_TYPE_PTR] = "ptr",
    [CUTE_TYPE_TENSOR] = "tensor",
    [CUTE_TYPE_COORD_TENSOR] = "coord_tensor",
    [CUTE_TYPE_STRUCT] = "struct",
    [CUTE_TYPE_MMA_ATOM] = "mma_atom",
    [CUTE_TYPE_COPY_ATOM] = "copy_atom",
    [CUTE_TYPE_TILED_MMA] = "tiled_mma",
    [CUTE_TYPE_TILED_COPY] = "tiled_copy",
    [CUTE_TYPE_TMA_ATOM] = "tma_atom",
    [CUTE_TYPE_PIPELINE] = "pipeline",
    [CUTE_TYPE_PIPELINE_STATE] = "pipeline_state",
    [CUTE_TYPE_FOREIGN] = "foreign",
};

// A row for each space: its name and LLVM's number for pointers to it.
static const struct {
  const char *name;
  unsigned number;
} spaces[CUTE_NUM_SPACES] = {
    [CUTE_GMEM] = {"gmem", 1},   [CUTE_SMEM] = {"smem", 3},
    [CUTE_RMEM] = {"rmem", 0},   [CUTE_DESC] = {"desc", 0},
    [CUTE_DSMEM] = {"dsmem", 7}, [CUTE_TMEM] = {"tmem", 6}};

static const char *const pipelineNames[] = {
    [CUTE_PIPE_TMA] = "tma",           [CUTE_PIPE_ASYNC] = "async",
    [CUTE_PIPE_CP_ASYNC] = "cp_async", [CUTE_PIPE_TMA_STORE] = "tma_store",
    [CUTE_PIPE_ORDER] = "order",       [CUTE_PIPE_TENSOR] = "tcgen05"};
static const char *const agentNames[] = {[CUTE_AGENT_THREAD] = "thread",
                                         [CUTE_AGENT_WARP] = "warp",
                                         [CUTE_AGENT_WARPGROUP] = "warpgroup",
                                         [CUTE_AGENT_TENSOR] = "tcgen05"};
static const char *const roleNames[] = {[CUTE_ROLE_PRODUCER] = "producer",
                                        [CUTE_ROLE_CONSUMER] = "consumer",
                                        [CUTE_ROLE_ORDER] = "order"};

const char *cutePipelineKindGetName(CutePipelineKind kind) {
  return pipelineNames[kind];
}
const char *cutePipelineAgentGetName(CutePipelineAgent agent) {
  return agentNames[agent];
}
const char *cutePipelineRoleGetName(CutePipelineRole role) {
  return roleNames[role];
}

const char *cuteTypeGetSpaceName(CuteSpace space) { return spaces[space].name; }

unsigned cuteTypeGetAddressSpace(CuteSpace space) {
  return spaces[space].number;
}

const char *cuteTypeKindGetName(CuteTypeKind kind) { return kindNames[kind]; }

bool cuteTypeKindFind(CuteStringRef name, CuteTypeKind *kind) {
  for (int i = 0; i < CUTE_NUM_TYPE_KINDS; ++i) {
    if (!cuteTextEquals(name, kindNames[i]))
      continue;
    *kind = (CuteTypeKind)i;
    return true;
  }
  return false;
}

//===-- Printing ----------------------------------------------------------===//

static void appendString(CuteString *text, CuteStringRef value) {
  cuteStringAppendChar(text, '"');
  cuteStringAppendBytes(text, value.data, value.length);
  cuteStringAppendChar(text, '"');
}

// element, space, alignment
static void appendMemory(CuteString *text, CuteType type, CuteTypeForm form) {
  const char *format = form == CUTE_FORM_PRETTY ? "%s, %s, align<%lld>"
                                                : "%s, \"%s\", %lld : i64";
  cuteStringAppendFormat(text, format, cuteElementTypeGetName(type->element),
                         spaces[type->space].name, (long long)type->align);
}

static void appendSwizzleString(CuteString *text, CuteSwizzle swizzle) {
  cuteStringAppendChar(text, '"');
  cuteAppendSwizzle(text, swizzle);
  cuteStringAppendChar(text, '"');
}

// Prints what follows the memory of a pointer: in the generic form always a
// string.
static void appendPointerSwizzle(CuteString *text, CuteSwizzle swizzle,
                                 CuteTypeForm form) {
  bool isGeneric = form == CUTE_FORM_GENERIC;
  if (isGeneric || swizzle.bits)
    cuteStringAppend(text, isGeneric ? ", \"" : ", ");
  if (swizzle.bits)
    cuteAppendSwizzle(text, swizzle);
  if (isGeneric)
    cuteStringAppendChar(text, '"');
}

static void appendLayoutString(CuteString *text, CuteLayout layout) {
  cuteStringAppendChar(text, '"');
  cuteAppendLayout(text, layout);
  cuteStringAppendChar(text, '"');
}

static void appendTileString(CuteString *text, CuteTile tile) {
  cuteStringAppendChar(text, '"');
  cuteAppendTile(text, tile);
  cuteStringAppendChar(text, '"');
}

static void appendTupleString(CuteString *text, CuteIntTuple tuple) {
  cuteStringAppendChar(text, '"');
  cuteAppendTuple(text, tuple);
  cuteStringAppendChar(text, '"');
}

static void appendAtom(CuteString *text, CuteType type) {
  bool isMma = cuteTypeGetMmaAtomValue(type);
  const char *name = isMma ? ((const CuteMmaAtom *)type->atom)->name
                           : ((const CuteCopyAtom *)type->atom)->name;
  appendString(text, cuteStringRef(name));
  if (!isMma)
    cuteStringAppendFormat(text, ", %s", cuteElementTypeGetName(type->element));
}

static void appendTiled(CuteString *text, CuteType type) {
  appendAtom(text, type);
  cuteStringAppend(text, ", ");
  appendLayoutString(text, type->layout);
  cuteStringAppend(text, ", ");
  appendTileString(text, type->tile);
}

// atom, element, "swizzle", "box", "values", and how many thread blocks share
// it
static void appendTma(CuteString *text, CuteType type, CuteTypeForm form) {
  appendAtom(text, type);
  cuteStringAppend(text, ", \"");
  if (type->swizzle.bits)
    cuteAppendSwizzle(text, type->swizzle);
  cuteStringAppend(text, "\", ");
  appendLayoutString(text, type->layout);
  cuteStringAppend(text, ", ");
  appendLayoutString(text, type->tile->layout);
  if (form == CUTE_FORM_GENERIC)
    cuteStringAppendFormat(text, ", %jd : i64", type->ctas);
  else if (type->ctas > 1)
    cuteStringAppendFormat(text, ", ctas<%jd>", type->ctas);
}

static void appendNumber(CuteString *text, const char *name, int64_t n,
                         CuteTypeForm form) {
  if (form == CUTE_FORM_GENERIC)
    cuteStringAppendFormat(text, ", %jd : i64", n);
  else
    cuteStringAppendFormat(text, ", %s<%jd>", name, n);
}

// kind, stages, producers, consumers, agent, bytes, "mask"
static void appendPipeline(CuteString *text, CuteType type, CuteTypeForm form) {
  CutePipeline p = cuteTypeGetPipelineValue(type);
  appendString(text, cuteStringRef(pipelineNames[p.kind]));
  appendNumber(text, "stages", p.stages, form);
  appendNumber(text, "producers", p.producers, form);
  appendNumber(text, "consumers", p.consumers, form);
  cuteStringAppend(text, ", ");
  appendString(text, cuteStringRef(agentNames[p.agent]));
  appendNumber(text, "bytes", p.bytes, form);
  cuteStringAppend(text, ", \"");
  if (p.mask)
    cuteAppendTuple(text, p.mask);
  cuteStringAppendChar(text, '"');
}

static void appendState(CuteString *text, CuteType type, CuteTypeForm form) {
  appendString(text, cuteStringRef(roleNames[type->space]));
  appendNumber(text, "stages", type->pipeline.stages, form);
}

static void appendParameters(CuteString *text, CuteType type,
                             CuteTypeForm form) {
  switch ((CuteTypeKind)type->kind) {
  case CUTE_TYPE_INT_TUPLE:
  case CUTE_TYPE_SHAPE:
  case CUTE_TYPE_STRIDE:
  case CUTE_TYPE_COORD:
    appendTupleString(text, type->tuple);
    return;
  case CUTE_TYPE_LAYOUT:
  case CUTE_TYPE_COMPOSED_LAYOUT:
    appendLayoutString(text, type->layout);
    return;
  case CUTE_TYPE_TILE:
    appendTileString(text, type->tile);
    return;
  case CUTE_TYPE_SWIZZLE:
    appendSwizzleString(text, type->swizzle);
    return;
  case CUTE_TYPE_PTR:
    appendMemory(text, type, form);
    appendPointerSwizzle(text, type->swizzle, form);
    return;
  case CUTE_TYPE_STRUCT:
    appendString(text, type->foreign);
    return;
  case CUTE_TYPE_TENSOR:
    appendMemory(text, type, form);
    cuteStringAppend(text, ", ");
    appendLayoutString(text, type->layout);
    return;
  case CUTE_TYPE_COORD_TENSOR:
    appendTupleString(text, type->tuple);
    cuteStringAppend(text, ", ");
    appendLayoutString(text, type->layout);
    return;
  case CUTE_TYPE_MMA_ATOM:
  case CUTE_TYPE_COPY_ATOM:
    appendAtom(text, type);
    return;
  case CUTE_TYPE_TILED_MMA:
  case CUTE_TYPE_TILED_COPY:
    appendTiled(text, type);
    return;
  case CUTE_TYPE_TMA_ATOM:
    appendTma(text, type, form);
    return;
  case CUTE_TYPE_PIPELINE:
    appendPipeline(text, type, form);
    return;
  case CUTE_TYPE_PIPELINE_STATE:
    appendState(text, type, form);
    return;
  case CUTE_TYPE_FOREIGN:
    return;
  }
}

void cuteAppendType(CuteString *text, CuteType type, CuteTypeForm form) {
  if (type->kind == CUTE_TYPE_FOREIGN) {
    cuteStringAppendBytes(text, type->foreign.data, type->foreign.length);
    return;
  }
  cuteStringAppend(text, "!cute.");
  cuteStringAppend(text, kindNames[type->kind]);
  cuteStringAppendChar(text, '<');
  appendParameters(text, type, form);
  cuteStringAppendChar(text, '>');
}

const char *cuteTypeText(CuteContext c, CuteType type) {
  CuteString text = {0};
  cuteAppendType(&text, type, CUTE_FORM_PRETTY);
  return cuteArenaTakeString(&c->scratch, &text);
}

void cuteTypePrint(CuteType type, CuteTypeForm form,
                   CuteStringCallback callback, void *userData) {
  CUTE_SCOPED(String) text = {0};
  cuteAppendType(&text, type, form);
  callback(cuteStringGetRef(&text), userData);
}
