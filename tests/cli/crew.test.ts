// Which agents are found, what is made of them, and what is said when they cannot be used. Every program on the search
// path is the test's own.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Ran } from "./program.ts";
import { program, type Machine, machine, codexKey, bothKeys, withBoth, type Seat } from "./crew-scene.ts";

const seats = (ran: Ran): Record<string, string> =>
  Object.fromEntries(ran.json<{ crew: Seat[] }>().crew.map(({ role, assignment }) => [role, assignment]));

describe("with nothing configured", () => {
  it("[R-5] [R-2] a run uses the agents that are found, says which and why, and freezes them", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it", "--no-loop", "--json"], bothKeys);
    expect(ran.code, ran.err).toBe(0);
    expect(seats(ran)).toMatchObject({ implementer: "codex-cli:default", verifier: "claude-code:default" });
    expect(ran.json<{ crew: Seat[] }>().crew.map(({ source }) => source)).not.toContain("user");
    expect(ran.err).toContain("found on this machine");
    expect(ran.err).toMatch(/codex-cli:default \(0\.166\.0, installed and logged in\):.*implementer/);
    expect(ran.err).toMatch(/claude-code:default \(2\.1\.325, a model of another vendor than OpenAI\):.*verifier/);
    const { runId } = ran.json<{ runId: string }>();
    const events = on(["logs", runId, "--json"], bothKeys).out;
    expect(events).toContain('"source":"found"');
  });

  it("[R-60] [R-65] they are still asked for at their gates", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it", "--json"], bothKeys);
    expect(ran.code, ran.err).toBe(3);
    const { runId, gate } = ran.json<{ runId: string; gate: { kind: string; phrase: string } }>();
    expect(gate).toMatchObject({
      kind: "repo_context_external_transfer",
      phrase: "invoke codex-cli; send repo context to codex-cli",
    });
    const log = () =>
      on(["logs", runId, "--json"], bothKeys)
        .json<{ events: { event: { type: string; manifest?: object } }[] }>()
        .events.map(({ event }) => event);
    expect(log().map(({ type }) => type)).not.toContain("provider_wait_posted");
    expect(on(["status", runId, "--verbose"], bothKeys).out).toMatch(
      /Transfer manifest: \d+ bytes to codex-cli:default/,
    );
    on(["approve", runId, "--message", gate.phrase, "--json"], bothKeys);
    const types = log().map(({ type }) => type);
    expect(types.indexOf("provider_wait_posted")).toBeGreaterThan(types.indexOf("external_transfer_manifest_written"));
    expect(log().find(({ type }) => type === "external_transfer_manifest_written")?.manifest).toMatchObject({
      destination: { provider: "codex-cli" },
    });
  });

  it("[R-2] one vendor alone gets two different models", () => {
    const { on, install } = machine();
    install("codex", "0.166.0");
    const ran = on(["run", "fix it", "--no-loop", "--json"], codexKey);
    expect(ran.code, ran.err).toBe(0);
    const { implementer = "", verifier = "" } = seats(ran);
    expect(implementer).toMatch(/^codex-cli:/);
    expect(verifier).toMatch(/^codex-cli:/);
    expect(verifier).not.toBe(implementer);
    expect(ran.err).toContain("only OpenAI is here");
  });

  it("[R-26] no agent found is reported: what was looked for, how to get one, and how to try without; the stub never steps in", () => {
    const { on, repo } = machine();
    const ran = on(["run", "fix it"]);
    expect(ran.code).toBe(4);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(/codex-cli, claude-code, [^(]*\(not installed\)/);
    expect(ran.err).toMatch(/npm install -g .*--team stub/);
    expect(existsSync(join(repo.dir, ".thehood"))).toBe(false);
  });

  it("[R-12] who is not logged in is not used", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it"]);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("codex-cli, claude-code (not logged in)");
    expect(ran.err).toContain("codex login");
  });

  it("[S-4] a program of the repository, or of a folder named in part, is not found and not started", () => {
    const { on, repo, bin } = machine();
    program(join(repo.dir, "node_modules", ".bin"), "codex", "0.166.0");
    program(join(repo.dir, "tools"), "claude", "2.1.325");
    const path = [join(repo.dir, "node_modules", ".bin"), "tools", ".", "", bin].join(":");
    const report = on(["doctor", "--json"], { ...bothKeys, PATH: path }).json<{
      agents: { id: string; installed: boolean }[];
    }>();
    const programs = report.agents.filter(({ id }) => id === "codex-cli" || id === "claude-code");
    expect(programs.map(({ installed }) => installed)).toEqual([false, false]);
    expect(on(["run", "fix it"], { ...bothKeys, PATH: path }).code).toBe(4);
  });

  it("[S-4] THEHOOD_CODEX_COMMAND and THEHOOD_CLAUDE_COMMAND name a program of the user's, and none of the repository's", () => {
    const { on, repo, home } = machine();
    const own = join(home, "own");
    program(own, "my-codex", "0.166.0");
    program(own, "my-claude", "2.1.325");
    program(join(repo.dir, "tools"), "codex", "0.166.0");
    const installed = (env: Record<string, string>) =>
      on(["doctor", "--json"], { ...bothKeys, ...env })
        .json<{ agents: { id: string; installed: boolean }[] }>()
        .agents.filter((agent) => agent.installed)
        .map(({ id }) => id)
        .filter((id) => id === "codex-cli" || id === "claude-code");
    const theirs = {
      THEHOOD_CODEX_COMMAND: join(own, "my-codex"),
      THEHOOD_CLAUDE_COMMAND: join(own, "my-claude"),
    };
    expect(installed(theirs).sort()).toEqual(["claude-code", "codex-cli"]);
    expect(installed({ THEHOOD_CODEX_COMMAND: join(repo.dir, "tools", "codex") })).toEqual([]);
    expect(installed({ THEHOOD_CODEX_COMMAND: "tools/codex" })).toEqual([]);
  });

  it("[R-5] an agent that was named is kept, and one that the run needs is found", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it", "--implementer", "claude-code:opus", "--no-loop", "--json"], bothKeys);
    expect(ran.code, ran.err).toBe(0);
    expect(seats(ran)).toEqual({
      implementer: "claude-code:opus",
      orchestrator: "claude-code:opus",
      verifier: "codex-cli:default",
    });
    expect(ran.err).toContain("Not everyone this run needs was named");
    expect(ran.err).toMatch(/codex-cli:default \(.*\): verifier/);
  });

  it("[R-2] a model that the program chooses itself is not taken for another than the one that is named", () => {
    const { on, home } = withBoth();
    const args = ["run", "fix it", "--implementer", "codex-cli:default", "--verifier", "codex-cli:gpt-5.5"];
    const refused = on([...args, "--no-loop"], bothKeys);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("thehood models codex-cli");
    // Once Codex's own configuration says which it is, it can be told.
    mkdirSync(join(home, ".codex"), { recursive: true });
    writeFileSync(join(home, ".codex", "config.toml"), 'model = "gpt-6-luna"\n');
    expect(on([...args, "--no-loop"], bothKeys).code).toBe(0);
    writeFileSync(join(home, ".codex", "config.toml"), 'model = "gpt-5.5"\n');
    expect(on([...args, "--no-loop"], bothKeys).err).toContain("are the same agent");
  });

  it("a team can be named for one run", () => {
    const { on } = machine();
    const ran = on(["run", "fix it", "--team", "stub", "--no-loop", "--json"]);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.json<{ crew: Seat[] }>().crew.every(({ source }) => source === "run")).toBe(true);
    expect(ran.err).not.toContain("found on this machine");
  });
});

