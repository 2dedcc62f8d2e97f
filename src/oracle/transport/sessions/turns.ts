// turns.json: the words of a conversation over an API. The provider keeps nothing, so going on needs it here.
import { readFileSync } from "node:fs";
import { z } from "zod";
import { fail } from "../../../core/contract/index.ts";
import type { History } from "../../../core/contract/transport/index.ts";
import { writeJson } from "./atomic-file.ts";
import type { SessionFolder } from "./folder.ts";

const schema = z.array(z.object({ role: z.enum(["user", "assistant"]), content: z.string() }));

export const writeTurns = (folder: SessionFolder, turns: History): void => writeJson(folder.turns, turns);

/** The turns of a session that was answered. */
export function readTurns(folder: SessionFolder): History {
  let text: string;
  try {
    text = readFileSync(folder.turns, "utf8");
  } catch {
    return fail("invalid_input", `Session "${folder.id}" kept no conversation that can be continued.`, {
      remedy: "Give its answer as a file instead: -f answer.md",
    });
  }
  const parsed = schema.safeParse(JSON.parse(text));
  if (parsed.success && parsed.data.at(-1)?.role === "assistant") return parsed.data;
  return fail("invalid_input", `Session "${folder.id}" has no answer that a conversation could go on from.`, {
    remedy: "Wait for its answer, or ask anew.",
  });
}
