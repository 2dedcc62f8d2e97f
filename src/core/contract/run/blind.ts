// Blind tests: written by an agent that was given the goal and the base commit and never the work, and run by the runtime on
// both (B-33).
import { z } from "zod";
import { artifactRef } from "../artifact.ts";

export const blindTests = z.object({
  /** The tree with the work, and the base tree. */
  tree: z.string(),
  baseTree: z.string(),
  /** The agent that wrote them, as provider:model; null where none was asked. */
  author: z.string().nullable(),
  /** The tests that ran on the work, by name. */
  ran: z.int().nonnegative(),
  /** Those that pass on the work and do not on the base: the evidence. */
  proving: z.int().nonnegative(),
  /** Those that pass on both: they say nothing about this work. */
  idle: z.int().nonnegative(),
  /** Those that do not pass on the work. */
  failing: z.int().nonnegative(),
  /** Names of the first of these, for people. */
  failingNames: z.array(z.string()).max(20),
  /** Files of the answer that were not used, each with the reason. */
  unused: z.array(z.string()).max(20),
  /** The files that were used, by path. */
  files: z.array(z.string()).max(20),
  /** Why nothing was run. */
  notRun: z.string().optional(),
  /** All files as one text; absent where there is none. */
  text: artifactRef.optional(),
  stdout: artifactRef.optional(),
});
export type BlindTests = z.infer<typeof blindTests>;

/** What became of the request to keep them: files written into the checkout, and files that were not. */
export const keptTests = z.object({ paths: z.array(z.string()), left: z.array(z.string()) });
export type KeptTests = z.infer<typeof keptTests>;
