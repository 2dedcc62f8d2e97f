// Where work goes at other hosts: a draft merge request through `glab`, and at a host of neither kind the branch with the text
// in a file. Real git with a bare remote, a scripted `glab`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { openForgeDesk } from "./forge-scene.ts";
import { fixing, openTestDesk, stub } from "./program.ts";

const onBranch = ["--branch", "fix-add", "--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];

interface Sent {
  readonly url: string | null;
  readonly created: boolean;
  readonly commit: string;
  readonly bodyFile: string;
}

it("opens one draft merge request with glab, however often it is asked", () => {
  const { desk, env, request, atRemote } = openForgeDesk("glab");
  const { runId } = desk.thehood(["run", "make add() add", ...onBranch]).json<{ runId: string }>();
  const sent = desk.thehood(["pr", runId, "--yes", "--json"], { env });
  expect(sent.code, sent.out + sent.err).toBe(0);
  const made = sent.json<Sent>();
  expect(made).toMatchObject({ created: true, url: expect.stringContaining("gitlab.com/o/r") as string });
  expect(request()).toMatchObject({ branch: "fix-add", draft: true, state: "open" });
  expect(atRemote("refs/heads/fix-add")).toBe(made.commit);
  expect(atRemote("refs/thehood/evidence")).not.toBe("");
  expect(desk.thehood(["pr", runId, "--yes", "--json"], { env }).json()).toMatchObject({
    created: false,
    url: made.url,
  });
});

it("pushes branch and evidence to a host of neither kind, and writes the text to a file", () => {
  const desk = openTestDesk();
  const remote = join(tempFolder(), "r.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const address = "https://codeberg.org/o/r.git";
  desk.repo.git("remote", "add", "origin", address);
  const config = join(desk.home, ".gitconfig");
  const before = existsSync(config) ? readFileSync(config, "utf8") : "";
  writeFileSync(config, `${before}[url "${remote}"]\n\tinsteadOf = ${address}\n`);
  const { runId } = desk.thehood(["run", "make add() add", ...onBranch]).json<{ runId: string }>();
  const sent = desk.thehood(["pr", runId, "--yes", "--json"]);
  expect(sent.code, sent.out + sent.err).toBe(0);
  const made = sent.json<Sent>();
  expect(made.url).toBe(null);
  expect(readFileSync(made.bodyFile, "utf8")).toContain("## Claims");
  const refs = execFileSync("git", ["--git-dir", remote, "for-each-ref", "--format=%(refname) %(objectname)"], {
    encoding: "utf8",
  });
  expect(refs).toContain(`refs/heads/fix-add ${made.commit}`);
  expect(refs).toContain("refs/thehood/evidence ");
});
