// Puts artifacts in their place. The content is synced at once; the folders when the log asks, for all of them together.
import { readdirSync, utimesSync } from "node:fs";
import { sep } from "node:path";
import process from "node:process";
import { ensureFolder, syncFolder, writeWhole } from "../system/index.ts";
import { isThere, pathOf, shardOf } from "./artifact-files.ts";

export interface ArtifactWriter {
  put(name: string, bytes: Uint8Array): void;
  /** Makes the names of all artifacts that were put durable. */
  settle(): void;
}

function touch(path: string): void {
  const now = new Date();
  utimesSync(path, now, now);
}

export function createArtifactWriter(root: string): ArtifactWriter {
  const there = new Set<string>();
  const unsynced = new Set<string>();
  let shards: Set<string> | undefined;
  let count = 0;

  /** A folder that another process made may not be synced yet, and our event must not outlive it. */
  const listShards = (): Set<string> => {
    unsynced.add(root);
    return new Set(readdirSync(root));
  };

  return {
    put(name, bytes) {
      if (there.has(name)) return;
      const shard = name.slice(0, 2);
      const folder = shardOf(root, name);
      shards ??= listShards();
      if (!shards.has(shard)) {
        ensureFolder(folder);
        unsynced.add(root);
        shards.add(shard);
      }
      // Also for a file that is there already: another process may have put it just now.
      unsynced.add(folder);
      const temporary = `${root}${sep}tmp${sep}${name}.${process.pid}.${count++}`;
      // The time says that somebody counts on it: a removal of old runs leaves it alone.
      if (isThere(root, name, bytes.length)) touch(pathOf(root, name));
      else writeWhole(pathOf(root, name), temporary, bytes);
      there.add(name);
    },
    settle() {
      unsynced.forEach(syncFolder);
      unsynced.clear();
    },
  };
}
