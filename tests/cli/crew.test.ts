// Which agents are found, what is made of them, and what is said when they cannot be used. Every program on the search
// path is the test's own.
import { existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { processesWith } from "../agents/processes.ts";
import { type Desk, type Ran, openTestDesk, sample } from "./program.ts";

const needed = ["git", "sh", "bash", "cat", "env", "bwrap", "id", "true"];

function whereIs(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
}

function program(folder: string, name: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\necho "${name} ${version}"\n`, { mode: 0o755 });
}

interface Machine extends Desk {
  readonly bin: string;
  install(name: string, version: string): void;
  /** The user's own configuration. */
  configure(value: unknown): void;
  on(args: readonly string[], env?: Record<string, string>): Ran;
}

/** A machine with git and a shell, and with no agent but those that are installed here. */
function machine(files: Readonly<Record<string, string>> = sample): Machine {
  const desk = openTestDesk(files);
  const bin = tempFolder("thehood-bin-");
  for (const name of needed) {
    const file = whereIs(name);
    if (file) symlinkSync(realpathSync(file), join(bin, name));
  }
  return {
    ...desk,
    bin,
    install: (name, version) => program(bin, name, version),
    configure(value) {
      mkdirSync(join(desk.home, "config"), { recursive: true });
      writeFileSync(join(desk.home, "config", "config.json"), JSON.stringify(value));
    },
    on: (args, env = {}) => desk.thehood(args, { env: { PATH: bin, ...env } }),
  };
}

const codexKey = { CODEX_API_KEY: "none" };
const bothKeys = { ...codexKey, ANTHROPIC_API_KEY: "none" };

function withBoth(): Machine {
  const one = machine();
  one.install("codex", "0.166.0");
  one.install("claude", "2.1.325");
  return one;
}

interface Seat {
  readonly role: string;
  readonly assignment: string;
  readonly source: string;
}
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
    expect(ran.err).toMatch(
      /claude-code:default \(2\.1\.325, a model of another vendor than OpenAI\):.*verifier/,
    );
    const { runId } = ran.json<{ runId: string }>();
    const events = on(["logs", runId, "--json"], bothKeys).out;
    expect(events).toContain('"source":"found"');
  });

  it("[R-60] [R-65] they are still asked for at their gates", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it", "--json"], bothKeys);
    expect(ran.code, ran.err).toBe(3);
    expect(ran.json<{ gate: { kind: string } }>().gate.kind).toBe("provider_invocation");
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

  it("[R-26] nobody found is told: what was looked for, how to get one, and how to try without; the stub never steps in", () => {
    const { on, repo } = machine();
    const ran = on(["run", "fix it"]);
    expect(ran.code).toBe(4);
    expect(ran.out).toBe("");
    expect(ran.err).toMatch(/codex-cli \(not installed\).*claude-code \(not installed\)/);
    expect(ran.err).toMatch(/npm install -g .*--team stub/);
    expect(existsSync(join(repo.dir, ".thehood"))).toBe(false);
  });

  it("[R-12] who is not logged in is not used", () => {
    const { on } = withBoth();
    const ran = on(["run", "fix it"]);
    expect(ran.code).toBe(4);
    expect(ran.err).toMatch(/codex-cli \(nobody is logged in\)/);
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

  it("[R-5] who was named is kept, and whoever the run cannot do without is found", () => {
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

describe("doctor, models and teams", () => {
  it("[R-80] doctor tells what is installed, logged in and in the way, each with a remedy", () => {
    const { on } = withBoth();
    const ran = on(["doctor", "--json"], codexKey);
    const { agents, checks } = ran.json<{
      agents: Record<string, unknown>[];
      checks: { name: string; state: string; remedy: string | null }[];
    }>();
    expect(agents.find(({ id }) => id === "codex-cli")).toMatchObject({
      usable: "yes",
      installed: true,
      version: "0.166.0",
      login: "present",
    });
    expect(agents.find(({ id }) => id === "claude-code")).toMatchObject({
      usable: "no",
      login: "missing",
      remedy: expect.stringContaining("claude auth login"),
    });
    expect(checks.filter(({ state, remedy }) => state !== "ok" && !remedy)).toEqual([]);
    expect(checks.find(({ name }) => name === "git")?.state).toBe("ok");
  });

  it.skipIf(!existsSync("/proc/self/cmdline"))(
    "doctor waits for nobody who is silent, and leaves nothing of them running (needs /proc)",
    () => {
      const { on, bin } = machine();
      writeFileSync(join(bin, "codex"), "#!/bin/sh\nwhile :; do :; done\n", { mode: 0o755 });
      const { agents } = on(["doctor", "--json"], codexKey).json<{
        agents: { id: string; usable: string }[];
      }>();
      expect(agents.find(({ id }) => id === "codex-cli")).toMatchObject({
        usable: "unknown",
        problem: expect.stringContaining("in time"),
      });
      expect(processesWith(join(bin, "codex"))).toEqual([]);
    },
  );

  it("doctor goes on where the configuration is broken, and says where", () => {
    const { on, home } = machine();
    mkdirSync(join(home, "config"), { recursive: true });
    writeFileSync(join(home, "config", "config.json"), '{\n  "roles": {\n');
    const ran = on(["doctor", "--json"]);
    expect(ran.code).toBe(1);
    const { checks } = ran.json<{ checks: { name: string; state: string; detail: string }[] }>();
    expect(checks.filter(({ state }) => state === "blocker")).toMatchObject([{ name: "configuration" }]);
    expect(checks.find(({ name }) => name === "node")?.state).toBe("ok");
  });

  it("doctor finds a configured agent that cannot work, and that is in the way", () => {
    const { on, configure } = withBoth();
    configure({ roles: { implementer: "codex-cli:default", verifier: "claude-code:default" } });
    const ran = on(["doctor", "--json"], codexKey);
    expect(ran.code).toBe(1);
    const { checks } = ran.json<{ checks: { name: string; state: string; detail: string }[] }>();
    expect(checks.find(({ state }) => state === "blocker")).toMatchObject({
      name: "crew",
      detail: expect.stringContaining("verifier: claude-code: nobody is logged in"),
    });
  });

  it("models lists what can be assigned, with short names, and whether it can be used now", () => {
    const { on, configure } = withBoth();
    configure({ providers: { "codex-cli": { models: { fast: "gpt-5.5" } } } });
    const [row, ...more] = on(["models", "codex-cli", "--json"], codexKey).json<{
      items: { id: string; usable: string; models: Record<string, unknown>[] }[];
    }>().items;
    expect(more).toEqual([]);
    expect(row).toMatchObject({ id: "codex-cli", usable: "yes" });
    expect(row?.models[0]).toMatchObject({ assignment: "codex-cli:default", default: true });
    expect(row?.models.find(({ assignment }) => assignment === "codex-cli:fast")).toMatchObject({
      alias: "gpt-5.5",
      identity: "codex-cli:gpt-5.5",
    });
    const typo = on(["models", "codex-cl"]);
    expect(typo.code).toBe(4);
    expect(typo.err).toContain("Did you mean codex-cli?");
  });

  it("teams names what each lacks, and one that lacks something is not applied", () => {
    const { on, repo } = withBoth();
    const { items } = on(["teams", "--json"], codexKey).json<{
      items: { name: string; available: boolean; missing: { remedy: string }[] }[];
    }>();
    const named = new Map(items.map((team) => [team.name, team]));
    expect(named.get("codex-default")?.available).toBe(true);
    expect(named.get("claude-builder")).toMatchObject({
      available: false,
      missing: [{ remedy: expect.stringContaining("claude auth login") }],
    });
    const refused = on(["teams", "apply", "claude-builder"], codexKey);
    expect(refused.code).toBe(4);
    expect(refused.err).toContain("claude auth login");
    expect(existsSync(join(repo.dir, ".thehood", "config.json"))).toBe(false);
    expect(on(["teams", "apply", "codex-default"], codexKey).code).toBe(0);
    expect(on(["roles", "--json"], codexKey).out).toContain('"source":"repo"');
  });

  it("the remedy for a program that lies elsewhere can be followed word by word", () => {
    const { on, home } = machine();
    program(join(home, "tools"), "codex", "0.166.0");
    const told = on(["doctor"], codexKey).out;
    const line =
      told.split("\n").find((one) => one.includes("thehood config set providers.codex-cli.program")) ?? "";
    const [, key = ""] = line.match(/thehood config set (\S+) /) ?? [];
    expect(on(["config", "set", key, join(home, "tools", "codex")]).code).toBe(0);
    const usable = () =>
      on(["models", "codex-cli", "--json"], codexKey).json<{ items: { usable: string }[] }>().items[0]
        ?.usable;
    expect(usable()).toBe("yes");
    expect(on(["config", "unset", key]).code).toBe(0);
    expect(usable()).toBe("no");
  });

  it.each([
    ["an unknown key", ["config", "set", "policy.fanoutParalel", "2"], "fanoutParalel"],
    ["a value that does not fit", ["config", "set", "policy.fanoutParallel", "9"], "fanoutParallel"],
    ["a path that is none", ["config", "set", "policy..x", "2"], "not the path of a value"],
  ])("%s changes nothing in the configuration", (_, args, words) => {
    const { on, home } = machine();
    const ran = on(args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(words);
    expect(existsSync(join(home, "config", "config.json"))).toBe(false);
  });

  it("roles shows who would play now", () => {
    const { on } = withBoth();
    const { items } = on(["roles", "--json"], bothKeys).json<{ items: Seat[] }>();
    expect(items.find(({ role }) => role === "verifier")).toMatchObject({
      assignment: "claude-code:default",
      source: "found",
    });
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
      "nobody logged in",
      "claude-code:default",
      /nobody is logged in[\s\S]*claude auth login/,
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

describe("a fan-out through the command line", () => {
  const script = { summons: { critic: [{ delayMs: 400 }], qa: [{}] } };
  const begin = (one: Machine) =>
    one
      .on(["plan", "look", "--team", "stub", "--json", "--stub-script", JSON.stringify(script)])
      .json<{ runId: string }>().runId;

  it("[R-51] prints its results as they were asked, whoever answered first", () => {
    const one = machine();
    const runId = begin(one);
    const items = ["critic", "qa"].map((role) => ({ role, brief: "well?" }));
    const ran = one.on(["fanout", runId, "--items", JSON.stringify(items), "--json"]);
    expect(ran.code, ran.err).toBe(0);
    const { results } = ran.json<{ results: { why: string }[] }>();
    expect(results.map(({ why }) => why.split(":")[0])).toEqual(["stub critic", "stub qa"]);
    const answers = one
      .on(["logs", runId, "--json"])
      .json<{ events: { event: { type: string; role?: string; lane?: string } }[] }>()
      .events.flatMap(({ event }) =>
        event.type === "agent_response" && event.lane === "side" ? [event.role] : [],
      );
    expect(answers).toEqual(["qa", "critic"]);
  });

  it("[R-51] one that waits at a gate is told as such, with what the others said on record", () => {
    const one = withBoth();
    const runId = begin(one);
    const items = [
      { role: "qa", brief: "well?" },
      { role: "critic", brief: "well?", agent: "codex-cli:default" },
    ];
    const ran = one.on(["fanout", runId, "--items", JSON.stringify(items), "--json"], codexKey);
    expect(ran.code, ran.err).toBe(3);
    expect(ran.json<{ gate: { kind: string } }>().gate.kind).toBe("summon_provider_invocation");
    const aborted = one.on(["abort", runId, "--json"], codexKey);
    expect(aborted.code, aborted.err).toBe(0);
    const status = one.on(["status", runId, "--json"], codexKey).json<{ gate: unknown; state: string }>();
    expect(status).toMatchObject({ gate: null, state: "completed" });
  });

  it.each([
    ["a role with a typo", [{ role: "crtic", brief: "well?" }], /Did you mean critic\?/],
    ["an agent without a model", [{ role: "critic", brief: "well?", agent: "codex" }], /thehood models/],
    ["a field that is not there", [{ role: "critic", brief: "well?", wit: 1 }], /Take out wit/],
    ["a list of none", [], /one to eight/],
  ])("%s gets its remedy", (_, items, words) => {
    const one = machine();
    const ran = one.on(["fanout", begin(one), "--items", JSON.stringify(items)]);
    expect(ran.code).toBe(2);
    expect(ran.err).toMatch(words);
  });

  it("a file that is not there gets its remedy", () => {
    const one = machine();
    const ran = one.on(["fanout", begin(one), "--items", "@nowhere.json"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("--items @file.json");
  });
});
