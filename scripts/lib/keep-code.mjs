// Runs the built programs as people do, each time keeping the code that V8 has made of their files, so that the next
// start need not parse it again. What no run reached keeps the code of its outermost part.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const { writePack } = createRequire(import.meta.url)("./pack.cjs");
const script = JSON.stringify({
  roles: { implementer: [{ edits: [{ op: "append", path: "a.txt", text: "two\n" }] }] },
});
const work = ["add a line", "--approvals", "autopilot", "--no-checks", "--stub-script", script];

/** Stands for the id of the newest run. */
const newest = "RUN";

/** What is done most, and what is waited for: each in a repository where the ones before it have been done. */
const trips = [
  ["oracle", "--help"],
  ["thehood", "--help"],
  ["thehood", "teams", "apply", "stub"],
  ["thehood", "run", ...work],
  ["thehood", "status", newest],
  ["thehood", "report"],
  ["thehood", "run", ...work, "--json"],
  ["thehood", "runs"],
  ["thehood", "status"],
  ["thehood", "mcp"],
];

const rpc = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const clientInfo = { name: "build", version: "1" };

/** What a host says first; only the server listens. */
const greeting = [
  rpc({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  }),
  rpc({ method: "notifications/initialized" }),
  rpc({ id: 2, method: "tools/list", params: {} }),
  rpc({ id: 3, method: "tools/call", params: { name: "thehood_runs", arguments: {} } }),
  rpc({ id: 4, method: "tools/call", params: { name: "thehood_status", arguments: {} } }),
].join("");

function makeRepository(folder) {
  const git = (...args) =>
    spawnSync("git", ["-c", "user.name=build", "-c", "user.email=build@localhost", ...args], {
      cwd: folder,
      stdio: "ignore",
    }).status === 0;
  writeFileSync(join(folder, "a.txt"), "one\n");
  return git("init", "-q", "-b", "main") && git("add", "-A") && git("commit", "-q", "-m", "first");
}

export function keepCode() {
  writePack(new Map());
  const home = mkdtempSync(join(tmpdir(), "thehood-build-"));
  const repository = mkdtempSync(join(tmpdir(), "thehood-build-"));
  const env = { PATH: process.env.PATH, HOME: home, THEHOOD_HOME: home };
  const traveller = join(import.meta.dirname, "traveller.cjs");
  // Without git there is nothing to travel; the programs start a little slower.
  const options = { cwd: repository, env, input: greeting, encoding: "utf8", timeout: 60_000 };
  const travel = (trip) => spawnSync(process.execPath, [traveller, ...trip], options).stdout;
  const runId = () => /run_[a-z0-9]+/.exec(travel(["thehood", "runs", "--json"]))?.[0] ?? newest;
  if (makeRepository(repository))
    for (const trip of trips) travel(trip.map((word) => (word === newest ? runId() : word)));
  for (const folder of [home, repository]) rmSync(folder, { recursive: true, force: true });
}
