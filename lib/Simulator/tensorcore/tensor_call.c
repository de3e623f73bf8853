#include "Hardware/atom_name.h"
#include "Hardware/mma_family.h"
#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"

static const struct {
  const char *name, *family;
  const char *types[8], *sums[3];
} kinds[] = {
#define CODES(...)                                                             \
  { __VA_ARGS__ }
#define KIND(name, family, types, sums) {name, family, types, sums},
#include "hardware/tcgen05_kind.def"
#undef CODES
#undef KIND
};
enum { INTEGERS = 3, SCALED, NUM_KINDS = sizeof kinds / sizeof *kinds };

static bool has(const CuteSimSite *site, const char *part) {
  return strstr(site->name, part);
}

// Describes a call beside its operands.
typedef struct Form {
  uint64_t kind;
  bool isTmem, isShifted; // A is in tensor memory, C is scaled
  bool isStationary;      // .ws, with a buffer of B instead of blocks
  bool isSparse, isPair;
  uint32_t descriptor; // of the instruction
  uint64_t shift;
} Form;

static const char *orNone(const char *type) { return type ? type : "none"; }

static void failUnknown(CuteSimOp op) {
  if (has(op.site, ".zero_col_mask") || has(op.site, ".ashift"))
    cuteSimFail(op, "the simulator does not know %s yet",
                cuteSimSiteGetName(op.site));
}

//===-- Operands ----------------------------------------------------------===//

// The operands of PTX before the one that says whether C is added: three are no
// addresses if A is in shared memory.
static unsigned countFirst(const CuteSimSite *site) {
  return 4 + has(site, ".sp.") + 2u * has(site, ".block_scale");
}

// Counts the words of the lanes of D that keep their sums: 4 of each block.
static unsigned countLanes(const CuteSimSite *site) {
  unsigned words = site->words & CUTE_SIM_PAIR ? 8 : 4;
  bool hasLanes = site->words & CUTE_SIM_INTRINSIC
                      ? has(site, ".disable_output_lane")
                      : !has(site, ".mma.ws") && !has(site, ".block_scale") &&
                            site->numOperands > countFirst(site) + words;
  return hasLanes ? words : 0;
}

static bool hasShift(const CuteSimSite *site) {
  return !has(site, ".mma.ws") && !has(site, ".block_scale") &&
         site->numOperands == countFirst(site) + countLanes(site) + 2;
}

// The kind in an instruction's name; NUM_KINDS: another one.
static uint64_t kindOf(const CuteSimSite *site) {
  for (uint64_t i = 0; i < NUM_KINDS; ++i) {
    const char *at = strstr(site->name, kinds[i].name);
    if (at && strchr(".:", at[-1]) && strchr(".", at[strlen(kinds[i].name)]))
      return i;
  }
  return NUM_KINDS;
}

CuteStatus cuteSimTensorMmaPrepare(CuteSimSite *site) {
  unsigned first = countFirst(site) + countLanes(site), n = site->numOperands;
  bool isScaled = has(site, ".block_scale");
  bool isKnown =
      site->words & CUTE_SIM_INTRINSIC ||
      (n > first && n <= first + 2 - isScaled && kindOf(site) < NUM_KINDS);
  return isKnown ? NULL : cuteSimUnknown(site);
}

// d, a, b, instruction descriptor, whether C is added, metadata of a sparse A;
// factors of A and B, blocks, collector; or the scale of C where it has one,
// lanes that keep their sums, kind, blocks if there are none, collector. PTX
// has the metadata before the descriptor, whether C is added after the lanes,
// its scale after that, and the kind and the blocks in the name.
static Form takeForm(CuteSimOp op, const uint64_t *next,
                     CuteSimTensorProduct *p) {
  const CuteSimSite *site = op.site;
  bool isPtx = !(site->words & CUTE_SIM_INTRINSIC);
  bool isScaled = has(site, ".block_scale");
  unsigned lanes = countLanes(site);
  Form form = {.kind = kindOf(site),
               .isTmem = isPtx ? site->numAddresses > countFirst(site) - 3
                               : has(site, ".tensor"),
               .isStationary = has(site, ".mma.ws"),
               .isSparse = has(site, ".sp."),
               .isPair = site->words & CUTE_SIM_PAIR,
               .isShifted = isPtx ? hasShift(site) : has(site, ".scale_d")};
  p->d = (uint32_t)*next++, p->a = (uint32_t)*next;
  p->descriptorA = *next++, p->descriptorB = *next++;
  if (isPtx && form.isSparse)
    p->metadata = (uint32_t)*next++;
  form.descriptor = (uint32_t)*next++;
  if (!isPtx)
    p->addsC = *next++ & 1;
  if (!isPtx && form.isSparse)
    p->metadata = (uint32_t)*next++;
  for (int i = 0; i < 2 && isScaled; ++i) {
    p->factors[i] = (uint32_t)*next++;
    p->firsts[i] = form.descriptor >> (i ? 4 : 29) & 3;
  }
  if (!isPtx && form.isShifted)
    form.shift = *next++;
  for (unsigned i = 0; i < lanes; ++i)
    p->kept[i / 4][i / 2 % 2] |= (*next++ & UINT32_MAX) << i % 2 * 32;
  if (isPtx)
    p->addsC = *next++ & 1;
  else if (!isScaled)
    form.kind = *next++;
  if (!isPtx && !lanes)
    form.isPair = *next == 2 && !form.isStationary;
  if (isPtx && form.isStationary && site->numOperands > countFirst(site) + 1 &&
      *next)
    cuteSimFail(op, "$: the simulator knows no mask of zero columns yet");
  if (isPtx && form.isShifted)
    form.shift = *next;
  return form;
}

