// The decision of an orchestrator or planner. The words in it are data: the runtime decides where a run goes.
import { z } from "zod";
import { role } from "../role.ts";
import { common, line, lines, path, paths, refs } from "./fields.ts";

export const decisionActions = [
  "delegate",
  "verify",
  "critique",
  "request_approval",
  "revise_plan",
  "complete",
  "abort",
] as const;

export const confidence = z.enum(["low", "medium", "high"]);

/** The slice of work handed to a worker. Paths can only narrow what the run allows. */
const task = z.strictObject({
  objective: line,
  allowedPaths: paths.optional(),
  disallowedPaths: paths.optional(),
  acceptanceCriteria: lines.optional(),
  toolPermissions: lines.optional(),
});

export const decision = z.strictObject({
  ...common,
  action: z.enum(decisionActions),
  reason: line,
  confidence: confidence.optional(),
  delegateTo: role.optional(),
  nextRole: role.optional(),
  requiresMoreEvidence: z.boolean().optional(),
  sliceName: z.string().min(1).max(200).optional(),
  targetPaths: paths.optional(),
  /** Files whose text the decider asks to see. */
  requestedPaths: z.array(path).max(24).optional(),
  artifactRefs: refs.optional(),
  acceptanceCriteria: lines.optional(),
  openQuestions: lines.optional(),
  task: task.optional(),
});
