// cute-lsp: a language server on standard input and output, for the protocol's
// version 3.17.
#include "Server/lsp.h"

#include "Support/growing_array.h"
#include "Support/standard_files.h"
#include "Tools/driver.h"

// Milliseconds without a change, after which texts are checked.
enum { PAUSE = 20 };

// JSON-RPC's codes.
enum {
  METHOD_NOT_FOUND = -32601,
  INVALID_REQUEST = -32600,
  NOT_INITIALIZED = -32002,
};

//===-- Life of the server ------------------------------------------------===//

static bool hasOption(const json_t *list, const char *word) {
  bool has = false;
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *item = json_string_value(json_array_get(list, i));
    has |= item && !strcmp(item, word);
  }
  return has;
}

// The value at a path of names.
static json_t *find(json_t *object, const char *const *path) {
  for (; *path && object; ++path)
    object = json_object_get(object, *path);
  return object;
}

static void takeSettings(CuteLspServer *server, const json_t *settings) {
  const char *arch = json_string_value(json_object_get(settings, "arch"));
  const CuteArch *known = arch ? cuteArchFind(arch) : NULL;
  server->arch = known ? known->name : NULL;
  server->lints = !json_is_false(json_object_get(settings, "lint"));
}

static const char capabilities[] =
    "{\"textDocumentSync\": {\"openClose\": true, \"change\": 2}, "
    "\"completionProvider\": {   \"triggerCharacters\": [\".\", \"%\", \"!\", "
    "\"@\", \"\\\"\"]}, \"renameProvider\": {\"prepareProvider\": true}, "
    "\"codeLensProvider\": {}, \"hoverProvider\": true, \"inlayHintProvider\": "
    "true, \"definitionProvider\": true, \"referencesProvider\": true, "
    "\"documentHighlightProvider\": true, \"documentSymbolProvider\": true}";

static json_t *initialize(CuteLspServer *server, json_t *params) {
  static const char *const encodings[] = {"capabilities", "general",
                                          "positionEncodings", NULL};
  static const char *const related[] = {"capabilities", "textDocument",
                                        "publishDiagnostics",
                                        "relatedInformation", NULL};
  server->isInitialized = true;
  server->isUtf8 = hasOption(find(params, encodings), "utf-8");
  server->hasRelated = json_is_true(find(params, related));
  takeSettings(server, json_object_get(params, "initializationOptions"));
  json_t *result = json_pack("{s:o, s:{s:s, s:s}}", "capabilities",
                             json_loads(capabilities, 0, NULL), "serverInfo",
                             "name", "cute-lsp", "version", cuteDriverVersion);
  json_object_set_new(json_object_get(result, "capabilities"),
                      "positionEncoding",
                      json_string(server->isUtf8 ? "utf-8" : "utf-16"));
  return result;
}

static json_t *shutDown(CuteLspServer *server, CUTE_UNUSED json_t *params) {
  server->isShutDown = true;
  return json_null();
}

//===-- Documents ---------------------------------------------------------===//

static size_t findDocument(const CuteLspServer *server, const char *uri) {
  size_t i = 0;
  while (i < server->numDocuments && strcmp(server->documents[i]->uri, uri))
    ++i;
  return i;
}

// The document that the parameters name; null if it is not open.
static CuteLspDocument *documentOf(const CuteLspServer *server,
                                   json_t *params) {
  static const char *const path[] = {"textDocument", "uri", NULL};
  const char *uri = json_string_value(find(params, path));
  size_t i = uri ? findDocument(server, uri) : server->numDocuments;
  return i < server->numDocuments ? server->documents[i] : NULL;
}

static void closeDocument(CuteLspServer *server, size_t i) {
  cuteLspDocumentDestroy(server->documents[i]);
  server->documents[i] = server->documents[--server->numDocuments];
}

