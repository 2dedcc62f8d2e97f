// Reads configuration files, each once, and again only when it has changed: a server that lives for days must not go on
// with rules that the user has tightened since.
import { statSync } from "node:fs";
import type { z } from "zod";
import { systemCode } from "../system/index.ts";
import { readJsonc } from "./read-jsonc.ts";

interface Parsed {
  readonly mark: string | undefined;
  readonly value: unknown;
}

/** Another mark means another content: every writer that we know of leaves another inode or time. */
function markOf(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false, bigint: true });
    return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}` : "none";
  } catch (error) {
    // The reader tells the problem of the file each time it is asked.
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** The parsed file, or `otherwise` when there is none. */
export type ConfigReader = <T>(path: string, schema: z.ZodType<T>, otherwise: T) => T;

export function createConfigReader(): ConfigReader {
  const parsed = new Map<string, Parsed>();
  return <T>(path: string, schema: z.ZodType<T>, otherwise: T): T => {
    const mark = markOf(path);
    const known = parsed.get(path);
    // One path has one schema, so that the value kept for it has the type that is asked for.
    if (mark !== undefined && known?.mark === mark) return known.value as T;
    const value = readJsonc(path, schema) ?? otherwise;
    parsed.set(path, { mark, value });
    return value;
  };
}
