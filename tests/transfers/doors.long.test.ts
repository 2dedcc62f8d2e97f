// Every door through which a message leaves: what arrives at a server elsewhere is, byte for byte, what was shown before.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sendToSandbox } from "../../src/agents/sandbox/call.ts";
import { ApiServer, type Seen, type Step } from "../support/api-server.ts";
import { Bench } from "../oracle/bench.ts";
import { providerCall } from "../support/provider-call.ts";
import { type Directive, crew, models, scene, secret, thehood } from "../cli/endpoints-scene.ts";
import { type Desk, fixing, stub } from "../cli/program.ts";
import { ackField } from "../../src/core/contract/index.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The server is reached as the proxy of an address that is not this machine. */
const cloud = { kind: "openai-compatible", baseUrl: "http://models.example/v1", models };

interface Turn {
  readonly role: string;
  readonly content: string;
}

const turnsIn = ({ body }: Seen): Turn[] => body["messages"] as Turn[];
const messageIn = (seen: Seen): string => turnsIn(seen).find(({ role }) => role === "user")?.content ?? "";

const payloads: Readonly<Record<string, object>> = {
  orchestrator: { action: "delegate", reason: "small", delegateTo: "implementer" },
  planner: { action: "complete", reason: "done" },
  implementer: {
    status: "changed",
    changedFiles: ["src/add.js"],
    markdown: `\`\`\`diff\ndiff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n@@ -1 +1 @@\n-export const add = (a, b) => a - b;\n+export const add = (a, b) => a + b;\n\`\`\``,
  },
  qa: { verdict: "pass", summary: "fine" },
  verifier: { verdict: "approve", summary: "it adds" },
  critic: { verdict: "acceptable", summary: "fine" },
};
const reconciled = { status: "complete" };

/** Answers at once and reads nothing, so that each request is one message. */
const brain = {
  play(seen: Seen): Step {
    const { role, outputContract, directiveAck, variables } = JSON.parse(messageIn(seen)) as Directive;
    const payload = variables.context.phase === "reconcile" ? reconciled : payloads[role];
    const data = { [outputContract.key]: { ...payload, [ackField]: directiveAck.marker } };
    return { text: JSON.stringify({ status: "ok", summary: `${role} has answered`, data }) };
  },
};

interface Manifest {
  readonly contentSha256: string;
  readonly totalBytes: number;
  readonly preview: { readonly content: string };
  readonly artifacts: readonly { readonly ref: string }[];
}

interface Shown {
  /** The number of messages that had arrived by then. */
  readonly arrived: number;
  readonly waits: boolean;
  readonly manifest: Manifest;
  readonly message: string;
}

interface OpenGate {
  readonly id: string;
  readonly phrase: string | null;
  readonly kind: string;
  readonly subject: { readonly sha256: string; readonly refs: readonly { readonly kind: string }[] };
}

const env = (server: ApiServer) => ({ HTTP_PROXY: server.origin });

/** Approves gate after gate; before each transfer it keeps what a person is shown. Nothing unseen has arrived by then. */
async function passGates(desk: Desk, server: ApiServer, shown: Shown[]): Promise<void> {
  for (let round = 0; round < 30; round += 1) {
    const { gates } = JSON.parse((await thehood(desk, ["show", "--json"], env(server))).out) as { gates: OpenGate[] };
    const [gate] = gates;
    if (!gate) return;
    if (gate.subject.refs.some(({ kind }) => kind === "transfer_manifest")) {
      const arrived = server.asked.length;
      const preview = await thehood(desk, ["show", "--transfer", "--json"], env(server));
      const { waits, manifest } = JSON.parse(preview.out) as { waits: boolean; manifest: Manifest };
      const ref = manifest.artifacts[0]?.ref ?? "";
      const { out } = await thehood(desk, ["show", "--artifact", ref], env(server));
      shown.push({ arrived, waits, manifest, message: out });
    }
    const words = gate.phrase === null ? [] : ["--message", gate.phrase];
    await thehood(
      desk,
      ["approve", "--json", "--gate", gate.id, "--shown", gate.subject.sha256, ...words],
      env(server),
    );
  }
  throw new Error("the run asks without an end");
}

const withStub = ["run", "make add() add", "--team", "stub", "--json", ...stub(fixing)];
const items = JSON.stringify([
  { role: "critic", brief: "races?", agent: "cloud:judge" },
  { role: "qa", brief: "what is untested?", agent: "cloud:tester" },
]);

const doors: readonly (readonly [door: string, commands: readonly (readonly string[])[], least: number])[] = [
  ["run", [["run", "make add() add", "--json", ...crew("cloud")]], 3],
  ["plan", [["plan", "make add() add", "--json", "--planner", "cloud:tester"]], 1],
  ["summon", [withStub, ["summon", "--role", "critic", "--brief", "look", "--agent", "cloud:judge", "--json"]], 1],
  ["fan-out", [withStub, ["fanout", "--items", items, "--json"]], 2],
  [
    "reconcile",
    [
      [...withStub, "--orchestrator", "cloud:tester"],
      ["reconcile", "--role", "orchestrator", "--json"],
    ],
    2,
  ],
];

