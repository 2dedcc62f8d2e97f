// What happened to the work outside: the pull request that was opened for it, and what CI said about its commit.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";

const commit = z.string().regex(/^[0-9a-f]{40,64}$/);
const line = z.string().max(500);

export const openedRequest = z.object({
  commit,
  branch: line,
  remote: line,
  /** Null for a host of neither kind: the branch was pushed. */
  url: line.nullable(),
  /** False where it was open before. */
  created: z.boolean(),
});
export type OpenedRequest = z.infer<typeof openedRequest>;

export const ciResult = z.object({
  commit,
  url: line,
  state: z.enum(["none", "passed", "failed"]),
  checks: z.array(z.object({ name: line, state: z.enum(["passed", "failed", "pending"]), url: line })).max(200),
  /** The logs of checks that failed, without secrets. */
  logs: z.array(artifactRef).max(10),
});
export type CiResult = z.infer<typeof ciResult>;
