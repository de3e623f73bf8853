// Pictures below a line of the page: its requests, and the layouts that they go
// by.
#include "Calculator/pictures/picture.h"
#include "IR/type.h"
#include "SimulatedDevice/report/report_parts.h"
#include "SimulatedDevice/translate/memory_description.h"
#include "Simulator/machine/resources.h"

// The tensor in shared memory that a request goes to; null: none is known.
static const CuteSimTensor *findTensor(const CuteSimReport *report,
                                       const CuteSimRequest *request) {
  const CuteSimTensor *best = NULL;
  uint64_t at = (uint64_t)request->addresses[__builtin_ctz(request->lanes)];
  for (size_t i = 0; i < report->numTensors; ++i) {
    const CuteSimTensor *t = &report->tensors[i];
    if (t->isShared && t->start <= at && (!best || t->start > best->start))
      best = t;
  }
  return best;
}

static void appendFigure(CuteString *text, const char *what, CuteString *name,
                         const CuteString *picture) {
  cuteStringAppendFormat(text, "<figure><figcaption>%s", what);
  cuteStringAppend(text, "<br><code>");
  cuteAppendXml(text, cuteStringGet(name));
  cuteStringAppend(text, "</code></figcaption>\n");
  cuteStringAppend(text, cuteStringGet(picture));
  cuteStringAppend(text, "</figure>\n");
}

static bool appendTensor(CuteContext c, const CuteSimTensor *tensor,
                         const CuteSimRequest *request, const char *what,
                         CuteString *text) {
  CUTE_SCOPED(String) picture = {0}, name = {0};
  if (!tensor || !cuteLayoutPictureDrawTensor(c, tensor, request, &picture))
    return false;
  cuteAppendLayout(&name, tensor->layout);
  appendFigure(text, what, &name, &picture);
  return true;
}

// False where it has only bytes, which the kernel reinterprets.
static bool appendAllocation(const CuteSimReport *report, CuteContext c,
                             const CuteSimRequest *request, CuteString *text) {
  enum { RAW = 8 };
  const CuteSimTensor *tensor = findTensor(report, request);
  CUTE_SCOPED(String) what = {0};
  if (tensor && tensor->bits == RAW && request->bytes > 1)
    tensor = NULL;
  if (tensor)
    cuteStringAppendFormat(
        &what,
        "where the lanes of this request (L0, L1, ...) go in the tensor of <a "
        "href=\"#L%u\">line %u</a>; cells of one colour are in one bank",
        tensor->number, tensor->number);
  return appendTensor(c, tensor, request, cuteStringGet(&what), text);
}

static void appendCopy(CuteContext c, CuteType type, CuteString *text) {
  CUTE_SCOPED(String) picture = {0}, name = {0};
  if (cuteLayoutPictureDrawCopy(c, cuteTypeGetTiledCopyValue(type), &picture)) {
    cuteAppendType(&name, type, CUTE_FORM_PRETTY);
    appendFigure(text, "the tiled copy: thread and value of each element",
                 &name, &picture);
  }
}

// A tensor that is not an allocation: nobody knows where it begins.
static void appendView(CuteContext c, CuteType type, CuteString *text) {
  CuteSimTensor tensor = {
      .isShared = true,
      .layout = cuteTypeGetLayoutValue(type),
      .bits = (unsigned)cuteElementTypeGetBits(cuteTypeGetElement(type))};
  appendTensor(
      c, &tensor, NULL,
      "the tensor in shared memory; cells of one colour are in one bank", text);
}

// Types with layouts that the module names for a line.
static void appendTypes(const CuteSimReport *report, CuteContext c,
                        unsigned line, bool hasTensor, CuteString *text) {
  size_t at = 0;
  CuteType type, before = NULL;
  while ((type = cuteSimMemoryNextLayout(report->kernel->memory, line, &at))) {
    if (type != before && cuteTypeGetKind(type) == CUTE_TYPE_TILED_COPY)
      appendCopy(c, type, text);
    else if (type != before && !hasTensor &&
             !cuteLayoutGetNumDynamic(cuteTypeGetLayoutValue(type)))
      appendView(c, type, text);
    before = type;
  }
}

static void appendLayouts(const CuteSimReport *report, CuteContext c,
                          unsigned line, int traffic,
                          const CuteSimTrafficCounts *t, CuteString *text) {
  bool isShared = cuteSimTrafficIsShared(traffic);
  bool hasTensor = isShared && appendAllocation(report, c, &t->worst, text);
  if (cuteSimTrafficIsCostly(t))
    appendTypes(report, c, line, hasTensor || !isShared, text);
}

static void appendRequest(CuteContext c, int traffic,
                          const CuteSimTrafficCounts *t, CuteString *text) {
  bool isShared = cuteSimTrafficIsShared(traffic);
  cuteStringAppend(text, isShared
                             ? "<figure><figcaption>lanes by bank; a row is a "
                               "wavefront</figcaption>\n"
                             : "<figure><figcaption>lanes by word of 4 bytes; "
                               "8 words are a sector</figcaption>\n");
  cuteRequestDraw(c, &t->worst, isShared, text);
  cuteStringAppend(text, "</figure>\n");
}

void cuteReportAppendFigures(const CuteSimReport *report,
                             const CuteSimReportLine *line, CuteString *text) {
  CuteSimResources *resources = report->kernel->resources;
  CuteContext c = resources->context;
  pthread_mutex_lock(&resources->lock);
  for (int i = 0; i < CUTE_SIM_TRAFFICS; ++i) {
    const CuteSimTrafficCounts *t = &line->counts->traffic[i];
    if (!t->requests)
      continue;
    cuteStringAppendFormat(text,
                           "<details%s><summary>%s: the request that takes "
                           "most, %jd %s of at least %jd</summary>\n",
                           cuteSimTrafficIsCostly(t) ? " open" : "",
                           cuteSimTrafficNames[i], t->worstCost.taken,
                           cuteSimTrafficIsShared(i) ? "wavefronts" : "sectors",
                           t->worstCost.least);
    appendRequest(c, i, t, text);
    appendLayouts(report, c, line->line, i, t, text);
    cuteStringAppend(text, "</details>\n");
  }
  pthread_mutex_unlock(&resources->lock);
}
