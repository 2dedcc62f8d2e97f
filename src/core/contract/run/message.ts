// A message of a person to a run that is under way: when an agent gets it, and how it changes the scope.
import { z } from "zod";

/** `next`: with the next call. `now`: the call in progress is stopped and asked again. `cancel`: it is stopped, and the person is asked. */
export const messageTimes = ["next", "now", "cancel"] as const;

const lines = z.array(z.string().min(1).max(4_000)).min(1).max(50);
const globs = z.array(z.string().min(1).max(500)).min(1).max(200);

/** More than the person agreed to at the start: it counts once it is approved. */
const widening = z.object({
  allowedPaths: globs.optional(),
  acceptanceCriteria: lines.optional(),
  addTokens: z.int().positive().optional(),
  addMinutes: z.number().positive().optional(),
  addAnswers: z.int().positive().optional(),
  addUsd: z.number().positive().optional(),
});
export type Widening = z.infer<typeof widening>;

export const runMessage = z.object({
  text: z.string().min(1).max(4_000),
  how: z.enum(messageTimes),
  /** Less than before: it counts at once. */
  disallowedPaths: globs.optional(),
  widens: widening.optional(),
});
export type RunMessage = z.infer<typeof runMessage>;
