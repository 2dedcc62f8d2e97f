// Where a page was asked: kept on disk while a call is out, so that a later process finds its conversation again, and as
// long as its run may go on, so that the next call of the same role goes on in it. No text of it is stored.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ConversationRef } from "../../core/contract/transport/index.ts";
import { conversationRefSchema } from "../../core/contract/transport/schema/index.ts";
import { systemCode, writeDurably } from "../../platform/system/index.ts";
import type { ProviderCall } from "../../core/contract/index.ts";

export interface PageMemory {
  recall(name: string): ConversationRef | undefined;
  /** On disk when it returns. */
  keep(name: string, ref: ConversationRef): void;
  forget(name: string): void;
}

/** The name under which a later process finds a call again. */
export const handleOf = ({ callId }: Pick<ProviderCall, "callId">) => `call-${callId}`;

/** A conversation that was not used for this long is forgotten. */
const keptMs = 30 * 86_400_000;

/** Ids of runs and calls are ours, yet they become file names: everything else in them is replaced. */
const fileOf = (folder: string, name: string) => join(folder, `${name.replaceAll(/[^\w-]/g, "_")}.json`);

function removeOld(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false });
    if (stats && now - stats.mtimeMs > keptMs) rmSync(join(folder, name), { force: true });
  }
}

export function pageMemory(folder: string): PageMemory {
  return {
    recall(name) {
      try {
        const parsed = conversationRefSchema.safeParse(JSON.parse(readFileSync(fileOf(folder, name), "utf8")));
        return parsed.success ? (parsed.data as ConversationRef) : undefined;
      } catch (error) {
        if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
    keep(name, ref) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (ref.stage === "sending") removeOld(folder, Date.now());
      const path = fileOf(folder, name);
      writeDurably(path, `${path}.${process.pid}.tmp`, new TextEncoder().encode(JSON.stringify(ref)));
    },
    forget: (name) => rmSync(fileOf(folder, name), { force: true }),
  };
}
