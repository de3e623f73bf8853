// As much of VS Code as the extension sees: opens a text, waits for its diagnostics, asks
// each provider, and prints what comes. node vscode.js EXTENSION FILE
"use strict";
const fs = require("fs");
const Module = require("module");

class Position {
  constructor(line, character) { Object.assign(this, { line, character }); }
}
class Range {
  constructor(start, end) { Object.assign(this, { start, end }); }
  toJSON() { return [this.start, this.end]; }
}
const made = (...names) => class {
  constructor(...values) { names.forEach((name, i) => { this[name] = values[i]; }); }
};
class WorkspaceEdit {
  constructor() { this.edits = []; }
  replace(uri, range, text) { this.edits.push([range.start.line, text]); }
}
const Uri = { parse: (text) => ({ toString: () => text }) };
const providers = {};
let published;
const diagnosed = new Promise((resolve) => { published = resolve; });
const listeners = {};
const on = (name) => (listener) => { listeners[name] = listener; };
const [extension, file] = process.argv.slice(2);
const document = { uri: Uri.parse("file:///test.mlir"), languageId: "mlir", version: 1,
  getText: () => fs.readFileSync(file, "utf8") };

const vscode = {
  Position, Range, WorkspaceEdit, Uri,
  Location: made("uri", "range"), Diagnostic: made("range", "message", "severity"),
  DiagnosticRelatedInformation: made("location", "message"),
  DocumentSymbol: made("name", "detail", "kind", "range", "selectionRange"),
  CompletionItem: made("label", "kind"), Hover: made("contents"),
  MarkdownString: made("value"), DocumentHighlight: made("range", "kind"),
  InlayHint: made("position", "label", "kind"), CodeLens: made("range", "command"),
  commands: { registerCommand: () => {} },
  window: { showErrorMessage: console.error, terminals: [] },
  workspace: { textDocuments: [document],
    getConfiguration: () => ({ get: (name) => ({ server: "cute-lsp", lint: true })[name] }),
    onDidOpenTextDocument: on("open"), onDidCloseTextDocument: on("close"),
    onDidChangeTextDocument: on("change") },
  languages: new Proxy({
    createDiagnosticCollection: () => ({ set: (_, found) => published(found) }),
  }, { get: (own, name) => own[name] ??
    ((_, provider) => { Object.assign(providers, provider); }) }),
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function main() {
  const { activate, deactivate } = require(extension);
  await activate({ subscriptions: [] });
  for (const one of await diagnosed)
    console.log("diagnostic", one.severity, one.range.start.line, one.message);
  listeners.change({ document: { ...document, version: 2 }, contentChanges: [
    { range: new Range(new Position(0, 0), new Position(0, 0)), text: "//\n" }] });
  const at = new Position(5, 25); // %l, a line lower now
  const hover = await providers.provideHover(document, at);
  console.log("hover", hover.contents.value.split("\n")[1]);
  const items = await providers.provideCompletionItems(document, new Position(5, 26));
  console.log("completion", items.some((item) => item.label === "l" && item.kind === 5));
  console.log("definition", (await providers.provideDefinition(document, at)).range.start.line);
  console.log("references",
    (await providers.provideReferences(document, at, { includeDeclaration: true })).length);
  console.log("highlights", (await providers.provideDocumentHighlights(document, at)).length);
  await providers.prepareRename(document, at);
  console.log("rename", (await providers.provideRenameEdits(document, at, "%m")).edits.join(" "));
  await providers.provideRenameEdits(document, at, "a b").catch((e) => console.log(e.message));
  const [symbol] = await providers.provideDocumentSymbols(document);
  console.log("symbol", symbol.name, symbol.children[0].name, symbol.children[0].kind);
  const all = new Range(new Position(0, 0), new Position(99, 0));
  console.log("hint", (await providers.provideInlayHints(document, all))[0].label);
  console.log("lens", (await providers.provideCodeLenses(document))[0].command.title);
  await deactivate();
}
main();
