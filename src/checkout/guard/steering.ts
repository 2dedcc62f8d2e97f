// What steers git for everyone who shares a git folder: hooks, configuration, attributes. Copied before a worker starts.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { parseConfig, keyOf, ConfigSyntaxError } from "../../git/index.ts";

const places = [
  "config",
  "config.worktree",
  "hooks",
  "info/attributes",
  "info/exclude",
  "info/grafts",
  "objects/info/alternates",
];
const maxBytes = 1 << 20;
const maxEntries = 500;

const entry = z.union([
  z.object({ kind: z.literal("file"), mode: z.number(), base64: z.string() }),
  z.object({ kind: z.literal("link"), target: z.string() }),
  /** Too large or odd to copy: seen, not kept. */
  z.object({ kind: z.literal("other"), print: z.string() }),
]);
type Entry = z.infer<typeof entry>;

export const steering = z.record(z.string(), entry);
export type Steering = z.infer<typeof steering>;

export function copySteering(commonDir: string): Steering {
  const found: Record<string, Entry> = {};
  for (const place of places) visit(commonDir, place, found);
  return found;
}

function visit(base: string, path: string, found: Record<string, Entry>): void {
  if (Object.keys(found).length >= maxEntries) return;
  const full = join(base, path);
  const stats = lstatSync(full, { throwIfNoEntry: false });
  if (!stats) return;
  if (stats.isDirectory())
    for (const name of readdirSync(full).toSorted()) visit(base, `${path}/${name}`, found);
  else if (stats.isSymbolicLink()) found[path] = { kind: "link", target: readlinkSync(full) };
  else if (stats.isFile() && stats.size <= maxBytes)
    found[path] = { kind: "file", mode: stats.mode & 0o777, base64: readFileSync(full).toString("base64") };
  else found[path] = { kind: "other", print: `${stats.mode}:${stats.size}:${stats.mtimeMs}` };
}

/** Puts back what a worker changed, and says which paths those were. */
export function restoreSteering(commonDir: string, before: Steering): string[] {
  const after = copySteering(commonDir);
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => JSON.stringify(before[path]) !== JSON.stringify(after[path]))
    .filter((path) => !isBenign(path, before[path], after[path]))
    .toSorted();
  for (const path of changed) putBack(join(commonDir, path), before[path]);
  return changed;
}

function putBack(path: string, old: Entry | undefined): void {
  if (old?.kind === "other") return;
  rmSync(path, { recursive: true, force: true });
  if (!old) return;
  mkdirSync(dirname(path), { recursive: true });
  if (old.kind === "link") symlinkSync(old.target, path);
  else {
    writeFileSync(path, Buffer.from(old.base64, "base64"), { mode: old.mode });
    chmodSync(path, old.mode);
  }
}

/**
 * The user may well push or switch branches while a worker runs, and git notes that in the configuration; such keys
 * start no program and are left alone.
 */
function isBenign(path: string, old: Entry | undefined, now: Entry | undefined): boolean {
  if (path !== "config" || old?.kind !== "file" || now?.kind !== "file" || old.mode !== now.mode)
    return false;
  const [before, after] = [keys(old.base64), keys(now.base64)];
  if (!before || !after) return false;
  const differing = [...before, ...after].filter((line) => !(before.has(line) && after.has(line)));
  return differing.every((line) => /^branch\.[^=]*\.(remote|merge|rebase|description)=/i.test(line));
}

function keys(base64: string): Set<string> | undefined {
  try {
    const entries = parseConfig(Buffer.from(base64, "base64").toString("utf8"));
    return new Set(entries.map((one) => `${keyOf(one)}=${one.value ?? ""}`));
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}
