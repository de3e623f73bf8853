// Words of the names of PTX's ld, st, atom and red: what is not known may mean
// another instruction, as in st.bulk.
#include "Simulator/ptx/operation_table.h"
#include "Simulator/ptx/ptx_form.h"
#include "Simulator/ptx/reduction.h"
#include "Support/text.h"

#include <string.h>

static const char words[] =
    "weak relaxed acquire release acq_rel volatile mmio cta cluster gpu sys "
    "global shared shared::cta shared::cluster local const param param::entry "
    "param::func nc ca cg cs cv lu wb wt v2 v4 v8 noftz unified";

static bool isKnown(CuteStringRef word, bool isAtomic) {
  CuteSimReduction reduction;
  return cuteTextHasWord(cuteStringRef(words), word) ||
         cuteTextStartsWith(word, "L1::") || cuteTextStartsWith(word, "L2::") ||
         (isAtomic && cuteSimReductionFind(word, &reduction));
}

// A type of at most 64 bits is the last word.
CuteStatus cuteSimMemoryPrepare(CuteSimSite *site) {
  bool isAtomic = site->function == cuteSimAtomic, hasType = false;
  if (site->words & CUTE_SIM_INTRINSIC)
    return NULL;
  for (const char *at = strchr(site->name, '.'); at; at = strchr(at + 1, '.')) {
    CuteStringRef word = {at + 1, strcspn(at + 1, ".")};
    const CutePtxType *type = cutePtxFindType(word);
    hasType = type && type->bits * type->count <= 64;
    if (!type && !isKnown(word, isAtomic))
      return cuteSimUnknown(site);
  }
  return hasType ? NULL : cuteSimUnknown(site);
}
