// Messages of the protocol: a head with the length, then JSON.
#include "Server/lsp.h"

#include <poll.h>
#include <strings.h>
#include <unistd.h>

enum { MAX_HEAD = 1 << 12, MAX_BODY = 1 << 28 };

// Reads more of the input; false at its end.
static bool readMore(CuteString *input) {
  char piece[1 << 14];
  ssize_t n = read(STDIN_FILENO, piece, sizeof piece);
  if (n > 0)
    cuteStringAppendBytes(input, piece, (size_t)n);
  return n > 0;
}

// Takes the first bytes off.
static void drop(CuteString *input, size_t length) {
  input->length -= length;
  memmove(input->data, input->data + length, input->length + 1);
}

// The length that a head gives, or -1.
static long lengthOf(const char *head) {
  static const char name[] = "Content-Length:";
  for (const char *line = head; line; line = strstr(line, "\r\n")) {
    line += line == head ? 0 : 2;
    if (!strncasecmp(line, name, sizeof name - 1)) {
      long length = strtol(line + sizeof name - 1, NULL, 10);
      return length > 0 && length <= MAX_BODY ? length : -1;
    }
  }
  return -1;
}

// Takes the head of the next message off the input; -1 if there is none.
static long takeHead(CuteString *input) {
  const char *end;
  while (!(end = strstr(cuteStringGet(input), "\r\n\r\n")))
    if (input->length > MAX_HEAD || !readMore(input))
      return -1;
  size_t n = (size_t)(end - input->data);
  input->data[n] = '\0';
  long length = lengthOf(input->data);
  drop(input, n + 4);
  return length;
}

// Takes the place of `stdin` in jansson's archive (cmake/Dependencies.cmake).
extern void *cuteLspStdin;
void *cuteLspStdin;

// The number of an escape such as \u00e9; 0 of other texts.
static unsigned long unitAt(const char *at) {
  char digits[5] = {0};
  if (strncmp(at, "\\u", 2))
    return 0;
  strncpy(digits, at + 2, sizeof digits - 1);
  return strtoul(digits, NULL, 16);
}

// Replaces unpaired surrogates by U+FFFD.
static void mendSurrogates(char *text) {
  for (char *at = text; (at = strchr(at, '\\')) && at[1]; at += 2) {
    unsigned long unit = unitAt(at);
    bool isPair = unit >> 10 == 0xD8 >> 2 && unitAt(at + 6) >> 10 == 0xDC >> 2;
    if (isPair)
      at += 6;
    else if (unit >> 11 == 0xD8 >> 3)
      memcpy(at + 2, "fffd", 4);
  }
}

// Reads JSON; null where the text is none. The text may change.
static json_t *readJson(char *text) {
  mendSurrogates(text);
  return json_loads(text, JSON_ALLOW_NUL, NULL);
}

CuteLspRead cuteLspReadMessage(CuteString *input, json_t **message) {
  long length = takeHead(input);
  if (length < 0)
    return CUTE_LSP_END;
  while (input->length < (size_t)length)
    if (!readMore(input))
      return CUTE_LSP_END;
  CUTE_SCOPED(String) body = {0};
  cuteStringAppendBytes(&body, input->data, (size_t)length);
  drop(input, (size_t)length);
  *message = readJson(body.data);
  if (json_is_object(*message))
    return CUTE_LSP_MESSAGE;
  json_decref(*message);
  cuteLspWriteMessage(json_pack("{s:s, s:n, s:{s:i, s:s}}", "jsonrpc", "2.0",
                                "id", "error", "code", -32700, "message",
                                "the message is not a JSON object"));
  return CUTE_LSP_BAD;
}

bool cuteLspAwaitMessage(const CuteString *input, int milliseconds) {
  struct pollfd standard = {.fd = STDIN_FILENO, .events = POLLIN};
  return input->length || poll(&standard, 1, milliseconds) != 0;
}

void cuteLspWriteMessage(json_t *message) {
  CUTE_FREED char *text = json_dumps(message, JSON_COMPACT);
  if (text)
    printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text);
  fflush(stdout);
  json_decref(message);
}

void cuteLspNotify(const char *method, json_t *params) {
  cuteLspWriteMessage(json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                                method, "params", params));
}
