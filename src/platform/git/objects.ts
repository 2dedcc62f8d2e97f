// Reads and writes objects by their full ids. An answer about an id never changes, so a process asks git only once.
import { fail } from "../../core/contract/index.ts";
import type { Repository } from "./locate.ts";
import { git, gitSync, type GitOptions, type GitResult } from "./run.ts";

const maxBytes = 8 << 20;
const maxAnswerBytes = 1 << 20;

/** By question, oldest first. */
const answers = new Map<string, GitResult>();
let bytes = 0;

export const isFullId = (name: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(name);

/** A question with a name in it that can come to mean something else is a bug of the caller. */
function keyOf(repository: Repository, args: readonly string[]): string {
  const rest = args.slice(args[0] === "cat-file" && args[1] === "blob" ? 2 : 1);
  const names = rest.filter((arg) => !arg.startsWith("-"));
  if (names.length === 0 || !names.every((name) => isFullId(name.replace(/\^\{(?:commit|tree)\}$/, ""))))
    throw new TypeError(`git ${args.join(" ")} is not about objects alone`);
  return [repository.commonDir, ...args].join("\0");
}

function keep(key: string, result: GitResult): GitResult {
  if (result.exitCode !== 0 || result.stdout.length > maxAnswerBytes || answers.has(key)) return result;
  answers.set(key, { ...result, stdout: ownMemory(result.stdout) });
  bytes += result.stdout.length;
  for (const [oldest, { stdout }] of answers) {
    if (bytes <= maxBytes) break;
    answers.delete(oldest);
    bytes -= stdout.length;
  }
  return result;
}

/** A slice of a larger answer would keep all of it in memory. */
const ownMemory = (part: Buffer) => (part.buffer.byteLength > 2 * part.length ? Buffer.from(part) : part);

/** The options may set where git searches and how long, nothing that changes the answer. */
export async function gitOnce(
  repository: Repository,
  args: readonly string[],
  options?: GitOptions,
): Promise<GitResult> {
  const key = keyOf(repository, args);
  return answers.get(key) ?? keep(key, await git(repository, args, options));
}

export function gitOnceSync(repository: Repository, args: readonly string[]): GitResult {
  const key = keyOf(repository, args);
  return answers.get(key) ?? keep(key, gitSync(repository, args));
}

const knownAnswer = (repository: Repository, args: readonly string[]): Buffer | undefined =>
  answers.get(keyOf(repository, args))?.stdout;

/** An answer that another question has already given. */
export function rememberAnswer(repository: Repository, args: readonly string[], stdout: Buffer): void {
  keep(keyOf(repository, args), { exitCode: 0, stdout, stderr: "" });
}

const question = (id: string) => ["cat-file", "blob", id];

export const readBlobSync = (repository: Repository, id: string): Buffer =>
  gitOnceSync(repository, question(id)).stdout;

/** The bytes of many blobs in one call, in order; none for those that are known. */
export async function readBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  const found = new Map(ids.map((id) => [id, knownAnswer(repository, question(id))]));
  const unknown = [...found.keys()].filter((id) => found.get(id) === undefined);
  for (const [index, blob] of (await askBlobs(repository, unknown)).entries()) {
    const id = unknown[index] ?? "";
    rememberAnswer(repository, question(id), blob);
    found.set(id, blob);
  }
  return ids.map((id) => found.get(id) ?? Buffer.alloc(0));
}

async function askBlobs(repository: Repository, ids: readonly string[]): Promise<Buffer[]> {
  if (ids.length === 0) return [];
  const { stdout } = await git(repository, ["cat-file", "--batch", "--buffer"], {
    stdin: `${ids.join("\n")}\n`,
    maxBytes: 1 << 30,
    timeoutMs: 600_000,
  });
  const blobs: Buffer[] = [];
  let at = 0;
  for (const id of ids) {
    const end = stdout.indexOf(10, at);
    const header = stdout.toString("latin1", at, end).split(" ");
    const size = Number(header[2]);
    if (header[0] !== id || header[1] !== "blob" || !Number.isSafeInteger(size))
      fail("git_failed", `Object ${id} cannot be read from the repository.`, { remedy: "Run: git fsck" });
    blobs.push(stdout.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return blobs;
}

export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000`, `160000`. */
  readonly mode: string;
  readonly object: string;
}

/** Every file of a tree. Names that are not UTF-8 are left out. */
export async function listTree(repository: Repository, tree: string): Promise<TreeEntry[]> {
  const { stdout } = await gitOnce(repository, ["ls-tree", "-r", "-z", "--full-tree", tree]);
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((line) => {
      const match = /^(\d{6}) \w+ ([0-9a-f]+)\t(.+)$/s.exec(line);
      return match?.[1] && match[2] && match[3] && !match[3].includes("\uFFFD")
        ? [{ mode: match[1], object: match[2], path: match[3] }]
        : [];
    });
}

const args = ["hash-object", "-t", "tree", "-w", "--stdin"];
const idIn = (stdout: Buffer): string => stdout.toString("latin1").trim();

/** Not `git mktree`: it ignores `core.fsync`, and its file is empty after a power loss. */
export const writeEmptyTree = async (repository: Repository): Promise<string> =>
  idIn((await git(repository, args, { stdin: "" })).stdout);

export const writeEmptyTreeSync = (repository: Repository): string =>
  idIn(gitSync(repository, args, { stdin: "" }).stdout);
