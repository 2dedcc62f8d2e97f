// Whatever is typed wrong gets one message with a remedy, the right exit code, and changes nothing.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { openTestDesk, stub } from "./program.ts";

const oneLine = (text: string) => text.trimEnd().split("\n").length <= 2;

describe("bad input", () => {
  it.each([
    ["an unknown run", ["status", "run_000000nothing"], "no run"],
    ["a path as a run id", ["status", "../../etc/passwd"], "not a run id"],
    ["an unknown artifact", ["artifact", "run_000000nothing", "abcd"], "no run"],
    ["no command of that name", ["stauts"], "thehood status"],
    ["an unknown flag", ["runs", "--limt", "3"], "--limit"],
    ["a number that is none", ["runs", "--limit", "many"], "whole number"],
    ["a missing goal", ["run"], "a goal"],
    ["an empty goal", ["run", "   "], "goal"],
    ["the address of an issue as a goal", ["run", "https://forge.example/a/b/issues/12"], "run --issue https://"],
    ["a whole line as a program", ["exec", "run_000000nothing", "--", "ls -la src"], "exec RUN -- ls -la src"],
    ["a folder that is not there", ["status", "--repo", "/nonexistent/folder"], "no folder"],
    ["an unknown role", ["roles", "set", "wizard", "stub:x"], "no role"],
    ["a role that is code", ["roles", "set", "integrator", "stub:x"], "runtime code"],
    ["an assignment that is none", ["roles", "set", "qa", "somebody"], "provider:model"],
    ["an unknown team", ["teams", "apply", "dream"], "no team"],
    ["an unknown policy", ["policy", "set", "yolo"], "no approval policy"],
    ["a stub script that is no JSON", ["run", "x", "--stub-script", "{nope"], "stub script"],
    [
      "a stub script with a typo",
      ["run", "x", "--implementer", "stub:a", "--verifier", "stub:b", ...stub({ rolse: {} })],
      "stub script",
    ],
    ["a path outside the repository", ["run", "x", "--allowed-path", "../other/**"], "stays in it"],
    ["an absolute path", ["run", "x", "--disallowed-path", "/etc/**"], "stays in it"],
    ["a time that is none", ["run", "x", "--max-minutes", "soon"], "number above zero"],
    ["an option without its value", ["run", "x", "--max-tokens", "-5"], "--max-tokens needs a value"],
    ["a goal that starts with a dash", ["run", "-fix it"], "after --"],
    ["a state that is none", ["runs", "--state", "done"], "awaiting_approval"],
    ["half a command", ["roles", "sett"], "thehood roles set"],
    ["a setting that is not there", ["config", "unset", "policy.approvals"], "Nothing is set"],
    ["a setting of no meaning", ["config", "set", "a.b", "1"], "Nothing was changed"],
    ["nothing to decide", ["approve"], "no runs"],
  ])("%s", (_, args, says) => {
    const { thehood, repo } = openTestDesk();
    const ran = thehood(args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(says);
    expect(ran.err).toContain("→");
    expect(oneLine(ran.err)).toBe(true);
    expect(ran.err).not.toContain("    at ");
    expect(existsSync(join(repo.dir, ".thehood/store.db"))).toBe(false);
  });

  it("an unknown provider is exit 4 and names those there are", () => {
    const ran = openTestDesk().thehood(["run", "x", "--implementer", "nobody:x"]);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("stub");
    expect(openTestDesk().thehood(["run", "x", "--implementer", "codex:x"]).err).toContain("Did you mean codex-cli?");
  });

  it("[R-2] one agent cannot implement and verify: refused when assigned and when a run is made, by who really answers", () => {
    const { thehood, repo } = openTestDesk();
    expect(thehood(["roles", "set", "implementer", "stub:default"]).code).toBe(0);
    const refused = thehood(["roles", "set", "verifier", "stub:default"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("does not verify its own work");
    expect(thehood(["run", "x", "--implementer", "stub:a", "--verifier", "stub:a"]).code).toBe(2);
    repo.write(".thehood/config.json", '{ "roles": { "implementer": "stub:x", "verifier": "stub:x" } }\n');
    expect(thehood(["roles"]).out).toContain("does not verify its own work");
    const doctor = thehood(["doctor"]);
    expect(doctor.code).toBe(1);
    expect(doctor.out).toContain("does not verify its own work");
  });

  it("malformed configuration is named with line and column, in every file", () => {
    const { thehood, home, repo } = openTestDesk();
    mkdirSync(join(home, "config"), { recursive: true });
    writeFileSync(join(home, "config/config.json"), '{\n  "version": 1,\n  "rolse": {}\n}\n');
    const ran = thehood(["run", "x"]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain('config.json:3:3: unknown key "rolse"');
    rmSync(join(home, "config/config.json"));
    mkdirSync(join(repo.dir, ".thehood"), { recursive: true });
    writeFileSync(join(repo.dir, ".thehood/config.json"), '{ "policy": { "hostMayApprove": true } }\n');
    expect(thehood(["run", "x"]).err).toContain('unknown key "hostMayApprove"');
  });

  it("[R-62] a repository that asks for looser rules is not obeyed, and config and doctor say so", () => {
    const { thehood, repo } = openTestDesk();
    repo.write(".thehood/config.json", '{ "policy": { "approvals": "autopilot", "fanoutMaxItems": 1 } }\n');
    const said = "approvals autopilot: manual holds";
    const view = thehood(["config", "--json"]).json<{ policy: object; overruled: string[] }>();
    expect(view).toMatchObject({ policy: { approvals: "manual", fanoutMaxItems: 1 }, overruled: [said] });
    expect(thehood(["config"]).out).toContain(said);
    expect(thehood(["doctor"]).out).toContain(said);
  });

  it("[S-4] a repository that tracks .thehood/ is refused loudly", () => {
    const { thehood, repo } = openTestDesk();
    repo.write(".thehood/config.json", '{ "version": 1 }\n');
    repo.git("add", "-f", ".thehood/config.json");
    repo.git("commit", "-q", "-m", "ship a policy");
    const ran = thehood(["run", "x", "--implementer", "stub:a", "--verifier", "stub:b"]);
    expect(ran.code).toBe(6);
    expect(ran.err).toContain(".thehood");
  });

  it("[S-4] nothing is read from the runs that a clone ships, and none of them is moved", () => {
    const { thehood, repo } = openTestDesk();
    const started = ["run", "x", "--team", "stub", "--approvals", "autopilot", "--no-loop", "--json"];
    const { runId } = thehood(started).json<{ runId: string }>();
    const shipped = readFileSync(join(repo.dir, ".thehood/store.db"));
    rmSync(join(repo.dir, ".thehood"));
    mkdirSync(join(repo.dir, ".thehood"));
    writeFileSync(join(repo.dir, ".thehood/store.db"), shipped);
    repo.git("add", "-f", ".thehood/store.db");
    repo.git("commit", "-q", "-m", "ship a run");
    const before = readFileSync(join(repo.dir, ".thehood/store.db"));
    const looks = [["status"], ["runs"], ["status", runId], ["show", runId], ["logs", runId], ["config"]];
    const moves = [["continue", runId], ["approve", runId], ["abort", runId], ["evidence", runId], ["init"]];
    for (const args of [...looks, ...moves, ["roles"], ["log", "verify"], ["teams", "apply", "stub"]]) {
      const ran = thehood([...args, "--json"]);
      expect(ran.code, args.join(" ")).toBe(6);
      expect(ran.json()).toMatchObject({ error: { code: "unsafe_repository" } });
    }
    expect(readFileSync(join(repo.dir, ".thehood/store.db"))).toEqual(before);
    expect(thehood(["doctor", "--json"]).json()).toMatchObject({ ok: false });
  });

  it("outside a git repository editing is refused with a remedy, and reading works", () => {
    const { thehood } = openTestDesk();
    const plainFolder = tempFolder("no-git-");
    const crew = ["--orchestrator", "stub:o", "--planner", "stub:p", "--implementer", "stub:i", "--verifier", "stub:v"];
    const refused = thehood(["run", "x", "--repo", plainFolder, ...crew]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("git init");
    expect(thehood(["plan", "x", "--repo", plainFolder, "--json", ...crew]).code).toBe(0);
  });

  it("a bare repository is reported as such, with the way to a checkout", () => {
    const { thehood, repo } = openTestDesk();
    const bare = tempFolder("bare-");
    repo.git("clone", "-q", "--bare", ".", bare);
    const ran = thehood(["run", "x", "--team", "stub", "--repo", bare]);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain("git clone");
    expect(existsSync(join(bare, ".thehood"))).toBe(false);
  });

  it("a store that is none is not sent to be verified, and what is final says where to look", () => {
    const { thehood, repo } = openTestDesk();
    const { runId } = thehood(["plan", "x", "--team", "stub", "--json"]).json<{ runId: string }>();
    for (const command of ["abort", "approve"]) {
      const ran = thehood([command, "--json"]);
      expect(ran.code, ran.out).toBe(2);
      expect(ran.json<{ error: { remedy?: string } }>().error.remedy).toContain(runId);
    }
    writeFileSync(join(repo.dir, ".thehood/store.db"), "x".repeat(8_192));
    const ran = thehood(["runs"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("move it away");
    expect(ran.err).not.toContain("log verify");
    const verified = thehood(["log", "verify"]);
    expect(verified.code).toBe(5);
    expect(verified.out).toContain("move it away");
    expect(verified.out).not.toContain("log verify");
  });

  it("a store that is cut short names a remedy that can be followed word by word, and work goes on after it", () => {
    const { thehood, repo } = openTestDesk();
    const plan = ["plan", "x", "--team", "stub", "--json"];
    const { runId } = thehood(plan).json<{ runId: string }>();
    const store = join(repo.dir, ".thehood/store.db");
    truncateSync(store, Math.floor(statSync(store).size / 2));
    const [, command = ""] = /stay: (mkdir .+ && mv .+)$/m.exec(thehood(["runs"]).err) ?? [];
    const moved = spawnSync("sh", ["-c", command], { cwd: repo.dir, encoding: "utf8" });
    expect(moved.status, `${command}\n${moved.stderr}`).toBe(0);
    expect(thehood(["runs"]).code).toBe(0);
    expect(thehood(plan).code).toBe(0);
    // The run that was in it is told as missing, and not forgotten.
    const verified = thehood(["log", "verify"]);
    expect(verified.code).toBe(5);
    expect(verified.out).toContain(`${runId}: it is missing`);
  });

  it("with --json a failure is one JSON document on stdout and nothing else", () => {
    const ran = openTestDesk().thehood(["status", "run_000000nothing", "--json"]);
    expect(ran.code).toBe(2);
    expect(ran.json()).toMatchObject({ ok: false, error: { code: "not_found", remedy: expect.any(String) } });
    expect(ran.err).toBe("");
  });

  it("a run without an agent is refused with the way out", () => {
    const ran = openTestDesk().thehood(["run", "x"]);
    expect(ran.code).toBe(4);
    expect(ran.err).toContain("thehood teams");
  });
});
