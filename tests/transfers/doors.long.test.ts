// Every door through which a message leaves: what arrives at a server elsewhere is, byte for byte, what was shown before.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { detectSandbox } from "../../src/platform/sandbox/index.ts";
import { openScene } from "../gateway/support/scene.ts";
import { recordRequests } from "../support/recording-proxy.ts";
import { ApiServer } from "../support/api-server.ts";
import { Bench } from "../oracle/bench.ts";
import { crew, scene, secret, thehood } from "../cli/endpoints-scene.ts";
import { type Desk, fixing, openTestDesk, stub } from "../cli/program.ts";
import { brain, cloud, messageIn, turnsIn } from "./cloud.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

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

/** A server elsewhere: how the program reaches it, and how many messages have arrived. */
interface Door {
  readonly env: NodeJS.ProcessEnv;
  readonly arrived: () => number;
}

const doorTo = (server: ApiServer): Door => ({ env: env(server), arrived: () => server.asked.length });

/** Approves gate after gate; before each transfer it keeps what a person is shown. Nothing unseen has arrived by then. */
async function passGates(desk: Desk, { env: variables, arrived: count }: Door, shown: Shown[]): Promise<void> {
  for (let round = 0; round < 30; round += 1) {
    const { gates } = JSON.parse((await thehood(desk, ["show", "--json"], variables)).out) as { gates: OpenGate[] };
    const [gate] = gates;
    if (!gate) return;
    if (gate.subject.refs.some(({ kind }) => kind === "transfer_manifest")) {
      const arrived = count();
      const preview = await thehood(desk, ["show", "--transfer", "--json"], variables);
      const { waits, manifest } = JSON.parse(preview.out) as { waits: boolean; manifest: Manifest };
      const ref = manifest.artifacts[0]?.ref ?? "";
      const { out } = await thehood(desk, ["show", "--artifact", ref], variables);
      shown.push({ arrived, waits, manifest, message: out });
    }
    const words = gate.phrase === null ? [] : ["--message", gate.phrase];
    await thehood(desk, ["approve", "--json", "--gate", gate.id, "--shown", gate.subject.sha256, ...words], variables);
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

describe("[B-27] [R-65] what arrives elsewhere is what was shown", async () => {
  it.each(doors)("through the door %s", async (_, commands, least) => {
    const { server, desk } = await scene(() => ({ cloud }), brain);
    writeFileSync(join(desk.repo.dir, "notes.txt"), `token = ${secret}\n`);
    const shown: Shown[] = [];
    for (const command of commands) {
      await thehood(desk, command, env(server));
      await passGates(desk, doorTo(server), shown);
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

  it("through oracle: the rendered message is the one that is sent, and nothing beside it", async () => {
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
    const asked = ["-p", `read the notes, use ${secret}`, "--file", notes, "--root", bench.dir];
    const rendered = await bench.run([...asked, "--render"]);
    expect(server.asked).toHaveLength(0);
    expect(rendered.stdout).toContain("second line");
    expect((await bench.run(asked)).stdout).toBe("seen\n");
    const [seen, ...more] = server.asked;
    expect(more).toEqual([]);
    const { input, ...rest } = seen?.body ?? {};
    expect(input).toEqual([{ role: "user", content: rendered.stdout.replace(/\n$/, "") }]);
    expect(JSON.stringify(rest)).not.toMatch(/notes|line/);
    expect(rendered.stdout).not.toContain(secret);
  });

  const { kind: sandbox } = await detectSandbox();
  it.skipIf(sandbox === "none")("through the gateway: the message of a session is the approved one", async () => {
    const gateway = await openScene();
    const { url, seen } = await recordRequests(gateway.url);
    const desk = openTestDesk();
    const door = {
      env: { THEHOOD_GATEWAY_URL: url, THEHOOD_GATEWAY_TOKEN: gateway.adminToken },
      arrived: () => seen.filter(({ method }) => method === "POST").length,
    };
    const shown: Shown[] = [];
    await thehood(desk, ["plan", "make add() add", "--json", "--planner", "opencode-sandbox:default"], door.env);
    await passGates(desk, door, shown);
    const messages = seen.filter(({ path }) => path.endsWith("/message"));
    const arrived = messages.map(({ body }) => JSON.parse(body) as object);
    expect(arrived).toEqual(shown.map(({ message }) => ({ content: message })));
    expect(shown).toMatchObject([
      { arrived: 0, waits: true, manifest: { contentSha256: sha256(shown[0]?.message ?? "") } },
    ]);
    expect(shown[0]?.message).toContain("make add() add");
    const rest = JSON.stringify(seen.filter((one) => !messages.includes(one)));
    expect(rest).not.toMatch(/add\.js|a - b|make add/);
    expect((await thehood(desk, ["status", "--json"], door.env)).out).toContain('"state":"completed"');
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
