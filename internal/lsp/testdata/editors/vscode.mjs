// Speaks to the server by VS Code's library, types, and prints the diagnostics.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver-protocol/node.js";

const [binary, project, typed] = process.argv.slice(2);
const server = spawn(binary, ["lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = protocol.createProtocolConnection(new protocol.StreamMessageReader(server.stdout), new protocol.StreamMessageWriter(server.stdin));
const published = [];
let wake = () => {};
connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
  published.push(params);
  wake();
});
connection.onRequest(protocol.RegistrationRequest.type, () => undefined);
connection.listen();
async function next() {
  while (published.length === 0) await new Promise((resolve) => (wake = resolve));
  return published.shift();
}

const path = join(project, "spam.py");
const uri = pathToFileURL(path).href;
const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(project).href,
  workspaceFolders: [{ uri: pathToFileURL(project).href, name: "project" }],
  capabilities: { general: { positionEncodings: ["utf-16"] }, workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
});
if (capabilities.positionEncoding !== "utf-16") throw new Error(`expected utf-16, found ${capabilities.positionEncoding}`);
await connection.sendNotification(protocol.InitializedNotification.type, {});
let text = readFileSync(path, "utf8");
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "python", version: 1, text } });
if ((await next()).diagnostics.length !== 1) throw new Error("expected a diagnostic of the file as it is");

// A character at a time: what was typed stands in the second line.
const line = readFileSync(typed, "utf8").split("\n")[1];
await change(1, { start: { line: 1, character: 0 }, end: { line: 1, character: 5 } }, "");
let at = 0;
for (const character of line) {
  await change(at + 2, { start: { line: 1, character: at }, end: { line: 1, character: at } }, character);
  at += character.length;
}
async function change(version, range, text) {
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges: [{ range, text }] });
}
const last = at - 1 + 2;
let shown = await next();
while (shown.version !== last) shown = await next();
for (const d of shown.diagnostics) console.log(`${d.range.start.line + 1} ${d.code} ${d.message}`);
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument: { uri }, position: { line: 0, character: 3 } });
if (!hover.contents.value.startsWith("# F401 ")) throw new Error(`expected the page of F401, found ${JSON.stringify(hover)}`);
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
const code = await new Promise((resolve) => server.on("exit", resolve));
if (code !== 0) throw new Error(`expected exit code 0, found ${code}`);
connection.dispose();
