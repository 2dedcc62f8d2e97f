// What a killed process left in the checkout, in git's folder and among the kept work, as the next command meets it.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { watchGitFolder } from "../../src/workspace/checkout/git-folder-watch/index.ts";
import { requireRepository } from "../../src/platform/git/index.ts";
import { layMove } from "../support/half-move.ts";
import { fixing, openTestDesk, stub, type Desk } from "./program.ts";

const fresh = { "README.md": "# New\n", "src/add.js": "export const add = (a, b) => a + b;\n" };

function halfMoved(desk: Desk): void {
  const folder = join(desk.repo.dir, ".git/thehood/apply");
  mkdirSync(folder, { recursive: true });
  layMove(desk.repo.dir, join(folder, "1-0"), fresh, { half: true });
  expect(existsSync(join(desk.repo.dir, "README.md"))).toBe(false);
}

const isNew = ({ repo: { dir } }: Desk): boolean =>
  Object.entries(fresh).every(([path, text]) => readFileSync(join(dir, path), "utf8") === text);

it.each(["status", "runs", "policy", "doctor", "log verify", "abort"])(
  "[B-17] half a checkout is finished before anything else by: thehood %s",
  (line) => {
    const desk = openTestDesk();
    desk.thehood(["plan", "look around", "--team", "stub"]);
    halfMoved(desk);
    desk.thehood(line.split(" "));
    expect(isNew(desk)).toBe(true);
    expect(readdirSync(join(desk.repo.dir, ".git/thehood/apply"))).not.toContain("1-0");
  },
);

it("[B-17] half a checkout is finished by oracle apply too, before it looks at the checkout", () => {
  const desk = openTestDesk();
  halfMoved(desk);
  const diff = join(desk.home, "more.diff");
  writeFileSync(diff, "--- a/README.md\n+++ b/README.md\n@@ -1 +1 @@\n-# New\n+# Newer\n");
  const oracle = resolve(import.meta.dirname, "../../bin/oracle.js");
  const options = { cwd: desk.repo.dir, env: desk.env, encoding: "utf8" } as const;
  const ran = spawnSync(process.execPath, [oracle, "apply", diff], options);
  expect(isNew(desk), ran.stderr).toBe(true);
});

it("[B-18] a hook of a worker whose process was killed is gone after the abort", () => {
  const desk = openTestDesk();
  const command = ["run", "fix add", "--team", "stub", "--check", "true", "--json", ...stub(fixing)];
  const { runId } = desk.thehood(command).json<{ runId: string }>();
  desk.thehood(["approve", runId]);
  watchGitFolder(requireRepository(desk.repo.dir), runId);
  const hook = join(desk.repo.dir, ".git/hooks/pre-commit");
  mkdirSync(join(hook, ".."), { recursive: true });
  writeFileSync(hook, "#!/bin/sh\necho planted\n", { mode: 0o755 });
  expect(desk.thehood(["abort", runId]).code).toBe(0);
  expect(existsSync(hook)).toBe(false);
});

it("[B-15] kept work of which an object is gone is named by log verify", () => {
  const desk = openTestDesk();
  const [step] = fixing.roles.implementer;
  const crashing = stub({ roles: { implementer: [{ ...step, behave: "crash" }] } });
  const command = ["run", "fix add", "--team", "stub", "--approvals", "autopilot", "--check", "true"];
  desk.thehood([...command, ...crashing]);
  expect(desk.thehood(["abort"]).code).toBe(0);
  expect(desk.thehood(["log", "verify"]).code).toBe(0);
  const ref = desk.repo.git("for-each-ref", "--format=%(refname)", "refs/thehood/keep/").trim();
  const blob = desk.repo.git("rev-parse", `${ref}:src/add.js`).trim();
  rmSync(join(desk.repo.dir, ".git/objects", blob.slice(0, 2), blob.slice(2)));
  const verified = desk.thehood(["log", "verify"]);
  expect(verified.code).toBe(5);
  expect(verified.out).toContain(`${ref} keeps work that cannot be read any more`);
});

it("[B-17] a store that was cut short is reported with a command that helps: after it the next run goes through", () => {
  const desk = openTestDesk();
  const plan = ["plan", "look around", "--team", "stub"];
  expect(desk.thehood(plan).code).toBe(0);
  const file = join(desk.repo.dir, ".git/thehood/store.db");
  const store = new DatabaseSync(file);
  store.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  store.close();
  truncateSync(file, Math.floor(statSync(file).size / 2));
  const ran = desk.thehood(plan);
  expect(ran.code).not.toBe(0);
  const [, command = ""] = /(mkdir .*)$/m.exec(ran.err) ?? [];
  expect(spawnSync("sh", ["-c", command], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
  const after = desk.thehood(plan);
  expect(after.code, after.err).toBe(0);
});
