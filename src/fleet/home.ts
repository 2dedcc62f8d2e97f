// The home of a run on a worker's machine: a checkout of its base commit, made from a mirror that all runs share, with the
// pinned work that an earlier worker packed. Each process makes its own home and removes it: the store has everything, and
// the home of another process may be older than the run.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail, type LeaseOwner } from "../core/contract/index.ts";
import {
  findRepository,
  git,
  type GitOptions,
  type Repository,
  locateRepository,
  originOf,
  type RepositoryLocation,
} from "../platform/git/index.ts";
import type { UserGit } from "../platform/git/user/index.ts";
import { sha256 } from "../platform/store/index.ts";
import { isAlive, thisProcess, writeWhole } from "../platform/system/index.ts";

export interface HomeRequest {
  readonly runId: string;
  readonly url: string;
  /** A commit; undefined for the newest of the default branch. */
  readonly base: string | undefined;
  /** The bundles that earlier workers packed, oldest first. */
  readonly luggage: readonly Uint8Array[];
  /** The files of the checkout where the run has changed them already. */
  readonly tree?: string | undefined;
}

export interface HomeDeps {
  /** The worker's cache folder. */
  readonly cacheDir: string;
  /** The worker's keys; they are not in the store. */
  readonly network: UserGit["network"];
}

/** The address without password or token: each worker has its own keys, and the store has none. */
export function withoutKeys(address: string): string {
  const url = URL.parse(address);
  // `git@host:path` and a plain path contain no key.
  if (!url || !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return address;
  url.password = "";
  // The user of ssh is not a secret; a user of https may be a token.
  if (url.protocol !== "ssh:") url.username = "";
  return url.href;
}

/** The file beside each home that names its process. */
const owner = ".owner.json";

const protocols = ["https", "ssh", "file", "git"];

export async function makeHome(deps: HomeDeps, request: HomeRequest): Promise<string> {
  const mirror = openRepository(join(deps.cacheDir, "mirrors", sha256(request.url).slice(0, 32)), request.url);
  const outside = networkOf(deps);
  if (!(await has(mirror, request.base)))
    await git(
      mirror,
      ["fetch", "--quiet", request.url, "+refs/heads/*:refs/mirror/*", "+HEAD:refs/mirror-head"],
      outside,
    );
  const base = request.base ?? (await commitOf(mirror, "refs/mirror-head"));
  if (base === undefined || !(await has(mirror, base)))
    return fail("not_found", `The commit ${base ?? "of the default branch"} is not at ${request.url}.`, {
      remedy: "Push the commit that the run is based on, then offer the run again: thehood continue RUN.",
    });
  const folder = ownFolder(join(deps.cacheDir, "homes"), request.runId);
  const home = openRepository(folder, request.url, join(mirror.gitDir, "objects"));
  await git(home, ["update-ref", "refs/heads/main", base]);
  await git(home, ["read-tree", "--reset", "-u", base]);
  for (const [index, bytes] of request.luggage.entries()) await unpack(home, bytes, index);
  if (request.tree !== undefined && request.tree !== base) {
    // The files are those of the run; the index stays at the base, as after a patch is applied.
    await git(home, ["read-tree", "--reset", "-u", request.tree]);
    await git(home, ["read-tree", base]);
  }
  return folder;
}

/** A folder for this process only, because a frozen process may go on in its own. Folders of ended processes are removed. */
function ownFolder(homes: string, runId: string): string {
  mkdirSync(homes, { recursive: true, mode: 0o700 });
  for (const file of readdirSync(homes).filter((name) => name.endsWith(owner)))
    if (isAlive(JSON.parse(readFileSync(join(homes, file), "utf8")) as LeaseOwner) === false)
      removeHome(join(homes, file.slice(0, -owner.length)));
  const folder = join(homes, `${runId}.${process.pid}.${randomUUID().slice(0, 8)}`);
  writeWhole(folder + owner, `${folder}.tmp`, Buffer.from(JSON.stringify(thisProcess())));
  return folder;
}

/** The owner file is written first and removed last, so a folder always has an owner. */
export function removeHome(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  rmSync(folder + owner, { force: true });
}

async function unpack(home: Repository, bytes: Uint8Array, index: number): Promise<void> {
  const file = join(home.gitDir, `luggage-${index}.bundle`);
  writeFileSync(file, bytes, { mode: 0o600 });
  const kinds = ["keep", "commit"].map((kind) => `+refs/thehood/${kind}/*:refs/thehood/${kind}/*`);
  await git(home, ["fetch", "--quiet", file, ...kinds], {
    network: { protocols: ["file"] },
  });
  rmSync(file);
}

/** The pinned work of a run as one git bundle; undefined if nothing is pinned. */
export async function packPinned(repository: Repository, runId: string, base: string): Promise<Uint8Array | undefined> {
  const under = ["keep", "commit"].map((kind) => `refs/thehood/${kind}/${runId}/`);
  const listed = await git(repository, ["for-each-ref", "--format=%(refname)", ...under]);
  const refs = listed.stdout
    .toString("utf8")
    .split("\n")
    .filter((name) => name !== "");
  if (refs.length === 0) return undefined;
  const { stdout } = await git(repository, [
    "bundle",
    "create",
    "--quiet",
    "-",
    ...refs,
    `^${base}`,
    `^${base}^{tree}`,
  ]);
  return stdout;
}

/** Creates a repository file by file, so no template or configuration of the machine applies. */
function openRepository(folder: string, url: string, objects?: string): Repository {
  const gitDir = join(folder, ".git");
  if (!existsSync(join(gitDir, "HEAD"))) {
    for (const part of ["objects/info", "refs/heads", "info"])
      mkdirSync(join(gitDir, part), { recursive: true, mode: 0o700 });
    const quoted = url.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
    writeFileSync(
      join(gitDir, "config"),
      `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n[remote "origin"]\n\turl = "${quoted}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n`,
    );
    if (objects !== undefined) writeFileSync(join(gitDir, "objects", "info", "alternates"), `${objects}\n`);
    writeFileSync(join(gitDir, "HEAD"), "ref: refs/heads/main\n");
  }
  return findRepository(folder) ?? fail("git_failed", `${folder} is not a repository.`);
}

const networkOf = ({ network }: HomeDeps): GitOptions => ({
  network: { protocols, env: network.env },
  config: network.config,
  timeoutMs: 30 * 60_000,
});

async function commitOf(repository: Repository, name: string): Promise<string | undefined> {
  const found = await git(repository, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], {
    accept: [0, 1, 128],
  });
  return found.exitCode === 0 ? found.stdout.toString("utf8").trim() : undefined;
}

