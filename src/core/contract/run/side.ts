// Side tasks of a run outside its loop: summon, reconcile, exec, evidence. They change no state and satisfy no required
// lane.
import { z } from "zod";
import { reconcilingRoles, summonKinds, summonableRoles } from "../text.ts";
import { resolvedAssignment } from "./call.ts";

const summonKind = z.enum(summonKinds);

const summonableRole = z.enum(summonableRoles);

export const summonRequest = z.object({
  role: summonableRole,
  kind: summonKind,
  brief: z.string().min(1).max(8_000),
  persona: z.string().max(500).nullable(),
  constraints: z.array(z.string().max(1_000)).max(20),
  evidenceRefs: z.array(z.string().max(200)).max(20),
  /** A provider for this one call. */
  agent: resolvedAssignment.nullable(),
});
export type SummonRequest = z.infer<typeof summonRequest>;

export const sideJob = z.discriminatedUnion("job", [
  z.object({
    job: z.literal("summon"),
    id: z.string(),
    request: summonRequest,
    group: z.object({ id: z.string(), index: z.int().nonnegative() }).nullable(),
  }),
  z.object({
    job: z.literal("reconcile"),
    id: z.string(),
    role: z.enum(reconcilingRoles),
  }),
  z.object({
    job: z.literal("exec"),
    id: z.string(),
    argv: z.tuple([z.string()], z.string()),
    cwd: z.string(),
    /** The request allows a risky command. */
    allowRisky: z.boolean(),
    /** The call of the agent that requested it. Then it runs on a copy of this tree, never in the checkout. */
    requestedBy: z.object({ callId: z.string(), tree: z.string() }).optional(),
  }),
  z.object({ job: z.literal("evidence"), id: z.string() }),
]);
export type SideJob = z.infer<typeof sideJob>;

const sideOutcomes = ["completed", "blocked", "failed", "stopped"] as const;
export const sideOutcome = z.enum(sideOutcomes);
export type SideOutcome = z.infer<typeof sideOutcome>;
