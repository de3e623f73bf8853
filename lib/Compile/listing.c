#include "Compile/listing.h"
#include "Support/growing_array.h"
#include "Support/text.h"

#include <ctype.h>

typedef struct Item {
  CuteStringRef label;  // that is here; or
  CuteStringRef name;   // of an instruction
  CuteStringRef target; // of a branch
  bool isMatrix, isAsync;
} Item;

typedef struct Listing {
  Item *items;
  size_t count, capacity;
} Listing;

static CuteStringRef skip(CuteStringRef text, size_t n) {
  return (CuteStringRef){text.data + n, text.length - n};
}

static CuteStringRef trim(CuteStringRef text) {
  while (text.length && isspace((unsigned char)*text.data))
    text = skip(text, 1);
  while (text.length && isspace((unsigned char)text.data[text.length - 1]))
    --text.length;
  return text;
}

//===-- Lines -------------------------------------------------------------===//

// The characters of a label.
static size_t wordLength(CuteStringRef text) {
  size_t n = 0;
  while (n < text.length &&
         (isalnum((unsigned char)text.data[n]) || strchr("._$", text.data[n])))
    ++n;
  return n;
}

// "@!%p1 bra" and "@P0 BRA" without the predicate.
static CuteStringRef skipPredicate(CuteStringRef text) {
  if (!text.length || *text.data != '@')
    return text;
  size_t n = 0;
  while (n < text.length && !isspace((unsigned char)text.data[n]))
    ++n;
  return trim(skip(text, n));
}

// Gives the length of an instruction's name. In PTX the memory of loads and
// stores, and what is copied or multiplied how, belongs to it; of all else the
// first part is enough.
static size_t nameLength(CuteStringRef text, bool isSass) {
  static const char *const families[] = {
      "mma.",   "ld.",     "st.",           "cp.",           "bar.",
      "red.",   "atom.",   "cp.async.bulk", "cp.async.wait", "cp.async.commit",
      "wgmma.", "shfl",    "cvt.",          "barrier",       "mbarrier.",
      "fence.", "tcgen05."};
  size_t n = strcspn(text.data, ". \t;\n"), parts = 1;
  for (size_t i = 0; !isSass && i < sizeof families / sizeof *families; ++i)
    parts += cuteTextStartsWith(text, families[i]);
  for (; parts > 1 && text.data[n] == '.'; --parts)
    n += 1 + strcspn(text.data + n + 1, ". \t;\n");
  return n < text.length ? n : text.length;
}

static bool isMatrixName(CuteStringRef name, bool isSass) {
  static const char *const sass[] = {"HMMA", "IMMA", "DMMA", "BMMA",
                                     "QMMA", "OMMA", "HGMMA"};
  static const char *const ptx[] = {"mma.", "wgmma.mma", "tcgen05.mma"};
  for (size_t i = 0; isSass && i < sizeof sass / sizeof *sass; ++i)
    if (cuteTextStartsWith(name, sass[i]))
      return true;
  for (size_t i = 0; !isSass && i < sizeof ptx / sizeof *ptx; ++i)
    if (cuteTextStartsWith(name, ptx[i]))
      return true;
  return false;
}

// Tells whether a thread copies by itself to shared memory; bulk copies may be
// another warp's, or stores.
static bool isAhead(CuteStringRef line, bool isSass) {
  return cuteTextStartsWith(line, isSass ? "LDGSTS" : "cp.async") &&
         !cuteTextStartsWith(line, "cp.async.bulk");
}

// The last word of "bra.uni $L__BB0_3;" and "BRA `(.L_x_2) ;".
static CuteStringRef branchTarget(CuteStringRef line) {
  for (size_t i = 0; i < line.length; ++i)
    if (line.data[i] == '$' || cuteTextStartsWith(skip(line, i), "(.L")) {
      CuteStringRef target = skip(line, i + (line.data[i] == '('));
      target.length = wordLength(target);
      return target;
    }
  return (CuteStringRef){0};
}

static void appendInstruction(Listing *listing, CuteStringRef line,
                              bool isSass) {
  line = skipPredicate(line);
  if (!line.length || !isalpha((unsigned char)*line.data))
    return;
  CuteStringRef name = {line.data, nameLength(line, isSass)};
  Item item = {.name = name,
               .isMatrix = isMatrixName(name, isSass),
               .isAsync = isAhead(line, isSass)};
  if (cuteTextStartsWith(line, isSass ? "BRA" : "bra"))
    item.target = branchTarget(line);
  CUTE_PUSH(listing->items, listing->count, listing->capacity, item);
}

// Appends the instructions of a line of PTX: inline assembly has several
// between braces.
static void appendStatements(Listing *listing, CuteStringRef line) {
  while (line.length && !cuteTextStartsWith(line, "//")) {
    CuteStringRef statement = trim(cuteTextTakePart(&line, ';'));
    if (statement.length && *statement.data == '{')
      statement = trim(skip(statement, 1));
    appendInstruction(listing, statement, false);
    line = trim(line);
  }
}

// "$L__BB0_3:", but not "mma.sync.aligned.kind::mxf4.block_scale ...".
static bool isLabel(CuteStringRef line, size_t word) {
  CuteStringRef rest = skip(line, word);
  return word && cuteTextStartsWith(rest, ":") &&
         !cuteTextStartsWith(rest, "::");
}

static void appendLine(Listing *listing, CuteStringRef line, bool isSass) {
  line = trim(line);
  size_t n = wordLength(line);
  if (isLabel(line, n)) {
    CUTE_PUSH(listing->items, listing->count, listing->capacity,
              (Item){.label = {line.data, n}});
    return;
  }
  if (!isSass) {
    if (line.length && line.data[line.length - 1] != ':')
      appendStatements(listing, line);
    return;
  }
  const char *end =
      cuteTextStartsWith(line, "/*") ? strstr(line.data, "*/") : NULL;
  if (end && end + 2 < line.data + line.length)
    appendInstruction(listing, trim(skip(line, (size_t)(end + 2 - line.data))),
                      true);
}

