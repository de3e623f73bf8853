// Runs an extension in VS Code's own extension host, which a VS Code server has, and acts as its
// window: opens a text, waits for its diagnostics, asks each provider, and prints what comes.
// node vscode_host.js SERVER EXTENSION FILE
//
// The host connects to a socket. PersistentProtocol (ipc.net.ts) defines its frames, RPCProtocol
// (rpcProtocol.ts) the messages in them, and extHost.protocol.ts the interfaces, which have their
// numbers from their order in the host's bundle.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const net = require("net");
const os = require("os");
const path = require("path");

const [server, extension, file] = process.argv.slice(2).map((name) => path.resolve(name));
const MAIN = path.join(server, "out/vs/workbench/api/node/extensionHostProcess.js");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "host-"));
const uriOf = (name) => ({ $mid: 1, scheme: "file", authority: "", path: name });

const actors = fs.readFileSync(MAIN, "utf8").match(/\w+\("((MainThread|ExtHost)\w+)"\)/g)
  .map((text) => /"(\w+)"/.exec(text)[1]);
const numberOf = (name) => actors.indexOf(name) + 1;

/** The window's end of the connection. */
class Window {
  constructor(socket) {
    Object.assign(this, { socket, sent: 0, received: 0, input: Buffer.alloc(0), requests: 0,
      waiting: new Map(), registered: new Map(), listeners: [] });
    socket.on("data", (data) => this.read(data));
  }

  frame(type, id, body) {
    const head = Buffer.alloc(13);
    head.writeUInt8(type, 0);
    head.writeUInt32BE(id, 1);
    head.writeUInt32BE(this.received, 5);
    head.writeUInt32BE(body.length, 9);
    this.socket.write(Buffer.concat([head, body]));
  }

  send(body) {
    this.frame(1, ++this.sent, body);
  }

  read(data) {
    this.input = Buffer.concat([this.input, data]);
    while (this.input.length >= 13 && this.input.length >= 13 + this.input.readUInt32BE(9)) {
      const size = this.input.readUInt32BE(9), body = this.input.subarray(13, 13 + size);
      if (this.input.readUInt8(0) === 1) {
        this.received = this.input.readUInt32BE(1);
        this.take(Buffer.from(body));
        this.frame(3, 0, Buffer.alloc(0));
      }
      this.input = this.input.subarray(13 + size);
    }
  }

  take(body) {
    if (body.length === 1)
      return body[0] === 2 ? this.send(Buffer.from(JSON.stringify(initial()))) : this.begun();
    const type = body.readUInt8(0), request = body.readUInt32BE(1);
    if (type >= 1 && type <= 4)
      this.answer(type, request, body);
    else if (type >= 7)
      this.settle(type, request, body);
  }

  /** A request of the host; most are answered by nothing but that it is done. */
  answer(type, request, message) {
    const size = message.readUInt8(6), method = message.toString("utf8", 7, 7 + size);
    const at = 7 + size;
    // Of arguments one by one, which begin with a kind each, the first will do.
    const from = type <= 2 ? at : at + 2;
    const text = message.toString("utf8", from + 4, from + 4 + message.readUInt32BE(from));
    const values = type <= 2 ? JSON.parse(text) : [JSON.parse(text)];
    const result = { $getInitialState: { isFocused: true, isActive: true }, $getTools: [] }[method];
    const body = Buffer.from(result ? JSON.stringify(result) : "");
    const head = Buffer.alloc(result ? 9 : 5);
    head.writeUInt8(result ? 9 : 7, 0);
    head.writeUInt32BE(request, 1);
    if (result)
      head.writeUInt32BE(body.length, 5);
    this.send(Buffer.concat([head, body]));
    if (method.startsWith("$register"))
      this.registered.set(method, values[0]);
    this.listeners.forEach((listener) => listener(method, values));
  }

  settle(type, request, body) {
    const made = this.waiting.get(request);
    this.waiting.delete(request);
    const value = type === 7 ? undefined
      : JSON.parse(body.toString("utf8", 9, 9 + body.readUInt32BE(5)));
    if (!made) return;
    if (type === 11) made.reject(new Error(value.message));
    else made.resolve(value);
  }

  call(actor, method, ...values) {
    return this.request(1, actor, method, values);
  }

  /** Type 2 can be cancelled. */
  request(type, actor, method, values) {
    const name = Buffer.from(method), text = Buffer.from(JSON.stringify(values));
    const head = Buffer.alloc(11 + name.length);
    head.writeUInt8(type, 0);
    head.writeUInt32BE(++this.requests, 1);
    head.writeUInt8(numberOf(actor), 5);
    head.writeUInt8(name.length, 6);
    name.copy(head, 7);
    head.writeUInt32BE(text.length, 7 + name.length);
    this.send(Buffer.concat([head, text]));
    return new Promise((resolve, reject) =>
      this.waiting.set(this.requests, { resolve, reject }));
  }

  said(method) {
    return new Promise((resolve) => this.listeners.push((name, values) =>
      name === method && resolve(values)));
  }

  /** Asks the provider that was registered by $registerNAME... of the text. */
  ask(registered, method, ...values) {
    return this.request(2, "ExtHostLanguageFeatures", method,
      [this.registered.get(registered), uriOf(file), ...values]);
  }
}

