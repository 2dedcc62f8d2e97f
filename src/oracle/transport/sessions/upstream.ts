// Sessions of steipete/oracle, which uses the same home folder: they are listed, and nothing in them is changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import type { SessionFolder } from "./folder.ts";

const text = z.string().nullable().catch(null).default(null);
const shape = z.object({
  status: text,
  createdAt: text,
  model: text,
  promptPreview: text,
});

export type UpstreamSession = z.infer<typeof shape>;

/** What every record of an older version has, and no record of ours without its schemaVersion. */
const older = z.object({
  schemaVersion: z.undefined().optional(),
  id: z.string(),
  status: z.string(),
  createdAt: z.string(),
  options: z.object({}),
});

/** Its record is meta.json; older versions wrote session.json. Undefined when it is none of these. */
export function readUpstream(folder: SessionFolder): UpstreamSession | undefined {
  const meta = jsonOf(join(folder.dir, "meta.json"));
  if (meta !== undefined) return shape.safeParse(meta).data;
  const session = jsonOf(folder.session);
  return older.safeParse(session).success ? shape.safeParse(session).data : undefined;
}

function jsonOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // Missing or not JSON, so it is not a record of that program.
    return undefined;
  }
}

/** Refuses what is only done with sessions of our own. */
export function refuseUpstream(folder: SessionFolder): void {
  if (readUpstream(folder) === undefined) return;
  fail("conflict", `"${folder.id}" is a session of steipete/oracle.`, {
    remedy: `Its files are in ${folder.dir}; they are not changed here. Read or remove it there, and ask anew with this program.`,
  });
}
