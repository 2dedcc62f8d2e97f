// A checkout in which the public preview was used: it stops nothing, and `thehood init --import` takes it over.
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canaryFile } from "../support/canary-file.ts";
import { openTestDesk, type Desk } from "./program.ts";

const done = "run_11111111-2222-3333-4444-555555555555";
const broken = "run_99999999-2222-3333-4444-555555555555";
/** A token that scanners of this repository do not mistake for a leak. */
const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

const config = {
  version: 1,
  defaults: { maxIterations: 8, fanoutMaxItems: 8, editRequiresApproval: false, protectedTestPaths: ["schema/**"] },
  approvalPolicy: {
    mode: "autopilot",
    externalTransfers: { mode: "auto_low_risk", maxAutoApproveBytes: 200_000, rules: [] },
  },
  providers: { stub: { enabled: true, models: ["verifier"] } },
  roles: {
    implementer: { provider: "stub", model: "implementer" },
    verifier: { provider: "stub", model: "verifier" },
    critic: { provider: "chatgpt-atlas", model: "chatgpt-pro" },
  },
};

/** The folder as the preview writes it. */
function usePreview(dir: string, settings: unknown = config): void {
  const at = (...names: string[]) => join(dir, ".thehood", ...names);
  for (const id of [done, broken]) mkdirSync(at("runs", id), { recursive: true });
  mkdirSync(at("artifacts", done, "plan"), { recursive: true });
  writeFileSync(at("artifacts", done, "plan", "plan.json"), "{}\n");
  const record = {
    runId: done,
    createdAt: "2026-05-01T10:00:00.000Z",
    updatedAt: "2026-05-01T11:00:00.000Z",
    userGoal: `fix the login with ${token}\u001b[2J`,
    mode: "implement",
    state: "completed",
    artifacts: [{ kind: "plan", ref: "x", summary: "y" }],
  };
  writeFileSync(at("runs", done, "run.json"), JSON.stringify(record));
  writeFileSync(at("runs", broken, "run.json"), '{"runId": "run_9');
  if (settings !== null) writeFileSync(at("config.json"), JSON.stringify(settings));
}

function previewDesk(settings?: unknown): Desk {
  const desk = openTestDesk();
  usePreview(desk.repo.dir, settings ?? config);
  return desk;
}

interface Imported {
  readonly written: boolean;
  readonly kept: string;
  readonly changes: { key: string; before: unknown; after: unknown }[];
  readonly left: { key: string; command: string | null }[];
  readonly runs: { runId: string; goal: string; state: string; problem: string | null; record: string }[];
}

const imported = (stdout: string): Imported => JSON.parse(stdout) as Imported;