function initial() {
  const given = JSON.parse(fs.readFileSync(path.join(extension, "package.json"), "utf8"));
  const id = `${given.publisher}.${given.name}`, identifier = { value: id, _lower: id.toLowerCase() };
  return { version: "1.96.2", parentPid: 0, logLevel: 2, loggers: [], autoStart: true, uiKind: 1,
    environment: { appName: "test", appHost: "desktop", appUriScheme: "test", appLanguage: "en",
      isExtensionTelemetryLoggingOnly: false, globalStorageHome: uriOf(folder),
      workspaceStorageHome: uriOf(folder), extensionTelemetryLogResource: uriOf(`${folder}/telemetry.log`),
      skipWorkspaceStorageLock: true },
    extensions: { versionId: 1, allExtensions: [{ ...given, identifier, isBuiltin: false,
      isUserBuiltin: false, isUnderDevelopment: true, targetPlatform: "undefined",
      extensionLocation: uriOf(extension) }],
    activationEvents: { [id]: ["onLanguage:mlir"] }, myExtensions: [identifier] },
    telemetryInfo: { sessionId: "", machineId: "", sqmId: "", devDeviceId: "",
      firstSessionDate: "", msftInternal: false },
    logsLocation: uriOf(folder), remote: { isRemote: false, connectionData: null },
    consoleForward: { includeStack: false, logNative: true }, workspace: null };
}

const plain = (range) => [range.startLineNumber, range.startColumn];

async function run(window) {
  const text = fs.readFileSync(file, "utf8");
  const none = { contents: {}, keys: [], overrides: [] };
  window.call("ExtHostConfiguration", "$initializeConfiguration", { defaults: { contents:
    { cute: { server: "cute-lsp", lint: true } }, keys: ["cute.server", "cute.lint"], overrides: [] },
  policy: none, application: none, user: none, workspace: none,
  folders: [], configurationScopes: [] });
  window.call("ExtHostWorkspace", "$initializeWorkspace", null, true);
  const found = window.said("$changeMany");
  await window.call("ExtHostDocumentsAndEditors", "$acceptDocumentsAndEditorsDelta", {
    addedDocuments: [{ uri: uriOf(file), versionId: 1, lines: text.split("\n"), EOL: "\n",
      languageId: "mlir", isDirty: false, encoding: "utf8" }] });
  await window.call("ExtHostExtensionService", "$activateByEvent", "onLanguage:mlir", 0);
  const [, entries] = await found;
  for (const one of entries[0][1])
    console.log("diagnostic", one.startLineNumber, one.message);
  await window.call("ExtHostDocuments", "$acceptModelChanged", uriOf(file), { changes: [{ range:
    { startLineNumber: 1, startColumn: 1, endLineNumber: 1, endColumn: 1 }, rangeOffset: 0,
  rangeLength: 0, text: "//\n" }], eol: "\n", versionId: 2, isUndoing: false, isRedoing: false }, true);
  const at = { lineNumber: 6, column: 26 };
  const hover = await window.ask("$registerHoverProvider", "$provideHover", at);
  console.log("hover", hover.contents[0].value.split("\n")[1]);
  const items = await window.ask("$registerCompletionsProvider", "$provideCompletionItems", at,
    { triggerKind: 0 });
  console.log("completion", items.b.length > 0);
  const [definition] = await window.ask("$registerDefinitionSupport", "$provideDefinition", at);
  console.log("definition", ...plain(definition.range));
  const uses = await window.ask("$registerReferenceSupport", "$provideReferences", at,
    { includeDeclaration: true });
  console.log("references", uses.length);
  const edit = await window.ask("$registerRenameSupport", "$provideRenameEdits", at, "%m");
  console.log("rename", edit.edits.map((one) => one.textEdit.text).join(" "));
  const symbols = await window.ask("$registerDocumentSymbolProvider", "$provideDocumentSymbols");
  console.log("symbol", symbols[0].name);
  const lenses = await window.ask("$registerCodeLensSupport", "$provideCodeLenses");
  console.log("lens", lenses.lenses[0].command.title);
}

const pipe = path.join(folder, "pipe");
let child;
const end = (status) => {
  child.kill();
  fs.rmSync(folder, { recursive: true, force: true });
  process.exit(status);
};
net.createServer((socket) => {
  const window = new Window(socket);
  window.begun = () => run(window).then(() => end(0), (error) => { console.error(error); end(1); });
}).listen(pipe, () => {
  child = spawn(path.join(server, "node"), [path.join(server, "out/bootstrap-fork.js"),
    "--type=extensionHost"], { stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, VSCODE_EXTHOST_IPC_HOOK: pipe,
      VSCODE_NLS_CONFIG: JSON.stringify({ userLocale: "en", osLocale: "en", resolvedLanguage: "en",
        defaultMessagesFile: path.join(server, "out/nls.messages.json") }),
      VSCODE_ESM_ENTRYPOINT: "vs/workbench/api/node/extensionHostProcess" } });
});
setTimeout(() => { console.error("no end after 60 s"); end(1); }, 60000);
