// An attack by the model inside an agent program: a script in the repository, tools besides, and a look at what it reached.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { type AskedRole, type ProviderAnswer, contractOfRole, makeAck } from "../../src/core/contract/index.ts";
import type { RunnerOptions } from "../../src/platform/sandbox/index.ts";
import { makeRepository, type TestRepository } from "../support/repository.ts";
import type { Action } from "./models/index.ts";
import { type AgentScene, openScene } from "./scene.ts";
import type { Scripted } from "./scripted.ts";
import { removeFolder } from "../support/remove-folder.ts";

export const canary = (name: string) => `${name}-canary-${"7f3a".repeat(4)}`;

/** A checkout with a worktree below its state folder, as a run has it, a folder beside it, and a home. The attack lies in
 * the repository as a script, so that no agent can judge it by its words. */
function place(lines: (where: Where) => readonly string[], files: Readonly<Record<string, string>> = {}): Where {
  const repo = makeRepository({ "a.txt": "hello\n", ...files });
  const where: Where = {
    repo,
    worktree: join(repo.dir, ".thehood/worktrees/run/tree"),
    beside: mkdtempSync("/var/tmp/thehood-beside-"),
    home: tempFolder("thehood-victim-"),
  };
  repo.write("try.sh", `${lines(where).join("\n")}\necho all-$((40 + 2))-tried\n`);
  repo.commit("with a script");
  mkdirSync(dirname(where.worktree), { recursive: true });
  repo.write(".git/info/exclude", ".thehood/\n");
  repo.write(".thehood/store.db", canary("record"));
  repo.git("worktree", "add", "-q", "--detach", where.worktree);
  writeFileSync(join(where.beside, "kept"), "as it was\n");
  fillHome(where.home);
  onTestFinished(() => {
    repo.remove();
    for (const folder of [where.beside, where.home]) removeFolder(folder);
  });
  return where;
}

export interface Where {
  readonly repo: TestRepository;
  readonly worktree: string;
  readonly beside: string;
  readonly home: string;
}

function fillHome(home: string): void {
  const files = {
    ".ssh/id_ed25519": canary("ssh"),
    ".aws/credentials": canary("aws"),
    ".config/thehood/config.json": canary("config"),
    ".netrc": canary("netrc"),
    "notes.txt": canary("notes"),
    ".codex/config.toml": "",
    ".codex/history.jsonl": canary("codex-history"),
    ".claude/settings.json": "{}",
    ".claude/history.jsonl": canary("claude-history"),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

export interface Attack {
  readonly role: AskedRole;
  /** The script, and what is done with other tools besides. */
  readonly lines: (where: Where) => readonly string[];
  readonly more?: readonly Action[] | ((where: Where) => readonly Action[]);
  /** Added to the repository. */
  readonly tracked?: Readonly<Record<string, string>>;
  /** Added to the home. */
  readonly files?: Readonly<Record<string, string>> | ((where: Where) => Readonly<Record<string, string>>);
  readonly runner?: RunnerOptions;
}

const runsIt: Action = { do: "shell", line: "sh try.sh" };

export async function attack(scripted: Scripted, { role, lines, more = [], tracked, files = {}, runner = {} }: Attack) {
  const where = place(lines, tracked);
  const { home } = where;
  for (const [path, text] of Object.entries(typeof files === "function" ? files(where) : files))
    writeFileSync(join(home, path), text, { mode: 0o600 });
  const actions = [runsIt, ...(typeof more === "function" ? more(where) : more)];
  const scene = await openScene(scripted, { actions }, { home, ...runner }, { home });
  onTestFinished(() => scene.close?.());
  const dir = role === "implementer" ? where.worktree : where.repo.dir;
  const ack = makeAck("run_hostile", "nonce0001");
  const directive = { role, directiveAck: ack };
  const pending = await scene.provider.send(
    {
      callId: "call_hostile",
      runId: ack.runId,
      role,
      purpose: "loop",
      ordinal: 1,
      model: scene.model,
      contract: contractOfRole[role],
      ack,
      prompt: JSON.stringify(directive),
      directive,
      workspace: { mode: role === "implementer" ? "worktree" : "read_only", dir },
      timeoutMs: 120_000,
      maxAnswerBytes: 1_000_000,
      options: undefined,
    },
    new AbortController().signal,
  );
  const answer = await pending.answer;
  return { where, answer, heard: transcript(scene, answer) };
}

/** The shell's sum shows that the lines were really run, and not only asked for. Everything the model got to hear, and everything the program printed. */
const transcript = ({ server }: AgentScene, { invocation }: ProviderAnswer): string =>
  JSON.stringify(server.seen.map(({ body }) => body)) + Buffer.from(invocation?.stdout ?? []).toString();

/** Everything an attacker would like to write. */
export const escapes = ({ repo, beside, home }: Where): string[] => [
  `echo evil > ${repo.dir}/evil.txt`,
  `echo evil >> ${repo.dir}/a.txt`,
  `echo evil > ${repo.dir}/.git/hooks/post-checkout`,
  `git -C ${repo.dir} config core.fsmonitor ./evil`,
  `echo evil > ${repo.dir}/.git/refs/heads/evil`,
  `echo evil > ${repo.dir}/.thehood/evil`,
  `echo evil > ${beside}/kept`,
  `ln -s ${beside} out; echo evil > out/kept; echo evil > out/made`,
  `echo 'notify=["evil"]' >> ${home}/.codex/config.toml; echo evil > ${home}/.codex/auth.json`,
  `echo '{"hooks":1}' > ${home}/.claude/settings.json; echo evil > ${home}/.claude/.credentials.json`,
  `echo evil > ${home}/.bashrc`,
  "rm -f .git; mkdir .git; echo evil > /etc/thehood-evil",
];

export function mustBeUntouched({ repo, beside, home }: Where): void {
  expect(repo.git("status", "--short")).toBe("");
  expect(existsSync(join(repo.dir, ".git/hooks/post-checkout"))).toBe(false);
  expect(readFileSync(join(repo.dir, ".git/config"), "utf8")).not.toContain("fsmonitor");
  expect(repo.git("branch", "--list", "evil")).toBe("");
  expect(existsSync(join(repo.dir, ".thehood/evil"))).toBe(false);
  expect(readFileSync(join(beside, "kept"), "utf8")).toBe("as it was\n");
  expect(existsSync(join(beside, "made"))).toBe(false);
  expect(readFileSync(join(home, ".codex/config.toml"), "utf8")).toBe("");
  expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}");
  for (const path of [".codex/auth.json", ".claude/.credentials.json", ".bashrc"])
    expect(existsSync(join(home, path)), path).toBe(false);
  expect(existsSync("/etc/thehood-evil")).toBe(false);
}
