import { afterAll, describe, expect, it } from "vitest";
import {
  type EvidenceAttachment,
  type CommandOutcome,
  type CommandRequest,
  type CommandVerdict,
  type OutsideEffect,
  type Policy,
  FailureError,
} from "../../core/contract/index.ts";
import { createEffects } from "./perform.ts";
import { excerptsOf } from "../engine/excerpt.ts";
import { sha256 } from "../../../tests/support/artifacts.ts";
import { createTextPort } from "./redaction.ts";
import { tightenPolicy } from "../../core/crew/policy/index.ts";
import { defaultPolicy } from "../../core/machine/index.ts";
import type { EffectsInput } from "./deps.ts";
import { compileUserRules } from "../../core/secrets/index.ts";

import { makeRepository } from "../../../tests/support/repository.ts";
import { requireRepository } from "../../platform/git/index.ts";
import { createCommandRunner } from "../../platform/sandbox/index.ts";
import { context, memory, perform, runnerOf, sceneDeps, secret, text } from "../../../tests/support/effect-scene.ts";

describe("an excerpt for a prompt", () => {
  it("keeps both ends of what is too long, says what is missing, and cuts no character", async () => {
    const { artifacts, attach } = memory();
    const long = await attach("log", `start ${"é".repeat(5_000)} end`, 400);
    const [excerpt] = (await excerptsOf(artifacts, text, [long])).excerpts;
    expect(excerpt).toMatchObject({ truncated: true, bytes: 10_010 });
    expect(excerpt?.text).toMatch(/^start é+\n\[… \d+ bytes left out …\]\né+ end$/);
  });

  it("[S-2] holds no secret, also not at the edge of the cut", async () => {
    const { artifacts, attach } = memory();
    for (const pad of [100, 210, 225, 240, 300]) {
      const log = await attach("log", `${"x".repeat(pad)} ${secret} ${"y".repeat(2_000)}`, 400);
      const { excerpts, removed } = await excerptsOf(artifacts, text, [log, log]);
      expect(removed.taken).toBe(2);
      expect(excerpts[1]?.text).not.toMatch(/ghp|a1B2|q7R8/);
    }
  });
});

