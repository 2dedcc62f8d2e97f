// The reference of bench/gateway.ts: a plain HTTP server that inserts each body into SQLite, one durable commit each.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { tempFolder } from "./temp-folder.ts";

const database = new DatabaseSync(join(tempFolder(), "plain.db"));
database.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE calls (id TEXT PRIMARY KEY, body TEXT)",
);
const insert = database.prepare("INSERT OR IGNORE INTO calls VALUES (?, ?)");

const server = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
  request.on("end", () => {
    const { tool_call_id: id } = JSON.parse(text) as { tool_call_id: string };
    insert.run(id, text);
    const body = JSON.stringify({ success: true, result: "Saved." });
    response
      .writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, adminToken: "", sessions: {} })}\n`);
});
