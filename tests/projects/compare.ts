// The checks of a repository by themselves, in `thehood checks test` and in a whole run: result for result.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { plainGit } from "../support/repository.ts";
import { tempFolder } from "../support/temp-folder.ts";

type Results = Readonly<Record<string, string>>;
export interface Compared {
  readonly alone: Results;
  readonly tested: Results;
  readonly before: Results;
  readonly after: Results;
  /** The lines that `checks test` shows of the checks that do not pass. */
  readonly lines: string;
}

interface Check {
  readonly id: string;
  readonly argv: readonly string[];
  readonly result: string;
  readonly lines: readonly string[];
}

interface Judged {
  readonly checkId: string;
  readonly before: { readonly result: string };
  readonly after: readonly { readonly variant: string; readonly result: string }[];
}

const named = ["PATH", "HOME", "USER", "LANG", "RUSTUP_HOME", "CARGO_HOME", "PYENV_ROOT"];

/** The environment of a person's terminal, without the variables of this test runner. */
const surroundings = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(named.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  TERM: "xterm-256color",
});

const byId = <T>(list: readonly T[], id: (one: T) => string, result: (one: T) => string): Results =>
  Object.fromEntries(list.map((one) => [id(one), result(one)]));

function asCommitted(dir: string): void {
  plainGit(dir, "clean", "-fdq");
  plainGit(dir, "reset", "-q", "--hard");
}

export function compare(dir: string): Compared {
  const home = { ...surroundings(), THEHOOD_HOME: tempFolder("thehood-home-") };
  const thehood = <T>(...words: string[]): T => {
    const ran = spawnSync(process.execPath, [bin, ...words, "--json"], {
      cwd: dir,
      env: home,
      encoding: "utf8",
      maxBuffer: 64 * 1_048_576,
    });
    if (ran.error) throw ran.error;
    try {
      return JSON.parse(ran.stdout) as T;
    } catch {
      throw new Error(`thehood ${words.join(" ")} ended with ${ran.status}: ${ran.stderr.slice(-2_000)}`);
    }
  };
  asCommitted(dir);
  onTestFinished(() => asCommitted(dir));
  const alone = byId(
    thehood<{ checks: Check[] }>("checks").checks,
    ({ id }) => id,
    ({ argv: [program = "", ...words] }) =>
      spawnSync(program, words, { cwd: dir, env: surroundings(), stdio: "ignore" }).status === 0 ? "passed" : "failed",
  );
  const { checks } = thehood<{ checks: Check[] }>("checks", "test");
  const { runId } = thehood<{ runId: string }>("run", "add a note", "--team", "stub", "--approvals", "autopilot");
  const { artifacts } = thehood<{ artifacts: { ref: string; summary: string }[] }>("show", runId);
  const summary = artifacts.findLast((one) => one.summary.startsWith("validation of pass 1"));
  if (!summary) throw new Error(`${runId} has no summary of its checks`);
  const { content } = thehood<{ content: string }>("artifact", runId, summary.ref);
  const judged = (JSON.parse(content) as { checks: Judged[] }).checks;
  return {
    alone,
    tested: byId(
      checks,
      ({ id }) => id,
      ({ result }) => result,
    ),
    before: byId(
      judged,
      ({ checkId }) => checkId,
      (one) => one.before.result,
    ),
    after: byId(
      judged,
      ({ checkId }) => checkId,
      ({ after }) => after.find(({ variant }) => variant === "patched")?.result ?? "no result",
    ),
    lines: checks.flatMap(({ lines }) => lines).join("\n"),
  };
}
