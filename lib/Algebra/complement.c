// Complements: by ascending stride d_i of extents s_i, the gaps
// (d_i / (s_(i-1) d_(i-1))):(s_(i-1) d_(i-1)), and what is left of the target.
#include "Algebra/explain_laws.h"

#include "Support/sort.h"

//===-- Modes by ascending stride -----------------------------------------===//

static bool isTrivial(Mode m) {
  return isStaticValue(m.shape, 1) ||
         isStaticValue(isBasis(m.stride) ? basisValue(m.stride) : m.stride, 0);
}

static int compareStrides(const void *first, const void *second) {
  const Mode *a = first, *b = second;
  return (a->stride->value > b->stride->value) -
         (a->stride->value < b->stride->value);
}

// Sorts by static stride, keeping the order of equal ones. A single mode may
// have a dynamic stride.
static bool sortByStride(CuteContext c, Modes *modes) {
  for (size_t i = 0; modes->count > 1 && i < modes->count; ++i)
    if (!isStatic(modes->data[i].stride))
      return cuteFailTuple(c,
                           "complement: with more than one mode all strides "
                           "must be static, not ",
                           modes->data[i].stride);
  if (modes->count > 1) {
    Mode *scratch = cuteScratch(c, modes->count * sizeof *scratch);
    cuteStableSort(modes->data, scratch, modes->count, sizeof *scratch,
                   compareStrides);
    trace(c, CUTE_TRACE_COMPLEMENT_SORTED, modesGetTuple(c, modes));
  }
  return true;
}

// Emits the gaps below each of the sorted modes; returns where the last ends. A
// mode that begins below the end of the one before leaves no gap: an error, if
// `checked`.
static CuteIntTuple emitGaps(CuteContext c, const Modes *sorted, bool checked,
                             Modes *gaps) {
  CuteIntTuple end = staticInt(c, 1);
  for (size_t i = 0; end && i < sorted->count; ++i) {
    Mode m = sorted->data[i];
    CuteIntTuple gap = cuteLeafDiv(c, m.stride, end);
    if (checked && isStatic(gap) && gap->value < 1)
      return cuteFailTuples(c, "complement: the mode of stride ", m.stride,
                            " overlaps what smaller strides cover up to ", end);
    modesPush(c, gaps, (Mode){gap, end});
    trace(c,
          m.stride == end ? CUTE_TRACE_COMPLEMENT_NO_GAP
                          : CUTE_TRACE_COMPLEMENT_GAP,
          m, end, gaps->data[gaps->count - 1]);
    if (isStatic(m.stride) && isStatic(end) && m.stride->value % end->value)
      trace(c, CUTE_TRACE_COMPLEMENT_LEFT_OVER, m.stride, end);
    end = cuteLeafMul(c, m.stride, m.shape);
    trace(c, CUTE_TRACE_COMPLEMENT_END, m.shape, m.stride, end);
  }
  return end;
}

static Mode coalesceGaps(CuteContext c, const Modes *gaps, CoalesceKind kind) {
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPLEMENT_COALESCE);
  Mode result = cuteCoalesceModes(c, gaps, kind);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  return result;
}

//===-- Without a target --------------------------------------------------===//

// The modes whose stride is a scaled basis at exactly this path (or, for a null
// path, an integer), with integer strides.
static void collectDirection(CuteContext c, Mode a, CuteIntTuple path,
                             Modes *modes) {
  if (isTuple(a.shape)) {
    for (size_t i = 0; i < a.shape->rank; ++i)
      collectDirection(c, modeElement(a, i), path, modes);
    return;
  }
  if (isTrivial(a))
    return;
  if (isBasis(a.stride) ? basisPath(a.stride) == path : !path)
    modesPush(c, modes,
              (Mode){a.shape, path ? basisValue(a.stride) : a.stride});
}

static void scaleByBasis(CuteContext c, Modes *modes, CuteIntTuple path) {
  for (size_t i = 0; path && i < modes->count; ++i)
    modes->data[i].stride = cuteInternBasis(c, modes->data[i].stride, path);
}

// The complement in one direction, before coalescing: gaps, then 1:end.
static bool complementDirection(CuteContext c, Mode a, CuteIntTuple path,
                                Modes *gaps) {
  Modes modes = {0};
  collectDirection(c, a, path, &modes);
  if (!sortByStride(c, &modes))
    return false;
  CuteIntTuple end = emitGaps(c, &modes, true, gaps);
  if (!end)
    return false;
  modesPush(c, gaps, (Mode){staticInt(c, 1), end});
  return true;
}