describe("an agent that cannot be used is refused with the remedy before anything begins", () => {
  const cases: [string, string, RegExp, (one: Machine) => void][] = [
    ["an unknown provider", "codx-cli:default", /no provider[\s\S]*Did you mean codex-cli\?/, () => {}],
    [
      "a model with a typo",
      "codex-cli:gpt-5.55",
      /knows no model "gpt-5.55"[\s\S]*Did you mean gpt-5.5\?/,
      (one) => one.install("codex", "0.166.0"),
    ],
    ["a missing program", "codex-cli:default", /codex was not found[\s\S]*npm install -g/, () => {}],
    [
      "a folder in the program's place",
      "codex-cli:default",
      /codex was not found/,
      (one) => mkdirSync(join(one.bin, "codex")),
    ],
    [
      "a version that is too old",
      "codex-cli:default",
      /version 0\.1\.0 is older[\s\S]*Update it/,
      (one) => one.install("codex", "0.1.0"),
    ],
    [
      "a program that does not start",
      "codex-cli:default",
      /does not work[\s\S]*Install it again/,
      (one) => writeFileSync(join(one.bin, "codex"), "#!/bin/sh\nexit 3\n", { mode: 0o755 }),
    ],
    [
      "not logged in",
      "claude-code:default",
      /not logged in[\s\S]*claude auth login/,
      (one) => one.install("claude", "2.1.325"),
    ],
  ];

  it.each(cases)("%s", (_, agent, words, prepare) => {
    const one = machine();
    prepare(one);
    const attempts = [
      ["run", "fix it", "--implementer", agent],
      ["roles", "set", "critic", agent, "--user"],
    ];
    for (const args of attempts) {
      const ran = one.on(args, codexKey);
      expect(ran.code, args.join(" ") + ran.err).toBe(4);
      expect(ran.err).toMatch(words);
      expect(ran.err.trimEnd().split("\n").length).toBeLessThanOrEqual(2);
    }
    expect(existsSync(join(one.repo.dir, ".thehood"))).toBe(false);
    expect(existsSync(join(one.home, "config"))).toBe(false);
    const { runId } = one.on(["plan", "look", "--team", "stub", "--json"]).json<{ runId: string }>();
    const before = one.on(["logs", runId, "--json"]).out;
    const items = JSON.stringify([{ role: "critic", brief: "well?", agent }]);
    for (const args of [
      ["summon", runId, "--role", "critic", "--brief", "well?", "--agent", agent],
      ["fanout", runId, "--items", items],
    ]) {
      const ran = one.on(args, codexKey);
      expect(ran.code, args.join(" ") + ran.err).toBe(4);
      expect(ran.err).toMatch(words);
    }
    expect(one.on(["logs", runId, "--json"]).out).toBe(before);
  });
});
