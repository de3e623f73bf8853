#define _GNU_SOURCE // program_invocation_short_name
#include "Support/standard_files.h"
#include "Support/diagnostic_format.h"
#include "Support/say_error.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void cuteStandardFilesOpen(void) {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
    if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
      open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int cuteStandardFilesFinish(int code) {
  errno = 0;
  bool isWritten = !fflush(stdout) && !ferror(stdout);
  if (!isWritten && !code)
    code = !cuteSayError("cannot write standard output%s%s", errno ? ": " : "",
                         errno ? strerror(errno) : "");
  cuteDiagnosticFinish(program_invocation_short_name);
  return code;
}
