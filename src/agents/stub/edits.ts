// Plays a scripted worker's edits in its worktree: plain file work, and git as a careless or hostile agent would use it.
import { execFile } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { StubEdit } from "./script.ts";

const run = promisify(execFile);

/** The worker's git: its own identity, and nothing of the user's environment. */
async function git(dir: string, ...args: string[]): Promise<string> {
  const { stdout } = await run("git", ["-c", "user.name=stub", "-c", "user.email=stub@example.invalid", ...args], {
    cwd: dir,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: dir, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C" },
  });
  return stdout.trim();
}

export async function playEdits(dir: string, edits: readonly StubEdit[]): Promise<void> {
  for (const edit of edits) await play(dir, edit);
}

async function play(dir: string, edit: StubEdit): Promise<void> {
  switch (edit.op) {
    case "write": {
      const file = room(dir, edit.path);
      writeFileSync(file, edit.base64 === undefined ? (edit.text ?? "") : Buffer.from(edit.base64, "base64"));
      if (edit.mode) chmodSync(file, Number.parseInt(edit.mode, 8));
      return;
    }
    case "append":
      return appendFileSync(room(dir, edit.path), edit.text);
    case "replace":
      return replace(join(dir, edit.path), edit.find, edit.with);
    case "delete":
      return rmSync(join(dir, edit.path), { recursive: true });
    case "rename":
      return renameSync(join(dir, edit.from), room(dir, edit.to));
    case "symlink":
      return symlinkSync(edit.target, room(dir, edit.path));
    case "chmod":
      return chmodSync(join(dir, edit.path), Number.parseInt(edit.mode, 8));
    case "stage":
      return void (await git(dir, "add", "-A", "--", ...(edit.paths ?? ["."])));
    case "force-add":
      return void (await git(dir, "add", "-f", "--", edit.path));
    case "commit":
      await git(dir, "add", "-A");
      return void (await git(dir, "commit", "--no-verify", "--no-gpg-sign", "-m", edit.message));
    case "hook": {
      const hooks = join(await git(dir, "rev-parse", "--path-format=absolute", "--git-common-dir"), "hooks");
      const file = room(hooks, edit.name);
      writeFileSync(file, edit.text);
      return chmodSync(file, 0o755);
    }
    case "config":
      return void (await git(dir, "config", edit.key, edit.value));
  }
}

function room(dir: string, path: string): string {
  const file = join(dir, path);
  mkdirSync(dirname(file), { recursive: true });
  return file;
}

/** Works on bytes, so that the rest of a file in another encoding stays as it is. Replaced text stays as it is too. */
function replace(file: string, find: string, into: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf(find);
  if (at < 0 && into !== "" && bytes.includes(into)) return;
  if (at < 0) throw new Error(`the stub script wants to replace a text that ${file} does not hold`);
  const end = at + Buffer.byteLength(find);
  writeFileSync(file, Buffer.concat([bytes.subarray(0, at), Buffer.from(into), bytes.subarray(end)]));
}
