// A doubt of the runtime: something that it measured, or could not measure, and that makes a claim about the work weaker
// (B-26). One record for every kind, so that gates, directives, reports and JSON show the same.
import { z } from "zod";
import { doubtKinds } from "../doubt-text.ts";

export const doubtKind = z.enum(doubtKinds);

export const doubt = z.object({
  kind: doubtKind,
  /** A function (`add in src/add.ts:12`), a file, or a command. */
  place: z.string(),
  /** The result of the measurement, with its figures. */
  measure: z.string(),
});
export type Doubt = z.infer<typeof doubt>;

/** The number of doubts that one check records. */
export const mostDoubts = 60;

/** Which kinds of doubt open a question, and which the user takes without one. */
export const doubtPolicy = z.strictObject({
  /** On autopilot, work with a doubt of these kinds is not integrated before a person answers. */
  ask: z.array(doubtKind).max(doubtKinds.length),
  /** The user takes these: no question, and a run that has no other doubt ends as a success. */
  accept: z.array(doubtKind).max(doubtKinds.length),
});
export type DoubtPolicy = z.infer<typeof doubtPolicy>;