const has = async (repository: Repository, commit: string | undefined): Promise<boolean> =>
  commit !== undefined && (await commitOf(repository, commit)) !== undefined;

/** The address that a worker clones a repository from, and the commit that the work is based on. */
export async function addressOf(folder: string): Promise<{ url: string; base: string; location: RepositoryLocation }> {
  const location = locateRepository(folder);
  const { repository } = location;
  const origin = repository && originOf(repository);
  if (!origin)
    return fail("invalid_input", `${location.root} has no remote "origin", so no worker can clone it.`, {
      remedy: "git remote add origin ADDRESS, and push the commit that the work is based on.",
    });
  const { base } = await headOf(location);
  const contained = await git(repository, ["for-each-ref", "--count=1", `--contains=${base}`, "refs/remotes/origin"]);
  if (contained.stdout.length === 0)
    fail("invalid_input", `The commit ${base.slice(0, 12)} was not pushed to origin, so no worker can work on it.`, {
      remedy: "Push it first: git push",
    });
  return { url: withoutKeys(origin), base, location };
}

export async function headOf({ repository, root }: RepositoryLocation): Promise<{ base: string }> {
  if (!repository) return fail("not_a_repository", `${root} is not a git repository.`);
  const { stdout } = await git(repository, ["rev-parse", "--verify", "HEAD^{commit}"]);
  return { base: stdout.toString("utf8").trim() };
}