static void noteVersion(CuteLspDocument *document, json_t *params) {
  static const char *const path[] = {"textDocument", "version", NULL};
  json_decref(document->version);
  document->version = json_incref(find(params, path));
}

static void didOpen(CuteLspServer *server, CuteLspDocument *document,
                    json_t *params) {
  const json_t *item = json_object_get(params, "textDocument");
  const char *uri = json_string_value(json_object_get(item, "uri"));
  if (!uri)
    return;
  if (!document) {
    document = cuteLspDocumentCreate(server, uri);
    CUTE_PUSH(server->documents, server->numDocuments, server->capacity,
              document);
  }
  json_auto_t *changes =
      json_pack("[{s:O}]", "text", json_object_get(item, "text"));
  cuteLspDocumentChange(document, changes);
  noteVersion(document, params);
}

static void didChange(CUTE_UNUSED CuteLspServer *server,
                      CuteLspDocument *document, json_t *params) {
  if (!document)
    return;
  cuteLspDocumentChange(document, json_object_get(params, "contentChanges"));
  noteVersion(document, params);
}

static void didClose(CuteLspServer *server, CuteLspDocument *document,
                     CUTE_UNUSED json_t *params) {
  if (!document)
    return;
  cuteLspNotify("textDocument/publishDiagnostics",
                json_pack("{s:s, s:[]}", "uri", document->uri, "diagnostics"));
  closeDocument(server, findDocument(server, document->uri));
}

static void checkAll(const CuteLspServer *server) {
  for (size_t i = 0; i < server->numDocuments; ++i)
    cuteLspCheckAndPublish(server->documents[i]);
}

//===-- Messages ----------------------------------------------------------===//

static const struct {
  const char *method;
  json_t *(*answer)(CuteLspServer *server, json_t *params);
} requests[] = {{"initialize", initialize}, {"shutdown", shutDown}};

static const struct {
  const char *method;
  CuteLspAnswer *answer;
} textRequests[] = {{"textDocument/hover", cuteLspHover},
                    {"textDocument/inlayHint", cuteLspInlayHints},
                    {"textDocument/completion", cuteLspComplete},
                    {"textDocument/definition", cuteLspDefinition},
                    {"textDocument/references", cuteLspReferences},
                    {"textDocument/documentHighlight", cuteLspHighlights},
                    {"textDocument/prepareRename", cuteLspPrepareRename},
                    {"textDocument/rename", cuteLspRename},
                    {"textDocument/documentSymbol", cuteLspSymbols},
                    {"textDocument/codeLens", cuteLspLenses}};

static const struct {
  const char *method;
  void (*handle)(CuteLspServer *server, CuteLspDocument *document,
                 json_t *params);
} notifications[] = {{"textDocument/didOpen", didOpen},
                     {"textDocument/didChange", didChange},
                     {"textDocument/didClose", didClose}};

static void fail(const json_t *id, int code, const char *text,
                 const char *method) {
  CUTE_SCOPED(String) message = {0};
  cuteStringAppendFormat(&message, text, method);
  cuteLspWriteMessage(json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0",
                                "id", id, "error", "code", code, "message",
                                cuteStringGet(&message)));
}

// Answers a request about a text; null where it is none.
static json_t *answerOfText(CuteLspServer *server, const char *method,
                            json_t *params) {
  CuteLspDocument *document = documentOf(server, params);
  size_t i = 0, n = sizeof textRequests / sizeof *textRequests;
  while (i < n && strcmp(method, textRequests[i].method))
    ++i;
  if (i == n)
    return NULL;
  if (!document)
    return json_null();
  cuteLspCheckAndPublish(document);
  if (mlirContextIsNull(document->context))
    return json_null();
  const char *at =
      cuteStringGet(&document->text) +
      cuteLspDocumentGetOffset(document, json_object_get(params, "position"));
  json_t *result = textRequests[i].answer(document, at, params);
  return result ? result : json_null();
}

