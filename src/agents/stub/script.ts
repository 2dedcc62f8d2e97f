// The script of the stub: per role, the steps it plays in order. A small file or inline JSON; strict, so that a typo is an error.
import { z } from "zod";
import { envelopeStatuses, fail } from "../../core/contract/index.ts";

const path = z.string().min(1).max(1_024);

/** The actions of a scripted worker in its worktree, in order. It can misbehave on request. */
const stubEdit = z.discriminatedUnion("op", [
  z.strictObject({
    op: z.literal("write"),
    path,
    text: z.string().optional(),
    /** For bytes that are not text. */
    base64: z.string().optional(),
    /** Octal, as in `"755"`. */
    mode: z
      .string()
      .regex(/^[0-7]{3,4}$/)
      .optional(),
  }),
  z.strictObject({ op: z.literal("append"), path, text: z.string() }),
  z.strictObject({ op: z.literal("replace"), path, find: z.string().min(1), with: z.string() }),
  z.strictObject({ op: z.literal("delete"), path }),
  z.strictObject({ op: z.literal("rename"), from: path, to: path }),
  z.strictObject({ op: z.literal("symlink"), path, target: z.string().min(1) }),
  z.strictObject({ op: z.literal("chmod"), path, mode: z.string().regex(/^[0-7]{3,4}$/) }),
  z.strictObject({ op: z.literal("stage"), paths: z.array(path).optional() }),
  /** Stages a file that the repository's rules ignore. */
  z.strictObject({ op: z.literal("force-add"), path }),
  z.strictObject({ op: z.literal("commit"), message: z.string().min(1) }),
  /** Tries to plant a hook in the git folder the worktree shares. */
  z.strictObject({ op: z.literal("hook"), name: z.string().min(1), text: z.string() }),
  /** Tries to set a value in the git configuration the worktree shares. */
  z.strictObject({ op: z.literal("config"), key: z.string().min(1), value: z.string() }),
]);
export type StubEdit = z.infer<typeof stubEdit>;

const stubStep = z.strictObject({
  /** `silent`: no answer until the deadline. `crash`: ends with no answer. `unavailable`: never begins. */
  behave: z.enum(["answer", "silent", "crash", "unavailable"]).optional(),
  delayMs: z.number().int().min(0).max(600_000).optional(),
  /** The pause after its edits, as of an agent that goes on working. */
  restMs: z.number().int().min(0).max(600_000).optional(),
  /** Refuses the call: its limit lasts this long from now. */
  limitMs: z.number().int().min(0).max(2_000_000_000).optional(),
  edits: z.array(stubEdit).max(200).optional(),
  /** A diff in the answer instead of edits in the worktree. */
  patch: z.string().optional(),
  status: z.enum(envelopeStatuses).optional(),
  summary: z.string().optional(),
  /** Laid over the role's usual payload; `null` removes a field. */
  payload: z.record(z.string(), z.unknown()).optional(),
  /** The whole answer as text. `{{ack}}` becomes the current marker. */
  raw: z.string().optional(),
  ack: z.enum(["current", "missing", "stale", "foreign"]).optional(),
  wrap: z.enum(["none", "fence", "prose"]).optional(),
  /** Pads the answer to this many bytes. */
  oversizeBytes: z.number().int().min(0).max(50_000_000).optional(),
  usage: z.strictObject({ inputTokens: z.number().int().min(0), outputTokens: z.number().int().min(0) }).optional(),
  exitCode: z.number().int().min(0).max(255).optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
});
export type StubStep = z.infer<typeof stubStep>;

const steps = z.array(stubStep).max(200);
const perRole = z.partialRecord(
  z.enum(["orchestrator", "planner", "researcher", "implementer", "qa", "verifier", "critic", "citation"]),
  steps,
);

/** The n-th call of a role takes its n-th step; after the last one the role does what it does by default. */
const stubScript = z.strictObject({
  about: z.string().optional(),
  roles: perRole.optional(),
  /** What the roles play in the main loop as this model of the stub: `a` for `stub:a`. It goes before `roles`. */
  models: z.record(z.string().min(1).max(60), perRole).optional(),
  summons: perRole.optional(),
  reconcile: steps.optional(),
  /** For every agent that is asked for blind tests. */
  blindTests: steps.optional(),
  /** When true the last step of each list is played again for ever. */
  repeatLast: z.boolean().optional(),
});
export type StubScript = z.infer<typeof stubScript>;

/** The part of a script that one role plays: the event that freezes the crew holds each part once. */
export function scriptFor(script: StubScript, role: string): StubScript {
  const own = (parts: StubScript["roles"]) =>
    Object.fromEntries(Object.entries(parts ?? {}).filter(([name]) => name === role));
  const { roles, models, summons } = script;
  return {
    ...script,
    ...(roles ? { roles: own(roles) } : {}),
    ...(models
      ? { models: Object.fromEntries(Object.entries(models).map(([model, parts]) => [model, own(parts)])) }
      : {}),
    ...(summons ? { summons: own(summons) } : {}),
  };
}

/** Parses a script at the door; the failure names the field that is wrong. */
export function parseStubScript(value: unknown): StubScript {
  const parsed = stubScript.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.map(String).join(".") || "(script)";
  const extra = issue?.code === "unrecognized_keys" ? ` (${issue.keys.join(", ")})` : "";
  return fail("invalid_input", `The stub script is wrong at ${where}: ${issue?.message ?? "invalid"}${extra}.`, {
    remedy: "See docs/guides/stub.md for the shape of a script.",
  });
}
