// Persons, hosts and answers at the gates of a played run.
import { type Actor } from "../../src/core/contract/index.ts";
import { Play } from "./play.ts";
import { openGates } from "../../src/core/machine/index.ts";

export const person: Actor = { kind: "person", surface: "cli" };

export function answerTo(play: Play, more: Record<string, unknown> = {}) {
  const gate = openGates(play.run)[0];
  if (!gate) throw new Error("no gate");
  return {
    type: "answer" as const,
    gateId: gate.id,
    subjectSha256: gate.subject.sha256,
    answer: "approve" as const,
    message: gate.phrase ?? "",
    by: person,
    ...more,
  };
}
