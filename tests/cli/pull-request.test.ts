// Where work goes: a push with its evidence and a draft pull request. Real git with a bare remote, a scripted `gh`.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { fixing, openTestDesk, stub } from "./program.ts";

const onBranch = ["--branch", "fix-add", "--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];

/** A bare repository that git reaches under the address of a forge, by the user's own `insteadOf`. */
function openForge() {
  const desk = openTestDesk();
  const remote = join(tempFolder(), "r.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  desk.repo.git("remote", "add", "origin", "https://github.com/o/r.git");
  const config = join(desk.home, ".gitconfig");
  const before = existsSync(config) ? readFileSync(config, "utf8") : "";
  writeFileSync(config, `${before}[url "${remote}"]\n\tinsteadOf = https://github.com/o/r.git\n`);
  const bin = join(tempFolder(), "bin");
  mkdirSync(bin);
  const log = join(bin, "log");
  const gh = (body: string): { env: NodeJS.ProcessEnv } => {
    writeFileSync(join(bin, "gh"), `#!/bin/sh\necho "$@" >> '${log}'\n${body}\n`);
    chmodSync(join(bin, "gh"), 0o755);
    return { env: { PATH: `${bin}:${desk.env["PATH"] ?? ""}` } };
  };
  const atRemote = (ref: string) =>
    execFileSync("git", ["--git-dir", remote, "for-each-ref", "--format=%(objectname)", ref], {
      encoding: "utf8",
    }).trim();
  const calls = () => (existsSync(log) ? readFileSync(log, "utf8") : "");
  return { desk, gh, atRemote, calls };
}

/** Keeps what it created beside itself, as a forge does. */
const forge = `
state="$(dirname "$0")/open"
case "$2" in
  list) if [ -f "$state" ]; then echo '[{"url":"https://github.com/o/r/pull/7"}]'; else echo '[]'; fi ;;
  create)
    while [ $# -gt 0 ]; do [ "$1" = --body-file ] && cp "$2" "$(dirname "$0")/body"; shift; done
    touch "$state"; echo https://github.com/o/r/pull/7 ;;
esac`;

describe("thehood pr", () => {
  it("names what it would push, then pushes commit and evidence and opens one draft, however often it is asked", () => {
    const { desk, gh, atRemote, calls } = openForge();
    const program = gh(forge);
    const { runId } = desk.thehood(["run", "make add() add", ...onBranch]).json<{ runId: string }>();
    const asked = desk.thehood(["pr", runId, "--json"], program);
    expect(asked.code).toBe(3);
    expect(asked.out).toMatch(/to the branch fix-add of origin \(https:\/\/github\.com\/o\/r\.git\)/);
    expect(calls()).toBe("");
    expect(atRemote("refs/heads/fix-add")).toBe("");
    const sent = desk.thehood(["pr", runId, "--yes", "--json"], program);
    expect(sent.code, sent.out + sent.err).toBe(0);
    const made = sent.json<{ url: string; created: boolean; commit: string; bodyFile: string }>();
    expect(made).toMatchObject({ url: "https://github.com/o/r/pull/7", created: true });
    expect(atRemote("refs/heads/fix-add")).toBe(made.commit);
    expect(atRemote("refs/thehood/evidence")).not.toBe("");
    expect(calls()).toContain("pr create --repo github.com/o/r --head fix-add --draft --title");
    const body = readFileSync(made.bodyFile, "utf8");
    expect(body).toContain("## Claims");
    expect(body).toContain(`thehood verify ${made.commit.slice(0, 12)}`);
    const again = desk.thehood(["pr", runId, "--yes", "--json"], program).json();
    expect(again).toMatchObject({ url: "https://github.com/o/r/pull/7", created: false });
    expect(calls().match(/pr create/g)).toHaveLength(1);
  });

  it("says failed where gh failed, keeps what was pushed, and finishes with the next try", () => {
    const { desk, gh, atRemote } = openForge();
    const { runId } = desk.thehood(["run", "make add() add", ...onBranch]).json<{ runId: string }>();
    const failing = gh("echo 'HTTP 401: Bad credentials' >&2; exit 4");
    const failed = desk.thehood(["pr", runId, "--yes", "--json"], failing);
    expect(failed.code).not.toBe(0);
    expect(failed.out).toContain("Bad credentials");
    expect(failed.out).toContain("gh auth login --hostname github.com");
    expect(atRemote("refs/heads/fix-add")).not.toBe("");
    expect(desk.thehood(["pr", runId, "--yes", "--json"], gh(forge)).json()).toMatchObject({ created: true });
  });

  it("takes the request that another process opened in the same moment for its own", () => {
    const { desk, gh, calls } = openForge();
    const { runId } = desk.thehood(["run", "make add() add", ...onBranch]).json<{ runId: string }>();
    const raced = `[ "$2" = create ] && touch "$(dirname "$0")/open" && echo 'it already exists' >&2 && exit 1\n${forge}`;
    const made = desk.thehood(["pr", runId, "--yes", "--json"], gh(raced));
    expect(made.json(), made.err).toMatchObject({ url: "https://github.com/o/r/pull/7", created: false });
    expect(calls().match(/pr create/g)).toHaveLength(1);
  });

  it("refuses work that is not committed, a missing remote and an unknown run, and pushes over no foreign branch", () => {
    const { desk, gh, atRemote } = openForge();
    const program = gh(forge);
    const plain = ["--team", "stub", "--approvals", "autopilot", "--json", ...stub(fixing)];
    const { runId } = desk.thehood(["run", "make add() add", ...plain]).json<{ runId: string }>();
    expect(desk.thehood(["pr", runId, "--yes"], program).err).toContain("is not committed");
    expect(desk.thehood(["pr", "run_nothing", "--yes"], program).code).toBe(2);
    desk.thehood(["commit", runId]);
    const other = desk.repo.git("commit-tree", "-m", "foreign", "HEAD^{tree}");
    desk.repo.git("-c", `url.x.insteadOf=y`, "branch", "--show-current");
    const branch = desk.repo.git("branch", "--show-current").trim();
    const config = readFileSync(join(desk.home, ".gitconfig"), "utf8");
    const [, remote = ""] = /url "([^"]+)"/.exec(config) ?? [];
    desk.repo.git("push", "-q", remote, `${other.trim()}:refs/heads/${branch}`);
    const refused = desk.thehood(["pr", runId, "--yes"], program);
    expect(refused.code).not.toBe(0);
    expect(atRemote(`refs/heads/${branch}`)).toBe(other.trim());
    desk.repo.git("remote", "remove", "origin");
    expect(desk.thehood(["pr", runId, "--yes"], program).err).toContain("There is no remote");
  });
});
