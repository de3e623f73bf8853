// The rows of cute-opt's --help on passes.
#include "Tools/opt.h"
#include "cute/Passes.h"

// Takes `*i` rows from a pass and its options; true if the row is one of them.
static bool takeRows(const CutePassInfo *pass, size_t *i, CuteOption *row) {
  static _Thread_local char names[128], help[512];
  if (!(*i)--) {
    snprintf(names, sizeof names, "--%s", pass->argument);
    *row = (CuteOption){.names = names, .help = pass->summary};
    return true;
  }
  for (size_t o = 0; o < cutePassOptionGetNum(); ++o) {
    CutePassOptionInfo info = cutePassOptionGetInfo(o);
    if (strcmp(info.pass, pass->argument) || (*i)--)
      continue;
    snprintf(names, sizeof names, "    %s", info.name);
    snprintf(help, sizeof help, *info.defaultValue ? "%s (default: %s)" : "%s",
             info.summary, info.defaultValue);
    *row = (CuteOption){.names = names, .kind = CUTE_OPTION_TEXT, .help = help};
    return true;
  }
  return false;
}

static bool getRow(bool isPipeline, size_t i, CuteOption *row) {
  for (size_t p = 0; p < cutePassGetNum(); ++p) {
    CutePassInfo pass = cutePassGet(p);
    if (pass.isPipeline == isPipeline && takeRows(&pass, &i, row))
      return true;
  }
  return false;
}

bool cuteOptGetPass(size_t i, CuteOption *row) { return getRow(false, i, row); }

bool cuteOptGetPipeline(size_t i, CuteOption *row) {
  return getRow(true, i, row);
}