describe("a checkout in which the public preview was used", () => {
  it("stops nothing, and its folder stays where it is", () => {
    const desk = previewDesk();
    for (const args of [["status"], ["config"], ["roles"], ["policy"], ["checks"], ["models"], ["access"], ["init"]])
      expect(desk.thehood([...args]).code, args[0]).toBe(0);
    const ran = desk.thehood(["plan", "a plan", "--team", "stub", "--no-loop"]);
    expect(ran.code).not.toBe(2);
    expect(lstatSync(join(desk.repo.dir, ".thehood")).isDirectory()).toBe(true);
    expect(JSON.parse(readFileSync(join(desk.repo.dir, ".thehood/config.json"), "utf8"))).toEqual(config);
    expect(desk.thehood(["config"]).out).toContain("thehood init --import");
    expect(desk.thehood(["init"]).out).toContain("thehood init --import");
    expect(desk.thehood(["doctor"]).out).toContain("thehood init --import");
    // Its policy does not hold.
    expect(desk.thehood(["policy", "--json"]).out).toContain('"approvals":"manual"');
    const set = desk.thehood(["roles", "set", "critic", "stub:x"]);
    expect(set.code).toBe(2);
    expect(set.err).toContain("thehood init --import");
  });

  it("[R-62] is shown before anything is written, and nothing in it loosens the policy", () => {
    const desk = previewDesk();
    const before = readdirSync(join(desk.repo.dir, ".thehood"), { recursive: true }).toSorted();
    const shown = desk.thehood(["init", "--import", "--json"]);
    expect(shown.code).toBe(0);
    const { written, changes, left, runs } = imported(shown.out);
    expect(written).toBe(false);
    expect(changes).toEqual([
      { key: "roles.implementer", before: null, after: "stub:implementer" },
      { key: "roles.verifier", before: null, after: "stub:verifier" },
      { key: "policy.budgets.maxIterations", before: null, after: 8 },
      { key: "policy.protectedPaths", before: null, after: ["schema/**"] },
    ]);
    expect(left.map(({ key }) => key)).toEqual([
      "roles.critic",
      "defaults.editRequiresApproval",
      "approvalPolicy.mode",
      "approvalPolicy.externalTransfers.mode",
    ]);
    expect(runs.map(({ runId, state, problem }) => [runId, state, problem])).toEqual([
      [done, "completed", null],
      [broken, "", "its record is damaged"],
    ]);
    expect(shown.out).not.toContain(token);
    expect(readdirSync(join(desk.repo.dir, ".thehood"), { recursive: true }).toSorted()).toEqual(before);
    const text = desk.thehood(["init", "--import"]).out;
    for (const part of ["+ roles.verifier: stub:verifier", "thehood policy set autopilot", "--import --yes", done])
      expect(text).toContain(part);
    expect(text).not.toMatch(new RegExp(`${token}|\\u001b\\[2J`));
  });

  it("is taken over with --yes: settings in the private file, runs kept to be read, and a second time changes nothing", () => {
    const desk = previewDesk();
    const { written, kept } = imported(desk.thehood(["init", "--import", "--yes", "--json"]).out);
    expect(written).toBe(true);
    expect(lstatSync(join(desk.repo.dir, ".thehood")).isSymbolicLink()).toBe(true);
    expect(existsSync(join(kept, "runs", done, "run.json"))).toBe(true);
    expect(existsSync(join(kept, "artifacts", done, "plan", "plan.json"))).toBe(true);
    const aside = readdirSync(kept).find((name) => name.startsWith("config-")) ?? "";
    expect(JSON.parse(readFileSync(join(kept, aside), "utf8"))).toEqual(config);
    expect(desk.thehood(["roles"]).out).toMatch(/Verifier\s+stub:verifier/);
    expect(desk.thehood(["policy", "--json"]).out).toContain('"approvals":"manual"');
    expect(desk.thehood(["roles", "set", "critic", "stub:x"]).code).toBe(0);
    const file = readFileSync(join(desk.repo.dir, ".thehood/config.json"), "utf8");
    const again = imported(desk.thehood(["init", "--import", "--yes", "--json"]).out);
    expect(again).toMatchObject({ written: false, changes: [] });
    expect(again.runs.map(({ runId }) => runId)).toEqual([done, broken]);
    expect(readFileSync(join(desk.repo.dir, ".thehood/config.json"), "utf8")).toBe(file);
    expect(desk.thehood(["doctor"]).out).not.toContain("init --import");
  });

  it("goes on where an import was cut off, and takes a folder that the preview made afterwards", () => {
    const desk = previewDesk();
    // The first half: the runs were moved, the settings were not.
    const kept = join(desk.repo.dir, ".git/thehood/preview/runs");
    mkdirSync(kept, { recursive: true });
    mkdirSync(join(kept, "run_33333333-2222-3333-4444-555555555555"));
    const first = imported(desk.thehood(["init", "--import", "--yes", "--json"]).out);
    expect(first.changes).toHaveLength(4);
    expect(first.runs).toHaveLength(3);
    expect(readdirSync(kept)).toHaveLength(3);
  });

  it("is taken over once by several processes at the same time", async () => {
    const desk = previewDesk();
    const ended = [1, 2, 3].map(() => once(desk.spawn(["init", "--import", "--yes", "--json"]), "exit"));
    await Promise.all(ended);
    expect(desk.thehood(["roles"]).out).toMatch(/Verifier\s+stub:verifier/);
    expect(readFileSync(join(desk.repo.dir, ".thehood/config.json"), "utf8")).toContain("schema/**");
    const { runs, changes } = imported(desk.thehood(["init", "--import", "--json"]).out);
    expect(runs.map(({ runId }) => runId)).toEqual([done, broken]);
    expect(changes).toEqual([]);
  });

  it("is refused with a clear message where it is broken or hostile", () => {
    const none = openTestDesk();
    expect(none.thehood(["init", "--import"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("no folder of the public preview") as string,
    });
    expect(none.thehood(["init", "--yes"]).code).toBe(2);

    const damaged = openTestDesk();
    usePreview(damaged.repo.dir);
    writeFileSync(join(damaged.repo.dir, ".thehood/config.json"), '{"version": 1, "roles": ');
    const refused = damaged.thehood(["init", "--import", "--yes"]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain("config.json:1:");
    expect(existsSync(join(damaged.repo.dir, ".thehood/runs", done))).toBe(true);

    const linked = openTestDesk();
    usePreview(linked.repo.dir, null);
    symlinkSync(canaryFile().path, join(linked.repo.dir, ".thehood/config.json"));
    const link = linked.thehood(["init", "--import", "--yes"]);
    expect(link.code).not.toBe(0);
    expect(link.err).toContain("not a plain file");

    const shipped = previewDesk();
    shipped.repo.git("add", "-f", ".thehood");
    const tracked = shipped.thehood(["init", "--import", "--yes"]);
    expect(tracked.code).not.toBe(0);
    expect(tracked.err).toContain("tracks .thehood");
  });
});
