// Each line of a batch is answered by an object with a result or a message.
#include "Conformance/batch.h"
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

static void checkAnswer(const char *line, size_t length) {
  json_error_t error;
  json_t *answer = json_loadb(line, length, 0, &error);
  CHECK(json_is_object(answer));
  const json_t *message = json_object_get(answer, "error");
  if (message)
    CHECK(json_string_length(message) && !json_object_get(answer, "result"));
  else
    CHECK(json_object_get(answer, "result"));
  json_decref(answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  char *text = NULL;
  size_t length = 0;
  FILE *in = fmemopen((void *)(uintptr_t)data, size, "r");
  FILE *out = open_memstream(&text, &length);
  CHECK(in && out && cuteBatchRun(in, out, CUTE_LAWS_WARN));
  fclose(in);
  fclose(out);
  for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1)
    checkAnswer(line, (size_t)(end - line));
  free(text);
  return 0;
}
