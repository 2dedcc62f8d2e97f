// A doubt of the runtime: something that it measured, or could not measure, and that makes a claim about the work weaker
// (B-26). One record for every kind, so that gates, directives, reports and JSON show the same.
import { z } from "zod";
import { doubtKinds } from "../text.ts";

export const doubtKind = z.enum(doubtKinds);
export type DoubtKind = z.infer<typeof doubtKind>;

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

/** What each kind means, for people. */
export const doubtLabels: Readonly<Record<DoubtKind, string>> = {
  unreached: "no check notices when this is broken",
  untried: "not measured",
  known_values: "holds the values of the tests",
  unnoticed_failure: "a planted failure goes unnoticed",
  unsteady: "passes one time and fails another",
  surroundings: "depends on what checks cannot vary",
  invisible: "characters that cannot be seen",
  lookalike: "letters that look alike",
  binary: "cannot be read",
  unread: "not read by the verifier",
  scope: "checks that were not run",
  replay: "another result outside of the tests",
  neighbours: "other arguments give one default value",
  waived: "a check was waived",
  no_check: "no check",
  unverified: "not verified",
};
