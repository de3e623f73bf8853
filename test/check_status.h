// Assertions on what library functions say of themselves.
#pragma once

#include "Support/status.h"
#include "check.h"

#include <string.h>

static inline void assertSucceeds(CuteStatus status) {
  if (status)
    fail_msg("%s", cuteStatusGetMessage(status));
}

// Takes the status, whose message must contain the text.
static inline void assertFails(CuteStatus status, const char *text) {
  assert_non_null(status);
  if (!strstr(cuteStatusGetMessage(status), text))
    fail_msg("'%s' does not say '%s'", cuteStatusGetMessage(status), text);
  cuteStatusDestroy(status);
}
