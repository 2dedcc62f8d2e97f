// Plays a scripted worker's edits in its worktree: plain file work, and git as a careless or hostile agent would use it.
import { execFile } from "node:child_process";
import { appendFile, chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { StubEdit } from "./script.ts";

const run = promisify(execFile);

/** The worker's git: its own identity, and nothing of the user's environment. */
async function git(dir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(
    "git",
    ["-c", "user.name=stub", "-c", "user.email=stub@example.invalid", ...args],
    {
      cwd: dir,
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: dir, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
    },
  );
  return stdout.trim();
}

export async function playEdits(dir: string, edits: readonly StubEdit[]): Promise<void> {
  for (const edit of edits) await play(dir, edit);
}

async function play(dir: string, edit: StubEdit): Promise<void> {
  switch (edit.op) {
    case "write": {
      const file = await room(dir, edit.path);
      await writeFile(
        file,
        edit.base64 === undefined ? (edit.text ?? "") : Buffer.from(edit.base64, "base64"),
      );
      if (edit.mode) await chmod(file, Number.parseInt(edit.mode, 8));
      return;
    }
    case "append":
      return appendFile(await room(dir, edit.path), edit.text);
    case "replace":
      return replace(join(dir, edit.path), edit.find, edit.with);
    case "delete":
      return rm(join(dir, edit.path), { recursive: true });
    case "rename":
      return rename(join(dir, edit.from), await room(dir, edit.to));
    case "symlink":
      return symlink(edit.target, await room(dir, edit.path));
    case "chmod":
      return chmod(join(dir, edit.path), Number.parseInt(edit.mode, 8));
    case "stage":
      return void (await git(dir, "add", "-A", "--", ...(edit.paths ?? ["."])));
    case "force-add":
      return void (await git(dir, "add", "-f", "--", edit.path));
    case "commit":
      await git(dir, "add", "-A");
      return void (await git(dir, "commit", "--no-verify", "--no-gpg-sign", "-m", edit.message));
    case "hook": {
      const hooks = join(await git(dir, "rev-parse", "--path-format=absolute", "--git-common-dir"), "hooks");
      const file = await room(hooks, edit.name);
      await writeFile(file, edit.text);
      return chmod(file, 0o755);
    }
    case "config":
      return void (await git(dir, "config", edit.key, edit.value));
  }
}

async function room(dir: string, path: string): Promise<string> {
  const file = join(dir, path);
  await mkdir(dirname(file), { recursive: true });
  return file;
}

/** Works on bytes, so that the rest of a file in another encoding stays as it is. */
async function replace(file: string, find: string, into: string): Promise<void> {
  const bytes = await readFile(file);
  const at = bytes.indexOf(find);
  if (at < 0) throw new Error(`the stub script wants to replace a text that ${file} does not hold`);
  const end = at + Buffer.byteLength(find);
  await writeFile(file, Buffer.concat([bytes.subarray(0, at), Buffer.from(into), bytes.subarray(end)]));
}
