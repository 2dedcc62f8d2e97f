// Commands that can be submitted to a run: the user's commands, and the outcomes of effects that the runtime performed.
import { z } from "zod";
import { role } from "../role.ts";
import { reconcilingRoles } from "../text.ts";
import { resolvedAssignment, type DirectiveRecord, type PostedRecord } from "./call.ts";
import type { EffectOutcome } from "./effect.ts";
import { runCreated } from "./event.ts";
import { actor, gateAnswer } from "./gate.ts";
import { ciResult, openedRequest } from "./request.ts";
import { summonRequest } from "./side.ts";
import { runMessage } from "./message.ts";

export const createRun = runCreated
  .omit({ type: true, version: true, runId: true })
  .extend({ type: z.literal("create") });
export type CreateRun = z.infer<typeof createRun>;

/** The amounts by which `extend` raises a budget. */
const extension = {
  addTokens: z.int().positive().optional(),
  addMinutes: z.number().positive().optional(),
  addAnswers: z.int().positive().optional(),
  addUsd: z.number().positive().optional(),
};
const extensionNames = ["addTokens", "addMinutes", "addAnswers", "addUsd"] as const;
export type Extension = { readonly [K in (typeof extensionNames)[number]]?: number | undefined };

/** The amounts that an answer contains. */
export const extensionIn = (given: Extension): { [K in keyof Extension]: number } =>
  Object.fromEntries(extensionNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));

export const userCommand = z.discriminatedUnion("type", [
  /** One answer to one gate, bound to exactly the text that was shown. */
  z.object({
    type: z.literal("answer"),
    gateId: z.string(),
    /** The hash of the subject that was shown. */
    subjectSha256: z.string(),
    answer: gateAnswer,
    message: z.string().max(20_000),
    by: actor,
    /** For `extend`. */
    ...extension,
    /** Globs of files that only look like tests; valid only at the start of a run. */
    productPaths: z.array(z.string().min(1).max(500)).max(200).optional(),
    /** Instead of what the run began with; valid only at the start of a run. */
    goal: z.string().min(1).max(20_000).optional(),
    acceptanceCriteria: z.array(z.string().min(1).max(4_000)).min(1).max(50).optional(),
    /** Where the work goes instead of the checkout; valid only at the result. */
    toBranch: z.string().min(1).max(200).optional(),
    pullRequest: z.literal(true).optional(),
    /** Made with the person's SSH key. */
    signature: z.string().max(20_000).optional(),
  }),
  z.object({ type: z.literal("abort"), reason: z.string().max(4_000), by: actor }),
  z.object({ type: z.literal("summon"), request: summonRequest, by: actor }),
  z.object({
    type: z.literal("fanout"),
    items: z.array(summonRequest).min(1).max(8),
    by: actor,
  }),
  z.object({ type: z.literal("reconcile"), role: z.enum(reconcilingRoles).nullable(), by: actor }),
  z.object({
    type: z.literal("exec"),
    argv: z.tuple([z.string().min(1)], z.string()),
    cwd: z.string(),
    allowRisky: z.boolean(),
    by: actor,
  }),
  z.object({ type: z.literal("tell"), message: runMessage, by: actor }),
  z.object({ type: z.literal("capture_evidence"), by: actor }),
  z.object({ type: z.literal("recheck"), by: actor }),
  z.object({
    type: z.literal("switch_role"),
    role: role.exclude(["integrator"]),
    assignment: resolvedAssignment,
    by: actor,
  }),
  z.object({ type: z.literal("export_board"), by: actor }),
  /** Write the blind tests of the run into the checkout, as files of the user's. */
  z.object({ type: z.literal("keep_tests"), by: actor }),
  /** A pull request was opened for the commit of the run, or what CI says about it. */
  z.object({ type: z.literal("record_request"), request: openedRequest, by: actor }),
  z.object({ type: z.literal("record_ci"), ci: ciResult, by: actor }),
  /** Remove the work of an ended run from the checkout. */
  z.object({ type: z.literal("undo"), by: actor }),
]);
export type UserCommand = z.infer<typeof userCommand>;

/** A person's answer to a gate. */
export type AnswerCommand = Extract<UserCommand, { type: "answer" }>;

/** From the engine, about an effect. A key that is no longer awaited is refused. */
export type RuntimeCommand =
  | { readonly type: "directive_written"; readonly key: string; readonly record: DirectiveRecord }
  /** The first of the two appends of a call: the provider may have started. */
  | { readonly type: "call_posted"; readonly key: string; readonly record: PostedRecord }
  /** The first of the two appends of a command that may change something. */
  | { readonly type: "command_begun"; readonly key: string }
  | {
      readonly type: "effect_done";
      readonly key: string;
      readonly tookMs: number;
      readonly outcome: EffectOutcome;
    };

export type RunCommand = CreateRun | UserCommand | RuntimeCommand;
