#include "cute/Version.h"

const char *cuteVersion(void) { return CUTE_VERSION; }