describe("[B-27] [R-65] what arrives elsewhere is what was shown", () => {
  it.each(doors)("through the door %s", async (_, commands, least) => {
    const { server, desk } = await scene(() => ({ cloud }), brain);
    writeFileSync(join(desk.repo.dir, "notes.txt"), `token = ${secret}\n`);
    const shown: Shown[] = [];
    for (const command of commands) {
      await thehood(desk, command, env(server));
      await passGates(desk, server, shown);
    }
    const arrived = server.asked.map(messageIn);
    expect(arrived.length).toBeGreaterThanOrEqual(least);
    expect(shown.map((one) => [one.arrived, one.waits])).toEqual(arrived.map((_message, index) => [index, true]));
    expect(shown.map(({ message }) => sha256(message))).toEqual(arrived.map(sha256));
    expect(shown.map(({ manifest }) => [manifest.contentSha256, manifest.totalBytes])).toEqual(
      arrived.map((message) => [sha256(message), Buffer.byteLength(message)]),
    );
    for (const [index, { manifest }] of shown.entries()) {
      expect(manifest.preview.content.length).toBeGreaterThan(1_000);
      expect(arrived[index]?.startsWith(manifest.preview.content)).toBe(true);
    }
    // Beside the message only our fixed text goes out: nothing of the repository.
    for (const seen of server.asked) {
      expect(turnsIn(seen).map(({ role }) => role)).toEqual(["system", "user"]);
      const rest = JSON.stringify({ ...seen.body, messages: turnsIn(seen).filter(({ role }) => role !== "user") });
      expect(rest).not.toMatch(/add\.js|a - b|make add/);
      expect(JSON.stringify(seen.body)).not.toContain(secret);
    }
  });

  it("through oracle: the rendered message is the one that is sent", async () => {
    const server = await ApiServer.start([{ text: "seen" }]);
    const bench = new Bench();
    onTestFinished(async () => {
      bench.dispose();
      await server.stop();
    });
    bench.env["OPENAI_API_KEY"] = ["sk", "proj", "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA"].join("-");
    bench.env["OPENAI_BASE_URL"] = `${server.origin}/v1`;
    const notes = join(bench.dir, "notes.txt");
    writeFileSync(notes, "first line é\nsecond line\n");
    const asked = ["-p", "read the notes and say what they hold", "--file", notes];
    const rendered = await bench.run([...asked, "--render"]);
    expect(server.asked).toHaveLength(0);
    expect(rendered.stdout).toContain("second line");
    expect((await bench.run(asked)).stdout).toBe("seen\n");
    const arrived = JSON.stringify(server.asked.map(({ body }) => body["input"]));
    expect(arrived).toContain(JSON.stringify(rendered.stdout.replace(/\n$/, "")).slice(1, -1));
  });

  it("through the gateway: the message of a session is the approved one", async () => {
    const asked: { path: string; body: object | undefined }[] = [];
    const call = providerCall("planner", { prompt: '{"goal":"é\\n"}' });
    const gateway = {
      url: "http://gateway.example",
      ask: async (_method: string, path: string, body?: object) => {
        asked.push({ path, body });
        return { id: "configuration" };
      },
      async *events() {
        yield { type: "session_error", seq: 1 };
      },
    };
    const signal = AbortSignal.timeout(50);
    await sendToSandbox({ gateway, session: "s", model: null, call, signal });
    const sent = asked.filter(({ path }) => path.endsWith("/message"));
    expect(sent).toEqual([{ path: "/api/sessions/s/message", body: { content: call.prompt } }]);
    const rest = JSON.stringify(asked.filter((one) => !sent.includes(one)));
    expect(rest).not.toContain("goal");
  });
});

describe("[B-3] [B-27] a destination that a person allows once", () => {
  it("passes later transfers with their manifests, is listed and revoked by access, and is the user's alone", async () => {
    const { server, desk } = await scene(() => ({ cloud }), brain);
    const run = ["run", "make add() add", "--json", ...crew("cloud")];
    const gateOf = async () =>
      (JSON.parse((await thehood(desk, ["show", "--json"], env(server))).out) as { gates: OpenGate[] }).gates[0];
    const answer = async (...more: string[]) => {
      const gate = await gateOf();
      const words = gate?.phrase ? ["--message", gate.phrase] : [];
      return thehood(
        desk,
        ["approve", "--json", "--shown", gate?.subject.sha256 ?? "", ...words, ...more],
        env(server),
      );
    };
    let questions = 0;
    const toTheEnd = async (first: readonly string[]) => {
      questions = 0;
      for (let more = first; await gateOf(); more = []) {
        questions += 1;
        const done = await answer(...more);
        expect([0, 3], done.out + done.err).toContain(done.code);
      }
      return questions;
    };
    await thehood(desk, run, env(server));
    expect(await toTheEnd(["--remember"])).toBe(3);
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toContain("a + b");
    const listed = await thehood(desk, ["access", "--json"], env(server));
    expect(JSON.parse(listed.out)).toMatchObject({
      allowed: [
        { provider: "cloud", place: "models.example/v1", maxBytes: 300_000, since: expect.any(String) as string },
      ],
    });
    expect(readFileSync(join(desk.home, "config/config.json"), "utf8")).toContain('"destinations"');
    await thehood(desk, ["undo"], env(server));
    await thehood(desk, run, env(server));
    expect(await toTheEnd([])).toBe(2);
    const log = (await thehood(desk, ["logs", "--json"], env(server))).out;
    expect(log).toContain("You allowed cloud (models.example/v1)");
    expect((await thehood(desk, ["access", "revoke", "cloud"], env(server))).code).toBe(0);
    expect((await thehood(desk, ["access", "revoke", "cloud"], env(server))).err).toContain(
      "You allowed no destination",
    );
    await thehood(desk, ["undo"], env(server));
    const before = server.asked.length;
    await thehood(desk, run, env(server));
    expect(await gateOf()).toMatchObject({ phrase: "invoke cloud; send repo context to cloud" });
    expect(server.asked).toHaveLength(before);
    // A repository's file cannot allow a destination.
    writeFileSync(join(desk.repo.dir, ".thehood/config.json"), JSON.stringify({ version: 1, destinations: [] }));
    expect((await thehood(desk, ["access"], env(server))).code).toBe(2);
  });
});
