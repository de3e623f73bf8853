// The policy of a context, its warnings, and the laws on whole layouts.
#include "Algebra/laws.h"

//===-- Policy and warnings -----------------------------------------------===//

CuteLawPolicy cuteContextSetLawPolicy(CuteContext context,
                                      CuteLawPolicy policy) {
  CuteLawPolicy before = (CuteLawPolicy)context->laws;
  context->laws = (uint8_t)policy;
  return before;
}

size_t cuteContextGetNumWarnings(CuteContext context) {
  return context->numWarnings;
}

const char *cuteContextGetWarning(CuteContext context, size_t i) {
  return i < context->numWarnings ? cuteStringGet(&context->warnings[i]) : "";
}

void cuteContextClearWarnings(CuteContext context) {
  for (size_t i = 0; i < context->numWarnings; ++i)
    cuteStringDestroy(&context->warnings[i]);
  context->numWarnings = 0;
}

static bool hasWarning(CuteContext c, const char *text) {
  for (size_t i = 0; i < c->numWarnings; ++i)
    if (!strcmp(cuteStringGet(&c->warnings[i]), text))
      return true;
  return false;
}

static void warn(CuteContext c, const char *text) {
  if (c->numWarnings == CUTE_MAX_WARNINGS || hasWarning(c, text))
    return;
  if (!c->warnings)
    c->warnings = cuteAllocate(CUTE_MAX_WARNINGS * sizeof *c->warnings);
  CuteString *warning = &c->warnings[c->numWarnings++];
  *warning = (CuteString){0};
  cuteStringAppend(warning, text);
}

bool cuteLawAccepts(CuteContext c, bool holds) {
  if (holds)
    return true;
  if (c->laws == CUTE_LAWS_STRICT)
    return false;
  warn(c, cuteStringGet(&c->error));
  return true;
}

//===-- Messages ----------------------------------------------------------===//

bool cuteLawFails(CuteContext c, const char *format, ...) {
  cuteStringClear(&c->error);
  CUTE_APPEND_ARGUMENTS(&c->error, format);
  return false;
}

//===-- On layouts --------------------------------------------------------===//

bool cuteLawOfComposition(CuteContext context, CuteLayout a, CuteLayout b,
                          CuteLayout r) {
  return a && b && r &&
         cuteLawHolds(context, CUTE_LAW_COMPOSITION,
                      CUTE_LAW_OPERANDS({'A', layoutMode(a)},
                                        {'B', layoutMode(b)},
                                        {'R', layoutMode(r)}));
}

bool cuteLawOfDivide(CuteContext context, CuteLayout a, CuteLayout t,
                     CuteLayout c, CuteLayout r) {
  if (!a || !t || !c || !r)
    return false;
  Mode both = cuteModePair(context, layoutMode(t), layoutMode(c));
  return cuteLawHolds(context, CUTE_LAW_DIVIDE,
                      CUTE_LAW_OPERANDS({'A', layoutMode(a)},
                                        {'T', layoutMode(t)},
                                        {'C', layoutMode(c)}, {'P', both},
                                        {'R', layoutMode(r)}));
}

bool cuteLawOfTiles(CuteContext context, CuteLayout a, CuteLayout t,
                    CuteLayout c) {
  return a && t && c &&
         cuteLawTiles(context, layoutMode(a), layoutMode(t), layoutMode(c));
}

bool cuteLawOfProduct(CuteContext context, CuteLayout c, CuteLayout b,
                      CuteLayout r) {
  return c && b && r &&
         cuteLawHolds(context, CUTE_LAW_PRODUCT,
                      CUTE_LAW_OPERANDS({'C', layoutMode(c)},
                                        {'B', layoutMode(b)},
                                        {'R', layoutMode(r)}));
}

bool cuteLawOfLeftInverse(CuteContext context, CuteLayout a, CuteLayout r) {
  return a && r &&
         cuteLawHolds(
             context, CUTE_LAW_LEFT_INVERSE,
             CUTE_LAW_OPERANDS({'A', layoutMode(a)}, {'R', layoutMode(r)}));
}

bool cuteLawOfRightInverse(CuteContext context, CuteLayout a, CuteLayout r) {
  if (!a || !r)
    return false;
  Mode index = {r->shape, cuteLawIdentity(context, layoutMode(a), r->shape)};
  return modeFailed(index) ||
         cuteLawHolds(context, CUTE_LAW_RIGHT_INVERSE,
                      CUTE_LAW_OPERANDS({'A', layoutMode(a)},
                                        {'R', layoutMode(r)}, {'I', index}));
}

bool cuteLawOfComplement(CuteContext context, CuteLayout a,
                         CuteIntTuple cotarget, CuteLayout r) {
  return a && r &&
         cuteLawComplement(context, layoutMode(a), cotarget, layoutMode(r));
}

bool cuteLawOfTileToShape(CuteContext context, CuteLayout block, CuteLayout r) {
  return block && r &&
         cuteLawTileToShape(context, layoutMode(block), layoutMode(r));
}

bool cuteLawOfSlice(CuteContext context, CuteLayout a, CuteIntTuple coord,
                    CuteLayout r) {
  return a && coord && r && cuteLawSlice(context, a, coord, r);
}

bool cuteLawOfCompact(CuteContext context, const char *name, CuteLayout r) {
  return r && cuteLawCompact(context, name, layoutMode(r));
}
