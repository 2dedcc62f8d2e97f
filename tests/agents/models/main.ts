// The scripted models as a program of their own: `node main.ts FOLDER` reads FOLDER/play.json, serves every wire on
// loopback, writes the addresses to FOLDER/models.json and each request to FOLDER/requests.jsonl. Ends with its parent.
import { appendFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { generate } from "./gemini.ts";
import { messages } from "./messages.ts";
import { type Play, directiveIn, playerOf } from "./play.ts";
import { responses } from "./responses.ts";
import { serveModel } from "./server.ts";

const folder = process.argv[2];
if (!folder) throw new Error("give the folder with play.json");
const play = JSON.parse(readFileSync(join(folder, "play.json"), "utf8")) as Play;
const player = playerOf(play);
const addresses: Record<string, string> = {};
for (const wire of [responses, messages, generate]) {
  const server = await serveModel(wire, player, {
    onRequest({ url, body }) {
      const directive = body === undefined ? undefined : directiveIn(wire.read(body));
      const line = { wire: wire.name, url, role: directive?.role ?? null, callId: directive?.callId ?? null };
      appendFileSync(join(folder, "requests.jsonl"), `${JSON.stringify(line)}\n`);
    },
  });
  addresses[wire.name] = server.url;
}
writeFileSync(join(folder, "models.tmp"), JSON.stringify(addresses));
renameSync(join(folder, "models.tmp"), join(folder, "models.json"));
process.stdin.on("close", () => process.exit(0)).resume();
