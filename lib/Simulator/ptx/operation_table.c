#include "Simulator/ptx/operation_table.h"
#include "Simulator/tensorcore/block_tmem.h"
#include "Support/text.h"

static void doTogether(CuteSimOp op, uint64_t *values) {
  cuteSimTogetherAll(op, values, op.site->group);
}

static void doMasked(CuteSimOp op, uint64_t *values) {
  const CuteSimSite *site = op.site;
  bool isIntrinsic = site->words & CUTE_SIM_INTRINSIC;
  if (!site->numOperands)
    cuteSimFail(op, "$ with 0 operands");
  unsigned mask = isIntrinsic ? 0 : site->numOperands - 1;
  cuteSimTogether(op, values, (uint32_t)values[site->numResults + mask],
                  site->group);
}

typedef struct Row {
  const char *name;
  CuteSimFunction *function;
  CuteSimGroupFunction *group;
  unsigned variant;
  CuteStatus (*prepare)(CuteSimSite *site);
} Row;

static const Row operations[] = {
#define OPERATION(spelling, does, ...)                                         \
  {.name = spelling, .function = does, __VA_ARGS__},
#define TOGETHER(spelling, does, ...)                                          \
  {.name = spelling, .function = doTogether, .group = does, __VA_ARGS__},
#define MASKED(spelling, does, ...)                                            \
  {.name = spelling, .function = doMasked, .group = does, __VA_ARGS__},
#include "hardware/operation.def"
};

// Takes a character of a name, in which intrinsics have '.' for '_' and "::".
static char takeSpelling(const char **at, const char *end) {
  if (*at == end)
    return '\0';
  *at += 1 + (end - *at > 1 && !memcmp(*at, "::", 2));
  return (*at)[-1] == '_' || (*at)[-1] == ':' ? '.' : (*at)[-1];
}

// The length of a row's name if another begins with it, up to a dot; else 0.
static size_t matchedLength(CuteStringRef name, const char *row) {
  const char *at = name.data, *end = at + name.length;
  const char *rowEnd = row + strlen(row);
  size_t length = 0;
  for (; row < rowEnd; ++length)
    if (takeSpelling(&row, rowEnd) != takeSpelling(&at, end))
      return 0;
  return at == end || *at == '.' ? length : 0;
}

// The row with the longest name that `name` begins with; of two that are as
// long, an intrinsic's own.
static const Row *find(CuteStringRef name, bool isIntrinsic) {
  static const char own[] = "llvm.";
  size_t longest = 0;
  const Row *found = NULL;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; ++i) {
    const char *rest = operations[i].name;
    bool isOwn = !strncmp(rest, own, sizeof own - 1);
    if (isOwn && !isIntrinsic)
      continue;
    size_t length = matchedLength(name, rest + (isOwn ? sizeof own - 1 : 0));
    if (length && 2 * length + isOwn > longest) {
      longest = 2 * length + isOwn;
      found = &operations[i];
    }
  }
  return found;
}

static const struct {
  const char *text;
  CuteSimWords word;
} words[] = {
#define TEXT(word, text) {text, CUTE_SIM_##word},
#include "hardware/operation_word.def"
};

bool cuteSimOperationIsKnown(CuteStringRef name) { return find(name, false); }

CuteStatus cuteSimOperationFind(CuteSimSite *site) {
  CuteStringRef name = {site->name, strlen(site->name)};
  bool isIntrinsic = cuteTextTake(&name, "llvm.nvvm.");
  const Row *row = find(name, isIntrinsic);
  if (!row)
    return cuteSimUnknown(site);
  site->function = row->function;
  site->group = row->group;
  site->variant = row->variant;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(site->name, words[i].text))
      site->words |= words[i].word;
  return row->prepare ? row->prepare(site) : NULL;
}

//===-- Special registers -------------------------------------------------===//

static const struct {
  const char *name;
  CuteSimRegister number;
  bool hasModes;
} registers[] = {
#define REGISTER(number, name) {name, CUTE_SIM_##number, false},
#define REGISTER_BY_MODE(number, name) {name, CUTE_SIM_##number##_X, true},
#include "hardware/special_register.def"
};

CuteSimRegister cuteSimFindRegister(CuteStringRef name) {
  for (size_t i = 0; i < sizeof registers / sizeof *registers; ++i) {
    size_t length = matchedLength(name, registers[i].name);
    if (!length || name.length != length + (registers[i].hasModes ? 2 : 0))
      continue;
    if (!registers[i].hasModes)
      return registers[i].number;
    char mode = name.data[length + 1];
    if (mode >= 'x' && mode <= 'z')
      return registers[i].number + (CuteSimRegister)(mode - 'x');
  }
  return CUTE_SIM_REGISTERS;
}

//===-- Scalar functions --------------------------------------------------===//

const CuteSimScalar *cuteSimFindScalar(CuteStringRef intrinsic) {
  CuteStringRef name = intrinsic;
  if (!cuteTextTake(&name, "llvm.nvvm."))
    return NULL;
  for (const CuteSimScalar *row = cuteSimScalars; row->intrinsic; ++row)
    if (cuteTextEquals(name, row->intrinsic))
      return row;
  return NULL;
}

//===-- Small operations --------------------------------------------------===//

void cuteSimNothing(CuteSimOp op, uint64_t *values) { (void)op, (void)values; }

void cuteSimTrap(CuteSimOp op, CUTE_UNUSED uint64_t *values) {
  cuteSimFail(op, "trap: the kernel ends itself");
}

// The address of the same place in the shared memory of another block. A block
// outside the cluster fails where the address is used: compilers move mapa
// before branches.
void cuteSimMapa(CuteSimOp op, uint64_t *values) {
  const CuteSimCluster *cluster = op.thread->cluster;
  enum { RANKS = (1 << 28) / CUTE_SIM_WINDOW };
  uint64_t rank = values[2] & UINT32_MAX;
  if (rank >= (uint64_t)cluster->numBlocks)
    values[0] = CUTE_SIM_NO_BLOCKS + rank % RANKS * CUTE_SIM_WINDOW;
  else
    values[0] = cuteSimClusterGetPlace(cluster, (int)rank, values[1]);
}
