// What somebody new meets when runs meet, or stay in one folder: several whole runs each.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixing, openTestDesk } from "./program.ts";

const mono = (): Record<string, string> => ({
  "package.json": '{"name":"root","private":true,"workspaces":["packages/*"]}\n',
  ...Object.fromEntries(
    ["a", "b"].flatMap((name) => [
      [`packages/${name}/package.json`, `{"name":"${name}","scripts":{"test":"node -e 0"}}\n`],
      [`packages/${name}/add.js`, "export const add = (a, b) => a - b;\n"],
    ]),
  ),
});

it("--only-here lets a run change the folder where the user is, runs its checks alone, and says which it leaves out", () => {
  const desk = openTestDesk(mono());
  const cwd = join(desk.repo.dir, "packages", "a");
  const words = ["run", "fix it", "--team", "stub", "--only-here", "-q"];
  const refused = desk.thehood(words);
  expect(refused.err).toContain("--only-here means the folder where you are");
  const script = (path: string) => [
    "--stub-script",
    JSON.stringify({ roles: { implementer: [{ edits: [{ op: "append", path, text: "// fixed\n" }] }] } }),
    "--approvals",
    "autopilot",
  ];
  desk.thehood([...words, ...script("packages/a/add.js")], { cwd });
  const logs = desk.thehood(["logs"]).out;
  expect(logs).toContain("checks outside of packages/a do not run, as you said with --only-here");
  const folders = [...desk.thehood(["logs", "--json"]).out.matchAll(/"cwd":"(packages[^"]*)"/g)].map(([, one]) => one);
  expect(new Set(folders)).toEqual(new Set(["packages/a"]));
  const { runId } = desk
    .thehood([...words, ...script("packages/b/add.js"), "--json"], { cwd })
    .json<{ runId: string }>();
  expect(desk.repo.git("status", "--porcelain")).not.toContain("packages/b");
  const again = desk.thehood(["rerun", runId, "--no-loop", "--json"]).json<{ runId: string }>();
  expect(desk.thehood(["logs", again.runId, "--json"]).out).toContain('"checksBelow":"packages/a"');
});

it("work of another run in the way is named as that, with the command that commits it", () => {
  const desk = openTestDesk();
  const begin = (goal: string, text: string): string => {
    const script = { roles: { implementer: [{ edits: [{ op: "write", path: "src/add.js", text }] }] } };
    const words = ["run", goal, "--team", "stub", "--stub-script", JSON.stringify(script), "--json"];
    return desk.thehood(words).json<{ runId: string }>().runId;
  };
  const gateOf = (runId: string) =>
    desk
      .thehood(["status", runId, "--json"])
      .json<{ gate: { id: string; phrase: string | null; title: string; preview: string } }>().gate;
  const pass = (runId: string) => {
    const { id, phrase } = gateOf(runId);
    desk.thehood(["approve", runId, "--gate", id, ...(phrase === null ? [] : ["-m", phrase]), "-q"]);
  };
  const first = begin("Put the numbers first", "export const add = (a, b) => b + a;\n");
  const second = begin("Add by a sum", "export const add = (a, b) => +a + b;\n");
  for (const runId of [first, second, first, second]) pass(runId);
  expect(gateOf(second).title).toBe("Work of another run is in the way");
  const shown = desk.thehood(["status", second]).out;
  expect(shown).toContain(`src/add.js (of ${first}: Put the numbers first)`);
  expect(shown).toContain(`Commit the work of ${first} first.`);
  desk.repo.write("src/add.js", "export const add = (a, b) => a + b + 0;\n");
  pass(second);
  expect(gateOf(second).title).toBe("The checkout has changes of yours in the way");
});

it("[B-32] work whose files the user is editing can go on a new branch: nobody asks, and the edits stay", () => {
  const desk = openTestDesk();
  const mine = "export const add = (a, b) => a - b; // mine, unfinished\n";
  const start = (...more: string[]) => {
    const script = JSON.stringify(fixing);
    const words = ["run", "fix it", "--team", "stub", "--stub-script", script, "--approvals", "autopilot", ...more];
    return desk.thehood([...words, "--json"]).json<{ runId: string; state: string }>();
  };
  const untouched = (branch: string) => {
    expect(readFileSync(join(desk.repo.dir, "src/add.js"), "utf8")).toBe(mine);
    expect(desk.repo.git("show", `${branch}:src/add.js`)).toContain("a + b");
    expect(desk.repo.git("show", `${branch}:src/add.js`)).not.toContain("mine");
    expect(desk.repo.git("rev-parse", `${branch}~1`)).toBe(desk.repo.git("rev-parse", "HEAD"));
  };
  desk.repo.write("src/add.js", mine);
  desk.repo.write("package.json", "{ broken by an edit that is not part of the work");
  expect(start("--branch", "named-at-start").state).toBe("completed");
  untouched("named-at-start");
  const { runId, state } = start();
  expect(state).toBe("awaiting_approval");
  expect(desk.thehood(["status", runId]).out).toContain("Or approve with a new branch");
  expect(desk.thehood(["approve", runId, "--branch", "x", "--pr"]).err).toContain("approved with the result");
  desk.thehood(["approve", runId, "--branch", "named-at-gate", "-q"]);
  expect(desk.thehood(["status", runId, "--json"]).json<{ state: string }>().state).toBe("completed");
  untouched("named-at-gate");
});
