// Governed runs through the real program, with models behind endpoints in every role: real HTTP, scripted models.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Seen, Step } from "../support/api-server.ts";
import {
  crew,
  directiveIn,
  ended,
  everything,
  key,
  model,
  models,
  scene,
  secret,
  start,
  thehood,
  types,
  until,
} from "./endpoints-scene.ts";

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
      return step.text === undefined ? step : { ...step, text: step.text.replace("has spoken", `has ${plain}`) };
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
    for (const text of [held.out, held.err, done.out, done.err, shown.out, kept]) expect(text).not.toContain(plain);
    expect(kept).toContain("REDACTED");
  });
});
