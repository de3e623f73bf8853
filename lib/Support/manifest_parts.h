// Reads parameters of a manifest, and the parts as which they are passed.
#pragma once

#include "Support/manifest_keys.h"

#include <jansson.h>
#include <string.h>

// The text of a key, "" where there is none.
static inline const char *textOf(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static inline const json_t *partsOf(const json_t *parameter) {
  return json_object_get(parameter, CUTE_KEY_PASSED_AS);
}

static inline bool isHidden(const json_t *parameter) {
  return json_is_true(json_object_get(parameter, CUTE_KEY_HIDDEN));
}

static inline bool isKind(const json_t *part, const char *kind) {
  return !strcmp(textOf(part, CUTE_KEY_KIND), kind);
}
