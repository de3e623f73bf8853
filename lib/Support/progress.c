#include "Support/progress.h"

#include <unistd.h>

enum { FIRST = 1000, EVERY = 200, BAR = 30 };

CuteProgress cuteProgressBegin(double now) {
  return (CuteProgress){.terminal = isatty(STDERR_FILENO) ? stderr : NULL,
                        .start = now};
}

void cuteProgressShow(CuteProgress *progress, double now, int64_t done,
                      int64_t all) {
  double took = now - progress->start;
  if (!progress->terminal || took < FIRST || done < 1 ||
      (progress->shown > 0 && now < progress->shown + EVERY))
    return;
  int filled = (int)(done * BAR / all);
  double left = took / (double)done * (double)(all - done) / 1e3;
  progress->shown = now;
  fprintf(progress->terminal, "\r[%.*s%*s] %3d%%, %.0f s left ", filled,
          "##############################", BAR - filled, "",
          (int)(done * 100 / all), left);
  fflush(progress->terminal);
}

void cuteProgressEnd(const CuteProgress *progress) {
  enum { WIDTH = BAR + 30 };
  if (!progress->terminal || progress->shown <= 0)
    return;
  fprintf(progress->terminal, "\r%*s\r", WIDTH, "");
  fflush(progress->terminal);
}
