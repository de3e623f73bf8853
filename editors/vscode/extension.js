// A client of cute-lsp that needs no packages: each feature of VS Code asks the server and
// takes its answer, whose positions are those of VS Code.
"use strict";
const vscode = require("vscode");
const { spawn } = require("child_process");

const LANGUAGE = { language: "mlir" };

/** The server's process; requests are promises. */
class Server {
  constructor(path, diagnostics) {
    this.waiting = new Map();
    this.number = 0;
    this.input = Buffer.alloc(0);
    this.diagnostics = diagnostics;
    this.process = spawn(path, ["--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
    this.process.on("error", () => vscode.window.showErrorMessage(
      `'${path}' does not start; name the language server in the setting cute.server`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.read(data));
  }

  send(message) {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  tell(method, params) {
    this.send({ method, params });
  }

  ask(method, params) {
    const id = ++this.number;
    this.send({ id, method, params });
    return new Promise((resolve) => this.waiting.set(id, resolve));
  }

  read(data) {
    this.input = Buffer.concat([this.input, data]);
    for (;;) {
      const head = this.input.indexOf("\r\n\r\n");
      const found = /Content-Length: (\d+)/.exec(this.input.subarray(0, Math.max(head, 0)));
      const end = found ? head + 4 + Number(found[1]) : Infinity;
      if (this.input.length < end)
        return;
      this.take(JSON.parse(this.input.subarray(head + 4, end)));
      this.input = this.input.subarray(end);
    }
  }

  take(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params;
      this.diagnostics.set(vscode.Uri.parse(uri), diagnostics.map(diagnosticOf));
    } else if (this.waiting.has(message.id)) {
      this.waiting.get(message.id)(message.result ?? null);
      this.waiting.delete(message.id);
    }
  }
}

const positionOf = (at) => new vscode.Position(at.line, at.character);
const rangeOf = (range) => new vscode.Range(positionOf(range.start), positionOf(range.end));
// VS Code writes ranges as pairs otherwise.
const plainOf = ({ start, end }) => ({ start, end });
const locationOf = ({ uri, range }) =>
  new vscode.Location(vscode.Uri.parse(uri), rangeOf(range));

function diagnosticOf(from) {
  const made = new vscode.Diagnostic(rangeOf(from.range), from.message, from.severity - 1);
  made.source = from.source;
  made.relatedInformation = (from.relatedInformation ?? []).map((note) =>
    new vscode.DiagnosticRelatedInformation(locationOf(note.location), note.message));
  return made;
}

function symbolOf(from) {
  const made = new vscode.DocumentSymbol(from.name, from.detail, from.kind - 1,
    rangeOf(from.range), rangeOf(from.selectionRange));
  made.children = from.children.map(symbolOf);
  return made;
}

function itemOf(from) {
  const made = new vscode.CompletionItem(from.label, from.kind - 1);
  made.detail = from.detail;
  made.range = rangeOf(from.textEdit.range);
  made.insertText = from.textEdit.newText;
  return made;
}

/** What each feature asks and makes of the answer. */
function register(server) {
  const of = (document) => ({ textDocument: { uri: document.uri.toString() } });
  const at = (document, position) => ({ ...of(document), position });
  const all = (answer, make) => (answer ?? []).map(make);
  const { languages } = vscode;
  return [
    languages.registerHoverProvider(LANGUAGE, {
      provideHover: async (document, position) => {
        const answer = await server.ask("textDocument/hover", at(document, position));
        return answer && new vscode.Hover(new vscode.MarkdownString(answer.contents.value));
      } }),
    languages.registerCompletionItemProvider(LANGUAGE, {
      provideCompletionItems: async (document, position) =>
        all(await server.ask("textDocument/completion", at(document, position)), itemOf),
    }, ".", "%", "!", "@", "\""),
    languages.registerDefinitionProvider(LANGUAGE, {
      provideDefinition: async (document, position) => {
        const answer = await server.ask("textDocument/definition", at(document, position));
        return answer && locationOf(answer);
      } }),
    languages.registerReferenceProvider(LANGUAGE, {
      provideReferences: async (document, position, context) =>
        all(await server.ask("textDocument/references", { ...at(document, position), context }),
          locationOf) }),
    languages.registerDocumentHighlightProvider(LANGUAGE, {
      provideDocumentHighlights: async (document, position) =>
        all(await server.ask("textDocument/documentHighlight", at(document, position)),
          (one) => new vscode.DocumentHighlight(rangeOf(one.range), one.kind - 1)) }),
    languages.registerRenameProvider(LANGUAGE, {
      prepareRename: async (document, position) => {
        const answer = await server.ask("textDocument/prepareRename", at(document, position));
        if (!answer)
          throw new Error("only values, symbols and aliases can be renamed");
        return rangeOf(answer);
      },
      provideRenameEdits: async (document, position, newName) => {
        const answer = await server.ask("textDocument/rename",
          { ...at(document, position), newName });
        if (!answer)
          throw new Error(`'${newName}' is not a name`);
        const edit = new vscode.WorkspaceEdit();
        for (const [uri, edits] of Object.entries(answer.changes))
          for (const one of edits)
            edit.replace(vscode.Uri.parse(uri), rangeOf(one.range), one.newText);
        return edit;
      } }),
    languages.registerDocumentSymbolProvider(LANGUAGE, {
      provideDocumentSymbols: async (document) =>
        all(await server.ask("textDocument/documentSymbol", of(document)), symbolOf) }),
    languages.registerInlayHintsProvider(LANGUAGE, {
      provideInlayHints: async (document, range) =>
        all(await server.ask("textDocument/inlayHint", { ...of(document), range: plainOf(range) }), (hint) =>
          Object.assign(new vscode.InlayHint(positionOf(hint.position), hint.label, hint.kind),
            { tooltip: hint.tooltip })) }),
    languages.registerCodeLensProvider(LANGUAGE, {
      provideCodeLenses: async (document) =>
        all(await server.ask("textDocument/codeLens", of(document)), (lens) =>
          new vscode.CodeLens(rangeOf(lens.range), lens.command)) }),
    vscode.commands.registerCommand("cute.run", (command) => {
      const name = "cute";
      const terminal = vscode.window.terminals.find((one) => one.name === name) ??
        vscode.window.createTerminal(name);
      terminal.show();
      terminal.sendText(command);
    }),
  ];
}

/** Tells the server of texts that are open, and of what changes in them. */
function follow(server) {
  const isOurs = (document) => document.languageId === "mlir";
  const open = (document) => isOurs(document) && server.tell("textDocument/didOpen", {
    textDocument: { uri: document.uri.toString(), languageId: "mlir",
      version: document.version, text: document.getText() } });
  vscode.workspace.textDocuments.forEach(open);
  return [
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument((document) => isOurs(document) &&
      server.tell("textDocument/didClose", { textDocument: { uri: document.uri.toString() } })),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
      isOurs(document) && server.tell("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: contentChanges.map(({ range, text }) => ({ range: plainOf(range), text })) })),
  ];
}

let server = null;

async function activate(context) {
  const settings = vscode.workspace.getConfiguration("cute");
  const diagnostics = vscode.languages.createDiagnosticCollection("cute");
  server = new Server(settings.get("server"), diagnostics);
  await server.ask("initialize", {
    processId: process.pid, rootUri: null,
    capabilities: { textDocument: { publishDiagnostics: { relatedInformation: true } } },
    initializationOptions: { arch: settings.get("arch"), lint: settings.get("lint") } });
  server.tell("initialized", {});
  context.subscriptions.push(diagnostics, ...register(server), ...follow(server));
}

async function deactivate() {
  await server?.ask("shutdown", null);
  server?.tell("exit", null);
}

module.exports = { activate, deactivate };