//===-- Kernels -----------------------------------------------------------===//

// Tells whether the line begins a kernel, and whether that is the one.
static bool beginsKernel(CuteStringRef line, bool isSass, const char *kernel,
                         bool *isOurs) {
  static const char entry[] = ".entry ", section[] = ".section\t.text.";
  const char *mark = isSass ? section : entry;
  size_t length = strlen(mark);
  for (size_t i = 0; i + length <= line.length; ++i)
    if (cuteTextStartsWith(skip(line, i), mark)) {
      CuteStringRef rest = skip(line, i + length);
      size_t n = strcspn(rest.data, ",(\n");
      *isOurs = n == strlen(kernel) && cuteTextStartsWith(rest, kernel);
      return true;
    }
  return false;
}

static Listing readKernel(CuteStringRef code, bool isSass, const char *kernel) {
  Listing listing = {0};
  bool isOurs = false, isBody = false;
  while (code.length) {
    CuteStringRef line = cuteTextTakePart(&code, '\n');
    if (beginsKernel(line, isSass, kernel, &isOurs))
      isBody = isSass;
    else if (isOurs && isBody)
      appendLine(&listing, line, isSass);
    else if (line.length && *line.data == '{')
      isBody = true;
  }
  return listing;
}

//===-- Loops -------------------------------------------------------------===//

typedef struct Loop {
  size_t begin, end;
  int matrix, inner; // matrix instructions; backward branches but its own
  bool isAsync;      // copies ahead
} Loop;

// The place of the label before a branch, or the branch itself.
static size_t findBackward(const Listing *listing, size_t branch) {
  for (size_t i = branch; listing->items[branch].target.length && i-- > 0;)
    if (listing->items[i].label.length &&
        cuteTextIsSame(listing->items[i].label, listing->items[branch].target))
      return i;
  return branch;
}

// Tells whether a later branch goes back to the same place, too: a loop ends
// with the last of them.
static bool goesOn(const Listing *listing, size_t branch, size_t begin) {
  for (size_t i = branch + 1; i < listing->count; ++i)
    if (listing->items[i].target.length && findBackward(listing, i) == begin)
      return true;
  return false;
}

static Loop loopAt(const Listing *listing, size_t begin, size_t end) {
  Loop loop = {begin, end, 0, 0, false};
  for (size_t i = begin; i < end; ++i) {
    loop.matrix += listing->items[i].isMatrix;
    loop.isAsync |= listing->items[i].isAsync;
    loop.inner += listing->items[i].target.length &&
                  findBackward(listing, i) < i &&
                  findBackward(listing, i) > begin;
  }
  return loop;
}

static bool isBetter(Loop a, Loop b) {
  if (a.matrix != b.matrix)
    return a.matrix > b.matrix;
  if (a.isAsync != b.isAsync)
    return a.isAsync;
  if (!a.inner != !b.inner)
    return !a.inner;
  size_t lengthA = a.end - a.begin, lengthB = b.end - b.begin;
  return a.matrix ? lengthA < lengthB : lengthA > lengthB;
}

static void count(CuteMix *mix, CuteStringRef name) {
  size_t i = 0;
  while (i < mix->numRows && !cuteTextIsSame(mix->rows[i].name, name))
    ++i;
  if (i == CUTE_MAX_MIX) {
    --i;
    mix->rows[i].name = cuteStringRef("other");
  }
  if (i == mix->numRows) {
    mix->rows[i].name = name;
    mix->rows[i].count = 0;
    ++mix->numRows;
  }
  ++mix->rows[i].count;
  ++mix->total;
}

static void sortMix(CuteMix *mix) {
  for (size_t i = 1; i < mix->numRows; ++i)
    for (size_t j = i; j && mix->rows[j - 1].count < mix->rows[j].count; --j) {
      CuteMixRow row = mix->rows[j];
      mix->rows[j] = mix->rows[j - 1];
      mix->rows[j - 1] = row;
    }
}

bool cuteListingCountLoop(CuteStringRef code, bool isSass, const char *kernel,
                          CuteMix *mix) {
  Listing listing = readKernel(code, isSass, kernel);
  Loop best = {0};
  bool found = false;
  for (size_t i = 0; i < listing.count; ++i) {
    size_t begin = findBackward(&listing, i);
    if (begin == i || goesOn(&listing, i, begin))
      continue;
    // Code after the end is an endless branch to itself in SASS.
    Loop loop = loopAt(&listing, begin, i);
    if (i - begin > 1 && (!found || isBetter(loop, best)))
      best = loop;
    found = found || i - begin > 1;
  }
  *mix = (CuteMix){0};
  for (size_t i = best.begin; found && i <= best.end; ++i)
    if (listing.items[i].name.length)
      count(mix, listing.items[i].name);
  sortMix(mix);
  free(listing.items);
  return found;
}

void cuteListingCountLocal(CuteStringRef code, bool isSass, const char *kernel,
                           int *loads, int *stores) {
  Listing listing = readKernel(code, isSass, kernel);
  CuteStringRef load = cuteStringRef(isSass ? "LDL" : "ld.local");
  CuteStringRef store = cuteStringRef(isSass ? "STL" : "st.local");
  *loads = *stores = 0;
  for (size_t i = 0; i < listing.count; ++i) {
    *loads += cuteTextIsSame(listing.items[i].name, load);
    *stores += cuteTextIsSame(listing.items[i].name, store);
  }
  free(listing.items);
}
