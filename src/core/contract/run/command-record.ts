// A command as it ran for a run (R-33, S-3), and how a check stands when before and after are compared.
import { z } from "zod";
import { artifactRef } from "../artifact.ts";
import { permissionDecision } from "./check.ts";

export const commandRecord = z.object({
  argv: z.array(z.string()),
  cwd: z.string(),
  exitCode: z.int().nullable(),
  ended: z.enum(["exited", "timeout", "aborted", "output_limit", "not_started"]),
  durationMs: z.number().nonnegative(),
  stdout: artifactRef.nullable(),
  stderr: artifactRef.nullable(),
  permission: permissionDecision,
  sandbox: z.string(),
});
export type CommandRecord = z.infer<typeof commandRecord>;

/** `pass` and `fixed` need no decision. A `regression` can never be waived. */
const checkStandings = [
  "pass",
  "fixed",
  "regression",
  "still_failing",
  "nothing_to_run",
  "not_run",
  /** It ended well and ran fewer tests than before under the same rules: something keeps them from running. */
  "fewer_tests",
  /** As the base commit defines it, it passed before and fails now; as the approved work redefines it, it passes. */
  "redefined",
] as const;
export const checkStanding = z.enum(checkStandings);
export type CheckComparisonResult = z.infer<typeof checkStanding>;
