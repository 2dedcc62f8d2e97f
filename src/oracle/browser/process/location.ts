// The socket of a folder's keeper, and the file that names it.
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type LeaseOwner, fail } from "../../../core/contract/index.ts";
import { isAlive, systemCode, thisProcess } from "../../../platform/system/index.ts";

/** The system allows about a hundred bytes for the path of a socket. */
const longestSocket = 100;

const unusable = new Set(["EEXIST", "ENOTDIR", "ENOENT", "ELOOP", "EACCES", "EPERM", "EROFS"]);

export function privateFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined || !unusable.has(code)) throw error;
    return fail("store_io", `${folder} cannot be used (${code}).`, {
      remedy: "Remove what is there or above it, or name another folder with ORACLE_HOME_DIR.",
    });
  }
  return folder;
}

function shortFolder(folder: string): string {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  const short = join(tmpdir(), `thehood-${name}`);
  privateFolder(short);
  const { uid } = userInfo();
  if (uid >= 0 && statSync(short).uid !== uid)
    return fail("permission_denied", `${short} belongs to another user.`, { remedy: "Remove that folder." });
  return short;
}

export function socketPath(folder: string): string {
  if (process.platform === "win32") {
    const name = createHash("sha256").update(folder).digest("hex").slice(0, 32);
    return `\\\\.\\pipe\\thehood-${name}-${process.pid}`;
  }
  const name = `keeper-${process.pid}.sock`;
  const path = join(folder, name);
  return path.length <= longestSocket ? path : join(shortFolder(folder), name);
}

export interface Posted {
  readonly socket: string;
  readonly owner: LeaseOwner;
}

const postPath = (folder: string) => join(folder, "keeper.json");

/** The running keeper of this folder; files of a dead one are ignored. */
export function postedKeeper(folder: string): Posted | undefined {
  try {
    const posted = JSON.parse(readFileSync(postPath(folder), "utf8")) as Posted;
    return isAlive(posted.owner) === false ? undefined : posted;
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** False when another keeper runs. If two start at once, the browser's lock on the profile decides. */
export function postKeeper(folder: string, socket: string): boolean {
  const text = JSON.stringify({ socket, owner: thisProcess() } satisfies Posted);
  for (let tries = 0; tries < 3; tries += 1) {
    try {
      writeFileSync(postPath(folder), text, { mode: 0o600, flag: "wx" });
      return true;
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
      if (postedKeeper(folder) !== undefined) return false;
      rmSync(postPath(folder), { force: true });
    }
  }
  return false;
}

export function unpost(folder: string, socket: string): void {
  if (postedKeeper(folder)?.socket === socket) rmSync(postPath(folder), { force: true });
  if (process.platform !== "win32") rmSync(socket, { force: true });
}