//===-- Calls -------------------------------------------------------------===//

// Writes what follows the majors in an atom's name.
static void nameEnd(const Form *form, uint32_t d, char *text, size_t size) {
  static const char *const signs[] = {"One", "Neg"};
  int n = 0;
  text[0] = '\0';
  if (form->isShifted)
    n = snprintf(text, size, ",%u", (unsigned)form->shift);
  if (form->kind != INTEGERS)
    snprintf(text + n, size - (size_t)n, ",%s,%s", signs[d >> 13 & 1],
             signs[d >> 14 & 1]);
  else if (form->isTmem)
    snprintf(text, size, ",One,One,%u", d >> 3 & 1);
  else
    snprintf(text, size, ",%u", d >> 3 & 1);
}

// Writes the types of C and of factors, and how many elements share a factor.
static void nameSums(const Form *form, const CuteSimSite *site, uint32_t d,
                     char *text, char *vector) {
  bool isScaled = form->kind >= SCALED;
  const char *sum =
      isScaled ? "float"
               : orNone((d >> 4 & 3) < 3 ? kinds[form->kind].sums[d >> 4 & 3]
                                         : NULL);
  sprintf(text, "%s%s", sum,
          !isScaled     ? ""
          : d >> 23 & 1 ? ",float_ue8m0_t"
                        : ",float_ue4m3_t");
  sprintf(vector, "%s",
          form->kind <= SCALED ? ""
          : has(site, ".block16") || has(site, "::4X") ||
                  (has(site, "nvf4") && !has(site, ".block32") &&
                   !has(site, "::2X"))
              ? form->isSparse ? ",32" : ",16"
          : form->isSparse ? ",64"
                           : ",32");
}

bool cuteSimTensorCallTake(CuteSimOp op, const uint64_t *values,
                           CuteSimTensorProduct *p) {
  char name[CUTE_MAX_ATOM_NAME], end[32], sums[64], vector[8];
  char problem[256] = "a kind that the simulator does not know";
  failUnknown(op);
  Form form = takeForm(op, values, p);
  uint32_t d = form.descriptor;
  if (form.kind < NUM_KINDS) {
    nameEnd(&form, d, end, sizeof end);
    nameSums(&form, op.site, d, sums, vector);
    bool isOf96 = form.kind > SCALED && d >> 31;
    snprintf(name, sizeof name, "%s%s%s_%s%s%s%s<%s,%s,%s,%u,%u%s,%s,%s%s>",
             isOf96 ? "SM103_MXF4_ULTRA" : kinds[form.kind].family,
             form.isSparse && form.kind > SCALED ? "NVF4" : "",
             form.isStationary ? "_WS"
             : form.isPair     ? "_2x1SM"
                               : "",
             form.isTmem ? "TS" : "SS", form.isShifted ? "_SCALED" : "",
             form.isSparse ? "_SPARSE" : "", isOf96 ? "_VS" : "",
             orNone(kinds[form.kind].types[d >> 7 & 7]),
             orNone(kinds[form.kind].types[d >> 10 & 7]), sums,
             (d >> 24 & 31) * 16, (d >> 17 & 63) * 8, vector,
             d >> 15 & 1 ? "MN" : "K", d >> 16 & 1 ? "MN" : "K", end);
    p->atom = cuteMmaFamilyFindAtom(name, problem, sizeof problem);
  }
  if (p->atom && form.isSparse != (d >> 2 & 1))
    cuteSimFail(op,
                "$: instruction descriptor 0x%08x: bit 2 is set where A is "
                "sparse, and only there",
                d);
  if (p->atom && d & 3)
    cuteSimFail(op, "$: the simulator knows sparsity selector 0 only");
  if (!p->atom)
    cuteSimFail(op, "$: instruction descriptor 0x%08x: %s", d,
                problem[0] ? problem : "no family of atoms has such products");
  return form.isPair;
}
