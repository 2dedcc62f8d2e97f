// Sessions of steipete/oracle, which uses the same home folder: they are listed, and nothing in them is changed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { SessionFolder } from "./folder.ts";

const text = z.string().nullable().catch(null).default(null);
const shape = z.object({
  status: text,
  createdAt: text,
  model: text,
  promptPreview: text,
});

export type UpstreamSession = z.infer<typeof shape>;

/** Its record is meta.json; older versions wrote session.json of another form. Undefined when it is not one. */
export function readUpstream(folder: SessionFolder): UpstreamSession | undefined {
  const file = join(folder.dir, "meta.json");
  if (!existsSync(file)) return undefined;
  try {
    return shape.safeParse(JSON.parse(readFileSync(file, "utf8"))).data;
  } catch {
    // Not JSON, so it is not a record of that program.
    return undefined;
  }
}
