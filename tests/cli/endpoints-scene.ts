// Models behind endpoints for governed runs through the real program: real HTTP, scripted models.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { onTestFinished } from "vitest";
import { ackField } from "../../src/core/contract/index.ts";
import { ApiServer, type Seen, type Step } from "../support/api-server.ts";
import { waitUntil } from "../support/wait-until.ts";
import { bin, type Desk, openTestDesk, sample } from "./program.ts";

export const key = ["sk", "live", "Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U"].join("-");
export const secret = ["gh", "p_", "q7Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U"].join("");

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export const start = (desk: Desk, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [bin, ...args], {
    cwd: desk.repo.dir,
    env: { ...desk.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Not `spawnSync`: the model's server lives in this process. */
export const thehood = (desk: Desk, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  ended(start(desk, args, env));

export function ended(child: ReturnType<typeof start>): Promise<Ran> {
  const texts = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (texts.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (texts.err += chunk.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...texts }));
  });
}

export interface Directive {
  readonly role: string;
  readonly outputContract: { readonly key: string };
  readonly directiveAck: { readonly marker: string };
  readonly variables: { readonly context: { readonly phase: string } };
}

/** The directive as the model got it, in whichever form it was spoken. */
export function directiveIn({ body }: Seen): Directive {
  const list = (body["messages"] ?? body["input"]) as { role: string; content: unknown }[];
  const content = list.find(({ role }) => role === "user")?.content;
  const text = typeof content === "string" ? content : (content as { text: string }[])[0]?.text;
  return JSON.parse(text ?? "") as Directive;
}

const turns = ({ body }: Seen) => ((body["messages"] ?? body["input"]) as { role?: string }[]).length;

const diff = (was: string, now: string) =>
  [
    "```diff",
    "diff --git a/src/add.js b/src/add.js",
    "--- a/src/add.js",
    "+++ b/src/add.js",
    "@@ -1 +1 @@",
    `-export const add = (a, b) => ${was};`,
    `+export const add = (a, b) => ${now};`,
    "```",
  ].join("\n");

export interface Model {
  play(seen: Seen): Step;
  readonly asked: { role: string; phase: string; turns: number }[];
}

/** Reads, then does what its role should; as a worker it needs two passes, as a verifier it insists on both. */
export function model(): Model {
  const asked: Model["asked"] = [];
  return {
    asked,
    play(seen) {
      const directive = directiveIn(seen);
      const { role } = directive;
      const { phase } = directive.variables.context;
      asked.push({ role, phase, turns: turns(seen) });
      const isFirst = !JSON.stringify(seen.body).includes("total_bytes");
      if (isFirst && seen.body["tools"] !== undefined)
        return {
          calls: [
            { name: "repo_read_file", input: { path: "src/add.js" } },
            { name: "repo_read_file", input: { path: ".env" } },
            { name: "repo_read_file", input: { path: "settings.txt" } },
          ],
        };
      const payload = payloadFor(role, phase, asked.filter((one) => one.role === "verifier").length);
      const data = {
        [directive.outputContract.key]: { ...payload, [ackField]: directive.directiveAck.marker },
      };
      return { text: JSON.stringify({ status: "ok", summary: `${role} has spoken`, data }) };
    },
  };
}

function payloadFor(role: string, phase: string, verifierTurns: number): object {
  switch (role) {
    case "orchestrator":
      return {
        action: "delegate",
        reason: "a small change",
        delegateTo: "implementer",
        task: { objective: "make add add", acceptanceCriteria: ["the test passes"] },
      };
    case "implementer":
      return {
        status: "changed",
        changedFiles: ["src/add.js"],
        markdown: phase === "repair" ? diff("a - -b", "a + b") : diff("a - b", "a - -b"),
      };
    case "qa":
      return { verdict: "pass", summary: "nothing missed" };
    case "verifier":
      return verifierTurns <= 2
        ? { verdict: "revise", summary: "say it plainly", failedCriteria: ["two minus signs"] }
        : { verdict: "approve", summary: "it adds" };
    default:
      return { verdict: "acceptable", summary: "fine" };
  }
}

export const until = (what: () => boolean | Promise<boolean>) => waitUntil(what, "the model is asked");

export async function scene(
  settings: (origin: string) => object,
  brain: Pick<Model, "play"> = model(),
  policy: object = {},
) {
  const server = await ApiServer.start([]);
  onTestFinished(() => server.stop());
  // Every question is answered by the model, however many there are.
  server.steps.push(...Array.from({ length: 60 }, () => (seen: Seen) => brain.play(seen)));
  const desk = openTestDesk({
    ...sample,
    ".env": `TOKEN=${secret}\n`,
    "settings.txt": `name = x\ntoken = ${secret}\n`,
  });
  mkdirSync(join(desk.home, "config"), { recursive: true });
  writeFileSync(
    join(desk.home, "config/config.json"),
    JSON.stringify({ version: 1, providers: settings(server.origin), policy }),
  );
  return { server, desk };
}

export const everything = (folder: string): string =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

export const types = async (desk: Desk, runId: string) => {
  const { events } = JSON.parse((await thehood(desk, ["logs", runId, "--json"])).out) as {
    events: { event: { type: string; [more: string]: unknown } }[];
  };
  return events.map(({ event }) => event);
};

/** The directives that reached a server, each once. */
export const markersIn = ({ asked }: ApiServer) => [
  ...new Set(asked.map((seen) => directiveIn(seen).directiveAck.marker)),
];

export const crew = (provider: string) => [
  "--orchestrator",
  `${provider}:tester`,
  "--implementer",
  `${provider}:coder`,
  "--qa",
  `${provider}:tester`,
  "--verifier",
  `${provider}:judge`,
];
export const models = { coder: "coder-7b", tester: "tester-7b", judge: "judge-30b" };
