// Runs a program once under strace and gives back every change it made to the disk below a folder, in order.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { runProgram, type Program } from "./strace.ts";
import { removeFolder } from "../../support/remove-folder.ts";

/** One change as the kernel saw it; paths are absolute. `told` is what the program said to the outside by then. */
export type DiskOp =
  | { readonly op: "create"; readonly path: string; readonly truncate: boolean }
  | { readonly op: "folder"; readonly path: string }
  | { readonly op: "write"; readonly path: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly op: "truncate"; readonly path: string; readonly length: number }
  | { readonly op: "rename"; readonly path: string; readonly to: string }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "sync"; readonly path: string }
  | { readonly op: "told"; readonly text: string };

export interface Recording {
  readonly root: string;
  readonly ops: readonly DiskOp[];
  readonly stdout: string;
}

const traced =
  "openat,creat,write,pwrite64,writev,pwritev,fsync,fdatasync,ftruncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,link,linkat,symlink,close";

export interface RecordOptions {
  /** Makes every fsync a lie that says yes: to prove that the checker would notice. */
  readonly withoutSync?: boolean;
}

export async function recordDisk(program: Program, root: string, options: RecordOptions = {}): Promise<Recording> {
  const folder = mkdtempSync(join(tmpdir(), "thehood-trace-"));
  const file = join(folder, "trace");
  const lie = options.withoutSync ? ["-e", "inject=fsync,fdatasync:retval=0"] : [];
  const known = traced.split(",").map((name) => `?${name}`);
  const strace = ["strace", "-qq", "-y", "-xx", "-s", "16777216", "-o", file, "-e", `trace=${known.join(",")}`, ...lie];
  try {
    const outcome = await runProgram({
      ...program,
      argv: [...strace, ...program.argv] as [string, ...string[]],
    });
    if (outcome.exitCode !== 0) throw new Error(`the recorded program failed: ${outcome.stderr}`);
    return { root, ops: parseTrace(readFileSync(file, "latin1"), root), stdout: outcome.stdout };
  } finally {
    removeFolder(folder);
  }
}

/** Calls that failed changed nothing; calls that strace answered itself (INJECTED) did nothing either. */
export function parseTrace(text: string, root: string): DiskOp[] {
  const positions = new Map<string, number>();
  return text.split("\n").flatMap((line) => {
    const match = /^(\w+)\((.*)\)\s+= (\d+)(<[^>]*>)?( \(INJECTED\))?$/.exec(line);
    if (!match) return [];
    const [, call = "", args = "", result = "", opened] = match;
    if (match[5] !== undefined) return [];
    const found = toOp(call, splitArguments(args), Number(result), opened, positions);
    return found.filter((op) => op.op === "told" || op.path === root || op.path.startsWith(`${root}/`));
  });
}

type Positions = Map<string, number>;

function toOp(call: string, args: string[], result: number, opened: string | undefined, at: Positions): DiskOp[] {
  const [first = "", second = "", third = "", fourth = ""] = args;
  const path = pathOfDescriptor(first);
  switch (call) {
    case "openat":
      at.set(`${result}`, 0);
      if (!third.includes("O_CREAT")) return [];
      return [{ op: "create", path: pathOfDescriptor(`0${opened ?? ""}`), truncate: third.includes("O_TRUNC") }];
    case "pwrite64":
      return [{ op: "write", path, offset: Number(fourth), bytes: unquote(second).subarray(0, result) }];
    case "write":
      return plainWrite(first, path, unquote(second).subarray(0, result), at);
    case "fsync":
    case "fdatasync":
      return [{ op: "sync", path }];
    case "ftruncate":
      return [{ op: "truncate", path, length: Number(second) }];
    case "rename":
      return [{ op: "rename", path: pathOf(first), to: pathOf(second) }];
    case "unlink":
    case "rmdir":
      return [{ op: "remove", path: pathOf(first) }];
    case "unlinkat":
      return [{ op: "remove", path: pathAt(first, second) }];
    case "mkdir":
      return [{ op: "folder", path: pathOf(first) }];
    case "mkdirat":
      return [{ op: "folder", path: pathAt(first, second) }];
    case "renameat":
    case "renameat2":
      return [{ op: "rename", path: pathAt(first, second), to: pathAt(third, fourth) }];
    case "close":
      at.delete(String(Number.parseInt(first, 10)));
      return [];
    default:
      throw new Error(`the disk model does not know the call ${call}; teach it before trusting a replay`);
  }
}

function plainWrite(first: string, path: string, bytes: Buffer, at: Positions): DiskOp[] {
  const descriptor = String(Number.parseInt(first, 10));
  if (descriptor === "1") return [{ op: "told", text: bytes.toString("utf8") }];
  const offset = at.get(descriptor) ?? 0;
  at.set(descriptor, offset + bytes.length);
  return [{ op: "write", path, offset, bytes }];
}

/** Arguments at the top level; with everything in hex, a comma in a text cannot be mistaken for one between two. */
function splitArguments(args: string): string[] {
  return args.split(/, (?![^<"]*>)/);
}

function unquote(text: string): Buffer {
  const inner = /^"((?:\\x[0-9a-f]{2})*)"/.exec(text)?.[1];
  if (inner === undefined) throw new Error(`a traced text was cut: ${text.slice(0, 60)}`);
  return Buffer.from(inner.replaceAll("\\x", ""), "hex");
}

function pathOfDescriptor(text: string): string {
  const inner = /^[^<]*<((?:\\x[0-9a-f]{2})*)>/.exec(text)?.[1] ?? "";
  return Buffer.from(inner.replaceAll("\\x", ""), "hex").toString("utf8");
}

function pathOf(text: string): string {
  return unquote(text).toString("utf8");
}

function pathAt(folder: string, name: string): string {
  const path = pathOf(name);
  return isAbsolute(path) ? path : join(pathOfDescriptor(folder), path);
}
