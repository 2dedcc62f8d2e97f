// Pull requests where others are: a second clone with evidence of its own, a stranger's fork with a branch of the same name, a
// fork of the user's, a request that was closed meanwhile, and work on the branch that requests go into.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { openForgeDesk, type ForgeDesk } from "./forge-scene.ts";
import { fixing, stub } from "./program.ts";

const auto = ["--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];
const begin = ({ desk, env }: ForgeDesk, branch: string, cwd = desk.repo.dir, more = {}): string =>
  desk.thehood(["run", "make add() add", "--branch", branch, ...auto], { cwd, env: { ...env, ...more } }).json<{
    runId: string;
  }>().runId;

it("[B-40] a second clone and a colleague push their work too: the remote holds the evidence of all", () => {
  const forge = openForgeDesk();
  const { desk, env, remote } = forge;
  desk.repo.git("push", "-q", remote, "main");
  const first = begin(forge, "one");
  expect(forge.thehood(["pr", first, "--yes"]).code).toBe(0);
  const dir = join(tempFolder(), "clone");
  execFileSync("git", ["clone", "-q", "-b", "main", remote, dir]);
  execFileSync("git", ["remote", "set-url", "origin", "https://github.com/o/r.git"], { cwd: dir });
  const other = { THEHOOD_HOME: join(desk.home, "colleague") };
  const second = begin(forge, "two", dir, other);
  const sent = desk.thehood(["pr", second, "--yes", "--json"], { cwd: dir, env: { ...env, ...other } });
  expect(sent.json(), sent.err).toMatchObject({ created: true });
  const third = begin(forge, "three");
  expect(forge.thehood(["pr", third, "--yes", "--json"]).json()).toMatchObject({ created: true });
  const filed = execFileSync("git", ["--git-dir", remote, "ls-tree", "-r", "--name-only", "refs/thehood/evidence"], {
    encoding: "utf8",
  });
  for (const runId of [first, second, third]) expect(filed).toContain(`${runId}.json`);
  for (const branch of ["one", "three"])
    expect(forge.thehood(["verify", branch, "--json"]).json()).toMatchObject({ verdict: "verified" });
});

it("[B-40] a stranger's fork with a branch of the same name is not taken for the user's own request", () => {
  const forge = openForgeDesk();
  const runId = begin(forge, "fix-add");
  forge.set(({ requests }) =>
    requests.push({
      number: 7,
      branch: "fix-add",
      title: "x",
      draft: false,
      state: "open",
      fork: true,
      comments: [],
      threads: [],
      checks: [],
    }),
  );
  expect(forge.thehood(["pr", runId, "--yes", "--json"]).json()).toMatchObject({
    created: true,
    url: "https://github.com/o/r/pull/8",
  });
});

it("from a fork the request is opened in the repository that the fork belongs to, and its comments are taken up", () => {
  const forge = openForgeDesk();
  const { desk } = forge;
  desk.repo.git("remote", "set-url", "origin", "https://github.com/up/r.git");
  desk.repo.git("remote", "set-url", "--push", "origin", "https://github.com/o/r.git");
  const runId = begin(forge, "fix-add");
  const asked = forge.thehood(["pr", runId]).err;
  expect(asked).toContain("fix-add of origin (https://github.com/o/r.git)");
  expect(asked).toContain("a draft pull request in github.com/up/r");
  expect(forge.thehood(["pr", runId, "--yes", "--json"]).json()).toMatchObject({ created: true });
  expect(forge.calls()).toContain("pr create --repo github.com/up/r --head o:fix-add --draft");
  expect(forge.thehood(["pr", runId, "--yes", "--json"]).json()).toMatchObject({ created: false });
  forge.set((state) => {
    Object.assign(state.requests[0] ?? {}, { owner: "o", fork: true });
    state.requests[0]?.comments.push("swap them");
  });
  const edits = [{ op: "replace", path: "src/add.js", find: "a + b", with: "b + a" }];
  const words = [
    "--team",
    "stub",
    "--approvals",
    "autopilot",
    "--json",
    ...stub({ roles: { implementer: [{ edits }] } }),
  ];
  const next = forge.thehood(["run", "--pr", "7", ...words]);
  expect(next.code, next.out + next.err).toBe(0);
});

it("[B-40] nothing is pushed for a request that was closed meanwhile, and none is opened beside it", () => {
  const forge = openForgeDesk();
  const runId = begin(forge, "fix-add");
  expect(forge.thehood(["pr", runId, "--yes"]).code).toBe(0);
  forge.set((state) => Object.assign(state.requests[0] ?? {}, { state: "merged" }));
  execFileSync("git", ["--git-dir", forge.remote, "update-ref", "-d", "refs/heads/fix-add"]);
  const late = forge.thehood(["pr", runId, "--yes"]);
  expect(late.code).not.toBe(0);
  expect(late.err).toContain("is not open any more");
  expect(forge.atRemote("refs/heads/fix-add")).toBe("");
});

it("[B-40] work on the branch that requests go into is not pushed there", () => {
  const forge = openForgeDesk();
  const { desk } = forge;
  const { runId } = forge.thehood(["run", "make add() add", "--commit", ...auto]).json<{ runId: string }>();
  const refused = forge.thehood(["pr", runId, "--yes"]);
  expect(refused.err).toContain("the branch that pull requests go into");
  expect(forge.atRemote("refs/heads/main")).toBe("");
  const early = forge.thehood(["run", "make add() add", "--commit", "--pr-draft", ...auto]);
  expect(early.out).toContain("the branch that pull requests go into");
  desk.repo.git("switch", "-q", "-c", "mine");
  expect(forge.thehood(["pr", runId, "--yes", "--json"]).json()).toMatchObject({ created: true });
});
