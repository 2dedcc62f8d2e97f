// Facts about a repository that reports and prompts need, without anything secret in them.
import type { RepositoryState, StatusEntry } from "../../../core/contract/index.ts";
import {
  fromBytePath,
  git,
  gitOnce,
  isFullId,
  readRepositoryConfig,
  rememberAnswer,
  splitRecords,
  type Repository,
} from "../../../platform/git/index.ts";

interface RepositoryFacts extends RepositoryState {
  readonly top: string;
}

/** A remote's address without user name, password or token, whatever its form. */
export function withoutUserinfo(url: string): string {
  const schemed = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is.exec(url);
  if (schemed) return `${schemed[1]}${schemed[3]}${(schemed[4] ?? "").replace(/[?#].*$/s, "")}`;
  const at = /^[^/]*@([^/:]+:.*)$/s.exec(url);
  return at?.[1] ?? url;
}

function remotesOf(repository: Repository): { name: string; url: string }[] {
  const found = new Map<string, string>();
  for (const entry of readRepositoryConfig(repository))
    if (entry.section === "remote" && entry.name === "url" && entry.subsection !== null && entry.value)
      found.set(entry.subsection, withoutUserinfo(entry.value));
  return [...found].map(([name, url]) => ({ name, url }));
}

interface Headers {
  head: string | null;
  branch: string | null;
  upstream: string | null;
  ahead: number;
  behind: number;
}

function readHeader(line: string, headers: Headers): void {
  const [, key, ...rest] = line.split(" ");
  const value = rest.join(" ");
  if (key === "branch.oid") headers.head = value === "(initial)" ? null : value;
  else if (key === "branch.head") headers.branch = value === "(detached)" ? null : value;
  else if (key === "branch.upstream") headers.upstream = value;
  else if (key === "branch.ab") {
    headers.ahead = Number(rest[0]);
    headers.behind = -Number(rest[1]);
  }
}

/** `git status --porcelain=v2 -z --branch`: headers, then changed (1, 2), unmerged (u), untracked (?), ignored (!). */
function parseStatus(output: Buffer): { headers: Headers; entries: StatusEntry[] } {
  const headers: Headers = { head: null, branch: null, upstream: null, ahead: 0, behind: 0 };
  const entries: StatusEntry[] = [];
  const records = splitRecords(output);
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? "";
    const kind = record[0];
    if (kind === "#") readHeader(fromBytePath(record), headers);
    else if (kind === "?" || kind === "!") entries.push({ path: fromBytePath(record.slice(2)), code: kind.repeat(2) });
    else {
      const fields = record.split(" ");
      const skip = kind === "1" ? 8 : kind === "2" ? 9 : 10;
      entries.push({
        path: fromBytePath(fields.slice(skip).join(" ")),
        code: (fields[1] ?? "").replaceAll(".", " "),
      });
      if (kind === "2") index++;
    }
  }
  return { headers, entries };
}

export async function readStatus(repository: Repository, signal?: AbortSignal) {
  const args = ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all"];
  const { stdout } = await git(repository, args, signal ? { signal } : {});
  return parseStatus(stdout);
}

export async function describeRepository(repository: Repository, signal?: AbortSignal): Promise<RepositoryFacts> {
  const { headers, entries } = await readStatus(repository, signal);
  return {
    top: repository.top,
    ...headers,
    remotes: remotesOf(repository),
    status: entries,
    clean: entries.length === 0,
  };
}

const commitQuestion = (name: string) => ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
const treeQuestion = (commit: string) => ["rev-parse", "--verify", "--end-of-options", `${commit}^{tree}`];

interface CommitAndTree {
  readonly commit: string;
  readonly tree: string;
}

/** The last commit and its tree, of one moment; undefined before there is one. */
export async function headCommit(repository: Repository): Promise<CommitAndTree | undefined> {
  const args = ["log", "-1", "--format=%H %T", "--end-of-options", "HEAD", "--"];
  const { exitCode, stdout } = await git(repository, args, { accept: [0, 128] });
  const [commit = "", tree = ""] = stdout.toString("latin1").trim().split(" ");
  if (exitCode !== 0 || !isFullId(commit) || !isFullId(tree)) return undefined;
  rememberCommit(repository, { commit, tree });
  return { commit, tree };
}

/** Remembers the tree of a commit that git has just made or named, so that `resolveCommit` and `treeOf` start no git for it. */
export function rememberCommit(repository: Repository, { commit, tree }: CommitAndTree): void {
  rememberAnswer(repository, commitQuestion(commit), Buffer.from(`${commit}\n`));
  rememberAnswer(repository, treeQuestion(commit), Buffer.from(`${tree}\n`));
}

/** The full id of a commit; undefined when the name resolves to none. */
export async function resolveCommit(repository: Repository, name: string): Promise<string | undefined> {
  const ask = isFullId(name) ? gitOnce : git;
  const { exitCode, stdout } = await ask(repository, commitQuestion(name), { accept: [0, 1, 128] });
  const id = stdout.toString("latin1").trim();
  return exitCode === 0 && /^[0-9a-f]{40,64}$/.test(id) ? id : undefined;
}

export async function treeOf(repository: Repository, commit: string): Promise<string> {
  const { stdout } = await (isFullId(commit) ? gitOnce : git)(repository, treeQuestion(commit));
  return stdout.toString("latin1").trim();
}