static void answer(CuteLspServer *server, const json_t *id, const char *method,
                   json_t *params) {
  json_t *result = NULL;
  if (!server->isInitialized && strcmp(method, "initialize")) {
    fail(id, NOT_INITIALIZED, "'%s' comes before 'initialize'", method);
    return;
  }
  for (size_t i = 0; i < sizeof requests / sizeof *requests && !result; ++i)
    if (!strcmp(method, requests[i].method))
      result = requests[i].answer(server, params);
  result = result ? result : answerOfText(server, method, params);
  if (result)
    cuteLspWriteMessage(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id,
                                  "result", result));
  else
    fail(id, METHOD_NOT_FOUND, "unknown method '%s'", method);
}

static void notice(CuteLspServer *server, const char *method, json_t *params) {
  for (size_t i = 0; i < sizeof notifications / sizeof *notifications; ++i)
    if (server->isInitialized && !strcmp(method, notifications[i].method))
      notifications[i].handle(server, documentOf(server, params), params);
}

// Handles a message; false where it ends the server.
static bool handle(CuteLspServer *server, json_t *message) {
  const char *method = json_string_value(json_object_get(message, "method"));
  json_t *params = json_object_get(message, "params");
  const json_t *id = json_object_get(message, "id");
  bool goesOn = !method || id || strcmp(method, "exit");
  if (!method && id && !json_object_get(message, "result") &&
      !json_object_get(message, "error"))
    fail(id, INVALID_REQUEST, "a request without a method", "");
  else if (method && id)
    answer(server, id, method, params);
  else if (method)
    notice(server, method, params);
  return goesOn;
}

// Texts are checked when nothing more has come for a while, so that fast typing
// does not wait. Gives the exit code: 0 after `shutdown`.
static int serve(CuteLspServer *server) {
  CuteLspRead read;
  json_t *message;
  bool goesOn = true;
  do {
    if (!cuteLspAwaitMessage(&server->input, PAUSE))
      checkAll(server);
    read = cuteLspReadMessage(&server->input, &message);
    if (read != CUTE_LSP_MESSAGE)
      continue;
    goesOn = handle(server, message);
    json_decref(message);
  } while (goesOn && read != CUTE_LSP_END);
  checkAll(server);
  while (server->numDocuments)
    closeDocument(server, 0);
  free(server->documents);
  cuteStringDestroy(&server->input);
  return server->isShutDown ? 0 : 1;
}

//===-- The command line --------------------------------------------------===//

static CuteStatus takeInput(CUTE_UNUSED void *data, const char *argument) {
  return cuteStatusCreate("unexpected argument '%s'; an editor starts cute-lsp "
                          "without arguments (docs/editors.md)",
                          argument);
}

static CuteStatus takeStdio(CUTE_UNUSED void *data,
                            CUTE_UNUSED const char *value) {
  return NULL;
}

static const CuteOption rows[] = {
    {"--stdio", .take = takeStdio,
     .help = "speak on standard input and output, as always; editors add it"}};

static const CuteTool tool = {
    .name = "cute-lsp",
    .version = cuteDriverVersion,
    .overview = "tells editors about .mlir files of the cute dialect",
    .usage = "[--stdio]",
    .notes = "It speaks the Language Server Protocol, 3.17. docs/editors.md "
             "has settings for\neditors.\n",
    .column = 20,
    .sections = {{"OPTIONS", .rows = rows,
                  .numRows = sizeof rows / sizeof *rows}},
    .takeInput = takeInput,
};

int cuteLspMain(int argc, char **argv) {
  json_set_alloc_funcs(cuteAllocate, free);
  cuteStandardFilesOpen();
  CuteLspServer server = {.lints = true};
  int code;
  if (!cuteCommandSucceeds(cuteOptionsTake(&tool, &server, argc, argv, &code)))
    code = 1;
  else if (code < 0)
    code = serve(&server);
  return cuteStandardFilesFinish(code);
}
