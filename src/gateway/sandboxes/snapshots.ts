// The snapshots of providers that keep them as folders: one folder for each label, whole or not there.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Scrub } from "./port.ts";
import { copyFolder, discard, publish, scrubTree } from "./tree-copy.ts";

export interface FolderSnapshots {
  path(label: string): string;
  has(label: string): Promise<"yes" | "no">;
  /** `files` of the scrub are relative to `from` here. */
  take(label: string, from: string, scrub: Scrub): Promise<{ readonly scrubbed: number }>;
  remove(label: string): Promise<void>;
}

/** The agent's own state: a session from a snapshot begins a conversation of its own. */
const agentState = [".local/share/opencode", ".local/state/opencode", ".cache/opencode", ".config/opencode"];

/** Copies a folder without the named paths in it. */
type Copy = (from: string, to: string, left: readonly string[]) => Promise<void>;

const plainCopy: Copy = (from, to, left) => copyFolder(from, to, (name) => left.includes(name));

export function folderSnapshots(root: string, copy: Copy = plainCopy): FolderSnapshots {
  const path = (label: string) => join(root, label);
  return {
    path,
    has: async (label) => (existsSync(path(label)) ? "yes" : "no"),
    async take(label, from, { files, values }) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      // Of this process alone: one that was frozen and replaced may still be writing its own.
      const partial = `${path(label)}.partial.${process.pid}`;
      await discard(partial);
      await copy(from, partial, [...files, ...agentState]);
      const scrubbed = scrubTree(partial, values);
      await publish(partial, path(label), root);
      return { scrubbed };
    },
    remove: (label) => discard(path(label)),
  };
}
