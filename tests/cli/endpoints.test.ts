// Governed runs through the real program, with models behind endpoints in every role: real HTTP, scripted models.
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it, onTestFinished } from "vitest";
import { ackField } from "../../src/core/contract/index.ts";
import { ApiServer, type Seen, type Step } from "../support/api-server.ts";
import { bin, type Desk, openTestDesk, sample } from "./program.ts";
import { waitUntil } from "../support/wait-until.ts";

const key = ["sk", "live", "Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U"].join("-");
const secret = ["gh", "p_", "q7Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc0Ya2Pe7U"].join("");

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const start = (desk: Desk, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [bin, ...args], {
    cwd: desk.repo.dir,
    env: { ...desk.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Not `spawnSync`: the model's server lives in this process. */
const thehood = (desk: Desk, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  ended(start(desk, args, env));

function ended(child: ReturnType<typeof start>): Promise<Ran> {
  const texts = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (texts.out += chunk.toString("utf8")));
  child.stderr.on("data", (chunk: Buffer) => (texts.err += chunk.toString("utf8")));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...texts }));
  });
}

interface Directive {
  readonly role: string;
  readonly outputContract: { readonly key: string };
  readonly directiveAck: { readonly marker: string };
  readonly variables: { readonly context: { readonly phase: string } };
}

