// Runs one check on exactly one tree, confined, and says what its end means.
import { randomBytes } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import type { AbortSignalLike, CheckSpec, CommandOutcome, CommandRunner } from "../../contract/index.ts";
import type { Repository } from "../../git/index.ts";
import { isHollowCheck } from "../discover/index.ts";
import { treeFiles } from "../tree/files.ts";
import { scriptOf } from "../script.ts";
import { runnersNamed } from "./count.ts";
import { lendDependencies } from "./dependencies.ts";
import { type CheckJudgement, judgeCheck } from "./judge.ts";
import { openScratch } from "./scratch.ts";
import { watchJudge } from "./watch-judge.ts";

interface CheckRun {
  readonly repository: Repository;
  readonly runner: CommandRunner;
  /** Outside the checkout: tools that look in the folders above must not find the work there. */
  readonly scratchRoot: string;
  readonly spec: CheckSpec;
  readonly tree: string;
  readonly signal?: AbortSignalLike;
  readonly onOutput?: (stream: "stdout" | "stderr", chunk: Uint8Array) => void;
}

interface CheckRunResult extends CheckJudgement {
  readonly command: CommandOutcome;
}

const maxOutputBytes = 8 << 20;

/** Tools ask nothing, fetch nothing, and do not wait for changes. */
const quietEnvironment: Readonly<Record<string, string>> = {
  CI: "1",
  NO_UPDATE_NOTIFIER: "1",
  npm_config_update_notifier: "false",
  npm_config_fund: "false",
  npm_config_audit: "false",
  COREPACK_ENABLE_DOWNLOAD_PROMPT: "0",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PYTHONDONTWRITEBYTECODE: "1",
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
};

export async function runCheck(run: CheckRun): Promise<CheckRunResult> {
  const { repository, spec } = run;
  const files = await treeFiles(repository, run.tree);
  const hollow = await isHollowCheck(files, spec);
  const scratch = await openScratch(
    repository,
    join(run.scratchRoot, randomBytes(6).toString("hex")),
    run.tree,
  );
  try {
    const { programs } = await lendDependencies(repository.top, scratch.dir, files.paths);
    const judge = await watchJudge(repository, run.tree, scratch.dir, spec.files ?? []);
    const command = await run.runner.run({
      argv: await fromVenv(countable(spec.argv), programs),
      cwd: join(scratch.dir, spec.cwd),
      writable: [scratch.dir],
      network: false,
      // A go.work of the checkout around the scratch tree is none of this tree's business.
      env: files.paths.includes("go.work") ? quietEnvironment : { ...quietEnvironment, GOWORK: "off" },
      timeoutMs: spec.timeoutMs,
      maxOutputBytes,
      ...(run.signal ? { signal: run.signal } : {}),
      ...(run.onOutput ? { onOutput: run.onOutput } : {}),
    });
    return {
      ...judgeCheck(spec.kind, command, {
        hollow,
        hasFile: isFileAt(files.paths, spec.cwd, scratch.dir),
        runners: runnersNamed(await scriptOf(files, spec)),
        changed: await judge.changed(),
      }),
      command,
    };
  } finally {
    scratch.dispose();
  }
}

/** go tells of each test only when it is asked to. */
function countable(argv: CheckSpec["argv"]): CheckSpec["argv"] {
  const [program, verb, ...rest] = argv;
  const quiet = program === "go" && verb === "test" && !rest.some((word) => /^-(?:v|json)$/.test(word));
  return quiet ? [program, verb, "-v", ...rest] : argv;
}

/** A program of the project's own virtual environment goes before one of the machine. */
async function fromVenv(argv: CheckSpec["argv"], programs: readonly string[]): Promise<CheckSpec["argv"]> {
  const [program, ...rest] = argv;
  for (const folder of program.includes("/") ? [] : programs) {
    const own = join(folder, program);
    if (await promises.stat(own).catch(() => undefined)) return [own, ...rest];
  }
  return argv;
}

/** A test is named after a file by its place below the folder it ran in, or in full. */
function isFileAt(paths: readonly string[], cwd: string, top: string): (name: string) => boolean {
  const known = new Set(paths);
  return (name) =>
    known.has(
      name.startsWith(`${top}/`) ? name.slice(top.length + 1) : join(cwd, name).replaceAll("\\", "/"),
    );
}
