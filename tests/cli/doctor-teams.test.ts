// The commands doctor, models, teams and roles on a machine with agent programs of the test.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processesWith } from "../agents/processes.ts";
import { program, machine, codexKey, bothKeys, withBoth, type Seat } from "./crew-scene.ts";

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
    "doctor waits for no silent agent, and leaves nothing of them running (needs /proc)",
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

  it("doctor --ask asks each agent of the crew once, and says which login works", () => {
    const { on, configure, bin } = withBoth();
    configure({ roles: { implementer: "codex-cli:default", verifier: "claude-code:default" } });
    const answering = (version: string, last: string) =>
      `#!/bin/sh\ncase "$1" in --version) echo "${version}"; exit;; esac\ncat >/dev/null\n${last}\n`;
    const result = { type: "result", subtype: "success", result: "ok", usage: { input_tokens: 3, output_tokens: 1 } };
    writeFileSync(join(bin, "claude"), answering("2.1.325 (Claude Code)", `echo '${JSON.stringify(result)}'`));
    writeFileSync(join(bin, "codex"), answering("codex-cli 0.166.0", "echo 'wrong key' >&2; exit 1"));
    const ran = on(["doctor", "--ask", "--json"], bothKeys);
    expect(ran.code).toBe(1);
    const { asked } = ran.json<{ asked: { id: string; answered: boolean; problem: string | null }[] }>();
    expect(asked.toSorted((one, other) => one.id.localeCompare(other.id))).toMatchObject([
      { id: "claude-code", assignment: "claude-code:default", answered: true, tokens: 4, problem: null },
      { id: "codex-cli", answered: false, problem: expect.stringContaining("wrong key") },
    ]);
    const shown = on(["doctor", "--ask"], bothKeys).out;
    expect(shown).toMatch(/^✘ Not ready: codex-cli:default gave no answer: .*wrong key/);
    expect(shown).toMatch(/claude-code ✔ logged in: answered in [\d.]+ s \(4 tokens\)/);
    expect(on(["doctor", "--json"], bothKeys).json()).not.toHaveProperty("asked");
  });

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

  it("doctor finds that no run can begin without an agent, and says how to get one", () => {
    const { on } = machine();
    const ran = on(["doctor", "--json"]);
    expect(ran.code).toBe(1);
    const { checks } = ran.json<{ checks: { name: string; state: string; remedy: string | null }[] }>();
    const crew = checks.filter(({ state }) => state === "blocker");
    expect(crew).toMatchObject([{ name: "crew", remedy: expect.stringMatching(/--team stub|demo/) }]);
    expect(on(["run", "a goal"]).code).toBe(4);
  });

  it("doctor finds a configured agent that cannot work, and that is in the way", () => {
    const { on, configure } = withBoth();
    configure({ roles: { implementer: "codex-cli:default", verifier: "claude-code:default" } });
    const ran = on(["doctor", "--json"], codexKey);
    expect(ran.code).toBe(1);
    const { checks } = ran.json<{ checks: { name: string; state: string; detail: string }[] }>();
    expect(checks.find(({ state }) => state === "blocker")).toMatchObject({
      name: "crew",
      detail: expect.stringContaining("verifier: claude-code: not logged in"),
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
    const output = on(["doctor", "--verbose"], codexKey).out;
    const line = output.split("\n").find((one) => one.includes("thehood config set providers.codex-cli.program")) ?? "";
    const [, key = ""] = line.match(/thehood config set (\S+) /) ?? [];
    expect(on(["config", "set", key, join(home, "tools", "codex")]).code).toBe(0);
    const usable = () =>
      on(["models", "codex-cli", "--json"], codexKey).json<{ items: { usable: string }[] }>().items[0]?.usable;
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

  it("[R-5] the run's word goes over the repository's, and that over the user's", () => {
    const { on, repo, configure } = machine();
    configure({
      roles: {
        orchestrator: "stub:user",
        implementer: "stub:user-hands",
        qa: "stub:user-qa",
        verifier: "stub:user-eyes",
      },
    });
    mkdirSync(join(repo.dir, ".thehood"), { recursive: true });
    writeFileSync(
      join(repo.dir, ".thehood", "config.json"),
      JSON.stringify({ version: 1, roles: { qa: "stub:repo-qa", verifier: "stub:repo-eyes" } }),
    );
    const ran = on(["run", "fix it", "--verifier", "stub:run-eyes", "--no-loop", "--json"]);
    expect(ran.code, ran.err).toBe(0);
    const seats = ran
      .json<{ crew: Seat[] }>()
      .crew.map(({ role, assignment, source }) => [role, `${assignment} by ${source}`]);
    expect(Object.fromEntries(seats)).toMatchObject({
      orchestrator: "stub:user by user",
      implementer: "stub:user-hands by user",
      qa: "stub:repo-qa by repo",
      verifier: "stub:run-eyes by run",
    });
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
