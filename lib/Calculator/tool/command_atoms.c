// cute-layout atoms: the instructions whose layouts are known, by name or as
// PTX has them.
#include "Calculator/tool/commands.h"
#include "Support/say_error.h"

enum { NAME_COLUMN = 36 };

static void printRow(const char *name, int arch, const char *shape,
                     const char *instruction) {
  char architecture[16] = "any";
  if (arch)
    snprintf(architecture, sizeof architecture, "sm_%d", arch);
  printf("%-*s %-6s %-10s %s\n", NAME_COLUMN, name, architecture, shape,
         instruction);
}

static bool printMmaAtoms(const char *part) {
  bool found = false;
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    const CuteMmaAtom *atom = cuteMmaAtomGet(i);
    if (!strstr(atom->name, part) && !strstr(atom->instruction, part))
      continue;
    char shape[48];
    snprintf(shape, sizeof shape, "%dx%dx%d", atom->m, atom->n, atom->k);
    printRow(atom->name, atom->arch, shape, atom->instruction);
    found = true;
  }
  return found;
}

static bool printCopyAtoms(const char *part) {
  bool found = false;
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    const CuteCopyAtom *atom = cuteCopyAtomGet(i);
    if (!strstr(atom->name, part) && !strstr(atom->instruction, part))
      continue;
    char bits[24] = "";
    if (atom->bits)
      snprintf(bits, sizeof bits, "%d bits", atom->bits);
    printRow(atom->name, atom->arch, bits,
             *atom->instruction ? atom->instruction : "ld, st");
    found = true;
  }
  return found;
}

static bool printSmemAtoms(const char *part) {
  bool found = false;
  for (size_t i = 0; i < cuteSmemAtomGetNum(); ++i) {
    const CuteSmemAtom *atom = cuteSmemAtomGet(i);
    if (!strstr(atom->name, part))
      continue;
    char name[64];
    snprintf(name, sizeof name, "%s<TYPE>", atom->name);
    printRow(name, 90, "", "a tile in shared memory for wgmma");
    found = true;
  }
  return found;
}

// Offers the parts of an instruction, which are between dots.
static void offerParts(CuteSuggestion *suggestion, const char *instruction) {
  for (const char *at = instruction; *at;) {
    size_t n = strcspn(at, ".");
    cuteSuggestionOffer(suggestion, (CuteStringRef){at, n});
    at += n + (at[n] == '.');
  }
}

static void failPart(const char *part) {
  CuteSuggestion suggestion = cuteSuggestionBegin(cuteStringRef(part));
  for (size_t i = 0; i < cuteMmaAtomGetNum(); ++i) {
    cuteSuggestionOffer(&suggestion, cuteStringRef(cuteMmaAtomGet(i)->name));
    offerParts(&suggestion, cuteMmaAtomGet(i)->instruction);
  }
  for (size_t i = 0; i < cuteCopyAtomGetNum(); ++i) {
    cuteSuggestionOffer(&suggestion, cuteStringRef(cuteCopyAtomGet(i)->name));
    offerParts(&suggestion, cuteCopyAtomGet(i)->instruction);
  }
  if (suggestion.best.length)
    cuteSayError("no atom has '%s' in its name or instruction; did you mean "
                 "'%.*s'?",
                 part, CUTE_TEXT(suggestion.best));
  else
    cuteSayError("no atom has '%s' in its name or instruction", part);
}

CuteExit cuteCommandAtoms(CUTE_UNUSED CuteSession session, int argc,
                          char **argv) {
  if (argc > 2)
    return CUTE_EXIT_USAGE;
  const char *part = argc == 2 ? argv[1] : "";
  bool found = printMmaAtoms(part);
  found |= printCopyAtoms(part);
  found |= printSmemAtoms(part);
  if (!found)
    failPart(part);
  return found ? CUTE_EXIT_OK : CUTE_EXIT_FAILED;
}
