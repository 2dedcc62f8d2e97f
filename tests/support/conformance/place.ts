// A small repository to be asked about, and what can be seen of it from outside.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

async function git(dir: string, ...args: string[]): Promise<void> {
  await run("git", ["-c", "user.name=conformance", "-c", "user.email=conformance@example.invalid", ...args], {
    cwd: dir,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: dir, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
  });
}

type Files = readonly { readonly path: string; readonly bytes: Uint8Array }[];
let template: Promise<Files> | undefined;

async function inFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "conformance-")));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Made once and written anew for each case: a commit costs more than the call it is for. */
const makeTemplate = (): Promise<Files> =>
  inFolder(async (dir) => {
    await writeFile(join(dir, "a.txt"), "one\n");
    await git(dir, "init", "-q", "--template=", "-b", "main");
    await git(dir, "add", "-A");
    await git(dir, "commit", "-q", "--no-gpg-sign", "-m", "base");
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const paths = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(dir, join(entry.parentPath, entry.name)));
    return Promise.all(paths.map(async (path) => ({ path, bytes: await readFile(join(dir, path)) })));
  });

export async function inRepository(use: (dir: string) => Promise<void>): Promise<void> {
  const files = await (template ??= makeTemplate());
  await inFolder(async (dir) => {
    for (const { path, bytes } of files) {
      await mkdir(dirname(join(dir, path)), { recursive: true });
      await writeFile(join(dir, path), bytes);
    }
    // Git wants to see it, also when it is empty.
    await mkdir(join(dir, ".git", "refs"), { recursive: true });
    await use(dir);
  });
}

export const layPatch = async (dir: string, patch: Uint8Array): Promise<void> => {
  const file = join(dir, ".git", "answer.patch");
  await writeFile(file, patch);
  await git(dir, "apply", file);
};

/** Git writes these for its own convenience when somebody merely looks. */
const convenience = /^\.git\/(index|index\.lock|objects\/.*)$/;

/** Every file with the hash of its bytes: two equal prints mean that nothing was written. */
export async function printOf(dir: string): Promise<string> {
  const lines: string[] = [];
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(dir, path);
    if (entry.isDirectory() || convenience.test(name)) continue;
    const bytes = entry.isSymbolicLink() ? await readlink(path) : await readFile(path);
    lines.push(`${name} ${(await lstat(path)).mode} ${createHash("sha256").update(bytes).digest("hex")}`);
  }
  return lines.toSorted().join("\n");
}

/** Processes that work in this folder. */
export async function processesIn(dir: string): Promise<string[]> {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
      return cwd === dir || cwd.startsWith(`${dir}/`) ? [`process ${pid} in ${cwd}`] : [];
    }),
  );
  return found.flat();
}
