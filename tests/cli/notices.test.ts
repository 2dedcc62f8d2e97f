// Notices from the process that works: by webhook, push and a program of the user's, once for each gate and once at the end.
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

interface Open {
  readonly phrase: string | null;
  readonly subject: { readonly sha256: string };
}

interface Received {
  readonly path: string;
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

/** Answers the first request to each path with 503. */
async function openAddress(): Promise<{ readonly base: string; readonly received: Received[] }> {
  const received: Received[] = [];
  const failed = new Set<string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString("utf8")));
    request.on("end", () => {
      const path = request.url ?? "";
      if (failed.has(path)) received.push({ path, body, headers: request.headers });
      else response.statusCode = 503;
      failed.add(path);
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function configure(desk: Desk, notify: object): void {
  mkdirSync(join(desk.home, "config"), { recursive: true });
  writeFileSync(join(desk.home, "config", "config.json"), JSON.stringify({ version: 1, notify }));
}

async function run(
  desk: Desk,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly out: string }> {
  const child = desk.spawn(args);
  let out = "";
  child.stdout?.on("data", (part: Buffer) => (out += part.toString("utf8")));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out };
}

const reviewers = ["orchestrator", "planner", "verifier", "critic", "qa"];
const team = ["--implementer", "stub:a", ...reviewers.flatMap((role) => [`--${role}`, "stub:b"]), ...stub(fixing)];

it("each gate and the end are sent once, by every way, and a run that is only looked at again sends nothing", async () => {
  const desk = openTestDesk();
  const { base, received } = await openAddress();
  const written = join(desk.home, "notices");
  const program = join(desk.home, "note");
  writeFileSync(program, `#!/bin/sh\ncat >> ${written}\necho >> ${written}\n`);
  chmodSync(program, 0o755);
  configure(desk, {
    webhook: `${base}/hook`,
    push: `${base}/push`,
    command: [program],
    page: "http://127.0.0.1:7467/",
  });

  const started = await run(desk, ["run", "fix add — schön", ...team, "--approvals", "manual", "--json"]);
  const { runId } = JSON.parse(started.out) as { runId: string };
  const seen = (path: string) => received.filter((one) => one.path === path);
  const events = () => seen("/hook").map(({ body }) => (JSON.parse(body) as { event: string }).event);
  expect(events()).toEqual(["gate"]);
  await run(desk, ["continue", runId, "--json"]);
  expect(events()).toEqual(["gate"]);

  let gates = 1;
  for (let tries = 0, code: number | null = 3; code === 3 && tries < 5; tries += 1) {
    const [gate] = desk.thehood(["show", runId, "--json"]).json<{ gates: Open[] }>().gates;
    if (!gate) break;
    const words = gate.phrase === null ? [] : ["--message", gate.phrase];
    ({ code } = await run(desk, ["approve", runId, ...words, "--shown", gate.subject.sha256, "--json"]));
    if (code === 3) gates += 1;
  }
  expect(desk.thehood(["status", runId, "--json"]).json()).toMatchObject({ state: "completed" });
  expect(events()).toEqual([...Array.from({ length: gates }, () => "gate"), "end"]);
  expect(JSON.parse(seen("/hook")[0]?.body ?? "")).toMatchObject({
    runId,
    text: "fix add — schön",
    next: `thehood approve ${runId}`,
    link: `http://127.0.0.1:7467/#/run?id=${runId}`,
  });
  expect(seen("/push").map(({ body }) => body)).toContain(`fix add — schön\nthehood report ${runId}`);
  expect(seen("/push")[0]?.headers).toMatchObject({ click: `http://127.0.0.1:7467/#/run?id=${runId}` });
  const lines = readFileSync(written, "utf8").trim().split("\n");
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(events());
});

it("a way that fails changes nothing of the run, and notify test names it", async () => {
  const desk = openTestDesk();
  configure(desk, { webhook: "http://127.0.0.1:9/", command: ["no-such-program-here"] });
  const tried = desk.thehood(["notify", "test", "--json"]);
  expect(tried.code).toBe(1);
  expect(tried.json()).toMatchObject({
    ok: false,
    sent: [
      { by: "webhook", sent: false },
      { by: "command", sent: false, problem: "no-such-program-here was not found" },
    ],
  });
  const ended = await run(desk, ["run", "fix add", ...team, "--approvals", "autopilot", "--json"]);
  expect(JSON.parse(ended.out)).toMatchObject({ state: "completed" });
});

it("a repository can set no notices, and without settings the test says what to set", () => {
  const desk = openTestDesk();
  const none = desk.thehood(["notify", "test"]);
  expect(none.err).toContain("thehood config set notify.desktop true");
  const marker = join(desk.home, "marker");
  mkdirSync(join(desk.repo.dir, ".thehood"), { recursive: true });
  const config = { version: 1, notify: { command: ["touch", marker] } };
  writeFileSync(join(desk.repo.dir, ".thehood/config.json"), JSON.stringify(config));
  expect(desk.thehood(["notify", "test", "--json"]).code).not.toBe(0);
  expect(existsSync(marker)).toBe(false);
});