static Mode complementProfile(CuteContext c, Mode a, CuteIntTuple profile,
                              CuteIntTuple path) {
  Modes modes = {0};
  if (!isTuple(profile)) {
    if (!complementDirection(c, a, path, &modes))
      return failedMode;
    scaleByBasis(c, &modes, path);
    trace(c, CUTE_TRACE_COMPLEMENT_OPEN, modes.data[modes.count - 1]);
    return coalesceGaps(c, &modes, COALESCE_KEEP_LAST);
  }
  for (size_t i = 0; i < profile->rank; ++i) {
    Mode part = complementProfile(c, a, profile->elements[i],
                                  cutePathExtend(c, path, i));
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

Mode cuteComplementMinimal(CuteContext c, Mode a) {
  CuteIntTuple profile = cuteCodomainProfile(c, a.stride);
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPLEMENT_MINIMAL, a);
  Mode result = profile ? complementProfile(c, a, profile, NULL) : failedMode;
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

//===-- Extended over a target, for division ------------------------------===//

// Walks the target's leaves: each takes ceil(leaf / end) from the end on.
static void extendOver(CuteContext c, CuteIntTuple target, CuteIntTuple *rest,
                       CuteIntTuple *stride, Modes *modes) {
  if (isTuple(target)) {
    for (size_t i = 0; i < target->rank; ++i)
      extendOver(c, target->elements[i], rest, stride, modes);
    return;
  }
  CuteIntTuple extent = cuteLeafCeilDiv(c, target, *rest);
  modesPush(c, modes, (Mode){extent, *stride});
  trace(c, CUTE_TRACE_COMPLEMENT_STEPS, target, *rest, extent, *stride);
  *rest = cuteLeafCeilDiv(c, *rest, target);
  *stride = cuteLeafMul(c, *stride, extent);
}

static Mode extendDirection(CuteContext c, Mode tiler, CuteIntTuple target,
                            CuteIntTuple path) {
  Modes modes = {0};
  if (!complementDirection(c, tiler, path, &modes))
    return failedMode;
  CuteIntTuple end = modes.data[--modes.count].stride, stride = end;
  extendOver(c, target, &end, &stride, &modes);
  scaleByBasis(c, &modes, path);
  return coalesceGaps(c, &modes, COALESCE);
}

// A part of the target in a direction that the tiler does not address, as it
// is.
static Mode wholeDirection(CuteContext c, CuteIntTuple target,
                           CuteIntTuple path) {
  return (Mode){target, cuteUnitStrides(c, target, path)};
}

static Mode extendProfile(CuteContext c, Mode tiler, CuteIntTuple target,
                          CuteIntTuple profile, CuteIntTuple path) {
  if (!isTuple(profile))
    return extendDirection(c, tiler, target, path);
  if (profile->rank > target->rank || (!isTuple(target) && path && path->rank))
    return modeFail(cuteFailTuples(
        c, "logical_divide: the tiler's scaled bases ", tiler.stride,
        " address modes that the layout's shape lacks: ", target));
  Modes modes = {0};
  for (size_t i = 0; i < target->rank; ++i) {
    CuteIntTuple sub = cutePathExtend(c, path, i);
    Mode part = i < profile->rank ? extendProfile(c, tiler, element(target, i),
                                                  profile->elements[i], sub)
                                  : wholeDirection(c, element(target, i), sub);
    if (modeFailed(part))
      return failedMode;
    modesPush(c, &modes, part);
  }
  return modesGetTuple(c, &modes);
}

Mode cuteComplementOver(CuteContext c, Mode tiler, CuteIntTuple target) {
  CuteIntTuple profile = cuteCodomainProfile(c, tiler.stride);
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPLEMENT_OVER, tiler, target);
  Mode result =
      profile ? extendProfile(c, tiler, target, profile, NULL) : failedMode;
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

//===-- With a target -----------------------------------------------------===//

// The target's extents divided by `end` one after the other, merged into the
// product of the static ones in front and one dynamic extent for the others.
static void pushRest(CuteContext c, CuteIntTuple target, CuteIntTuple end,
                     Modes *modes) {
  CuteIntTuple rest = cuteIntTupleCeilDiv(c, target, end);
  CuteIntTuple flat = rest ? cuteIntTupleFlatten(c, rest) : NULL;
  if (!flat) {
    modesPush(c, modes, failedMode);
    return;
  }
  trace(c, CUTE_TRACE_COMPLEMENT_ROOM, target, end, rest, ((Mode){rest, end}));
  size_t n = isTuple(flat) ? flat->rank : 1, i = 0;
  CuteIntTuple prefix = staticInt(c, 1);
  for (; i < n && isStatic(element(flat, i)); ++i)
    prefix = cuteLeafMul(c, prefix, element(flat, i));
  if (i == n || !isStaticValue(prefix, 1)) {
    modesPush(c, modes, (Mode){prefix, end});
    end = cuteLeafMul(c, end, prefix);
  }
  if (i == n)
    return;
  CuteIntTuple suffix = element(flat, i++);
  for (; i < n; ++i)
    suffix = cuteLeafMul(c, suffix, element(flat, i));
  modesPush(c, modes, (Mode){suffix, end});
}

// The layout of the target where nothing is covered yet.
static Mode wholeTarget(CuteContext c, CuteIntTuple target) {
  CuteIntTuple one = staticInt(c, 1);
  Mode whole = {target, cuteCompactStrides(c, target, one)};
  whole = cuteCoalesce(c, whole, COALESCE);
  return isStaticValue(whole.shape, 1) ? (Mode){one, one} : whole;
}

static Mode complementWithin(CuteContext c, Mode a, CuteIntTuple target,
                             bool checked) {
  Modes leaves = {0}, effective = {0}, gaps = {0};
  modesPushLeaves(c, &leaves, a);
  for (size_t i = 0; i < leaves.count; ++i) {
    Mode m = leaves.data[i];
    if (isTrivial(m))
      trace(c, CUTE_TRACE_COMPLEMENT_SKIP, m);
    else
      modesPush(c, &effective, m);
  }
  if (!effective.count) {
    trace(c, CUTE_TRACE_COMPLEMENT_ALL);
    return wholeTarget(c, target);
  }
  unsigned outer = traceEnter(c, CUTE_TRACE_COALESCE_A);
  Mode coalesced = cuteCoalesceModes(c, &effective, COALESCE);
  traceLeave(c, outer, CUTE_TRACE_NOTHING);
  effective.count = 0;
  modesPushLeaves(c, &effective, coalesced);
  if (!sortByStride(c, &effective))
    return failedMode;
  CuteIntTuple end = emitGaps(c, &effective, checked, &gaps);
  if (!end)
    return failedMode;
  pushRest(c, target, end, &gaps);
  return coalesceGaps(c, &gaps, COALESCE);
}

static Mode complementToTarget(CuteContext context, CuteLayout a,
                               CuteIntTuple target, bool checked) {
  const char *manyDynamic =
      "complement: with more than one mode all strides must be static, not ";
  if (a->stride->flags & HAS_BASIS)
    cuteFailTuple(context, "complement: a cotarget needs integer strides, not ",
                  a->stride);
  else if (a->shape->rank > 1 && a->stride->numDynamic)
    cuteFailTuple(context, manyDynamic, a->stride);
  else if (!checked ||
           cuteExtentsCheck(
               context,
               "complement: the cotarget must have positive extents, not ",
               target))
    return complementWithin(context, layoutMode(a), target, checked);
  return failedMode;
}

CuteIntTuple cuteComplementShape(CuteContext c, CuteLayout a,
                                 CuteIntTuple target) {
  if (cuteLayoutIsComposed(a))
    return cuteFail(c, "complement: not defined for composed layouts");
  return complementToTarget(c, a, target, false).shape;
}

static Mode complementInTarget(CuteContext c, CuteLayout a,
                               CuteIntTuple target) {
  unsigned outer = traceEnter(c, CUTE_TRACE_COMPLEMENT, a, target);
  Mode result = complementToTarget(c, a, target, true);
  traceLeave(c, outer, CUTE_TRACE_RESULT, result);
  return result;
}

CuteLayout cuteLayoutComplement(CuteContext context, CuteLayout a,
                                CuteIntTuple cotarget) {
  if (!a)
    return NULL;
  if (cuteLayoutIsComposed(a))
    return cuteFail(context, "complement: not defined for composed layouts");
  if (!cotarget && (cuteLayoutGetNumDynamic(a) || !a->shape->numLeaves))
    return cuteFailTuples(context,
                          "complement: without a cotarget the layout must be "
                          "static and not empty, not ",
                          a->shape, ":", a->stride);
  CUTE_SCOPED(ArenaScope) scope = cuteArenaScopeBegin(&context->scratch);
  CuteLayout result = cuteInternLayout(
      context, cotarget ? complementInTarget(context, a, cotarget)
                        : cuteComplementMinimal(context, layoutMode(a)));
  traceLaw(context, cuteExplainComplementLaw(context, a, cotarget, result));
  if (result && checksLaws(context) &&
      !cuteLawAccepts(context, cuteLawComplement(context, layoutMode(a),
                                                 cotarget, layoutMode(result))))
    result = NULL;
  return result;
}
