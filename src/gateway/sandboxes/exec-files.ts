// Reads and writes files of a sandbox by programs that run in it, so links are followed inside the sandbox only.
import { dirname } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { places, type SandboxFile } from "../rules/index.ts";
import type { Sandbox, SandboxEvidence, EvidenceLimits, ExecOptions, ExecResult } from "./port.ts";

type Exec = (argv: readonly string[], options?: ExecOptions) => Promise<ExecResult>;

/**
 * Writes all files with one program: a line of base64 for each, and its path, folder and mode as arguments. A file is written
 * under a temporary name with its mode, then renamed, so no program reads half of it.
 */
const writeScript =
  'set -e; umask 077; while [ $# -gt 0 ]; do mkdir -p -- "$2"; chmod 755 -- "$2"; IFS= read -r line; printf %s "$line" | base64 -d > "$1.thehood-new"; chmod "$3" -- "$1.thehood-new"; mv -f -- "$1.thehood-new" "$1"; shift 3; done';

export async function mustRun(exec: Exec, argv: readonly string[], options?: ExecOptions): Promise<ExecResult> {
  const ran = await exec(argv, options);
  if (ran.code !== 0)
    fail("run_failed", `${argv[0]} failed in the sandbox (${ran.code ?? "ended"}): ${ran.stderr.slice(0, 500)}`);
  return ran;
}

export function filesOver(exec: Exec): Pick<Sandbox, "write" | "clear" | "collect"> {
  return {
    async write(files) {
      if (files.length === 0) return;
      const args = files.flatMap(({ path, mode = 0o644 }) => [path, dirname(path), mode.toString(8)]);
      const lines = files.map(({ text }) => `${Buffer.from(text).toString("base64")}\n`);
      const input = Buffer.from(lines.join(""));
      await mustRun(exec, ["sh", "-c", writeScript, "sh", ...args], { input, cwd: "/" });
    },
    async clear(paths) {
      if (paths.length > 0) await mustRun(exec, ["rm", "-rf", "--", ...paths], { cwd: "/" });
    },
    collect: (folder, limits) => collect(exec, folder, limits),
  };
}

async function collect(exec: Exec, folder: string, limits: EvidenceLimits): Promise<SandboxEvidence> {
  const root = `${places.workspace}/${folder}`;
  const real = await exec(["realpath", "-e", "--", root], { cwd: "/" });
  if (real.code !== 0) return { files: [], left: [] };
  const found = real.stdout.toString("utf8").replace(/\n$/, "");
  const home = (await mustRun(exec, ["realpath", "--", places.workspace])).stdout.toString("utf8").trimEnd();
  if (found !== home && !found.startsWith(`${home}/`))
    return { files: [], left: [{ path: folder, why: "it leads out of the workspace" }] };
  const since = limits.newerThan === undefined ? 0 : await changedAt(exec, limits.newerThan);
  const rows = await filesUnder(exec, found);
  const files: { path: string; bytes: Buffer }[] = [];
  const left: { path: string; why: string }[] = [];
  let total = 0;
  for (const { size, path, changed } of rows) {
    const why = changed < since ? olderThanSession : tooMuch(limits, files.length, size, total);
    if (why !== undefined) left.push({ path, why });
    else {
      const limit = String(limits.fileBytes);
      const { stdout } = await mustRun(exec, ["head", "-c", limit, "--", `${found}/${path}`], {
        cwd: "/",
        maxBytes: limits.fileBytes,
      });
      total += stdout.length;
      files.push({ path, bytes: stdout });
    }
  }
  return { files, left };
}

export const olderThanSession = "it is older than this session";

/** The files under a folder with their sizes and the seconds of their last change, by path. */
async function filesUnder(exec: Exec, folder: string): Promise<{ path: string; size: number; changed: number }[]> {
  const format = String.raw`%s\t%C@\t%P\0`;
  const listed = await mustRun(exec, ["find", "-P", folder, "-xdev", "-type", "f", "-printf", format], {
    cwd: "/",
    maxBytes: 1 << 20,
  });
  const rows = listed.stdout.toString("utf8").split("\0").filter(Boolean);
  return rows
    .map((row) => {
      const [size, changed, ...path] = row.split("\t");
      return { size: Number(size), changed: Number(changed), path: path.join("\t") };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The time of the last change of a file that a program cannot set back; 0 if there is no such file. */
async function changedAt(exec: Exec, path: string): Promise<number> {
  const { code, stdout } = await exec(["find", "-P", path, "-maxdepth", "0", "-printf", "%C@"], { cwd: "/" });
  return code === 0 ? Number(stdout.toString("utf8")) : 0;
}

export function tooMuch(limits: EvidenceLimits, count: number, size: number, total: number): string | undefined {
  if (count >= limits.files) return `more than ${limits.files} files`;
  if (size > limits.fileBytes) return `larger than ${limits.fileBytes} bytes`;
  if (total + size > limits.totalBytes) return `more than ${limits.totalBytes} bytes in all`;
  return undefined;
}

export const asFile = (path: string, value: unknown): SandboxFile => ({
  path,
  text: `${JSON.stringify(value)}\n`,
  mode: 0o600,
});

/** Makes a first commit if there is none, and a ref for the state at the start: the diff of a session is taken against it. */
export async function beginHistory(sandbox: Pick<Sandbox, "exec">, own = false): Promise<void> {
  const commit = "git -c user.name=box -c user.email=box@localhost -c core.hooksPath=/dev/null";
  const script = [
    'set -e; cd "$1"; git --version > /dev/null 2>&1 || exit 0',
    `[ -d .git ] || { git init -q -b main --template=; git add -A; ${commit} commit -q --allow-empty -m start; }`,
    `git rev-parse -q --verify HEAD > /dev/null || ${commit} commit -q --allow-empty -m start`,
    ...(own ? ["! git rev-parse -q --verify refs/thehood/base > /dev/null || exit 0"] : []),
    `base=$(git rev-parse HEAD); if [ -n "$(git status --porcelain)" ]; then export GIT_INDEX_FILE=/tmp/.thehood-base; git read-tree HEAD; git -c core.hooksPath=/dev/null add -A; base=$(${commit} commit-tree "$(git write-tree)" -p HEAD -m start); fi`,
    'git update-ref refs/thehood/base "$base"',
  ].join("; ");
  await mustRun(sandbox.exec, ["sh", "-c", script, "sh", places.workspace], { cwd: "/", timeoutMs: 120_000 });
}