describe("a transfer manifest [R-65]", () => {
  const call = { role: "planner", assignment: { provider: "openai-api", model: "m", identity: "api.openai.com/v1 m" } };
  const write = async (
    sources: (attach: ReturnType<typeof memory>["attach"]) => Promise<EvidenceAttachment[]>,
    purpose = "repo_context",
    redactions = 0,
    deps: Partial<EffectsInput> = {},
  ) => {
    const { artifacts, json, attach } = memory();
    const effect = {
      kind: "write_transfer_manifest",
      call,
      purpose,
      phrase: "send it",
      sources: await sources(attach),
      redactions,
    };
    const { manifest } = await perform({ artifacts, ...deps }, effect, "write_transfer_manifest");
    return { manifest, body: (await json(manifest.manifest.ref)) as Record<string, unknown> };
  };

  it("names destination, purpose, bytes, hashes and a bounded preview of exactly what would leave", async () => {
    const { manifest, body } = await write(async (attach) => [
      await attach("a", "hello"),
      await attach("b", "x".repeat(20_000), 8_000),
    ]);
    expect(manifest).toMatchObject({
      destination: { provider: "openai-api", model: "m" },
      risk: "repo_context",
      phrase: "send it",
    });
    expect(body).toMatchObject({
      artifacts: [
        { name: "a", byteLength: 5, truncated: false, sha256: sha256("hello") },
        { name: "b", truncated: true },
      ],
      contentSha256: manifest.contentSha256,
      preview: { maxChars: 4_000, truncated: true },
    });
    expect(String((body["preview"] as { content: string }).content).length).toBeLessThanOrEqual(4_000);
  });

  it("another byte is another hash", async () => {
    const one = await write(async (attach) => [await attach("a", "hello")]);
    const two = await write(async (attach) => [await attach("a", "hellp")]);
    expect(one.manifest.contentSha256).toBe(sha256("hello"));
    expect(one.manifest.contentSha256).not.toBe(two.manifest.contentSha256);
  });

  it("[R-62] what looks like a secret makes it secret_risk and is named by its kind", async () => {
    const { manifest, body } = await write(async (attach) => [await attach("a", `key ${secret}`)]);
    expect(manifest.risk).toBe("secret_risk");
    expect(manifest.riskReasons).toEqual([expect.stringMatching(/WOULD BE SENT: 1 \(github\w*\)$/)]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  it("[B-27] the preview is the beginning of the very bytes that are sent", async () => {
    const sent = `***REDACTED*** é${"\u{1f600}x".repeat(3_000)}`;
    const { manifest, body } = await write(async (attach) => [await attach("a", sent, 1e6)]);
    const { content } = body["preview"] as { content: string };
    expect(content.length).toBeGreaterThan(3_990);
    expect(sent.startsWith(content)).toBe(true);
    expect(manifest.contentSha256).toBe(sha256(sent));
    expect(manifest.riskReasons).toEqual([expect.stringMatching(/replaced by .* in the message: 1;/)]);
  });

  it("[B-27] names the place, and the permission of the user for that place and no other", async () => {
    const since = "2026-01-02T03:04:05.000Z";
    const allowed = (place: string) => ({ provider: "openai-api", place, maxBytes: 9, since });
    const asked = (...places: string[]) =>
      write(async (attach) => [await attach("a", "x")], "repo_context", 0, {
        destinations: async () => places.map(allowed),
      });
    expect((await asked("api.openai.com/v1")).manifest).toMatchObject({
      destination: { place: "api.openai.com/v1" },
      allowed: allowed("api.openai.com/v1"),
    });
    expect((await asked("evil.example/v1", "openai-api")).manifest.allowed).toBeUndefined();
    const broken = { destinations: () => Promise.reject(new FailureError({ code: "invalid_config", message: "x" })) };
    const { manifest } = await write(async (attach) => [await attach("a", "x")], "repo_context", 0, broken);
    expect(manifest.allowed).toBeUndefined();
  });

  it("[S-3] a secret over the end of the preview is not shown in part", async () => {
    for (const pad of [3_965, 3_975, 3_985, 3_995]) {
      const { body } = await write(async (attach) => [
        await attach("a", `${"x".repeat(pad)} ${secret} ${"y".repeat(500)}`, 8_000),
      ]);
      expect(JSON.stringify(body["preview"])).not.toMatch(/ghp|a1B2|q7R8/);
    }
  });

  it("[R-62] so does what only a rule of the user's calls a secret", async () => {
    const rules = await compileUserRules([{ label: "house_key", pattern: "house-[0-9]{4}" }]);
    const own = { secrets: { rules } };
    const sources = async (attach: ReturnType<typeof memory>["attach"]) => [await attach("a", "key house-1234")];
    expect((await write(sources)).manifest.risk).toBe("repo_context");
    expect((await write(sources, "repo_context", 0, own)).manifest.risk).toBe("secret_risk");
    const { artifacts, attach } = memory();
    expect((await excerptsOf(artifacts, createTextPort(own.secrets), await sources(attach))).removed.taken).toBe(1);
  });

  it("[R-62] so does what was redacted on the way into the directive", async () => {
    expect((await write(async (attach) => [await attach("a", "clean")], "repo_context", 2)).manifest.risk).toBe(
      "secret_risk",
    );
  });

  it("says which recorded evidence a directive carries", async () => {
    const directive = JSON.stringify({
      evidence: [{ name: "diff", ref: "sha256:1", text: "x", truncated: true }],
    });
    const { body } = await write(async (attach) => [await attach("directive", directive)]);
    expect(body["artifacts"]).toMatchObject([{ holds: [{ name: "diff", ref: "sha256:1", truncated: true }] }]);
  });

  it("what the runtime remembers is private memory", async () => {
    expect((await write(async (attach) => [await attach("a", "x")], "progress_packet")).manifest.risk).toBe(
      "private_runtime_memory",
    );
  });
});

describe("a command a person asks for [S-9]", () => {
  const outcome: CommandOutcome = {
    exitCode: 0,
    signal: null,
    ended: "exited",
    stdout: text.encode(`token=${secret}`),
    stderr: new Uint8Array(),
    truncated: false,
    durationMs: 3,
    sandbox: { kind: "bubblewrap", network: false },
  };
  const run = async (verdict: Partial<CommandVerdict>, allowed: boolean, policy: Partial<Policy> = {}) => {
    const asked: CommandRequest[] = [];
    const { artifacts, kept } = memory();
    const deps = sceneDeps({
      artifacts,
      root: "/repo",
      classify: () => Promise.resolve({ class: "read_only", gated: false, why: "w", parts: [], ...verdict }),
      commands: runnerOf((request) => (asked.push(request), Promise.resolve(outcome))),
    });
    const effect = {
      kind: "run_command",
      sideId: "s",
      argv: ["ls"],
      cwd: "sub",
      allowed,
      policy: { ...defaultPolicy, ...policy },
    };
    const result = await createEffects(deps)({ key: "k", ...effect } as unknown as OutsideEffect, context());
    return { result, asked, stored: [...kept.values()].map(({ bytes }) => text.decode(bytes)).join() };
  };

  it("a risky one waits for a gate and does not run", async () => {
    const { result, asked } = await run({ class: "destructive", gated: true }, false);
    expect(result).toMatchObject({ kind: "run_command_gated", class: "destructive" });
    expect(asked).toEqual([]);
  });

  it.each([
    ["a command in the checkout", {}, "bubblewrap", "checkout"],
    ["a command on a copy in a sandbox", { onCopy: { tree: "t", timeoutMs: 1 } }, "bubblewrap", "worktree"],
    ["a command on a copy without a sandbox", { onCopy: { tree: "t", timeoutMs: 1 } }, "none", "checkout"],
  ] as const)("[S-9] %s is judged by where it runs", async (_, place, confinement, expected) => {
    const asked: string[] = [];
    const deps = sceneDeps({
      classify: (_argv, _cwd, where) => {
        asked.push(where);
        return Promise.resolve({ class: "destructive", gated: true, why: "w", parts: [] });
      },
      commands: { ...runnerOf(() => Promise.resolve(outcome)), confinement: () => Promise.resolve(confinement) },
    });
    const effect = {
      kind: "run_command",
      sideId: "s",
      argv: ["rm", "x"],
      cwd: "",
      allowed: false,
      policy: defaultPolicy,
    };
    await createEffects(deps)({ key: "k", ...effect, ...place } as unknown as OutsideEffect, context());
    expect(asked).toEqual([expected]);
  });

  it("a reading one may write nothing and reach no network; its output is stored redacted", async () => {
    const { result, asked, stored } = await run({}, false);
    expect(asked[0]).toMatchObject({ cwd: "/repo/sub", writable: [], network: false });
    expect(result).toMatchObject({
      kind: "run_command",
      command: { exitCode: 0, permission: { decision: "allowed", class: "read_only" } },
    });
    expect(stored).not.toContain(secret);
  });

  const part = (name: CommandVerdict["class"]) => ({
    class: name,
    why: "w",
    text: "",
    span: { start: 0, end: 0 },
  });

  it.each([
    ["network", "networkRequiresApproval", "dependencyInstallRequiresApproval"],
    ["dependency_install", "dependencyInstallRequiresApproval", "networkRequiresApproval"],
  ] as const)("[R-60] a command of class %s asks unless the user's %s is false", async (name, own, other) => {
    const verdict = { class: name, gated: true, parts: [part(name), part("read_only")] };
    for (const policy of [{}, { [own]: true, [other]: false }]) {
      const { result, asked } = await run(verdict, false, policy);
      expect(result).toMatchObject({ kind: "run_command_gated", class: name });
      expect(asked).toEqual([]);
    }
    const { result, asked } = await run(verdict, false, { [own]: false });
    expect(result).toMatchObject({ command: { permission: { decision: "allowed", class: name } } });
    expect(asked[0]).toMatchObject({ network: true });
  });

  it("[S-9] a line that cannot be parsed is treated as a destructive one, under every policy", async () => {
    const free = { networkRequiresApproval: false, dependencyInstallRequiresApproval: false };
    for (const policy of [{}, free])
      for (const allowed of [false, true]) {
        const both = await Promise.all(
          (["unknown", "destructive"] as const).map(async (name) => {
            const { result, asked } = await run({ class: name, gated: true, parts: [part(name)] }, allowed, policy);
            return {
              kind: result.kind,
              asked: asked.map(({ network, writable }) => ({ network, writable })),
            };
          }),
        );
        expect(both[0]).toEqual(both[1]);
        expect(both[0]?.asked.length).toBe(allowed ? 1 : 0);
      }
  });

  it("[R-62] a line that holds more than installs and the network still asks", async () => {
    const free = { networkRequiresApproval: false, dependencyInstallRequiresApproval: false };
    for (const more of ["destructive", "credential_sensitive", "unknown", "local_write"] as const) {
      const worst: CommandVerdict["class"] = more === "local_write" ? "network" : more;
      const verdict = { class: worst, gated: true, parts: [part("network"), part(more)] };
      expect((await run(verdict, false, free)).asked).toEqual([]);
    }
    const many = {
      class: "network",
      gated: true,
      parts: Array.from({ length: 24 }, () => part("network")),
    } as const;
    expect((await run(many, false, free)).asked).toEqual([]);
  });

  it("an allowed network command gets the network and is recorded as the user's word", async () => {
    const { result, asked } = await run({ class: "network", gated: true }, true);
    expect(asked[0]).toMatchObject({ network: true, writable: ["/repo"] });
    expect(result).toMatchObject({ command: { permission: { decision: "allowed_explicit_user" } } });
  });
});

describe("which checks judge a run [R-33]", () => {
  const { dir, git, remove } = makeRepository({
    "package.json": JSON.stringify({ scripts: { test: "no-such-runner" } }),
  });
  afterAll(remove);
  const tree = git("rev-parse", "HEAD^{tree}").trim();
  const commands = createCommandRunner({ environment: process.env });
  const plan = async (policy: Partial<Policy>) => {
    const full = { checks: [], discoverChecks: true, budgets: { checkTimeoutMs: 5_000 }, ...policy };
    return (
      await perform(
        { root: dir, repository: requireRepository(dir), commands },
        { kind: "discover_checks", variant: "base", tree, policy: full },
        "discover_checks",
      )
    ).plan;
  };

  it("a program that is missing is reported with the way to get it", async () => {
    const { findings, checks } = await plan({});
    expect(findings).toEqual(["`npm run test`: no-such-runner is not installed. Get it: npm install"]);
    expect(checks).toMatchObject([{ id: "npm:test", lacks: ["no-such-runner is not installed"] }]);
  });

  it("found ones are bounded by the run's own limit", async () => {
    expect((await plan({})).checks).toMatchObject([{ id: "npm:test", timeoutMs: 5_000 }]);
  });

  it("configured ones stand beside them, or alone, and replace the same command", async () => {
    const own = { id: "mine", kind: "test", argv: ["make", "check"] } as const;
    const checks = [{ ...own, argv: [...own.argv] as [string, ...string[]] }];
    expect((await plan({ checks })).checks.map(({ id }) => id)).toEqual(["mine", "npm:test"]);
    expect((await plan({ checks, discoverChecks: false })).checks.map(({ id }) => id)).toEqual(["mine"]);
    const same = [{ id: "unit", kind: "test" as const, argv: ["npm", "run", "test"] as [string, ...string[]] }];
    expect((await plan({ checks: same })).checks.map(({ id }) => id)).toEqual(["unit"]);
  });

  it("[R-62] what a repository configures takes the place of nothing that is found", async () => {
    const argv = ["npm", "run", "test"] as [string, ...string[]];
    const { checks } = tightenPolicy(defaultPolicy, {
      checks: [
        { id: "npm:test", kind: "test", argv: ["true"] },
        { id: "same", kind: "other", argv },
      ],
    });
    const judged = (await plan({ checks })).checks;
    expect(judged.filter(({ id }) => id === "npm:test")).toMatchObject([{ kind: "test", argv }]);
  });
});
