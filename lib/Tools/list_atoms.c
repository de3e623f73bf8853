// cutec --list-atoms: a table of the atoms, and which of them compile.
#include "Ops/ops.h"
#include "Tools/driver.h"

// The suffix with which architectures have an atom.
static char suffixOf(char suffix, CuteArchFeature feature) {
  return feature ? 'a' : suffix;
}

// The lowest architecture that cutec compiles for and that has the atom.
static void appendArch(CuteString *text, int arch, char suffix) {
  enum { LOWEST = 70 };
  cuteStringAppendFormat(text, "sm_%d%s", arch < LOWEST ? LOWEST : arch,
                         suffix ? "a" : "");
}

static void appendRow(CuteString *output, const char *name, int arch,
                      char suffix, bool isCompiled, const char *instruction) {
  CUTE_SCOPED(String) text = {0};
  appendArch(&text, arch, suffix);
  cuteStringAppendFormat(output, "%-56s %-8s %-8s %s\n", name,
                         cuteStringGet(&text), isCompiled ? "yes" : "no",
                         instruction);
}

// One row for all atoms of a family, with the arguments that its name takes.
static void appendFamily(CuteString *output, const CuteMmaFamily *family) {
  CUTE_SCOPED(String) name = {0}, instruction = {0};
  bool hasVector = family->scales && !strcmp(family->kind, "mxf4");
  cuteStringAppendFormat(&name, "%s<A,B,C,%sM,N,%sK|MN,K|MN>", family->name,
                         family->scales ? "SF," : "", hasVector ? "VS," : "");
  cuteStringAppendFormat(&instruction, "tcgen05.mma%s.cta_group::%d.kind::%s",
                         family->isSparse ? ".sp" : "", family->ctas,
                         family->kind);
  appendRow(output, cuteStringGet(&name), family->isOnlySm103 ? 103 : 100, 'a',
            true, cuteStringGet(&instruction));
}

static void appendTable(CuteString *output) {
  cuteStringAppendFormat(output, "%-56s %-8s %-8s %s\n", "atom", "since",
                         "compiles", "instruction");
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    appendRow(output, atom->name, atom->arch,
              suffixOf(atom->suffix, atom->feature),
              cuteMmaAtomIsCompiled(atom), atom->instruction);
  }
  for (size_t i = 0; i < cuteMmaFamilyGetNum(); ++i)
    appendFamily(output, cuteMmaFamilyGet(i));
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    appendRow(output, atom->name, atom->arch, suffixOf('\0', atom->feature),
              cuteCopyAtomIsCompiled(atom),
              *atom->instruction ? atom->instruction : "ld, st");
  }
}

int cuteDriverListAtoms(const char *name) {
  CUTE_SCOPED(String) output = {0};
  if (*name)
    return cuteDriverListAtom(name);
  appendTable(&output);
  fputs(cuteStringGet(&output), stdout);
  return 0;
}