/** The directive as the model got it, in whichever form it was spoken. */
function directiveIn({ body }: Seen): Directive {
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

interface Model {
  play(seen: Seen): Step;
  readonly asked: { role: string; phase: string; turns: number }[];
}

/** Reads, then does what its role should; as a worker it needs two passes, as a verifier it insists on both. */
function model(): Model {
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

const until = (what: () => boolean | Promise<boolean>) => waitUntil(what, "the model is asked");

async function scene(
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

const everything = (folder: string): string =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"))
    .join("\n");

const types = async (desk: Desk, runId: string) => {
  const { events } = JSON.parse((await thehood(desk, ["logs", runId, "--json"])).out) as {
    events: { event: { type: string; [more: string]: unknown } }[];
  };
  return events.map(({ event }) => event);
};

/** The directives that reached a server, each once. */
const markersIn = ({ asked }: ApiServer) => [
  ...new Set(asked.map((seen) => directiveIn(seen).directiveAck.marker)),
];

const crew = (provider: string) => [
  "--orchestrator",
  `${provider}:tester`,
  "--implementer",
  `${provider}:coder`,
  "--qa",
  `${provider}:tester`,
  "--verifier",
  `${provider}:judge`,
];
const models = { coder: "coder-7b", tester: "tester-7b", judge: "judge-30b" };

describe("a governed run by models behind endpoints", () => {
  it("[R-5] [R-23] [R-26] on this machine: reads, diffs, a revision round and integration, and no manifest", async () => {
    const brain = model();
    const settings = (origin: string) => ({
      "openai-api": { baseUrl: `${origin}/v1` },
      "anthropic-api": { baseUrl: origin },
      ollama: { kind: "openai-compatible", baseUrl: `${origin}/v1`, apiKeyEnv: "LOCAL_KEY", models },
    });
    const { server, desk } = await scene(settings, brain);
    const mixed = ["--implementer", "openai-api:gpt-5.5", "--verifier", "anthropic-api:claude-opus-5-5"];
    const others = ["--orchestrator", "ollama:tester", "--qa", "ollama:tester"];
    const run = ["run", "make add() add", "--approvals", "autopilot", "--json", ...mixed, ...others];
    const keys = { LOCAL_KEY: key, OPENAI_API_KEY: key, ANTHROPIC_API_KEY: key };
    const done = await thehood(desk, run, keys);
    expect(done.code, done.out + done.err).toBe(0);
    const { runId } = JSON.parse(done.out) as { runId: string };
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    expect(brain.asked.filter(({ role }) => role === "implementer").map(({ phase }) => phase)).toEqual([
      "implement",
      "implement",
      "repair",
      "repair",
    ]);
    const events = await types(desk, runId);
    expect(events.map(({ type }) => type)).not.toContain("external_transfer_manifest_written");
    expect(JSON.stringify(events)).toContain('"kind":"provider_invocation"');
    // What the models were shown, and what we kept of it.
    const sent = JSON.stringify(server.seen.map(({ body }) => body));
    expect(sent).toContain("export const add");
    const kept = everything(join(desk.repo.dir, ".thehood"));
    for (const hidden of [secret, key]) {
      expect(sent).not.toContain(hidden);
      expect(kept).not.toContain(hidden);
      expect(done.out + done.err).not.toContain(hidden);
    }
    expect(new Set(server.asked.map(({ path }) => path))).toEqual(
      new Set(["/v1/responses", "/v1/messages", "/v1/chat/completions"]),
    );
    for (const { headers } of server.asked)
      expect(headers["x-api-key"] ?? headers.authorization?.slice("Bearer ".length)).toBe(key);
  });

  it("[R-65] elsewhere: nothing is sent before each manifest is approved, and each says what may be read", async () => {
    const cloud = {
      kind: "openai-compatible",
      baseUrl: "http://models.example/v1",
      apiKeyEnv: "CLOUD_KEY",
      models,
    };
    // Without this rule the start of the run asks about all transfers at once.
    const externalTransfers = { rules: [{ provider: "cloud", decision: "manual" }] };
    const { server, desk } = await scene(() => ({ cloud }), model(), { externalTransfers });
    const env = { HTTP_PROXY: server.origin, CLOUD_KEY: key };
    let ran = await thehood(desk, ["run", "make add() add", "--json", ...crew("cloud")], env);
    const phrases: string[] = [];
    const shown: string[] = [];
    const previews: object[] = [];
    const sentBefore: number[] = [];
    for (let steps = 0; steps < 40 && ran.code === 3; steps += 1) {
      const { gate } = JSON.parse(ran.out) as {
        gate: { kind: string; phrase: string | null; sha256: string };
      };
      if (gate.kind.endsWith("external_transfer")) {
        sentBefore.push(markersIn(server).length);
        phrases.push(gate.phrase ?? "");
        shown.push((await thehood(desk, ["show", "--json"], env)).out);
        previews.push(
          JSON.parse((await thehood(desk, ["transfer", "preview", "--json"], env)).out) as object,
        );
      }
      ran = await thehood(
        desk,
        [
          "approve",
          "--json",
          "--shown",
          gate.sha256,
          ...(gate.phrase === null ? [] : ["--message", gate.phrase]),
        ],
        env,
      );
    }
    expect(ran.code, ran.out + ran.err).toBe(0);
    expect(new Set(phrases)).toEqual(new Set(["send repo context to cloud", "send run evidence to cloud"]));
    // The preview is of the manifest that waits, and of no earlier one.
    expect(previews).toMatchObject(
      phrases.map((phrase) => ({
        waits: true,
        manifest: { destination: { provider: "cloud" }, approvalPhrase: phrase },
      })),
    );
    expect(new Set(previews.map((preview) => JSON.stringify(preview))).size).toBe(previews.length);
    expect(markersIn(server)).toHaveLength(phrases.length);
    expect(phrases.length).toBeGreaterThanOrEqual(5);
    // Each gate came before the message it asked about, and told how much may be sent.
    expect(sentBefore).toEqual(phrases.map((_, index) => index));
    expect(shown.filter((text) => !text.includes("up to 100000 bytes"))).toEqual([]);
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const sent = JSON.stringify(server.seen.map(({ body }) => body));
    expect(sent).toContain("looks like a secret");
    for (const hidden of [secret, key]) expect(sent).not.toContain(hidden);
    expect(everything(join(desk.repo.dir, ".thehood"))).not.toContain(key);
  });

  it.each(["SIGKILL", "SIGINT"] as const)(
    "[R-14] %s in the middle of an answer: the connection ends, the call is in doubt, and is sent again only on a word",
    async (signal) => {
      const brain = model();
      let stalled = false;
      const play = (seen: Seen): Step => {
        const step = brain.play(seen);
        if (stalled || step.calls || directiveIn(seen).role !== "implementer") return step;
        stalled = true;
        return { ...step, stall: true };
      };
      const { server, desk } = await scene(
        (origin) => ({ ollama: { kind: "openai-compatible", baseUrl: `${origin}/v1`, models } }),
        { play },
      );
      const run = ["run", "make add() add", "--approvals", "autopilot", "--json", ...crew("ollama")];
      const child = start(desk, run);
      const gone = ended(child);
      await until(() => stalled);
      const asked = server.asked.length;
      child.kill(signal);
      await gone;
      await until(async () => (await server.connections()) === 0);
      const found = await thehood(desk, ["continue", "--json"]);
      const { gate } = JSON.parse(found.out) as { gate: { kind: string; sha256: string } };
      expect(gate.kind, found.out + found.err).toBe("provider_in_doubt");
      expect(server.asked).toHaveLength(asked);
      const done = await thehood(desk, ["approve", "--retry", "--shown", gate.sha256, "--json"]);
      expect(done.code, done.out + done.err).toBe(0);
      expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    },
  );

  it("[S-3] a server that echoes the key gets it into no event, artifact, log or message", async () => {
    // Of no known shape: only where it came from tells that it is a key.
    const plain = ["quiet", "harbour", "lantern", "meadow"].join("-");
    const brain = model();
    let asked = 0;
    const play = (seen: Seen): Step => {
      asked += 1;
      if (asked === 1) return { status: 500, body: { error: { message: `upstream said ${plain}` } } };
      if (asked === 2) return { status: 401, body: { error: { message: `bad key ${plain}` } } };
      const step = brain.play(seen);
      return step.text === undefined
        ? step
        : { ...step, text: step.text.replace("has spoken", `has ${plain}`) };
    };
    const { desk } = await scene(
      (origin) => ({
        ollama: { kind: "openai-compatible", baseUrl: `${origin}/v1`, apiKeyEnv: "LOCAL_KEY", models },
      }),
      { play },
    );
    const run = ["run", "make add() add", "--approvals", "autopilot", "--json", ...crew("ollama")];
    const held = await thehood(desk, run, { LOCAL_KEY: plain });
    expect(held.code, held.out + held.err).toBe(3);
    expect(held.out).toContain("REDACTED");
    // The server had the directive both times: the gate says what it answered.
    expect(held.out).toContain("answered 401");
    expect(held.out).not.toMatch(/nothing was sent|could not be reached/i);
    const { gate } = JSON.parse(held.out) as { gate: { sha256: string } };
    const done = await thehood(desk, ["approve", "--shown", gate.sha256, "--json"], { LOCAL_KEY: plain });
    expect(done.code, done.out + done.err).toBe(0);
    const shown = await thehood(desk, ["show", "--json"]);
    const kept = everything(join(desk.repo.dir, ".thehood"));
    for (const text of [held.out, held.err, done.out, done.err, shown.out, kept])
      expect(text).not.toContain(plain);
    expect(kept).toContain("REDACTED");
  });
});
