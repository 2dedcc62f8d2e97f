// Questions about objects by their full ids. An answer of git holds for good, so a process asks each only once.
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

/** A part of a larger answer would keep the whole of it in memory. */
const ownMemory = (part: Buffer) => (part.buffer.byteLength > 2 * part.length ? Buffer.from(part) : part);

/** The options may say where git looks and how long, nothing that changes the answer. */
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

export const knownAnswer = (repository: Repository, args: readonly string[]): Buffer | undefined =>
  answers.get(keyOf(repository, args))?.stdout;

/** An answer that another question has already given. */
export function rememberAnswer(repository: Repository, args: readonly string[], stdout: Buffer): void {
  keep(keyOf(repository, args), { exitCode: 0, stdout, stderr: "" });
}
